import assert from "node:assert/strict";
import test from "node:test";

const kept = new Map();
globalThis.localStorage = { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => kept.set(key, value), removeItem: (key) => kept.delete(key) };
globalThis.addEventListener = () => {};
const { Failure, sentence } = await import("./api.js");
const { Orders } = await import("./orders.js");

const said = (status, body) => () => new Response(JSON.stringify(body), { status });
const lost = () => { throw new TypeError("no network"); };
const refused = (code, message = "no", hint = "") => said(409, { error: { code, message, hint } });

// A phone's orders to a kiosk that gives these answers, one after the other.
function phone(answers, { again = true } = {}) {
  kept.clear();
  const sent = [];
  const waits = [];
  globalThis.fetch = async (path, request) => {
    sent.push(request.body ? JSON.parse(request.body) : path);
    return answers.shift()();
  };
  const orders = new Orders(1, {
    seen: () => 7, shows: () => 99, look: async () => {}, sender: () => ({ page: "p" }), asks: async () => again,
    waits: (current, failure) => { waits.push([current?.words ?? null, failure?.status ?? null]); if (failure) setImmediate(() => orders.hurry()); },
  });
  return { orders, sent, waits };
}

const DONE = said(200, { rev: 8, text: "Ann pegs 2, now at 2.", version: 9, kept: true });
const PEG = { do: "peg", side: 1, points: 2 };

test("a lost answer is asked for again with the same key, which is kept until then", async () => {
  const { orders, sent, waits } = phone([lost, said(503, {}), DONE]);
  const giving = orders.give(PEG, "2 for Ann");
  assert.equal(JSON.parse(kept.get("cribboard.order.1")).order.points, 2);
  assert.equal((await giving).rev, 8);
  assert.equal(new Set(sent.map((order) => order.key)).size, 1);
  assert.deepEqual(waits.at(-1), [null, null]);
  assert.equal(kept.size, 0);
});

test("a refusal is final, and nothing is kept of it", async () => {
  const { orders, sent } = phone([refused("side", "no side 3 plays here")]);
  await assert.rejects(orders.give(PEG, "2 for Ann"), (failure) => failure instanceof Failure && failure.words === "No side 3 plays here.");
  assert.equal(sent.length, 1);
  assert.equal(kept.size, 0);
});

test("what was asked and is still wanted goes under another key, and says that it is meant", async () => {
  const { orders, sent } = phone([refused("doubled"), DONE]);
  await orders.give(PEG, "2 for Ann");
  assert.notEqual(sent[0].key, sent[1].key);
  assert.deepEqual([sent[0].again, sent[1].again], [undefined, true]);
});

test("what was only not seen goes again without insisting", async () => {
  const { orders, sent } = phone([refused("seen"), DONE]);
  await orders.give(PEG, "2 for Ann");
  assert.equal(sent[1].again, undefined);
});

test("what somebody leaves is not sent again", async () => {
  const { orders, sent } = phone([refused("doubled")], { again: false });
  await assert.rejects(orders.give(PEG, "2 for Ann"), { code: "doubled" });
  assert.equal(sent.length, 1);
});

test("one order waits for the one before it, and a third is refused", async () => {
  const { orders, sent } = phone([DONE, DONE]);
  const [one, two] = [orders.give(PEG, "2 for Ann"), orders.give({ ...PEG, side: 2 }, "2 for Bob")];
  await assert.rejects(orders.give(PEG, "2 for Cid"), { code: "busy" });
  await Promise.all([one, two]);
  assert.deepEqual(sent.map((order) => order.side), [1, 2]);
});

test("the same again before the page showed the first is a nervous finger's", async () => {
  const { orders, sent } = phone([DONE]);
  const one = orders.give(PEG, "2 for Ann");
  await assert.rejects(orders.give(PEG, "2 for Ann"), { code: "twice" });
  await one;
  assert.equal(sent.length, 1);
});

test("what an earlier visit left is asked about by its key", async () => {
  const { orders, sent } = phone([said(200, { rev: 8, text: "Ann pegs 2, now at 2.", version: 9 }), said(200, { rev: null, text: "", version: 9 })]);
  kept.set("cribboard.order.1", JSON.stringify({ order: { ...PEG, key: "k", seen: 7 }, words: "2 for Ann", at: 0 }));
  assert.equal(orders.left.fresh, false);
  assert.equal((await orders.settled(orders.left)).text, "Ann pegs 2, now at 2.");
  assert.equal(await orders.settled(orders.left), null);
  assert.deepEqual(sent, ["/api/boards/1/orders/k", "/api/boards/1/orders/k"]);
  kept.set("cribboard.order.1", JSON.stringify({ order: { ...PEG, key: "k", seen: -300 }, words: "2 for Ann", at: 0 }));
  assert.deepEqual(await orders.settled(orders.left), { text: "" });
});

test("a hint that is lost is lost", async () => {
  const { orders } = phone([lost, refused("over")]);
  assert.equal(await orders.hint({ do: "pend", side: 1, points: 3 }), undefined);
  await assert.rejects(orders.hint({ do: "pend", side: 1, points: 3 }), { code: "over" });
});

test("a sentence begins large and ends with a stop, once", () => {
  assert.equal(sentence("the board is away"), "The board is away.");
  assert.equal(sentence("Peg 2 more?"), "Peg 2 more?");
});
