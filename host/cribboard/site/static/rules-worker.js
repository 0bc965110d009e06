// cribboard_core in a MicroPython of its own, and the referee with the computer when a game is played: {id, order, args} goes
// in, {id, answer} comes out.

import { add, collect, load, loadBytes, loadFiles, python, random } from "./python.js";

const COUNTING = ["counted", "pile"];
const HEAP = 8 * 1024 * 1024; // bytes, which the computer fills
/** @typedef {Record<string, (...args: Value[]) => string>} Asked */
/** @type {Promise<Asked>} */
const loaded = load("rules.py").then((source) => python("rules", { random }, { "lib/rules.py": source }, HEAP));
/** @type {Promise<Asked> | null} */
let table = null;
/** @type {Promise<Asked> | null} */
let checks = null;

// More modules, with what MicroPython lacks of their standard library.
/** @param {Files} files */
function installed(files) {
  /** @type {Asked} */
  const standard = add(files, "standard");
  standard.install();
}

// The checks of a settings.toml, with what feeds the strips.
async function checked() {
  const [modules, standard] = await Promise.all([loadFiles("../feed.json"), load("standard.py")]);
  const rules = await loaded;
  installed({ ...modules, "lib/standard.py": standard });
  return rules;
}

async function sat() {
  const [modules, standard, refereed, tables] = await Promise.all([loadFiles("../referee.json"), load("standard.py"), load("refereed.py"), loadBytes("../tables.bin")]);
  await loaded;
  installed({ ...modules, "lib/standard.py": standard, "lib/refereed.py": refereed, "tables.bin": tables });
  /** @type {Asked} */
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
