import assert from "node:assert/strict";
import test from "node:test";
import { freeTables, remark, says, sentWords, waitLines } from "./night-parts.js";

const leg = (state, board, scores) => ({ leg: 1, state, board, scores, waits_for: [], reports: [], points: ["2", "0"] });
const match = (over, ...legs) => ({ match: 1, table: 1, called: true, over, names: ["Ann", "Bob"], legs, mine: null });
const said = (on) => sentWords({ matches: [] }, on, 1, [121, 90]);
const LATE = "This match has a result already, so this game does not count. Wrong? Tell the director.";

test("a game on a board goes to the night by itself, as which game of a longer match", () => {
  assert.equal(said(match(false)), "Your result goes in by itself. Nothing to send.");
  assert.equal(said(match(false, leg("waits", false, [121, 100]))), "Your result goes in by itself as game 2. Nothing to send.");
  const recorded = match(true, leg("agreed", true, [121, 90]));
  assert.equal(said(recorded), "Recorded: 2 league points for Ann. Nothing to send.");
  assert.equal(said({ ...recorded, mine: 0 }), "Recorded: 2 league points for you. Nothing to send.");
  assert.equal(said({ ...recorded, over: false }), "Recorded. Nothing to send.");
});

test("while another result that was typed waits, or is settled, a game on a board does not count", () => {
  assert.equal(said(match(true, leg("waits", false, [121, 100]))), LATE);
  assert.equal(said(match(true, leg("settled", false, [121, 90]))), LATE);
  assert.equal(said(match(true, leg("disputed", true, null))), "Other results were typed for this match: the director decides.");
});

test("who has said nothing against a board's result says that it is right", () => {
  const quarrel = { ...leg("disputed", true, null), reports: [[121, 100], null] };
  const words = (one) => [0, 1].map((side) => says(match(false), one, side).replaceAll("\u2060", ""));
  assert.deepEqual(words(quarrel), ["Ann won 121–100", "it is as the board has it"]);
  assert.deepEqual(words({ ...quarrel, board: false }), ["Ann won 121–100", "that is not right"]);
});

test("the standings say why somebody has fewer games", () => {
  const game = { ...match(true, { scores: [121, 90] }), round: 2, sides: [[1], [2]] };
  const evening = { matches: [game], entrants: [{ entrant: 1, here: false }, { entrant: 2, here: true }] };
  assert.equal(remark(evening, { entrants: [1], byes: 1 }), "from round 2, left after a game, sat out once");
  assert.equal(remark({ ...evening, matches: [{ ...game, round: 1 }] }, { entrants: [2], byes: 0 }), "");
});

test("who waits has a line, those who wait for the same together, and a table where nobody plays is free", () => {
  const entrants = ["Ann", "Bob", "Cid", "Dee", "Eve", "Fay"].map((name, at) => ({ entrant: at + 1, name, here: true }));
  const game = (number, called, ...sides) => ({ match: number, table: number, round: number, called, over: false, bye: false, sides, names: sides.map(() => ""), legs: [], place: `Table ${number}` });
  const tables = [1, 2, 3].map((table) => ({ table, name: `Table ${table}` }));
  const lines = (...matches) => waitLines({ entrants, matches, tables, round: 1 }).map((words) => words.join(""));
  const on = game(1, true, [1], [2]);
  assert.deepEqual(lines(on, game(2, false, [1], [5]), game(3, false, [5], [6])), ["Eve – for Ann, Table 1", "Fay – for Eve"]);
  assert.deepEqual(lines(on, game(2, false, [5], [6]), game(3, false, [3], [6])), ["Eve and Fay – for a table", "Cid – for Fay"]);
  assert.deepEqual(lines(game(1, true, [1, 2], [3, 4]), game(2, false, [1, 2], [5, 6])), ["Eve and Fay – for Ann and Bob, Table 1"]);
  assert.deepEqual(freeTables({ matches: [on], tables }), ["Table 2", "Table 3"]);
});
