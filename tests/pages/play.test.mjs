import assert from "node:assert/strict";
import test from "node:test";
import { Play } from "./play.js";

// What waits for its turn, without a page.
const queue = () => {
  const play = Object.assign(Object.create(Play.prototype), { waiting: 0, refused: 0, chain: Promise.resolve(), busied: 0 });
  play.desk = { failing: false, busy: () => (play.busied += 1) };
  return play;
};

test("an act that goes wrong falls with those behind it, and holds up none that come later", async () => {
  const play = queue();
  const wrong = play.after(() => Promise.reject(new Error("wrong")));
  const behind = play.after(() => true);
  await assert.rejects(wrong, /wrong/);
  assert.equal(await behind, false);
  assert.equal(play.waiting, 0);
  assert.equal(await play.after(() => true), true);
});

test("what finds three that wait is not done, and says so", async () => {
  const play = queue();
  const done = await Promise.all([1, 2, 3, 4].map((one) => play.after(() => one)));
  assert.deepEqual([done, play.busied], [[true, true, true, false], 1]);
});
