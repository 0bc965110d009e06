// Runs one Python script in MicroPython (WebAssembly) with the firmware's libraries on sys.path; the script's output is ours.
// Usage: node run.mjs HEAP_BYTES SCRIPT SOURCE=TARGET...   (folders or files copied into MicroPython's file system first)
// The last line on stderr is JSON: the bytes of heap that are in use at the end. (Its heap grows as long as a script runs, since
// it collects garbage only between scripts: what it holds then is no measure.)

import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { loadMicroPython } from '@micropython/micropython-webassembly-pyscript/micropython.mjs';

// CircuitPython has this module; MicroPython has not.
const SHIMS = { '/lib/__future__.py': 'annotations = None\n' };
const PRELUDE = "import sys\nsys.path[:] = ['', '/lib']\n";
const HEAP = 'import gc, micropython\ngc.collect()\nmicropython.mem_info()\n';

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

const [heapsize, script, ...copies] = process.argv.slice(2);
let lines = [];
const mp = await loadMicroPython({ heapsize: Number(heapsize), stdout: (line) => lines.push(line), linebuffer: true });
mp.FS.mkdir('/lib');
for (const [path, text] of Object.entries(SHIMS)) mp.FS.writeFile(path, text);
for (const copy of copies) copyIn(mp.FS, ...copy.split('='));
try {
  mp.runPython(PRELUDE + readFileSync(script, 'utf8'));
} catch (error) {
  lines.push(String(error.message ?? error));
  process.exitCode = 1;
}
process.stdout.write(lines.map((line) => `${line}\n`).join(''));
lines = [];
mp.runPython(HEAP);
const used = Number(lines.join('\n').match(/GC: total: \d+, used: (\d+)/)[1]);
process.stderr.write(`${JSON.stringify({ used })}\n`);
