// MicroPython for WebAssembly with the firmware's files in it. It keeps its state in the global object, so each has a
// worker of its own.

import { loadMicroPython } from "../runtime/micropython.mjs";

const HEAP = 512 * 1024; // bytes; it grows when it has to
let mp = null;

export const load = (name, as = "text") => fetch(new URL(name, import.meta.url)).then((answer) => answer[as]());
export const random = (size) => toHex(crypto.getRandomValues(new Uint8Array(size)));

// `page` is what Python imports under that name; the module of the name `main` is given back.
export async function python(main, page, own = {}, heapsize = HEAP) {
  const print = (line) => console.log(line);
  const [files, made] = await Promise.all([load("../firmware.json", "json"), loadMicroPython({ heapsize, stdout: print, stderr: print })]);
  mp = made;
  mp.registerJsModule("page", page);
  mp.runPython("import gc, sys\nsys.path[:] = ['', '/lib']");
  return add({ "lib/__future__.py": "annotations = None\n", ...files, ...own }, main);
}

// More files for the same Python, and a module that is in them.
export function add(files, main) {
  for (const [path, content] of Object.entries(files)) write(mp.FS, path, content);
  return mp.pyimport(main);
}

// Garbage is collected between two calls only.
export const collect = () => mp.runPython("gc.collect()");

function write(fs, path, content) {
  const folders = path.split("/").slice(0, -1);
  folders.forEach((_, at) => {
    const folder = `/${folders.slice(0, at + 1).join("/")}`;
    if (!fs.analyzePath(folder).exists) fs.mkdir(folder);
  });
  fs.writeFile(`/${path}`, content);
}

export const fromHex = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (two) => parseInt(two, 16));
export const toHex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
