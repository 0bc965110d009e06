// A win is a moment: the whole screen in the winner's colour, then the game stands there to be looked at.

import { el, fill } from "./dom.js";
import { nameOf } from "./sides.js";

const MOMENT_MS = 12000;
const SKUNKS = ["", "Skunk", "Double skunk"];

export class Win {
  constructor(node) {
    this.node = node;
    this.game = null;
    node.addEventListener("click", () => this.end());
  }

  // `first`: the page has just come, so what it finds is no news.
  show(state, first) {
    const won = state.winner ? `${state.game}` : null;
    if (won === this.game) return;
    this.game = won;
    if (!won || first) return this.end();
    this.begin(state);
  }

  begin(state) {
    const winner = state.sides.find((side) => side.side === state.winner);
    const others = state.sides.filter((side) => side !== winner);
    const skunked = Math.max(0, ...others.map((side) => side.skunked));
    fill(this.node,
      el("div", { class: "holes", "aria-hidden": "true" }, Array.from({ length: 30 }, (_, at) => hole(at))),
      el("p", { class: "who" }, `${nameOf(winner)} wins`),
      el("p", { class: "score" }, [winner, ...others].map((side) => side.front).join(" – ")),
      el("p", { class: "more" }, [SKUNKS[skunked], `Games won ${state.sides.map((side) => `${nameOf(side)} ${side.won}`).join(", ")}`]
        .filter(Boolean).join(" · ")));
    this.node.dataset.colour = winner.colour;
    this.node.hidden = false;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.end(), MOMENT_MS);
  }

  end() {
    clearTimeout(this.timer);
    this.node.hidden = true;
  }
}

function hole(at) {
  const dot = el("i");
  dot.style.setProperty("--at", at);
  return dot;
}
