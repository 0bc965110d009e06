// What the score is, in sentences: for the voice, for the live line, and for what the eye may miss.

import { sentence } from "./api.js";
import { cardsWords, cardWords } from "./cards.js";
import { isPlaying, nameAt, nameOf, sideOf } from "./sides.js";

const SKUNKED = ["", "", "skunked", "double-skunked"];

/** @param {Score} state */
export function scores(state) {
  if (!isPlaying(state)) return "No game has started.";
  const said = state.sides.map((side) => `${nameOf(side)} ${side.front}`).join(", ");
  const waiting = state.sides.map((side) => side.waiting && `${side.waiting} wait for ${nameOf(side)}, ${from(side)}.`).filter(Boolean);
  return [`${said}.`, state.win ? state.win.text : lead(state), ...waiting].join(" ");
}

// Who has entered the points that wait before a side's peg.
/** @param {Side} side */
export const from = (side) => (side.waiting ? `from ${side.waiting_by}` : "");

/** @param {Score} state */
export function lead(state) {
  const order = [...state.sides].sort((one, other) => other.front - one.front);
  if (order.length < 2) return "";
  const ahead = order[0].front - order[1].front;
  if (!ahead) return order[0].front ? "Level." : "Nobody has pegged yet.";
  return `${nameOf(order[0])} ${order[0].places.length > 1 ? "lead" : "leads"} by ${ahead}.`;
}

/** @param {Playing} state @param {Side} side @returns {string} */
export function warning(state, side) {
  if (state.winner) return SKUNKED[side.skunked];
  if (!side.warned) return "";
  const [line, name] = skunkLine(state, side);
  return `${line - side.front} to save the ${name}`;
}

// The same where there is little room: how many holes behind the line.
/** @param {Playing} state @param {Side} side */
export function shortWarning(state, side) {
  if (state.winner || !side.warned) return warning(state, side);
  const [line, name] = skunkLine(state, side);
  return `${name} \u2212${line - side.front}`;
}

/** @param {Playing} state @param {Side} side @returns {[number, string]} */
function skunkLine(state, side) {
  return side.front < state.double ? [state.double, "double skunk"] : [state.skunk, "skunk"];
}

// What a side's player has to do in this deal, nothing once it is won; the crib is the dealer's.
/** @param {Score} state @param {Side} side @returns {string[]} */
export function duties(state, side) {
  if (state.winner || state.deal?.asked === "who") return [];
  const deals = state.dealer?.side === side.side && (side.places.length > 1 && state.dealer.name ? `${state.dealer.name} deals` : "Deals");
  return [deals, state.crib === side.side && "Crib"].filter((duty) => duty !== false);
}

/** @param {Score} state */
export function crib(state) {
  if (state.deal?.asked === "who") return state.deal.text;
  const side = sideOf(state, state.crib);
  return side ? `The crib is ${nameOf(side)}’s.` : "Nobody has the crib.";
}

/** @param {Score} state */
export function starter(state) {
  const card = state.table.starter;
  return card ? `The starter is the ${cardWords(card)}.` : "No starter has been entered.";
}

/** @param {Score} state */
export function table(state) {
  const pile = state.table.pile ?? [];
  if (!pile.length) return "No card is on the table.";
  const said = pile.map((laid) => `${nameAt(state, laid.side)} ${cardWords(laid.card)}`);
  return `On the table: ${said.join(", ")}. The count is ${state.table.running}.`;
}

/** @param {Score} state */
export function count(state) {
  if (state.table.pile?.length) return `The count is ${state.table.running}.`;
  const last = state.count;
  if (!last) return "No hand has been counted.";
  const side = sideOf(state, last.side);
  const whose = `${side ? `${nameOf(side)}’s ` : ""}${last.crib ? "crib" : "hand"}`;
  const cut = last.starter ? `, starter ${cardWords(last.starter)}` : "";
  return `${whose}: ${cardsWords(last.cards)}${cut}. ${sentence(last.text)}`;
}

// The time that is left to a player.
/** @param {number} seconds */
export const timeWords = (seconds) => `${seconds} ${seconds === 1 ? "second" : "seconds"} to count`;

// The side to play, after those who have said go.
/** @param {Cards} table */
export const due = ({ next, after_go: after, goes }) => (goes ? after[goes - 1] : next);

// The side that counts next once the play is over, as far as the cards tell: its hand, or 0 and the dealer's crib.
/** @param {Score} state */
function counts({ dealer, deal, table }) {
  const { next, played, counted, crib_counted: over } = table;
  if (next !== null || over || !dealer || !deal || !(played.length || counted.length)) return null;
  const first = deal.seats.findIndex((seat) => seat.place === dealer.place) + 1;
  const order = [...deal.seats.slice(first), ...deal.seats.slice(0, first)];
  const left = order.filter(({ side }, at) => order.slice(0, at + 1).filter((seat) => seat.side === side).length > counted.filter((one) => one === side).length);
  return left[0]?.side ?? 0;
}

// Whose turn it is, and who deals.
/** @param {Score} state */
export function turn(state) {
  if (state.win) return state.win.text;
  const next = sideOf(state, due(state.table));
  if (state.deal?.asked) return state.deal.text;
  if (state.claims) return `${nameAt(state, state.claims.side)}: ${timeWords(state.claims.left_s)}.`;
  const deals = state.dealer ? `${dealer(state)} deals.` : "";
  const counting = next ? null : counts(state);
  if (counting !== null) return `${deals} ${counting ? `${nameAt(state, counting)} counts next` : "The crib is counted next"}.`;
  return next ? `${deals} ${nameOf(next)} ${next.places.length > 1 ? "are" : "is"} next.`.trim() : deals || "No game has started.";
}

/** @param {Score} state */
export const dealer = (state) => state.dealer?.name || nameAt(state, state.dealer?.side, "nobody");

// The letters that the playroom knows, what they ask, and what answers.
/** @type {[string, string, Reply][]} */
export const QUESTIONS = [
  ["C", "What is the count?", count],
  ["B", "Whose crib is it?", crib],
  ["F", "What is the starter?", starter],
  ["V", "Which cards are on the table?", table],
  ["S", "What is the score?", scores],
  ["T", "Whose turn is it?", turn],
  ["R", "What was said last?", (state, voice) => voice.last || "Nothing has been said yet."],
];
