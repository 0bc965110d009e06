// The firmware onto CIRCUITPY from the page, with the checks of `cribboard install`: is it a board's drive, does its chip fit,
// is its CircuitPython new enough, has it the pins of its settings; what is another's is put aside, all is read back, and
// code.py comes last. What the source, the fuse and the controller carry is checked, too.

import { $, el, fill, find, text } from "./dom.js";
import { offline } from "./offline.js";
import { Rules } from "./rules.js";

const OLDEST = [9, 2, 1];
const NEWEST = 10;
const MARK = "cribbage board"; // in the first line of our code.py and boot.py
const OURS = ["lib/cribboard_core", "lib/cribboard_fw"];
const ASIDE = ["code.py", "boot.py", "safemode.py", "trouble.py"]; // what another program may have put there
const FRESH = 'print("Hello World!")';
const FIRST = ["settings.toml"];
const LAST = "code.py";
const KEPT = "settings.toml";

const rules = new Rules();
/** @type {Promise<Controllers>} */
const controllers = fetch(new URL("../controllers.json", import.meta.url)).then((answer) => answer.json());
/** @type {FileSystemDirectoryHandle} */
let drive;

/** @param {string} words */
function complain(words) {
  text($("alert"), words);
  $("alert").hidden = !words;
}

class Refusal extends Error {}

async function choose() {
  complain("");
  fill($("plan"));
  $("plan").hidden = true;
  try {
    drive = await window.showDirectoryPicker({ mode: "readwrite" });
    const { release, board, warning } = await checked();
    const files = await wanted();
    const had = await read(KEPT);
    const { boards, radio } = await controllers;
    const known = boards[board];
    if (had === null && (await read(`${KEPT}.txt`)) !== null) throw new Refusal(`${KEPT}.txt is on the drive, but the board only reads ${KEPT}. Take .txt off its name (or delete it), and choose the drive again. Nothing was changed.`);
    if (had !== null) delete files[KEPT];
    else if (known && !known.pico) throw new Refusal(`The pins of these files are a Pico’s, and this board is a ${known.title}: copy a settings.toml with its own pins onto the drive first. Nothing was changed.`);
    const { mistakes, unsafe } = await rules.ask("mistakes", had ?? files[KEPT], (known?.pins ?? []).join(" "), board);
    if (unsafe.length) throw new Refusal(`The settings.toml on the drive allows more current than is safe: ${unsafe.join("; ")}. Nothing was changed; correct it, and choose the drive again.`);
    fill($("plan"), `${board || "A board"} with CircuitPython ${release}. ${warning}`, had === null ? "" : "Its settings.toml stays. ", known ? "" : "This page does not know whether it has the pins in the settings. ",
      radio.includes(board) ? "Buttons and programs at USB will keep score, but no phones over Wi-Fi: their part, and the network’s key, come from a computer, by `cribboard install` and `cribboard setup --wifi`. " : "",
      mistakes.length ? el("div", { class: "notice" }, "The board will not play until you correct its settings.toml:", el("ul", {}, mistakes.map((one) => el("li", {}, one)))) : "",
      el("button", { type: "button", class: "main", onclick: () => write(files) }, `Write ${Object.keys(files).length} files`));
    $("plan").hidden = false;
    find($("plan"), "button")?.focus();
  } catch (error) {
    if (error.name !== "AbortError") complain(error instanceof Refusal ? error.message : `The drive cannot be read (${error.message}). Eject it, and plug the board in again.`);
  }
}

async function checked() {
  const said = await read("boot_out.txt");
  if (said === null) {
    const loader = await read("INFO_UF2.TXT");
    throw new Refusal(loader === null
      ? `“${drive.name}” is not the drive of a CircuitPython board: it has no boot_out.txt. Choose the drive that is called CIRCUITPY.`
      : `“${drive.name}” is a board in its boot loader, waiting for CircuitPython: copy the UF2 file from circuitpython.org/downloads there, and choose the drive CIRCUITPY that appears.`);
  }
  const match = said.match(/CircuitPython ((\d+)\.(\d+)\.(\d+)\S*)/);
  if (!match) throw new Refusal("The drive’s boot_out.txt names no version of CircuitPython. Install CircuitPython again.");
  const [, release, ...numbers] = match;
  const version = numbers.map(Number);
  const differs = version.findIndex((number, at) => number !== OLDEST[at]);
  if (differs >= 0 && version[differs] < OLDEST[differs]) {
    throw new Refusal(`CircuitPython ${release} on this board is too old: the firmware needs ${OLDEST.join(".")}. Install a newer one from circuitpython.org/downloads.`);
  }
  const chip = said.match(/; .* with (\S+)$/m)?.[1].toLowerCase() ?? "";
  const { chips, first, take } = await controllers;
  for await (const name of drive.keys()) {
    if (first.includes(name.toLowerCase())) throw new Refusal(`${name} is on the drive, and CircuitPython runs it instead of the firmware’s own. Rename it, and choose the drive again. Nothing was changed.`);
  }
  const unfit = chips.find(([names]) => chip && names.some((name) => chip.startsWith(name)))?.[1];
  if (unfit) throw new Refusal(`This board does not fit: ${unfit}. Nothing was changed; ${take}.`);
  return { release, board: said.match(/Board ID: ?(\S+)/)?.[1] ?? "", warning: version[0] > NEWEST ? `The firmware was not tried on a CircuitPython newer than ${NEWEST}. ` : "" };
}

/** @returns {Promise<Record<string, string>>} */
async function wanted() {
  return (await fetch("firmware.json")).json();
}

/** @param {Record<string, string>} files */
async function write(files) {
  const buttons = [$("choose"), ...$("plan").querySelectorAll("button")]; // another drive would get the rest of the files
  for (const button of buttons) button.disabled = true;
  try {
    for (const path of ASIDE) await putAside(path);
    await put(LAST, standIn(files["trouble.py"]));
    await sweepUpdates();
    const others = Object.keys(files).filter((path) => path !== LAST && !FIRST.includes(path));
    const order = [...FIRST.filter((path) => path in files), ...others];
    for (const [at, path] of order.entries()) {
      text($("done"), `${at + 1} of ${order.length + 1}: ${path}`);
      await put(path, files[path]);
    }
    for (const folder of OURS) await sweep(folder, files);
    for (const path of order) {
      if ((await read(path)) !== files[path]) throw new Error(`${path} was written, but reads back differently`);
    }
    await put(LAST, files[LAST]);
    text($("done"), "All files are on the drive and were read back. Eject it, pull the cable and plug it in again: the pegs are in their holes some seconds later.");
  } catch (error) {
    text($("done"), "");
    complain(`The firmware is not whole (${error.message}): the board shows red until it is. Make room on the drive, and choose it again.`);
  }
  for (const button of buttons) button.disabled = false;
}

// As `cribboard install` has it: until all is there, code.py shows red and says why.
/** @param {string} trouble */
const standIn = (trouble) => trouble.replace(/^.*\n/, '"""Stands in for code.py of the cribbage board until all of its firmware is on the drive."""\n')
  + '\n\nred(3)\nstop(ImportError("the firmware on this drive is not whole; install it again"))\n';

// What `cribboard update` has put beside the firmware in lib, and would be started instead of it.
async function sweepUpdates() {
  const names = [];
  for await (const name of drive.keys()) if (/^firmware\.\d+$/.test(name)) names.push(name);
  for (const name of names) await drive.removeEntry(name, { recursive: true });
}

/** @param {string} path */
async function putAside(path) {
  const there = await read(path);
  if (there === null || there.split("\n")[0].includes(MARK) || there.trim() === FRESH) return;
  if (path === "safemode.py" && there.includes("cribboard")) return;
  let name = `${path}.before`;
  for (let number = 2; ![null, there].includes(await read(name)); number += 1) name = `${path}.before${number}`;
  await put(name, there);
}

// A .mpy of an earlier installation, and modules that are no more.
/** @param {string} folder @param {Record<string, string>} files */
async function sweep(folder, files) {
  const there = await at(folder, true);
  for await (const name of there.keys()) {
    if (/\.m?py$/.test(name) && !(`${folder}/${name}` in files)) await there.removeEntry(name);
  }
}

/** @param {string} path @param {boolean} create */
async function at(path, create) {
  let folder = drive;
  for (const name of path.split("/").filter(Boolean)) folder = await folder.getDirectoryHandle(name, { create });
  return folder;
}

/** @param {string} path */
const parent = (path) => path.split("/").slice(0, -1).join("/");
/** @param {string} path */
const last = (path) => path.slice(path.lastIndexOf("/") + 1);

/** @param {string} path */
async function read(path) {
  try {
    const file = await (await at(parent(path), false)).getFileHandle(last(path));
    return await (await file.getFile()).text();
  } catch (error) {
    if (error.name === "NotFoundError") return null;
    throw error;
  }
}

/** @param {string} path @param {string} data */
async function put(path, data) {
  const file = await (await at(parent(path), true)).getFileHandle(last(path), { create: true });
  const stream = await file.createWritable();
  await stream.write(data);
  await stream.close();
}

const able = "showDirectoryPicker" in window;
$("choose").disabled = !able;
text($("lacking"), able ? "" : "This browser cannot write to a folder; Chrome, Edge and other Chromium browsers on a computer can. Take the zip.");
$("choose").onclick = choose;
offline();
