// Who deals is a button that passes the deal. After the crib the next deal is offered; when nobody can know who deals, it is asked.

import { el } from "./dom.js";
import { figure, nameOf } from "./sides.js";
import { dealer } from "./words.js";

const TAP_MS = 700; // a second tap of a nervous finger is not another one

export class Deal {
  /** @param {Desk} desk @param {() => void} changed */
  constructor(desk, changed) {
    this.desk = desk;
    this.changed = changed;
    this.passedAt = 0;
  }

  // What was tapped stays for a moment, so that nothing else comes under the finger.
  get fresh() {
    return Date.now() - this.passedAt < TAP_MS;
  }

  /** @param {number} [place] */
  pass(place) {
    if (this.fresh) return;
    this.passedAt = Date.now();
    setTimeout(this.changed, TAP_MS);
    this.desk.give({ do: "deal", ...(place ? { place } : {}) }, "The deal passes");
  }

  // The small one, beside undo.
  button() {
    const { win, deal, dealer: now } = this.desk.state;
    if (win || !now || deal.asked) return null;
    return el("button", { type: "button", "data-key": "deal", class: "deal", "data-colour": now.colour, onclick: () => this.pass() },
      figure(now.colour), el("strong", {}, `${dealer(this.desk.state)} deals`), el("span", { class: "hide" }, `, pass the deal to ${nameOf(deal.next)}`));
  }

  // What is asked of the whole table.
  question() {
    const { deal } = this.desk.state;
    if (deal.asked === "who") {
      return [el("p", {}, deal.text), el("div", { class: "row" }, deal.seats.map((seat) =>
        el("button", { type: "button", "data-key": `deal-${seat.place}`, "data-colour": seat.colour, onclick: () => this.pass(seat.place) }, figure(seat.colour), el("span", {}, nameOf(seat)))))];
    }
    return deal.asked && el("button", { type: "button", "data-key": "next", class: "main", "data-colour": deal.next.colour, onclick: () => this.pass() },
      el("strong", {}, "Next deal"), el("span", {}, `${nameOf(deal.next)} deals`));
  }
}
