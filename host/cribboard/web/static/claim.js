// A hand whose player says what it is worth before the count is shown; what was missed goes by the house's rule.

import { choose } from "./dialog.js";
import { checkbox, el } from "./dom.js";
import { recall, remember } from "./settings.js";
import { nameOf } from "./sides.js";

const KEPT = "claims";
const MOST = 46; // the best hand of five cards and a starter

export class Claim {
  // `changed` is told when another number is there, or none.
  /** @param {() => void} changed */
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

  /** @param {() => void} changed */
  switch(changed) {
    const box = checkbox({ checked: this.on }, (on) => {
      this.on = on;
      remember(KEPT, on);
      changed();
    });
    return el("label", { class: "check" }, box, "Ask me what a hand is worth");
  }

  // Resolves to what is to be pegged, null for nothing: {points} for the hand, with {called: side} when the rest of it is called.
  /** @param {Playing} state @param {Side} side @param {Count} count @returns {Promise<Settled | null>} */
  async settle(state, side, count) {
    const { points: claimed } = this;
    if (claimed === count.points) return { points: count.points };
    const who = nameOf(side);
    const missed = count.points - Number(claimed);
    const others = state.sides.filter((one) => one !== side);
    const words = `${who} claimed ${claimed}. The cards: ${count.text}.`;
    if (missed < 0) return choose("Too many", words, [["Look again", /** @type {Settled | null} */ (null)], [`Peg ${count.points}`, { points: count.points }, "main"]]);
    /** @type {[string, Settled | null, string?][]} */
    const ways = [
      ["Look again", null],
      [`Peg ${claimed}`, { points: Number(claimed) }, "main"],
      ...others.map((one) => /** @type {[string, Settled]} */ ([`Peg ${claimed}, muggins ${missed} for ${nameOf(one)}`, { points: Number(claimed), missed, called: one.side }])),
      [`Peg ${count.points} anyway`, { points: count.points }],
    ];
    return choose(`${missed} missed`, words, ways);
  }
}
