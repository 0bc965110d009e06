// What staff do: it is done and said, and the page is drawn again; a form that is refused comes back.

import { get } from "./api.js";
import { choose, insist } from "./dialog.js";
import { $, text } from "./dom.js";
import { attempt } from "./records.js";

// Whether this device has no staff's rights any more, since the PIN is another one now.
async function isGuest() {
  const me = await get("/api/me").catch(() => null);
  return me !== null && me.role !== "staff";
}

export class Acts {
  /** @param {() => Promise<unknown>} show @param {() => void} door */
  constructor(show, door) {
    this.show = show;
    this.door = door;
  }

  /** @template T @param {() => Promise<T>} act @param {string | ((result: T) => string)} words @returns {Promise<unknown>} */
  async done(act, words) {
    text($("said"), "");
    const result = await attempt(async () => ({ of: await act() }));
    if (!result) {
      if (await isGuest()) this.door();
      return null;
    }
    text($("said"), typeof words === "function" ? words(result.of) : words);
    await this.show();
    return result;
  }

  // Does what a form has; one that is refused comes back as it was filled in, and says why.
  /** @param {string} title @param {Field[]} fields @param {string} verb @param {string} hint @param {(given: Given) => Promise<unknown>} act @param {(given: Given) => string} words */
  async fillIn(title, fields, verb, hint, act, words) {
    let guest = false;
    const given = await insist(title, fields, verb, hint, async (typed) => {
      try {
        await act(typed);
        return "";
      } catch (failure) {
        if (failure.words === undefined) throw failure;
        guest = await isGuest();
        return guest ? "" : failure.words;
      }
    });
    if (guest) return this.door();
    return given && this.done(async () => {}, words(given));
  }

  /** @param {string} title @param {string} words @param {string} verb @param {() => Promise<unknown>} act */
  async sure(title, words, verb, act) {
    if (await choose(title, words, [["Cancel", false], [verb, true, "grave"]])) await this.done(act, `${verb}: done.`);
  }

  /** @param {string} before @param {(given: Given) => Promise<unknown>} act */
  rename(before, act) {
    return this.fillIn(`Rename ${before}`, [{ name: "name", label: "Name", kind: "text", value: before, required: true }], "Rename", "", act, (given) => `${before} is now ${given.name}.`);
  }
}
