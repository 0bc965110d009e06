// "Try the buttons": a minute in which each step waits until the board shows what it asks for.

import { el, fill, find } from "./dom.js";

/** @type {[string, (shown: Lights, start: Lights, before: Lights) => boolean][]} */
const STEPS = [
  ["Press orange’s +5 once and its +1 twice. Seven lights blink in front of the peg.", (shown) => shown.sides[0]?.waiting === 7],
  ["Press orange’s OK. The points are pegged; the dim light behind is the score before.", (shown, start) => shown.rev > start.rev && shown.sides[0]?.front > start.sides[0].front],
  ["Press UNDO. The score blinks, then both pegs go back.", (shown, start) => shown.sides[0]?.front === start.sides[0].front],
  ["Hold UNDO for two seconds. The score comes back.", (shown, start) => shown.sides[0]?.front > start.sides[0].front],
  ["Press DEAL. The colour of the game hole is who has the crib.", (shown, start, before) => shown.dealer !== before.dealer],
  ["Hold DEAL for three seconds. White dots grow, then the set-up opens.", (shown) => Boolean(shown.setup)],
  ["Press DEAL to start a new game, or UNDO to go back.", (shown) => !shown.setup],
];

export class Lesson {
  // `live(words)` says something; `left()` is called when the lesson is left; call `see` with what the board shows.
  /** @param {HTMLElement} node @param {(words: string) => void} live @param {() => void} left */
  constructor(node, live, left) {
    this.node = node;
    this.live = live;
    this.left = left;
    this.step = -1;
    /** @type {Lights | null} */
    this.start = null;
    /** @type {Lights | null} */
    this.before = null;
  }

  get on() {
    return this.step >= 0;
  }

  /** @param {Lights} shown */
  begin(shown) {
    this.step = 0;
    this.start = shown;
    this.before = shown;
    this.node.hidden = false;
    this.draw();
    find(this.node, "h2")?.focus();
    this.live(STEPS[0][0]);
  }

  end() {
    this.step = -1;
    this.node.hidden = true;
  }

  leave() {
    this.end();
    this.left();
  }

  /** @param {Lights} shown */
  see(shown) {
    if (!this.start || !this.before || !this.on || this.step === STEPS.length) return;
    if (!STEPS[this.step][1](shown, this.start, this.before)) return;
    this.step += 1;
    this.before = shown;
    this.draw();
    this.live(this.step < STEPS.length ? STEPS[this.step][0] : "That is all: you know every button.");
  }

  draw() {
    const over = this.step === STEPS.length;
    fill(this.node, el("h2", { id: "lesson-title", tabindex: -1, "data-key": "title" }, "Try the buttons"),
      el("ol", {}, STEPS.map(([words], at) => el("li", { class: at < this.step ? "done" : "", "aria-current": at === this.step ? "step" : null }, words))),
      over && el("p", { class: "sum" }, "That is all: you know every button. Any +1 or +5 held in the set-up changes the brightness or the sound."),
      el("div", { class: "row start" }, el("button", { type: "button", "data-key": "leave", onclick: () => this.leave() }, over ? "Close" : "Leave")));
  }
}
