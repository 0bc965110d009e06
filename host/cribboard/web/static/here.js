// Who is at the table: this phone's name, the others, the lock, and newcomers who wait to be let in.

import { get, post, remove } from "./api.js";
import { choose, form } from "./dialog.js";
import { el, find, focused, refill } from "./dom.js";
import { recall, remember } from "./settings.js";
import { named } from "./sides.js";

const NAME = "nickname";
const AGAIN_MS = 1000;
/** @param {string} name @param {() => unknown} act @param {{ style?: string, label?: string | null, key?: string }} how */
const button = (name, act, { style = "", label = null, key = label ?? name } = {}) =>
  el("button", { type: "button", class: style, onclick: act, "aria-label": label, "data-key": key }, name);

/** @param {string} iso */
const clock = (iso) => new Intl.DateTimeFormat(undefined, { hour: "numeric", minute: "2-digit" }).format(new Date(iso));

// For which side a phone keeps score.
/** @param {Phone} phone @param {SideName[]} sides */
export function sideWords(phone, sides) {
  const side = sides.find((one) => one.side === phone.side);
  if (side) return named(side);
  return phone.side === 0 ? "Whole table" : "No side yet";
}

/** @param {Phone} phone */
export const since = (phone) => `${clock(phone.since)}${phone.waits ? ", waiting" : phone.open ? "" : ", page closed"}`;
/** @param {Pick<AtTable, "locked">} table */
export const lockWords = ({ locked }) => (locked ? `Locked by ${locked.by}: newcomers wait until somebody lets them in.` : "Open: anybody who scans the code joins.");

// The two answers to a newcomer.
/** @param {Phone} phone @param {(phone: number, admit: boolean) => unknown} answer */
export function answers({ name, phone }, answer) {
  return [
    button("Let in", () => answer(phone, true), { style: "main", label: `Let in ${name}` }),
    button("Turn away", () => answer(phone, false), { label: `Turn away ${name}` }),
  ];
}

// A phone that needs a Yes to take back a score of others, or to correct one.
/** @param {Asked} asked */
export const wishWords = ({ name, text, points }) => (points === null ? `${name} wants to take back “${text}”. ` : `${name} wants to correct “${text}” to ${points}. `);

// A phone's part of it: a list under "More", and a button above all tabs when somebody waits.
export class Here {
  /** @param {number} board @param {HTMLElement} node @param {HTMLElement} knocks @param {(words: string) => void} complain */
  constructor(board, node, knocks, complain) {
    this.board = board;
    this.node = node;
    this.knocks = knocks;
    this.complain = complain;
    this.path = /** @type {`/api/boards/${number}`} */ (`/api/boards/${board}`);
    this.wanted = false;
    /** @type {Promise<void> | null} */
    this.looking = null;
    /** @type {HTMLInputElement | null} */
    this.input = null;
    /** @type {AtTable | null} */
    this.table = null;
    /** @type {Phone | undefined} */
    this.own = undefined;
    this.seen = /** @type {Set<number>} */ (new Set()); // phones whose page has been open in this game
  }

  // Another game has begun: those who played the last one may have left.
  begin() {
    this.seen.clear();
    this.look();
  }

  // Whether another phone has this side, and so enters its cards; it may be asleep.
  /** @param {number} side */
  hasDevice(side) {
    return Boolean(this.table?.phones.some((phone) => !phone.own && phone.side === side && this.seen.has(phone.phone)));
  }

  // One for the page, so that what is typed stays when the list of sides is drawn again.
  get nickname() {
    this.input ??= el("input", { id: "nickname", maxlength: 20, autocomplete: "nickname", value: recall(NAME, ""), "data-key": "nickname" });
    return this.input;
  }

  field() {
    return el("label", { class: "field", for: "nickname" }, el("span", {}, "Your name, if you like (or later, under More)"), this.nickname);
  }

  // What is typed there; where nothing is and nothing was, the phone keeps its name, such as its player's in a league night.
  get typed() {
    const name = this.nickname.value.trim();
    return name || recall(NAME, "") ? { name } : {};
  }

  // Says what this phone is called and for which side it keeps score; resolves to why not, empty when all is well.
  /** @param {{ name?: string, side?: number }} said @returns {Promise<string>} */
  async introduce(said) {
    try {
      await post("/api/me", said);
    } catch (failure) {
      return failure.code === "name" ? failure.words : ""; // else the list lacks it, and play goes on
    }
    if ("name" in said) remember(NAME, said.name || null);
    return "";
  }

  // Asked for at most once a second, however often it changes.
  look() {
    this.wanted = true;
    this.looking ??= this.fetching().finally(() => {
      this.looking = null;
    });
  }

  async fetching() {
    while (this.wanted) {
      this.wanted = false;
      try {
        this.show(await get(`${this.path}/phones`));
      } catch (failure) {
        if (failure.status === 403) location.reload();
      }
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    }
  }

  /** @param {AtTable} table */
  show(table) {
    this.table = table;
    for (const phone of table.phones) if (phone.open && !phone.waits) this.seen.add(phone.phone);
    this.own = table.phones.find((phone) => phone.own && !phone.waits);
    if (!this.own && !table.may.remove) return location.reload(); // this phone is at the table no longer
    refill(this.node, table, () => this.build(table));
    const asked = this.knocks.contains(focused());
    const waiting = table.may.admit ? table.phones.filter((phone) => phone.waits) : [];
    this.knocks.hidden = !waiting.length;
    refill(this.knocks, waiting, () => waiting.slice(0, 1).map((phone) => button(`Let in ${phone.name} …`, () => this.greet(phone), { key: "knock" })));
    if (asked && !this.knocks.contains(focused())) { // what had the keyboard is gone
      (find(this.knocks, "button") ?? find(document, "[role=tab][aria-selected=true]"))?.focus();
    }
  }

  /** @param {AtTable} table @returns {Child[]} */
  build(table) {
    const { name, sides, phones, locked, may } = table;
    return [
      el("h2", { id: "here-title" }, "Who is here"),
      el("div", { class: "list" }, // above what grows, and the lock last, which comes and goes
        this.own && button("Your name …", () => this.rename(), { key: "name" }),
        button(may.remove ? "Leave, and give up staff rights …" : "Leave the table …", () => this.leave(), { key: "leave" }),
        locked ? may.open && button("Open the table", () => this.lock(false), { key: "lock" }) : button("Lock the table …", () => this.lock(true), { key: "lock" })),
      el("p", { class: "muted" }, lockWords(table)),
      phones.length
        ? el("ul", { class: "here", "aria-label": `Phones at ${name}` }, phones.map((phone) => el("li", {},
          el("strong", {}, phone.name, phone.own && " (this phone)"), el("span", {}, sideWords(phone, sides)), el("span", { class: "muted" }, `Since ${since(phone)}`))))
        : el("p", { class: "muted" }, "No phone has joined."),
    ];
  }

  /** @param {() => Promise<AtTable>} ask */
  async act(ask) {
    this.complain("");
    try {
      this.show(await ask());
    } catch (failure) {
      this.complain(failure.words);
      this.look();
    }
  }

  /** @param {number} phone @param {boolean} admit */
  answer(phone, admit) {
    return this.act(() => post(`${this.path}/phones/${phone}`, { admit }));
  }

  /** @param {Phone} newcomer */
  async greet({ name, phone }) {
    const admit = await choose(`${name} wants to join`, "The table is locked, so somebody who sits here has to let newcomers in.", [["Not now", null], ["Turn away", false], ["Let in", true, "main"]]);
    if (admit !== null) await this.answer(phone, admit);
  }

  /** @param {boolean} locked */
  async lock(locked) {
    const sure = !locked || (await choose("Lock the table?", "Newcomers then wait until the staff, or somebody who is here now, lets them in. Everybody who is here stays.", [["Cancel", false], ["Lock", true, "main"]]));
    if (sure) await this.act(() => post(`${this.path}/lock`, { locked }));
    this.focus("lock"); // the button that asked may have been drawn again meanwhile
  }

  /** @returns {Promise<void>} */
  async rename(wrong = "") {
    const given = await form("Your name", [{ name: "name", label: "Name", kind: "text", value: recall(NAME, "") }], "Save", "The others at the table and the staff can see it, and the history keeps it beside what you score. Leave it empty for no name.", wrong);
    const refused = given && (await this.introduce(given));
    if (refused) return this.rename(refused);
    if (given) this.look();
    this.focus("name");
  }

  /** @param {string} key */
  focus(key) {
    find(this.node, `[data-key="${key}"]`)?.focus();
  }

  async leave() {
    if (!this.table) return;
    const { locked, may } = this.table;
    const back = locked ? "The table is locked: to come back, you need somebody to let you in." : "To come back, scan the code again.";
    if (!(await choose(may.remove ? "Leave, and give up staff rights?" : "Leave the table?", may.remove ? "This device will need the PIN again." : back, [["Cancel", false], ["Leave", true, "grave"]]))) return;
    try {
      await remove("/api/pair");
      if (may.remove) await remove("/api/staff");
    } catch (failure) {
      this.complain(failure.words);
      return;
    }
    for (const kept of [`side.${this.board}`, `order.${this.board}`]) remember(kept, null);
    location.href = "/";
  }
}
