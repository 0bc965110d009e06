// What staff have to see to: boards that do not answer, what is not written or not safe, backups.

import { get, sentence } from "./api.js";
import { $, el, fill, text } from "./dom.js";
import { moment } from "./records.js";
import { button, part } from "./staff-parts.js";
import { move } from "./staff-tables.js";

/** @typedef {import("./staff-acts.js").Acts} Acts */

/** @param {AwayBoard} away */
const silentWords = ({ table: name, text: words, hint }) => [`${name}: ${words}`, hint].filter(Boolean).map(sentence).join(" ");

/** @param {Trouble} unsaved */
const unsafe = ({ table: name, text: words, hint }) => ["Play goes on, but a restart of the kiosk would forget what happens now", `${name || "This kiosk"}: ${words}`, hint].map(sentence).join(" ");

/** @param {Unwritten} trouble */
function untold({ table, why, since, no_file }) {
  const words = `The history of ${table} has not been written since ${moment(since)}: ${why}.`;
  if (no_file) return `${words} A second file cannot be written either: ${no_file}. The board keeps its newest events only: see to it now.`;
  return `${words} A second file keeps what happens, and the kiosk adds it to the history later.`;
}

/** @param {number} hours */
function age(hours) {
  if (hours < 1) return "less than an hour old";
  return hours < 48 ? `${hours} hour${hours === 1 ? "" : "s"} old` : `${Math.floor(hours / 24)} days old`;
}

export class Notices {
  /** @param {HTMLElement} node @param {Acts} acts */
  constructor(node, acts) {
    this.node = node;
    this.acts = acts;
    /** @type {string[]} */
    this.noticed = [];
  }

  async look(own = false) {
    const house = await get("/api/house").catch(() => null);
    if (!house) return;
    const { away, unwritten, unsaved, backup } = house;
    const notices = [...unsaved.map(unsafe), ...unwritten.map(untold), ...(backup?.warnings ?? [])];
    const all = [...away.map(silentWords), ...notices];
    const fresh = all.filter((words) => !this.noticed.includes(words));
    part(this.node, [away, notices], fresh.join(" ") || "A notice is over.", () => {
      this.noticed = all;
      fill(this.node, away.map((one) => this.silent(one)), notices.map((words) => el("p", { class: "notice" }, words)));
      text($("backup"), backup?.newest ? `Newest backup: ${age(backup.hours)}, ${moment(backup.newest)}, in ${backup.folder}.` : "");
    }, own);
  }

  /** @param {AwayBoard} away */
  silent(away) {
    const { table: name, board, other } = away;
    return el("div", { class: "notice" }, el("p", {}, silentWords(away)),
      other && el("div", { class: "row start" }, button("Move the game to this board …", () => move(this.acts, board, name), "", `Move the game of ${name} to this board`)));
  }
}
