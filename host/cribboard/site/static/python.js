// MicroPython for WebAssembly with the firmware's files in it. It keeps its state in the global object, so each has a
// worker of its own.

import { loadMicroPython } from "../runtime/micropython.mjs";

const HEAP = 512 * 1024; // bytes; it grows when it has to

// `page` is what Python imports under that name; the module of the name `main` is given back.
export async function python(main, page, own = {}) {
  const print = (line) => console.log(line);
  const [files, mp] = await Promise.all([
    fetch(new URL("../firmware.json", import.meta.url)).then((answer) => answer.json()),
    loadMicroPython({ heapsize: HEAP, stdout: print, stderr: print }),
  ]);
  for (const [path, text] of Object.entries({ "lib/__future__.py": "annotations = None\n", ...files, ...own })) write(mp.FS, path, text);
  mp.registerJsModule("page", page);
  mp.runPython("import sys\nsys.path[:] = ['', '/lib']");
  return mp.pyimport(main);
}

function write(fs, path, text) {
  const folders = path.split("/").slice(0, -1);
  folders.forEach((_, at) => {
    const folder = `/${folders.slice(0, at + 1).join("/")}`;
    if (!fs.analyzePath(folder).exists) fs.mkdir(folder);
  });
  fs.writeFile(`/${path}`, text);
}

export const fromHex = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (two) => parseInt(two, 16));
export const toHex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
