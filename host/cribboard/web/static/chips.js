// The sides with their scores: which of them is scored for, and which is this phone’s own.

import { el } from "./dom.js";
import { figure, shortNameOf } from "./sides.js";
import { duties, from, shortWarning, warning } from "./words.js";

// `turn` is the side to play while another one is scored for.
/** @param {Playing} state @param {{ chosen: number | null, picked: number | null, me: string }} desk @param {number | null} turn @param {(side: number) => void} choose */
export function chips(state, { chosen, picked, me }, turn, choose) {
  return state.sides.map((side) => {
    const narrow = state.sides.length > 2;
    const [duty, crib] = duties(state, side);
    const mine = side.side === picked;
    const skunk = shortWarning(state, side);
    const warned = skunk && [el("span", { class: "short" }, skunk), el("span", { class: "full" }, warning(state, side))];
    const signs = [side.side === turn && el("strong", {}, "To play"), mine && "You", duty, !narrow && crib, warned, side.waiting_by !== me && from(side)].filter(Boolean); // what comes and goes is last
    return el("button", {
      type: "button", class: side.side === turn ? "chip turn" : "chip", "data-colour": side.colour, "data-key": `chip-${side.side}`, "aria-pressed": side.side === chosen, "data-mine": mine, onclick: () => choose(side.side),
    },
    el("span", { class: "who" }, figure(side.colour), el("span", {}, shortNameOf(state.sides, side))),
    el("span", { class: "front" }, String(side.front), side.waiting && !state.winner ? el("small", {}, ` +${side.waiting}`) : null),
    el("span", { class: "signs" }, signs.length ? signs.map((sign, at) => [at ? " · " : "", sign]) : "\u00a0"));
  });
}
