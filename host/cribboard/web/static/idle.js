// The screen while nobody plays: how tonight goes, and a large code to begin.

import { get, sentence } from "./api.js";
import { cardsWords, face, parse } from "./cards.js";
import { el, fill, refill } from "./dom.js";
import { invitation } from "./join.js";
import { onPodium, podium as large, shortNames, signed } from "./night-parts.js";
import { COLOURS, nameOf, title } from "./sides.js";

const AGAIN_MS = 60000;
const MOST = 5; // of the leaderboard
const STEPS = ["Scan the code with your phone", "Pick a side", "Cut for the deal: the low card deals"]; // nobody has won yet
const ENDED_MS = 180000; // an end stays to be looked at
const PODIUM_MS = 1800000; // a night's end, with its whole table; then the codes come back
const ROWS = 16; // of that table in a column

/** @typedef {{ state: State, invite: Invite | null }} Free */

// Whether nobody plays at a table; `ended` is when this page saw the game won.
/** @param {State} state @param {number} ended */
export function isIdle(state, ended) {
  if (!state.sides.length || state.idle?.dim || !state.rev) return true;
  return Boolean(state.winner) && Date.now() - ended > ENDED_MS;
}

export class Idle {
  /** @param {HTMLElement} node */
  constructor(node) {
    this.node = node;
    this.tonight = el("div", { class: "tonight" });
    this.free = el("div", { class: "free" });
    /** @type {Evening | null} */
    this.over = null;
    this.since = 0; // when it ended, as this page saw it
    this.alone = false;
    fill(node, this.tonight, this.free);
     
    setInterval(() => !node.hidden && this.load(), AGAIN_MS);
  }

  // The night that has just ended: its podium takes the place of the leaderboard, and for a while, where nobody plays
  // beside it, its whole table that of the codes.
  /** @param {Evening | null} evening @param {boolean} alone */
  night(evening, alone) {
    this.alone = alone;
    if (evening?.acts === this.over?.acts && evening?.night === this.over?.night) return;
    if (evening?.night !== this.over?.night) this.since = Date.now();
    this.over = evening;
    this.load();
  }

  // `tables` are the free ones: their states, each with the `invite` that its view has.
  /** @param {Free[]} tables */
  show(tables) {
    const was = this.node.hidden;
    this.node.hidden = !tables.length;
    if (!tables.length) return;
    if (was) this.load();
    this.node.dataset.tables = String(tables.length);
    const over = this.alone && Date.now() - this.since < PODIUM_MS ? this.over : null;
    this.node.toggleAttribute("data-over", Boolean(over));
    if (over) refill(this.free, [over.night, over.acts], () => table(over));
    else refill(this.free, tables.map(({ state, invite }) => [state.board.name, state.board.away, paused(state), invite?.url, invite?.code, invite?.unreachable]), () => tables.map(place));
  }

  async load() {
    try {
      const [night, evening] = await Promise.all([get("/api/tonight"), get("/api/night").catch(() => null)]);
      const ended = this.over;
      refill(this.tonight, [night, evening?.night, evening?.acts, evening?.closed, ended?.acts], () => {
        if (ended?.standings.length) return el("section", { class: "leaders" }, el("h2", {}, ended.name || "League night"), large(ended));
        const over = evening && podium(evening);
        const room = this.node.dataset.tables === "1"; // beside the codes of several tables there is none for both
        return [(!over || (room && night.players.length > 0)) && leaders(night.players), feats(night), over];
      });
    } catch {
      // the next time
    }
  }
}

/** @param {Free} free */
function place({ state, invite }) {
  const { name, away } = state.board;
  return el("article", { class: "place" },
    el("div", { class: "wood" }),
    el("h2", {}, name),
    away ? el("p", { class: "away" }, [away.text, away.hint].filter(Boolean).map(sentence).join(" ")) : invite && el("div", { class: "join" }, invitation(invite, "Scan to play")),
    paused(state) && el("p", { class: "paused" }, paused(state)));
}

// A whole table, in as many columns as it needs.
/** @param {Evening} evening */
function table(evening) {
  const beside = matchMedia("(orientation: landscape)").matches;
  const standings = evening.standings.filter((row) => beside || !onPodium(evening).includes(row));
  const list = el("ol", { class: "whole", "aria-label": "Standings", "data-pairs": standings.length > ROWS }, standings.map((row) => el("li", {},
    el("span", { class: "muted" }, String(row.place)), el("span", { class: "name" }, shortNames(evening, [row.name])[0]), el("span", { class: "muted" }, signed(row.spread)), el("strong", {}, row.points))));
  list.style.setProperty("--rows", String(Math.min(ROWS, standings.length > ROWS ? Math.ceil(standings.length / 2) : standings.length)));
  return [el("h2", { class: "muted" }, "Spread and points"), list];
}

/** @param {State} state */
function paused(state) {
  if (state.winner || !state.rev || !state.sides.some((side) => side.front)) return "";
  return `${state.sides.map((side) => `${nameOf(side)} ${side.front}`).join(" – ")}, paused`;
}

/** @param {Line[]} players */
function leaders(players) {
  /** @param {Line} player */
  const line = (player) => el("li", {},
    el("span", { class: "rank" }, String(player.place)),
    el("span", { class: "name" }, player.name),
    el("span", { class: "won" }, `${player.won} of ${player.games} won`),
    el("strong", {}, String(player.points), el("span", { class: "hide" }, player.points === 1 ? " point" : " points")));
  return el("section", { class: "leaders", "aria-label": "Tonight’s leaderboard" },
    el("h2", {}, players.length ? "Tonight" : "Play cribbage", players.length > 0 && el("span", { class: "muted" }, "points")),
    players.length ? el("ol", {}, players.slice(0, MOST).map(line)) : el("ol", { class: "steps" }, STEPS.map((step, at) => el("li", {}, el("span", { class: "rank", "aria-hidden": "true" }, String(at + 1)), step))));
}

// Who won the newest league night; while one is on, who leads.
/** @param {Evening} evening */
function podium(evening) {
  const best = evening.standings.filter((row) => row.place <= 3 && row.games).slice(0, 3);
  return best.length > 0 && el("div", { class: "feat" },
    el("h2", {}, evening.name || "League night"),
    el("ul", {}, best.map((row) => el("li", {}, el("strong", {}, String(row.place)), el("span", { class: "name" }, row.name), el("span", { class: "muted" }, row.points), el("span", { class: "hide" }, " points")))));
}

/** @param {Night} night */
function feats({ best_hand: best, streaks }) {
  const cards = best?.cards ? parse(best.cards + best.starter) : [];
  const who = best && (best.by ?? title(COLOURS[best.side - 1]));
  return [
    best && el("div", { class: "feat" },
      el("h2", {}, "Best hand"),
      el("p", { class: "what" }, el("strong", {}, String(best.points)), el("span", { class: "name" }, who)),
      cards && cards.length > 0 && el("div", { class: "cards", role: "img", "aria-label": cardsWords(cards) }, cards.map((card) => face(card, { role: null, "aria-label": null })))),
    streaks.length > 0 && el("div", { class: "feat" },
      el("h2", {}, "In a row"),
      el("ul", {}, streaks.slice(0, 3).map(({ name, won }) => el("li", {}, el("strong", {}, String(won)), el("span", { class: "name" }, name), el("span", { class: "hide" }, " games won in a row")))))];
}
