// Single letters that ask. They can be switched off, since those who speak to their computer would press them by chance.

import { inSigns } from "./cards.js";
import { el, text } from "./dom.js";
import { recall, remember } from "./settings.js";
import { QUESTIONS } from "./words.js";

export const FIELDS = "input, textarea, select, [contenteditable]";

// Whether a key was pressed in a field.
/** @param {KeyboardEvent} event */
export const isTyping = (event) => event.target instanceof Element && event.target.closest(FIELDS) !== null;

// Whether there is a mouse, and so a keyboard.
export const byKeys = () => matchMedia("(pointer: fine)").matches;

export class Letters {
  /** @param {(reply: Reply) => unknown} answer */
  constructor(answer) {
    this.on = recall("letters", true);
    document.addEventListener("keydown", (event) => {
      if (!isTyping(event)) document.documentElement.dataset.keys = ""; // a tablet may have them, too
      if (!this.on || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (isTyping(event) || document.querySelector("dialog[open]")) return;
      const asked = QUESTIONS.find(([letter]) => letter === event.key.toUpperCase());
      if (asked) answer(asked[2]);
    });
  }

  /** @param {boolean} on */
  set(on) {
    this.on = on;
    remember("letters", on);
  }
}

// The same questions as buttons. Where there is room an answer is written beside its question, and then not elsewhere:
// `answer(reply, written)` gives it. Whoever shows them forgets it when it is no longer so.
/** @param {(reply: Reply, written: boolean) => string} answer */
export function questions(answer) {
  const beside = QUESTIONS.map(() => el("span", { class: "reply", "aria-hidden": "true" })); // it is announced
  return QUESTIONS.map(([letter, name, reply], at) => {
    const ask = () => {
      const words = answer(reply, beside[at].getClientRects().length > 0);
      beside.forEach((one, index) => {
        one.style.minHeight = "";
        text(one, index === at ? inSigns(words) : "");
      });
    };
    return el("button", { type: "button", class: "ask", onclick: ask, "aria-keyshortcuts": letter, "data-key": `ask-${letter}` },
      el("kbd", { "aria-hidden": "true" }, letter), el("span", {}, name), beside[at]);
  });
}

// What was pressed keeps its room, and the others their places, until the next is pressed.
/** @param {Element} node */
export function forgetReplies(node) {
  for (const one of /** @type {NodeListOf<HTMLElement>} */ (node.querySelectorAll(".reply"))) {
    if (one.textContent) one.style.minHeight = `${one.getBoundingClientRect().height}px`;
    text(one, "");
  }
}

// Arrow keys go through a grid of buttons, of which one is in the order of the tab key.
/** @param {HTMLElement} grid @param {() => number} columns */
export function roving(grid, columns) {
  grid.addEventListener("keydown", (event) => {
    const step = /** @type {Record<string, number>} */ ({ ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns(), ArrowDown: columns() })[event.key];
    const buttons = [...grid.querySelectorAll("button")];
    const at = buttons.findIndex((button) => button === event.target);
    if (!step || at < 0) return;
    event.preventDefault();
    const next = buttons[Math.min(buttons.length - 1, Math.max(0, at + step))];
    for (const button of buttons) button.tabIndex = button === next ? 0 : -1;
    next.focus();
  });
  grid.addEventListener("focusin", (event) => {
    for (const button of grid.querySelectorAll("button")) button.tabIndex = button === event.target ? 0 : -1;
  });
}
