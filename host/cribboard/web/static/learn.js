/** @import { Failure } from "./api.js" */
// The trainer: a question, an answer, what was right. What this device has answered is kept here, and decides what comes next.

import { post } from "./api.js";
import { cardWords, face } from "./cards.js";
import { $, complain, el, fill, find, keeping, text } from "./dom.js";
import { recall, remember } from "./settings.js";
import { Voice } from "./speech.js";

const KEPT = "learned";
const MOST = 150; // answers; the kiosk takes no more
const THROWN = 2;
const MOST_POINTS = 29;
const voice = new Voice();
/** @type {Question} */
let asked;
let begun = 0;
let busy = false;
const tally = { right: 0, of: 0, streak: 0 };

/** @returns {Kept[]} */
const kept = () => recall(KEPT, []);
const touched = () => $("digits").getClientRects().length > 0; // the points are keys, and nothing is typed
const isThrow = () => asked.skill === "discard";
const thrown = () => [...$("cards").querySelectorAll("[aria-pressed='true']")].map((button) => button.getAttribute("data-card"));

// One request at a time: a second press of Enter does nothing. Resolves to what went wrong.
/** @param {() => Promise<unknown>} act @returns {Promise<Failure | undefined>} */
async function attempt(act) {
  if (busy) return;
  busy = true;
  try {
    complain("");
    await act();
  } catch (failure) {
    if (failure.words === undefined) throw failure;
    complain(failure.words);
    return failure;
  } finally {
    busy = false;
  }
}

const ask = async () => {
  const failure = await attempt(questioned);
  if ($("answer").hidden) keeping(() => ($("next").hidden = failure?.unanswered === false), () => $("set")); // what has not come is asked for again, what was refused is not
};

async function questioned() {
  asked = await post("/api/learn/question", { set: $("set").value, answers: kept() });
  text($("title"), asked.title);
  fill($("says"), asked.lesson.map((line) => el("li", {}, line)));
  $("lesson").hidden = false;
  $("lesson").open = asked.new;
  text($("text"), asked.text); // for those who hear the cards
  text($("asks"), asked.asks);
  fill($("cards"), isThrow() ? asked.cards.map(choice) : asked.cards.map((card, at) => face(card, { class: starts(at) ? "card starter" : "card" })));
  $("points").hidden = $("digits").hidden = isThrow();
  $("answer").hidden = false;
  $("next").hidden = true;
  fill($("lines"));
  $("typed").value = "";
  typed();
  if (isThrow()) text($("send"), "Throw");
  begun = performance.now();
  voice.answer([...(asked.new ? asked.lesson : []), asked.text].join(" "));
  if (isThrow()) find($("cards"), "button")?.focus();
  else $(touched() ? "text" : "typed").focus();
}

// The starter lies apart from the hand. Questions about the play have no starter.
/** @param {number} at */
const starts = (at) => asked.skill !== "play" && at === asked.cards.length - 1;

/** @param {string} card */
function choice(card) {
  const button = el("button", { type: "button", class: "plain", "data-card": card, "aria-pressed": "false" },
    face(card, { role: null, "aria-label": null, "aria-hidden": "true" }), el("span", { class: "hide" }, cardWords(card)));
  button.addEventListener("click", () => {
    const on = button.getAttribute("aria-pressed") !== "true";
    if (on && thrown().length === THROWN) return voice.answer("Two cards are chosen. Take one back first.");
    button.setAttribute("aria-pressed", String(on));
  });
  return button;
}

const answer = () => attempt(async () => {
  const seconds = Math.min(3600, Math.round((performance.now() - begun) / 1000));
  const typed = isThrow() ? thrown().join(" ") : $("typed").value.trim();
  const { right, lines, kept: noted } = await post("/api/learn/answer", { skill: asked.skill, seed: asked.seed, typed, seconds });
  remember(KEPT, [...kept(), noted].slice(-MOST));
  tally.of += 1;
  tally.right += Number(right);
  tally.streak = right ? tally.streak + 1 : 0;
  fill($("lines"), lines.map((line, at) => el("li", { class: at ? "" : right ? "right" : "missed" }, line)));
  text($("tally"), `${tally.right} of ${tally.of} right, ${tally.streak} in a row.`);
  $("answer").hidden = true;
  $("next").hidden = false;
  $("next").focus();
  voice.answer(lines.join(" "));
});

// Where there is room for a finger the points are keys, as they are in a game.
fill($("digits"), Array.from({ length: MOST_POINTS + 1 }, (_, points) => el("button", { type: "button", "aria-pressed": "false", onclick: () => {
  $("typed").value = String(points);
  typed();
} }, String(points))));
function typed() {
  const { value } = $("typed");
  for (const one of $("digits").children) one.setAttribute("aria-pressed", String(one.textContent === value));
  if (!isThrow()) text($("send"), touched() && value ? `Answer ${value}` : "Answer");
}
$("typed").addEventListener("input", typed);

$("answer").addEventListener("submit", (event) => {
  event.preventDefault();
  answer();
});
$("next").onclick = ask;
$("set").value = recall("practised", "count");
$("set").onchange = () => {
  remember("practised", $("set").value);
  ask();
};
const speak = /** @type {HTMLInputElement} */ ($("speak"));
speak.onchange = () => voice.set(speak.checked);
speak.disabled = !voice.able;
ask();
