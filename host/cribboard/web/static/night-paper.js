// The night on paper: a card for each player, four a sheet; the plan; a slip for each match; the standings. A4 and Letter.

import { sentence } from "./api.js";
import { el, fill } from "./dom.js";
import { signed } from "./night-parts.js";

/** @typedef {"cards" | "plan" | "slips" | "standings"} Kind */
/** @type {[Kind, string][]} */
export const KINDS = [["cards", "Cards"], ["plan", "Plan"], ["slips", "Slips"], ["standings", "Standings"]];
const ROUNDS = 9; // of a card, at least

// Prints one kind of page; what the screen shows stays.
/** @param {HTMLElement} node @param {Evening} evening @param {Kind} kind */
export function paper(node, evening, kind) {
  const made = { cards, plan, slips, standings }[kind];
  fill(node, made(evening));
  node.className = kind;
  node.hidden = false;
  addEventListener("afterprint", () => (node.hidden = true), { once: true });
  print();
}

/** @param {Evening} evening */
const title = (evening) => [evening.name || "League night", new Intl.DateTimeFormat(undefined, { dateStyle: "medium" }).format(new Date(evening.began))].join(", ");

// Paper goes stale: when it was right, and what is right after that.
/** @param {Evening} evening */
const stamp = (evening) => `${evening.closed ? "As of" : "Plan of"} ${new Date().toLocaleTimeString(undefined, { hour: "numeric", minute: "2-digit" })}.${evening.closed ? "" : " If somebody comes or leaves, the television counts."}`;

/** @param {string[]} heads @param {Child[][]} rows */
const table = (heads, rows) => el("table", {}, el("thead", {}, el("tr", {}, heads.map((head) => el("th", { scope: "col" }, head)))), el("tbody", {}, rows.map((row) => el("tr", {}, row.map((cell) => el("td", {}, cell))))));

// Where a match is played; before it is called only its plan is known, and whoever is free first has the table.
/** @param {Match} match */
const place = (match) => (match.called && !match.bye ? match.place : "");
const CALLED = "The television calls each match to its table.";

/** @param {Evening} evening */
function cards(evening) {
  return evening.entrants.filter((one) => one.here).map((one) => {
    const mine = evening.matches.filter((match) => match.sides.some((side) => side.includes(one.entrant)));
    const rows = mine.map((match) => {
      const side = match.sides.findIndex((each) => each.includes(one.entrant));
      const partner = match.sides[side].filter((each) => each !== one.entrant).map((each) => evening.entrants.find((who) => who.entrant === each)?.name ?? "");
      const other = match.bye ? "sits out" : match.names[1 - side];
      return [[String(match.round), !match.bye && side === match.first && el("small", {}, "deal")], partner.length ? `with ${partner.join(" and ")} v ${other}` : other, "", "", "", ""];
    });
    while (rows.length < ROUNDS) rows.push(["", "", "", "", "", ""]);
    rows.push(["", "Total", "", "", "", ""]);
    const now = mine.find((match) => place(match) && !match.over);
    return el("article", { class: "sheet-card" }, el("h2", {}, one.name), el("p", {}, title(evening)),
      el("p", {}, `${evening.rules.what.split(";")[0]}. “deal”: ${mine.some((match) => match.sides.some((side) => side.length > 1)) ? "your side deals" : "you deal"} first.`),
      el("p", {}, now ? [el("strong", {}, `Round ${now.round}: ${place(now)}.`), " Then see the television."] : CALLED),
      table(["", "Against", "League points", "Won by", "Lost by", "Their initials"], rows), el("p", { class: "stamp" }, stamp(evening)));
  });
}

/** @param {Evening} evening */
function plan(evening) {
  const rounds = [...new Set(evening.matches.map((match) => match.round))];
  return [el("h2", {}, title(evening)), el("p", {}, `Whoever is named first deals first. ${CALLED} ${stamp(evening)}`), el("div", { class: "rounds" }, rounds.map((round) => {
    const matches = evening.matches.filter((match) => match.round === round);
    const out = matches.filter((match) => match.bye).map((match) => match.names[0]);
    return el("section", {}, el("h3", {}, `Round ${round}`), el("table", {}, el("tbody", {}, matches.filter((match) => !match.bye).map((match) =>
      el("tr", {}, matches.some(place) && el("td", {}, place(match)), el("td", {}, match.names[match.first]), el("td", {}, match.names[1 - match.first]))))), out.length > 0 && el("p", {}, `${out.join(", ")} sit${out.length > 1 ? "" : "s"} out`));
  }))];
}

/** @param {Evening} evening */
function slips(evening) {
  const left = evening.matches.filter((match) => !match.bye && !match.over);
  return [...new Set(left.map((match) => match.round))].map((round) => el("section", {}, left.filter((match) => match.round === round).map((match) =>
    el("article", { class: "slip" },
      el("p", {}, el("strong", {}, `Round ${round}, ${place(match) || "table ____"}`)), el("small", {}, title(evening)), el("small", {}, `Score (winner ${evening.target})`), el("small", {}, "Initials"),
      match.names.map((name, side) => [el("span", {}, name, side === match.first && el("small", {}, "deals first")), el("span", { class: "blank" }), el("span", { class: "blank" })]),
      el("small", { class: "hand" }, "Hand this to the director.")))));
}

/** @param {Evening} evening */
function standings(evening) {
  const won = evening.closed ? evening.standings.filter((row) => row.place === 1 && row.games) : [];
  const rows = table(["Place", "Player", "Points", "Won", "Games", "Skunks", "Spread"], evening.standings.map((row) =>
    [String(row.place), row.name, row.points, String(row.won), String(row.games), String(row.skunks), signed(row.spread)]));
  rows.style.setProperty("--rows", String(Math.max(1, evening.standings.length)));
  return [el("h2", {}, title(evening)),
    won.map((row) => el("p", { class: "winner" }, row.name, el("small", {}, ` ${row.points} points`))), rows,
    el("p", { class: "stamp" }, `Points: ${sentence(evening.rules.what)} Spread: points won by, less points lost by, in all games. ${evening.closed ? "" : stamp(evening)}`)];
}
