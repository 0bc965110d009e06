// cribboard_core in a MicroPython of its own, and the referee with the computer when a game is played: {id, order, args} goes
// in, {id, answer} comes out.

import { collect, imported, load, put, python, random } from "./python.js";

const COUNTING = ["counted", "pile"];
const HEAP = 8 * 1024 * 1024; // bytes, which the computer fills
/** @typedef {Record<string, (...args: Value[]) => string>} Asked */
const loaded = python({ random }, HEAP).then(() => /** @type {Asked} */ (imported("rules")));
/** @type {Promise<Asked> | null} */
let table = null;
/** @type {Promise<Asked> | null} */
let checks = null;

// More modules, with what MicroPython lacks of their standard library.
/** @param {string} pack */
async function installed(pack) {
  const [rules, files] = await Promise.all([loaded, load(pack)]);
  put(files);
  /** @type {Asked} */ (imported("standard")).install();
  return rules;
}

async function sat() {
  await installed("../referee.pack");
  /** @type {Asked} */
  const module = imported("refereed");
  module.read_tables();
  return module;
}

let turn = Promise.resolve();
addEventListener("message", ({ data: { id, order, args } }) => {
  turn = turn.then(async () => {
    let answer;
    try {
      const module = COUNTING.includes(order) ? await loaded : await (order === "mistakes" ? (checks ??= installed("../feed.pack")) : (table ??= sat()));
      answer = JSON.parse(module[order](...args));
    } catch (error) {
      answer = { error: String(error.message ?? error) };
    }
    postMessage({ id, answer });
    collect();
  }).catch(() => {}); // nothing was loaded that could collect
});
