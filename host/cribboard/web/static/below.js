// Below the board: the play while cards are on the table, otherwise the last count with its cards and its words.

import { face } from "./cards.js";
import { el } from "./dom.js";
import { nameOf, named, sideOf } from "./sides.js";

const SIZES = 6;

export function below(state) {
  if (state.win) return ended(state);
  const { pile = [], counted: hands = [], crib_counted: crib } = state.table ?? {};
  if (pile.length && !hands.length && !crib) return play(state);
  return isFresh(state) ? counted(state) : happened(state);
}

// A count stays until something else is scored, and over the deal that passes until its starter is known.
function isFresh({ count, last, table }) {
  return count && (!last || last.rev === count.rev || (last.kind === "deal" && !table?.starter));
}

// The words as large as they have room.
export function fit(node) {
  const words = node.querySelector(".words");
  for (let size = 0; words && size < SIZES; size += 1) {
    words.dataset.size = size;
    if (node.scrollHeight <= node.clientHeight && words.scrollWidth <= words.clientWidth) return;
  }
}

function ended(state) {
  return [el("p", { class: "words" }, state.win.text)];
}

function play(state) {
  const { pile, running } = state.table;
  const last = pile.at(-1);
  return [
    el("p", { class: "figure-large", "aria-label": `The count is ${running}` }, String(running)),
    el("ol", { class: "cards", "aria-label": "Cards in the play" }, pile.slice(-9).map((laid) =>
      el("li", { "data-colour": sideOf(state, laid.side)?.colour }, face(laid.card)))),
    cut(state),
    el("p", { class: "words" }, last.points ? `${nameOf(sideOf(state, last.side))}: ${last.text || `${last.points} points`}` : ""),
  ];
}

function counted(state) {
  const { cards, starter, points, text, crib, side, claimed } = state.count;
  const other = claimed !== null && claimed !== points;
  const who = sideOf(state, side);
  return [
    el("div", { class: "whose" }, who && named(who), el("span", { class: "muted" }, `${crib ? "Crib" : "Hand"}${other ? `, claimed ${claimed}` : ""}`),
      el("p", { class: "figure-large" }, String(points), el("span", { class: "hide" }, points === 1 ? " point" : " points"))),
    el("ol", { class: "cards", "aria-label": "Cards counted" },
      cards.map((card) => el("li", {}, face(card))),
      starter && el("li", { class: "starter" }, face(starter))),
    el("p", { class: "words" }, short(text)),
  ];
}

function happened(state) {
  return [cut(state), el("p", { class: "words" }, state.last?.text ?? "")];
}

function cut(state) {
  const card = state.table?.starter;
  return card && el("div", { class: "cut" }, el("span", { class: "muted" }, "Starter"), el("div", { class: "cards" }, face(card)));
}

// As players say it when there are many: fifteen two, four, six.
function short(words) {
  return words.length > 60 ? words.replace(/, fifteen (?!\d)/g, ", ") : words;
}
