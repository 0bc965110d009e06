// The night on a television: who plays where, how everybody stands, the podium at the end. It is read from across the room.

import { get } from "./api.js";
import { el, refill } from "./dom.js";
import { invitation } from "./join.js";
import { clockWords, signed } from "./night-parts.js";

const ROWS = 10; // of the standings at once
const TURN_MS = 12000;
const CODE_MS = 60000;
const MATCHES = 8; // at once

export class Wall {
  /** @param {HTMLElement} node */
  constructor(node) {
    this.node = node;
    this.turn = 0;
    /** @type {Invite | null} */
    this.invite = null;
    /** @type {Evening | null} */
    this.evening = null;
    /** @type {BestOfNight | null} */
    this.best = null;
    setInterval(() => {
      this.turn += 1;
      if (this.evening && !node.hidden) this.show(this.evening);
    }, TURN_MS);
    setInterval(() => !node.hidden && this.load(), CODE_MS);
  }

  async load() {
    this.invite = await get("/api/night/invite").catch(() => null);
    this.best = (await get("/api/tonight").catch(() => null))?.best_hand ?? null;
  }

  /** @param {Evening} evening */
  show(evening) {
    if (!this.evening) this.load();
    this.evening = evening;
    const parts = Math.max(1, Math.ceil(evening.standings.length / ROWS));
    const from = (this.turn % parts) * ROWS;
    const rows = evening.standings.slice(from, from + ROWS);
    const playing = evening.matches.filter((match) => match.called && !match.over && !match.bye);
    const pages = Math.max(1, Math.ceil(playing.length / MATCHES));
    const first = (this.turn % pages) * MATCHES;
    const seen = playing.slice(first, first + MATCHES);
    const shown = [evening.acts, evening.closed, rows, seen, this.invite?.code, this.best?.points, clockWords(evening)];
    refill(this.node, shown, () => [
      el("p", { class: "clock" }, clockWords(evening)),
      evening.closed ? podium(evening) : el("section", { class: "calls", "aria-label": "Who plays now" }, seen.length ? seen.map(call) : el("p", { class: "muted" }, "Nobody is called just now.")),
      el("section", { class: "table-of", "aria-label": "Standings" }, el("ol", {}, rows.map(row)), this.best && el("p", { class: "best" }, "Best hand: ", el("strong", {}, String(this.best.points)), this.best.by ? `, ${this.best.by}` : "")),
      !evening.closed && this.invite && el("div", { class: "join" }, invitation(this.invite, "Your name on your phone")),
    ]);
  }
}

/** @param {Match} match */
function call(match) {
  const [one, other] = match.names;
  const between = match.running ? ` ${match.running.join(" – ")} ` : " v ";
  return el("article", { class: "call" },
    el("p", { class: "place" }, match.place),
    el("p", { class: "pair" }, el("strong", {}, one), el("span", { class: "muted" }, between), el("strong", {}, other)));
}

/** @param {Evening["standings"][number]} row */
const row = (row) => el("li", {},
  el("span", { class: "rank" }, String(row.place)), el("span", { class: "who" }, row.name),
  el("strong", {}, row.points), el("span", { class: "spread muted" }, signed(row.spread)));

/** @param {Evening} evening */
function podium(evening) {
  const best = evening.standings.filter((row) => row.place <= 3 && row.games).slice(0, 5);
  return el("section", { class: "podium", "aria-label": "The podium" }, best.map((row) =>
    el("p", { "data-place": row.place }, el("span", { class: "rank" }, String(row.place)), el("strong", {}, row.name), el("span", {}, `${row.points} points`))));
}
