// A win is a moment: the whole screen in the winner's colour, then the game stands there to be looked at.

import { el, fill } from "./dom.js";
import { figure, nameOf, sideOf } from "./sides.js";

const MOMENT_MS = 10000;
const HOLES = 30;
const SKUNKS = ["", "", "Skunk", "Double skunk"];

export class Win {
  /** @param {HTMLElement} node */
  constructor(node) {
    this.node = node;
    /** @type {Map<number, number | null>} */
    this.games = new Map();
    this.table = 0;
    this.timer = 0;
    node.addEventListener("click", () => this.end());
    addEventListener("keydown", (event) => event.key === "Escape" && this.end());
  }

  // `first`: the page has just come, so what it finds is no news. A `table` is named where there are several.
  /** @param {State} state @param {boolean} first */
  show(state, first, table = 0) {
    const won = state.winner ? state.game : null;
    if (won === (this.games.get(table) ?? null)) return;
    this.games.set(table, won);
    if (won && !first) this.begin(state, table);
    else if (this.table === table) this.end();
  }

  /** @param {State} state @param {number} table */
  begin(state, table) {
    this.table = table;
    const winner = sideOf(state, state.winner);
    if (!winner) return;
    const others = state.sides.filter((side) => side !== winner);
    const skunked = SKUNKS[Math.max(0, ...others.map((side) => side.skunked))];
    fill(this.node, holes(),
      el("div", { class: "news" },
        table > 0 && el("p", { class: "more" }, state.board.name),
        skunked && el("p", { class: "skunked" }, skunked),
        el("p", { class: "who" }, figure(winner.colour), el("span", { "data-long": nameOf(winner).length > 12 }, `${nameOf(winner)} ${winner.places.length > 1 ? "win" : "wins"}`)),
        el("p", { class: "score" }, [winner, ...others].map((side) => side.front).join(" – ")),
        el("p", { class: "more" }, `Games won: ${state.sides.map((side) => `${nameOf(side)} ${side.won}`).join(", ")}`)),
      holes());
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

// A street that fills up with pegs.
function holes() {
  return el("div", { class: "holes", "aria-hidden": "true" }, Array.from({ length: HOLES }, (_, at) => {
    const hole = el("i");
    hole.style.setProperty("--at", String(at));
    return hole;
  }));
}
