// A night on one line below a screen: the round and its end, then what the screen itself does not show, by turns.

import { el, isCut, refill, text } from "./dom.js";
import { CONFIRM, clockWords, inBold, isPlayed, isUnsure, latest, page as pageOf, quarrels, rank, seeDirector, shortNames, sittingOut, toConfirm, unbroken, unscored, upcoming, waiting } from "./night-parts.js";

const TURN_MS = 8000;
const LEADERS = 5; // named where no standings are

const LEAD = "Leaders";
const [ONE_LINE, BESIDE_ROUND] = [4, 1]; // so many who wait have a line; on the screen of all tables, where the round is there, too

/** @typedef {{ standings: boolean, hand?: Child, scans?: boolean, confirm?: boolean }} Tells what a screen says besides; the best hand if it does not */
/** @typedef {{ before: string, items: Child[], people?: number, amber?: boolean }} Page what is said of one kind, in as many turns as it takes; of how many people, if an item has several */

export class Strip {
  /** @param {HTMLElement} node */
  constructor(node) {
    this.node = node;
    this.turn = 0;
    this.from = 0; // the first item of the page that is shown
    this.next = 0; // the first that had no room, 0 if all had
    this.beat = 0;
    this.rests = false; // while who leads is seen only here
    this.again = () => {};
    setInterval(() => this.goOn(), TURN_MS);
    addEventListener("resize", () => this.again());
  }

  goOn() {
    this.beat += 1;
    if (!this.rests) {
      this.from = this.next;
      if (!this.next) this.turn += 1;
    }
    this.again();
  }

  // `shown` are the matches that the screen shows.
  /** @param {Evening | null} evening @param {Set<number>} shown @param {Tells} tells */
  show(evening, shown, tells) {
    this.again = () => this.show(evening, shown, tells);
    this.node.hidden = !evening;
    if (!evening) return;
    const pages = pagesOf(evening, shown, tells);
    this.node.toggleAttribute("data-long", waiting(evening).length > (this.node.closest(".table") ? BESIDE_ROUND : ONE_LINE));
    const leads = tells.scans ? pages.find((each) => each.before === LEAD) : undefined;
    this.rests = leads !== undefined;
    const page = leads ?? pages[this.turn % Math.max(1, pages.length)];
    if (!leads && (this.from >= (page?.items.length ?? 0) || page?.before === LEAD)) this.from = 0;
    const from = leads ? 0 : this.from;
    const words = clockWords(evening);
    const confirm = tells.confirm || evening.closed ? [] : shortNames(evening, toConfirm(evening));
    const [confirms, names] = [el("span"), el("strong")];
    const asked = confirm.length > 0 && el("span", { class: "asked" }, confirms, names);
    const all = page?.items ?? [];
    const seen = () => all.slice(from).map((item, at) => one(at ? "" : page?.before ?? "", item, page));
    const key = [words, confirm, confirm.length > 1 && this.beat, seen().map((each) => each.outerHTML), innerWidth];
    const list = el("span", { class: "page" });
    if (!refill(this.node, key, () => [el("span", { class: "round" }, words), asked, list])) return;
    for (const one of seen()) list.append(one, " ");
    for (let most = confirm.length; asked; most -= 1) { // by turns if there is no room for all
      const now = pageOf(confirm, most, this.beat);
      const which = `${ofAll(now.length, confirm.length)}: `;
      text(names, now.map(unbroken).join(", "));
      text(confirms, CONFIRM.split(" ")[0] + which);
      const { clientHeight: short } = asked;
      text(confirms, CONFIRM + which);
      if (short < asked.clientHeight) text(confirms, CONFIRM.split(" ")[0] + which); // it saves a line
      if (most === 1 || !isCut(asked)) break;
    }
    const drawn = this.trim(page, from, list);
    if (!leads) this.next = page && page.before !== LEAD && this.from + drawn < all.length ? this.from + drawn : 0;
  }

  // Without the items that have no room; how many are left, which is said before them.
  /** @param {Page | undefined} page @param {number} from the first item @param {HTMLElement} list */
  trim(page, from, list) {
    const isFull = () => isCut(list) || isCut(this.node);
    const total = page?.items.length ?? 0;
    const title = page?.before ? list.querySelector(".one > .muted") : null;
    const label = (/** @type {number} */ shown) => title && page && text(title, `${page.before}${page.before === LEAD ? "" : ofAll(shown, total, page.people)}${page.people ? "" : ":"} `);
    if (from || (total > 1 && isFull())) label(1);
    while (isFull() && list.childElementCount > 1) list.lastElementChild?.remove();
    label(list.childElementCount);
    if (isFull()) list.querySelector(".whom")?.remove(); // a long name comes before whom it waits for
    return list.childElementCount;
  }
}

/** @param {Evening} evening @param {Set<number>} shown @param {Tells} tells @returns {Page[]} */
function pagesOf(evening, shown, { standings, hand }) {
  const named = (/** @type {string} */ name) => unbroken(shortNames(evening, [name])[0]);
  /** @param {Match} match @returns {Child} */
  const versus = (match) => match.names.map((name, at) => [at > 0 && el("span", { class: "muted" }, " v "), named(name)]);
  const beside = evening.matches.filter((match) => !shown.has(match.match));
  const idle = waiting(evening);
  const waits = idle.filter(({ awaited }) => awaited.length);
  const leads = standings || !evening.played ? [] : evening.standings.filter((row) => row.place).slice(0, LEADERS);
  const newest = evening.closed || isPlayed(evening) ? [] : latest(evening).slice(0, 2);
  /** @type {Page[]} */
  const pages = [
    ...quarrels(evening).filter((match) => beside.includes(match)).map((match) => ({ before: "", items: [seeDirector(evening, match)], amber: true })),
    { before: "", items: unscored(evening).filter((match) => beside.includes(match)).map((match) => [muted(match.place), versus(match)]) },
    { before: "Sitting out", items: sittingOut(evening).flatMap((match) => match.names.map(named)) },
    { before: "Waiting for a table", items: idle.filter(({ awaited }) => !awaited.length).map(({ name }) => named(name)) },
    { before: "Waiting", people: waits.length, items: inTurn(waits).map(({ names, awaited }) => [el("span", { class: "for whom" }, el("span", { class: "muted" }, "for "), awaited.map((one, at) => [at > 0 && ", ", named(one)]), ": "), names.map((name, at) => [at > 0 && el("span", { class: "for" }, ", then "), named(name)])]) },
    { before: "Next", items: nextOnes(evening).filter(({ names }) => !waits.some(({ name, awaited }) => names.includes(name) && awaited.some((one) => names.includes(one)))).map((match) => el("span", { class: "for" }, versus(match))) },
    { before: LEAD, items: leads.map((row) => [muted(`${rank(row)}.`), named(row.name), el("span", { class: "for" }, ` ${row.points}`), isUnsure(evening, row.entrants) && el("span", { class: "unsure" }, "?")]) },
    { before: "Latest", items: newest.map(inBold) },
    { before: "", items: hand ? [hand] : [] },
  ];
  return pages.filter((page) => page.items.length);
}

// Who waits for the same one, in one: the first is the next.
/** @param {ReturnType<typeof waiting>} waits */
function inTurn(waits) {
  const whom = (/** @type {typeof waits[number]} */ { awaited }) => awaited.join();
  return [...new Set(waits.map(whom))].map((one) => waits.filter((each) => whom(each) === one))
    .map((each) => ({ names: each.map(({ name }) => name), awaited: each[0].awaited }));
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

// How many are in a list, if not all of it is seen.
/** @param {number} shown @param {number} total @param {number} [people] */
const ofAll = (shown, total, people = total) => (shown < total ? ` (${people})` : "");

/** @param {string} words */
const muted = (words) => el("span", { class: "muted" }, `${words} `);

/** @param {string} before @param {Child} what @param {Page} [page] */
const one = (before, what, page) => el("span", { class: "one", "data-amber": page?.amber ?? false }, before && muted(page?.people ? before : `${before}:`), el("strong", {}, what));
