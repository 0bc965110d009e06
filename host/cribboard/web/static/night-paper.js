// The night on paper: a card for each player, four a sheet; the plan; a slip for each match; the standings. A4 and Letter.

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

/** @param {string[]} heads @param {Child[][]} rows */
const table = (heads, rows) => el("table", {}, el("thead", {}, el("tr", {}, heads.map((head) => el("th", { scope: "col" }, head)))), el("tbody", {}, rows.map((row) => el("tr", {}, row.map((cell) => el("td", {}, cell))))));

/** @param {Match} match */
const place = (match) => (match.bye ? "" : match.place.replace("Wooden table", "Wood"));

/** @param {Evening} evening */
function cards(evening) {
  return evening.entrants.filter((one) => one.here).map((one) => {
    const mine = evening.matches.filter((match) => match.sides.some((side) => side.includes(one.entrant)));
    const rows = mine.map((match) => {
      const side = match.sides.findIndex((each) => each.includes(one.entrant));
      const partner = match.sides[side].filter((each) => each !== one.entrant).map((each) => evening.entrants.find((who) => who.entrant === each)?.name ?? "");
      const other = match.bye ? "sits out" : match.names[1 - side];
      return [String(match.round), partner.length ? `with ${partner.join(" and ")} v ${other}` : other, place(match), "", "", ""];
    });
    while (rows.length < ROUNDS) rows.push(["", "", "", "", "", ""]);
    rows.push(["", "Total", "", "", "", ""]);
    return el("article", { class: "sheet-card" }, el("h2", {}, one.name), el("p", {}, title(evening)), table(["", "Against", "Table", "Points", "+", "−"], rows));
  });
}

/** @param {Evening} evening */
function plan(evening) {
  const rounds = [...new Set(evening.matches.map((match) => match.round))];
  return [el("h2", {}, title(evening)), el("p", {}, "Whoever is named first deals first."), el("div", { class: "rounds" }, rounds.map((round) => {
    const matches = evening.matches.filter((match) => match.round === round);
    const out = matches.filter((match) => match.bye).map((match) => match.names[0]);
    return el("section", {}, el("h3", {}, `Round ${round}`), el("table", {}, el("tbody", {}, matches.filter((match) => !match.bye).map((match) =>
      el("tr", {}, el("td", {}, place(match)), el("td", {}, match.names[0]), el("td", {}, match.names[1]))))), out.length > 0 && el("p", {}, `${out.join(", ")} sit${out.length > 1 ? "" : "s"} out`));
  }))];
}

/** @param {Evening} evening */
function slips(evening) {
  return evening.matches.filter((match) => !match.bye && !match.over).map((match) =>
    el("article", { class: "slip" }, el("p", {}, el("strong", {}, match.place), `, round ${match.round}`), match.names.map((name, side) => el("p", { class: "score" }, el("span", {}, name, side === match.first && el("small", {}, " deals first")), el("span", { class: "blank" })))));
}

/** @param {Evening} evening */
function standings(evening) {
  return [el("h2", {}, title(evening)), table(["Place", "Player", "Points", "Won", "Games", "Skunks", "Spread"], evening.standings.map((row) =>
    [String(row.place), row.name, row.points, String(row.won), String(row.games), String(row.skunks), signed(row.spread)]))];
}
