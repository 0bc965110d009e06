// Cards: read, named in words, drawn, and counted part by part.

import { el } from "./dom.js";

export const RANKS = [..."A23456789TJQK"];
export const SUITS = [..."SHCD"];
/** @type {Record<string, string>} */
const RANK_WORDS = {
  A: "ace", 2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven",
  8: "eight", 9: "nine", T: "ten", J: "jack", Q: "queen", K: "king",
};
/** @type {Record<string, string>} */
const SUIT_WORDS = { S: "spades", H: "hearts", C: "clubs", D: "diamonds" };
/** @type {Record<string, string>} */
export const SIGNS = { S: "♠", H: "♥", C: "♣", D: "♦" };

/** @param {string} card */
export const rankOf = (card) => card[0];
/** @param {string} card */
export const suitOf = (card) => card[1];
/** @param {string} rank */
export const shortRank = (rank) => (rank === "T" ? "10" : rank);
/** @param {string} card */
export const pips = (card) => (RANKS.indexOf(card[0]) >= 9 ? 10 : RANKS.indexOf(card[0]) + 1);
/** @param {string} card */
export const cardWords = (card) => `${RANK_WORDS[card[0]]} of ${SUIT_WORDS[card[1]]}`;
/** @param {string[]} cards */
export const cardsWords = (cards) => cards.map(cardWords).join(", ");

const NAMED = new RegExp(`([^\\s,.;:] )?(${Object.values(RANK_WORDS).join("|")}) of (${Object.values(SUIT_WORDS).join("|")})`, "g");
/** @param {Record<string, string>} words @param {string} word */
const keyOf = (words, word) => Object.keys(words).find((key) => words[key] === word) ?? "";

// Words with cards in them, shorter to read: the four of hearts is 4♥, in one line with whose it is.
/** @param {string} words */
export const inSigns = (words) => words.replace(NAMED, (_, before, rank, suit) => (before?.replace(" ", "\u00a0") ?? "") + shortRank(keyOf(RANK_WORDS, rank)) + SIGNS[keyOf(SUIT_WORDS, suit)]);

// Typed cards, like `5h 10S jd`; null when something in it is no card.
/** @param {string} typed */
export function parse(typed) {
  /** @type {string[]} */
  const cards = [];
  const rest = typed.toUpperCase().replace(/[\s,]+/g, "").replace(/10/g, "T");
  for (let at = 0; at < rest.length; at += 2) {
    const suit = SUITS.find((one) => one === rest[at + 1] || SIGNS[one] === rest[at + 1]);
    if (!RANKS.includes(rest[at]) || !suit) return null;
    cards.push(rest[at] + suit);
  }
  return cards;
}

/** @param {string} card @param {Attributes} attributes */
export function face(card, attributes = {}) {
  return el(
    "span",
    { class: "card", "data-suit": suitOf(card), role: "img", "aria-label": cardWords(card), ...attributes },
    el("span", { class: "rank", "aria-hidden": "true" }, shortRank(rankOf(card))),
    el("span", { class: "suit", "aria-hidden": "true" }, SIGNS[suitOf(card)]),
  );
}

/** @param {string} words */
export const gap = (words) => el("span", { class: "card gap", role: "img", "aria-label": words });

// A count explained part by part, with the total so far.
/** @param {{ parts: Part[] }} count */
export function parts(count) {
  if (!count.parts.length) return el("p", { class: "nothing" }, "Nothing in it.");
  return el("ol", { class: "parts" }, count.parts.map((part) =>
    el("li", {},
      el("span", { class: "mini" }, part.cards.map((card) => el("span", { "data-suit": suitOf(card), "aria-hidden": "true" }, shortRank(rankOf(card)) + SIGNS[suitOf(card)])),
        el("span", { class: "hide" }, cardsWords(part.cards))),
      el("span", { class: "words" }, part.text),
      el("span", { class: "total" }, String(part.total)))));
}
