// Cards that move: when a table is drawn again, each flies from where it lay. It is there for a finger at once, as only its
// picture moves.

/** @typedef {Map<string, DOMRect>} Places */

const MS = 280;
const STILL = "(prefers-reduced-motion: reduce)";

// Where all cards lie that have a name, `data-at`.
/** @param {Element} node @returns {Places} */
export function places(node) {
  /** @type {Places} */
  const boxes = new Map();
  if (matchMedia(STILL).matches) return boxes;
  for (const one of named(node)) boxes.set(String(one.dataset.at), one.getBoundingClientRect());
  return boxes;
}

// A card that is new comes from the place that `data-from` names; one that is turned up, `data-turn`, turns over.
/** @param {Element} node @param {Places} before */
export function fly(node, before) {
  if (!before.size) return;
  for (const one of named(node)) {
    const { at = "", from = "", turn } = one.dataset;
    const start = before.get(at) ?? before.get(from);
    const frame = start ? moved(start, one.getBoundingClientRect()) : turn === undefined ? null : "rotateY(90deg)";
    if (frame) one.animate([{ transform: frame, transformOrigin: start ? "0 0" : "50% 50%" }, { transform: "none" }], { duration: MS, easing: "ease-out" });
  }
}

/** @param {DOMRect} from @param {DOMRect} to */
function moved(from, to) {
  if (!from.width || !to.width || (Math.abs(from.x - to.x) < 1 && Math.abs(from.y - to.y) < 1)) return null;
  return `translate(${from.x - to.x}px, ${from.y - to.y}px) scale(${from.width / to.width}, ${from.height / to.height})`;
}

/** @param {Element} node @returns {HTMLElement[]} */
const named = (node) => Array.from(node.querySelectorAll("[data-at]"));
