import assert from "node:assert/strict";
import test from "node:test";
import { Kept } from "./kept.js";
import { Laid } from "./laid.js";
import { sentences } from "./lights.js";
import { eventWords } from "./standing.js";
import { VirtualBoard } from "./virtual.js";

const rules = { ask: async (_, cards) => ({ points: cards === "7H 8S" ? 2 : 0, text: "fifteen for two" }) };
const laid = () => new Laid(rules, () => [1, 2], () => 8);
const side = (number, more = {}) => ({ side: number, colour: ["orange", "blue"][number - 1], front: 0, back: 0, won: 0, waiting: 0, owner: 0, skunked: 0, ...more });
const shown = (more = {}) => ({ view: 1, eighths: 0, winner: 0, undoing: false, crib: 1, sides: [side(1), side(2)], brightness: 40, sound: 2, ...more });

test("the play goes round, and counts what its cards make", async () => {
  const table = laid();
  assert.equal(table.state().next, 1, "who leads");
  await table.lay(1, "7H", 3);
  assert.deepEqual([table.running, table.state().next], [7, 2]);
  assert.deepEqual(await table.lay(2, "8S", 4), { side: 2, card: "8S", points: 2, text: "fifteen for two", remark: "", at: 4 });
  assert.deepEqual([table.running, table.state().next, table.state().seen], [15, 1, ["7H", "8S"]]);
  table.takeBack();
  assert.deepEqual([table.running, table.state().played.length], [7, 1]);
});

test("after 31 and after a go the count begins again", async () => {
  const table = laid();
  for (const card of ["TH", "TS", "TD", "AC"]) await table.lay(1, card);
  assert.equal(table.running, 31);
  await table.lay(2, "5H");
  assert.equal(table.running, 5);
  table.go();
  assert.deepEqual([table.running, table.state().played.length], [0, 5]);
  for (const card of ["2H", "2S"]) await table.lay(1, card);
  assert.equal(table.state().next, 2);
  await table.lay(2, "3H");
  assert.equal(table.state().next, null, "all cards are played");
});

test("each go keeps the newest event when it was said", async () => {
  const table = new Laid(rules, () => [1, 2, 3], () => 12);
  for (const [side, card] of [[1, "TH"], [2, "6S"], [3, "9D"]]) await table.lay(side, card, 4);
  const goes = () => [table.state().goes, table.state().go_at];
  assert.deepEqual(goes(), [0, 0]);
  table.sayGo(1, 4);
  table.sayGo(2, 6);
  assert.deepEqual(goes(), [2, 6]);
  table.sayGo(1, 7);
  assert.deepEqual(goes(), [1, 4]);
  await table.lay(2, "AS", 7);
  assert.deepEqual(goes(), [0, 0]);
  table.takeBack();
  assert.deepEqual(goes(), [1, 4], "of the card before");
});

test("undo takes the cards back with their event, and redo brings them again", async () => {
  const table = laid();
  await table.lay(1, "7H", 3);
  /** @type {[number, () => unknown][]} */
  const acts = [[4, () => table.lay(2, "8S", 3)], [5, () => table.go()], [6, () => table.count(1, ["5H"], false)], [7, () => table.clear()]];
  const states = [table.state()];
  for (const [rev, act] of acts) {
    table.keep(rev, table.now);
    await act();
    states.push(table.state());
  }
  for (const at of [3, 2, 1, 0]) {
    table.undo(at + 4);
    assert.deepEqual(table.state(), states[at]);
  }
  table.undo(3); // points, which came without cards
  assert.equal(table.running, 7);
  for (const at of [0, 1, 2, 3]) {
    table.redo(at + 4);
    assert.deepEqual(table.state(), states[at + 1]);
  }
  for (const rev of [7, 6, 5, 4]) table.undo(rev);
  await table.lay(2, "6S", 8);
  table.redo(4); // another card lies there by now
  assert.deepEqual(table.state().seen, ["7H", "6S"]);
  table.keep(9, table.now);
  table.starter = "5D"; // named after the event that is undone
  table.undo(9);
  assert.equal(table.state().starter, "5D");
});

test("a card after the crib's count belongs to the next deal", async () => {
  const table = laid();
  await table.lay(1, "7H");
  table.count(1, ["5H", "5C"], false);
  assert.deepEqual(table.state().counted, [1]);
  table.count(1, ["5D"], true);
  assert.deepEqual(table.state().seen, ["5H", "5C", "5D", "7H"]);
  await table.lay(2, "8S");
  assert.deepEqual([table.state().seen, table.state().crib_counted], [["8S"], false]);
});

test("each light has its sentence", () => {
  assert.match(sentences(shown({ view: 0 }))[0], /^All lights are off/);
  assert.deepEqual(sentences(shown()).at(-1), "The game hole is orange: orange has the crib.");
  const waits = sentences(shown({ sides: [side(1, { front: 12, back: 7, waiting: 1 }), side(2)] }));
  assert.equal(waits[0], "Orange’s bright peg is in hole 12, its dim peg in hole 7.");
  assert.match(waits[1], /^1 light blinks .* wait for OK\.$/);
  assert.match(sentences(shown({ view: 4 }))[0], /could not read/);
  assert.match(sentences(shown({ winner: 1, sides: [side(1), side(2, { skunked: 2 })] }))[0], /orange has won, and blue is skunked\.$/);
  const setup = { joined: [1, 2, 3, 4], sides: 2, target: 121, dealer: 2, level: [2, 2] };
  assert.deepEqual(sentences(shown({ setup })), [
    "Set-up: orange, blue, green, yellow play, to 121.", "They are 2 teams.", "Blue deals.", "White groups: sound on.", "DEAL starts the game, UNDO goes back to the old one."]);
});

test("an event is named for undo and redo", () => {
  assert.equal(eventWords([3, "peg", 0, 5], { 1: "Ann" }), "5 for Ann");
  assert.equal(eventWords([3, "set", 1, 5], {}), "the correction for Blue");
  assert.equal(eventWords([3, "new", 0, 5], {}), "the new game");
});

test("a board whose plug is pulled twice, or that starts twice, runs once", (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const running = new Set();
  globalThis.Worker = class {
    postMessage = () => running.add(this);
    terminate = () => running.delete(this);
  };
  const board = new VirtualBoard({ id: "travel", pins: [] }, {});
  board.start();
  board.stop(600);
  context.mock.timers.tick(500);
  board.stop(600);
  context.mock.timers.tick(500);
  assert.equal(running.size, 0, "the plug that was pulled again is out");
  context.mock.timers.tick(500);
  board.start();
  board.start();
  assert.equal(running.size, 1);
  board.stop(600);
  board.stop();
  context.mock.timers.tick(1000);
  assert.equal(running.size, 0, "pulled for good");
});

// A browser's store: what is in it, and whether it takes more; `later` runs what a browser does after the script.
const store = (disk) => ({
  open() {
    const opening = { result: { transaction: () => transaction(disk) } };
    queueMicrotask(() => opening.onsuccess());
    return opening;
  },
});
const transaction = (disk) => {
  const whole = { error: null };
  const get = (key) => {
    const asked = { result: structuredClone(disk.get(key)) };
    queueMicrotask(() => asked.onsuccess());
    return asked;
  };
  const put = (value, key) => queueMicrotask(() => {
    if (!disk.full) disk.set(key, structuredClone(value));
    else whole.onerror?.();
    if (disk.full) whole.error = new DOMException("", "QuotaExceededError");
    queueMicrotask(() => (disk.full ? whole.onabort() : whole.oncomplete()));
  });
  return Object.assign(whole, { objectStore: () => ({ get, put }) });
};

test("what a full store does not take is kept in memory, and said once", async () => {
  const disk = new Map();
  globalThis.indexedDB = store(disk);
  const told = [];
  const kept = await Kept.open("board", (why) => told.push(why));
  await kept.write("note", { id: 1 });
  disk.full = true;
  const note = { id: 2 };
  await kept.write("note", note);
  note.id = 3; // not written
  assert.deepEqual([await kept.read("note"), disk.get("board/note")], [{ id: 2 }, { id: 1 }]);
  await kept.write("note", note);
  assert.deepEqual([await kept.read("note"), told], [{ id: 3 }, ["its storage is full"]]);
  assert.deepEqual(await (await Kept.open("board")).read("note"), { id: 3 }, "as long as the page is open");
  disk.full = false;
  await kept.write("note", { id: 4 });
  assert.deepEqual([await kept.read("note"), disk.get("board/note")], [{ id: 4 }, { id: 4 }]);
});

test("without a store a page that opens it again has what it kept", async () => {
  globalThis.indexedDB = { open: () => { throw new DOMException("storage is denied", "SecurityError"); } };
  const told = [];
  const open = (folder) => Kept.open(folder, (why) => told.push(why));
  await (await open("game")).write("cards", ["5H"]);
  assert.deepEqual(await (await open("game")).read("cards"), ["5H"]);
  assert.equal(await (await open("scorer")).read("cards"), undefined);
  assert.deepEqual(new Set(told), new Set(["storage is denied"]));
});
