// A game against the computer: this phone's own cards, what it may do with them, and what happened.

import { ask, get, numberOfPage, patiently, post } from "./api.js";
import { cardWords, face, pips } from "./cards.js";
import { choose } from "./dialog.js";
import { $, complain, disable, el, fill, find, isDisabled, keeping, refill, text } from "./dom.js";
import { Live } from "./live.js";
import { isPlaying, named, nameOf, sideOf } from "./sides.js";
import { Wake } from "./wake.js";
import { duties } from "./words.js";

const THROWN = 2;
const LIMIT = 31;
const number = numberOfPage();
/** @type {`/api/boards/${number}/computer`} */
const ADDRESS = `/api/boards/${number}/computer`;
/** @type {Computer | null} */
let game = null;
/** @type {State | null} */
let state = null;
let acting = false;
/** @type {Promise<void> | null} */
let looking = null;
let again = false; // something has come while a request was on its way
let unanswered = false; // what is complained of: the kiosk has not answered

const checked = (/** @type {string} */ id) => /** @type {HTMLInputElement} */ ($(id)).checked;
const chosen = () => [...$("hand").querySelectorAll("[aria-pressed='true']")].map((button) => button.getAttribute("data-card") ?? "");

/** @param {() => Promise<Computer>} ask */
async function run(ask) {
  try {
    const next = await ask();
    if (unanswered) complain("");
    unanswered = false;
    keeping(() => show(next), toDo);
  } catch (failure) {
    if (failure.words === undefined) throw failure;
    complain(failure.words);
    unanswered = failure.unanswered;
    if (failure.status === 403) $("wrong").append(" ", el("a", { href: `/score/${number}` }, "Join the table"));
    again ||= failure.code === "seen";
  }
}

// What somebody does waits for a look that is on its way; a second tap before the answer does nothing.
/** @param {() => Promise<Computer>} act */
async function attempt(act) {
  if (acting) return;
  acting = true;
  await looking;
  complain("");
  try {
    await run(act);
  } finally {
    acting = false;
  }
  if (again) await look();
}

/** @returns {Promise<void>} */
async function look() {
  if (acting || looking) {
    again = true;
    return;
  }
  again = false;
  looking = run(() => patiently(() => get(ADDRESS), complain));
  await looking;
  looking = null;
  if (again) await look();
}

/** @param {Record<string, unknown>} what */
const give = (what) => attempt(() => post(ADDRESS, { ...what, seen: game?.acts ?? 0 }));

/** @param {string} card */
function own(card) {
  const now = /** @type {Computer} */ (game);
  const throws = now.do === "throw";
  const fits = throws || now.fits.includes(card);
  const button = el("button", { type: "button", class: "plain", "data-card": card, "data-key": card, "aria-pressed": throws ? "false" : null, disabled: !fits },
    face(card, { role: null, "aria-label": null, "aria-hidden": "true" }), el("span", { class: "hide" }, cardWords(card)),
    !throws && now.running + pips(card) > LIMIT && el("small", { class: "why" }, `over ${LIMIT}`));
  button.onclick = () => (throws ? press(button) : play(card));
  return button;
}

/** @param {HTMLElement} button */
function press(button) {
  const on = button.getAttribute("aria-pressed") !== "true";
  if (on && chosen().length === THROWN) return;
  button.setAttribute("aria-pressed", String(on));
  /** @type {HTMLButtonElement} */ ($("choices").firstElementChild).disabled = chosen().length !== THROWN;
}

// Where players count, a card says with it what it makes.
/** @param {string} card */
function play(card) {
  if (!game?.claims) return give({ play: card });
  $("hand").setAttribute("data-card", card);
  [...$("hand").children].forEach((one) => one.setAttribute("aria-pressed", String(one.getAttribute("data-card") === card)));
  return pointsFor(`What does the ${cardWords(card)} make?`, "Play", "0");
}

/** @param {string} label @param {string} verb @param {string} value */
function pointsFor(label, verb, value) {
  $("points").hidden = false;
  text($("points-label"), label);
  text($("send"), verb);
  $("typed").value = value;
  $("typed").focus();
}

/** @param {string} words @param {() => unknown} act */
const button = (words, act, attributes = {}) => el("button", { type: "button", class: "main", "data-key": words, onclick: act, ...attributes }, words);

// What a wrong call costs, before it is made.
/** @param {number} points */
function sure(points) {
  const cost = `If the computer missed ${points > 1 ? `fewer than ${points}` : "nothing"}, it pegs ${points > 1 ? `all ${points}` : "1"}.`;
  text($("points-label"), cost);
  text($("announcer"), cost);
  text($("send"), `Call ${points}`);
}

// To the page of this game; to the list of all until the history has it.
function costs() {
  const link = el("a", { class: "button", href: "/history" }, "What each choice cost");
  patiently(() => get(`/api/boards/${number}/game`)).then(({ id }) => link.setAttribute("href", `/game/${id}`), () => {});
  return link;
}

/** @returns {Child} */
function choices() {
  const now = /** @type {Computer} */ (game);
  const go = button(now.do === "call" ? "Nothing missed" : "Go on", () => give({ "go on": true }));
  switch (now.do) {
    case "throw": return button("Throw to the crib", () => give({ throw: chosen() }), { disabled: true });
    case "go on": return go;
    case "call": return [button("Muggins …", () => pointsFor("Points that the computer missed", "Call", "")), go];
    case "won": return [button("Another game", () => give({ again: true })), costs()];
    case "apart": return [button("Keep the board's score", () => give({ score: "board" })), button("Keep this game's score", () => give({ score: "mine" }))];
    default: return now.muggins && button("Muggins …", () => pointsFor("Points that the computer missed", "Call", ""));
  }
}

// The lines that are new: of those before, the oldest may have gone.
/** @param {string[]} before @param {string[]} now */
function since(before, now) {
  for (let gone = 0; gone < before.length; gone += 1) {
    const kept = before.slice(gone);
    if (kept.every((line, at) => line === now[at])) return now.slice(kept.length);
  }
  return now;
}

// The next card or button.
const toDo = () => find($("main"), "#begin:not([hidden]) select, #hand button:enabled") ?? find($("choices"), "button") ?? $("todo");

/** @param {Computer} next */
function show(next) {
  if (game && next.said.length) text($("announcer"), since(game.said, next.said).join(" "));
  const turned = next.mine !== game?.mine;
  const fresh = !game || JSON.stringify({ ...next, said: 0 }) !== JSON.stringify({ ...game, said: 0 });
  const thrown = next.do === "throw" ? chosen().filter((card) => next.hand.includes(card)) : [];
  game = next;
  if (turned) scores();
  pile();
  $("begin").hidden = next.on;
  $("game").hidden = !next.on;
  refill($("lines"), next.said, () => [...next.said].reverse().map((line) => el("li", {}, line.replace(/Computer \(\w+\)/g, (_, at) => (at ? "the computer" : "The computer")))));
  text($("todo"), next.text);
  if (!fresh) return;
  fill($("hand"), next.do === "count" ? next.counts.map((card) => face(card)) : next.hand.map(own));
  fill($("choices"), choices());
  for (const card of thrown) press(/** @type {HTMLElement} */ ($("hand").querySelector(`[data-card="${card}"]`))); // the computer may throw between two taps
  $("points").hidden = true;
  if (next.do === "count") pointsFor("Points", "Count", "");
  disable($("back"), !next.undo);
  $("back").hidden = !next.mine;
}

function scores() {
  const now = state && isPlaying(state) ? state : null;
  const sides = now?.sides ?? [];
  const mine = game?.mine && now?.computer && sides.find((side) => side.side !== now.computer?.side); // of two
  refill($("scores"), [sides, now?.dealer, now?.crib, now?.deal, now?.winner, mine], () => now && sides.map((side) => el("p", { "data-colour": side.colour },
    el("span", { class: "whose" }, named(side), el("span", { class: "muted" }, [side === mine && "You", ...duties(now, side)].filter(Boolean).join(" · ") || "\u00a0")), el("strong", {}, String(side.front)))));
}

// Under each card the colour of who laid it down, as soon as the table tells it.
function pile() {
  const { pile: cards = [], running = 0, starter = null } = game ?? {};
  const laid = state?.table?.played ?? state?.table?.pile ?? [];
  const colours = cards.map((card) => state && sideOf(state, laid.find((one) => one.card === card)?.side)?.colour);
  refill($("pile"), [cards, starter, colours], () => [
    cards.map((card, at) => el("span", { class: "lain", "data-colour": colours[at] ?? null }, face(card))),
    starter && face(starter, { class: "card starter", "aria-label": `starter, ${cardWords(starter)}` })]);
  refill($("running"), [cards.length, running], () => cards.length > 0 && [el("span", { class: "muted" }, "Count "), el("strong", {}, String(running))]);
}

// Whether a game has begun that nobody has won yet.
/** @param {State} of @returns {of is State & Playing} */
const isOn = (of) => isPlaying(of) && !of.winner && of.sides.some((side) => side.front);
/** @param {Playing} of */
const standing = (of) => of.sides.map((side) => `${nameOf(side)} ${side.front}`).join(" – ");

// At which table this is, and what a game against the computer would end there.
/** @param {State} of */
function place(of) {
  text($("title"), `Play the computer at ${of.board.name}`);
  document.title = `Play the computer at ${of.board.name} – cribboard`;
  $("ends").hidden = !isOn(of);
  refill($("ends"), [isOn(of) && standing(of)], () => isOn(of) && [el("span", { "aria-hidden": "true" }, "⚠ "), `Starting ends the game at this table, ${standing(of)}. To get it back: Keep score, then Undo.`]);
}

// Whether a game that is on may end.
/** @param {string} words @param {string} verb */
const mayEnd = (words, verb) => choose(`${verb}?`, words, [["Cancel", false], [verb, true, "grave"]]);

$("begin").addEventListener("submit", async (event) => {
  event.preventDefault();
  if (state && isOn(state)) {
    if (!(await mayEnd(`A game is on at ${state.board.name}: ${standing(state)}. Starting yours ends it.`, "Start"))) return;
  }
  const muggins = checked("muggins");
  const counting = checked("by-hand") || muggins ? "manual" : "auto";
  attempt(() => post(ADDRESS, { begin: $("level").value, target: Number($("target").value), counting, muggins }));
});
$("points").addEventListener("submit", (event) => {
  event.preventDefault();
  const points = Number($("typed").value);
  const verb = $("send").textContent;
  if (verb === `Call ${points}`) give({ muggins: points });
  else if (verb.startsWith("Call")) sure(points);
  else if (verb === "Play") give({ play: $("hand").getAttribute("data-card"), claim: points });
  else give({ count: points });
});
$("back").onclick = () => isDisabled($("back")) || give({ undo: true });
$("stop").onclick = async () => {
  const words = game?.mine ? "Your hand does not come back. The board keeps its score." : "Somebody is playing it on another phone.";
  if (game?.do !== "won" && !(await mayEnd(words, "Stop this game"))) return;
  await attempt(() => ask("POST", ADDRESS, { stop: true }));
};
$("score").setAttribute("href", `/score/${number}`);
new Wake();
new Live(number, { state: (latest) => {
  state = latest;
  place(latest);
  scores();
  pile();
  look();
} });
look();
