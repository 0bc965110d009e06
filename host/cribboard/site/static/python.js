// MicroPython for WebAssembly with the firmware's files in it. It keeps its state in the global object, so each has a
// worker of its own.

import { loadMicroPython } from "../runtime/micropython.mjs";

const HEAP = 512 * 1024; // bytes; it grows when it has to
/** @type {import("../runtime/micropython.mjs").MicroPython} */
let mp;

/** @param {string} name */
const answered = (name) => fetch(new URL(name, import.meta.url));
/** @param {string} name */
export const load = async (name) => (await answered(name)).text();
/** @param {string} name @returns {Promise<Files>} */
export const loadFiles = async (name) => (await answered(name)).json();
/** @param {string} name */
export const loadBytes = async (name) => new Uint8Array(await (await answered(name)).arrayBuffer());
/** @param {number} size */
export const random = (size) => toHex(crypto.getRandomValues(new Uint8Array(size)));

// `page` is what Python imports under that name; the module of the name `main` is given back.
/** @template M @param {string} main @param {object} page @param {Files} own @returns {Promise<M>} */
export async function python(main, page, own = {}, heapsize = HEAP) {
  /** @param {string} line */
  const print = (line) => console.log(line);
  const [files, made] = await Promise.all([loadFiles("../firmware.json"), loadMicroPython({ heapsize, stdout: print, stderr: print })]);
  mp = made;
  mp.registerJsModule("page", page);
  mp.runPython("import gc, sys\nsys.path[:] = ['', '/lib']");
  return add({ "lib/__future__.py": "annotations = None\n", ...files, ...own }, main);
}

// More files for the same Python, and a module that is in them.
/** @template M @param {Files} files @param {string} main @returns {M} */
export function add(files, main) {
  for (const [path, content] of Object.entries(files)) write(mp.FS, path, content);
  return /** @type {M} */ (mp.pyimport(main));
}

// Garbage is collected between two calls only.
export const collect = () => mp.runPython("gc.collect()");

/** @param {import("../runtime/micropython.mjs").FileSystem} fs @param {string} path @param {string | Uint8Array} content */
function write(fs, path, content) {
  const folders = path.split("/").slice(0, -1);
  folders.forEach((_, at) => {
    const folder = `/${folders.slice(0, at + 1).join("/")}`;
    if (!fs.analyzePath(folder).exists) fs.mkdir(folder);
  });
  fs.writeFile(`/${path}`, content);
}

/** @param {string} hex */
export const fromHex = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (two) => parseInt(two, 16));
/** @param {Uint8Array} bytes */
export const toHex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
