// Runs one Python script in MicroPython (WebAssembly) with the firmware's libraries on sys.path; the script's output is ours.
// Usage: node run.mjs HEAP_BYTES SCRIPT [ARGUMENT...] [SOURCE=TARGET...]   (folders or files copied into its file system first)
//
// This MicroPython collects garbage only between two calls from here, and takes a larger heap when a call finds no room. So
// a script is run in cells, which lines `# %%` part, and what its `course` (an iterator) then has to do item by item, with
// a collection after each. The last line on stderr is JSON, all in bytes: `start` and `total` are the heap's size at first
// and at last, which differ when it ever did not suffice; `own` is what was in use after the first cell, where a script has
// what is not the firmware's; `held` is the most that was ever in use after a collection.

import { readFileSync, readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { loadMicroPython } from '@micropython/micropython-webassembly-pyscript/micropython.mjs';

// CircuitPython has this module; MicroPython has not.
const SHIMS = { '/lib/__future__.py': 'annotations = None\n' };
const PRELUDE = "import gc, micropython, sys\nsys.path[:] = ['', '/lib']\nmore = True\ncourse = iter(())\n";

function copyIn(fs, source, target) {
  if (statSync(source).isDirectory()) {
    if (!fs.analyzePath(target).exists) fs.mkdir(target);
    for (const name of readdirSync(source)) {
      if (name !== '__pycache__') copyIn(fs, join(source, name), `${target}/${name}`);
    }
  } else {
    fs.writeFile(target, readFileSync(source));
  }
}

const [heapsize, script, ...rest] = process.argv.slice(2);
let lines = [];
const mp = await loadMicroPython({ heapsize: Number(heapsize), stdout: (line) => lines.push(line), linebuffer: true });
mp.FS.mkdir('/lib');
for (const [path, text] of Object.entries(SHIMS)) mp.FS.writeFile(path, text);
for (const copy of rest.filter((word) => word.includes('='))) copyIn(mp.FS, ...copy.split('='));
const words = rest.filter((word) => !word.includes('='));

function heap() {
  const said = lines;
  lines = [];
  mp.runPython('micropython.mem_info()');
  const [, total, used] = lines.join('\n').match(/GC: total: (\d+), used: (\d+)/);
  lines = said;
  return { total: Number(total), used: Number(used) };
}

function run(code) {
  mp.runPython(code);
  mp.runPython('gc.collect()');
  used.push(heap().used);
}

mp.runPython(`${PRELUDE}sys.argv[:] = ${JSON.stringify([basename(script), ...words])}\n`);
const start = heap().total;
const used = [];
try {
  for (const cell of readFileSync(script, 'utf8').split(/^# %%$/m)) run(cell);
  while (mp.globals.get('more')) run('more = next(course, None) is not None');
} catch (error) {
  lines.push(String(error.message ?? error));
  process.exitCode = 1;
}
process.stdout.write(lines.map((line) => `${line}\n`).join(''));
process.stderr.write(`${JSON.stringify({ start, total: heap().total, own: used[0], held: Math.max(...used) })}\n`);
