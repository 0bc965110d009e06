// The 52 cards under a thumb, two rows a suit, or one where there is room; or typed by rank, then suit.

import { sentence } from "./api.js";
import { cardWords, RANKS, shortRank, SIGNS, SUITS } from "./cards.js";
import { el, fill, find, text } from "./dom.js";
import { roving } from "./keys.js";

export class Deck {
  // `took(card)` is called for a card that is not blocked, `said(words)` with the reason for one that is.
  /** @param {(card: string) => void} took @param {(words: string) => unknown} said */
  constructor(took, said) {
    this.took = took;
    this.said = said;
    this.rank = "";
    this.blocked = /** @type {Map<string, string>} */ (new Map());
    this.node = el("div", { class: "deck", role: "group", "aria-label": "Cards, or type rank and suit" });
    this.buttons = /** @type {Map<string, HTMLElement>} */ (new Map());
    fill(this.node, SUITS.flatMap((suit) => [
      ...RANKS.map((rank) => this.button(rank + suit)),
      el("span", { class: "sign", "data-suit": suit, "aria-hidden": "true" }, SIGNS[suit]),
    ]));
    const [first] = this.buttons.values();
    first.tabIndex = 0;
    roving(this.node, () => getComputedStyle(this.node).gridTemplateColumns.split(" ").length);
    this.node.addEventListener("keydown", (event) => this.type(event));
  }

  /** @param {string} card */
  button(card) {
    const made = el("button", {
      type: "button", tabindex: -1, class: "key", "data-suit": card[1], "data-card": card, onclick: () => this.take(card),
    }, el("span", { "aria-hidden": "true" }, shortRank(card[0])), el("span", { class: "suit", "aria-hidden": "true" }, SIGNS[card[1]]), el("span", { class: "hide" }, cardWords(card)));
    this.buttons.set(card, made);
    return made;
  }

  focus() {
    find(this.node, "[tabindex='0']")?.focus({ preventScroll: true });
  }

  // `why(card)` is empty for a card that may be taken, else the reason, which is said with it.
  /** @param {(card: string) => string} why */
  block(why) {
    for (const [card, button] of this.buttons) {
      const reason = why(card);
      if (reason) this.blocked.set(card, reason);
      else this.blocked.delete(card);
      if (reason) button.setAttribute("aria-disabled", "true");
      else button.removeAttribute("aria-disabled");
      text(/** @type {Element} */ (button.lastChild), reason ? `${cardWords(card)}, ${reason}` : cardWords(card));
    }
  }

  // Cards that were laid bear the colour of `whose(card)`; the starter is outlined.
  /** @param {(card: string) => string} whose @param {string | null} starter */
  mark(whose, starter) {
    for (const [card, button] of this.buttons) {
      const colour = whose(card);
      if (colour) button.dataset.colour = colour;
      else delete button.dataset.colour;
      button.classList.toggle("up", card === starter);
    }
  }

  /** @param {string} card */
  take(card) {
    const reason = this.blocked.get(card);
    if (reason) this.said(sentence(`${cardWords(card)}: ${reason}`));
    else this.took(card);
  }

  /** @param {KeyboardEvent} event */
  type(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.key.length !== 1) return;
    const sign = event.key.toUpperCase();
    if (this.rank && SUITS.includes(sign)) {
      this.take(this.rank + sign);
      this.rank = "";
    } else if (sign === "0" && this.rank === "1") this.rank = "T";
    else if (sign === "1" || RANKS.includes(sign)) this.rank = sign;
    else return;
    event.preventDefault();
  }
}
