// Elements made from data. Whatever comes from outside becomes text, never markup.

const SVG = "http://www.w3.org/2000/svg";

export const $ = (id) => document.getElementById(id);

export function el(name, attributes = {}, ...children) {
  return dress(document.createElement(name), attributes, children);
}

export function svg(name, attributes = {}, ...children) {
  return dress(document.createElementNS(SVG, name), attributes, children);
}

function dress(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

// New children in the place of the old; who had the keyboard keeps it.
export function fill(node, ...children) {
  const kept = node.contains(document.activeElement) ? document.activeElement.dataset.key : undefined;
  node.replaceChildren(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  if (kept) node.querySelector(`[data-key="${CSS.escape(kept)}"]`)?.focus();
}

// The same, but only when what is shown has changed.
export function refill(node, shown, build) {
  const mark = JSON.stringify(shown);
  if (node.shown === mark) return;
  node.shown = mark;
  fill(node, build());
}

export function text(node, words) {
  if (node.textContent !== words) node.textContent = words;
}
