// A hand whose player says what it is worth before the count is shown: because the house rules say so, or to practise.

import { choose } from "./dialog.js";
import { el } from "./dom.js";
import { recall, remember } from "./settings.js";
import { nameOf } from "./sides.js";

const KEPT = "claims";
const MOST = 46; // the best hand of five cards and a starter

export class Claim {
  // `changed` is told when another number is there, or none.
  constructor(changed) {
    this.on = recall(KEPT, false);
    this.input = el("input", { id: "claimed", type: "number", inputmode: "numeric", min: 0, max: MOST, oninput: changed });
    this.node = el("label", { class: "field", for: "claimed" }, el("span", {}, "How much is it?"), this.input);
  }

  get points() {
    const { value } = this.input;
    return /^\d+$/.test(value) && Number(value) <= MOST ? Number(value) : null;
  }

  clear() {
    this.input.value = "";
  }

  switch(changed) {
    const box = el("input", { type: "checkbox", checked: this.on, onchange: () => {
      this.on = box.checked;
      remember(KEPT, this.on);
      changed();
    } });
    return el("label", { class: "check" }, box, "Ask me what a hand is worth");
  }

  // Where the kiosk counts: resolves to the points that are to be pegged, null for none.
  async settle(side, count) {
    const { points: claimed } = this;
    if (claimed === count.points) return claimed;
    const missed = count.points - claimed;
    const words = `${nameOf(side)} claimed ${claimed}. The cards: ${count.text}.`;
    if (missed < 0) return choose("Too many", words, [["Look again", null], [`Peg ${count.points}`, count.points, "main"]]);
    return choose(`${missed} missed`, words, [["Look again", null], [`Peg ${claimed}`, claimed, "main"], [`Peg ${count.points} anyway`, count.points]]);
  }
}
