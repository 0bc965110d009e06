import assert from "node:assert/strict";
import test from "node:test";
import { cardsWords, cardWords, parse, pips, RANKS, shortRank, SUITS } from "./cards.js";

test("typed cards are read as people write them", () => {
  for (const typed of ["5h 10S jd", "5HTSJD", "5♥, t♠, J♦", " 5h,10s,jd "]) assert.deepEqual(parse(typed), ["5H", "TS", "JD"], typed);
  assert.deepEqual(parse(""), []);
});

test("what is no card is refused as a whole", () => {
  for (const typed of ["5", "5H 1S", "5X", "HH", "5H J"]) assert.equal(parse(typed), null, typed);
});

test("every card can be typed, named and counted", () => {
  const deck = SUITS.flatMap((suit) => RANKS.map((rank) => rank + suit));
  assert.equal(new Set(deck.map(cardWords)).size, 52);
  for (const card of deck) assert.deepEqual(parse(card), [card]);
  assert.equal(deck.reduce((sum, card) => sum + pips(card), 0), 340);
});

test("a ten is written with two digits and counts as ten, like a face", () => {
  assert.equal(shortRank("T"), "10");
  assert.equal(shortRank("9"), "9");
  assert.deepEqual(["AH", "9H", "TH", "KH"].map(pips), [1, 9, 10, 10]);
  assert.equal(cardsWords(["AS", "TD"]), "ace of spades, ten of diamonds");
});
