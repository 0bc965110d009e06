// The play: cards as they are laid down. What they make, the kiosk finds and pegs by itself.

import { cardWords, face, inSigns, pips } from "./cards.js";
import { settled, TAP_MS } from "./deal.js";
import { Deck } from "./deck.js";
import { disable, el, fill, refill } from "./dom.js";
import { figure, nameAt, nameOf, shortNameOf, sideOf } from "./sides.js";

const LIMIT = 31;
const HIGHEST = 10;
const MOST_WAITING = 3;
const MOST_MADE = 14; // four of a kind for twelve, and fifteen or thirty-one for two

// A card in signs, and heard in words.
/** @param {string} card */
const named = (card, mark = "") => [el("span", { "aria-hidden": "true" }, inSigns(cardWords(card)), mark), el("span", { class: "hide" }, cardWords(card), mark)];

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
    this.since = /** @type {Map<string, number>} */ (new Map()); // the newest score when each card on the pile was first seen
    this.undone = { at: 0, own: false }; // the last tap on undo
    this.deck = new Deck((card) => this.lay(card));
    this.pile = el("div", { class: "pile" });
    /** @type {(() => unknown) | null | undefined} */
    this.tap = null; // what the button for a go does now
    this.go = el("button", { type: "button", class: "go", onclick: () => this.tap?.() });
    this.said = el("select", { class: "says", "aria-label": "My card makes" }, Array.from({ length: MOST_MADE + 1 }, (_, points) => el("option", { value: points }, `Makes ${points || "nothing"}`)));
    fill(node, this.pile, el("div", { class: "row" }, this.said, this.go), this.deck.node);
  }

  show() {
    const { state } = this.desk;
    const { pile, running, starter, crib_counted: over } = state.table;
    const seen = over ? [] : state.table.seen; // the next card passes the deal
    this.follow(pile);
    this.said.hidden = !this.manual;
    this.node.dataset.colour = this.desk.side.colour;
    refill(this.pile, [pile, running, starter, this.due, this.desk.picked, this.desk.side.side, state.winner, state.sides.map((one) => one.name)], () => this.lying());
    const full = running === LIMIT; // the next card begins a new count, and nobody has a go
    this.deck.block((card) => (seen.includes(card) ? "already seen" : !full && running + pips(card) > LIMIT ? `over ${LIMIT}` : ""));
    const laid = over ? [] : state.table.played;
    this.deck.mark((card) => sideOf(state, laid.find((one) => one.card === card)?.side)?.colour ?? "", over ? null : starter);
    this.deck.node.classList.toggle("others", Boolean(this.other));
    const { name, words, small, act } = this.call();
    disable(this.go, !act);
    this.go.classList.toggle("main", Boolean(act && !this.other));
    refill(this.go, [name, words, small], () => {
      this.tap = this.tap && act ? settled(act) : act; // who taps twice says one go, and pegs nothing
      return [el("span", { class: "who" }, name && el("span", { class: "name" }, name), el("span", {}, words)), el("small", {}, small)];
    });
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

  // The side to play, when a tap on a card would be for another one.
  get other() {
    const { state, side } = this.desk;
    const due = !state.winner && !state.computer && sideOf(state, this.due);
    return due && due.side !== side.side ? due : null;
  }

  // The same while the play is open, as its number.
  get turn() {
    return this.node.hidden ? null : (this.other?.side ?? null);
  }

  // What is newer than the newest score, with its side: a go that was said here (no card), or a card that made nothing.
  // Such a card is no event of the board's: its age is that of the newest score when this page first saw it.
  /** @returns {{ side: number, card: string } | null} */
  newest() {
    const { state } = this.desk;
    const { pile, next, after_go: after } = state.table;
    const score = state.undo?.rev ?? 0;
    const last = pile.at(-1);
    this.since = new Map(pile.map(({ card }) => [card, this.since.get(card) ?? score]));
    if (state.computer) return null;
    if (this.goes && next && !this.node.hidden) return { side: this.goes > 1 ? after[this.goes - 2] : next, card: "" };
    return last && !last.points && !state.undo?.nothing && score <= (this.since.get(last.card) ?? 0) ? { side: last.side, card: last.card } : null;
  }

  // The one button that takes back the very last act, whatever it is; `score(step)` undoes a score.
  /** @param {(step: Step) => unknown} score */
  undo(score) {
    const { state } = this.desk;
    const step = state.undo;
    const newest = this.newest();
    const side = sideOf(state, newest?.side);
    /** @param {Child} words @param {() => unknown} act */
    const made = (words, act) => el("button", {
      type: "button", "data-key": "undo", class: "undo", onclick: () => this.again(Boolean(side)) || act(),
    }, el("strong", {}, "Undo"), words);
    if (newest && side) {
      const { card } = newest;
      return made(card ? el("span", { class: "of" }, el("span", {}, `${shortNameOf(state.sides, side)}’s`), " ", named(card)) : el("span", {}, `${nameOf(side)} ${verb(side, "say")} go`), () => this.takeBack(card));
    }
    return step && made(el("span", {}, step.card && [named(step.card, ":"), " "], step.text), () => score(step));
  }

  // Whether undo is tapped by a nervous finger for the second time: what stands there by then may be another thing.
  /** @param {boolean} own a card's or a go's */
  again(own) {
    const { undone } = this;
    const again = Date.now() - undone.at < TAP_MS && (own || undone.own);
    if (!again) this.undone = { at: Date.now(), own };
    return again;
  }

  // What can be said of a go now, in two lines, and what a tap on it does; nothing, with the reason in the second line.
  /** @returns {{ name?: string | undefined, words: string, small: string, act?: () => unknown }} */
  call() {
    const { state } = this.desk;
    const { pile, running, after_go: after } = state.table;
    const last = sideOf(state, pile.at(-1)?.side);
    const due = sideOf(state, this.due);
    const then = sideOf(state, after[this.goes]);
    const short = (/** @type {Side} */ one) => shortNameOf(state.sides, one);
    if (state.winner) return { words: "Go", small: "the game is over" };
    if (state.computer) return { words: "Go", small: "the computer sees to it" };
    if (!last) return { words: "Go", small: "no card is laid yet" };
    if (running === LIMIT) return { words: "Go", small: "a new count begins" };
    if (!due) return { words: `Last card: 1 for ${short(last)}`, small: "all cards are played", act: () => this.pegGo() };
    if (then) return { name: short(due), words: ` ${verb(due, "say")} go`, small: `then ${short(then)} ${verb(then, "play")}`, act: () => this.sayGo() };
    if (running + HIGHEST <= LIMIT) return { name: short(due), words: ` ${verb(due, "say")} go`, small: "not yet: every card fits" };
    return { name: short(due), words: ` can’t play${this.goes ? " either" : ""}`, small: `1 for ${short(last)}`, act: () => this.pegGo() };
  }

  lying() {
    const { state } = this.desk;
    const { pile, running, starter } = state.table;
    const last = pile.at(-1);
    const due = !state.winner && sideOf(state, this.due);
    const { other } = this;
    return [
      el("p", { class: "running" }, el("span", { class: "fits muted" }, this.fits(running)), el("span", { class: "muted" }, "Count "), el("strong", {}, String(running))),
      el("ol", { class: "laid", "aria-label": "Cards on the table" }, pile.slice(-8).map((laid) =>
        el("li", { "data-colour": sideOf(state, laid.side)?.colour }, face(laid.card)))),
      starter && el("p", { class: "starter muted" }, "Starter ", face(starter)),
      !pile.length && !other && el("p", { class: "first muted" }, "Tap each card as it is played."),
      other ? el("div", { class: "other" },
        el("p", { class: "tip muted" }, el("span", {}, `Waiting for ${nameOf(other)}.`), " ", el("span", {}, "One tablet? Enter their cards here:")),
        el("button", { type: "button", class: "enter", "data-key": "enter", onclick: () => this.desk.turnTo(other.side) }, `Enter ${nameOf(other)}’s card`))
        : pile.length > 0 && el("p", { class: "tip muted" }, due ? this.advice(due) : ""),
      el("p", { class: "made" }, el("span", { class: "due", "data-colour": due ? due.colour : null }, due && [figure(due.colour), ` ${nameOf(due)} to play`]),
        el("span", {}, last?.points ? `${nameAt(state, last.side)}: ${last.text || last.points}` : "")),
    ];
  }

  // The highest card that does not go over the limit, where not every one fits.
  /** @param {number} running */
  fits(running) {
    const most = LIMIT - running;
    return most >= HIGHEST || !most ? "" : most === 1 ? "Only an ace fits" : `${most} or lower fits`;
  }

  // What to tap.
  /** @param {Side} due */
  advice(due) {
    const { picked } = this.desk;
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
    this.undone.at = 0; // whoever lays a card meanwhile means the next undo
    this.after(async () => {
      const whose = everybody && behind && chosenByHand === this.desk.chosenByHand ? this.desk.side : side;
      const claim = manual && value !== "0" ? { claim: Number(value) } : {}; // nothing is what stands there before anybody chooses
      const done = await this.desk.give({ do: "play", side: whose.side, card, ...claim }, `${cardWords(card)} of ${nameOf(whose)}`);
      if (!done && said.value === "0") said.value = value; // what was said of it is said again with another card
      return done;
    });
    this.desk.home();
  }

  /** @param {string} card empty for the go that was said last */
  takeBack(card) {
    if (card) return this.desk.give({ do: "unplay", card }, `${cardWords(card)} taken back`);
    this.turnAfter(this.goes - 1);
    this.desk.answer(`Go taken back. ${nameAt(this.desk.state, this.due)} to play.`);
  }

  pegGo() {
    if (this.waiting) return this.desk.busy(); // a card on its way changes whose it is
    this.after(() => {
      const who = this.desk.state.table.pile.at(-1)?.side;
      return who && this.desk.give({ do: "go", side: who }, `Go, 1 for ${nameAt(this.desk.state, who)}`);
    });
  }
}
