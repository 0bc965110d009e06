import assert from "node:assert/strict";
import test from "node:test";
import { cards, nobody, seat, side, state } from "./state.mjs";
import { count, crib, dealer, duties, from, lead, QUESTIONS, scores, shortWarning, starter, table, turn, warning } from "./words.js";

test("without a game there is nothing to say of scores", () => {
  assert.equal(scores(nobody()), "No game has started.");
  assert.equal(turn(nobody()), "No game has started.");
  assert.equal(dealer(nobody()), "Nobody");
});

test("scores end with who leads", () => {
  const two = (one, other) => scores(state({ sides: [side(1, { front: one }), side(2, { front: other })] }));
  assert.equal(two(12, 7), "Ann 12, Bob 7. Ann leads by 5.");
  assert.equal(two(7, 7), "Ann 7, Bob 7. Level.");
  assert.equal(two(0, 0), "Ann 0, Bob 0. Nobody has pegged yet.");
});

test("a side of two leads in the plural, and one side alone leads nobody", () => {
  assert.equal(lead(state({ sides: [side(1, { front: 9, places: [1, 3] }), side(2)] })), "Ann lead by 9.");
  assert.equal(lead(state({ sides: [side(1, { front: 9 })] })), "");
});

test("points that wait are told with who entered them", () => {
  const waits = side(2, { waiting: 4, waiting_by: "the board's buttons" });
  assert.equal(from(waits), "from the board's buttons");
  assert.equal(from(side(1)), "");
  assert.match(scores(state({ sides: [side(1), waits] })), /4 wait for Bob, from the board's buttons\.$/);
});

test("a won game is told by the kiosk's own words", () => {
  const won = state({ winner: 1, win: { side: 1, text: "Ann wins." } });
  assert.equal(scores(won), "Ann 0, Bob 0. Ann wins.");
  assert.equal(turn(won), "Ann wins.");
});

test("a warning says how far the nearer line is", () => {
  const warned = (front) => side(2, { front, warned: true });
  assert.equal(warning(state(), side(2)), "");
  assert.equal(warning(state(), warned(60)), "1 to save the double skunk");
  assert.equal(warning(state(), warned(61)), "30 to save the skunk");
  assert.equal(shortWarning(state(), warned(61)), "skunk −30");
  assert.equal(shortWarning(state(), side(2)), "");
  assert.equal(warning(state({ winner: 1 }), side(2, { skunked: 3 })), "double-skunked");
  assert.equal(shortWarning(state({ winner: 1 }), side(2, { skunked: 2 })), "skunked");
});

test("duties are those of the deal, and none when it is over or nobody knows who deals", () => {
  assert.deepEqual(duties(state(), side(1)), ["Deals", "Crib"]);
  assert.deepEqual(duties(state(), side(2)), []);
  assert.deepEqual(duties(state(), side(1, { places: [1, 3] })), ["Ann deals", "Crib"]);
  assert.deepEqual(duties(state({ winner: 1 }), side(1)), []);
  assert.deepEqual(duties(state({ deal: { asked: "who", text: "Who deals?" } }), side(1)), []);
});

test("the crib, the starter and the table are asked for one by one", () => {
  assert.equal(crib(state()), "The crib is Ann’s.");
  assert.equal(crib(nobody()), "Nobody has the crib.");
  assert.equal(crib(state({ deal: { asked: "who", text: "Who deals?" } })), "Who deals?");
  assert.equal(starter(state()), "No starter has been entered.");
  assert.equal(starter(state({ table: cards({ starter: "TD" }) })), "The starter is the ten of diamonds.");
  assert.equal(table(state()), "No card is on the table.");
  const pile = [{ card: "7H", side: 1 }, { card: "8S", side: 9 }];
  assert.equal(table(state({ table: cards({ pile, running: 15 }) })), "On the table: Ann seven of hearts, Somebody eight of spades. The count is 15.");
});

test("the count is that of the play while cards lie there, else that of the last hand", () => {
  assert.equal(count(state()), "No hand has been counted.");
  assert.equal(count(state({ table: cards({ pile: [{ card: "7H", side: 1 }], running: 7 }) })), "The count is 7.");
  const hand = { side: 2, crib: false, cards: ["5H"], starter: "5D", text: "A pair for two." };
  assert.equal(count(state({ count: hand })), "Bob’s hand: five of hearts, starter five of diamonds. A pair for two.");
  assert.equal(count(state({ count: { ...hand, side: 7, crib: true, starter: null } })), "crib: five of hearts. A pair for two.");
});

test("the turn is the dealer's and the next side's", () => {
  assert.equal(turn(state()), "Ann deals.");
  assert.equal(turn(state({ table: cards({ next: 2 }) })), "Ann deals. Bob is next.");
  assert.equal(turn(state({ table: cards({ played: [{ card: "7H", side: 1 }] }) })), "Ann deals. Bob counts next.");
  assert.equal(turn(state({ table: cards({ counted: [2] }) })), "Ann deals. Ann counts next.");
  assert.equal(turn(state({ table: cards({ counted: [2, 1] }) })), "Ann deals. The crib is counted next.");
  assert.equal(turn(state({ table: cards({ counted: [2, 1], crib_counted: true }) })), "Ann deals.");
  assert.equal(turn(state({ claims: { side: 2, left_s: 12 } })), "Bob: 12 seconds to count.");
  assert.equal(turn(state({ claims: { side: 2, left_s: 1 } })), "Bob: 1 second to count.");
  assert.equal(turn(state({ sides: [side(1), side(2, { places: [2, 4] })], table: cards({ next: 2 }) })), "Ann deals. Bob are next.");
  assert.equal(turn(state({ deal: { asked: "next", text: "Next deal: Bob deals.", next: seat(2), seats: [] } })), "Next deal: Bob deals.");
});

test("each letter asks one question", () => {
  assert.equal(new Set(QUESTIONS.map(([letter]) => letter)).size, QUESTIONS.length);
  const [, , again] = QUESTIONS.at(-1);
  assert.equal(again(state(), { last: "" }), "Nothing has been said yet.");
  assert.equal(again(state(), { last: "Ann pegs 2, now at 2." }), "Ann pegs 2, now at 2.");
});
