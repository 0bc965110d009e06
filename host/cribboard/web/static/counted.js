// A count explained part by part, with the total so far.

import { cardsWords, rankOf, shortRank, SIGNS, suitOf } from "./cards.js";
import { el } from "./dom.js";

/** @param {{ parts: Part[] }} count */
export function parts(count) {
  if (!count.parts.length) return el("p", { class: "nothing" }, "Nothing in it.");
  return el("ol", { class: "parts" }, count.parts.map((part) =>
    el("li", {},
      el("span", { class: "mini" }, part.cards.map((card) => el("span", { "data-suit": suitOf(card), "aria-hidden": "true" }, shortRank(rankOf(card)) + SIGNS[suitOf(card)])),
        el("span", { class: "hide" }, cardsWords(part.cards))),
      el("span", { class: "words" }, part.text),
      el("span", { class: "total" }, String(part.total)))));
}
