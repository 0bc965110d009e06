// Games and players as lists, for the pages of the history.

import { get, patiently } from "./api.js";
import { $, complain, el } from "./dom.js";
import { line, lineWords } from "./line.js";
import { COLOURS, title } from "./sides.js";

const LOST = ["", "", "skunked", "double-skunked"];

// Does it, and shows in words what went wrong, in the place of what went wrong before.
/** @template T @param {() => Promise<T>} act */
export function attempt(act) {
  complain("");
  return shown(act);
}

/** @template T @param {() => Promise<T>} act @returns {Promise<T | null>} */
async function shown(act) {
  try {
    return await act();
  } catch (failure) {
    if (failure.words === undefined) throw failure;
    complain(failure.words);
    $("wrong").scrollIntoView({ block: "center" });
    return null;
  }
}

// What the page is about is not there: only why not, and a way on.
export function gone() {
  for (const one of $("main").children) one.setAttribute("hidden", "");
  $("main").append(el("div", { class: "alone", role: "alert" }, el("h1", {}, $("wrong").textContent), el("a", { class: "button main", href: "/history" }, "All games and players")));
}

/** @type {<P extends Address>(path: P) => Promise<Got<P> | null>} */
export const fetched = (path) => attempt(() => patiently(() => get(path), complain));
/** @type {<P extends Address>(path: P) => Promise<Got<P> | null>} */
export const fetchedAgain = (path) => shown(() => patiently(() => get(path), complain)); // after an act, whose failure stays to be read
/** @param {string} words */
export const empty = (words) => el("p", { class: "empty" }, words);
/** @param {string | null | undefined} iso @param {Intl.DateTimeFormatOptions} how */
export const moment = (iso, how = { dateStyle: "medium", timeStyle: "short" }) => (iso ? new Intl.DateTimeFormat(undefined, how).format(new Date(iso)) : "");
/** @param {string} iso */
export const day = (iso) => moment(iso, { day: "numeric", month: "short", year: "numeric" });
/** @param {number | null} id @param {string} name */
export const playerLink = (id, name) => (id ? el("a", { href: `/player/${id}` }, name) : name);

/** @param {{ night: number, name: string, began: string }} one */
export const nightLink = ({ night, name, began }) => el("a", { href: `/night?night=${night}` }, `${day(began)}${name ? `: ${name}` : ""}`);

/** @param {string} caption @param {[string, string?][]} heads @param {Child[]} rows */
export function sheet(caption, heads, rows) {
  return el("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": caption },
    el("table", {},
      el("caption", { class: "hide" }, caption),
      el("thead", {}, el("tr", {}, heads.map(([name, style = ""]) => el("th", { scope: "col", class: style }, name)))),
      el("tbody", {}, rows)));
}

// A side of a game: those who sat there, or its colour.
/** @param {Game} game @param {SideOfGame} side */
export function sideWords(game, side) {
  const seated = game.seats.filter((seat) => seat.side === side.side && seat.name).map((seat) => seat.name);
  return seated.join(" & ") || side.name || `${title(COLOURS[side.side - 1])} (guest)`;
}

// The sides of a game, as a drawing wants them.
/** @param {Game} game */
export const sidesOf = (game) => game.sides.map((side) => ({ ...side, name: sideWords(game, side), colour: COLOURS[side.side - 1] }));

/** @param {Game} game */
export function ending(game) {
  if (game.state === "open") return "Still playing";
  if (game.state !== "won") return title(game.state);
  const lost = Math.max(...game.sides.filter((side) => side.side !== game.winner).map((side) => side.lost));
  return lost > 1 ? title(LOST[lost]) : "";
}

/** @param {Game} game @param {Child[]} actions */
export function gameRow(game, actions = []) {
  const drawn = game.line && game.line.length > 1 ? game.line : null;
  const sides = game.sides.map((side, at) => [at ? " – " : "", el(side.side === game.winner ? "strong" : "span", { class: "" }, `${sideWords(game, side)} ${side.front}`)]);
  return el("tr", {},
    el("td", { class: "drop muted" }, moment(game.ended ?? game.heard, { day: "numeric", month: "short", hour: "numeric", minute: "2-digit" })),
    game.line && el("td", { class: "way" }, drawn && line(sidesOf(game), drawn, game.target)),
    el("td", { class: "wide" }, el("a", { href: `/game/${game.id}` }, sides), drawn && el("p", { class: "muted small", "aria-hidden": "true" }, lineWords(sidesOf(game), drawn))),
    el("td", { class: "num" }, game.among && el("span", { class: "state" }, game.among === "corrected" ? "corrected score" : "computer"), ending(game) && el("span", { class: game.state === "open" ? "still" : "state" }, ending(game)), !game.whole && el("span", { class: "state", title: "Some events are missing" }, "gaps")),
    actions.length ? el("td", {}, el("div", { class: "actions" }, actions)) : null);
}

/** @param {Game[]} games @param {(game: Game) => Child[]} [actions] */
export function gameSheet(games, actions) {
  if (!games.length) return empty("No games yet.");
  /** @type {[string, string?][]} */
  const heads = [["When", "drop"], ...(games.some((game) => game.line) ? [/** @type {[string, string]} */ (["How it went", "way"])] : []), ["Game", "wide"], ["Ending", "num"], ...(actions ? [/** @type {[string, string]} */ (["Actions", "num"])] : [])];
  return sheet("Games", heads, games.map((game) => gameRow(game, actions?.(game))));
}

// Holes ahead, or behind with a minus.
/** @param {number} spread */
export const spreadWords = (spread) => (spread > 0 ? `+${spread}` : String(spread).replace("-", "−"));
