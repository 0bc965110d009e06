// The phone that kept the score of a night's game, once it is won: the result, what became of it, the way on, the way back.

import { choose } from "./dialog.js";
import { el } from "./dom.js";
import { ownPage, sentWords, skunked } from "./night-parts.js";
import { nameOf, sideOf } from "./sides.js";

// The match whose game was played last at this table; a pair may meet again.
/** @param {Evening} evening @param {State} state */
export const matchHere = (evening, { board, sides }) => evening.matches.filter((match) => match.table === board.number && match.called && match.names.every((name) => sides.some((side) => nameOf(side) === name))).pop();

// The match that this player is to play: the same one while it needs more games.
/** @param {Evening} evening @param {Match | undefined} on */
export const nextOf = (evening, on) => on && on.mine !== null && on.legs.length && !on.over ? on : evening.matches.find((match) => match.mine !== null && !match.bye && !match.over && match !== on);

/** @param {Evening} evening @param {Scorer & { state: State & Playing }} scorer */
export function afterGame(evening, scorer) {
  const { state } = scorer;
  const won = sideOf(state, state.winner);
  const scores = [...state.sides].sort((one, other) => other.front - one.front).map((side) => side.front);
  const who = !won ? "" : won.side === scorer.picked ? "You won" : `${nameOf(won)} won`;
  const skunk = skunked(evening, scores[scores.length - 1]).replaceAll(" ", "\u00a0");
  const on = matchHere(evening, state);
  const next = nextOf(evening, on);
  return [
    el("h2", {}, [`${who}, ${scores.join("\u00a0–\u00a0")}`, skunk].filter(Boolean).join(", ")), el("p", {}, sentWords(evening, on, state.board.number, scores)),
    el("a", { class: "button main", href: ownPage(evening) }, next ? `Your next ${next === on ? "game" : "match"}` : "The night", next && el("small", {}, `${next.called ? next.place : `round ${next.round}`}, against ${next.names[1 - Number(next.mine)]}`)),
    state.undo && el("button", { type: "button", class: "back", "data-key": "undo", onclick: () => goBack(scorer) }, "Wrong? Undo the last peg")];
}

// A stray tap does not open a result again that others see already.
/** @param {Scorer & { state: Playing }} scorer */
async function goBack(scorer) {
  const step = scorer.state.undo;
  if (step && (await choose("Undo the last peg?", `${step.text}. Without it the game goes on, and has no result.`, [["Leave it", false, "main"], ["Undo it", true]]))) await scorer.give({ do: "undo", rev: step.rev }, `Undo ${step.text}`);
}
