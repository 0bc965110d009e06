// A night on one line below a screen: the round and its end, then what the screen itself does not show, by turns.

import { el, find, isCut, refill } from "./dom.js";
import { clockWords, inBold, isPlayed, latest, quarrels, rank, seeDirector, shortNames, sittingOut, toConfirm, unscored, upcoming, waiting } from "./night-parts.js";

const TURN_MS = 8000;
const LEADERS = 5; // named where no standings are

const POINTS = "Points";

/** @typedef {{ results: boolean, standings: boolean, out?: boolean, scans?: boolean, code?: boolean }} Tells */
/** @typedef {{ before: string, items: Child[], amber?: boolean }} Page what is said of one kind, in as many turns as it takes */

export class Strip {
  /** @param {HTMLElement} node */
  constructor(node) {
    this.node = node;
    this.turn = 0;
    this.from = 0; // the first item of the page that is shown
    this.next = 0; // the first that had no room, 0 if all had
    this.again = () => {};
    setInterval(() => this.goOn(), TURN_MS);
    addEventListener("resize", () => this.again());
  }

  goOn() {
    this.from = this.next;
    if (!this.next) this.turn += 1;
    this.again();
  }

  // `shown` are the matches that the screen shows, `tells` what else it says: the newest results, the standings, who sits out.
  /** @param {Evening | null} evening @param {Set<number>} shown @param {Tells} tells */
  show(evening, shown, tells) {
    this.again = () => this.show(evening, shown, tells);
    this.node.hidden = !evening;
    if (!evening) return;
    const pages = pagesOf(evening, shown, tells);
    const page = (tells.scans && pages.find((each) => each.before === POINTS)) || pages[this.turn % Math.max(1, pages.length)]; // who leads is always seen
    if (this.from >= (page?.items.length ?? 0)) this.from = 0;
    const seen = page?.items.slice(this.from).map((item, at) => one(at ? "" : page.before, item, page.amber)) ?? [];
    const words = clockWords(evening);
    if (!refill(this.node, [words, seen.map((each) => each.outerHTML), innerWidth], () => [el("span", { class: "round" }, words), seen])) return;
    while (isCut(this.node) && this.node.childElementCount > 2) this.node.lastElementChild?.remove();
    const alone = this.node.lastElementChild;
    if (alone && isCut(alone)) find(alone, ".for")?.remove(); // a long name comes before whom it waits for
    const drawn = this.node.childElementCount - 1;
    this.next = page && this.from + drawn < page.items.length ? this.from + drawn : 0;
  }
}

/** @param {Evening} evening @param {Set<number>} shown @param {Tells} tells @returns {Page[]} */
function pagesOf(evening, shown, { results, standings, out, code }) {
  const versus = (/** @type {Match} */ match) => shortNames(evening, match.names).join(" v ");
  const beside = evening.matches.filter((match) => !shown.has(match.match));
  const idle = waiting(evening).map(({ name, awaited }) => [name, ...awaited].map((each) => shortNames(evening, [each])[0]));
  const leads = standings || !evening.played ? [] : evening.standings.filter((row) => row.place).slice(0, LEADERS);
  const newest = results || evening.closed || isPlayed(evening) ? [] : latest(evening).slice(0, 2);
  /** @type {Page[]} */
  const pages = [
    ...quarrels(evening).filter((match) => beside.includes(match)).map((match) => ({ before: "", items: [seeDirector(evening, match)], amber: true })),
    { before: "", items: unscored(evening).filter((match) => beside.includes(match)).map((match) => [muted(match.place), versus(match)]) },
    { before: "Sitting out", items: out ? [] : sittingOut(evening).flatMap((match) => shortNames(evening, match.names)) },
    { before: "Waiting for a table", items: idle.filter((each) => each.length < 2).flat() },
    { before: "Waiting", items: idle.filter((each) => each.length > 1).map(([name, ...awaited]) => [name, el("span", { class: "for" }, ` for ${awaited.join(", ")}`)]) },
    { before: "Next", items: nextOnes(evening).map(versus) },
    { before: "Join", items: code === false && evening.played ? ["the QR code comes every half a minute"] : [] },
    { before: POINTS, items: leads.map((row) => [muted(`${rank(row)}.`), shortNames(evening, [row.name])[0], el("span", { class: "for" }, ` ${row.points}`)]) },
    { before: "Latest", items: newest.map(inBold) },
  ];
  const confirm = { before: "Confirm on your phone:", items: evening.closed ? [] : shortNames(evening, toConfirm(evening)), amber: true };
  const told = pages.filter((page) => page.items.length);
  return !confirm.items.length ? told : told.length ? told.flatMap((page) => [confirm, page]) : [confirm]; // others wait for nothing else
}

// Of what comes, everybody's first.
/** @param {Evening} evening */
function nextOnes(evening) {
  const named = new Set();
  return upcoming(evening).filter((match) => {
    const first = match.sides.flat().every((who) => !named.has(who));
    for (const who of match.sides.flat()) named.add(who);
    return first;
  });
}

/** @param {string} words */
const muted = (words) => el("span", { class: "muted" }, `${words} `);

/** @param {string} before @param {Child} what */
const one = (before, what, amber = false) => el("span", { class: "one", "data-amber": amber }, before && muted(before), el("strong", {}, what));
