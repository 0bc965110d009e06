// One player: figures, and how they stand against another.

import { numberOfPage } from "./api.js";
import { face, parse } from "./cards.js";
import { $, el, fill, svg, text } from "./dom.js";
import { sideOf } from "./sides.js";
import { day, empty, fetched, gameSheet, gone, spreadWords } from "./records.js";

const NONE = "–"; // not counted yet
const id = numberOfPage();
/** @param {number | null} value */
const one = (value) => (value === null ? NONE : value.toLocaleString(undefined, { maximumFractionDigits: 1, minimumFractionDigits: 1 }));
/** @param {number | null} value */
const whole = (value) => (value === null ? NONE : String(value));

// Of the games won; those among people are the others.
/** @type {["computer" | "corrected", string][]} */
const AMONG = [["computer", "Won against the computer"], ["corrected", "Won with a corrected score"]];

/** @param {Player} player @returns {[string, string, (Best | string | null)?][]} */
function figures(player) {
  const { on_nights: on } = player;
  const lost = player.games - player.won;
  const streak = player.streak >= 0 ? `${player.streak} won` : `${-player.streak} lost`;
  return /** @type {[string, string, (Best | string | null)?][]} */ ([
    ["Won", `${player.won} of ${player.games}`, lost === 1 ? "1 game lost" : `${lost} games lost`],
    .../** @type {[string, string, string][]} */ (on.games ? [["Won on league nights", `${on.won} of ${on.games}`, on.nights === 1 ? "on 1 night" : `on ${on.nights} nights`]] : []),
    ["Points", whole(player.points), "2 for a win, 3 for a skunk"],
    ["Spread", spreadWords(player.spread), `${Math.abs(player.spread) === 1 ? "hole" : "holes"}, over all games`],
    ["Best hand", whole(player.best_hand?.points ?? null), player.best_hand],
    ...AMONG.filter(([kind]) => player.among[kind][0]).map(([kind, name]) => /** @type {[string, string]} */ ([name, `${player.among[kind][1]} of ${player.among[kind][0]}`])),
    ["Average hand", one(player.hand)], ["Average crib", one(player.crib)], ["Pegging per game", one(player.pegging)],
    ["Best pegging in a game", whole(player.best_pegging)], ["Best pegging in a deal", whole(player.best_deal)],
    ["Skunks given", whole(player.skunks)], ["Skunks taken", whole(player.skunked)],
    ["Current streak", streak], ["Longest winning streak", whole(player.longest)],
  ]).filter(([, value]) => value !== NONE);
}

/** @param {[string, string, (Best | string | null)?]} figure */
function figure([name, value, more]) {
  const best = typeof more === "string" ? null : more;
  const cards = best?.cards ? [...(parse(best.cards) ?? []), ...(parse(best.starter) ?? [])] : [];
  return el("div", {}, el("dt", {}, name), el("dd", {}, value, cards.length ? el("small", {}, cards.map((card) => face(card))) : null), typeof more === "string" && el("dd", { class: "note" }, more));
}

// What a player counts in a deal, beside what is usual.
/** @type {["dealer" | "pone" | "crib", string, number][]} */
const DEALS = [["dealer", "Hand as dealer", 8.0], ["pone", "Hand when not dealing", 8.1], ["crib", "Crib", 4.7]];
const MOST = 10; // points at the end of the scale, or more for who has more

/** @param {Player} player */
function averages(player) {
  const counted = DEALS.filter(([key]) => player.deals[key].count);
  const most = Math.max(MOST, ...counted.map(([key]) => 1.1 * (player.deals[key].mean ?? 0)));
  /** @param {string} style @param {number} value @param {Child} words */
  const bar = (style, value, words) => {
    const drawn = svg("svg", { viewBox: "0 0 100 1", preserveAspectRatio: "none", "aria-hidden": "true" }, svg("rect", { width: 100, height: 1 }));
    drawn.style.width = `calc((100% - 9em) * ${value / most})`; // beside it its words have room
    return el("span", { class: `bar ${style}` }, drawn, words);
  };
  return counted.length ? el("dl", { class: "bars" }, counted.map(([key, name, usual]) => {
    const { mean, count } = player.deals[key];
    return el("div", {}, el("dt", {}, name),
      el("dd", {}, bar("own", mean ?? 0, el("strong", {}, `${one(mean)} in ${count === 1 ? "1 deal" : `${count} deals`}`)), bar("usual", usual, el("span", { class: "muted" }, `usual ${one(usual)}`))));
  })) : empty("No hand of a game of two has been counted from its cards yet.");
}

async function show() {
  const player = await fetched(`/api/players/${id}`);
  if (!player) return gone();
  document.title = `${player.name} – cribboard`;
  text($("name"), player.name);
  text($("since"), `Since ${day(player.since)}`);
  fill($("figures"), figures(player).map(figure));
  fill($("averages"), averages(player));
  fill($("games"), gameSheet(player.recent));
  await rivals();
}

async function rivals() {
  const reply = await fetched("/api/players");
  const others = (reply?.players ?? []).filter((other) => other.id !== id);
  fill($("rival"), el("option", { value: "" }, others.length ? "Choose a player" : "Nobody yet"), others.map((other) => el("option", { value: other.id }, other.name)));
  $("rival").onchange = against;
}

async function against() {
  const rival = $("rival").value;
  if (!rival) return fill($("against"));
  const met = await fetched(`/api/players/${id}/against/${Number(rival)}`);
  if (!met || rival !== $("rival").value) return;
  const [mine, theirs] = met.names;
  fill($("against"), met.played
    ? [duel(met), gameSheet(met.games)]
    : empty(`${mine} and ${theirs} have not played each other yet.`));
}

// Two players as one bar, and their newest games from the oldest on: whose each was, and how high.
/** @param {Rivals} met */
function duel({ names: [mine, theirs], won: [ours, others], skunks, spread, games, players: [me] }) {
  const share = ours + others ? (100 * ours) / (ours + others) : 50;
  const ahead = spread === 0 ? "level in points" : `${spread > 0 ? mine : theirs} ahead by ${Math.abs(spread)} points in all`;
  /** @param {Game} game */
  const mineOf = (game) => game.seats.find((seat) => seat.player === me)?.side;
  const last = games.filter((game) => game.state === "won").reverse();
  /** @param {Game} game */
  const height = (game) => {
    const [own, other] = [sideOf(game, mineOf(game))?.front ?? 0, Math.max(...game.sides.filter((side) => side.side !== mineOf(game)).map((side) => side.front))];
    return own - other;
  };
  const by = last.map(height);
  const most = Math.max(31, ...by.map(Math.abs));
  return el("div", { class: "duel" },
    el("p", { class: "sides" }, el("strong", {}, `${mine} ${ours}`), el("strong", {}, `${others} ${theirs}`)),
    svg("svg", { class: "share", viewBox: "0 0 100 4", preserveAspectRatio: "none", "aria-hidden": "true" },
      svg("rect", { class: "mine", x: 0, y: 0, width: Math.max(0, share - 0.4), height: 4 }), svg("rect", { class: "theirs", x: share + 0.4, y: 0, width: Math.max(0, 99.6 - share), height: 4 })),
    el("p", { class: "muted" }, `Skunks by ${mine} ${skunks[0]}, by ${theirs} ${skunks[1]}; ${ahead}.`),
    by.length > 0 && svg("svg", { class: "spreads", preserveAspectRatio: "xMinYMid", viewBox: `0 -52 ${Math.max(10, by.length) * 12} 104`, role: "img", "aria-label": `The newest games, oldest first: ${by.map((points) => `${points < 0 ? theirs : mine} by ${Math.abs(points)}`).join(", ")}` },
      svg("line", { x1: 0, x2: Math.max(10, by.length) * 12, y1: 0, y2: 0 }),
      by.map((points, at) => svg("rect", { class: points < 0 ? "theirs" : "mine", x: at * 12 + 2, width: 8, y: points > 0 ? (-50 * points) / most : 0, height: (50 * Math.abs(points)) / most, rx: 1.5 }))));
}

show();
