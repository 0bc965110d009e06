// Who is at each table, for staff: a phone removed, a table locked, newcomers let in.

import { get, post, remove } from "./api.js";
import { choose } from "./dialog.js";
import { $, el, focused, refill, text } from "./dom.js";
import { answers, lockWords, sideWords, since, wishWords } from "./here.js";
import { newKey } from "./orders.js";
import { empty, sheet } from "./records.js";
import { title } from "./sides.js";
import { button, part } from "./staff-parts.js";
import { correctScore, invite, lightAndSound, renameTable } from "./staff-tables.js";

const PHONES_MS = 5000;

/** @typedef {import("./staff-acts.js").Acts} Acts */

export class Phones {
  /** @param {HTMLElement} node @param {Acts} acts */
  constructor(node, acts) {
    this.node = node;
    this.acts = acts;
    this.looking = 0;
    /** @type {AtTable[]} */
    this.shown = [];
    this.folded = /** @type {Set<number>} */ (new Set()); // phones whose page was closed when the list was made
    this.unfolded = /** @type {Set<number>} */ (new Set()); // tables where staff look at them
    this.shape = "";
  }

  // Looked at again while the page is open.
  async look(own = false) {
    clearTimeout(this.looking);
    if (this.node.closest("[hidden]")) return;
    this.looking = setTimeout(() => this.look(), PHONES_MS);
    const answer = await get("/api/phones").catch(() => null);
    if (answer) this.show(answer.tables, own);
    else text($("news"), "The kiosk does not answer. What is shown here may be old.");
  }

  // How many lines there are, and what can be pressed. A name has its line, however long it is.
  /** @param {AtTable[]} tables @param {boolean} own */
  show(tables, own) {
    const shape = tables.map(({ board, locked, asked, phones }) => [board, locked?.by, asked, phones.map(({ phone, waits }) => [phone, waits])]);
    part(this.node, shape, changes(this.shown, tables), () => {
      if (own || this.shape !== JSON.stringify(shape)) this.folded = new Set(tables.flatMap(({ phones }) => phones.filter(({ open, waits }) => !open && !waits).map(({ phone }) => phone)));
      this.shape = JSON.stringify(shape);
      this.draw(tables);
    }, own);
  }

  // Each part is drawn again only when what it shows has changed, and nothing while it is pressed: a button that is drawn
  // again between the press and the release answers neither.
  /** @param {AtTable[]} tables */
  draw(tables) {
    if (this.node.matches(":active")) return;
    this.shown = tables;
    const had = this.node.contains(focused());
    refill(this.node, tables.map(({ board }) => board), () => tables.length ? tables.map(() => el("article", { class: "place" }, el("div"), el("div"), el("div"), el("div"))) : empty("No board has been found yet."));
    tables.forEach((table, at) => {
      const { board, name, locked, phones, sides, asked } = table;
      const [door, wish, list, more] = this.node.children[at].children;
      refill(door, { board, name, locked }, () => this.door(table));
      refill(wish, { board, asked }, () => asked && this.wish(board, asked));
      refill(list, { board, name, phones, sides, folded: [...this.folded] }, () => this.list(table));
      refill(more, { board, name }, () => this.more(table));
    });
    if (had && !this.node.contains(focused())) $("here-title").focus(); // what had the keyboard is gone
  }

  /** @param {AtTable} table */
  door(table) {
    const { board, name, locked } = table;
    const lock = el("button", { type: "button", "data-key": `lock ${board}`, "aria-label": locked ? `Open ${name}` : `Lock ${name}`,
      onclick: () => this.acts.done(() => post(`/api/boards/${board}/lock`, { locked: !locked }), locked ? `${name} is open.` : `${name} is locked.`) }, locked ? "Open" : "Lock");
    return [el("div", { class: "over" }, el("h3", {}, el("a", { href: `/table/${board}` }, name)), lock), el("p", { class: "muted small" }, lockWords(table))];
  }

  /** @param {number} board @param {Asked} asked */
  wish(board, asked) {
    const { rev, points, text: words } = asked;
    const right = points === null ? {} : { points };
    /** @param {boolean} yes */
    const answer = (yes) => this.acts.done(() => post(`/api/boards/${board}/orders`, { do: "allow", key: newKey(), rev, yes, ...right }), yes ? `${points === null ? "Undone" : "Corrected"}: ${words}.` : "The score stays.");
    return el("div", { class: "row start" }, el("strong", {}, wishWords(asked)), [true, false].map((yes) =>
      el("button", { type: "button", "data-key": `${yes} ${board}`, onclick: () => answer(yes) }, yes ? `Yes, ${points === null ? "undo" : "correct"} it` : "No, keep it")));
  }

  /** @param {AtTable} table */
  list(table) {
    const { board, name, phones } = table;
    if (!phones.length) return el("p", { class: "muted" }, "No phone has joined.");
    const closed = phones.filter(({ phone }) => this.folded.has(phone));
    /** @param {string} words @param {Phone[]} some */
    const listed = (words, some) => some.length > 0 && sheet(`${words} ${name}`, [["Phone", "wide"], ["Actions", "num"]], some.map((phone) => this.row(phone, table)));
    const fold = closed.length > 0 && el("details", { open: this.unfolded.has(board) },
      el("summary", { "data-key": `closed ${board}` }, closed.length === 1 ? "1 phone with the page closed" : `${closed.length} phones with the page closed`), listed("Phones with the page closed at", closed));
    if (fold) fold.addEventListener("toggle", () => (fold.open ? this.unfolded.add(board) : this.unfolded.delete(board)));
    return [listed("Phones at", phones.filter(({ phone }) => !this.folded.has(phone))), fold];
  }

  /** @param {Phone} phone @param {AtTable} table */
  row(phone, { board, name, sides }) {
    const path = /** @type {const} */ (`/api/boards/${board}/phones/${phone.phone}`);
    /** @param {number} _ @param {boolean} admit */
    const answer = (_, admit) => this.acts.done(() => post(path, { admit }), admit ? `${phone.name} is in at ${name}.` : `${phone.name} was turned away.`);
    return el("tr", {},
      el("td", { class: "wide who" }, el("strong", {}, title(phone.by)), el("span", { class: "muted small" }, sideWords(phone, sides), " · ", since(phone))),
      el("td", {}, el("div", { class: "actions" },
        phone.waits && answers(phone, answer),
        el("button", { type: "button", "aria-label": `Remove ${phone.name}`, "data-key": `remove ${phone.phone}`, class: "grave", onclick: () => this.remove(phone, path, name) }, "Remove"))));
  }

  /** @param {AtTable} table */
  more({ board, name }) {
    return el("div", { class: "actions" },
      button("Code to join", () => invite(board, name), "", `Code to join ${name}`),
      button("Light and sound", () => lightAndSound(this.acts, board, name), "", `Light and sound of ${name}`),
      button("Correct a score", () => correctScore(this.acts, board, name), "", `Correct a score at ${name}`),
      button("Rename", () => renameTable(this.acts, board, name), "", `Rename ${name}`));
  }

  /** @param {Phone} phone @param {`/api/boards/${number}/phones/${number}`} path @param {string} name */
  async remove(phone, path, name) {
    const words = "It cannot join any table again this evening. In a private window it would look like a new phone: lock the table to keep that out.";
    if (await choose(`Remove ${phone.name}?`, words, [["Cancel", false], ["Remove", true, "grave"]])) await this.acts.done(() => remove(path), `${phone.name} was removed from ${name}.`);
  }
}

// What is new at the tables, in words: first who has to wait for an answer.
/** @param {AtTable[]} before @param {AtTable[]} after */
function changes(before, after) {
  /** @type {string[]} */
  const asks = [], others = [];
  for (const table of after) {
    const { board, name, locked, asked, phones } = table;
    const old = before.find((one) => one.board === board);
    /** @param {AtTable | undefined} at @param {Phone} phone */
    const has = (at, phone) => at?.phones.some((one) => one.phone === phone.phone && one.waits === phone.waits);
    if (asked && asked.rev !== old?.asked?.rev) asks.push(wishWords(asked).trim());
    for (const phone of phones) if (!has(old, phone)) (phone.waits ? asks : others).push(phone.waits ? `${phone.name} is waiting at ${name}.` : `${phone.name} is at ${name}.`);
    for (const phone of old?.phones ?? []) if (!phones.some((one) => one.phone === phone.phone)) others.push(`${phone.name} has left ${name}.`);
    if (Boolean(locked) !== Boolean(old?.locked)) others.push(`${name} is ${locked ? "locked" : "open"}.`);
  }
  return [...asks, ...others].join(" ") || "The tables have changed.";
}
