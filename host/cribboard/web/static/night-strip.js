// A league night on the screen of all tables: who is called where, then who is next, by turns on one line.

import { get } from "./api.js";
import { el, refill } from "./dom.js";
import { clockWords, unscored, quarrels, seeDirector, shortNames, sitsOut, upcoming } from "./night-parts.js";

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
    const large = this.shown;
    const narrow = matchMedia("(orientation: portrait)").matches;
    const disputed = quarrels(evening).filter((match) => !large.has(match.match)).map((match) => ["", seeDirector(evening, match)]);
    const calls = unscored(evening).filter((match) => !large.has(match.match)).map((match) => [match.place, shortNames(evening, match.names).join(" v ")]);
    const next = upcoming(evening).slice(0, narrow ? 1 : 2).map((match) => shortNames(evening, match.names).join(" v ")).join(", ");
    const out = sitsOut(evening);
    const after = [...(next ? [["Next", next]] : []), ...(out ? [["", out]] : [])];
    const pages = [...disputed.map((one) => [one]), ...inParts(calls, narrow ? 1 : 2), ...inParts(after, 1)];
    const seen = pages[this.turn % Math.max(1, pages.length)] ?? [];
    const words = !narrow || !seen.length || evening.closed ? clockWords(evening) : `Round ${evening.round} of ${evening.rounds}`;
    const amber = disputed.includes(seen[0]);
    refill(this.node, [seen, words, amber], () => [
      el("span", { class: "muted" }, words),
      seen.map(([before, what]) => el("span", { class: "one", "data-amber": amber }, before && el("span", { class: "muted" }, before), " ", el("strong", {}, what)))]);
  }
}

/** @template T @param {T[]} all @param {number} most */
function inParts(all, most) {
  return Array.from({ length: Math.ceil(all.length / most) }, (_, at) => all.slice(at * most, at * most + most));
}
