// The night on paper: a card for each player or drawn pair; the plan; slips for the matches of the next rounds; the standings. A4 and Letter.

import { get, sentence } from "./api.js";
import { el, fill } from "./dom.js";
import { apart, begun, clock, pointsWords, rank, remark, shortNames, SHORTER, signed, upcoming, winners } from "./night-parts.js";
import { recall, remember } from "./settings.js";

/** @typedef {"cards" | "changed" | "plan" | "slips" | "missing" | "standings"} Kind */
// What is printed, and what it is for.
/** @param {Evening} evening @returns {[Kind, string, string][]} */
export function papers(evening) {
  const next = nextRounds(left(evening));
  const slips = next.length ? `for the matches of ${roundsOf(next)} of ${evening.rounds}` : "blank ones";
  return [["cards", "Cards", "one for each player or drawn pair"], ["plan", "Plan", "who plays whom in each round, for the wall"], ["slips", "Slips", slips], ["standings", "Standings", "for the wall"]];
}

const CARDS_A_SHEET = 4; // two beside two
const MOST_ROUNDS = 12; // on one of those
const SLIPS_A_SHEET = 10;
const LAST_ROUNDS = 5; // those are printed at once
const SLIP_SHEETS = 3; // at a time: what is drawn for later may change
const CROSS = 8; // of so many everybody's games with everybody fit below the standings
// What a sheet has room for on the shorter paper, Letter: rounds of a plan one below the other, with lines of 8 mm; cards as wide as the sheet, with lines of 7 mm at least.
const [HIGH_MM, LINE_MM, HEAD_MM, OUT_MM] = [249, 8, 6.5, 5];
const [SHEET_MM, ROW_MM, AROUND_MM] = [261.4, 7.2, 14.6];
// On the narrower paper, A4, a plan's columns share so many mm, of which gaps and scores take so many of each; its names are of 15 pt; a name of so many em has smaller type than others.
const [COLUMNS_MM, BESIDE_MM, TYPE_MM, LONG_EM] = [194.6, 19.5, 5.3, 16];
// There a card has so many mm for names, of at least 12 pt; one as wide as the sheet, or of partners.
const [CARD_MM, WIDE_MM, PARTNERS_MM, LEAST_MM] = [24.8, 46, 43, 4.25];
const [TABLE_MM, TABLES_MM, TABLE_TYPE_MM] = [10.2, 16, 4]; // the head of tables, at most a table's name, and that name's type
const LEAGUE_POINTS = "League points"; // on paper, where points alone are those pegged
const PRINTED = "night-printed";

// Prints one kind of page; what the screen shows stays.
/** @param {HTMLElement} node @param {Evening} evening @param {Kind} kind */
export async function paper(node, evening, kind) {
  const [pub, tonight] = await Promise.all([get("/api/pub").catch(() => null), kind === "standings" && evening.tonight ? get("/api/tonight").catch(() => null) : null]);
  const house = pub?.name ?? "";
  const title = [house, evening.name || "League night", day(evening)].filter(Boolean).join(", ");
  const printed = printedHere(evening);
  const { first = {}, firstSlips = [] } = printed;
  const wanted = kind === "missing" ? outOfDate(evening).missing : nextRounds(left(evening)); // slips
  const made = { cards: () => cards(evening, title, together(evening, here(evening)), first), changed: () => cards(evening, title, outOfDate(evening).cards, first), plan: () => plan(evening, title), slips: () => slips(evening, house, wanted, firstSlips), missing: () => slips(evening, house, wanted, firstSlips), standings: () => standings(evening, title, tonight?.best_hand ?? null) }[kind];
  fill(node, made());
  node.className = { changed: "cards", missing: "slips" }[String(kind)] ?? kind;
  node.hidden = false;
  if (node.className === "cards") {
    const cards = Object.fromEntries(here(evening).map((one) => [one.entrant, opponents(evening, one.entrant)]));
    Object.assign(printed, { cards, first: { ...cards, ...first } });
  }
  if (kind === "plan") printed.plan = evening.matches.map(pairing).sort();
  if (node.className === "slips") {
    const old = left(evening).map(pairing).filter((text) => printed.slips?.includes(text));
    printed.slips = [...new Set([...old, ...wanted.map(pairing)])];
    printed.firstSlips = [...firstSlips, ...wanted.filter((match) => !hasPrintedRound(match, firstSlips)).map(pairing)];
  }
  remember(PRINTED, printed);
  addEventListener("afterprint", () => (node.hidden = true), { once: true });
  print();
}

/** @typedef {Evening["entrants"][number]} Entrant */
/** @typedef {{ entrant: number, name: string, holders: number[] }} Card */

/** @param {Evening} evening */
const here = (evening) => evening.entrants.filter((one) => one.here);

// Matches still without a result.
/** @param {Evening} evening */
const left = (evening) => evening.matches.filter((match) => !match.bye && !match.over);

// Those of whole rounds, of as many as slips on a few sheets have room for, of one at least.
/** @param {Match[]} matches */
function nextRounds(matches) {
  const sorted = [...matches].sort((one, other) => one.round - other.round);
  if (new Set(sorted.map((match) => match.round)).size <= LAST_ROUNDS) return sorted;
  return sorted.filter((match) => match.round === sorted[0].round || sorted.filter((each) => each.round <= match.round).length <= SLIP_SHEETS * SLIPS_A_SHEET);
}

// Who plays whom in which round, and who deals first, as one text.
/** @param {Match} match */
const pairing = (match) => `${match.round} ${match.names.join(" v ")} ${match.first}`;

// Whether its round is among those of which slips have been printed.
/** @param {Match} match @param {string[]} slips */
const hasPrintedRound = (match, slips) => slips.some((text) => text.startsWith(`${match.round} `));

/** @param {Evening} evening @param {number} who */
const matchesOf = (evening, who) => evening.matches.filter((match) => match.sides.some((side) => side.includes(who)));

// Whom a card names, as one text.
/** @param {Evening} evening @param {number} who */
const opponents = (evening, who) => matchesOf(evening, who).map(pairing).join("; ");

// Those of a drawn pair share a card, as they share every match and sit out together.
/** @param {Evening} evening @param {Entrant[]} entrants @returns {Card[]} */
function together(evening, entrants) {
  const shared = new Map(/** @type {[string, Entrant[]][]} */ ([]));
  for (const one of entrants) {
    const mine = matchesOf(evening, one.entrant).map((match) => (match.bye ? `${match.round} out` : match.match));
    const key = evening.draw === "pairs" && mine.length ? mine.join() : `alone ${one.entrant}`;
    shared.set(key, [...shared.get(key) ?? [], one]);
  }
  return [...shared.values()].map(([one, ...others]) => {
    const match = others.length ? matchesOf(evening, one.entrant).find((each) => !each.bye) : undefined;
    const name = match?.names[match.sides.findIndex((side) => side.includes(one.entrant))]; // as others call them
    return { entrant: one.entrant, name: name ?? [one, ...others].map((each) => each.name).join(" and "), holders: [one, ...others].map((each) => each.entrant) };
  });
}

// What cards, plan and slips of this night named when they were last printed here; cards and the slips of each round also when they first were.
/** @typedef {{ night: number, cards?: Record<number, string>, first?: Record<number, string>, plan?: string[], slips?: string[], firstSlips?: string[] }} Printed */

/** @param {Evening} evening @returns {Printed} */
function printedHere(evening) {
  const printed = /** @type {Printed | null} */ (recall(PRINTED, null));
  return printed?.night === evening.night ? printed : { night: evening.night };
}

// What was printed here and names other opponents than are planned now: whose cards (`fresh` never had one), the plan, the slips. `missing` are matches that need a slip, where
// slips are used: those that have changed, else those of the next rounds, once they are near. A Swiss night has no more than the next round.
/** @param {Evening} evening */
export function outOfDate(evening) {
  const { cards, plan, slips } = evening.draw === "swiss" || !upcoming(evening).length ? /** @type {Printed} */ ({ night: 0 }) : printedHere(evening);
  const changed = cards ? together(evening, here(evening).filter((one) => cards[one.entrant] !== opponents(evening, one.entrant))) : [];
  const without = slips ? left(evening).filter((match) => !slips.includes(pairing(match))) : [];
  const redrawn = without.filter((match) => hasPrintedRound(match, slips ?? []));
  return {
    cards: changed,
    fresh: changed.filter((one) => !cards?.[one.entrant]),
    plan: plan !== undefined && String(plan) !== String(evening.matches.map(pairing).sort()),
    slips: redrawn.length > 0,
    missing: redrawn.length ? redrawn : without.some((match) => match.round <= begun(evening) + 1) ? nextRounds(without) : [],
  };
}

/** @param {Evening} evening */
const day = (evening) => new Intl.DateTimeFormat(undefined, { dateStyle: "medium" }).format(new Date(evening.began)).replaceAll(" ", "\u00a0");

// Paper goes stale: when it was right.
/** @param {Evening} evening */
const planOf = (evening) => `${evening.closed ? "As of" : "Plan of"} ${timeNow()}`;

/** @param {Evening} evening */
const stamp = (evening) => `${planOf(evening)}${evening.closed ? "." : "; it may change."}`;

const timeNow = () => clock(new Date().getHours(), new Date().getMinutes());

/** @param {string[]} heads @param {Child[][]} rows */
const table = (heads, rows) => el("table", {}, el("thead", {}, el("tr", {}, heads.map((head) => el("th", { scope: "col" }, head)))), el("tbody", {}, rows.map((row) => el("tr", {}, row.map((cell) => el("td", {}, cell))))));

// Where a match is played; before it is called that is known only of players with a table of their own: whoever is free first has the table.
/** @param {Evening} evening @param {Match} match */
const place = (evening, match) => (!match.bye && (match.called || evening.entrants.some((one) => one.table && one.table === match.place && match.sides.some((side) => side.includes(one.entrant)))) ? match.place : "");
// Its number alone if it has no name of its own.
/** @param {Evening} evening @param {Match} match */
const numberOf = (evening, match) => place(evening, match).replace(/^Table (?=\d+$)/, "");

// What to call everybody where there are so many mm for a name in type of so many: whole if it fits, else as short as need be.
/** @param {Evening} evening @param {string[]} names @param {number} room @param {number} type */
function namesFor(evening, names, room, type) {
  const ways = [[], SHORTER.slice(-1), SHORTER].map((ways) => shortNames(evening, names, ways));
  return new Map(names.map((name, at) => [name, (ways.find((way) => widest([way[at]]) * type <= room) ?? ways[2])[at]]));
}

/** @param {Match[]} matches */
const namesOf = (matches) => [...new Set(matches.flatMap((match) => match.names))];

// Which rounds these are of.
/** @param {Match[]} matches */
export function roundsOf(matches) {
  const rounds = matches.map((match) => match.round);
  const [first, last] = [Math.min(...rounds), Math.max(...rounds)];
  return first === last ? `round ${first}` : `rounds ${first}–${last}`;
}

// Blank ones fill the last sheet, for latecomers.
/** @template T @param {T[]} all @param {number} sheet @param {() => T} blank */
const filled = (all, sheet, blank) => [...all, ...Array.from({ length: (sheet - (all.length % sheet)) % sheet }, blank)];

// `first` is what each player's first card named; a changed card says that it replaces it.
/** @param {Evening} evening @param {string} title @param {Card[]} wanted @param {Record<number, string>} first */
function cards(evening, title, wanted, first) {
  const wide = evening.draw === "pairs" || evening.draw === "partners" || evening.rounds > MOST_ROUNDS; // for names of pairs
  const below = wide ? Math.max(1, Math.min(CARDS_A_SHEET, Math.floor(SHEET_MM / (AROUND_MM + ROW_MM * (evening.rounds + 1))))) : CARDS_A_SHEET / 2;
  const came = evening.best_of > 1 ? ["Won", "Lost"] : ["Won by", "Lost by"];
  const room = { partners: PARTNERS_MM }[evening.draw] ?? (wide ? WIDE_MM : CARD_MM);
  const names = namesFor(evening, namesOf(evening.matches), room, LEAST_MM);
  const alike = Math.max(...[...names.values()].map((name) => widest([name])).filter((wide) => wide * LEAST_MM <= room), 0); // one size of type
  const rules = `${LEAGUE_POINTS}: ${evening.worth.charAt(0).toLowerCase()}${evening.worth.slice(1)}.${evening.best_of > 1 ? ` Best of ${evening.best_of} games.` : ""}`;
  const deals = `D:\u00a0${evening.draw === "pairs" || evening.draw === "partners" ? "your side deals" : "you deal"} first.`;
  const [wins, spread] = [evening.by_wins, evening.by_spread].map((breaks) => breaks && evening.best_of === 1);
  /** @param {Child} name @param {string} now @param {boolean} done @param {{ round: number, deals: boolean, table: string, partner: string, other: string, came: string[] }[]} games */
  const card = (name, now, done, games, fresh = "") => {
    const last = games[games.length - 1]?.round ?? 0;
    const partners = games.length ? games.some((game) => game.partner) : evening.draw === "partners";
    const blank = Array.from({ length: Math.max(0, evening.rounds - last) }, (_, at) => ({ round: last + 1 + at, deals: false, table: "", partner: "", other: "", came: ["", "", "", ""] }));
    const rows = [...games, ...blank].map((game) => [[String(game.round), game.deals && el("strong", {}, " D")], fitted(game.table), ...(partners ? [fitted(game.partner)] : []), fitted(game.other, alike), ...game.came]);
    const node = table(["Round", "Table", ...(partners ? ["With"] : []), "Against", LEAGUE_POINTS, ...came, "Their initials"], rows);
    node.querySelector("tbody")?.append(el("tr", {}, el("td", { colspan: partners ? 4 : 3 }, el("div", {}, "Total ", wins && [el("small", {}, "Games won "), el("span", { class: "blank" })]), spread && el("small", {}, "Spread: won by less lost by")), [1, ...came].map(() => el("td")), el("td", { class: spread ? "spread" : "none" }, spread && el("small", {}, "Spread"))));
    const made = el("article", { class: ["sheet-card", fresh && "new", partners && "partners"].filter(Boolean).join(" ") }, fresh && el("p", { class: "fresh" }, fresh), el("header", {}, el("h2", {}, name), el("p", {}, `${title}.`), el("p", {}, rules), el("p", {}, deals, last > 0 && ` ${stamp(evening)}`), now && el("p", {}, el("strong", {}, now)), !done && el("p", {}, "Go where you are called. Report each game at once. Hand this in at the end.")), node);
    made.style.setProperty("--rows", String(rows.length + 1));
    return made;
  };
  const made = wanted.map(({ entrant, name, holders }) => {
    const mine = matchesOf(evening, entrant);
    const now = mine.find((match) => match.called && !match.bye && !match.over);
    const next = mine.find((match) => (match.bye ? match.round > evening.round : !match.called && !match.over));
    const last = mine[mine.length - 1]?.round;
    const isNew = entrant in first && first[entrant] !== opponents(evening, entrant);
    return card(name, now && numberOf(evening, now) === now.place ? `Round ${now.round}: ${now.place}.` : "", mine.length > 0 && mine.every((match) => match.bye || match.over), mine.map((match) => {
      const side = match.sides.findIndex((each) => each.includes(entrant));
      const partners = match.sides[side].filter((each) => !holders.includes(each)).map((each) => evening.entrants.find((one) => one.entrant === each)?.name ?? "");
      return { round: match.round, deals: !match.bye && side === match.first, table: numberOf(evening, match), partner: shortNames(evening, [partners.join(" and ")])[0], other: match.bye ? "sits out" : names.get(match.names[1 - side]) ?? "", came: cameOf(evening, match, side) };
    }), !isNew ? "" : `${!next ? "New card" : next.round === last ? `Round ${last} is new` : `Rounds ${next.round} to ${last} are new`}: ${now ? "copy what is missing, then " : ""}throw the old card away`);
  });
  const sheets = el("div", { class: wide ? "wide" : null }, filled(made, below * (wide ? 1 : 2), () => card(["Name ", el("span", { class: "blank" })], "", false, [])));
  sheets.style.setProperty("--below", String(below));
  return sheets;
}

// A name as large as its cell has room for, and one of so many em, on two lines if need be, a pair's each on one; CSS knows the cell.
/** @param {string} name */
function fitted(name, alike = 0) {
  const pair = name.split(" and ").map((one) => one.replaceAll(" ", "\u00a0"));
  const node = el("span", { class: "fitted" }, pair.length > 1 ? pair.join(" and ") : name);
  node.style.setProperty("--own", String(Math.max(alike, widest([name]))));
  node.style.setProperty("--word", String(widest(pair.length > 1 ? [pair[0], ...pair.slice(1).map((one) => `and ${one}`)] : name.split(/ |(?<=-)/))));
  return node;
}

// What a match has given a side: league points, won by and lost by, and that nobody need sign it; nothing before it counts. Of several games, those won and lost:
// rules may give points for the match as well.
/** @param {Evening} evening @param {Match} match @param {number} side */
function cameOf(evening, match, side) {
  const [leg] = match.legs;
  if (match.bye) return ["", "–", "–", "–"]; // own rules may give points for it
  if (evening.best_of > 1) return match.over ? ["", String(match.wins[side]), String(match.wins[1 - side]), "–"] : ["", "", "", ""];
  if (match.legs.length !== 1 || !leg.points.length) return ["", "", "", ""];
  const by = leg.scores ? leg.scores[side] - leg.scores[1 - side] : 0;
  return [leg.points[side], by > 0 ? String(by) : "", by < 0 ? String(-by) : "", "–"];
}

const pen = document.createElement("canvas").getContext("2d");
// The widest of these names, as a multiple of the size of its type.
/** @param {string[]} names */
function widest(names) {
  if (!pen) return 0;
  pen.font = `100px ${getComputedStyle(document.body).fontFamily}`;
  return Math.max(1, ...names.map((name) => pen.measureText(name).width / 100));
}

// All rounds, on as many sheets as they need to be read and written on at a wall; names are as on the cards where there is no room for whole ones.
/** @param {Evening} evening @param {string} title */
function plan(evening, title) {
  const rounds = [...new Set(evening.matches.map((match) => match.round))].map((round) => evening.matches.filter((match) => match.round === round));
  const lines = Math.max(...rounds.map((matches) => 2 * matches.filter((match) => !match.bye).length));
  const tables = Math.min(TABLES_MM, Math.max(TABLE_MM, 1 + TABLE_TYPE_MM * widest(evening.matches.flatMap((match) => numberOf(evening, match).split(" ")))));
  const room = (/** @type {number} */ columns) => COLUMNS_MM / columns - BESIDE_MM - tables;
  const called = (/** @type {number} */ columns) => namesFor(evening, namesOf(evening.matches), room(columns), TYPE_MM);
  const widestOf = (/** @type {Map<string, string>} */ names) => Math.max(1, ...[...names.values()].map((name) => widest([name])).filter((each) => each < LONG_EM));
  const below = Math.max(1, Math.floor(HIGH_MM / (lines * LINE_MM + HEAD_MM + (evening.matches.some((match) => match.bye) ? OUT_MM : 0))));
  const sheets = Math.ceil(rounds.length / (below * (widestOf(called(3)) * TYPE_MM > room(3) ? 2 : 3)));
  const each = Math.ceil(rounds.length / sheets);
  const columnsOf = (/** @type {Match[][]} */ shown) => (shown.length > 2 * below ? 3 : 2);
  const names = called(columnsOf(rounds.slice(0, each))); // alike on all sheets
  return Array.from({ length: sheets }, (_, at) => {
    const shown = rounds.slice(at * each, (at + 1) * each);
    const columns = columnsOf(shown);
    const empty = -shown.length % columns + columns;
    const node = el("div", { class: "rounds" }, shown.map((matches) => roundOf(evening, matches, names)), empty < columns && el("section", { class: "changes" }, el("h3", {}, "Changes")));
    const sizes = { columns, lines, below: Math.ceil(shown.length / columns), wide: widestOf(names), empty };
    for (const [name, value] of Object.entries(sizes)) node.style.setProperty(`--${name}`, String(value));
    node.style.setProperty("--at", `${tables}mm`);
    return el("article", { class: "wall-sheet" }, el("h2", {}, title, el("span", {}, `${planOf(evening)}${sheets > 1 ? `, ${at + 1} of ${sheets}` : ""}`)), el("p", {}, "The upper name deals first. You are called to a table: write it in. Nobody calls? Take the next free one."), node);
  });
}

/** @param {string} name */
function nameCell(name) {
  const cell = el("td", { class: "name" }, name);
  cell.style.setProperty("--own", String(widest([name])));
  return cell;
}

// Of a match of several games those won are written.
/** @param {Evening} evening @param {Match[]} matches @param {Map<string, string>} short */
function roundOf(evening, matches, short) {
  const several = evening.best_of > 1;
  const named = (/** @type {string} */ name) => short.get(name) ?? name;
  const out = matches.filter((match) => match.bye).map((match) => named(match.names[0]));
  const scores = (/** @type {Match} */ match) => (several ? match.over && match.wins : match.legs[0]?.scores) || ["", ""];
  const rows = (/** @type {Match} */ match) => [match.first, 1 - match.first].map((side, at) =>
    el("tr", {}, at === 0 && el("td", { rowspan: 2, class: "at" }, fitted(numberOf(evening, match))), nameCell(named(match.names[side])), el("td", { class: "box" }, String(scores(match)[side]))));
  return el("section", {}, el("h3", {}, el("small", {}, "Table"), `Round ${matches[0].round}`, el("small", {}, several ? "Games" : "Score")), el("table", {}, matches.filter((match) => !match.bye).map((match) => el("tbody", {}, rows(match)))),
    out.length > 0 && el("p", {}, `${out.join(", ")} sit${out.length > 1 ? "" : "s"} out`));
}

// `first` are those that were printed first; one that is not among them says that it is new.
/** @param {Evening} evening @param {string} house @param {Match[]} matches @param {string[]} first */
function slips(evening, house, matches, first) {
  const games = Array.from({ length: evening.best_of }, (_, at) => (evening.best_of > 1 ? `${at ? "" : "Game "}${at + 1}` : "Score"));
  const most = evening.best_of > 1 ? `Best of ${evening.best_of}, each to ${evening.target}.` : `The winner has ${evening.target}.`;
  const slip = (/** @type {Child} */ where, /** @type {string} */ when, /** @type {string[]} */ names) => {
    const node = el("article", { class: "slip" }, el("p", {}, el("strong", {}, where), el("small", {}, when)), el("small", {}, [house, day(evening)].filter(Boolean).join(", ")), games.map((game) => el("small", {}, game)), el("small", {}, "Initials"),
      names.map((name, at) => [el("span", { class: "player" }, name ? fitted(name) : el("span", { class: "blank" }), at === 0 && el("small", {}, "deals first")), games.map(() => el("span", { class: "box" })), el("span", { class: "box" })]),
      el("small", { class: "hand" }, `${most} Hand this to the director.`));
    node.style.setProperty("--games", String(games.length));
    return node;
  };
  const isNew = (/** @type {Match} */ match) => hasPrintedRound(match, first) && !first.includes(pairing(match));
  const made = matches.map((match) => slip(`${isNew(match) ? "New: " : ""}Round ${match.round} of ${evening.rounds}, ${place(evening, match) || "Table ______"}`, planOf(evening), [match.first, 1 - match.first].map((side) => match.names[side])));
  return filled(made, SLIPS_A_SHEET, () => slip("Round ____, Table ______", "", ["", ""]));
}

// Points beside those of games, and why.
/** @param {Evening} evening @param {Evening["standings"][number]} row */
const added = (evening, row, named = false) => evening.entrants.filter((one) => row.entrants.includes(one.entrant)).flatMap((one) => one.added.map((words) => (named || row.entrants.length > 1 ? `${one.name} ${words}` : words)));

/** @param {Evening} evening @param {string} title @param {{ points: number, by: string | null } | null} best */
function standings(evening, title, best) {
  const won = evening.closed ? winners(evening) : [];
  const remarks = evening.standings.map((row) => [remark(evening, row), ...added(evening, row)].filter(Boolean).join(", "));
  const rows = table(["Place", "Player", LEAGUE_POINTS, "Won", "Games", "Skunks", "Spread"], evening.standings.map((row, at) =>
    [rank(row), [row.name, remarks[at] && el("small", {}, remarks[at])], row.points, String(row.won), String(row.games), String(row.skunks), signed(row.spread)]));
  const toPlay = left(evening).length;
  const theirs = evening.standings.flatMap((row) => added(evening, row, true)); // stand in the rows
  const [skunk] = /(?<=, skunk \()by \d+ or more/.exec(evening.worth) ?? [];
  const notes = evening.notes.filter((words) => !theirs.includes(words));
  const more = remarks.map((why, at) => Math.ceil((22 * widest([evening.standings[at].name]) + 12 * widest([why])) / 250) - 1).reduce((sum, one) => sum + one, 0);
  const below = (evening.notes.length + (best ? 1 : 0) + more) / 2 + (won.length ? 1.6 : 0); // lines of their own in the table, above or below it, in rows of it
  rows.style.setProperty("--rows", String(Math.max(1, below + evening.standings.length + (evening.standings.length > CROSS ? 0 : evening.standings.length + 3))));
  return [el("h2", {}, title),
    won.length > 0 && el("p", { class: "champion" }, won.length > 1 ? "Winners: " : "Winner: ", el("strong", {}, won.map((row) => row.name).join(" and ")), `, ${pointsWords(won[0].points).replace(" ", "\u00a0")}${won.length > 1 ? " each" : apart(evening, won[0]).replace(/\(.*\)/, (words) => words.replaceAll(" ", "\u00a0"))}`), rows,
    evening.standings.length <= CROSS && evening.played && cross(evening, rows.style.getPropertyValue("--rows")),
    (best || notes.length > 0) && el("p", {}, best && `Best hand: ${best.points}${best.by ? `, ${best.by}` : ""}.`, notes.map((words) => el("span", { class: "note" }, sentence(words)))),
    el("p", { class: "stamp" }, `${LEAGUE_POINTS}: ${sentence(evening.rules.what)}${skunk ? ` A skunk: ${skunk}.` : ""} Spread: points won by, less points lost by, in all games. ${evening.closed ? "" : `As of ${timeNow()}${toPlay ? `, with ${toPlay === 1 ? "a match" : `${toPlay} matches`} to play` : ""}.`}`)];
}

// Everybody's games with everybody, as the points they were won or lost by, and how to read them.
/** @param {Evening} evening @param {string} count */
function cross(evening, count) {
  const of = (/** @type {number} */ one, /** @type {number} */ other) => evening.matches.flatMap((match) => {
    const side = match.sides.findIndex((each) => each.includes(one));
    return side < 0 || match.bye || !match.sides[1 - side].includes(other) ? [] : match.legs.flatMap((leg) => (leg.scores && leg.points.length ? [leg.scores[side] - leg.scores[1 - side]] : []));
  });
  const lines = evening.standings.map((row) => evening.standings.map((other) => (row === other ? [] : of(row.entrants[0], other.entrants[0]))));
  const names = evening.standings.map((row) => row.name);
  const heads = shortNames(evening, names);
  const figures = lines.map((line) => line.map((games) => games.map(signed).join(" ")));
  const [rowName, head, figure] = [names, heads, figures.flat()].map((all) => (/** @type {string} */ one) => fitted(one, widest(all))); // each kind in one size of type
  const rows = table(["Won or lost by", ...heads], figures.map((line, at) => [rowName(names[at]), ...line.map(figure)]));
  rows.className = "cross";
  rows.querySelectorAll("th:not(:first-child)").forEach((cell, at) => cell.replaceChildren(head(heads[at])));
  rows.querySelectorAll("tbody tr").forEach((line, at) => line.children[at + 1].classList.add("self"));
  for (const [key, value] of [["rows", count], ["count", String(heads.length)]]) rows.style.setProperty(`--${key}`, value);
  const one = lines.findIndex((line) => line.some((games) => games.length));
  if (one < 0) return rows;
  const other = lines[one].findIndex((games) => games.length);
  const [by, again] = lines[one][other];
  return [el("p", { class: "read" }, `Read across: ${names[one]} ${by < 0 ? "lost to" : "beat"} ${names[other]} by ${Math.abs(by)}${again === undefined ? "" : " in game 1"}.`), rows];
}
