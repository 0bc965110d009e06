import assert from "node:assert/strict";
import test from "node:test";
import { fold } from "./ending.js";
import { isIdle } from "./idle.js";
import { Eye } from "./board.js";
import { lineWords } from "./line.js";
import { ending, sideWords } from "./records.js";
import { nobody, side, state } from "./state.mjs";

const event = (kind, fronts, more = {}) => ({ kind, fronts, backs: [0, 0], points: null, side: null, ...more });

test("the swing is the most by which a lead grew, over events that stayed", () => {
  const events = [event("new", [0, 0]), event("peg", [0, 12]), event("peg", [90, 12], { gone: true }), event("undo", [0, 12]), event("peg", [20, 12])];
  assert.deepEqual(fold({ events }).swing, { side: 1, by: 20, from: -12, to: 8 });
  assert.deepEqual(fold({ events }).fronts, [[0, 0], [0, 12], [20, 12]]);
});

test("the best hand is the first of the highest", () => {
  const events = [event("hand", [8, 0], { points: 8, rev: 1 }), event("hand", [8, 12], { points: 12, rev: 2 }), event("hand", [20, 12], { points: 12, rev: 3 }), event("hand", [20, 12], { points: 0, rev: 4 })];
  assert.equal(fold({ events }).best.rev, 2);
  assert.equal(fold({ events: [] }).best, null);
  assert.equal(fold({ events: [] }).swing, null);
});

test("chances lie at their steps of the line and end with who has won", () => {
  const events = [event("new", [0, 0], { chances: [45, 55] }), event("peg", [9, 0]), event("deal", [9, 0], { chances: [52, 48] }), event("peg", [121, 0], { winner: 1 })];
  assert.deepEqual(fold({ events }).odds, [{ step: 0, first: 45 }, { step: 1, first: 52 }, { step: 2, first: 100 }]);
  assert.deepEqual(fold({ events: events.slice(0, 3) }).odds, []);
});

test("a line in words counts the changes of the lead", () => {
  const sides = [side(1), side(2)];
  assert.equal(lineWords(sides, [[0, 0], [3, 3]]), "Nobody led.");
  assert.equal(lineWords(sides, [[5, 0], [9, 2]]), "The lead never changed; the widest was 7, for Ann.");
  assert.equal(lineWords(sides, [[5, 0], [5, 12]]), "The lead changed once; the widest was 7, for Bob.");
  assert.equal(lineWords(sides, [[5, 0], [5, 6], [9, 6]]), "The lead changed 2 times; the widest was 5, for Ann.");
});

test("a game's sides are its players, or guests by their colour", () => {
  const game = { state: "won", winner: 1, seats: [{ side: 1, name: "Ann" }, { side: 1, name: "Cid" }, { side: 2, name: null }], sides: [{ side: 1, name: null, lost: 0 }, { side: 2, name: null, lost: 3 }] };
  assert.deepEqual(game.sides.map((one) => sideWords(game, one)), ["Ann & Cid", "Blue (guest)"]);
  assert.equal(ending(game), "Double-skunked");
  assert.equal(ending({ ...game, sides: [game.sides[0], { ...game.sides[1], lost: 1 }] }), "");
  assert.equal(ending({ ...game, state: "abandoned" }), "Abandoned");
});

test("a table is idle without a game, with a dim board, and some time after a win", () => {
  assert.equal(isIdle(nobody(), 0), true);
  assert.equal(isIdle(state(), 0), false);
  assert.equal(isIdle(state({ idle: { since: "", dim: true } }), 0), true);
  assert.equal(isIdle(state({ winner: 1 }), performance.now()), false);
  assert.equal(isIdle(state({ winner: 1 }), performance.now() - 181000), true);
});

test("the brightest byte so far is full light", () => {
  const eye = new Eye();
  const track = Uint8Array.of(0, 0, 0, 12, 0, 0);
  eye.see(track);
  assert.deepEqual(eye.at(track, 0), ["", 0]);
  const before = eye.at(track, 1)[1];
  eye.see(Uint8Array.of(200, 0, 0));
  assert.ok(eye.at(track, 1)[1] < before);
  assert.deepEqual(eye.at(Uint8Array.of(200, 0, 0), 0), ["rgb(255,0,0)", 1]);
});
