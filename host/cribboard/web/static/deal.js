// What concerns the dealer: who deals, a button that passes the deal, and nibs.

import { choose } from "./dialog.js";
import { el } from "./dom.js";
import { figure, nameOf, shortNameOf } from "./sides.js";
import { dealer } from "./words.js";

export const TAP_MS = 700;

// For a button that comes where another may have been: a finger that was on its way to the other does nothing.
/** @param {() => unknown} act */
export function settled(act) {
  const since = Date.now();
  return () => Date.now() - since > TAP_MS && act();
}

export class Deal {
  /** @param {Scorer} desk */
  constructor(desk) {
    this.desk = desk;
    this.passedAt = 0;
  }

  // A second tap of a nervous finger passes nothing.
  get fresh() {
    return Date.now() - this.passedAt < TAP_MS;
  }

  /** @param {number} [place] */
  pass(place) {
    if (this.fresh) return;
    this.passedAt = Date.now();
    this.desk.give({ do: "deal", ...(place ? { place } : {}) }, "The deal passes");
  }

  // Beside undo: who deals, the next deal once the crib is counted, or the question who deals. All are one button in one
  // place, since it changes while a finger is on its way there, and all of them pass the deal.
  button() {
    const { win, deal, dealer: now } = this.desk.state;
    if (win || !(now || deal.asked)) return null;
    const { colour } = deal.asked === "next" ? deal.next : now;
    /** @param {Child[]} words @param {() => unknown} act */
    const made = (words, act) => el("button", { type: "button", "data-key": "deal", class: deal.asked ? "deal main" : this.isEarly ? "deal early" : "deal", "data-colour": deal.asked === "who" ? null : colour, onclick: act }, words);
    if (deal.asked === "who") return made([el("strong", {}, deal.text)], () => this.ask());
    if (deal.asked) return made([el("strong", {}, "Next deal"), el("span", {}, `${shortNameOf(this.desk.state.sides, deal.next)} deals`)], () => this.pass());
    const to = this.isPassed ? "just passed" : this.isEarly ? "after the play" : ["to ", figure(deal.next.colour, { "data-colour": deal.next.colour }), ` ${shortNameOf(this.desk.state.sides, deal.next)}`];
    return made([el("strong", {}, "Pass the deal"), el("span", { class: "pass" }, to, el("span", { class: "hide" }, `, ${dealer(this.desk.state)} deals`))], () => this.early());
  }

  // In the middle of the play hardly anybody means it, nor when it has just been passed.
  get isEarly() {
    const { played, next } = this.desk.state.table;
    return this.isPassed || Boolean(played.length && next);
  }

  get isPassed() {
    const { last, table } = this.desk.state;
    return last?.kind === "deal" && !table.pile.length;
  }

  async early() {
    if (this.fresh) return;
    if (this.isEarly && !(await choose("Pass the deal?", this.isPassed ? `It has just been passed: ${dealer(this.desk.state)} deals.` : "The play is not over; its cards go.", [["Leave it", false, "main"], ["Pass the deal", true]]))) return;
    this.pass();
  }

  async ask() {
    if (this.fresh) return;
    const { deal } = this.desk.state;
    const place = await choose(deal.text, "Tap the dealer.", deal.seats.map((seat) => [nameOf(seat), seat.place]));
    if (place) this.pass(place);
  }
}

// Two for the dealer, until the first hand is counted.
/** @param {Scorer} desk */
export function nibs(desk) {
  const { state } = desk;
  const { starter, nibs: pegged, counted, crib_counted: over } = state.table;
  if (starter?.[0] !== "J" || pegged || counted.length || over || state.winner) return null;
  return el("button", { type: "button", "data-key": "offer", onclick: settled(() => desk.give({ do: "nibs", side: state.dealer.side }, "Nibs, 2 for the dealer")) }, `Nibs: 2 for ${dealer(state)}`);
}
