// A hand whose player says what it is worth before the count is shown; what was missed goes by the house's rule.

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

  // Resolves to what is to be pegged, null for nothing: {points} for the hand, with {called: side} when the rest of it is called.
  async settle(state, side, count) {
    const { points: claimed } = this;
    if (claimed === count.points) return { points: count.points };
    const who = nameOf(side);
    const missed = count.points - claimed;
    const others = state.sides.filter((one) => one !== side);
    const words = `${who} claimed ${claimed}. The cards: ${count.text}.`;
    if (missed < 0) return choose("Too many", words, [["Look again", null], [`Peg ${count.points}`, { points: count.points }, "main"]]);
    return choose(`${missed} missed`, words, [
      ["Look again", null],
      [`Peg ${claimed}`, { points: claimed }, "main"],
      ...others.map((one) => [`Peg ${claimed}, muggins ${missed} for ${nameOf(one)}`, { points: claimed, missed, called: one.side }]),
      [`Peg ${count.points} anyway`, { points: count.points }],
    ]);
  }
}
