// Parts of the staff's page: drawn at once, or held back until somebody has tapped Show.

import { $, disable, el, fill, find, focused, keeping, text } from "./dom.js";

/** @param {string} name @param {() => unknown} act @param {string} style @param {string | null} label */
export const button = (name, act, style = "", label = null) => el("button", { type: "button", class: style, onclick: act, "data-key": label ?? name, "aria-label": label }, name);

// A part of the page drawn again; its heading takes the keyboard from what is gone.
/** @param {HTMLElement} node @param {Child[]} children */
export const renew = (node, ...children) => keeping(() => fill(node, ...children), () => find(/** @type {HTMLElement} */ (node.closest("section")), "h2"));

// What others have changed and nobody has looked at yet: where it belongs, in words, and how it is drawn. The page draws it
// when somebody taps Show: what a finger is on its way to never moves by itself.
/** @type {Map<HTMLElement, { words: string, draw: () => void }>} */
export const news = new Map();
/** @type {WeakMap<HTMLElement, string>} */
const shapes = new WeakMap();

// Draws a part at once when that moves nothing or somebody has just acted here; else holds it back.
/** @param {HTMLElement} node @param {unknown} shown @param {string} words @param {() => void} build @param {boolean} own */
export function part(node, shown, words, build, own) {
  const shape = JSON.stringify(shown);
  const draw = () => {
    shapes.set(node, shape);
    build();
  };
  news.delete(node);
  if (own || [undefined, shape].includes(shapes.get(node))) draw();
  else news.set(node, { words, draw });
  tell();
}

export function tell() {
  text($("news"), [...news.values()].map(({ words }) => words).join(" "));
  disable($("show"), !news.size);
}

export function showNews() {
  const [first] = news.keys();
  for (const { draw } of news.values()) draw();
  news.clear();
  if (focused() === $("show")) $("here-title").focus({ preventScroll: true }); // it goes
  tell();
  first?.closest("section, #cares")?.scrollIntoView();
}
