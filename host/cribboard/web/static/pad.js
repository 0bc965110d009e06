// Points by pad: one tap shows them on the strip, the second pegs them. Five in a row, as the holes are.

import { el, fill, refill, text } from "./dom.js";
import { roving } from "./keys.js";
import { nameOf, sideOf } from "./sides.js";

const COLUMNS = 5;
const TYPED_MS = 1200;

export class Pad {
  constructor(node, desk) {
    Object.assign(this, { node, desk, points: 0, shown: null, game: null, most: 0 });
    this.preview = el("p", { class: "preview", id: "preview" });
    this.grid = el("div", { class: "pad", role: "group", "aria-label": "Points" });
    this.ok = el("button", { type: "button", class: "main ok", onclick: () => this.peg() });
    fill(node, this.grid, el("div", { class: "commit" }, this.preview, this.ok));
    roving(this.grid, () => COLUMNS);
    node.addEventListener("keydown", (event) => this.key(event));
  }

  show() {
    const { side, state } = this.desk;
    if (this.shown !== side?.side || this.game !== state.game || state.winner) this.leave();
    Object.assign(this, { shown: side?.side, game: state.game });
    this.node.dataset.colour = side?.colour ?? "";
    refill(this.grid, this.desk.handSize, () => this.buttons());
    this.mark();
    if (!side) return;
    const waiting = this.points || side.waiting; // by the board's buttons, whose OK pegs it
    const to = Math.min(this.desk.state.target, side.front + waiting);
    const won = this.desk.state.win;
    const who = won ? sideOf(this.desk.state, won.side) : side;
    const figures = won ? (who.places.length > 1 ? "win" : "wins") : waiting ? `${side.front} → ${to}` : String(side.front);
    refill(this.preview, [nameOf(who), figures], () => [el("span", {}, nameOf(who)), el("span", { class: "figures" }, ` ${figures}`)]);
    text(this.ok, won ? "New game …" : this.points ? `Peg ${this.points}` : "Peg");
    this.ok.disabled = !this.points && !won;
  }

  buttons() {
    this.most = this.desk.handSize === 5 ? 46 : 29;
    const numbers = Array.from({ length: this.most }, (_, at) => at + 1);
    return [...numbers.map((points) => el("button", {
      type: "button", tabindex: points === 1 ? 0 : -1, "aria-pressed": "false", "data-points": points, onclick: () => this.choose(points),
    }, String(points))),
    el("button", { type: "button", tabindex: -1, class: "clear", onclick: () => this.choose(0), "aria-label": "Clear" }, "✕")];
  }

  choose(points) {
    const before = this.points;
    this.points = points;
    if (before !== points || (points && !this.desk.side?.waiting)) this.desk.pend(points, this.shown);
    if (this.shown !== null) this.show();
  }

  // A number was meant for one side, in one game.
  leave() {
    if (this.points) this.desk.pend(0, this.shown);
    this.points = 0;
  }

  mark() {
    for (const button of this.grid.children) {
      if (button.dataset.points) button.setAttribute("aria-pressed", Number(button.dataset.points) === this.points);
    }
  }

  async peg() {
    const { side } = this.desk;
    const { points } = this;
    if (this.desk.state.win) return this.desk.begin();
    if (!points) return;
    this.points = 0;
    this.desk.wanted = null; // what was shown is pegged now
    this.show();
    const done = await this.desk.give({ do: "peg", side: side.side, points }, `${points} for ${nameOf(side)}`);
    if (!done && !this.points) this.desk.pend(0, side.side);
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (/^\d$/.test(event.key)) {
      const typed = Date.now() - (this.typedAt ?? 0) < TYPED_MS ? `${this.typed}${event.key}` : event.key;
      const points = Number(typed) <= this.most ? Number(typed) : Number(event.key);
      Object.assign(this, { typed: String(points), typedAt: Date.now() });
      this.choose(points);
    } else if (event.key === "Escape" || event.key === "Backspace") this.choose(0);
    else if (event.key === "Enter" && this.points && event.target.dataset.points === String(this.points)) this.peg();
    else return;
    event.preventDefault();
  }
}
