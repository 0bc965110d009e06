// Elements made from data. Whatever comes from outside becomes text, never markup.

const SVG = "http://www.w3.org/2000/svg";

// An element of the page by its id; pages.d.ts says which of them are more than an element.
/** @type {<K extends string>(id: K) => ById<K>} */
export const $ = (id) => /** @type {never} */ (document.getElementById(id));

/** @template {keyof HTMLElementTagNameMap} K @param {K} name @param {Attributes} attributes @param {Child[]} children */
export function el(name, attributes = {}, ...children) {
  return dress(document.createElement(name), attributes, children);
}

/** @template {keyof SVGElementTagNameMap} K @param {K} name @param {Attributes} attributes @param {Child[]} children */
export function svg(name, attributes = {}, ...children) {
  return dress(document.createElementNS(SVG, name), attributes, children);
}

/** @template {Element} T @param {T} node @param {Attributes} attributes @param {Child[]} children */
function dress(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined) continue;
    if (name.startsWith("aria-")) node.setAttribute(name, String(value));
    else if (value === false) continue;
    else if (typeof value === "function") node.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  node.append(...present(children));
  return node;
}

/** @param {readonly Child[]} children @returns {(Node | string)[]} */
const present = (children) => children.flatMap((child) => (Array.isArray(child) ? present(child) : child === null || child === undefined || child === false ? [] : [/** @type {Node | string} */ (child)]));

// What has the keyboard, the page itself when nothing has.
export const focused = () => /** @type {HTMLElement} */ (document.activeElement ?? document.body);

// The first element below a node that a selector finds.
/** @param {ParentNode} node @param {string} selector @returns {HTMLElement | null} */
export const find = (node, selector) => node.querySelector(selector);

// When what has the keyboard goes, what is to be done next takes it: nobody who works by keys is sent to the page's beginning.
/** @param {() => unknown} draw @param {() => HTMLElement | null} next */
export function keeping(draw, next) {
  const held = focused();
  draw();
  const lost = focused() === document.body || !focused().getClientRects().length; // another may have come in its place
  if (held !== document.body && lost) next()?.focus({ preventScroll: true });
}

// New children in the place of the old; who had the keyboard keeps it.
/** @param {Element} node @param {Child[]} children */
export function fill(node, ...children) {
  const kept = node.contains(focused()) ? focused().dataset.key : undefined;
  node.replaceChildren(...present(children));
  if (kept) find(node, `[data-key="${CSS.escape(kept)}"]`)?.focus();
}

/** @type {WeakMap<Element, string>} */
const marks = new WeakMap(); // of what is shown

// The same, but only when what is shown has changed; whether it has.
/** @param {Element} node @param {unknown} shown @param {() => Child} build */
export function refill(node, shown, build) {
  const mark = JSON.stringify(shown);
  if (marks.get(node) === mark) return false;
  marks.set(node, mark);
  fill(node, build());
  return true;
}

// A button that is `disabled` would lose the keyboard.
/** @param {Element} button @param {unknown} off */
export function disable(button, off) {
  button.setAttribute("aria-disabled", String(Boolean(off)));
}

/** @param {Element} button */
export const isDisabled = (button) => button.getAttribute("aria-disabled") === "true";

/** @param {Element} node @param {string} words */
export function text(node, words) {
  if (node.textContent !== words) node.textContent = words;
}

// A notice that is there for as long as it has words.
/** @param {HTMLElement} node @param {string} words */
export function notice(node, words) {
  text(node, words);
  node.hidden = !words;
}

/** @param {string} words */
export const complain = (words) => notice($("wrong"), words);

// Whether an element has more in it than it shows.
/** @param {Element} node */
export const isCut = (node) => node.scrollWidth > node.clientWidth + 1 || node.scrollHeight > node.clientHeight + 1;

// A box to tick; `changed` is told whether it is on.
/** @param {Attributes} attributes @param {(on: boolean) => unknown} changed */
export function checkbox(attributes, changed) {
  const box = el("input", { type: "checkbox", ...attributes });
  box.addEventListener("change", () => changed(box.checked));
  return box;
}

// A drawing that the kiosk made.
/** @param {string} drawn @param {string} words */
export function picture(drawn, words) {
  const node = document.importNode(new DOMParser().parseFromString(drawn, "image/svg+xml").documentElement, true);
  return dress(node, { role: "img", "aria-label": words }, []);
}
