// The leaderboard, the games, the players.

import { $, el, fill, find, keeping } from "./dom.js";
import { empty, fetched, gameSheet, nightLink, playerLink, sheet, spreadWords } from "./records.js";

const PERIODS = [["night", "Tonight"], ["week", "Week"], ["season", "Season"], ["ever", "Ever"]];
const AMONG = [["people", "People"], ["computer", "Computer"], ["corrected", "Corrected scores"]];
const PAGE = 20;
/** @type {Record<string, string>} */
const EMPTY = {
  people: "Nobody is ranked in this period: that takes a finished game between people with names, without a corrected score.",
  computer: "Nobody with a name has finished a game against the computer in this period.",
  corrected: "No game with a corrected score has been finished in this period.",
};
/** @type {Game[]} */
let games = [];

const chosen = { periods: "night", among: "people" };

async function leaderboard() {
  for (const [id, name] of Object.entries(chosen)) {
    for (const button of $(id).children) button.setAttribute("aria-pressed", String(button.getAttribute("data-key") === name));
  }
  const { periods, among } = chosen;
  const reply = await fetched(`/api/leaderboard?period=${periods}&among=${among}`);
  if (!reply || periods !== chosen.periods || among !== chosen.among) return;
  /** @type {[string, string?][]} */
  const heads = [["Place", "num"], ["Player", "wide"], ["Points", "num"], ["Won", "num"], ["Games", "num drop-first"], ["Spread", "num"], ["Skunks", "num drop"]];
  fill($("board"), reply.players.length
    ? [sheet("Leaderboard", heads, reply.players.map(line)), el("p", { class: "muted" }, "Two points for a win, three for a skunk. Spread: the holes ahead, over all games.")]
    : empty(EMPTY[among]));
}

/** @param {LeaderboardRow} player */
function line(player) {
  return el("tr", { class: player.place === 1 ? "first" : "" },
    el("td", { class: "num muted" }, String(player.place)),
    el("td", { class: "wide" }, playerLink(player.player, player.name)),
    el("td", { class: "num" }, el("strong", {}, String(player.points))),
    el("td", { class: "num" }, String(player.won)),
    el("td", { class: "num drop-first" }, String(player.games)),
    el("td", { class: "num" }, spreadWords(player.spread)),
    el("td", { class: "num drop" }, String(player.skunks)));
}

async function older() {
  const newer = games;
  const before = newer.length ? `&before=${newer[newer.length - 1].id}` : "";
  const page = await fetched(`/api/games?lines=1&limit=${PAGE}${before}`);
  if (!page || newer !== games) return; // tapped twice
  games = [...newer, ...page.games];
  fill($("games"), gameSheet(games));
  keeping(() => ($("older").hidden = page.games.length < PAGE), () => find($("games"), `tr:nth-child(${games.length - page.games.length + 1}) a`));
}

async function players() {
  const reply = await fetched("/api/players");
  if (!reply) return;
  const nights = reply.players.some(({ on_nights: on }) => on.nights);
  /** @type {[string, string?][]} */
  const heads = [["Player", "wide"], ["Won", "num"], ["Games", "num"]];
  fill($("players"), reply.players.length
    ? [nights && el("p", { class: "muted" }, "Won and Games are of games at electronic boards; On nights, what was won of all games on closed league nights."),
      sheet("Players", nights ? [...heads, ["On nights", "num"]] : heads, reply.players.map(({ id, name, won, games: all, on_nights: on }) =>
        el("tr", {}, el("td", { class: "wide" }, playerLink(id, name)), el("td", { class: "num" }, String(won)), el("td", { class: "num" }, String(all)), nights && el("td", { class: "num" }, on.games ? `${on.won} of ${on.games}` : ""))))]
    : empty("Players appear here when a game has names."));
}

// League nights, with their seasons.
async function nights() {
  const reply = await fetched("/api/nights");
  if (!reply?.nights.length) return;
  const seasons = new Map(reply.seasons.map(({ season, name }) => [season, name]));
  fill($("nights"), sheet("League nights", [["Night"], ["Season", "wide"]], reply.nights.map((one) =>
    el("tr", {}, el("td", {}, nightLink(one), !one.closed && el("small", { class: "muted" }, " not closed")), el("td", { class: "wide" }, one.season ? el("a", { href: `/season/${one.season}` }, seasons.get(one.season)) : null)))));
  $("league").hidden = false;
}

/** @param {"periods" | "among"} id @param {string[][]} choices */
const choices = (id, choices) => fill($(id), choices.map(([key, name]) => el("button", { type: "button", "data-key": key, onclick: () => {
  chosen[id] = key;
  leaderboard();
} }, name)));
choices("periods", PERIODS);
choices("among", AMONG);
$("older").onclick = older;
leaderboard();
older();
players();
nights();
