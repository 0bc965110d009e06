// Runs the script of the vectors in the page's MicroPython; each line that it prints goes to the page.

import { imported, put, python } from "./python.js";

addEventListener("message", async ({ data }) => {
  console.log = (line) => postMessage({ line });
  try {
    await python({});
    put(data);
    imported("script_vectors");
  } catch (error) {
    postMessage({ line: String(error) });
  }
  postMessage({ over: true });
});
