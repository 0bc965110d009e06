// cribboard_core in a MicroPython of its own: {id, do, args} goes in, {id, answer} or {id, error} comes out.

import { python } from "./python.js";

const loaded = fetch(new URL("./rules.py", import.meta.url))
  .then((answer) => answer.text())
  .then((source) => python("rules", {}, { "lib/rules.py": source }));

addEventListener("message", async ({ data: { id, order, args } }) => {
  try {
    postMessage({ id, answer: JSON.parse((await loaded)[order](...args)) });
  } catch (error) {
    postMessage({ id, answer: { error: String(error.message ?? error) } });
  }
});
