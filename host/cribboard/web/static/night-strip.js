// A night on one line below a screen: the round and its end, then what the screen itself does not show, by turns.

import { el, isCut, refill } from "./dom.js";
import { clockWords, inBold, isPlayed, latest, quarrels, seeDirector, rank, shortNames, sittingOut, unscored, upcoming, waiting } from "./night-parts.js";

const TURN_MS = 8000;
const MOST = 4; // on the line at once, if they fit
const LEADERS = 3;

export class Strip {
  /** @param {HTMLElement} node */
  constructor(node) {
    this.node = node;
    this.turn = 0;
    this.again = () => {};
    setInterval(() => {
      this.turn += 1;
      this.again();
    }, TURN_MS);
    addEventListener("resize", () => this.again());
  }

  // `shown` are the matches that the screen shows, `results` whether it shows the newest ones.
  // `code` joins the night, where the screen itself does not show it.
  /** @param {Evening | null} evening @param {Set<number>} shown @param {boolean} results */
  show(evening, shown, results, code = "") {
    this.again = () => this.show(evening, shown, results, code);
    this.node.hidden = !evening;
    if (!evening) return;
    const names = (/** @type {Match} */ match) => shortNames(evening, match.names).join(" v ");
    const disputed = quarrels(evening).filter((match) => !shown.has(match.match)).map((match) => one("", seeDirector(evening, match), true));
    const calls = unscored(evening).filter((match) => !shown.has(match.match)).map((match) => one(match.place, names(match)));
    const idle = waiting(evening).map(({ name, awaited }) => [name, ...awaited].map((each) => shortNames(evening, [each])[0]));
    const without = [
      named("Sitting out", sittingOut(evening).flatMap((match) => shortNames(evening, match.names))),
      named("Waiting for a table", idle.filter((each) => each.length < 2).flat()),
      named("Waiting", idle.filter((each) => each.length > 1).map(([name, ...awaited]) => [name, el("span", { class: "for" }, ` for ${awaited.join(", ")}`)])),
    ];
    const next = upcoming(evening).slice(0, MOST).map((match, at) => one(at ? "" : "Next", names(match)));
    const best = results || !evening.played ? [] : evening.standings.filter((row) => row.place).slice(0, LEADERS).map((row, at) => one(at ? rank(row) : `Standings ${rank(row)}`, `${shortNames(evening, [row.name])[0]} ${row.points}`));
    const newest = results || evening.closed || isPlayed(evening) ? [] : latest(evening).slice(0, 2).map((line, at) => one(at ? "" : "Latest", inBold(line)));
    const joins = code && !evening.closed ? [one("To join: under “Night”, type", code)] : [];
    const pages = [...disputed.map((each) => [each]), calls, ...without, next, best, newest, joins].filter((page) => page.length);
    const seen = pages[this.turn % Math.max(1, pages.length)] ?? [];
    const words = clockWords(evening);
    refill(this.node, [words, seen.map((each) => each.outerHTML), innerWidth], () => [el("span", { class: "muted" }, words), seen]);
    if ([this.node, ...this.node.children].some(isCut)) for (const reason of this.node.querySelectorAll(".for")) reason.remove(); // names come first
    // How many of those without a game have no room is said, since they are not shown later.
    for (let left = seen.length; isCut(this.node) && left > 1; ) {
      left -= 1;
      this.node.replaceChildren(...[...this.node.children].slice(0, 1 + left), ...(without.includes(seen) ? [one("", `+${seen.length - left}`)] : []));
    }
  }
}

/** @param {string} before @param {Child} what */
const one = (before, what, amber = false) => el("span", { class: "one", "data-amber": amber }, before && el("span", { class: "muted" }, `${before} `), el("strong", {}, what));

/** @param {string} before @param {Child[]} names */
const named = (before, names) => names.map((name, at) => one(at ? "" : before, name));
