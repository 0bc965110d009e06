// A night as it is read from across the room: who plays where, how everybody stands, at the end the podium. It fills a
// television, or the part that the screen of all tables has for it. At few tables a call has two lines; of few players
// the standings have figures, of many they have two columns.

import { get } from "./api.js";
import { el, isCut, picture, refill } from "./dom.js";
import { invitation } from "./join.js";
import { CONFIRM, apart, areMany, isBusy, isDue, isPlayed, isUnsure, onPodium, page, playing, pointsWords, quarrels, rank, settledFirst, share, shortNames, signed, stillOn, toConfirm, unbroken, upcoming } from "./night-parts.js";

const TURN_MS = 12000;
const CODE_MS = 60000;
const AGAIN_MS = 3000;
const [CODE_TURNS, CODE_OF] = [2, 6]; // the code is in the place of the standings for so many turns running, of so many
const MATCHES = 10; // at once
const [FEW_TABLES, FEW_CALLS, MOST_CALLS] = [5, 6, 7]; // with two lines a call; with a large code below, half of them beside standings; with one at all
const FEW_ROWS = 3; // of the standings; a screen with room for fewer shows none

// Lengths are in hundredths of the screen's shorter side.
const [LEAST, LEAST_CALL] = [4, 4.5]; // type that people need; of calls, where a long one has smaller type of its own
const WIDE = 120; // a part that is so wide has its table beside the calls
const [LOW, CALL, TWO_LINES, ROOMY, HIGH] = [5.2, 6.4, 17.3, 8.6, 27]; // a call with what is below it: at least; beside standings; that has two lines, in which its type is not smaller than in one; before standings grow; before they grow more
const [AIRY, HIGHEST, HIGHEST_BESIDE] = [10.5, 36, 23]; // at most, the code has what is left: with one line among many, with two, and these beside standings
const [GAP, NEAR] = [1.4, 0.5]; // between calls, and between low ones
const [LINE, HIGH_LINE, SPARE_LINE, HIGHEST_LINE] = [4.62, 6.8, 13, 20]; // of the standings: at least; at most below calls; of what these leave; beside them
const [HEAD, LEGEND] = [5.4, 5.2]; // above and below the rows
const [FOOT, LARGE_FOOT] = [22, 27.2]; // below the calls: the code for latecomers, the best hand
const HIGH_FOOT = 37; // has the best hand below the words
const [CODE, HIGHEST_CODE, HIGH_CODE, BESIDE_BEST, LARGEST_CODE, JOINING, WIDEST_CODE, LONE_CODE] = [44, 46.5, 31, 27.6, 50, 30, 55, 64]; // below calls where there are no standings; in a high foot, at most; in another, and there beside the best hand; beside calls, at most; what is below it there; with words beside it, at most; alone beside calls, at most
const [NAMES, ONE_LINE, ROWS, REST, PLACES, WINNER] = [13, 7.4, 8.4, 7, 7.4, 44]; // type at most: of calls with two lines and with one, of the standings, at the end of who is not on the podium; of the podium
const [BEST_WINNER, PLACE, BEST, AWAIT] = [44, 12, 8, 14]; // of the podium, when its table lies below it

const DISPUTE = "Dispute"; // those of a quarrel go to the director

const SCAN = "Scan to join";
const LATE = "Name missing? Ask the director.";

const LONG_NAME = 12; // letters, where two have won

const NEARLY = 0.8; // of their size, names that make room for a word

/** @typedef {{ rows: Evening["standings"], unsure: boolean, lines: number, line: number }} Table some rows of the standings, whether any may change, on how many lines, how high each is */
/** @typedef {{ left: () => HTMLElement, table: Table, scans?: boolean, told?: boolean, code?: number, seen: unknown, tells: import("./night-strip.js").Tells }} Layout what is on the left or above, and what is beside or below it; whether how to join is told on the left, and the code has all the room */

export class Wall {
  /** @param {HTMLElement} node */
  constructor(node, loaded = () => {}) {
    this.node = node;
    this.loaded = loaded; // hears that there is another code
    this.whole = true; // all that the screen shows: it has the code, and room for more than the calls
    /** @type {number[]} */
    this.elsewhere = []; // tables that the screen shows beside it
    this.turn = 0;
    /** @type {import("./night-strip.js").Tells} */
    this.tells = { standings: false }; // besides the calls
    /** @type {Invite | null} */
    this.invite = null;
    /** @type {Evening | null} */
    this.evening = null;
    /** @type {BestOfNight | null} */
    this.hand = null; // the best of the pub's evening
    setInterval(() => {
      this.turn += 1;
      this.again();
    }, TURN_MS);
    new ResizeObserver(() => this.again()).observe(node);
  }

  // That of an earlier night is not known.
  get best() {
    return this.evening?.tonight ? this.hand : null;
  }

  async load() {
    let next = CODE_MS;
    this.invite = await get("/api/night/invite").catch((failure) => {
      if (!failure.unanswered) return null;
      next = AGAIN_MS;
      return this.invite;
    });
    this.hand = await get("/api/tonight").then(({ best_hand: best }) => best, () => this.hand);
    this.again();
    this.loaded();
    setTimeout(() => this.load(), next);
  }

  again() {
    if (this.evening && this.node.checkVisibility()) this.show(this.evening, this.whole, this.elsewhere);
  }

  /** @param {Evening} evening */
  show(evening, whole = true, elsewhere = this.elsewhere) {
    if (!this.evening) this.load();
    Object.assign(this, { evening, whole, elsewhere });
    const unit = Math.min(innerWidth, innerHeight) / 100;
    const [width, height] = [this.node.clientWidth / unit, this.node.clientHeight / unit];
    if (!height) return;
    const beside = width > WIDE;
    const { left, table, scans = false, told = false, code = 0, seen, tells } = evening.closed || isPlayed(evening) ? this.end(evening, beside, height) : this.course(evening, beside, height);
    this.tells = { ...tells, scans, standings: table.rows.length > 0 };
    const changed = refill(this.node, [evening.night, evening.acts, evening.closed, Math.round(width), Math.round(height), table.rows, scans, this.invite?.code, this.best?.points, seen], () => [
      el("div", { class: "parts", "data-beside": beside, "data-alone": !table.rows.length && !scans, "data-scans": scans && !evening.standings.some((row) => row.games), "data-many": areMany(evening) }, left(),
        scans && this.invite && el("div", { class: "join", "data-large": true }, told ? [el("p", {}, SCAN), codeOf(this.invite)] : [codeOf(this.invite), howToJoin(this.invite, LATE)]),
        table.rows.length > 0 && standings(evening, table))]);
    if (!changed) return;
    this.node.style.setProperty("--code", code.toFixed(1));
    for (const drawn of /** @type {NodeListOf<SVGSVGElement>} */ (this.node.querySelectorAll(".join svg"))) drawn.style.setProperty("--modules", String(drawn.viewBox.baseVal.width));
    for (const part of [.../** @type {NodeListOf<HTMLElement>} */ (this.node.querySelectorAll("[data-most]"))].reverse()) fit(part); // who has won has the room that others leave
  }

  // While games are played.
  /** @param {Evening} evening @param {boolean} beside @param {number} height @returns {Layout} */
  course(evening, beside, height) {
    const disputed = quarrels(evening);
    const later = disputed.filter((match) => isBusy(evening, match));
    const games = playing(evening).filter((match) => !disputed.includes(match) && !this.elsewhere.includes(match.table));
    const open = [...disputed.filter((match) => !later.includes(match)), ...games, ...later];
    const begun = evening.standings.some((row) => row.games);
    const footless = !this.whole || !begun || open.length > MOST_CALLS;
    const others = CODE_OF - CODE_TURNS;
    const codeIsDue = Boolean(this.invite) && (!begun || this.turn % CODE_OF >= others);
    const foot = footless ? 0 : open.length > FEW_CALLS / (beside ? 2 : 1) || (beside && areMany(evening)) ? FOOT : LARGE_FOOT;
    const calls = page(open, Math.min(MATCHES, Math.floor((height - foot + NEAR) / LOW)), this.turn);
    const count = Math.max(1, calls.length);
    const scans = codeIsDue && (this.whole || height - count * CALL > FOOT);
    const turn = Math.floor(this.turn / CODE_OF) * others + Math.min(this.turn % CODE_OF, others - 1); // no page is lost to the code
    const table = ranked(evening, begun ? evening.standings : [], beside ? height : height - foot - count * CALL, turn);
    const around = HEAD + legendOf(evening, table) + GAP;
    const line = (/** @type {number} */ call) => (height - foot - around - count * call) / table.lines;
    table.line = beside ? Math.min(HIGHEST_LINE, (height - around) / table.lines) : Math.max(LINE, Math.min(HIGH_LINE, line(ROOMY)), Math.min(SPARE_LINE, line(HIGH)));
    const below = beside ? 0 : table.rows.length ? table.line * table.lines + around : scans ? (this.whole ? CODE : FOOT) : 0;
    if (scans) table.rows = []; // no call moves
    const room = (height - foot - below) / count;
    const tall = evening.tables.length <= FEW_TABLES && room >= TWO_LINES;
    const each = Math.min(room, tall || !areMany(evening) ? (beside && foot ? HIGHEST_BESIDE : HIGHEST) : foot ? AIRY : HIGHEST); // with the gap below it
    const gap = each < CALL ? NEAR : GAP;
    const spare = height - below - count * each;
    const high = each - gap;
    const roomy = spare > HIGH_FOOT;
    const best = this.best && bestHand(evening, this.best);
    const told = scans && beside && foot > 0 && !this.invite?.unreachable;
    const isBelow = roomy || !beside; // else the digits of the code have the room
    return {
      table,
      scans,
      told,
      code: told ? Math.min(LONE_CODE, height) : scans ? (beside ? Math.min(LARGEST_CODE, height - JOINING) : Math.min(WIDEST_CODE, below + foot - GAP)) : Math.min(roomy ? HIGHEST_CODE : beside ? HIGH_CODE : BESIDE_BEST, spare - GAP),
      seen: [calls, calls.filter((match) => isDue(evening, match)).map((match) => match.match), disputed.map((match) => isBusy(evening, match)), each],
      tells: { standings: true, hand: !(foot && isBelow) && best },
      left: () => {
        const pairs = tall && calls.some((match) => match.sides.some((side) => side.length > 1)); // each on a line
        const part = el("section", { class: "calls", "data-tall": tall, "data-pairs": pairs, "data-most": tall ? Math.min(NAMES, (high - 2) / (pairs ? 3.4 : 2.2)) : Math.min(ONE_LINE, 0.72 * high), "aria-label": "Who plays now" },
          calls.length ? calls.map((match) => call(evening, match, disputed.includes(match))) : el("p", { class: "call" }, el("span", { class: "pair" }, upcoming(evening).length ? "Nobody is called just now." : "No match is on.")));
        part.style.setProperty("--high", high.toFixed(2));
        part.style.setProperty("--gap", String(gap));
        return el("div", { class: "course" }, part, foot > 0 && (beside || !scans) && el("div", { class: "foot", "data-high": roomy },
          this.invite && (told ? el("div", { class: "join" }, howToJoin(this.invite, LATE, "")) : !scans && el("div", { class: "join" }, codeOf(this.invite), howToJoin(this.invite))),
          isBelow && best && el("p", { class: "fact" }, best)));
      },
    };
  }

  // Who has won, large; until the director closes the night nobody has.
  /** @param {Evening} evening @param {boolean} beside @param {number} height @returns {Layout} */
  end(evening, beside, height) {
    const large = onPodium(evening);
    const won = large.filter((row) => row.place === 1);
    const others = large.filter((row) => row.place !== 1);
    const room = beside ? height : height - BEST_WINNER - others.length * PLACE - (this.best ? BEST : 0) - (evening.closed ? 0 : AWAIT) - GAP;
    const table = ranked(evening, evening.standings.filter((row) => !large.includes(row)), room, this.turn, false);
    table.line = Math.min(beside ? HIGHEST_LINE : areMany(evening) ? ROOMY : SPARE_LINE, (room - HEAD - legendOf(evening, table)) / table.lines);
    const points = (/** @type {typeof won[number]} */ row) => [pointsWords(row.points).replace(" ", "\u00a0"), row.place > 1 ? el("span", { class: "more" }, apart(evening, row, false)) : won.length > 1 ? " each, a complete tie" : apart(evening, row), isUnsure(evening, row.entrants) && el("span", { class: "unsure" }, "\u00a0?")];
    const asked = shortNames(evening, toConfirm(evening)).map((name) => name.replaceAll(" ", "\u00a0"));
    const words = `${evening.closed ? "" : "Provisional "}${won.length > 1 ? "winners" : "winner"}`.replace(/^w/, "W");
    return {
      table,
      seen: asked,
      tells: { standings: true, confirm: true },
      left: () => el("section", { class: "podium", "data-closed": evening.closed, "aria-label": "The podium" },
        won.length > 0 && el("div", { class: "winner", "data-most": WINNER }, el("p", { class: "note" }, words), won.map((row, at) => el("strong", {}, at > 0 && el("span", { class: "and" }, "and "), inLines(won.length > 1 && row.name.length > LONG_NAME ? shortNames(evening, [row.name])[0] : row.name).replaceAll("-", "-\u2060"))), el("p", {}, points(won[0]))),
        others.length > 0 && el("div", { class: "places", "data-most": PLACES }, others.map((row) => el("p", {}, el("span", { class: "rank" }, rank(row)), el("strong", {}, shortNames(evening, [row.name])), el("span", { class: "points" }, points(row))))),
        !evening.closed && (asked.length ? el("p", { class: "await" }, `${CONFIRM}: `, el("strong", {}, asked.join(", ")), el("span", { class: "changes" }, resultOpen())) : el("p", { class: "await closes" }, "Final when the director closes the night")),
        this.best && el("p", { class: "best" }, bestHand(evening, this.best))),
    };
  }
}

// Each of a pair on one line.
/** @param {string} name */
const inLines = (name) => (name.includes(" and ") ? name.split(" and ").map((one) => one.replaceAll(" ", "\u00a0")).join(" and\u00a0") : name);

// As many rows as have room below each other or in two columns; who leads is always seen while games are played.
/** @param {Evening} evening @param {Evening["standings"]} all @param {number} room @param {number} turn @returns {Table} */
function ranked(evening, all, room, turn, leads = true) {
  const columns = areMany(evening) ? 2 : 1;
  const unsure = isUnsure(evening, all.flatMap((row) => row.entrants));
  const most = columns * Math.floor((room - HEAD - legendOf(evening, { unsure })) / LINE);
  const rows = all.length <= most ? all : most < FEW_ROWS ? [] : leads ? [all[0], ...page(all.slice(1), most - 1, turn)] : page(all, most, turn);
  return { rows, unsure, lines: Math.ceil(rows.length / columns), line: 0 };
}

/** @param {Evening} evening @param {Pick<Table, "unsure">} table */
const legendOf = (evening, { unsure }) => (unsure || areMany(evening) ? LEGEND : 0);

// The largest type at which nothing in a part is cut; what is said besides, if names need be only a little smaller for
// it. What is too long at the least has smaller type of its own: never a call, for which all others
// are smaller, too. A name is never cut; at last its type is smaller than any should be.
/** @param {HTMLElement} part */
function fit(part) {
  /** @returns {HTMLElement[]} */
  const all = (/** @type {string} */ read) => [...part.querySelectorAll(read)].filter((node) => node instanceof HTMLElement);
  const nodes = [part, ...all(".call, .at, .pair, .who, li, strong")];
  const most = Math.max(LEAST, Number(part.dataset.most));
  const oneLine = part.matches(".calls:not([data-tall])");
  const least = Math.min(most, oneLine ? LEAST_CALL : LEAST);
  const resize = (/** @type {number} */ size) => part.style.setProperty("--size", size.toFixed(2));
  const largest = (/** @type {HTMLElement[]} */ read, to = least, from = most) => {
    for (let size = from; size > to - 0.1; size -= 0.2) {
      resize(Math.max(to, size));
      if (!read.some(isCut)) return Math.max(to, size);
    }
    return 0;
  };
  part.style.removeProperty("--apart");
  part.style.setProperty("--at", Math.max(0, ...all(".at").map(widthOf)).toFixed(3)); // names are one below the other
  const extras = all(".more");
  const tell = (/** @type {boolean} */ said) => extras.forEach((more) => (more.hidden = !said));
  tell(false);
  const size = largest(nodes);
  if (!size && oneLine) {
    const calls = nodes.filter((node) => node.closest("[data-due], [data-quarrel], [data-later]"));
    const fewer = ["[data-none]", "[data-later]", "[data-torn]", ""]; // words beside them: of all such calls
    const fitting = fewer.some((which) => {
      for (const go of all(`.call${which} > .go[data-short]`)) go.textContent = go.dataset.short ?? "";
      return largest(calls, LEAST, least);
    });
    if (!fitting) resize(least);
  }
  if (!size && !oneLine) {
    const long = nodes.filter(isCut);
    largest(nodes.filter((node) => !long.includes(node))); // one long name does not make all small
  }
  const there = Number(part.style.getPropertyValue("--size"));
  if (extras.length && !part.matches(".places")) {
    tell(true);
    const fitting = size ? nodes : nodes.filter((node) => !isCut(node) || node.closest(".call")?.querySelector(".more"));
    if (!largest(fitting, Math.max(LEAST, NEARLY * there), there)) {
      tell(false);
      resize(there);
    }
  }
  const cut = nodes.filter(isCut).length;
  part.style.setProperty("--apart", ".3em"); // from its table, where there is room
  if (nodes.filter(isCut).length > cut) part.style.removeProperty("--apart");
  for (const node of nodes.filter(isCut)) {
    if (node.matches(".at")) node.dataset.long = ""; // a fraction of a pixel costs it no letters
    if (node.matches(".pair, .who, strong")) squeeze(node, LEAST / Number(part.style.getPropertyValue("--size")) + 0.0001); // rounded, it is not below the least
  }
  if (part.matches(".places") && extras.length) giveReasons(all("strong"), extras);
}

// As a multiple of the size of its type.
/** @param {HTMLElement} node */
function widthOf(node) {
  const range = document.createRange();
  range.selectNodeContents(node);
  return range.getBoundingClientRect().width / parseFloat(getComputedStyle(node).fontSize);
}

// The reasons of places where there is room for them, perhaps in smaller type, for which a name may be a little
// smaller: all alike.
/** @param {HTMLElement[]} names @param {HTMLElement[]} reasons */
function giveReasons(names, reasons) {
  const others = names.filter((name) => !name.style.fontSize); // than long ones
  let smallest = 1;
  for (const reason of reasons) {
    const name = /** @type {HTMLElement} */ (reason.closest("p")?.querySelector("strong"));
    const { style } = name;
    const to = !others.includes(name) ? 1 : Math.max(NEARLY, LEAST / Number(name.parentElement?.parentElement?.style.getPropertyValue("--size")));
    reason.hidden = false;
    for (let size = 1; size > to && isCut(name); size -= 0.02) style.fontSize = `${size.toFixed(2)}em`;
    if (isCut(name)) small(reason);
    reason.hidden = isCut(name);
    if (reason.hidden && to < 1) style.fontSize = "";
    if (to < 1) smallest = Math.min(smallest, parseFloat(style.fontSize || "1"));
  }
  for (const { style } of others) style.fontSize = smallest < 1 ? `${smallest}em` : "";
  if (reasons.some((reason) => reason.parentElement?.style.fontSize)) reasons.forEach(small);
}

/** @param {HTMLElement} reason */
const small = ({ parentElement: points }) => points?.style.setProperty("font-size", `calc(${LEAST} * var(--u))`);

/** @param {HTMLElement} node @param {number} least */
function squeeze(node, least) {
  if (node.matches(".winner *")) return void (node.dataset.long = "");
  const shrink = (/** @type {number} */ to) => {
    for (let size = 1; isCut(node) && size > to; size -= 0.02) node.style.fontSize = `${Math.max(to, size - 0.02).toFixed(4)}em`;
  };
  shrink(least);
  if (isCut(node)) node.dataset.long = "";
  shrink(0.4);
}

/** @param {Invite} invite */
const codeOf = (invite) => !invite.unreachable && picture(invite.svg, "QR code that joins the night");

// What is done with the code, and its digits.
/** @param {Invite} invite @param {string} late what is said to others */
function howToJoin(invite, late = "", scan = SCAN) {
  if (invite.unreachable) return invitation({ ...invite, code: "" }, "To join");
  return el("p", {}, scan, el("span", { class: "or" }, "Scanned a table? Menu \u201cNight\u201d, type"), el("strong", { class: "code" }, invite.code), late && el("span", { class: "late" }, late));
}

const resultOpen = () => [el("span", { class: "unsure" }, "?"), el("span", { class: "muted" }, " = result open")];

/** @param {Evening} evening @param {BestOfNight} best */
const bestHand = (evening, best) => [el("span", { class: "muted" }, "Best hand "), el("strong", {}, String(best.points)), best.by && el("span", { class: "by" }, ` ${unbroken(shortNames(evening, [best.by])[0])}`)];

// Where matches are played, in few words.
/** @param {Match[]} matches */
const tables = (matches) => matches.map(({ place }) => place).join(", ").replaceAll(", Table ", ", ").replace(/^Table (\d+,)/, "Tables $1");

/** @param {Evening} evening @param {Match} match @param {boolean} disputed */
function call(evening, match, disputed) {
  const { running } = match;
  const quarrelling = settledFirst(evening, match).flatMap((each) => each.sides.flat());
  const due = isDue(evening, match);
  const soon = due && (quarrelling.length > 0 || stillOn(evening, match) !== undefined);
  const now = disputed && !isBusy(evening, match);
  const ahead = (/** @type {number} */ side) => running && running[side] > running[1 - side];
  const names = shortNames(evening, match.names);
  const others = disputed ? playing(evening).filter((each) => each !== match && share(each, match)) : [];
  const first = (/** @type {number} */ side) => match.sides[side].some((who) => quarrelling.includes(who));
  return el("article", { class: "call", "data-due": due, "data-torn": soon, "data-quarrel": now, "data-later": disputed && !now },
    el("p", { class: "at" }, disputed ? DISPUTE : match.place), // they may be elsewhere by now
    el("p", { class: "pair" }, names.map((name, side) => [side > 0 && el("span", { class: "muted" }, " v "), el(due || now || ahead(side) ? "strong" : "span", { class: due && first(side) ? "first" : null }, name)])),
    due && el("p", { class: "go", "data-short": soon ? "soon" : "go" }, soon ? "soon" : "go now"),
    disputed && el("p", { class: "go", "data-short": now ? "director" : others.length > 1 ? "after games" : "after game" }, now ? "to director" : `after ${tables(others)}`),
    !due && !disputed && !running && el("p", { class: "go muted" }, el("span", { class: "more" }, "playing")),
    running && !disputed && el("p", { class: "go score" }, running.map((front, side) => [side > 0 && "\u2060–\u2060", el(ahead(side) ? "strong" : "span", {}, String(front))])));
}

/** @param {Evening} evening @param {Table} table */
function standings(evening, { rows, unsure, lines, line }) {
  const many = areMany(evening);
  const [first, second, last] = [rows[0], rows[1], rows[rows.length - 1]].map((row) => evening.standings.indexOf(row) + 1);
  const pinned = first === 1 && second > 2;
  const from = pinned ? second : first;
  const title = rows.length === evening.standings.length ? "Standings" : from === last ? `Place ${last}` : `Places ${from}–${last}`;
  const legend = [many && (unsure ? "ties: wins, then spread · " : "equal points: more wins, then spread"), unsure && resultOpen()];
  const points = () => el("span", {}, "points");
  const head = many
    ? [el("p", {}, el("span", {}, title), points()), el("p", {}, el("span"), points())]
    : el("p", {}, el("span", {}, title), el("span", {}, "won"), el("span", {}, "spread"), points());
  const list = el("ol", {}, rows.map((row, at) => el("li", { class: row.place === 1 && row.games ? "first" : null, "data-band": at % lines % 2 === 0 },
    el("span", { class: "rank" }, rank(row)), el("span", { class: "who" }, shortNames(evening, [row.name]).map(inLines)),
    !many && [el("span", { class: "muted" }, row.games ? String(row.won) : ""), el("span", { class: "muted" }, row.games ? signed(row.spread) : "")],
    el("strong", {}, row.games || row.points !== "0" ? row.points : "", isUnsure(evening, row.entrants) && el("span", { class: "unsure" }, "?")))));
  const part = el("section", { class: "table-of", "data-many": many, "data-pinned": pinned, "data-pairs": line > 2 * HIGH_LINE && rows.some((row) => row.entrants.length > 1), "data-most": Math.min(evening.closed || isPlayed(evening) ? REST : ROWS, 0.76 * line), "aria-label": "Standings" }, el("div", { class: "head muted" }, head), list, (many || unsure) && el("p", { class: "legend muted" }, legend));
  part.style.setProperty("--rows", String(lines));
  part.style.setProperty("--row", line.toFixed(2));
  return part;
}
