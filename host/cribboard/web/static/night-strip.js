// A league night on the screen of all tables: who is called where, then who stands how, by turns on one line.

import { get } from "./api.js";
import { el, refill } from "./dom.js";
import { clockWords, playing, shortNames } from "./night-parts.js";

const LOOK_MS = 5000;
const TURN_MS = 8000;
const EVENING_MS = 18 * 3600000; // how long a night that is over is still tonight's

export class Strip {
  // `changed` shows the strip, too, as soon as it is known what stands large.
  /** @param {HTMLElement} node @param {() => void} changed */
  constructor(node, changed) {
    this.node = node;
    this.changed = changed;
    /** @type {Set<number>} */
    this.shown = new Set(); // matches that stand large on the screen
    this.listed = 0; // places that do
    this.turn = 0;
    /** @type {Evening | null} */
    this.evening = null;
    this.look();
    setInterval(() => this.look(), LOOK_MS);
    setInterval(() => {
      this.turn += 1;
      this.show();
    }, TURN_MS);
  }

  async look() {
    this.evening = await get("/api/night").catch(() => null);
    if (this.evening?.closed && Date.now() - Date.parse(this.evening.began) > EVENING_MS) this.evening = null;
    this.changed();
  }

  show() {
    const { evening } = this;
    this.node.hidden = !evening;
    if (!evening) return;
    const narrow = matchMedia("(orientation: portrait)").matches;
    const calls = playing(evening).filter((match) => !match.running && !this.shown.has(match.match)).map((match) => [match.place, shortNames(evening, match.names).join(" v ")]);
    const rows = evening.standings.filter((row, at) => (evening.closed ? row.place > 3 : at >= this.listed)).map((row) => [String(row.place), `${shortNames(evening, [row.name])[0]} ${row.points}`]);
    const pages = [...inParts(calls, narrow ? 1 : 2), ...inParts(rows, !narrow ? 4 : evening.closed ? 1 : 2)];
    const seen = pages[this.turn % Math.max(1, pages.length)] ?? [];
    const page = pages.length > 1 ? el("span", { class: "muted page" }, `${(this.turn % pages.length) + 1}/${pages.length}`) : null;
    const words = evening.closed || !pages.length ? clockWords(evening) : `Round ${evening.round} of ${evening.rounds}`;
    refill(this.node, [seen, words, pages.length], () => [
      el("span", { class: "muted" }, words),
      seen.map(([before, what]) => el("span", { class: "one" }, el("span", { class: "muted" }, before), " ", el("strong", {}, what))), page]);
  }
}

/** @template T @param {T[]} all @param {number} most */
function inParts(all, most) {
  return Array.from({ length: Math.ceil(all.length / most) }, (_, at) => all.slice(at * most, at * most + most));
}
