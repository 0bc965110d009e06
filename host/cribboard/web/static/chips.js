// The sides with their scores: which of them is scored for, and which is this phone’s own.

import { el } from "./dom.js";
import { figure, shortNameOf } from "./sides.js";
import { duties, from, shortWarning, warning } from "./words.js";

/** @type {Record<string, string>} */
const GAINS = { peg: "", nibs: "nibs", go: "go", hand: "hand", muggins: "muggins" };

// Who has pegged last and, in two pieces, how much and for what; nobody after a win or once a card has made nothing since.
/** @param {Playing} state @returns {[number | null, Child[]]} */
function gained({ winner, last, undo, table, count }) {
  const laid = table.pile.at(-1);
  if (winner || !last?.points || !(last.kind in GAINS) || last.rev !== undo?.rev || (laid && !laid.points && laid.at >= last.rev)) return [null, []];
  const card = undo.card === laid?.card ? laid?.text.split(", ").map((part) => part.replace(/^an? | for .*/g, "")).join(", ") : "";
  const crib = last.kind === "hand" && count?.rev === last.rev && count.crib;
  const ends = last.kind === "go" && table.next === null;
  const what = card || (crib ? "crib" : ends ? "last card" : GAINS[last.kind]);
  return [last.side, [el("strong", {}, `+${last.points}`), what && ` ${what}`]];
}

// `turn` is the side to play while the play is open, which is lit then; else the one that is scored for is.
/** @param {Playing} state @param {Scorer} desk @param {number | null} turn @param {(side: number) => void} choose */
export function chips(state, desk, turn, choose) {
  const { chosen, picked, me } = desk;
  const { next, pile, counted, crib_counted: over } = state.table;
  const plays = !state.winner && !state.computer && !counted.length && !over && (next !== null || pile.length > 0);
  const [scorer, gain] = gained(state);
  return state.sides.map((side) => {
    const narrow = state.sides.length > 2;
    const [duty, crib] = duties(state, side);
    const mine = side.side === picked;
    const skunk = shortWarning(state, side);
    const warned = skunk && [el("span", { class: "short" }, skunk), el("span", { class: "full" }, warning(state, side))];
    const signs = [mine && "You", duty, !narrow && crib, warned, side.waiting_by !== me && from(side)].filter(Boolean); // what comes and goes is last
    const left = desk.handSize * side.places.length - desk.played(side.side).length;
    return el("button", {
      type: "button", class: side.side === turn ? "chip turn" : "chip", "data-colour": side.colour, "data-key": `chip-${side.side}`, "aria-pressed": side.side === (turn ?? chosen), "data-mine": mine, onclick: () => choose(side.side),
    },
    el("span", { class: "who" }, figure(side.colour), el("span", {}, shortNameOf(state.sides, side))),
    el("span", { class: "front" }, String(side.front), side.waiting && !state.winner ? el("small", {}, ` +${side.waiting}`) : null),
    el("span", { class: "gain" }, side.side === scorer && gain),
    el("span", { class: "signs" }, signs.map((sign, at) => [at ? " · " : "", sign]), side.side === turn && el("strong", {}, signs.length ? " · " : "", "To play")),
    el("span", { class: "now" }, side.side === turn && el("strong", {}, "To play"), plays && left >= 0 && el("span", {}, `${left || "no"} card${left === 1 ? "" : "s"} left`)));
  });
}
