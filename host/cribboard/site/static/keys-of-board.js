// The board's buttons: a finger, a mouse, the space bar or a letter is down for as long as it is held, as on wood.

import { el, fill } from "./dom.js";
import { isTyping } from "./keys.js";
import { COLOURS, title } from "./sides.js";

/** @typedef {{ name: string, colour?: string, buttons: (Button & { letter?: string })[] }} Group */

const LETTERS = [["A", "S", "D"], ["J", "K", "L"]];
/** @type {Record<string, string>} */
const SHARED = { UNDO: "U", DEAL: "E" };
const PRESSES = [" ", "Enter"];

export class Keys {
  // `finger(pin, down)` moves a finger; `tap(pin)` is a press that has no length of its own.
  /** @param {HTMLElement} node @param {(pin: string, down: boolean) => void} finger @param {(pin: string) => void} tap */
  constructor(node, finger, tap) {
    this.node = node;
    this.finger = finger;
    this.tap = tap;
    this.letters = true;
    this.resting = () => false; // whether letters mean something else now
    /** @type {Map<string, { node: HTMLElement, pin: string }>} */
    this.byLetter = new Map();
    /** @type {Map<string, HTMLElement>} */
    this.held = new Map();
    document.addEventListener("keydown", (event) => this.letter(event, true));
    document.addEventListener("keyup", (event) => this.letter(event, false));
    addEventListener("blur", () => this.lift());
  }

  /** @param {Buttons} buttons */
  draw({ places, shared }) {
    this.byLetter.clear();
    /** @type {Group[]} */
    const groups = places.map((buttons, place) => ({
      name: title(COLOURS[place]), colour: COLOURS[place], buttons: buttons.map((one, at) => ({ ...one, letter: LETTERS[place]?.[at] })),
    })).filter((group) => group.buttons.length);
    groups.splice(Math.ceil(groups.length / 2), 0, { name: "Both", buttons: shared.map((one) => ({ ...one, letter: SHARED[one.name] })) });
    fill(this.node, groups.map((group) => el("fieldset", { "data-colour": group.colour },
      el("legend", {}, group.name), group.buttons.map((one) => this.button(one, group)))));
  }

  /** @param {Button & { letter?: string }} one @param {Group} group */
  button({ name, pin, letter }, group) {
    const node = el("button", { type: "button", "data-pin": pin, "aria-keyshortcuts": letter, "data-key": `key-${pin}` },
      group.colour && el("span", { class: "hide" }, `${group.name} `), el("span", {}, name), letter && el("kbd", { "aria-hidden": "true" }, letter));
    let handled = false; // by a finger or a key; a screen reader's click has neither
    /** @param {boolean} down */
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

  /** @param {KeyboardEvent} event @param {boolean} down */
  letter(event, down) {
    const button = this.byLetter.get(event.key.toUpperCase());
    if (!button || event.repeat) return;
    const meant = !(event.ctrlKey || event.metaKey || event.altKey || isTyping(event) || document.querySelector("dialog[open]"));
    if (down && !(meant && this.letters && !this.resting())) return; // whatever it is, a letter that comes up lets go
    this.move(button.node, button.pin, down);
  }

  /** @param {HTMLElement} node @param {string} pin @param {boolean} down */
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
