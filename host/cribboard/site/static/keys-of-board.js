// The board's buttons: a finger, a mouse, the space bar or a letter is down for as long as it is held, as on wood.

import { el, fill } from "./dom.js";
import { FIELDS } from "./keys.js";
import { title } from "./sides.js";

const LETTERS = [["A", "S", "D"], ["J", "K", "L"]];
const SHARED = { UNDO: "U", DEAL: "E" };
const COLOURS = ["orange", "blue", "green", "yellow", "red", "purple"];
const PRESSES = [" ", "Enter"];

export class Keys {
  // `finger(pin, down)` moves a finger; `tap(pin)` is a press that has no length of its own.
  constructor(node, finger, tap) {
    Object.assign(this, { node, finger, tap, letters: true, byLetter: new Map(), held: new Map() });
    document.addEventListener("keydown", (event) => this.letter(event, true));
    document.addEventListener("keyup", (event) => this.letter(event, false));
    addEventListener("blur", () => this.lift());
  }

  draw({ places, shared }) {
    this.byLetter.clear();
    const groups = places.map((buttons, place) => ({
      name: title(COLOURS[place]), colour: COLOURS[place], buttons: buttons.map((one, at) => ({ ...one, letter: LETTERS[place]?.[at] })),
    })).filter((group) => group.buttons.length);
    groups.splice(Math.ceil(groups.length / 2), 0, { name: "Both", buttons: shared.map((one) => ({ ...one, letter: SHARED[one.name] })) });
    fill(this.node, groups.map((group) => el("fieldset", { "data-colour": group.colour },
      el("legend", {}, group.name), group.buttons.map((one) => this.button(one, group)))));
  }

  button({ name, pin, letter }, group) {
    const node = el("button", { type: "button", "data-pin": pin, "aria-keyshortcuts": letter, "data-key": `key-${pin}` },
      group.colour && el("span", { class: "hide" }, `${group.name} `), el("span", {}, name), letter && el("kbd", { "aria-hidden": "true" }, letter));
    let handled = false; // by a finger or a key; a screen reader's click has neither
    const move = (down) => {
      handled ||= down;
      this.move(node, pin, down);
    };
    node.addEventListener("pointerdown", (event) => {
      if (event.button) return;
      node.setPointerCapture(event.pointerId);
      move(true);
    });
    for (const kind of ["pointerup", "pointercancel", "blur"]) node.addEventListener(kind, () => move(false));
    node.addEventListener("keydown", (event) => PRESSES.includes(event.key) && !event.repeat && move(true));
    node.addEventListener("keyup", (event) => PRESSES.includes(event.key) && move(false));
    node.addEventListener("contextmenu", (event) => event.preventDefault());
    node.addEventListener("click", () => {
      if (!handled) this.tap(pin);
      handled = false;
    });
    if (letter) this.byLetter.set(letter, { node, pin });
    return node;
  }

  letter(event, down) {
    const found = this.byLetter.get(event.key.toUpperCase());
    if (!found || event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
    if (down && (!this.letters || event.target.closest(FIELDS) || document.querySelector("dialog[open]"))) return;
    this.move(found.node, found.pin, down);
  }

  move(node, pin, down) {
    node.classList.toggle("down", down);
    if (down) this.held.set(pin, node);
    else this.held.delete(pin);
    this.finger(pin, down);
  }

  lift() {
    for (const [pin, node] of [...this.held]) this.move(node, pin, false);
  }
}
