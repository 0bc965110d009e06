// What staff do at a table: its code, light and sound, name, a score corrected, its game moved to another board.

import { ask, get, post } from "./api.js";
import { correction } from "./correct.js";
import { choose, form, option } from "./dialog.js";
import { el } from "./dom.js";
import { showInvite } from "./join.js";
import { newKey } from "./orders.js";
import { attempt } from "./records.js";

const MOVE_S = 40;
const BRIGHTNESSES = [10, 30, 60, 100];
const WAITS_S = [0, 2, 3, 4, 5, 7, 10];

/** @typedef {import("./staff-acts.js").Acts} Acts */

// A score of the game that is on, with its pegs.
/** @param {Acts} acts @param {number} board @param {string} name @param {Parameters<typeof correction>[2]} again @returns {Promise<void>} */
export async function correctScore(acts, board, name, again = {}) {
  const path = /** @type {const} */ (`/api/boards/${board}`);
  const answer = await attempt(() => get(`${path}/lines`));
  const given = answer && (await correction(answer.lines, `At ${name}. The pegs follow.`, again));
  if (given) await acts.done(() => post(`${path}/orders`, { do: "correct", key: newKey(), rev: given.line.rev, points: given.points }), ({ text: said }) => said);
}

// The game goes on on the board that is plugged in instead of its own; first staff see what that one holds.
/** @param {Acts} acts @param {number} number @param {string} name */
export async function move(acts, number, name) {
  const path = /** @type {const} */ (`/api/boards/${number}/move`);
  const there = await attempt(() => get(path));
  if (!there) return;
  const words = [
    el("span", {}, "Score, names, games won, dealer, house rules, cards, phones and codes move to the board that is plugged in now."),
    el("strong", {}, there.text), ...there.left.map((one) => el("strong", {}, one)),
    el("span", { class: "muted" }, "UNDO on that board brings back what was on it, until somebody scores. To move the game back, plug in the other board again."),
  ].map((one) => el("span", { class: "part" }, one));
  const { uid, rev } = there;
  if (await choose(`Move the game of ${name}?`, words, [["Cancel", false], ["Move the game", true, "main"]])) {
    await acts.done(() => ask("POST", path, { uid, rev }, { seconds: MOVE_S }), `The game of ${name} goes on on this board.`);
  }
}

/** @param {number} number @param {string} name */
export async function invite(number, name) {
  const invitation = await attempt(() => get(`/api/boards/${number}/invite`));
  if (!invitation) return;
  await showInvite(`Join ${name}`, invitation, "QR code that joins this table");
}

// How bright and loud a board is, and whether points from its buttons wait for OK; what stays is not sent.
// After a refusal the same form comes back, with what was chosen and why not.
/** @param {Acts} acts @param {number} number @param {string} name @param {Partial<Chosen>} tried @returns {Promise<unknown>} */
export async function lightAndSound(acts, number, name, tried = {}, wrong = "") {
  const path = /** @type {const} */ (`/api/boards/${number}/choice`);
  const before = await attempt(() => get(path));
  if (!before) return;
  const { brightness, sound, commit_s } = before;
  const shown = { ...before, ...tried };
  const bright = [...new Set([...BRIGHTNESSES, brightness])].sort((a, b) => a - b).map((percent) => option(`${percent} %`, percent));
  const waits = [...new Set([...WAITS_S, commit_s])].sort((a, b) => a - b).map((seconds) => option(seconds ? `after ${seconds} s, or with OK` : "only with OK", seconds));
  const given = await form(`Light and sound of ${name}`, [
    { name: "brightness", label: "Brightness", kind: "choice", choices: bright, value: shown.brightness, number: true },
    { name: "sound", label: "Sound", kind: "choice", choices: [option("off", "off"), option("quiet", "quiet"), option("on", "on")], value: shown.sound },
    { name: "commit_s", label: "Points from its buttons count", kind: "choice", choices: waits, value: shown.commit_s, number: true },
  ], "Save", "It takes effect at once.", wrong);
  if (!given) return;
  const changed = { ...given.brightness !== brightness && { brightness: given.brightness }, ...given.sound !== sound && { sound: given.sound }, ...given.commit_s !== commit_s && { commit_s: given.commit_s } };
  if (!Object.keys(changed).length) return;
  let kept = true;
  const failure = await post(path, changed).then((now) => { ({ kept } = now); return ""; }, (refusal) => refusal.words);
  if (failure) return lightAndSound(acts, number, name, given, failure);
  await acts.done(async () => true, kept ? `${name} is changed.` : `${name} is changed. Check it after a power cut: the board keeps it only from the first score of the next game on.`);
}

/** @param {Acts} acts @param {number} number @param {string} before */
export const renameTable = (acts, number, before) => acts.rename(before, (given) => post(`/api/boards/${number}`, given));
