// MicroPython for WebAssembly with the firmware's files in it. It keeps its state in the global object, so each has a
// worker of its own.

import { loadMicroPython } from "../runtime/micropython.mjs";

const HEAP = 512 * 1024; // bytes; it grows when it has to
const NEWLINE = 10;
/** @type {import("../runtime/micropython.mjs").MicroPython} */
let mp;

// The files of a pack: the first line has the size of each, in the order of their bytes.
/** @param {string} name @returns {Promise<Files>} */
export async function load(name) {
  const bytes = new Uint8Array(await (await fetch(new URL(name, import.meta.url))).arrayBuffer());
  let end = bytes.indexOf(NEWLINE) + 1;
  /** @type {Record<string, number>} */
  const sizes = JSON.parse(new TextDecoder().decode(bytes.subarray(0, end)));
  return Object.fromEntries(Object.entries(sizes).map(([path, size]) => [path, bytes.subarray(end, (end += size))]));
}

/** @param {number} size */
export const random = (size) => toHex(crypto.getRandomValues(new Uint8Array(size)));

// Has Python loaded with the firmware in it; `page` is what it imports under that name.
/** @param {object} page */
export async function python(page, heapsize = HEAP) {
  /** @param {string} line */
  const print = (line) => console.log(line);
  const [files, made] = await Promise.all([load("../board.pack"), loadMicroPython({ heapsize, stdout: print, stderr: print })]);
  mp = made;
  mp.registerJsModule("page", page);
  mp.runPython("import gc, sys\nsys.path[:] = ['', '/lib']");
  put(files);
}

/** @param {Files} files */
export function put(files) {
  for (const [path, content] of Object.entries(files)) {
    path.split("/").slice(0, -1).reduce(folder, "");
    mp.FS.writeFile(`/${path}`, content);
  }
}

/** @param {string} above @param {string} name */
function folder(above, name) {
  const path = `${above}/${name}`;
  if (!mp.FS.analyzePath(path).exists) mp.FS.mkdir(path);
  return path;
}

/** @template M @param {string} name @returns {M} */
export const imported = (name) => /** @type {M} */ (mp.pyimport(name));

// Garbage is collected between two calls only.
export const collect = () => mp.runPython("gc.collect()");

/** @param {string} hex */
export const fromHex = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (two) => parseInt(two, 16));
/** @param {Uint8Array} bytes */
export const toHex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
