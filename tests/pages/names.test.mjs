import assert from "node:assert/strict";
import test from "node:test";
import { namesIn } from "./night-begin.js";

test("a list is read as it is written, numbered or not", () => {
  assert.deepEqual(namesIn("1. Ann\n2) Bob\n\nCid; Dee"), { names: ["Ann", "Bob", "Cid", "Dee"], pairs: null });
  assert.deepEqual(namesIn("Ann, Bob"), { names: ["Ann", "Bob"], pairs: null });
  assert.deepEqual(namesIn(" \n"), { names: [], pairs: null });
});

test("a list of two parts in each line may be of last and first names, as a spreadsheet has them", () => {
  const parts = [["Smith", "Ann"], ["Jones", "Bob"]];
  for (const list of ["Smith, Ann\nJones, Bob", '"Smith, Ann"\r\n"Jones, Bob"\r\n', "Smith\tAnn\nJones\tBob"]) assert.deepEqual(namesIn(list).pairs, parts);
  assert.equal(namesIn("Smith, Ann\nBob").pairs, null);
});
