// Results from elsewhere: a list or a spreadsheet, a game on a board beside the plan.

import { ask, get } from "./api.js";
import { choose } from "./dialog.js";
import { el, fill } from "./dom.js";
import { newKey, refuse } from "./night-orders.js";
import { moment, sideWords } from "./records.js";

/** @typedef {import("./night-director.js").Director} Director */

// The text of a file that a spreadsheet has saved, in any of the usual encodings; null if it isn't text.
/** @param {Uint8Array<ArrayBuffer>} bytes */
function textOf(bytes) {
  const [one, other] = bytes;
  const wide = one === 0xff && other === 0xfe ? "utf-16le" : one === 0xfe && other === 0xff ? "utf-16be" : "";
  if (!wide && bytes.includes(0)) return null;
  try {
    return new TextDecoder(wide || "utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes); // as older spreadsheets write it
  }
}

export class Import {
  /** @param {Director} director */
  constructor(director) {
    this.director = director;
    this.list = ""; // that was pasted and not taken: somebody on it may have to be added first
  }

  // A game that two have played beside the plan, or that the board has and was typed.
  /** @param {Evening} evening */
  async attach(evening) {
    const newest = await get("/api/games?limit=12").catch(refuse);
    if (!newest) return;
    const names = new Set(evening.entrants.map((one) => one.name));
    const fit = newest.games.filter((game) => game.state === "won" && game.seats.length > 1 && game.seats.every((seat) => seat.name && names.has(seat.name)));
    const chosen = fit.length ? await choose("Which game?", "The newest games on boards by people of this night.", fit.map((game) => /** @type {[string, number]} */ ([`${moment(game.ended, { timeStyle: "short" })} ${game.sides.map((side) => `${sideWords(game, side)} ${side.front}`).join(" – ")}`, game.id]))) : null;
    if (!fit.length) refuse({ words: "No game on a board was won by people of this night." });
    if (chosen !== null) await this.director.order(evening, { do: "attach", game: chosen });
  }

  // Results from a spreadsheet: what they come to is shown line by line before any is taken.
  /** @param {Evening} evening */
  async paste(evening) {
    const field = el("textarea", { id: "pasted", rows: 8, "aria-label": "Results", placeholder: "Ann 121 Bob 88" });
    const file = el("input", { type: "file", accept: ".csv,.txt,text/*", "aria-label": "A file of results" });
    const said = el("div", { class: "lines", role: "status" });
    field.value = this.list;
    let key = ""; // of the list that was looked at: another one is another order
    file.addEventListener("change", async () => {
      if (!file.files?.[0]) return;
      const words = textOf(new Uint8Array(await file.files[0].arrayBuffer()));
      field.value = words ?? "";
      fill(said, words === null && el("p", { class: "notice" }, "This file is no text. Save the sheet as CSV in your spreadsheet, and choose that file."));
    });
    const look = async (/** @type {boolean} */ take) => {
      if (!take) key = newKey();
      try {
        const result = await ask("POST", `/api/nights/${evening.night}/sheet`, { text: field.value, take, key }, { seconds: 20 });
        this.list = take ? "" : field.value;
        const fresh = result.lines.filter((/** @type {SheetLine} */ line) => !line.known).length;
        fill(said,
          result.bad.map((/** @type {string} */ words) => el("p", { class: "notice" }, words)), result.notes.map((/** @type {string} */ words) => el("p", { class: "muted" }, words)),
          el("ol", {}, result.lines.map((/** @type {SheetLine} */ line) => el("li", {}, `Line ${line.line}: ${line.text}${line.known ? " (here already)" : ""}`))),
          !result.bad.length && fresh > 0 && el("button", { type: "button", class: "main", "data-key": "take", onclick: () => look(true) }, `Take ${fresh}`));
      } catch (failure) {
        fill(said, el("p", { class: "notice" }, failure.words ?? ""));
      }
    };
    await choose("Results from a list", [field, file, el("button", { type: "button", "data-key": "look", onclick: () => look(false) }, "Check"), said], [["Done", true]]);
  }
}
