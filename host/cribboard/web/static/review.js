// What each discard and card of a game cost in the chance to win, when the cards are known and somebody asks for it.

import { get, numberOfPage, patiently, post } from "./api.js";
import { cardsWords, SIGNS, shortRank, suitOf } from "./cards.js";
import { $, el, fill, keeping, text } from "./dom.js";

const AGAIN_MS = 700;
/** @type {`/api/games/${number}/review`} */
const ADDRESS = `/api/games/${numberOfPage()}/review`;
const COLUMNS = ["Deal", "Player", "Score", "Chose", "Cost", "Better", "Why"];

// Cards as they are printed, and in words for a screen reader.
/** @param {string[]} cards @returns {Child} */
const named = (cards) => cards.length > 0 && [
  el("span", { "aria-hidden": "true" }, cards.map((card) => shortRank(card[0]) + SIGNS[suitOf(card)]).join(" ")),
  el("span", { class: "hide" }, cardsWords(cards)),
];

/** @param {Choice} choice */
const row = (choice) => el("tr", {},
  el("td", {}, String(choice.deal)),
  el("th", { scope: "row" }, `${choice.name}, ${choice.role}`),
  el("td", {}, choice.scores.join(" to ")),
  el("td", {}, choice.discard ? "threw " : "played ", named(choice.chose)),
  el("td", {}, choice.cost),
  el("td", {}, named(choice.better)),
  el("td", {}, choice.reason));

// A table that is wider than the screen is moved by itself, also with the arrow keys.
/** @param {string} caption @param {Choice[]} choices */
const table = (caption, choices) => el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": caption },
  el("table", {}, el("caption", {}, caption),
    el("thead", {}, el("tr", {}, COLUMNS.map((name) => el("th", { scope: "col" }, name)))),
    el("tbody", {}, choices.map(row))));

/** @param {Review} review */
function shown(review) {
  fill($("review-found"),
    review.summary.map((line) => el("p", {}, line)),
    review.worst.length ? table("What cost most", review.worst) : el("p", {}, "No choice cost anything."),
    review.averages.map((line) => el("p", {}, line)),
    el("details", {}, el("summary", {}, `All ${review.choices.length} choices`), table("All choices", review.choices)));
}

/** @param {ReviewState} job */
function show(job) {
  const works = job.state === "working";
  text($("review-said"), job.text);
  keeping(() => ($("review-begin").hidden = job.state !== "asked"), () => $("review-said"));
  $("review-done").hidden = !works;
  const bar = /** @type {HTMLProgressElement} */ ($("review-done"));
  if (works && job.of) [bar.max, bar.value] = [job.of, job.done];
  if (job.review) shown(job.review);
  if (works) setTimeout(look, AGAIN_MS);
}

/** @param {() => Promise<ReviewState>} ask */
async function attempt(ask) {
  try {
    show(await ask());
  } catch (failure) {
    if (failure.words === undefined) throw failure;
    text($("review-said"), failure.words);
    $("review-begin").hidden = false;
  }
}

const look = () => attempt(() => patiently(() => get(ADDRESS), (words) => text($("review-said"), words)));

$("review-begin").onclick = () => attempt(() => post(ADDRESS, {}));
look();
