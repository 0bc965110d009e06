// Questions over the page: a choice, or a form whose fields become an order.

import { $, el, fill } from "./dom.js";

// Resolves to the value of the pressed choice, null when it was left.
export function choose(title, words, choices) {
  return open(title, (close) => [
    el("p", {}, words),
    el("div", { class: "row" }, choices.map(([name, value, style = ""]) =>
      el("button", { type: "button", class: style, onclick: () => close(value) }, name))),
  ]);
}

// Fields are {name, label, kind: "number" | "text" | "choice" | "check", …}; resolves to their values, or null.
// `wrong` is why the same form comes back.
export function form(title, fields, done, hint = "", wrong = "") {
  return open(title, (close) => {
    const rows = fields.map(row);
    const sheet = el("form", { class: "form" },
      wrong && el("p", { class: "notice", tabindex: -1, autofocus: true }, wrong), hint && el("p", { class: "muted" }, hint), rows,
      el("div", { class: "row" },
        el("button", { type: "button", onclick: () => close(null) }, "Cancel"),
        el("button", { type: "submit", class: "main" }, done)));
    sheet.addEventListener("submit", (event) => {
      event.preventDefault();
      close(Object.fromEntries(fields.map((field) => [field.name, value(sheet.elements[field.name], field)])));
    });
    for (const field of fields) field.changed?.(sheet);
    sheet.addEventListener("change", () => fields.forEach((field) => field.changed?.(sheet)));
    return sheet;
  });
}

export function asking() {
  return $("dialog").open;
}

function open(title, build) {
  const dialog = $("dialog");
  return new Promise((resolve) => {
    let answer = null;
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

function row(field) {
  const id = `field-${field.name}`;
  if (field.kind === "check") {
    return el("label", { class: "check", id: `row-${field.name}` }, el("input", { type: "checkbox", id, name: field.name, checked: field.value }), field.label);
  }
  return el("label", { class: "field", id: `row-${field.name}` }, el("span", {}, field.label), input(id, field));
}

function input(id, field) {
  if (field.kind === "choice") {
    return el("select", { id, name: field.name }, field.choices.map(([name, given]) =>
      el("option", { value: given, selected: String(given) === String(field.value) }, name)));
  }
  const number = field.kind === "number";
  return el("input", {
    id, name: field.name, value: field.value ?? "", required: field.required, autocomplete: "off", maxlength: number ? null : 20,
    type: number ? "number" : field.kind === "secret" ? "password" : "text", min: field.min, max: field.max, inputmode: number ? "numeric" : null,
  });
}

function value(node, field) {
  if (field.kind === "check") return node.checked;
  if (field.kind === "number" || field.number) return node.value === "" ? null : Number(node.value);
  return node.value.trim();
}
