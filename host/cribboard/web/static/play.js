// The play: cards as they are laid down. What they make, the kiosk finds and pegs by itself.

import { cardWords, face, inSigns, pips } from "./cards.js";
import { Deck } from "./deck.js";
import { disable, el, fill, isDisabled, refill } from "./dom.js";
import { figure, nameAt, nameOf, shortNameOf, sideOf } from "./sides.js";

const LIMIT = 31;
const MOST_WAITING = 3;
const MOST_MADE = 14; // four of a kind for twelve, and fifteen or thirty-one for two

// Partners say, one player says.
/** @param {Side} side @param {string} word */
const verb = ({ places }, word) => (places.length > 1 ? word : `${word}s`);

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
    this.goes = 0; // how many have said go since the last card
    this.chosenAt = 0; // how often a side was chosen until then
    this.deck = new Deck((card) => this.lay(card));
    this.pile = el("div", { class: "pile" });
    this.says = el("button", { type: "button", class: "says-go", onclick: () => this.sayGo() });
    this.go = el("button", { type: "button", class: "go", onclick: () => this.pegGo() });
    this.back = el("button", { type: "button", onclick: () => this.takeBack() });
    this.said = el("select", { class: "says", "aria-label": "My card makes" }, Array.from({ length: MOST_MADE + 1 }, (_, points) => el("option", { value: points }, `Makes ${points || "nothing"}`)));
    fill(node, this.pile, el("div", { class: "row" }, this.said, this.says, this.go, this.back), this.deck.node);
  }

  show() {
    const { state } = this.desk;
    const { pile, running, next, after_go: after, crib_counted: over } = state.table;
    const seen = over ? [] : state.table.seen; // the next card passes the deal
    this.follow(pile);
    this.said.hidden = !this.manual;
    this.node.dataset.colour = this.desk.side.colour;
    refill(this.pile, [pile, running, this.due, this.desk.picked, this.desk.side.side, state.winner, state.sides.map((one) => one.name)], () => this.lying());
    const full = running === LIMIT; // the next card begins a new count, and nobody has a go
    this.deck.block((card) => (seen.includes(card) ? "already seen" : !full && running + pips(card) > LIMIT ? `over ${LIMIT}` : ""));
    const last = pile.at(-1);
    const who = last && sideOf(state, last.side);
    const due = sideOf(state, this.due);
    const then = sideOf(state, after[this.goes]);
    disable(this.says, !then || state.winner);
    const short = (/** @type {Side | undefined} */ one) => one && shortNameOf(state.sides, one);
    refill(this.says, [short(due), short(then)], () => due ? [
      el("span", { class: "who" }, el("span", { class: "name" }, short(due)), el("span", {}, ` ${verb(due, "say")} go`)),
      el("small", {}, then ? `then ${short(then)} ${verb(then, "play")}` : ""),
    ] : "Says go");
    disable(this.go, !last || full || state.winner);
    const shown = !full && short(who);
    refill(this.go, [shown, next], () => shown ? [el("span", { class: "who" }, el("span", {}, next ? el("span", { class: "call" }, "Go: ") : "Last card: ", "1 for "), el("span", { class: "name" }, shown)), el("small", {}, next ? "when nobody can play" : "all cards are played")] : "1 for go");
    const gone = this.goes > 0;
    refill(this.back, [gone, last?.card], () => el("span", {}, "Take back", (gone || last) && [" ", el("span", { class: "last" }, gone ? "the go" : last && [el("span", { "aria-hidden": "true" }, inSigns(cardWords(last.card))), el("span", { class: "hide" }, cardWords(last.card))])]));
    disable(this.back, !gone && (!last || last.points > 0));
  }

  // The house rules have the players say what a card makes.
  get manual() {
    return Boolean(this.desk.state.rules?.manual);
  }

  // The side to play, after whoever has said go.
  get due() {
    const { next, after_go: after } = this.desk.state.table;
    return this.goes ? after[this.goes - 1] : next;
  }

  lying() {
    const { state } = this.desk;
    const { pile, running } = state.table;
    const last = pile.at(-1);
    const due = !state.winner && sideOf(state, this.due);
    return [
      el("p", { class: "running" }, el("span", { class: "muted" }, "Count "), el("strong", {}, String(running))),
      el("ol", { class: "laid", "aria-label": "Cards on the table" }, pile.slice(-8).map((laid) =>
        el("li", { "data-colour": sideOf(state, laid.side)?.colour }, face(laid.card)))),
      !pile.length ? el("p", { class: "first muted" }, "Tap each card as it is played.") : el("p", { class: "tip muted" }, due ? this.advice(due) : ""),
      el("p", { class: "made" }, el("span", { class: "due", "data-colour": due ? due.colour : null }, due && [figure(due.colour), ` ${nameOf(due)} to play`]),
        el("span", {}, last?.points ? `${nameAt(state, last.side)}: ${last.text || last.points}` : "")),
    ];
  }

  // What to tap.
  /** @param {Side} due */
  advice(due) {
    const { side, picked } = this.desk;
    if (due.side !== side.side) return `To tap ${nameOf(due)}’s card here, tap ${nameOf(due)}’s score first.`;
    return `Tap ${due.side === picked ? "your" : `${nameOf(due)}’s`} card when it is played.`;
  }

  // The phone of the whole table turns to who is next together with the card that it shows. One that turned to another
  // side for a go turns back. A go is also taken back by whoever chooses another side than the one after it.
  /** @param {Laid[]} pile */
  follow(pile) {
    const { desk } = this;
    const lies = pile.map((laid) => laid.card).join();
    const chosen = this.goes > 0 && desk.chosenByHand !== this.chosenAt;
    if (lies === this.lies) {
      if (chosen && desk.chosen !== this.due) this.goes = 0;
      if (chosen) this.chosenAt = desk.chosenByHand;
      return;
    }
    const { next } = desk.state.table;
    if (next && desk.everybody) desk.chosen = next;
    else if (this.goes && !chosen) desk.chosen = desk.picked;
    this.lies = lies;
    this.goes = 0;
  }

  // Who is due after so many goes is chosen, as a tap on their score does.
  /** @param {number} goes */
  turnAfter(goes) {
    this.goes = goes;
    this.chosenAt = this.desk.chosenByHand + 1;
    this.desk.turnTo(/** @type {number} */ (this.due));
  }

  sayGo() {
    if (isDisabled(this.says)) return;
    if (this.waiting) return this.desk.busy();
    const { state } = this.desk;
    const due = sideOf(state, this.due);
    this.turnAfter(this.goes + 1);
    if (due) this.desk.answer(`${nameOf(due)} ${verb(due, "say")} go. ${nameAt(state, this.due)} to play.`);
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
    if (this.goes) {
      this.turnAfter(this.goes - 1);
      return this.desk.answer(`Go taken back. ${nameAt(this.desk.state, this.due)} to play.`);
    }
    const [{ card }] = this.desk.state.table.pile.slice(-1);
    this.desk.give({ do: "unplay", card }, `${cardWords(card)} taken back`);
  }

  pegGo() {
    if (isDisabled(this.go)) return;
    this.after(() => {
      const who = this.desk.state.table.pile.at(-1)?.side;
      return who && this.desk.give({ do: "go", side: who }, `Go, 1 for ${nameAt(this.desk.state, who)}`);
    });
  }
}
