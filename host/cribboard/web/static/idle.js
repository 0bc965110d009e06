// The screen while nobody plays: how tonight goes, and a large code to begin.

import { get, sentence } from "./api.js";
import { cardsWords, face, parse } from "./cards.js";
import { el, fill, refill } from "./dom.js";
import { invitation } from "./join.js";
import { apart, pointsWords, shortNames } from "./night-parts.js";
import { COLOURS, nameOf, title } from "./sides.js";

const AGAIN_MS = 60000;
const MOST = 5; // of the leaderboard
const STEPS = ["Scan the code with your phone", "Pick a side", "Cut for the deal: the low card deals"]; // nobody has won yet
const ENDED_MS = 180000; // an end stays to be looked at

/** @typedef {{ state: State, invite: Invite | null }} Free */

// Whether nobody plays at a table; `ended` is when this page saw the game won, by the clock that nobody sets.
/** @param {State} state @param {number} ended */
export function isIdle(state, ended) {
  if (!state.sides.length || state.idle?.dim || !state.rev) return true;
  return Boolean(state.winner) && performance.now() - ended > ENDED_MS;
}

export class Idle {
  /** @param {HTMLElement} node */
  constructor(node) {
    this.node = node;
    this.tonight = el("div", { class: "tonight" });
    this.free = el("div", { class: "free" });
    fill(node, this.tonight, this.free);
    setInterval(() => !node.hidden && this.load(), AGAIN_MS);
  }

  // `tables` are the free ones: their states, each with the `invite` that its view has.
  /** @param {Free[]} tables */
  show(tables) {
    const was = this.node.hidden;
    this.node.hidden = !tables.length;
    if (!tables.length) return;
    if (was) this.load();
    this.node.dataset.tables = String(tables.length);
    refill(this.free, tables.map(({ state, invite }) => [state.board.name, state.board.away, paused(state), invite?.url, invite?.code, invite?.unreachable]), () => tables.map(place));
  }

  async load() {
    try {
      const [night, evening] = await Promise.all([get("/api/tonight"), get("/api/night").catch(() => null)]);
      refill(this.tonight, [night, evening?.night, evening?.acts, evening?.closed, evening?.tonight], () => {
        const over = evening && podium(evening);
        if (over && evening.tonight) return [over, feats(night)]; // the games on boards are a part of it
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

/** @param {State} state */
function paused(state) {
  if (state.winner || !state.rev || !state.sides.some((side) => side.front)) return "";
  return `${state.sides.map((side) => `${nameOf(side)} ${side.front}`).join(" – ")}, paused`;
}

/** @param {LeaderboardRow[]} players */
function leaders(players) {
  /** @param {LeaderboardRow} player */
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
  return best.length > 0 && el("div", { class: "feat over" },
    el("h2", {}, evening.name || "League night"),
    el("ul", {}, best.map((row) => el("li", {}, el("strong", {}, String(row.place)), el("span", { class: "name" }, shortNames(evening, [row.name])[0]), el("span", { class: "muted" }, pointsWords(row.points), apart(evening, row))))));
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
