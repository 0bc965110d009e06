// A game again, hole by hole: the board as it was after each event, and what was not heard shown as a gap.

import { get, numberOfPage, patiently, post } from "./api.js";
import { Board } from "./board.js";
import { face, parse } from "./cards.js";
import { correction as asked } from "./correct.js";
import { $, el, fill, text } from "./dom.js";
import { legend, line, lineWords, scale } from "./line.js";
import { attempt, ending, fetched, gone, moment, sideWords, sidesOf } from "./records.js";
import { named } from "./sides.js";

const STEP_MS = 700;
const HOLE_MS = 50;
const SCORES = ["peg", "hand", "nibs", "go", "muggins"];
const number = numberOfPage();
/** @type {Replay} */
let game;
/** @type {Board | null} */
let board = null;
let timer = 0;
/** @type {Stood[]} */
let stood = [];

/** @typedef {{ fronts: number[], backs: number[], dealer: number | null }} Stood */

// The pegs after an event; where they are not known they stay as they were last known.
function standings() {
  /** @type {Stood} */
  let last = { fronts: game.sides.map(() => 0), backs: game.sides.map(() => 0), dealer: null };
  const pegs = game.events.map((event) => {
    if (event.fronts && event.backs) last = { fronts: event.fronts, backs: event.backs, dealer: event.dealer };
    return last;
  });
  const ended = game.sides.map(({ front, back }) => [front, back]); // with what staff have corrected since
  if (pegs.length) pegs[pegs.length - 1] = { ...last, fronts: ended.map(([front]) => front), backs: ended.map(([, back]) => back) };
  return pegs;
}

/** @param {number} at */
function state(at) {
  const { fronts, backs } = stood[at] ?? { fronts: game.sides.map((side) => side.front), backs: game.sides.map((side) => side.back) };
  return {
    target: game.target,
    sides: sidesOf(game).map((side, index) => ({ ...side, front: fronts[index], back: backs[index] })),
  };
}

/** @param {number} at */
function show(at) {
  const event = game.events[at];
  const now = state(at);
  board?.pegs(now);
  text($("event"), event ? words(event) : "");
  fill($("cards"), event ? cards(event) : []);
  fill($("line"), line(now.sides, stood.map((one) => one.fronts), game.target, { at }), scale(game.target));
  reveal(event);
  fill($("scores"), now.sides.map((side) => el("p", { "data-colour": side.colour }, named(side), el("strong", {}, String(side.front)))));
  $("at").value = String(at);
  $("at").setAttribute("aria-valuetext", event ? words(event) : "");
  [...$("events").children].forEach((row, index) => (index === at ? row.setAttribute("aria-current", "step") : row.removeAttribute("aria-current")));
}

// The cards that were counted, the starter apart.
/** @param {GameEvent} event @returns {Child[]} */
function cards({ cards: hand = "", starter = "" }) {
  return [(parse(hand) ?? []).map((card) => el("li", {}, face(card))), (parse(starter) ?? []).map((card) => el("li", { class: "starter" }, face(card)))];
}

// A board that is wider than the screen is moved to the peg that went.
/** @param {GameEvent | undefined} event */
function reveal(event) {
  const place = event?.side ? [...$("board").querySelectorAll(`.rings [data-colour="${sidesOf(game).find((side) => side.side === event.side)?.colour}"]:not(.back)`)].at(-1) : null;
  if (!place) return;
  const [frame, peg] = [$("lying").getBoundingClientRect(), place.getBoundingClientRect()];
  $("lying").scrollLeft += peg.left + peg.width / 2 - frame.left - frame.width / 2;
}

/** @param {GameEvent} event */
function words(event) {
  if (event.kind !== "gap") return event.text || event.kind;
  return event.missing === 1 ? "One event is missing." : `${event.missing} events are missing.`;
}

/** @param {Correction} correction */
function correction({ what, before, after }) {
  if (what === "score") return `A score of ${before.points} is ${after.points}`;
  if (what !== "event lost") return what;
  const points = before.a ? ` of ${before.a}` : "";
  return `The board lost an event (${before.kind}${points}); ${after.kind ? "another one has taken its place" : "it does not count"}.`;
}

/** @param {GameEvent} event @param {number} at */
function row(event, at) {
  const style = event.kind === "gap" ? "gap" : event.gone ? "gone" : "";
  return el("li", {},
    el("time", {}, moment(event.at, { hour: "numeric", minute: "2-digit", second: "2-digit" })),
    el("button", { type: "button", class: style, onclick: () => go(at) }, words(event), event.gone && el("span", { class: "hide" }, " (taken back)")),
    el("span", { class: "by" }, event.by ?? ""));
}

// On a small screen the whole replay is brought to where it can be seen.
function look() {
  if (matchMedia("(max-width: 560px), (max-height: 480px)").matches) $("replay").scrollIntoView();
}

/** @param {number} at */
function go(at) {
  stop();
  look();
  show(Math.min(game.events.length - 1, Math.max(0, at)));
}

function stop() {
  clearTimeout(timer);
  timer = 0;
  text($("play"), "Replay");
}

function play() {
  if (timer) return stop();
  look();
  text($("play"), "Stop");
  const at = Number($("at").value);
  return step(at >= game.events.length - 1 ? 0 : at + 1);
}

/** @param {number} at */
function step(at) {
  const ways = [...walk(at)];
  const next = () => {
    const way = ways.shift();
    if (way) {
      board?.pegs(way);
      timer = setTimeout(next, HOLE_MS);
      return;
    }
    show(at);
    if (at >= game.events.length - 1) stop();
    else timer = setTimeout(() => step(at + 1), STEP_MS);
  };
  next();
}

// While it plays, a peg goes through the holes, as on the table.
/** @param {number} at @returns {Generator<Pegs>} */
function* walk(at) {
  if (!at || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const [before, after] = [state(at - 1), state(at)];
  const moved = after.sides.findIndex((side, index) => side.front > before.sides[index].front);
  for (let hole = before.sides[moved]?.front + 1; hole < after.sides[moved]?.front; hole += 1) {
    yield { ...after, sides: after.sides.map((side, index) => (index === moved ? { ...side, front: hole } : side)) };
  }
}

// Staff correct a score of a game that is over; while it is on, that is done at its table.
async function correctScore() {
  const scored = game.events.filter(({ kind, gone, points }) => SCORES.includes(kind) && !gone && points !== null).reverse();
  const lines = scored.map((event) => ({ rev: event.rev, points: event.points ?? 0, text: words(event) }));
  const given = await asked(lines, "Averages and the final scores follow; the winner stays.");
  if (!given || !(await attempt(() => post(`/api/games/${number}`, { score: [given.line.rev, given.line.points, given.points] })))) return;
  await begin();
  text($("said"), "The score is corrected.");
}

// A board of as many tracks as there are sides; any will do, a game is to be looked at.
async function draw() {
  try {
    const { boards } = await patiently(() => get("/api/boards"));
    const own = boards.find((one) => one.board.uid === game.board) ?? boards[0];
    board = new Board(/** @type {SVGSVGElement} */ (/** @type {Element} */ ($("board"))), await patiently(() => get(`/api/boards/${own.board.number}/drawing`)));
  } catch {
    $("lying").hidden = true; // the words are there
  }
}

async function begin() {
  const reply = await fetched(`/api/games/${number}`);
  if (!reply) return gone();
  game = reply;
  const sides = game.sides.map((side) => sideWords(game, side));
  text($("title"), sides.join(" – "));
  document.title = `${sides.join(" – ")} – cribboard`;
  text($("when"), [moment(game.began), `to ${game.target}`, ending(game), game.whole ? "" : "some events are missing"].filter(Boolean).join(" · "));
  stood = standings();
  fill($("legend"), legend(sidesOf(game)).map((one) => el("span", {}, one)), el("span", {}, lineWords(sidesOf(game), stood.map((one) => one.fronts))));
  fill($("events"), game.events.map(row));
  fill($("corrections"), game.corrections.map((one) => el("li", {}, el("time", {}, moment(one.at)), el("span", {}, correction(one)), el("span", { class: "by" }, one.who))));
  $("corrected").hidden = !game.corrections.length;
  await draw();
  $("replay").hidden = !game.events.length;
  $("nobody").hidden = game.events.length > 0;
  $("at").max = String(Math.max(0, game.events.length - 1));
  $("at").oninput = () => go(Number($("at").value));
  $("back").onclick = () => go(Number($("at").value) - 1);
  $("forth").onclick = () => go(Number($("at").value) + 1);
  $("play").onclick = play;
  $("correct").onclick = correctScore;
  patiently(() => get("/api/me")).then(({ role }) => {
    $("correct").hidden = role !== "staff";
  }, () => {});
  show(game.events.length - 1);
  new ResizeObserver(() => reveal(game.events[Number($("at").value)])).observe($("lying")); // the board has no pegs before it has a size
}

begin();
