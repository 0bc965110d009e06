// Plays games of the page's referee in MicroPython: the acts of the cards' chance and of the person are given, those of the
// computer are its own. Usage: node refereed.mjs NODE_MODULES ASKED; prints what it has played, as JSON.

import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const [modules, path] = process.argv.slice(2);
const { loadMicroPython } = await import(pathToFileURL(`${modules}/@micropython/micropython-webassembly-pyscript/micropython.mjs`));
const asked = JSON.parse(readFileSync(path, 'utf8'));
const mp = await loadMicroPython({ heapsize: 8 * 1024 * 1024, stdout: () => {} });
const write = (name, content) => {
  const folders = name.split('/').slice(0, -1);
  folders.forEach((_, at) => {
    const folder = `/${folders.slice(0, at + 1).join('/')}`;
    if (!mp.FS.analyzePath(folder).exists) mp.FS.mkdir(folder);
  });
  mp.FS.writeFile(`/${name}`, content);
};
for (const [name, text] of Object.entries({ 'lib/__future__.py': 'annotations = None\n', ...asked.files })) write(name, text);
write('tables.bin', readFileSync(asked.tables));
mp.registerJsModule('page', { random: () => { throw new Error('no chance here'); } });
mp.runPython("import gc, sys\nsys.path[:] = ['', '/lib']");
mp.pyimport('standard').install();
const table = mp.pyimport('refereed');
table.read_tables();
mp.runPython('import json\ndef given(act):\n    return refereed.rules.said(lambda: refereed.acted(json.loads(act)))\nimport refereed');
const given = mp.globals.get('given');
const played = asked.games.map(({ level, rules, standing, acts }) => {
  table.begin(level, 61, rules, standing, 7);
  const answers = acts.map((act) => {
    const own = ['discard', 'play', 'claim', 'muggins'].includes(act[0]) && act[1] === 1;
    const answer = JSON.parse(own ? table.due() : given(JSON.stringify(act)));
    if (act[0] === 'deal') mp.runPython('gc.collect()'); // the page collects after every call: half of the time here
    return answer;
  });
  return { acts: answers.flatMap((one) => one.acts), said: answers.map(({ state }) => state.said), turned: answers.map(({ state }) => (state.turned ? state.pile.map(([, card]) => card) : [])), heard: answers.map(({ said }) => said) };
});
process.stdout.write(JSON.stringify(played));
