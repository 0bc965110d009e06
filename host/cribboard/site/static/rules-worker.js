// cribboard_core in a MicroPython of its own, and the referee with the computer when a game is played: {id, order, args} goes
// in, {id, answer} comes out.

import { add, collect, load, python, random } from "./python.js";

const COUNTING = ["counted", "pile"];
const HEAP = 8 * 1024 * 1024; // bytes, which the computer fills
const loaded = load("rules.py").then((source) => python("rules", { random }, { "lib/rules.py": source }, HEAP));
let table = null;
let checks = null;

// The checks of a settings.toml, with what feeds the strips.
async function checked() {
  const [modules, standard] = await Promise.all([load("../feed.json", "json"), load("standard.py")]);
  const rules = await loaded;
  add({ ...modules, "lib/standard.py": standard }, "standard").install();
  return rules;
}

async function sat() {
  const [modules, standard, refereed, tables] = await Promise.all([load("../referee.json", "json"), load("standard.py"), load("refereed.py"), load("../tables.bin", "arrayBuffer")]);
  await loaded;
  add({ ...modules, "lib/standard.py": standard, "lib/refereed.py": refereed, "tables.bin": new Uint8Array(tables) }, "standard").install();
  const found = add({}, "refereed");
  found.read_tables();
  return found;
}

let turn = Promise.resolve();
addEventListener("message", ({ data: { id, order, args } }) => {
  turn = turn.then(async () => {
    let answer;
    try {
      const module = COUNTING.includes(order) ? await loaded : await (order === "mistakes" ? (checks ??= checked()) : (table ??= sat()));
      answer = JSON.parse(module[order](...args));
    } catch (error) {
      answer = { error: String(error.message ?? error) };
    }
    postMessage({ id, answer });
    collect();
  }).catch(() => {}); // nothing was loaded that could collect
});
