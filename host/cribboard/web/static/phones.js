// Who is at each table, for staff: remove a phone, lock a table, let newcomers in.

import { get, post, remove } from "./api.js";
import { choose } from "./dialog.js";
import { $, el, focused, refill, text } from "./dom.js";
import { answers, lockWords, sideWords, since } from "./here.js";
import { empty, sheet } from "./records.js";

const LOOK_MS = 5000;

export class Phones {
  // `done(act, words)` does something, and says so.
  /** @param {HTMLElement} node @param {(act: () => Promise<unknown>, words: string) => Promise<unknown>} done */
  constructor(node, done) {
    this.node = node;
    this.done = done;
    this.looking = 0;
  }

  // Looked at again while the page is open.
  async look() {
    clearTimeout(this.looking);
    if (this.node.closest("[hidden]")) return;
    this.looking = setTimeout(() => this.look(), LOOK_MS);
    const found = await get("/api/phones").catch(() => null);
    if (found) this.show(found.tables);
  }

  /** @param {AtTable[]} tables */
  show(tables) {
    const waiting = tables.flatMap(({ name, phones }) => phones.filter((phone) => phone.waits).map((phone) => `${phone.name} is waiting at ${name}.`));
    text($("knocking"), waiting.join(" "));
    const had = this.node.contains(focused());
    refill(this.node, tables, () => tables.length ? tables.map((table) => this.table(table)) : empty("No board has been found yet."));
    if (had && !this.node.contains(focused())) $("here-title").focus(); // what had the keyboard is gone
  }

  /** @param {AtTable} table */
  table(table) {
    const { board, name, locked, phones } = table;
    const lock = el("button", { type: "button", "data-key": `lock ${board}`, "aria-label": locked ? `Open ${name}` : `Lock ${name}`,
      onclick: () => this.done(() => post(`/api/boards/${board}/lock`, { locked: !locked }), locked ? `${name} is open.` : `${name} is locked.`) }, locked ? "Open" : "Lock");
    return [
      el("div", { class: "over" }, el("h3", {}, name), lock),
      el("p", { class: "muted" }, lockWords(table)),
      phones.length
        ? sheet(`Phones at ${name}`, [["Name", "wide"], ["Side"], ["Since"], ["Actions", "num"]], phones.map((phone) => this.row(phone, table)))
        : empty("No phone has joined."),
    ];
  }

  /** @param {Phone} phone @param {AtTable} table */
  row(phone, { board, name, sides }) {
    const path = /** @type {const} */ (`/api/boards/${board}/phones/${phone.phone}`);
    /** @param {number} _ @param {boolean} admit */
    const answer = (_, admit) => this.done(() => post(path, { admit }), admit ? `${phone.name} is in at ${name}.` : `${phone.name} was turned away.`);
    return el("tr", {}, el("td", { class: "wide" }, phone.name), el("td", {}, sideWords(phone, sides)), el("td", {}, since(phone)),
      el("td", {}, el("div", { class: "actions" },
        phone.waits && answers(phone, answer),
        el("button", { type: "button", class: "grave", "aria-label": `Remove ${phone.name}`, "data-key": `remove ${phone.phone}`, onclick: () => this.remove(phone, path, name) }, "Remove"))));
  }

  /** @param {Phone} phone @param {`/api/boards/${number}/phones/${number}`} path @param {string} name */
  async remove(phone, path, name) {
    const words = "It cannot join any table of the house again this evening. In a private window it looks like a new phone; to keep that out, lock the table.";
    if (await choose(`Remove ${phone.name}?`, words, [["Cancel", false], ["Remove", true, "grave"]])) await this.done(() => remove(path), `${phone.name} was removed from ${name}.`);
  }
}
