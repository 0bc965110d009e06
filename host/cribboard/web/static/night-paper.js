// The night on paper: a card for each player, four a sheet; the plan; a slip for each match; the standings. A4 and Letter.

import { get, sentence } from "./api.js";
import { el, fill } from "./dom.js";
import { apart, inAndOut, pointsWords, rank, signed, upcoming } from "./night-parts.js";
import { recall, remember } from "./settings.js";

/** @typedef {"cards" | "changed" | "plan" | "slips" | "standings"} Kind */
/** @type {[Kind, string, string][]} */
export const KINDS = [["cards", "Cards", "one for each player, four a sheet"], ["plan", "Plan", "who plays whom in each round, for the wall"], ["slips", "Slips", "one for each match to come"], ["standings", "Standings", "for the wall"]];
const ROUNDS = 9; // of a card, at least
const CARDS_A_SHEET = 4;
const SLIPS_A_SHEET = 10;
const CROSS = 8; // of so many everybody's games with everybody fit below the standings
const PRINTED = "night-printed";

// Prints one kind of page; what the screen shows stays.
/** @param {HTMLElement} node @param {Evening} evening @param {Kind} kind */
export async function paper(node, evening, kind) {
  const [pub, tonight] = await Promise.all([get("/api/pub").catch(() => null), kind === "standings" ? get("/api/tonight").catch(() => null) : null]);
  const house = pub?.name ?? "";
  const title = [house, evening.name || "League night", day(evening)].filter(Boolean).join(", ");
  const printed = printedCards(evening);
  const first = printed?.first ?? printed?.cards ?? {};
  const made = { cards: () => cards(evening, title, here(evening), first), changed: () => cards(evening, title, changedCards(evening), first), plan: () => plan(evening, title), slips: () => slips(evening, house), standings: () => standings(evening, title, tonight?.best_hand ?? null) }[kind];
  fill(node, made());
  node.className = kind === "changed" ? "cards" : kind;
  node.hidden = false;
  if (node.className === "cards") {
    const cards = Object.fromEntries(here(evening).map((one) => [one.entrant, opponents(evening, one)]));
    remember(PRINTED, { night: evening.night, cards, first: { ...cards, ...first } });
  }
  addEventListener("afterprint", () => (node.hidden = true), { once: true });
  print();
}

/** @typedef {Evening["entrants"][number]} Entrant */

/** @param {Evening} evening */
const here = (evening) => evening.entrants.filter((one) => one.here);

// Whom a card names, as one text.
/** @param {Evening} evening @param {Entrant} one */
const opponents = (evening, one) => evening.matches.filter((match) => match.sides.some((side) => side.includes(one.entrant))).map((match) => `${match.round} ${match.names.join(" v ")} ${match.first}`).join("; ");

// What the cards of this night named when they were last printed here, and when they first were.
/** @param {Evening} evening */
function printedCards(evening) {
  const printed = /** @type {{ night: number, cards: Record<number, string>, first?: Record<number, string> } | null} */ (recall(PRINTED, null));
  return printed?.night === evening.night ? printed : null;
}

// Those whose card names other opponents than when the cards were printed here; a Swiss night has no more than the next.
/** @param {Evening} evening */
export function changedCards(evening) {
  const printed = printedCards(evening);
  if (!printed || evening.draw === "swiss") return [];
  if (!upcoming(evening).length) return [];
  return here(evening).filter((one) => printed.cards[one.entrant] !== opponents(evening, one));
}

/** @param {Evening} evening */
const day = (evening) => new Intl.DateTimeFormat(undefined, { dateStyle: "medium" }).format(new Date(evening.began));

// Paper goes stale: when it was right, and what is right after that.
/** @param {Evening} evening */
const stamp = (evening) => `${evening.closed ? "As of" : "Plan of"} ${new Date().toLocaleTimeString(undefined, { hour: "numeric", minute: "2-digit" })}.${evening.closed ? "" : " If it changes, follow the television."}`;

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
  const rules = `${evening.rules.what.split(";")[0]}.`;
  const card = (/** @type {Child} */ name, /** @type {Child} */ now, /** @type {Child[][]} */ rows, last = 0, fresh = "") => {
    for (let round = last + 1; rows.length < ROUNDS; round += 1) rows.push([round <= evening.rounds ? String(round) : "", "", "", "", "", "", ""]);
    return el("article", { class: "sheet-card" }, fresh && el("p", { class: "fresh" }, fresh), el("h2", {}, name), el("p", {}, `${title}. ${rules}`), el("p", {}, now),
      table(["Round", "You deal", "Against", "League points", "Won by", "Lost by", "Their initials"], [...rows, ["", "", "Total", "", "", "", ""]]), el("p", { class: "stamp" }, stamp(evening)));
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
      return [String(match.round), !match.bye && side === match.first ? "•" : "", partner.length ? `with ${partner.join(" and ")} v ${other}` : other, ...came(match, side)];
    }), last, !isNew ? "" : `${!next ? "New card" : next.round === last ? `Round ${last} is new` : `Rounds ${next.round} to ${last} are new`}: throw the old card away`);
  });
  return filled(made, CARDS_A_SHEET, () => card(["Name ", el("span", { class: "blank" })], CALLED, []));
}

// What a match has given a side: league points, won by, lost by, and that nobody need sign it; nothing before it counts.
/** @param {Match} match @param {number} side */
function came(match, side) {
  const [leg] = match.legs;
  if (match.bye) return ["–", "–", "–", "–"];
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

/** @param {Evening} evening @param {string} title */
function plan(evening, title) {
  const rounds = [...new Set(evening.matches.map((match) => match.round))].map((round) => evening.matches.filter((match) => match.round === round));
  const node = el("div", { class: "rounds" }, rounds.map((matches) => {
    const out = matches.filter((match) => match.bye).map((match) => match.names[0]);
    const played = matches.filter((match) => !match.bye);
    const places = played.some(place);
    return el("section", {}, el("h3", {}, `Round ${matches[0].round}`, el("small", {}, "Score")),
      el("table", {}, played.map((match) => {
        const scores = match.legs.length === 1 ? match.legs[0].scores : null;
        return el("tbody", {}, [match.first, 1 - match.first].map((side, at) => el("tr", {}, places && at === 0 && el("td", { rowspan: 2, class: "at" }, tableOf(place(match))), el("td", {}, match.names[side]), el("td", { class: "box" }, scores && String(scores[side])))));
      })),
      out.length > 0 && el("p", {}, `${out.join(", ")} sit${out.length > 1 ? "" : "s"} out`));
  }));
  const lines = Math.max(...rounds.map((matches) => 2 * matches.filter((match) => !match.bye).length + (matches.some((match) => match.bye) ? 3 : 2)));
  const columns = rounds.length > 6 ? 3 : 2;
  node.style.setProperty("--columns", String(columns));
  node.style.setProperty("--chars", String(Math.max(8, ...evening.entrants.map((one) => one.name.length))));
  node.style.setProperty("--lines", String(lines * Math.ceil(rounds.length / columns)));
  return [el("h2", {}, title), el("p", {}, `The upper name deals first. ${CALLED} ${stamp(evening)}`), node];
}

/** @param {Evening} evening @param {string} house */
function slips(evening, house) {
  const slip = (/** @type {string} */ where, /** @type {Child[]} */ names) => el("article", { class: "slip" },
    el("p", {}, el("strong", {}, where), el("small", {}, [house, day(evening)].filter(Boolean).join(", "))), el("span"), el("small", {}, "Score"), el("small", {}, "Initials"),
    names.map((name, at) => [el("span", { class: name ? "who" : "who blank" }, name || (at === 0 && el("small", {}, "deals first"))), el("span", { class: "box" }), el("span", { class: "box" })]),
    el("small", { class: "hand" }, `The winner has ${evening.target}. Hand this to the director.`));
  const left = evening.matches.filter((match) => !match.bye && !match.over);
  const made = left.map((match) => slip(`Round ${match.round}, ${place(match) || "table ____"}`, match.names.map((name, side) => [name, side === match.first && el("small", {}, "deals first")])));
  return filled(made, SLIPS_A_SHEET, () => slip("Round ____, table ____", ["", ""]));
}

/** @param {Evening} evening @param {string} title @param {{ points: number, by: string | null } | null} best */
function standings(evening, title, best) {
  const won = evening.closed ? evening.standings.filter((row) => row.place === 1 && row.games) : [];
  const rows = table(["Place", "Player", "Points", "Won", "Games", "Skunks", "Spread"], evening.standings.map((row) => {
    const why = [...row.entrants.map((who) => evening.entrants.find((one) => one.entrant === who)).map((one) => one && inAndOut(evening, one)), row.byes && `sat out ${row.byes === 1 ? "once" : `${row.byes} times`}`].filter(Boolean);
    return [rank(row), [row.name, why.length > 0 && el("small", {}, why.join(", "))], row.points, String(row.won), String(row.games), String(row.skunks), signed(row.spread)];
  }));
  const below = (evening.notes.length + (best ? 1 : 0)) / 2; // lines of their own below the table, in rows of it
  rows.style.setProperty("--rows", String(Math.max(1, below + evening.standings.length + (evening.standings.length > CROSS ? 0 : evening.standings.length + 3))));
  return [el("h2", {}, title),
    won.length > 0 && el("p", { class: "champion" }, won.length > 1 ? "Winners: " : "Winner: ", el("strong", {}, won.map((row) => row.name).join(" and ")), `, ${pointsWords(won[0].points)}${won.length > 1 ? " each" : apart(evening, won[0])}`), rows,
    evening.standings.length <= CROSS && evening.played && cross(evening, rows.style.getPropertyValue("--rows")),
    (best || evening.notes.length > 0) && el("p", {}, best && `Best hand: ${best.points}${best.by ? `, ${best.by}` : ""}.`, evening.notes.map((words) => el("span", { class: "note" }, sentence(words)))),
    el("p", { class: "stamp" }, `Points: ${sentence(evening.rules.what)} Spread: points won by, less points lost by, in all games. ${evening.closed ? "" : stamp(evening)}`)];
}

// Everybody's games with everybody, as the points they were won or lost by.
/** @param {Evening} evening @param {string} count */
function cross(evening, count) {
  const of = (/** @type {number} */ one, /** @type {number} */ other) => evening.matches.flatMap((match) => {
    const side = match.sides.findIndex((each) => each.includes(one));
    return side < 0 || match.bye || !match.sides[1 - side].includes(other) ? [] : match.legs.flatMap((leg) => (leg.scores && leg.points.length ? [signed(leg.scores[side] - leg.scores[1 - side])] : []));
  }).join(" ");
  const rows = table(["Won or lost by", ...evening.standings.map((row) => row.name)], evening.standings.map((row) =>
    [row.name, ...evening.standings.map((other) => (row === other ? "" : of(row.entrants[0], other.entrants[0])))]));
  rows.className = "cross";
  rows.style.setProperty("--rows", count);
  return rows;
}
