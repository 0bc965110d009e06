// The end of a game: a win fills the screen, then the way of each side as a line, the best hand, the biggest swing, and the same
// again by one tap.

import { get, patiently, post } from "./api.js";
import { cardsWords, face, parse } from "./cards.js";
import { el, fill, svg } from "./dom.js";
import { line, scale } from "./line.js";
import { newKey } from "./orders.js";
import { figure, isPlaying, nameOf, path, sideOf } from "./sides.js";

const AGAIN_MS = 700;
const TRIES = 8; // the history has it within a second or so

export class Ending {
  /** @param {HTMLElement} node @param {number} number */
  constructor(node, number) {
    this.node = node;
    this.number = number;
    /** @type {string | null} */
    this.game = null;
  }

  // Shows the end of the game that the table has won; hides it when there is none.
  /** @param {State} state */
  async show(state) {
    const won = state.winner ? `${state.game} ${state.rev}` : null;
    this.node.hidden = !won;
    if (won === this.game) return;
    this.game = won;
    if (!won) return fill(this.node);
    const again = await rematch(this.number, state);
    if (this.game !== won) return;
    fill(this.node, el("div", { class: "facts" }, again));
    const game = await played(this.number, () => this.game === won);
    if (game && isPlaying(state) && this.game === won) this.draw(state, fold(game));
  }

  /** @param {Playing} state @param {Folded} folded */
  draw(state, { fronts, best, swing, odds }) {
    const again = this.node.querySelector(".rematch");
    const chances = document.body.hasAttribute("data-odds") ? odds : []; // where the house has chosen so
    const lowest = least(state, chances);
    fill(this.node,
      fronts.length > 1 && el("figure", { class: "way-of" }, line(state.sides, steps(fronts), state.target, { chances }), scale(state.target), el("div", { class: "ends", "aria-hidden": "true" }, tags(state))),
      el("div", { class: "facts" },
        best && fact("Best hand", [el("p", { class: "what" }, el("strong", {}, String(best.points)), who(state, best.side)), cards(best)]),
        swing && fact("Biggest swing", [el("p", { class: "what" }, el("strong", {}, String(swing.by)), who(state, swing.side)), el("p", { class: "muted" }, `from ${standing(swing.from)} to ${standing(swing.to)}`)]),
        lowest !== false && fact("Lowest chance to win", [el("p", { class: "what" }, el("strong", {}, `${lowest} %`), who(state, state.winner)), el("p", { class: "muted" }, `dashed line: ${nameOf(state.sides[0])}’s chance`)]),
        again));
  }
}

// The order of a rematch: everything as it was.
/** @param {State} state */
export const again = (state) => ({ do: "new", key: newKey(), seen: state.rev });

/** @param {number} number @param {State} state */
async function rematch(number, state) {
  const { role, board } = await patiently(() => get("/api/me"));
  if (role !== "screen" && role !== "staff" && !(role === "player" && board === number)) return null;
  /** @param {MouseEvent} event */
  const begin = async (event) => {
    event.stopPropagation();
    button.disabled = true;
    await post(`/api/boards/${number}/orders`, again(state)).catch(() => {});
    button.disabled = false;
  };
  const button = el("button", { type: "button", class: "rematch", onclick: begin }, "Rematch");
  return button;
}

/** @param {number} number @param {() => boolean} wanted */
async function played(number, wanted) {
  for (let at = 0; at < TRIES && wanted(); at += 1) {
    try {
      const game = await patiently(() => get(`/api/boards/${number}/game`));
      if (game.state === "won") return game;
    } catch {
      // no history, or not yet
    }
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
  }
  return null;
}

/** @typedef {{ side: number, by: number, from: number, to: number }} Swing */
/** @typedef {{ fronts: number[][], best: GameEvent | null, swing: Swing | null, odds: Chance[] }} Folded */
/** @typedef {GameEvent & { fronts: number[] }} Stayed */

/** @param {GameEvent} event @returns {event is Stayed} */
const hasStayed = (event) => Boolean(event.fronts) && !event.gone && !["undo", "redo", "gap"].includes(event.kind);

// What the line is drawn from: the fronts after each event that stayed, the best hand, and the biggest swing.
/** @param {{ events: GameEvent[] }} game @returns {Folded} */
export function fold({ events }) {
  const stayed = events.filter(hasStayed);
  const fronts = stayed.map((event) => event.fronts);
  const hands = stayed.filter((event) => event.kind === "hand" && event.points);
  const none = /** @type {Stayed | null} */ (null);
  const best = hands.reduce((most, event) => (most && Number(most.points) >= Number(event.points) ? most : event), none);
  return { fronts, best, swing: swing(fronts), odds: odds(stayed) };
}

// The first side's chance to win before each deal, and how it ended, each at its step of the line.
/** @param {Stayed[]} stayed @returns {Chance[]} */
function odds(stayed) {
  /** @type {Chance[]} */
  const shares = [];
  let step = 0;
  /** @type {number[] | null} */
  let before = null;
  for (const { fronts, chances } of stayed) {
    if (fronts.some((front, side) => front !== (before?.[side] ?? 0))) step += 1;
    before = fronts;
    if (chances) shares.push({ step, first: chances[0] });
  }
  const winner = stayed.at(-1)?.winner;
  return shares.length && winner ? [...shares, { step, first: winner === 1 ? 100 : 0 }] : [];
}

// The winner's chance when it was lowest.
/** @param {Score} state @param {Chance[]} chances */
function least(state, chances) {
  const won = state.sides.findIndex((side) => side.side === state.winner);
  return chances.length > 1 && Math.min(...chances.map(({ first }) => (won ? 100 - first : first)));
}

// The fronts from the start on, one for each time that a peg moved.
/** @param {number[][]} fronts */
function steps(fronts) {
  return [fronts[0].map(() => 0), ...fronts].filter((now, at, all) => !at || now.some((front, side) => front !== all[at - 1][side]));
}

// The most by which a side's lead has grown from one moment to a later one.
/** @param {number[][]} fronts */
function swing(fronts) {
  /** @type {Swing | null} */
  let most = null;
  for (let side = 0; side < (fronts[0]?.length ?? 0); side += 1) {
    let low = 0;
    for (const front of fronts) {
      const lead = front[side] - Math.max(...front.filter((_, at) => at !== side));
      low = Math.min(low, lead);
      if (lead - low > (most?.by ?? 0)) most = { side: side + 1, by: lead - low, from: low, to: lead };
    }
  }
  return most;
}

/** @param {number} lead */
const standing = (lead) => (lead ? `${Math.abs(lead)} ${lead < 0 ? "behind" : "ahead"}` : "level");
/** @param {string} name @param {Child} children */
const fact = (name, children) => el("div", { class: "feat" }, el("h2", {}, name), children);

/** @param {Score} state @param {number | null} number */
function who(state, number) {
  const side = sideOf(state, number);
  return side && el("span", { class: "name", "data-colour": side.colour }, figure(side.colour), nameOf(side));
}

/** @param {GameEvent} best */
function cards(best) {
  const all = best.cards ? parse(best.cards + (best.starter ?? "")) : [];
  return all && all.length > 0 && el("div", { class: "cards", role: "img", "aria-label": cardsWords(all) }, all.map((card) => face(card, { role: null, "aria-label": null })));
}

// Each side's figure where its line ends.
/** @param {Playing} state */
function tags(state) {
  return state.sides.map((side) => {
    const tag = el("span", { "data-colour": side.colour }, svg("svg", { viewBox: "0 0 24 24", class: "figure" }, svg("path", { d: path(side.colour) })));
    tag.style.top = `${100 - (100 * Math.min(side.front, state.target)) / state.target}%`;
    return tag;
  });
}

const MOMENT_MS = 10000;
const HOLES = 30;
const SKUNKS = ["", "", "Skunk", "Double skunk"];

// A win is a moment: the whole screen in the winner's colour, then the game stands there to be looked at.
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
        el("p", { class: "more won-before" }, `Games won: ${state.sides.map((side) => `${nameOf(side)} ${side.won}`).join(", ")}`)),
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
