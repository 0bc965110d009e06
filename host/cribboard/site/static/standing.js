// The state of a board as the phone pages have it, made of the wire's.

import { sidesOf } from "./client.js";
import { COLOURS, nameOf } from "./sides.js";

/** @typedef {{ points: number, owner: number }} Waits */
/** @typedef {{ names: Record<number, string>, waiting: Record<number, Waits>, me: number, table: Cards, undo: Step | null, redo: Step | null }} Known */

const NEAR_HOME = 30;
/** @type {Record<number, string>} */
const SKUNKED = { 1: "", 2: ", and it is a skunk", 3: ", and it is a double skunk" };

// `names` and `waiting` ({points, owner}) are by side; `me` is this page's own number among the owners of waiting points.
/** @param {Standing} state @param {Known} known @returns {Playing} */
export function standing(state, { names, waiting, me, table, undo, redo }) {
  const standings = sidesOf(state, names);
  const winner = state.winner < 0 ? null : state.winner + 1;
  const sides = standings.map((side) => {
    const others = Math.max(...standings.filter((one) => one !== side).map((one) => one.front));
    const near = !winner && others >= state.target - NEAR_HOME;
    const waits = waiting[side.side];
    return {
      ...side, name: side.name ?? null, waiting: waits?.points ?? 0, waiting_by: by(waits, me), lead: side.front - others,
      skunked: !winner || side.side === winner ? 0 : side.front < state.double ? 3 : side.front < state.skunk ? 2 : 1,
      warned: near && side.front < others && side.front < Math.max(state.skunk, state.double),
    };
  });
  const places = [0, 1, 2, 3, 4, 5].filter((place) => state.seats & (1 << place));
  /** @param {number} place @returns {Seat} */
  const seat = (place) => {
    const side = sides[places.indexOf(place) % sides.length];
    return { place: place + 1, side: side.side, colour: COLOURS[place], name: names[place + 1] ?? null };
  };
  const next = seat(places[(places.indexOf(state.dealer) + 1) % places.length]);
  const over = table.crib_counted && !winner;
  return {
    rev: state.rev, game: state.game, target: state.target, skunk: state.skunk, double: state.double, sides, winner, table, undo, redo,
    dealer: seat(state.dealer), crib: seat(state.dealer).side, count: null, last: null,
    win: winner === null ? null : { side: winner, text: win(sides, winner) },
    deal: { asked: over ? "next" : null, text: over ? `Next deal: ${nameOf(next)} deals.` : "", next, seats: places.map(seat) },
  };
}

/** @param {Waits | undefined} waits @param {number} me */
const by = (waits, me) => (waits?.points ? (waits.owner === me ? "this page" : waits.owner ? "another program" : "the board") : null);

/** @param {Side[]} sides @param {number} winner */
function win(sides, winner) {
  const won = sides.filter((side) => side.side === winner)[0];
  const worst = Math.max(...sides.map((side) => side.skunked));
  return `${nameOf(won)} ${won.places.length > 1 ? "win" : "wins"} with ${won.front}${SKUNKED[worst] ?? ""}.`;
}

// An event in words, for undo and redo.
/** @param {Row} row @param {Record<number, string>} names */
export function eventWords([, kind, side, a], names) {
  const name = nameOf({ name: names[side + 1], colour: COLOURS[side] ?? "nobody" });
  if (kind === "new") return "the new game";
  if (kind === "deal") return "the deal";
  if (kind === "set") return `the correction for ${name}`;
  if (kind === "restore") return "what was restored";
  return `${a} for ${name}`;
}
