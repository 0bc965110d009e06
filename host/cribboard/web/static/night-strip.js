// A night on one line below a screen: the round and its end, then what the screen itself does not show, by turns.

import { el, isCut, refill, text } from "./dom.js";
import { CONFIRM, clockWords, isPlayed, isUnsure, latest, page as pageOf, playing, quarrels, rank, seeDirector, shortNames, sittingOut, toConfirm, unbroken, unscored, upcoming, waiting } from "./night-parts.js";

const TURN_MS = 8000;
const [LEADERS, FIRST] = [5, 3]; // named where no standings are; while the code is in their place

const LEAD = "Leaders";
const MORE = "\u2026"; // come in the next turn
const [ONE_LINE, BESIDE_ROUND] = [4, 1]; // so many who wait have a line; on the screen of all tables, where the round is there, too
const [TWO_LINES, MOST_LINES] = [5, 4]; // so many items have two upright; at most, with those of who is asked

/** @typedef {{ standings: boolean, hand?: Child, scans?: boolean, confirm?: boolean }} Tells what a screen says besides; the best hand if it does not */
/** @typedef {{ before: string, later?: string, items: Child[], amber?: boolean, legend?: (at: number) => Child }} List what is said of one kind; how it is called where it goes on; what explains an item */
/** @typedef {{ list: List, at: number, what: Child }} Item of a list, where it stands there */

export class Strip {
  /** @param {HTMLElement} node */
  constructor(node) {
    this.node = node;
    this.from = 0; // the first item that is shown
    this.next = 0; // the first that had no room, 0 if all had
    this.beat = 0;
    this.again = () => {};
    setInterval(() => this.goOn(), TURN_MS);
    addEventListener("resize", () => this.again());
  }

  goOn() {
    this.beat += 1;
    this.from = this.next;
    this.again();
  }

  // `shown` are the matches that the screen shows.
  /** @param {Evening | null} evening @param {Set<number>} shown @param {Tells} tells */
  show(evening, shown, tells) {
    this.again = () => this.show(evening, shown, tells);
    this.node.hidden = !evening;
    if (!evening) return;
    this.node.toggleAttribute("data-long", waiting(evening).length > (this.node.closest(".table") ? BESIDE_ROUND : ONE_LINE));
    const lists = listsOf(evening, shown, tells);
    const leads = lists.filter((list) => tells.scans && list.before === LEAD).flatMap(itemsOf).slice(0, FIRST); // they have no other place
    const items = lists.filter((list) => !tells.scans || list.before !== LEAD).flatMap(itemsOf);
    if (this.from >= items.length) this.from = 0;
    const words = clockWords(evening);
    const confirm = tells.confirm || evening.closed ? [] : shortNames(evening, toConfirm(evening));
    const [confirms, names] = [el("span"), el("strong")];
    const asked = confirm.length > 0 && el("span", { class: "asked" }, confirms, names);
    const from = leads.length ? 0 : this.from; // who sees leaders only here sees the next games, too
    const shownNow = [...leads, ...items.slice(from), ...items.slice(0, from)]; // from the start where there is room
    const seen = drawn(shownNow);
    const key = [words, confirm, confirm.length > 1 && this.beat, seen.map((each) => each.outerHTML), innerWidth];
    const list = el("span", { class: "page" });
    if (!refill(this.node, key, () => [el("span", { class: "round" }, words), asked, list])) return;
    for (const one of seen) list.append(one, " ");
    const wanted = items.length > TWO_LINES ? 3 : 2;
    this.node.style.setProperty("--lines", String(wanted));
    for (let most = confirm.length; asked; most -= 1) { // by turns if there is no room for all
      const now = pageOf(confirm, most, this.beat);
      text(names, now.map(unbroken).join(", ") + (now.length < confirm.length ? ` ${MORE}` : ""));
      text(confirms, `${CONFIRM}: `);
      const lines = Math.round(asked.clientHeight / parseFloat(getComputedStyle(asked).lineHeight));
      if (most === confirm.length) this.node.style.setProperty("--lines", String(Math.min(MOST_LINES, lines + wanted))); // as long as it is so
      if (most === 1 || !isCut(asked)) break;
    }
    const count = this.trim(shownNow, list);
    if (!leads.length) this.next = from + count < items.length ? from + count : 0;
  }

  // Without the items that have no room; a sign that there are more of a list. How many are left.
  /** @param {Item[]} items @param {HTMLElement} list */
  trim(items, list) {
    const isFull = () => isCut(list) || isCut(this.node);
    while (isFull() && list.childElementCount > 1) list.lastElementChild?.remove();
    const sign = el("span", { class: "muted" }, ` ${MORE}`);
    for (let count = list.childElementCount; count; count -= 1) {
      const [before, last] = [items[count - 2], items[count - 1]];
      sign.remove();
      if (last.list.before === LEAD || last.at === last.list.items.length - 1) break;
      list.lastElementChild?.append(sign);
      if (!isFull()) break;
      if (before?.list === last.list) list.lastElementChild?.remove();
      else sign.remove(); // it is better than none
      if (before?.list !== last.list) break;
    }
    return list.childElementCount;
  }
}

/** @param {List} list @returns {Item[]} */
const itemsOf = (list) => list.items.map((what, at) => ({ list, at, what }));

// What the items of a list are is said before the first of them that is seen.
/** @param {Item[]} items */
const drawn = (items) => items.map(({ list, at, what }, place) => {
  const { before, later = before, legend = () => null, amber = false } = list;
  const isNext = items[place - 1]?.list === list && items[place - 1].at < at;
  return el("span", { class: "one", "data-amber": amber }, before && !isNext && el("span", { class: "muted" }, at ? later : before, legend(at), ": "), el("strong", {}, what));
});

/** @param {Evening} evening @param {Set<number>} shown @param {Tells} tells @returns {List[]} */
function listsOf(evening, shown, { standings, hand }) {
  const named = (/** @type {string} */ name) => unbroken(shortNames(evening, [name])[0]);
  /** @param {Match} match @param {(side: number) => boolean} bold @param {string} other what is not @returns {Child} */
  const versus = (match, bold = () => true, other = "") => match.names.map((name, side) => [side > 0 && muted(" v"), el("span", { class: bold(side) ? null : other }, named(name))]);
  const beside = evening.matches.filter((match) => !shown.has(match.match));
  const busy = new Set(playing(evening).flatMap((match) => match.sides.flat()));
  const free = evening.entrants.filter(({ entrant, here }) => busy.size && here && !busy.has(entrant)).map(({ entrant }) => entrant);
  const theirs = new Set(free.map((who) => upcoming(evening).find((match) => match.sides.flat().includes(who))));
  const next = [...new Set([...evening.matches.filter((match) => theirs.has(match)), ...nextOnes(evening)])];
  // a player is bold in their first game only
  const isFree = (/** @type {Match} */ match) => (/** @type {number} */ side) => match.sides[side].every((who) => free.includes(who) && upcoming(evening).find((one) => one.sides.flat().includes(who)) === match);
  const areMixed = new Set(next.flatMap((match) => [0, 1].map(isFree(match)))).size > 1;
  const leads = standings || !evening.played ? [] : evening.standings.filter((row) => row.place).slice(0, LEADERS);
  const newest = evening.closed || isPlayed(evening) ? [] : latest(evening).slice(0, 2);
  /** @type {List[]} */
  const lists = [
    ...quarrels(evening).filter((match) => beside.includes(match)).map((match) => ({ before: "", items: [seeDirector(evening, match)], amber: true })),
    { before: "", items: unscored(evening).filter((match) => beside.includes(match)).map((match) => [muted(match.place), versus(match)]) },
    { before: `Sitting out round ${evening.round}`, items: sittingOut(evening).flatMap((match) => match.names.map(named)) },
    { before: "Next", later: "Later", items: next.map((match) => versus(match, isFree(match), areMixed ? "muted" : "for")), legend: (at) => areMixed && [0, 1].some(isFree(next[at])) && [" (", el("strong", {}, "bold"), " waits)"] },
    { before: LEAD, items: leads.map((row) => [muted(`${rank(row)}.`), named(row.name), el("span", { class: "for" }, ` ${row.points}`), isUnsure(evening, row.entrants) && el("span", { class: "unsure" }, "?")]) },
    { before: "Latest", items: newest.map(([winner, after, mark]) => el("span", { class: "for" }, winner, after, el("span", { class: "unsure" }, mark))) },
    { before: "", items: hand ? [hand] : [] },
  ];
  return lists.filter((list) => list.items.length);
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
