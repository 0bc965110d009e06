// One order at a time, under a key that is kept until the kiosk has answered: a lost answer is asked for again, and
// the same key counts once. An order that an earlier visit left behind is sent again only when somebody says so.

import { Failure, get, post } from "./api.js";
import { recall, remember } from "./settings.js";

const AGAIN_MS = 2000;
const FRESH_MS = 60000;
const CATCH_UP_MS = 1500;
const LOOK_MS = 20;
const LONG_AGO = 200; // scores; the kiosk knows the newest 256 orders
const INSIST = ["against", "counted", "doubled", "starter", "turn"]; // what is refused once, and done when it is meant
export const ASKED = ["seen", ...INSIST]; // about these, somebody has said to leave it

export function newKey() {
  const drawn = crypto.getRandomValues(new Uint8Array(18));
  return btoa(String.fromCharCode(...drawn)).replaceAll("+", "-").replaceAll("/", "_");
}

// What tells the pages of one phone apart. A page that is loaded again stays itself, and a copy of it is another.
export function nameOfPage() {
  const kept = "cribboard.page";
  let name = newKey();
  try {
    name = sessionStorage.getItem(kept) ?? name;
    sessionStorage.removeItem(kept);
    addEventListener("pagehide", () => sessionStorage.setItem(kept, name));
    addEventListener("pageshow", () => sessionStorage.removeItem(kept));
  } catch {
    // private windows may refuse; then a page that is loaded again is another
  }
  return name;
}


export class Orders {
  // `waits(order, failure)` is told what is on its way (null: nothing), `asks(failure, current)` resolves to whether to do it all the same.
  /** @param {number} board @param {OrdersOn} on */
  constructor(board, { seen, sender, shows, look, waits, asks }) {
    this.path = /** @type {`/api/boards/${number}/orders`} */ (`/api/boards/${board}/orders`);
    this.kept = `order.${board}`;
    this.seen = seen;
    this.sender = sender;
    this.shows = shows;
    this.look = look;
    this.waits = waits;
    this.asks = asks;
    /** @type {Current | null} */
    this.current = null;
    this.next = false; // an order that waits for the one before it
    this.failing = false;
    /** @type {Promise<unknown>} */
    this.carried = Promise.resolve();
    this.done = 0;
    addEventListener("online", () => this.hurry());
  }

  // What an earlier visit sent without hearing an answer.
  /** @returns {LeftBehind | null} */
  get left() {
    const kept = this.current ? null : recall(this.kept, /** @type {Omit<LeftBehind, "fresh"> | null} */ (null));
    return kept ? { ...kept, fresh: Date.now() - kept.at < FRESH_MS } : null;
  }

  forget() {
    remember(this.kept, null);
  }

  // What came of it meanwhile: null when it has not counted. Long ago it is of another evening, and nothing to ask about.
  /** @param {LeftBehind} left @returns {Promise<{ text: string } | null>} */
  async settled({ order, words }) {
    if (this.seen() - Number(order.seen) > LONG_AGO) return { text: "" };
    for (;;) {
      try {
        const outcome = await get(`${this.path}/${order.key}`);
        return outcome.rev === null ? null : outcome;
      } catch (failure) {
        if (!failure.unanswered) return { text: `Nobody can say whether “${words}” has counted. Look at the score.` };
        await this.pause();
      }
    }
  }

  /** @param {LeftBehind} left */
  resume({ order, words }) {
    return this.carry(order, words);
  }

  /** @param {Order} order @param {string} words */
  async give(order, words) {
    const seen = this.seen();
    if (this.current) await this.turn(seen, words);
    return this.carry({ key: newKey(), seen, ...this.sender(), ...order }, words);
  }

  // One may wait for the order before it. The same again, on a page that did not show the first one yet, is a nervous
  // finger's.
  /** @param {number} seen @param {string} words */
  async turn(seen, words) {
    if (this.failing || this.next) throw this.busy();
    const before = this.current?.words;
    this.next = true;
    await this.carried.catch(() => {});
    this.next = false;
    if (words === before && seen < this.done) throw refusal("twice", `“${words}” has counted once`, "Enter it again if you meant it twice");
  }

  busy() {
    const message = this.current ? `“${this.current.words}” is still on its way` : "The last entry is still on its way";
    return refusal("busy", message, "Wait for the answer");
  }

  // What moves no peg needs no key, and the newest is all that counts.
  /** @param {Order} order @returns {Promise<unknown>} */
  hint(order) {
    return post(this.path, { key: newKey(), seen: this.seen(), ...order }).catch((failure) => {
      if (!failure.unanswered) throw failure;
    });
  }

  /** @param {Order} order @param {string} words */
  carry(order, words) {
    this.current = { order, words };
    const carried = this.carrying(order, words);
    this.carried = carried;
    return carried;
  }

  /** @param {Order} order @param {string} words */
  async carrying(order, words) {
    remember(this.kept, { order, words, at: Date.now() });
    try {
      const done = await this.answered(order, words);
      this.forget();
      this.failing = false;
      this.waits(this.current, null);
      this.done = done.rev;
      await this.caughtUp(done.version);
      return done;
    } finally {
      this.current = null;
      this.failing = false;
      this.forget();
      this.waits(null);
    }
  }

  /** @param {Order} order @param {string} words */
  async answered(order, words) {
    for (let attempt = 0; ; attempt += 1) {
      if (!attempt) this.waits(this.current, null);
      try {
        return await post(this.path, order);
      } catch (failure) {
        if (failure.unanswered) {
          this.failing = true;
          this.waits(this.current, failure);
          await this.pause();
        } else if (ASKED.includes(failure.code) && (await this.asks(failure, { order, words }))) {
          order = { ...order, key: newKey(), seen: this.seen(), ...(INSIST.includes(failure.code) ? { again: true } : {}) };
          remember(this.kept, { order, words, at: Date.now() });
        } else throw failure;
      }
    }
  }

  // What comes next is meant by somebody who sees what this one has done.
  /** @param {number} version */
  async caughtUp(version) {
    const end = Date.now() + CATCH_UP_MS;
    while (this.shows() < version && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    if (this.shows() < version) await this.look().catch(() => {}); // the stream is slow
  }

  pause() {
    return new Promise((/** @type {(value: void) => void} */ resolve) => {
      this.hurry = resolve;
      setTimeout(resolve, AGAIN_MS);
    });
  }

  hurry() {}
}

/** @param {string} code @param {string} message @param {string} hint */
function refusal(code, message, hint) {
  return new Failure(409, { code, message, hint });
}
