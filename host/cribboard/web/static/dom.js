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
    if (value === null || value === undefined) continue;
    if (name.startsWith("aria-")) node.setAttribute(name, value);
    else if (value === false) continue;
    else if (typeof value === "function") node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...present(children));
  return node;
}

const present = (children) => children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false);

// New children in the place of the old; who had the keyboard keeps it.
export function fill(node, ...children) {
  const kept = node.contains(document.activeElement) ? document.activeElement.dataset.key : undefined;
  node.replaceChildren(...present(children));
  if (kept) node.querySelector(`[data-key="${CSS.escape(kept)}"]`)?.focus();
}

// The same, but only when what is shown has changed.
export function refill(node, shown, build) {
  const mark = JSON.stringify(shown);
  if (node.shown === mark) return;
  node.shown = mark;
  fill(node, build());
}

// A button that is `disabled` would lose the keyboard.
export function disable(button, off) {
  button.setAttribute("aria-disabled", Boolean(off));
}

export const isDisabled = (button) => button.getAttribute("aria-disabled") === "true";

export function text(node, words) {
  if (node.textContent !== words) node.textContent = words;
}

// A drawing that the kiosk made.
export function picture(drawn, words) {
  const node = document.importNode(new DOMParser().parseFromString(drawn, "image/svg+xml").documentElement, true);
  return dress(node, { role: "img", "aria-label": words }, []);
}
