// The time that a player has left to claim a hand; between the kiosk's words a page counts by itself.

import { el, text } from "./dom.js";
import { nameAt } from "./sides.js";
import { secondsWords } from "./words.js";

const SECOND_MS = 1000;

/** @param {string} name @param {number} seconds */
const clockWords = (name, seconds) => `${name}: ${secondsWords(seconds)} to count`;

export class Countdown {
  constructor() {
    this.timer = 0;
    this.ends = 0;
    this.node = el("p", { class: "countdown", role: "timer", hidden: true });
  }

  /** @param {State} state */
  show(state) {
    clearInterval(this.timer);
    this.node.hidden = !state.claims;
    if (!state.claims) return;
    const { side, left_s: left } = state.claims;
    this.ends = Date.now() + left * SECOND_MS;
    const name = nameAt(state, side);
    const tick = () => text(this.node, clockWords(name, this.left));
    tick();
    this.timer = window.setInterval(tick, SECOND_MS);
  }

  get left() {
    return Math.max(0, Math.ceil((this.ends - Date.now()) / SECOND_MS));
  }

  // The state as it is now, for an answer.
  /** @param {State} state @returns {State} */
  now(state) {
    return state.claims ? { ...state, claims: { ...state.claims, left_s: this.left } } : state;
  }
}
