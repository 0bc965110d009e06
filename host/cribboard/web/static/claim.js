// What players claim: a hand whose player says what it is worth before the count is shown, because the house rules say so or
// to practise; and the time that there is to say it.

import { choose } from "./dialog.js";
import { checkbox, el, text } from "./dom.js";
import { recall, remember } from "./settings.js";
import { nameAt, nameOf } from "./sides.js";
import { timeWords } from "./words.js";

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
    return el("label", { class: "check" }, box, "Let me count my hand first");
  }

  // Where the kiosk counts: resolves to the points that are to be pegged, null for none.
  /** @param {Side} side @param {Count} count @returns {Promise<number | null>} */
  async settle(side, count) {
    const claimed = Number(this.points);
    if (claimed === count.points) return claimed;
    const missed = count.points - claimed;
    const words = `${nameOf(side)} claimed ${claimed}. The cards: ${count.text}.`;
    /** @type {[string, number | null]} */
    const again = ["Look again", null];
    if (missed < 0) return choose("Too many", words, [again, [`Peg ${count.points}`, count.points, "main"]]);
    return choose(`${missed} missed`, words, [again, [`Peg ${claimed}`, claimed, "main"], [`Peg ${count.points} anyway`, count.points]]);
  }
}

const SECOND_MS = 1000;

// The time that a player has left to claim a hand; between the kiosk's words a page counts by itself.
export class Countdown {
  constructor() {
    this.timer = 0;
    this.ends = 0;
    this.whose = el("span");
    this.clock = el("span");
    this.node = el("p", { class: "countdown", role: "timer", hidden: true }, this.whose, this.clock);
  }

  /** @param {State} state */
  show(state) {
    clearInterval(this.timer);
    this.node.hidden = !state.claims;
    if (!state.claims) return;
    const { side, left_s: left } = state.claims;
    this.ends = performance.now() + left * SECOND_MS;
    text(this.whose, nameAt(state, side));
    const tick = () => text(this.clock, `: ${timeWords(this.left)}`);
    tick();
    this.timer = window.setInterval(tick, SECOND_MS);
  }

  get left() {
    return Math.max(0, Math.ceil((this.ends - performance.now()) / SECOND_MS));
  }

  // The state as it is now, for an answer.
  /** @param {State} state @returns {State} */
  now(state) {
    return state.claims ? { ...state, claims: { ...state.claims, left_s: this.left } } : state;
  }
}
