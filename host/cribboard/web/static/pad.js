// Points by pad: a tap chooses them and shows them on the strip, the next pegs them. Typed digits go together to one
// number, for which the keyboard moves to the button that pegs: there, Enter once more does nothing.

import { asking } from "./dialog.js";
import { disable, el, fill, focused, refill, text } from "./dom.js";
import { isTyping, roving } from "./keys.js";
import { nameOf, shortNameOf, sideOf } from "./sides.js";

const COLUMNS = 5;

export class Pad {
  /** @param {HTMLElement} node @param {Scorer} desk */
  constructor(node, desk) {
    this.node = node;
    this.desk = desk;
    this.points = 0;
    this.typed = "";
    /** @type {number | undefined} */
    this.shown = undefined;
    /** @type {number | null} */
    this.game = null;
    this.most = 0;
    this.preview = el("p", { class: "preview", id: "preview" });
    this.grid = el("div", { class: "pad", role: "group", "aria-label": "Points" });
    this.ok = el("button", { type: "button", class: "main ok", onclick: () => this.peg() });
    this.next = el("button", { type: "button", class: "main begin", onclick: () => desk.begin() }, "New game …");
    fill(node, this.grid, el("div", { class: "commit" }, this.preview, this.next, this.ok));
    roving(this.grid, () => COLUMNS);
    document.addEventListener("keydown", (event) => this.key(event));
  }

  show() {
    const { side, state } = this.desk;
    if (this.shown !== side?.side || this.game !== state.game || state.winner) this.leave();
    this.shown = side?.side;
    this.game = state.game;
    this.node.dataset.colour = side?.colour ?? "";
    refill(this.grid, this.desk.handSize, () => this.buttons());
    this.mark();
    if (!side) return;
    const waiting = this.points || side.waiting; // by the board's buttons, whose OK pegs it
    const to = Math.min(this.desk.state.target, side.front + waiting);
    const won = this.desk.state.win;
    const who = won ? sideOf(this.desk.state, won.side) : side;
    const figures = won ? (who && who.places.length > 1 ? "win" : "wins") : waiting ? `${side.front} → ${to}` : String(side.front);
    const name = shortNameOf(this.desk.state.sides, who ?? side);
    refill(this.preview, [name, figures], () => [el("span", {}, name), el("span", { class: "figures" }, ` ${figures}`)]);
    text(this.ok, this.points ? `Peg ${this.points}` : "Choose points");
    disable(this.ok, !this.points);
    this.ok.hidden = Boolean(won) && focused() !== this.ok;
    this.next.hidden = !won;
  }

  buttons() {
    this.most = this.desk.handSize === 5 ? 46 : 29;
    const numbers = Array.from({ length: this.most }, (_, at) => at + 1);
    return [...numbers.map((points) => el("button", {
      type: "button", tabindex: points === 1 ? 0 : -1, "aria-pressed": "false", "data-points": points, "data-key": `pad-${points}`, onclick: () => this.choose(points),
    }, String(points))),
    el("button", { type: "button", tabindex: -1, class: "clear", onclick: () => this.choose(0) }, "Clear")];
  }

  /** @param {number} points */
  choose(points, typed = "") {
    const before = this.points;
    if (this.desk.state.win || !(before || points)) return;
    this.points = points;
    this.typed = typed;
    if (before !== points || !this.desk.side.waiting) this.desk.pend(points, this.shown);
    this.show();
    this.desk.answer(points ? `${points} for ${nameOf(this.desk.side)}` : "No points chosen");
  }

  // A number was meant for one side, in one game.
  leave() {
    if (this.points) this.desk.pend(0, this.shown);
    Object.assign(this, { points: 0, typed: "" });
  }

  mark() {
    for (const button of this.grid.querySelectorAll("button")) {
      const chosen = Number(button.dataset.points) === this.points;
      if (button.dataset.points) button.setAttribute("aria-pressed", String(chosen));
      if (this.points) button.tabIndex = chosen ? 0 : -1;
    }
  }

  async peg() {
    const { side } = this.desk;
    const { points } = this;
    if (!points || this.desk.state.win) return;
    if (this.grid.contains(focused())) this.ok.focus();
    Object.assign(this, { points: 0, typed: "" });
    this.desk.wanted = null; // what was shown is pegged now
    this.desk.home();
    this.show();
    const done = await this.desk.give({ do: "peg", side: side.side, points }, `${points} for ${nameOf(side)}`);
    if (!done && !(this.points && this.shown === side.side)) this.desk.pend(0, side.side);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (this.node.hidden || asking() || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (isTyping(event)) return;
    const pressed = event.key === "Enter" || event.key === " ";
    if (/^\d$/.test(event.key)) {
      if (!event.repeat) this.type(this.typed + event.key);
    } else if (event.key === "Backspace" && this.typed.length > 1) this.type(this.typed.slice(0, -1));
    else if (event.key === "Escape" || event.key === "Backspace") this.choose(0);
    else if (pressed && !event.repeat && this.points && focused().dataset.points === String(this.points)) this.peg();
    else return;
    event.preventDefault();
  }

  /** @param {string} digits */
  type(digits) {
    const points = Number(digits);
    this.choose(points > this.most ? 0 : points, points ? String(points) : "");
    if (points > this.most) {
      this.typed = "";
      this.desk.answer(`${points} is too many: ${this.most} is the most. No points chosen.`);
    }
    if (!this.desk.state.win) this.ok.focus({ preventScroll: true });
  }
}
