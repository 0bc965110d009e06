// Questions over the page: a choice, or a form whose fields become an order.

import { $, el, fill, find } from "./dom.js";

// A control of a form by its name.
/** @param {HTMLFormElement} sheet @param {string} name */
export const control = (sheet, name) => /** @type {HTMLInputElement} */ (sheet.elements.namedItem(name));

// What there is to choose in one.
/** @param {HTMLFormElement} sheet @param {string} name */
const choicesOf = (sheet, name) => /** @type {HTMLSelectElement} */ (sheet.elements.namedItem(name)).options;

// Leaves the choices whose numbers fit; one that was chosen and no longer fits gives way to 0.
/** @param {HTMLFormElement} sheet @param {string} name @param {(value: number) => boolean} fits */
export function limit(sheet, name, fits) {
  for (const option of choicesOf(sheet, name)) option.hidden = option.disabled = !fits(Number(option.value));
  if (!fits(Number(control(sheet, name).value))) control(sheet, name).value = "0";
}

/** @param {HTMLFormElement} sheet @param {string} id @param {boolean} hidden */
export function hide(sheet, id, hidden) {
  const row = find(sheet, `#${id}`);
  if (row) row.hidden = hidden;
}

// Resolves to the value of the pressed choice, null when it was left. Choices with a hint are listed one below the other.
// `held` wraps each button's action, such as `settled`.
/** @template T @param {string} title @param {Child} words @param {[string, T, string?, string?][]} choices @param {(act: () => unknown) => () => unknown} held @returns {Promise<T | null>} */
export function choose(title, words, choices, held = (act) => act) {
  return open(title, (/** @type {(value: T | null) => void} */ close) => [
    words && el("p", {}, words),
    el("div", { class: choices.some(([, , , what]) => what) ? "row list" : "row" }, choices.map(([name, value, style = "", what = ""]) =>
      el("button", { type: "button", class: style, onclick: held(() => close(value)) }, name, what && [" ", el("small", { class: "muted" }, what)]))),
    choices.every(([, value]) => value !== null && value !== false && value !== true && value !== "") && el("button", { type: "button", class: "leave", onclick: held(() => close(null)) }, "Close"), // none of them leaves all as it is
  ]);
}

// One of the choices of a field.
/** @param {string} name @param {string | number} value @returns {[string, string | number]} */
export const option = (name, value) => [name, value];

// Fields are {name, label, kind: "number" | "text" | "choice" | "check", …}; resolves to their values, or null.
// `wrong` is why the same form comes back.
/** @param {string} title @param {Field[]} fields @param {string} done @returns {Promise<Given | null>} */
export function form(title, fields, done, hint = "", wrong = "") {
  return open(title, (/** @type {(value: Given | null) => void} */ close) => {
    const rows = fields.map(row);
    const sheet = el("form", { class: "form" },
      wrong && el("p", { class: "notice", tabindex: -1, autofocus: true }, wrong), hint && el("p", { class: "muted hint" }, hint), rows,
      el("div", { class: "row" },
        el("button", { type: "button", onclick: () => close(null) }, "Cancel"),
        el("button", { type: "submit", class: "main" }, done)));
    sheet.addEventListener("submit", (event) => {
      event.preventDefault();
      close(/** @type {Given} */ (/** @type {unknown} */ (Object.fromEntries(fields.map((field) => [field.name, value(control(sheet, field.name), field)])))));
    });
    sheet.addEventListener("keydown", (event) => { // as it does in any other field; the space bar opens a list
      if (event.key !== "Enter" || !(event.target instanceof HTMLSelectElement)) return;
      event.preventDefault();
      sheet.requestSubmit();
    });
    for (const field of fields) field.changed?.(sheet);
    sheet.addEventListener("change", () => fields.forEach((field) => field.changed?.(sheet)));
    return sheet;
  });
}

// A form whose order is refused comes back as it was filled in. `act` resolves to why it was refused, nothing if it was not.
/** @param {string} title @param {Field[]} fields @param {string} done @param {string} hint @param {(given: Given) => Promise<string>} act @returns {Promise<Given | null>} */
export async function insist(title, fields, done, hint, act) {
  for (let shown = fields, wrong = ""; ;) {
    const given = await form(title, shown, done, hint, wrong);
    if (!given || !(wrong = await act(given))) return given;
    shown = fields.map((field) => ({ ...field, value: /** @type {Record<string, Field["value"]>} */ (/** @type {unknown} */ (given))[field.name] }));
  }
}

export function asking() {
  return $("dialog").open;
}

/** @template T @param {string} title @param {(close: (value: T | null) => void) => Child} build @returns {Promise<T | null>} */
function open(title, build) {
  const dialog = $("dialog");
  return new Promise((resolve) => {
    /** @type {T | null} */
    let answer = null;
    /** @param {T | null} given */
    const close = (given) => {
      answer = given;
      dialog.close();
    };
    fill(dialog, el("h2", { id: "dialog-title" }, title), build(close));
    dialog.addEventListener("close", () => resolve(answer), { once: true });
    dialog.showModal();
    dialog.scrollTop = 0;
  });
}

/** @param {Field} field */
function row(field) {
  const id = `field-${field.name}`;
  if (field.kind === "check") {
    return el("label", { class: "check", id: `row-${field.name}` }, el("input", { type: "checkbox", id, name: field.name, checked: Boolean(field.value) }), field.label);
  }
  return el("label", { class: "field", id: `row-${field.name}` }, el("span", {}, field.label), input(id, field));
}

/** @param {string} id @param {Field} field */
function input(id, field) {
  if (field.kind === "choice") {
    return el("select", { id, name: field.name }, (field.choices ?? []).map(([name, given]) =>
      el("option", { value: given, selected: String(given) === String(field.value) }, name)));
  }
  const number = field.kind === "number";
  return el("input", {
    id, name: field.name, value: field.value ?? "", required: field.required, autocomplete: "off", maxlength: number ? null : field.max ?? 20,
    type: number || field.kind === "time" ? field.kind : field.kind === "secret" ? "password" : "text", min: field.min, max: field.kind && field.kind !== "text" ? field.max : null, inputmode: number ? "numeric" : null,
  });
}

/** @param {HTMLInputElement} node @param {Field} field */
function value(node, field) {
  if (field.kind === "check") return node.checked;
  if (field.kind === "number" || field.number) return node.value === "" ? null : Number(node.value);
  return node.value.trim();
}
