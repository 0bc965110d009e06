// The night on a television: who plays where, how everybody stands, the podium at the end. It is read from across the room.

import { get } from "./api.js";
import { el, refill } from "./dom.js";
import { invitation } from "./join.js";
import { clockWords, inBold, isDue, isPlayed, onPodium, playing, podium, quarrels, result, seeDirector, shortNames, signed, sitsOut, upcoming } from "./night-parts.js";

const TURN_MS = 12000;
const CODE_MS = 60000;
const MATCHES = 8; // at once
const LISTED = 6; // of what is next, and of results while others play, at most
// Heights, in hundredths of a lying television's: what is left of it below the title, of an upright one's, a card, one
// of few, a line, and the code. Where little is shown it is larger.
const HEIGHT = 88;
const UPRIGHT_HEIGHT = 142;
const CARD = 9.6;
const LARGE_CARD = 17.5;
const FEW = 3;
const PODIUM = 68;
const UPRIGHT_PODIUM = 62;
const LINE = 5.45;
const CODE = 24;
const NEXT = 4; // lines that an upright one keeps for what is next
const LARGEST = 1.2;
const UPRIGHT_LARGEST = 1.15; // as wide as it is

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
    /** @type {number[]} */
    this.over = []; // matches, the newest first
    setInterval(() => {
      this.turn += 1;
      if (this.evening && !node.hidden) this.show(this.evening);
    }, TURN_MS);
    setInterval(() => !node.hidden && this.load(), CODE_MS);
  }

  async load() {
    this.invite = await get("/api/night/invite").catch(() => null);
    this.best = (await get("/api/tonight").catch(() => null))?.best_hand ?? null;
    if (this.evening && !this.node.hidden) this.show(this.evening);
  }

  /** @param {Evening} evening */
  show(evening) {
    if (!this.evening) this.load();
    this.evening = evening;
    const upright = matchMedia("(max-aspect-ratio: 1 / 1)").matches;
    const ended = evening.closed || isPlayed(evening);
    const invite = !ended && evening.entrants.some((one) => one.here && !one.phone) ? this.invite : null; // all others are in
    const best = evening.closed ? this.best : null;
    const beside = (invite ? CODE : 0) + (best ? LINE : 0);
    const disputed = quarrels(evening);
    const seen = this.page([...disputed, ...playing(evening).filter((match) => !disputed.includes(match))], MATCHES);
    const few = seen.length <= FEW;
    const cards = ended ? (upright ? UPRIGHT_PODIUM : PODIUM) : seen.length ? seen.length * (few ? LARGE_CARD : CARD) : CARD;
    const next = upright && !ended ? LINE * Math.min(NEXT, 1 + upcoming(evening).length + (sitsOut(evening) ? 1 : 0)) : 0;
    const height = (upright ? UPRIGHT_HEIGHT - cards - next : HEIGHT) - beside;
    const none = !evening.played; // nobody stands anywhere: the code has the place
    const scans = Boolean(invite) && none;
    const large = onPodium(evening);
    const stand = none ? [] : upright && ended ? evening.standings.filter((row) => !large.includes(row)) : evening.standings;
    const fit = Math.floor(height / LINE) - 1;
    const pairs = upright && stand.length > fit;
    const rows = this.page(stand, pairs ? 2 * fit : fit);
    const table = rows.length ? ((pairs ? Math.ceil(rows.length / 2) : rows.length) + 1) * LINE : 0;
    const larger = pairs ? 1 : upright ? Math.min(UPRIGHT_LARGEST, (height + cards + next) / (table + cards + next)) : Math.min(ended ? UPRIGHT_LARGEST : LARGEST, table ? height / table : LARGEST, few && cards ? HEIGHT / cards : LARGEST);
    const scale = Math.max(1, larger);
    this.node.style.setProperty("--scale", scale.toFixed(2));
    const called = few ? scale : 1;
    const room = (upright ? height + cards + next - table * scale : HEIGHT) - cards * called;
    const lists = this.lists(evening, Math.floor(room / LINE / called));
    const due = seen.filter((match) => isDue(evening, match)).map((match) => match.match);
    const shown = [evening.night, evening.acts, evening.closed, scale, rows, scans, seen, due, lists, invite?.code, best?.points, clockWords(evening)];
    this.node.toggleAttribute("data-alone", none && !scans);
    this.node.style.setProperty("--chars", String(Math.max(0, ...seen.map((match) => match.place.length))));
    const from = evening.standings.indexOf(rows[0]) + 1;
    refill(this.node, shown, () => [
      el("p", { class: "clock" }, clockWords(evening)),
      ended ? podium(evening) : el("section", { class: "calls", "data-large": few, "aria-label": "Who plays now" },
        seen.length ? seen.map((match) => (disputed.includes(match) ? el("p", { class: "call quarrel" }, seeDirector(evening, match)) : call(evening, match))) : el("p", { class: "headline" }, upcoming(evening).length ? "Nobody is called just now." : "All games have been played"), lists.map(list)),
      rows.length > 0 && el("section", { class: "table-of", "data-pairs": pairs, "data-ended": ended, "aria-label": "Standings" },
        el("p", { class: "head muted" }, el("span", {}, !ended && rows.length < evening.standings.length ? `Standings, ${from} to ${from + rows.length - 1}` : "Standings"), !pairs && el("span", { class: "won" }, "won"), ended && !pairs && el("span", { class: "won" }, "spread"), el("span", { class: "won" }, "points")),
        el("ol", {}, rows.map((each) => row(evening, each, ended && !pairs, !pairs))), best && el("p", { class: "best" }, "Best hand: ", el("strong", {}, String(best.points)), best.by ? `, ${best.by}` : "")),
      invite && el("div", { class: "join", "data-large": scans }, invitation(invite, "Scan, and tap your name", "Night")),
    ]);
  }

  // What fits at once, by turns, each as long as the others.
  /** @template T @param {T[]} all @param {number} most @returns {T[]} */
  page(all, most) {
    const pages = Math.max(1, Math.ceil(all.length / most));
    const size = Math.ceil(all.length / pages);
    return all.slice((this.turn % pages) * size, (this.turn % pages) * size + size);
  }

  // What comes next, and the newest results, as far as there is room for lines.
  /** @param {Evening} evening @param {number} room @returns {[string, string[][]][]} */
  lists(evening, room) {
    const disputed = quarrels(evening);
    const over = evening.matches.filter((match) => !match.bye && match.over && !disputed.includes(match));
    this.over = [...over.map((match) => match.match).filter((match) => !this.over.includes(match)).reverse(), ...this.over];
    const most = over.length ? Math.ceil((room - 2) / 2) : room - 1;
    const coming = upcoming(evening).map((match) => [shortNames(evening, match.names).join(" v ")]);
    const out = sitsOut(evening);
    if (out) room -= 1;
    const next = coming.slice(0, Math.max(0, Math.min(LISTED, most)));
    const results = this.over.flatMap((number) => over.find((match) => match.match === number && match.legs.length) ?? []);
    const left = room - (next.length ? next.length + 1 : 0) - 1;
    const said = results.slice(0, Math.max(0, Math.min(coming.length || playing(evening).length ? LISTED : left, left))).map((match) => result(evening, match));
    /** @type {[string, string[][]][]} */
    const both = [["Next", next], ["Latest results", said]];
    return [...(out ? [/** @type {[string, string[][]]} */ ([out, []])] : []), ...both.filter(([, lines]) => lines.length)];
  }
}

/** @param {[string, string[][]]} given */
const list = ([title, lines]) => el("div", { class: "listed" }, el("h2", { class: "muted" }, title), lines.map((line) => el("p", {}, inBold(line))));

/** @param {Evening} evening @param {Match} match */
function call(evening, match) {
  const [one, other] = shortNames(evening, match.names);
  const between = match.running ? el("strong", { class: "score" }, match.running.join(" – ")) : el("span", { class: "muted" }, "v");
  const due = isDue(evening, match);
  return el("article", { class: "call", "data-due": due },
    el("p", { class: "place" }, match.place),
    el("p", { class: "pair" }, el("span", {}, one), " ", between, " ", el("span", {}, other)),
    due && el("p", { class: "go" }, "go now"));
}

/** @param {Evening} evening @param {Evening["standings"][number]} row @param {boolean} spread @param {boolean} won */
const row = (evening, row, spread, won) => el("li", {},
  el("span", { class: "rank" }, String(row.place)), el("span", { class: "who" }, shortNames(evening, [row.name])[0]),
  won && el("span", { class: "won muted" }, String(row.won)), spread && el("span", { class: "won muted" }, signed(row.spread)), el("strong", {}, row.points));
