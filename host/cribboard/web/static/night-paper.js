// The night on paper: a card for each player, four a sheet; the plan; a slip for each match; the standings. A4 and Letter.

import { get, sentence } from "./api.js";
import { el, fill } from "./dom.js";
import { apart, clock, inAndOut, pointsWords, rank, shortNames, signed, upcoming } from "./night-parts.js";
import { recall, remember } from "./settings.js";

/** @typedef {"cards" | "changed" | "plan" | "slips" | "standings"} Kind */
/** @type {[Kind, string, string][]} */
export const KINDS = [["cards", "Cards", "one for each player, four a sheet"], ["plan", "Plan", "who plays whom in each round, for the wall"], ["slips", "Slips", "one for each match to come"], ["standings", "Standings", "for the wall"]];
const ROUNDS = 9; // fill a card
const CARDS_A_SHEET = 4;
const SLIPS_A_SHEET = 10;
const CROSS = 8; // of so many everybody's games with everybody fit below the standings
// What a sheet of the plan has room for: rounds one below the other on the shorter paper, Letter, with lines of 8 mm; names of 15 pt in three columns on the narrower, A4.
const [HIGH_MM, LINE_MM, HEAD_MM, OUT_MM, WIDEST_EM] = [249, 8, 6.5, 5, 8.57];
const PRINTED = "night-printed";

// Prints one kind of page; what the screen shows stays.
/** @param {HTMLElement} node @param {Evening} evening @param {Kind} kind */
export async function paper(node, evening, kind) {
  const [pub, tonight] = await Promise.all([get("/api/pub").catch(() => null), kind === "standings" ? get("/api/tonight").catch(() => null) : null]);
  const house = pub?.name ?? "";
  const title = [house, evening.name || "League night", day(evening)].filter(Boolean).join(", ");
  const printed = printedHere(evening);
  const { first = {}, firstSlips = [] } = printed;
  const made = { cards: () => cards(evening, title, here(evening), first), changed: () => cards(evening, title, outOfDate(evening).cards, first), plan: () => plan(evening, title), slips: () => slips(evening, house, firstSlips), standings: () => standings(evening, title, tonight?.best_hand ?? null) }[kind];
  fill(node, made());
  node.className = kind === "changed" ? "cards" : kind;
  node.hidden = false;
  if (node.className === "cards") {
    const cards = Object.fromEntries(here(evening).map((one) => [one.entrant, opponents(evening, one)]));
    Object.assign(printed, { cards, first: { ...cards, ...first } });
  }
  if (kind === "plan") printed.plan = evening.matches.map(pairing).sort();
  if (kind === "slips") {
    printed.slips = left(evening).map(pairing);
    printed.firstSlips = [...firstSlips, ...left(evening).filter((match) => !hasPrintedRound(match, firstSlips)).map(pairing)];
  }
  remember(PRINTED, printed);
  addEventListener("afterprint", () => (node.hidden = true), { once: true });
  print();
}

/** @typedef {Evening["entrants"][number]} Entrant */

/** @param {Evening} evening */
const here = (evening) => evening.entrants.filter((one) => one.here);

// Matches still without a result.
/** @param {Evening} evening */
const left = (evening) => evening.matches.filter((match) => !match.bye && !match.over);

// Who plays whom in which round, and who deals first, as one text.
/** @param {Match} match */
const pairing = (match) => `${match.round} ${match.names.join(" v ")} ${match.first}`;

// Whether its round is among those of which slips have been printed.
/** @param {Match} match @param {string[]} slips */
const hasPrintedRound = (match, slips) => slips.some((text) => text.startsWith(`${match.round} `));

// Whom a card names, as one text.
/** @param {Evening} evening @param {Entrant} one */
const opponents = (evening, one) => evening.matches.filter((match) => match.sides.some((side) => side.includes(one.entrant))).map(pairing).join("; ");

// What cards, plan and slips of this night named when they were last printed here; cards and the slips of each round also when they first were.
/** @typedef {{ night: number, cards?: Record<number, string>, first?: Record<number, string>, plan?: string[], slips?: string[], firstSlips?: string[] }} Printed */

/** @param {Evening} evening @returns {Printed} */
function printedHere(evening) {
  const printed = /** @type {Printed | null} */ (recall(PRINTED, null));
  return printed?.night === evening.night ? printed : { night: evening.night };
}

// What was printed here and names other opponents than are planned now: whose cards (`fresh` never had one), the plan, the slips. A Swiss night
// has no more than the next round.
/** @param {Evening} evening */
export function outOfDate(evening) {
  const { cards, plan, slips } = evening.draw === "swiss" || !upcoming(evening).length ? /** @type {Printed} */ ({ night: 0 }) : printedHere(evening);
  const changed = cards ? here(evening).filter((one) => cards[one.entrant] !== opponents(evening, one)) : [];
  return {
    cards: changed,
    fresh: changed.filter((one) => !cards?.[one.entrant]),
    plan: plan !== undefined && String(plan) !== String(evening.matches.map(pairing).sort()),
    slips: slips !== undefined && left(evening).some((match) => !slips.includes(pairing(match))),
  };
}

/** @param {Evening} evening */
const day = (evening) => new Intl.DateTimeFormat(undefined, { dateStyle: "medium" }).format(new Date(evening.began));

// Paper goes stale: when it was right, and what is right after that.
/** @param {Evening} evening */
const planOf = (evening) => `${evening.closed ? "As of" : "Plan of"} ${clock(new Date().getHours(), new Date().getMinutes())}`;

/** @param {Evening} evening */
const stamp = (evening) => `${planOf(evening)}.${evening.closed ? "" : " If it changes, follow the television."}`;

/** @param {string[]} heads @param {Child[][]} rows */
const table = (heads, rows) => el("table", {}, el("thead", {}, el("tr", {}, heads.map((head) => el("th", { scope: "col" }, head)))), el("tbody", {}, rows.map((row) => el("tr", {}, row.map((cell) => el("td", {}, cell))))));

// Where a match is played; before it is called only its plan is known, and whoever is free first has the table.
/** @param {Match} match */
const place = (match) => (match.called && !match.bye ? match.place : "");
const CALLED = "The television calls each match to its table.";

// Blank ones fill the last sheet, for latecomers.
/** @template T @param {T[]} all @param {number} sheet @param {() => T} blank */
const filled = (all, sheet, blank) => [...all, ...Array.from({ length: (sheet - (all.length % sheet)) % sheet }, blank)];

// `first` is what each player's first card named; a changed card says that it replaces it.
/** @param {Evening} evening @param {string} title @param {Entrant[]} entrants @param {Record<number, string>} first */
function cards(evening, title, entrants, first) {
  const card = (/** @type {Child} */ name, /** @type {Child} */ now, /** @type {Child[][]} */ rows, last = 0, fresh = "") => {
    for (let round = last + 1; round <= evening.rounds; round += 1) rows.push([String(round), "", "", "", "", "", ""]);
    const games = table(["Round", "Table", "Against", "Points", "Won by", "Lost by", "Their initials"], [...rows, ["", "", "Total", "", "", "", ""]]);
    games.style.flexGrow = String(Math.min(1, (1.6 * (rows.length + 1)) / (ROUNDS + 1)));
    return el("article", { class: "sheet-card" }, fresh && el("p", { class: "fresh" }, fresh), el("h2", {}, name), el("p", {}, `${title}.`), el("p", {}, `${evening.worth}. D: you deal first.`), el("p", {}, now), games, last > 0 && el("p", { class: "stamp" }, stamp(evening)));
  };
  const made = entrants.map((one) => {
    const mine = evening.matches.filter((match) => match.sides.some((side) => side.includes(one.entrant)));
    const now = mine.find((match) => place(match) && !match.over);
    const next = mine.find((match) => (match.bye ? match.round > evening.round : !match.called && !match.over));
    const last = mine[mine.length - 1]?.round;
    const isNew = one.entrant in first && first[one.entrant] !== opponents(evening, one);
    return card(one.name, now ? [el("strong", {}, `Round ${now.round}: ${place(now)}.`), " Then see the television."] : CALLED, mine.map((match) => {
      const side = match.sides.findIndex((each) => each.includes(one.entrant));
      const partner = match.sides[side].filter((each) => each !== one.entrant).map((each) => evening.entrants.find((who) => who.entrant === each)?.name ?? "");
      const other = match.bye ? "sits out" : match.names[1 - side];
      return [[String(match.round), !match.bye && side === match.first && el("strong", {}, " D")], place(match).replace(/^Table (?=\d+$)/, ""), partner.length ? `with ${partner.join(" and ")} v ${other}` : other, ...came(match, side)];
    }), last, !isNew ? "" : `${!next ? "New card" : next.round === last ? `Round ${last} is new` : `Rounds ${next.round} to ${last} are new`}: ${now ? "copy what is missing, then " : ""}throw the old card away`);
  });
  return filled(made, CARDS_A_SHEET, () => card(["Name ", el("span", { class: "blank" })], CALLED, []));
}

// What a match has given a side: league points, won by, lost by, and that nobody need sign it; nothing before it counts.
/** @param {Match} match @param {number} side */
function came(match, side) {
  const [leg] = match.legs;
  if (match.bye) return ["", "–", "–", "–"]; // own rules may give points for it
  if (match.legs.length !== 1 || !leg.points.length) return ["", "", "", ""];
  const by = leg.scores ? leg.scores[side] - leg.scores[1 - side] : 0;
  return [leg.points[side], by > 0 ? String(by) : "", by < 0 ? String(-by) : "", "–"];
}

// The number of a table is what is looked for.
/** @param {string} name */
function tableOf(name) {
  const [, number] = /^Table (\d+)$/.exec(name) ?? [];
  return number ? [el("small", {}, "Table"), el("strong", {}, number)] : name;
}

// The widest of these names, as a multiple of the size of its type.
/** @param {string[]} names */
function widest(names) {
  const pen = document.createElement("canvas").getContext("2d");
  if (!pen) return 0;
  pen.font = `100px ${getComputedStyle(document.body).fontFamily}`;
  return Math.max(1, ...names.map((name) => pen.measureText(name).width / 100));
}

// All rounds, on as many sheets as they need to be read and written on at a wall.
/** @param {Evening} evening @param {string} title */
function plan(evening, title) {
  const rounds = [...new Set(evening.matches.map((match) => match.round))].map((round) => evening.matches.filter((match) => match.round === round));
  const lines = Math.max(...rounds.map((matches) => 2 * matches.filter((match) => !match.bye).length));
  const wide = widest(evening.matches.flatMap((match) => match.names));
  const below = Math.max(1, Math.floor(HIGH_MM / (lines * LINE_MM + HEAD_MM + (evening.matches.some((match) => match.bye) ? OUT_MM : 0))));
  const sheets = Math.ceil(rounds.length / (below * (wide > WIDEST_EM ? 2 : 3)));
  const each = Math.ceil(rounds.length / sheets);
  return Array.from({ length: sheets }, (_, at) => {
    const shown = rounds.slice(at * each, (at + 1) * each);
    const columns = shown.length > 2 * below ? 3 : 2;
    const node = el("div", { class: "rounds" }, shown.map((matches) => roundOf(matches)));
    const sizes = { columns, lines, below: Math.ceil(shown.length / columns), wide };
    for (const [name, value] of Object.entries(sizes)) node.style.setProperty(`--${name}`, String(value));
    return el("article", { class: "wall-sheet" }, el("h2", {}, title, el("span", {}, `${planOf(evening)}${sheets > 1 ? `, ${at + 1} of ${sheets}` : ""}`)), el("p", {}, `The upper name deals first. Follow the television: it calls each match to its table.`), node);
  });
}

/** @param {Match[]} matches */
function roundOf(matches) {
  const out = matches.filter((match) => match.bye).map((match) => match.names[0]);
  const played = matches.filter((match) => !match.bye);
  const places = played.some((match) => place(match) && !match.over);
  const rows = (/** @type {Match} */ match) => [match.first, 1 - match.first].map((side, at) => {
    const name = el("td", { class: "name" }, match.names[side]);
    name.style.setProperty("--own", String(widest([match.names[side]])));
    return el("tr", {}, places && at === 0 && el("td", { rowspan: 2, class: "at" }, tableOf(place(match))), name, el("td", { class: "box" }, match.legs.length === 1 && match.legs[0].scores && String(match.legs[0].scores[side])));
  });
  return el("section", { class: places ? "placed" : null }, el("h3", {}, `Round ${matches[0].round}`, el("small", {}, "Score")), el("table", {}, played.map((match) => el("tbody", {}, rows(match)))),
    out.length > 0 && el("p", {}, `${out.join(", ")} sit${out.length > 1 ? "" : "s"} out`));
}

// `first` are those that were printed first; one that is not among them says that it is new.
/** @param {Evening} evening @param {string} house @param {string[]} first */
function slips(evening, house, first) {
  const slip = (/** @type {Child} */ where, /** @type {string} */ when, /** @type {Child[]} */ names) => el("article", { class: "slip" },
    el("p", {}, el("strong", {}, where), el("small", {}, when)), el("small", {}, [house, day(evening)].filter(Boolean).join(", ")), el("small", {}, "Score"), el("small", {}, "Initials"),
    names.map((name, at) => [el("span", { class: "who" }, name || el("span", { class: "blank" }), at === 0 && el("small", {}, "deals first")), el("span", { class: "box" }), el("span", { class: "box" })]),
    el("small", { class: "hand" }, `The winner has ${evening.target}. Hand this to the director.`));
  const isNew = (/** @type {Match} */ match) => hasPrintedRound(match, first) && !first.includes(pairing(match));
  const made = left(evening).map((match) => slip(`${isNew(match) ? "New: " : ""}Round ${match.round}, ${place(match) || "Table ____"}`, planOf(evening), [match.first, 1 - match.first].map((side) => match.names[side])));
  return filled(made, SLIPS_A_SHEET, () => slip("Round ____, Table ____", "", ["", ""]));
}

// Points beside those of games, and why.
/** @param {Evening} evening @param {Evening["standings"][number]} row */
const added = (evening, row, named = false) => evening.entrants.filter((one) => row.entrants.includes(one.entrant)).flatMap((one) => one.added.map((words) => (named || row.entrants.length > 1 ? `${one.name} ${words}` : words)));

/** @param {Evening} evening @param {string} title @param {{ points: number, by: string | null } | null} best */
function standings(evening, title, best) {
  const won = evening.closed ? evening.standings.filter((row) => row.place === 1 && row.games) : [];
  const rows = table(["Place", "Player", "Points", "Won", "Games", "Skunks", "Spread"], evening.standings.map((row) => {
    const why = [...row.entrants.map((who) => evening.entrants.find((one) => one.entrant === who)).map((one) => one && inAndOut(evening, one)), row.byes && `sat out ${row.byes === 1 ? "once" : `${row.byes} times`}`, ...added(evening, row)].filter(Boolean);
    return [rank(row), [row.name, why.length > 0 && el("small", {}, why.join(", "))], row.points, String(row.won), String(row.games), String(row.skunks), signed(row.spread)];
  }));
  const theirs = evening.standings.flatMap((row) => added(evening, row, true)); // stand in the rows
  const [skunk] = /by \d+ or more(?= \(skunk\))/.exec(evening.worth) ?? [];
  const notes = evening.notes.filter((words) => !theirs.includes(words));
  const below = (evening.notes.length + (best ? 1 : 0)) / 2; // lines of their own below the table or in it, in rows of it
  rows.style.setProperty("--rows", String(Math.max(1, below + evening.standings.length + (evening.standings.length > CROSS ? 0 : evening.standings.length + 3))));
  return [el("h2", {}, title),
    won.length > 0 && el("p", { class: "champion" }, won.length > 1 ? "Winners: " : "Winner: ", el("strong", {}, won.map((row) => row.name).join(" and ")), `, ${pointsWords(won[0].points)}${won.length > 1 ? " each" : apart(evening, won[0]).replace(/\(.*\)/, (words) => words.replaceAll(" ", "\u00a0"))}`), rows,
    evening.standings.length <= CROSS && evening.played && cross(evening, rows.style.getPropertyValue("--rows")),
    (best || notes.length > 0) && el("p", {}, best && `Best hand: ${best.points}${best.by ? `, ${best.by}` : ""}.`, notes.map((words) => el("span", { class: "note" }, sentence(words)))),
    el("p", { class: "stamp" }, `Points: ${sentence(evening.rules.what)}${skunk ? ` A skunk: ${skunk}.` : ""} Spread: points won by, less points lost by, in all games. ${evening.closed ? "" : stamp(evening)}`)];
}

// Everybody's games with everybody, as the points they were won or lost by.
/** @param {Evening} evening @param {string} count */
function cross(evening, count) {
  const of = (/** @type {number} */ one, /** @type {number} */ other) => evening.matches.flatMap((match) => {
    const side = match.sides.findIndex((each) => each.includes(one));
    return side < 0 || match.bye || !match.sides[1 - side].includes(other) ? [] : match.legs.flatMap((leg) => (leg.scores && leg.points.length ? [signed(leg.scores[side] - leg.scores[1 - side])] : []));
  }).join(" ");
  const rows = table(["Won or lost by", ...evening.standings.map((row) => shortNames(evening, [row.name])[0])], evening.standings.map((row) =>
    [row.name, ...evening.standings.map((other) => (row === other ? "" : of(row.entrants[0], other.entrants[0])))]));
  rows.className = "cross";
  rows.style.setProperty("--rows", count);
  return rows;
}
