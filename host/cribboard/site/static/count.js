// A hand by five taps: four cards and the starter, counted by cribboard_core and said as players say it.

import { able, hush, speak } from "./aloud.js";
import { sentence } from "./api.js";
import { cardWords, face, gap, parts } from "./cards.js";
import { Deck } from "./deck.js";
import { $, el, fill, text } from "./dom.js";
import { offline } from "./offline.js";
import { Rules } from "./rules.js";
import { recall, remember } from "./settings.js";

const SIZE = 5; // the fifth is the starter
const rules = new Rules();
const aloud = /** @type {HTMLInputElement} */ ($("speak"));
/** @type {string[]} */
let cards = [];

const deck = new Deck((card) => change([...cards, card].slice(0, SIZE)), (why) => text($("ask"), why));

/** @param {string[]} chosen */
function change(chosen) {
  cards = chosen;
  draw();
  if (cards.length === SIZE) count();
}

function draw() {
  const left = SIZE - cards.length;
  text($("ask"), left > 1 ? `Tap four cards, then the starter: ${left} to go.` : left ? "Now the starter." : "Tap a card above to take it back.");
  fill($("slots"), Array.from({ length: SIZE }, (_, at) => [at === SIZE - 1 && el("span", { class: "plus", "aria-hidden": "true" }, "+"), slot(cards[at], at)]));
  deck.block((card) => (cards.includes(card) ? "already in the hand" : left ? "" : "the hand is full"));
  $("deck").hidden = !left;
  if (left) [$("parts"), $("sum")].forEach((node) => fill(node));
}

/** @param {string | undefined} card @param {number} at */
function slot(card, at) {
  const name = at === SIZE - 1 ? "Starter" : `Card ${at + 1}`;
  if (!card) return el("span", { class: "slot" }, gap(`${name}: empty`));
  return el("button", { type: "button", class: "slot", "data-key": `slot-${at}`, onclick: () => change(cards.filter((one) => one !== card)) },
    face(card, { "aria-hidden": "true", role: "presentation", "aria-label": null }), el("span", { class: "hide" }, `${name}: ${cardWords(card)}. Take it back`));
}

async function count() {
  const asked = cards;
  text($("sum"), "Counting …");
  /** @type {Count} */
  let counted;
  try {
    counted = await rules.ask("counted", cards.slice(0, -1).join(" "), cards[SIZE - 1], $("crib").checked ? 1 : 0);
  } catch (error) {
    return text($("sum"), sentence(error.message));
  }
  if (asked !== cards) return undefined;
  text($("sum"), `${counted.points}: ${counted.text}.`);
  fill($("parts"), parts(counted));
  $("clear").focus({ preventScroll: true });
  hush();
  speak(counted.text);
  return undefined;
}

fill($("deck"), deck.node);
$("clear").onclick = () => {
  change([]);
  deck.focus();
};
$("crib").onchange = () => cards.length === SIZE && count();
aloud.disabled = !able;
aloud.checked = !aloud.disabled && recall("speak", false);
if (aloud.disabled && aloud.nextElementSibling) text(aloud.nextElementSibling, "Speak the count (this browser has no voice)");
aloud.onchange = () => remember("speak", aloud.checked);
draw();
offline();
