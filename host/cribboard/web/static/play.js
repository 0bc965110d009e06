// The play: cards as they are laid down. What they make, the kiosk finds and pegs by itself.

import { cardWords, face, inSigns, pips } from "./cards.js";
import { settled, TAP_MS } from "./deal.js";
import { Deck } from "./deck.js";
import { choose } from "./dialog.js";
import { $, disable, el, fill, refill } from "./dom.js";
import { figure, LONG, nameAt, nameOf, shortNameOf, sideOf } from "./sides.js";
import { due } from "./words.js";

const LIMIT = 31;
const HIGHEST = 10;
const MOST_WAITING = 3;
const MOST_MADE = 14; // four of a kind for twelve, and fifteen or thirty-one for two

// A card in signs, and heard in words.
/** @param {string} card */
const named = (card, mark = "") => [el("span", { "aria-hidden": "true" }, inSigns(cardWords(card)), mark), el("span", { class: "hide" }, cardWords(card), mark)];

// What undo or redo would act on, with the card that has pegged it; a button has little room for names.
/** @param {Pick<Step, "card" | "text">} step @param {Side[]} sides */
export function stepWords({ card, text }, sides) {
  const words = sides.reduce((before, side) => before.replace(nameOf(side), shortNameOf(sides, side)), text);
  const long = !card && sides.map((side) => shortNameOf(sides, side)).find((name) => name.length > LONG && words.startsWith(name));
  return long ? el("span", { class: "of" }, el("span", {}, long), " ", el("span", {}, words.slice(long.length).trim())) : el("span", {}, card && [named(card, ":"), " "], words);
}

// Partners say, one player says.
/** @param {Side} side @param {string} word */
const verb = ({ places }, word) => (places.length > 1 ? word : `${word}s`);

export class Play {
  /** @param {HTMLElement} node @param {Scorer} desk */
  constructor(node, desk) {
    this.node = node;
    this.desk = desk;
    this.waiting = 0;
    this.refused = 0;
    /** @type {Promise<unknown>} */
    this.chain = Promise.resolve();
    this.position = ""; // the deal, its cards and goes, as they were shown last
    this.choice = { side: 0, for: "" }; // a side that was chosen by hand, and the position for which it is
    this.timesChosen = 0;
    this.cutting = false; // whether the next tap on a card is for the starter
    this.undone = { at: 0, own: false }; // the last tap on undo
    this.deck = new Deck((card) => this.lay(card), (words) => desk.answer(words));
    this.pile = el("div", { class: "pile" });
    /** @type {(() => unknown) | null | undefined} */
    this.tap = null; // what the button for a go does now
    this.go = el("button", { type: "button", class: "go", onclick: () => this.tap?.() });
    this.said = el("select", { class: "says", "aria-label": "My card makes" }, Array.from({ length: MOST_MADE + 1 }, (_, points) => el("option", { value: points }, `Makes ${points || "nothing"}`)));
    fill(node, this.pile, el("div", { class: "row" }, this.said, this.go), this.deck.node);
  }

  show() {
    const { state } = this.desk;
    const { pile, running, crib_counted: over } = state.table;
    const starter = over ? null : state.table.starter;
    const seen = over ? [] : state.table.seen; // the next card passes the deal
    this.updatePosition();
    if (!this.mayCut) this.cutting = false;
    this.said.hidden = !this.manual;
    this.node.dataset.colour = this.side.colour;
    refill(this.pile, [pile, running, starter, this.due, this.cutting, this.mayCut, this.isOver, state.win, state.sides.map((one) => one.name)], () => this.lying(starter));
    const free = running === LIMIT || this.cutting; // the next card begins a new count, and nobody has a go
    this.deck.block((card) => (seen.includes(card) ? "already seen" : this.isOver && !this.cutting ? "all cards are played" : !free && running + pips(card) > LIMIT ? `over ${LIMIT}` : ""));
    const laid = over ? [] : state.table.played;
    this.deck.mark((card) => sideOf(state, laid.find((one) => one.card === card)?.side)?.colour ?? "", starter);
    const { name, words, small, act } = this.call();
    disable(this.go, !act);
    this.go.classList.toggle("main", Boolean(act));
    refill(this.go, [name, words, small], () => {
      this.tap = this.tap && act ? settled(act) : act; // who taps twice says one go, and pegs nothing
      return [el("span", { class: "who" }, name && el("span", { class: "name" }, name), el("span", {}, words)), el("small", {}, small)];
    });
  }

  // The house rules have the players say what a card makes.
  get manual() {
    return Boolean(this.desk.state.rules?.manual);
  }

  // The side whose card the next tap lays, the same on every device: the side to play, counting goes, or one chosen by hand.
  get due() {
    const { state } = this.desk;
    if (state.winner) return null;
    return this.isChosen ? this.choice.side : due(state.table);
  }

  get isChosen() {
    return this.choice.for === this.position;
  }

  // The same, and this phone's own when nobody is to play or the computer lays the cards.
  get side() {
    const { state, side } = this.desk;
    return (!state.computer && sideOf(state, this.due)) || side;
  }

  // The side to play while the play is open, as its number, 0 for none.
  get turn() {
    return this.node.hidden || this.desk.state.computer ? null : this.isOver ? 0 : this.due;
  }

  // Those whose turn it is, one after the other, as long as each says go.
  get turns() {
    const { next, after_go: after } = this.desk.state.table;
    return next ? [next, ...after] : [];
  }

  // How many have said go, up to who is due; negative for one whose turn it is not.
  get goes() {
    const { goes } = this.desk.state.table;
    const { turns } = this;
    return this.due === turns[goes] ? goes : turns.findIndex((side) => side === this.due);
  }

  // The starter can be named until the first card is played, or when nobody has named it.
  get mayCut() {
    const { winner, computer, table } = this.desk.state;
    return !winner && !computer && (table.crib_counted || !table.starter || !table.played.length);
  }

  // Whether all cards of the deal are played, and the hands are to be counted.
  get isOver() {
    const { next, played, crib_counted: over } = this.desk.state.table;
    return next === null && played.length > 0 && !over;
  }

  // What is newer than the newest score, with its side: a go that was said (no card), or a card that made nothing.
  /** @returns {{ side: number, card: string } | null} */
  newest() {
    const { computer, undo: step, table } = this.desk.state;
    const last = table.pile.at(-1);
    if (computer || step?.nothing) return null;
    const scored = step?.rev ?? 0;
    if (table.goes && scored <= table.go_at) return { side: this.turns[table.goes - 1], card: "" };
    return last && !last.points && scored <= last.at ? { side: last.side, card: last.card } : null;
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
      return made(card ? el("span", { class: "of" }, el("span", {}, `${shortNameOf(state.sides, side)}’s`), " ", named(card)) : stepWords({ card: "", text: `${nameOf(side)} ${verb(side, "say")} go` }, state.sides), () => this.takeBack(card));
    }
    return step && made(stepWords(step, state.sides), () => score(step));
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
    const { pile, played, running, crib_counted: over } = state.table;
    const { goes } = this;
    const last = sideOf(state, pile.at(-1)?.side);
    const due = sideOf(state, this.due);
    const then = goes < 0 ? undefined : sideOf(state, this.turns[goes + 1]);
    const short = (/** @type {Side} */ one) => shortNameOf(state.sides, one);
    if (state.winner) return { words: "Go", small: "the game is over" };
    if (state.computer) return { words: "Go", small: "the computer does this" };
    if (!last && this.isOver) return { words: "Count the hands", small: "all cards are played", act: () => $("tab-hand").click() };
    if (!last) return { words: "Go", small: played.length && !over ? "a new count begins" : "no card is laid yet" };
    if (running === LIMIT) return { words: "Go", small: "a new count begins" };
    if (!due) return { words: `Last card: 1 for ${short(last)}`, small: "all cards are played", act: () => this.pegGo() };
    if (then) return { name: short(due), words: ` ${verb(due, "say")} go`, small: `then ${short(then)} ${verb(then, "play")}`, act: () => (this.waiting ? this.desk.busy() : this.sayGo(goes + 1)) };
    if (running + HIGHEST <= LIMIT) return { name: short(due), words: ` ${verb(due, "say")} go`, small: "not yet: every card fits" };
    return { name: short(due), words: ` can’t play${goes > 0 ? " either" : ""}`, small: `1 for ${short(last)}`, act: () => this.pegGo() };
  }

  /** @param {string | null} starter */
  lying(starter) {
    const { state } = this.desk;
    const { pile, running } = state.table;
    const last = pile.at(-1);
    const due = sideOf(state, this.due);
    const left = due && running && running < LIMIT ? `${LIMIT - running} left to ${LIMIT}` : "";
    return [
      el("p", { class: "running" }, el("span", { class: "muted" }, "Count "), el("strong", {}, String(running)), el("span", { class: "left muted" }, left)),
      el("ol", { class: "laid", "aria-label": "Cards on the table" }, pile.slice(-8).map((laid) =>
        el("li", { "data-colour": sideOf(state, laid.side)?.colour }, face(laid.card)))),
      !pile.length && !this.isOver && !this.cutting && !state.winner && el("p", { class: "first muted" }, el("span", { class: "card gap" }), !state.table.played.length && "Tap each card as it is played."),
      el("button", { type: "button", class: "starter", "data-key": "starter", "aria-pressed": this.cutting, "aria-disabled": !this.mayCut, onclick: () => this.cut() },
        el("span", {}, "Starter", this.mayCut && el("small", { class: "muted" }, this.cutting ? "tap the card" : starter ? "tap to change" : "tap to set")),
        starter ? face(starter) : el("span", { class: "card gap" })),
      el("p", { class: "made" },
        el("span", { class: "due", "data-colour": due && !this.cutting ? due.colour : null }, this.cutting ? "The starter" : due ? [figure(due.colour), ` ${nameOf(due)} to play`] : this.isOver && !state.winner ? "All cards are played" : ""),
        el("span", { "data-colour": sideOf(state, last?.side)?.colour }, last?.points ? `${nameAt(state, last.side)}: ${last.text || last.points}` : "")),
      el("p", { class: "tip muted" }, this.advice(due)),
    ];
  }

  // Who counts in which order.
  get order() {
    const { sides, dealer } = this.desk.state;
    const [pone, more] = sides.filter((side) => side.side !== dealer.side);
    return more ? "The dealer counts last, then the crib" : `${nameOf(pone)} ${verb(pone, "count")} first, then ${nameAt(this.desk.state, dealer.side)}, then the crib`;
  }

  // The highest card that does not go over the limit, where not every one fits.
  /** @param {number} running */
  fits(running) {
    const most = LIMIT - running;
    return most >= HIGHEST || !most ? "" : most === 1 ? "only an ace fits" : `${most} or lower fits`;
  }

  // What to tap, and why other cards are faded.
  /** @param {Side | undefined} due */
  advice(due) {
    const { winner, table } = this.desk.state;
    const { running } = table;
    if (this.cutting) return "Tap the card that is turned up";
    if (winner) return "";
    if (this.isOver) return table.pile.length ? "Peg the last card, then count the hands" : this.order;
    if (!due) return "Tap a card";
    const why = table.crib_counted ? "the next deal begins" : running === LIMIT ? "a new count begins" : this.fits(running);
    return [`Tap ${nameOf(due)}’s card`, why && [": ", el("span", { class: "fits" }, why)]];
  }

  // A choice by hand is for one card. The phone of the whole table also pegs points for who is next.
  updatePosition() {
    const { desk } = this;
    const { game, dealer, table } = desk.state;
    const { pile, played, goes, crib_counted: over } = table;
    const position = [game, dealer.place, over, played.length, goes, ...pile.map((laid) => laid.card)].join();
    if (position === this.position) return;
    const next = due(table);
    if (next && desk.everybody) desk.chosen = next;
    this.position = position;
    this.choice.for = "";
  }

  // The next card is that of this side, as a tap on its score says. If it has said go, that is taken back for everybody.
  /** @param {number} side */
  choose(side) {
    const said = this.turns.slice(0, this.desk.state.table.goes).lastIndexOf(side);
    if (said >= 0 && side !== this.due && !this.waiting) this.sayGo(said);
    this.choice = { side, for: this.position };
    this.timesChosen += 1;
    this.desk.turnTo(side);
  }

  // The next tap on a card is for the starter, or is not.
  cut() {
    if (!this.mayCut) return;
    this.cutting = !this.cutting;
    this.show();
  }

  /** @param {number} goes how many have said go since the last card */
  sayGo(goes) {
    const { pile } = this.desk.state.table;
    this.choice.for = "";
    this.desk.hint({ do: "say_go", card: pile.at(-1)?.card ?? null, goes });
  }

  // Cards may be tapped faster than the board answers: each waits for the one before it, and falls with it. Resolves to
  // whether it was done.
  /** @param {() => unknown} act @returns {Promise<boolean>} */
  async after(act) {
    if (this.waiting === MOST_WAITING || this.desk.failing) {
      this.desk.busy();
      return false;
    }
    const { refused } = this;
    this.waiting += 1;
    const done = this.chain.then(async () => refused === this.refused && this.attempt(act)).finally(() => {
      this.waiting -= 1;
    });
    this.chain = done.catch(() => {}); // what went wrong holds up nothing after it
    return done;
  }

  // Whether it was done; else what waits behind it falls.
  /** @param {() => unknown} act */
  async attempt(act) {
    let done = false;
    try {
      done = Boolean(await act());
    } finally {
      if (!done) this.refused += 1;
    }
    return done;
  }

  // The side whose card it is, null when nobody says so. Where a side enters its own cards, another side's device may be a
  // card ahead of it, so it asks, and a second tap on the card answers nothing.
  /** @param {Side} due @param {boolean} chosen by hand @returns {Promise<Side | null | undefined>} */
  async whose(due, chosen) {
    const { desk } = this;
    const own = sideOf(desk.state, desk.picked);
    if (chosen || !own || own.side === due.side || !desk.hasDevice(due.side)) return due;
    const turn = `${nameOf(due)} ${due.places.length > 1 ? "are" : "is"} to play.`;
    return choose("Whose card is it?", turn, [[`${nameOf(due)}’s`, due], [own.places.length > 1 ? "Ours" : "Mine", own]], settled);
  }

  // Behind another card it is the next side's, unless somebody chose one since.
  /** @param {string} card */
  async lay(card) {
    if (this.cutting) {
      this.cutting = false;
      this.desk.hint({ do: "starter", card });
      return this.show();
    }
    const { side, timesChosen, isChosen } = this;
    const behind = this.waiting > 0;
    const { manual, said } = this;
    const { value } = said;
    said.value = "0";
    this.undone.at = 0; // whoever lays a card meanwhile means the next undo
    const laid = this.after(async () => {
      const next = behind && timesChosen === this.timesChosen;
      const whose = await this.whose(next ? this.side : side, next ? this.isChosen : isChosen);
      const claim = manual && value !== "0" ? { claim: Number(value) } : {}; // nothing is what stands there before anybody chooses
      return whose && this.desk.give({ do: "play", side: whose.side, card, ...claim }, `${cardWords(card)} of ${nameOf(whose)}`);
    });
    this.desk.home();
    if (!(await laid) && said.value === "0") said.value = value; // what was said of it is said again with another card
  }

  /** @param {string} card empty for the go that was said last */
  takeBack(card) {
    return card ? this.desk.give({ do: "unplay", card }, `${cardWords(card)} taken back`) : this.sayGo(this.desk.state.table.goes - 1);
  }

  pegGo() {
    if (this.waiting) return this.desk.busy(); // a card on its way changes whose it is
    this.after(() => {
      const who = this.desk.state.table.pile.at(-1)?.side;
      return who && this.desk.give({ do: "go", side: who }, `Go, 1 for ${nameAt(this.desk.state, who)}`);
    });
  }
}
