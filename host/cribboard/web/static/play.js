// The play: cards as they are laid down. What they make, the kiosk finds and pegs by itself.

import { cardWords, face, inSigns, pips } from "./cards.js";
import { Deck } from "./deck.js";
import { disable, el, fill, isDisabled, refill } from "./dom.js";
import { figure, nameAt, nameOf, sideOf } from "./sides.js";

const LIMIT = 31;
const MOST_PIPS = 10;
const MOST_WAITING = 3;
const MOST_MADE = 14; // four of a kind for twelve, and fifteen or thirty-one for two

export class Play {
  /** @param {HTMLElement} node @param {Desk} desk */
  constructor(node, desk) {
    this.node = node;
    this.desk = desk;
    this.waiting = 0;
    this.refused = 0;
    /** @type {Promise<void>} */
    this.chain = Promise.resolve();
    this.lies = "";
    this.deck = new Deck((card) => this.lay(card));
    this.pile = el("div", { class: "pile" });
    this.go = el("button", { type: "button", class: "go", onclick: () => this.sayGo() });
    this.back = el("button", { type: "button", onclick: () => this.takeBack() });
    this.said = el("select", { class: "says", "aria-label": "My card makes" }, Array.from({ length: MOST_MADE + 1 }, (_, points) => el("option", { value: points }, `Makes ${points || "nothing"}`)));
    fill(node, this.pile, el("div", { class: "row" }, this.said, this.go, this.back), this.deck.node);
  }

  show() {
    const { state } = this.desk;
    const { pile, running, next, crib_counted: over } = state.table;
    const seen = over ? [] : state.table.seen; // the next card passes the deal
    this.follow(pile);
    this.said.hidden = !this.manual;
    this.node.dataset.colour = this.desk.side.colour;
    refill(this.pile, [pile, running, next, this.desk.picked, this.desk.side.side, state.winner, state.sides.map((one) => one.name)], () => this.lying());
    const full = running === LIMIT; // the next card begins a new count, and nobody has a go
    this.deck.block((card) => (seen.includes(card) ? "already seen" : !full && running + pips(card) > LIMIT ? `over ${LIMIT}` : ""));
    const last = pile.at(-1);
    const who = last && sideOf(state, last.side);
    disable(this.go, !last || full || state.winner);
    const shown = who && !full && nameOf(who);
    refill(this.go, [shown, next], () => shown ? [el("span", {}, next ? el("span", { class: "call" }, "Go: ") : "Last card: ", `1 for ${shown}`), el("small", {}, next ? "when nobody can play" : "all cards are played")] : "Go");
    refill(this.back, [last?.card], () => el("span", {}, "Take back", last && [" ", el("span", { class: "last" }, el("span", { "aria-hidden": "true" }, inSigns(cardWords(last.card))), el("span", { class: "hide" }, cardWords(last.card)))]));
    disable(this.back, !last || last.points > 0);
  }

  // The house rules have the players say what a card makes.
  get manual() {
    return Boolean(this.desk.state.rules?.manual);
  }

  lying() {
    const { state } = this.desk;
    const { pile, running, next } = state.table;
    const last = pile.at(-1);
    const due = !state.winner && sideOf(state, next);
    return [
      el("p", { class: "running" }, el("span", { class: "muted" }, "Count "), el("strong", {}, String(running))),
      el("ol", { class: "laid", "aria-label": "Cards on the table" }, pile.slice(-8).map((laid) =>
        el("li", { "data-colour": sideOf(state, laid.side)?.colour }, face(laid.card)))),
      !pile.length ? el("p", { class: "first muted" }, "Tap each card as it is played.") : el("p", { class: "tip muted" }, due ? this.advice(due) : ""),
      el("p", { class: "made" }, el("span", { class: "due", "data-colour": due ? due.colour : null }, due && [figure(due.colour), ` ${nameOf(due)} to play`]),
        el("span", {}, last?.points ? `${nameAt(state, last.side)}: ${last.text || last.points}` : "")),
    ];
  }

  // What to tap. Once a player may have to say go, those after them play on: they are not out of turn then.
  /** @param {Side} due */
  advice(due) {
    const { state, side, picked } = this.desk;
    const { running } = state.table;
    const [other] = state.sides.length === 2 ? state.sides.filter((one) => one !== due) : [];
    const whose = (/** @type {Side} */ one) => (one.side === picked ? "your" : `${nameOf(one)}’s`);
    const go = running + MOST_PIPS > LIMIT && running < LIMIT;
    if (due.side !== side.side) return go && side === other ? `If ${nameOf(due)} says go, play on: tap ${whose(side)} card.` : `To tap ${nameOf(due)}’s card here, tap ${nameOf(due)}’s score first.`;
    const after = other ? `tap ${whose(other)} score, then ${whose(other)} card` : "tap the next player’s score, then their card";
    return go ? `If ${due.side === picked ? "you say" : `${nameOf(due)} says`} go, ${after}.` : `Tap ${whose(due)} card when it is played.`;
  }

  // The phone of the whole table turns to who is next together with the card that it shows.
  /** @param {Laid[]} pile */
  follow(pile) {
    const lies = pile.map((laid) => laid.card).join();
    if (lies === this.lies) return;
    this.lies = lies;
    const { next } = this.desk.state.table;
    if (next && this.desk.everybody) this.desk.chosen = next;
  }

  // Cards may be tapped faster than the board answers: each waits for the one before it, and falls with it.
  /** @param {() => unknown} act */
  after(act) {
    if (this.waiting === MOST_WAITING || this.desk.failing) return this.desk.busy();
    const { refused } = this;
    this.waiting += 1;
    this.chain = this.chain.then(async () => {
      if (refused === this.refused && !(await act())) this.refused += 1;
      this.waiting -= 1;
    });
  }

  // The side is the one that was chosen; behind another card it is the next one's, unless somebody chose it since.
  /** @param {string} card */
  lay(card) {
    const { side, chosenByHand, everybody } = this.desk;
    const behind = this.waiting > 0;
    const { manual, said } = this;
    const { value } = said;
    said.value = "0";
    this.after(async () => {
      const whose = everybody && behind && chosenByHand === this.desk.chosenByHand ? this.desk.side : side;
      const claim = manual && value !== "0" ? { claim: Number(value) } : {}; // nothing is what stands there before anybody chooses
      const done = await this.desk.give({ do: "play", side: whose.side, card, ...claim }, `${cardWords(card)} of ${nameOf(whose)}`);
      if (!done && said.value === "0") said.value = value; // what was said of it is said again with another card
      return done;
    });
    this.desk.home();
  }

  takeBack() {
    if (isDisabled(this.back)) return;
    const [{ card }] = this.desk.state.table.pile.slice(-1);
    this.desk.give({ do: "unplay", card }, `${cardWords(card)} taken back`);
  }

  sayGo() {
    if (isDisabled(this.go)) return;
    this.after(() => {
      const who = this.desk.state.table.pile.at(-1)?.side;
      return who && this.desk.give({ do: "go", side: who }, `Go, 1 for ${nameAt(this.desk.state, who)}`);
    });
  }
}
