// Below the board: the play while cards are on the table, otherwise the last count with its cards and its words.

import { face } from "./cards.js";
import { el, find } from "./dom.js";
import { nameAt, named, sideOf } from "./sides.js";

const SIZES = 6;

/** @param {State} state @returns {Child[]} */
export function below(state) {
  if (state.win) return [el("p", { class: "words" }, state.win.text)];
  const { pile = [], counted: hands = [], crib_counted: crib } = state.table;
  if (pile.length && !hands.length && !crib) return play(state);
  return state.count && isFresh(state) ? counted(state, state.count) : happened(state);
}

// A count stays until something else is scored, and over the deal that passes until its starter is known.
/** @param {State} state */
function isFresh({ count, last, table }) {
  return count && (!last || last.rev === count.newest || (last.kind === "deal" && !table?.starter));
}

// The words as large as they have room.
/** @param {HTMLElement} node */
export function fit(node) {
  const words = find(node, ".words");
  for (let size = 0; words && size < SIZES; size += 1) {
    words.dataset.size = String(size);
    if (node.scrollHeight <= node.clientHeight && words.scrollWidth <= words.clientWidth) return;
  }
}

/** @param {State} state */
function play(state) {
  const { pile, running } = state.table;
  const last = pile[pile.length - 1];
  return [
    el("div", { class: "play" },
      el("div", { class: "running" }, el("span", { class: "muted" }, "Count"), el("p", { class: "figure-large" }, String(running))),
      el("ol", { class: "cards", "aria-label": "Cards in the play" }, pile.slice(-9).map((laid) =>
        el("li", { "data-colour": sideOf(state, laid.side)?.colour }, face(laid.card)))),
      cut(state)),
    el("p", { class: "words" }, last.points || last.remark ? `${nameAt(state, last.side)}: ${last.remark ? `${last.points}, ${last.remark}` : last.text || `${last.points} points`}` : ""),
  ];
}

/** @param {State} state @param {Counted} count */
function counted(state, count) {
  const { cards, starter, pegged, text, crib, side, remark } = count;
  const who = sideOf(state, side);
  return [
    el("div", { class: "whose" }, who && named(who), el("span", { class: "muted" }, [crib ? "Crib" : "Hand", remark].filter(Boolean).join(", ")),
      el("p", { class: "figure-large" }, String(pegged), el("span", { class: "hide" }, pegged === 1 ? " point" : " points"))),
    el("ol", { class: "cards", "aria-label": "Cards counted" },
      cards.map((card) => el("li", {}, face(card))),
      starter && el("li", { class: "starter" }, face(starter))),
    el("p", { class: "words" }, short(text)),
  ];
}

/** @param {State} state */
function happened(state) {
  return [cut(state), el("p", { class: "words" }, state.last?.text ?? "")];
}

/** @param {State} state */
function cut(state) {
  const card = state.table?.starter;
  return card && el("div", { class: "cut" }, el("span", { class: "muted" }, "Starter"), el("div", { class: "cards" }, face(card)));
}

// As players say it when there are many: fifteen two, four, six.
/** @param {string} words */
function short(words) {
  return words.length > 60 ? words.replace(/, fifteen (?!\d)/g, ", ") : words;
}
