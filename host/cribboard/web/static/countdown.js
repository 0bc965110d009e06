// The time that a player has left to claim a hand; between the kiosk's words a page counts by itself.

import { el, text } from "./dom.js";
import { nameAt } from "./sides.js";

const SECOND_MS = 1000;

/** @param {string} name @param {number} seconds */
const clockWords = (name, seconds) => `${name}: ${seconds} ${seconds === 1 ? "second" : "seconds"} to count`;

export class Countdown {
  constructor() {
    this.timer = 0;
    this.node = el("p", { class: "countdown", role: "timer", hidden: true });
  }

  /** @param {State} state */
  show(state) {
    clearInterval(this.timer);
    this.node.hidden = !state.claims;
    if (!state.claims) return;
    const { side, left_s: left } = state.claims;
    const ends = Date.now() + left * SECOND_MS;
    const name = nameAt(state, side);
    const tick = () => text(this.node, clockWords(name, Math.max(0, Math.ceil((ends - Date.now()) / SECOND_MS))));
    tick();
    this.timer = window.setInterval(tick, SECOND_MS);
  }
}
