// A hand or a crib by its cards: tapped or typed, explained, then pegged. The starter is entered once for all.

import { sentence } from "./api.js";
import { cardWords, face, parse, parts } from "./cards.js";
import { Claim } from "./claim.js";
import { Deck } from "./deck.js";
import { choose } from "./dialog.js";
import { disable, el, fill, find, focused, isDisabled, refill, text } from "./dom.js";
import { nameAt, nameOf } from "./sides.js";

const AGAIN_MS = 1500;
const NUMBERS = ["no", "one", "two", "three", "four", "five"];

export class Hand {
  /** @param {HTMLElement} node @param {Scorer} desk */
  constructor(node, desk) {
    this.node = node;
    this.desk = desk;
    /** @type {string[]} */
    this.cards = [];
    /** @type {string | null} */
    this.starter = null;
    /** @type {string | null} */
    this.known = null; // the starter of the table
    this.cutting = false;
    this.crib = false;
    /** @type {boolean | null} */
    this.turned = null; // whether the crib was due when it was last looked at
    /** @type {Counting | null} */
    this.count = null;
    this.mark = "";
    this.deck = new Deck((card) => this.take(card), (words) => desk.answer(words));
    this.prompt = el("p", { class: "prompt" });
    this.slots = el("div", { class: "slots" });
    this.tip = el("p", { class: "tip muted" }, "Tap a card to change it.");
    this.help = el("p", { class: "tip muted help" }, "For another hand, tap its player’s name. Grey: on the table or in a hand.");
    this.result = el("div", { class: "result" });
    this.typed = el("input", { id: "typed", autocomplete: "off", autocapitalize: "characters", spellcheck: "false", placeholder: "5H 5C 5S JD" });
    this.claim = new Claim(() => this.draw());
    this.claim.input.addEventListener("keydown", (event) => event.key === "Enter" && !event.repeat && this.peg());
    this.wrong = el("p", { class: "muted", id: "typed-wrong" });
    this.ok = el("button", { type: "button", class: "main ok", onclick: () => this.peg() });
    const typing = el("form", { class: "typing" }, el("label", { for: "typed" }, "Or type the cards"), this.typed, this.wrong);
    typing.addEventListener("submit", (event) => event.preventDefault());
    this.typed.addEventListener("input", () => this.read());
    fill(node, el("div", { class: "screenful" }, this.prompt, this.slots, this.tip, this.deck.node, this.help, this.result, el("div", { class: "commit" }, this.ok)), typing);
    this.typing = typing;
  }

  get size() {
    return this.desk.handSize;
  }

  get full() {
    return this.cards.length === this.size && Boolean(this.starter);
  }

  // The house rules have the players count; then the kiosk compares, and shows no count before.
  get manual() {
    return Boolean(this.desk.state.rules?.manual);
  }

  get claims() {
    return this.manual || this.claim.on;
  }

  // The crib was counted, and so was this side's hand: the cards are those of the next deal, which its starter begins.
  get ahead() {
    const { state } = this.desk;
    return state.table.crib_counted && !state.winner && this.done;
  }

  get done() {
    const { state, side } = this.desk;
    return state.table.counted.filter((one) => one === side.side).length >= side.places.length;
  }

  // The crib is what its owner counts next.
  get due() {
    const { state, side } = this.desk;
    return this.done && !state.table.crib_counted && state.crib === side.side;
  }

  show() {
    const { state, side } = this.desk;
    if (!side) return;
    const mark = `${state.game} ${side.side} ${(this.ahead ? state.deal.next : state.dealer)?.place}`;
    if (this.mark !== mark) this.clear();
    this.mark = mark;
    const { due } = this;
    if (due !== this.turned && !this.cards.length) this.crib = due;
    this.turned = due;
    this.node.dataset.colour = side.colour;
    const starter = this.ahead ? null : state.table.starter;
    if (starter !== this.known) this.starter = starter;
    this.known = starter;
    this.draw();
  }

  clear() {
    Object.assign(this, { cards: [], crib: false, turned: null, count: null, cutting: false });
    this.typed.value = "";
    this.claim.clear();
    text(this.wrong, "");
  }

  draw() {
    const { state, side } = this.desk;
    const owner = state.crib === side.side && !this.ahead;
    text(this.prompt, this.wanted());
    refill(this.slots, [this.cards, this.starter, this.cutting, this.size, this.crib, owner, state.crib, state.sides.map(nameOf), side.side, this.desk.picked], () => [
      Array.from({ length: this.size }, (_, at) => this.slot(this.cards[at], `Card ${at + 1}`, at === this.cards.length && !this.cutting, () => this.put(at))),
      this.choice(owner),
      el("span", { class: "label", "aria-hidden": "true" }, "Starter"),
      this.slot(this.starter, "Starter", this.cutting || (this.cards.length === this.size && !this.starter), () => this.cut()),
    ]);
    this.deck.block((card) => this.reason(card));
    this.deck.node.hidden = this.help.hidden = this.full;
    this.result.hidden = this.tip.hidden = !this.full;
    this.typing.hidden = this.full;
    refill(this.result, [this.count, this.claims, this.manual], () => this.counted());
    this.ok.hidden = !this.full;
    const points = this.claims ? this.claim.points : this.count?.points;
    disable(this.ok, !(this.manual || this.count?.parts) || points === null || state.winner);
    text(this.ok, isDisabled(this.ok) ? (this.manual ? "Claim" : "Peg") : `${this.claims ? "Claim" : "Peg"} ${points} for ${nameOf(side)}`);
  }

  // The cards that are still to be tapped.
  get left() {
    const left = this.size - this.cards.length;
    return left === this.size ? `${NUMBERS[left]} cards` : left === 1 ? "the last card" : `${NUMBERS[left]} more cards`;
  }

  // What to tap next, and whose cards they are when there are enough.
  wanted() {
    const { side } = this.desk;
    const left = this.size - this.cards.length;
    const whose = `${this.owner(side.side)} ${this.crib ? "crib" : "hand"}`;
    if (this.full && !this.cutting) return whose;
    if (this.cutting || !left) return "Tap the starter";
    if (left === this.size && this.done && !this.ahead && !this.crib) return `${whose} is counted`;
    return `${whose}: tap ${this.left}`;
  }

  /** @param {number} side */
  owner(side) {
    const { state, picked } = this.desk;
    return side === picked ? "Your" : `${nameAt(state, side)}’s`;
  }

  counted() {
    if (this.manual) return this.claim.node;
    if (!this.count?.parts) return el("p", { class: "muted" }, this.count?.wrong ?? "Counting …");
    return this.claim.on ? this.claim.node : [parts(this.count), el("p", { class: "sum" }, el("span", {}, "In all"), el("strong", {}, String(this.count.points)))];
  }

  // Whether the cards are the crib's; who has none sees its place. Where there is room, the hand stands beside it.
  /** @param {boolean} owner */
  choice(owner) {
    const { state, side } = this.desk;
    /** @param {number} of @param {string} kind */
    const named = (of, kind) => [el("span", { class: "owner" }, `${this.owner(of)}\u00a0`), kind];
    const whose = state.crib ? named(owner ? side.side : state.crib, "crib") : "Crib";
    const made = el("button", { type: "button", class: "crib", "aria-pressed": this.crib, "data-key": "crib", onclick: () => owner && this.change({ crib: !this.crib, cards: [] }) }, whose);
    disable(made, !owner);
    return el("div", { class: "which" }, el("button", { type: "button", class: "crib of-hand", "aria-pressed": !this.crib, "data-key": "of-hand", onclick: () => this.crib && this.change({ crib: false, cards: [] }) }, named(side.side, "hand")), made);
  }

  /** @param {string | null | undefined} card @param {string} name @param {boolean} next @param {() => void} pressed */
  slot(card, name, next, pressed) {
    return el("button", {
      type: "button", class: next ? "slot next" : "slot", "data-key": name, onclick: pressed,
    }, el("span", { class: "hide" }, card ? `${name}: ${cardWords(card)}. Remove it` : `${name}: empty`), card ? face(card, { "aria-hidden": "true", role: "presentation", "aria-label": null }) : el("span", { class: "card gap", "aria-hidden": "true" }, name === "Starter" ? "cut" : ""));
  }

  // Why a card cannot be in this hand; the cards that its own side has laid down can.
  /** @param {string} card */
  reason(card) {
    if (this.cards.includes(card)) return "already in the hand";
    if (card === this.starter) return "the starter";
    if (this.ahead) return "";
    const own = new Set(this.crib ? [] : this.desk.played(this.desk.side.side));
    if (!this.cutting && this.desk.state.table.seen.includes(card) && !own.has(card)) return "already seen";
    if (this.cutting && this.desk.state.table.seen.includes(card)) return "already seen";
    return "";
  }

  /** @param {string} card */
  take(card) {
    if (this.cutting || this.cards.length === this.size) return this.cutStarter(card);
    this.change({ cards: [...this.cards, card] });
    if (!this.full) this.desk.answer(sentence(`${cardWords(card)}, then ${this.cards.length < this.size ? this.left : "the starter"}`), true);
  }

  /** @param {number} at */
  put(at) {
    if (this.cards[at]) this.change({ cards: this.cards.filter((_, index) => index !== at) });
  }

  cut() {
    if (this.starter) this.cutStarter(null);
    this.change({ cutting: !this.cutting });
  }

  /** @param {string | null} card */
  cutStarter(card) {
    this.change({ starter: card, cutting: false });
    this.desk.hint({ do: "starter", card });
  }

  /** @param {Partial<Pick<Hand, "cards" | "starter" | "cutting" | "crib">>} what */
  change(what) {
    const held = this.node.contains(focused()) && focused().dataset.card;
    Object.assign(this, what, { count: null });
    this.draw();
    if (held && this.full) find(this.slots, "button")?.focus();
    if (this.full && this.manual) this.ask();
    else if (this.full) this.explain();
  }

  ask() {
    if (focused() === document.body || this.node.contains(focused())) this.claim.input.focus({ preventScroll: true });
    this.desk.answer("How much is it?");
  }

  async explain() {
    const { cards, starter, crib } = this;
    /** @type {Counting} */
    let count;
    try {
      count = await this.desk.count({ cards, starter, crib });
    } catch (failure) {
      count = { wrong: failure.words };
      if (failure.unanswered) setTimeout(() => this.count === count && this.explain(), AGAIN_MS);
    }
    if (cards !== this.cards || starter !== this.starter || crib !== this.crib) return;
    this.count = count;
    this.draw();
    if (!this.claim.on || count.wrong) this.desk.answer(count.wrong ?? sentence(count.text), !count.wrong);
    if (focused() === document.body || this.node.contains(focused())) (this.claim.on ? this.claim.input : this.ok).focus({ preventScroll: true });
  }

  read() {
    const cards = parse(this.typed.value);
    const wrong = cards === null && this.typed.value.trim().length > 1 ? "A card is a rank and a suit, like 5H or 10S." : "";
    text(this.wrong, wrong);
    if (!cards || (cards.length !== this.size && cards.length !== this.size + 1)) return;
    const twice = new Set(cards).size < cards.length;
    if (twice) return text(this.wrong, "You typed the same card twice.");
    const cut = cards[this.size];
    if (cut && cut !== this.starter) this.cutStarter(cut);
    this.change({ cards: cards.slice(0, this.size) });
  }

  async peg() {
    const { cards, starter, crib, count } = this;
    if (isDisabled(this.ok)) return;
    const { side } = this.desk;
    const counted = count?.parts ? count : null;
    const points = await this.worth(counted);
    if (points === null) return;
    const words = `${crib ? "Crib" : "Hand"} of ${points} for ${nameOf(side)}`;
    const hand = { do: "hand", side: side.side, cards, starter, crib, ...(this.manual ? { claim: points } : {}) };
    const done = await this.desk.give(this.manual || points === counted?.points ? hand : { do: "peg", side: side.side, points }, words);
    if (!done) return;
    await this.compared(done, points);
    const held = focused() === this.ok || focused() === this.claim.input; // which go
    this.clear();
    this.desk.home();
    this.show();
    if (held) this.deck.focus();
  }

  // The points that are to be pegged or claimed; null for none.
  /** @param {Count | null} counted @returns {Promise<number | null>} */
  async worth(counted) {
    if (this.manual || !counted) return this.claim.points;
    return this.claim.on ? this.claim.settle(this.desk.side, counted) : counted.points;
  }

  // A claim that was wrong is explained; with muggins, only once nobody can call it any more.
  /** @param {{ text: string }} done @param {number} claimed */
  async compared({ text: words }, claimed) {
    const { count, open } = this.desk.state;
    if (this.manual && !open && count && count.points !== claimed) await choose("The count", words, [["Go on", true, "main"]]);
  }
}
