// "Play a game": the computer deals and plays; cribboard_core has the rules, and the board is told by the wire what to peg.

import { Client, Gone, inWords, Refused, sidesOf } from "./client.js";
import { cardWords, cardsWords, face, gap, RANKS, SUITS } from "./cards.js";
import { parts } from "./counted.js";
import { el, fill } from "./dom.js";
import { FIELDS, roving } from "./keys.js";
import { recall, remember } from "./settings.js";

const YOU = 0;
const NAMES = ["You", "The computer"];
const PACES = { calm: 1100, quick: 0 };
const TO = { long: 121, short: 61 };
const SEATS = 3; // places 1 and 2

export const PLAYERS = { 1: "You", 2: "The computer" }; // by their sides

export class Game {
  // `port` is the board's data port; `live(words)` says something; `left()` is called when the game is left.
  constructor(node, port, store, rules, live, left) {
    Object.assign(this, { node, port, store, rules, live, left, state: null, log: [], chosen: new Set(), over: "", busy: false, wrong: "" });
    this.keyed = (event) => this.key(event);
  }

  async begin() {
    this.node.hidden = false;
    document.addEventListener("keydown", this.keyed);
    this.say("The cards are coming …");
    this.node.querySelector("h2").focus();
    await this.attempt(async () => {
      this.port.connect(true);
      this.client = new Client(this.port, this.store, { changed: () => {}, event: () => {}, pending: () => {} });
      (await this.client.open()).forEach((one) => this.say(inWords(one)));
      await this.start();
    });
  }

  async start() {
    Object.assign(this, { over: "", log: [], chosen: new Set(), state: null });
    const dealer = await this.firstDealer();
    await this.client.begin(TO[recall("length", "long")] ?? TO.long, SEATS, 2, dealer);
    await this.deal(dealer);
  }

  async firstDealer() {
    for (;;) {
      const cards = shuffled().slice(0, 2);
      const { dealer } = await this.rules.ask("cut", cards.join(" "));
      if (dealer < 0) continue;
      this.say(`You cut the ${cardWords(cards[0])}, the computer the ${cardWords(cards[1])}. The lower card deals: ${dealer === YOU ? "you do" : "the computer does"}.`);
      return dealer;
    }
  }

  async deal(dealer) {
    this.chosen.clear();
    this.shown = [];
    this.take(await this.rules.ask("begin", dealer, shuffled().join(" ")));
    this.say(`${dealer === YOU ? "You deal, and the crib is yours" : "The computer deals, and has the crib"}. Choose two cards for the crib.`);
  }

  take(answer) {
    this.state = answer.state;
    this.shown = this.shown ?? [];
  }

  // Pegs what an act has scored, one score after the other; true when one of them has won.
  async peg(events) {
    for (const one of events) {
      if (!one.points) continue;
      await this.client.command(...one.command);
      if (this.client.state.winner >= 0) return this.won(this.client.state.winner);
    }
    return false;
  }

  won(winner) {
    const [you, them] = sidesOf(this.client.state);
    this.over = winner === YOU ? `You win, ${you.front} to ${them.front}.` : `The computer wins, ${them.front} to ${you.front}.`;
    this.say(this.over);
    return true;
  }

  throw() {
    if (this.chosen.size !== 2) return undefined;
    return this.attempt(async () => {
      const cards = [...this.chosen];
      this.chosen.clear();
      const answer = await this.rules.ask("discard", cards.join(" "));
      this.take(answer);
      this.say(`You throw the ${cards.map(cardWords).join(" and the ")}. The starter is the ${cardWords(answer.state.starter)}.${answer.events.map(({ seat }) => ` Nibs: two for ${seat === YOU ? "you" : "the computer"}.`).join("")}`);
      if (!(await this.peg(answer.events))) await this.computers();
    });
  }

  lay(card) {
    if (!this.state.legal.includes(card)) {
      this.hint(`The ${cardWords(card)} would pass 31; choose another card.`);
      return undefined;
    }
    return this.attempt(async () => {
      if (!(await this.laid(card))) await this.computers();
    });
  }

  // One card, and what it pegs; the go of who cannot play is said with it.
  async laid(card) {
    const answer = await this.rules.ask("play", card);
    const { seat, events } = answer;
    const count = this.state.count + pips(answer.card);
    this.take(answer);
    const passed = answer.state.passed.map((one) => `${NAMES[one]} ${one === YOU ? "say" : "says"} go.`);
    const made = events.map((one) => one.text).join(", and ");
    this.say([`${NAMES[seat]}: ${cardWords(answer.card)}, ${count}${made ? `: ${made}` : ""}.`, ...passed].join(" "));
    this.draw();
    return this.peg(events);
  }

  async computers() {
    while (this.state.phase === "play" && this.state.turn !== YOU) {
      this.draw();
      await later(PACES[recall("pace", "calm")] ?? PACES.calm);
      if (await this.laid("")) return;
    }
    if (this.state.phase === "show") await this.count();
  }

  async count() {
    this.shown = [];
    for (let at = 0; at < 3; at += 1) {
      const answer = await this.rules.ask("show");
      this.take(answer);
      const [one] = answer.events;
      this.shown.push({ ...answer.count, seat: one.seat, kind: one.kind });
      this.say(`${whose(one)} ${one.kind}, ${cardsWords(answer.count.cards)}: ${one.text}.`);
      this.draw();
      if (await this.peg(answer.events)) return;
    }
  }

  next() {
    return this.attempt(async () => {
      const dealer = 1 - this.state.dealer;
      await this.client.command("deal", dealer);
      await this.deal(dealer);
    });
  }

  // An act of the person; what goes wrong is said, and the way on is there.
  async attempt(act) {
    if (this.busy) return;
    this.busy = true;
    this.node.ariaBusy = "true";
    this.wrong = "";
    try {
      await act();
    } catch (error) {
      if (!(error instanceof Gone || error instanceof Refused)) console.error(error);
      this.wrong = `${error.message}. Start a new game; the score on the board stays until then.`;
      this.live(this.wrong);
    }
    this.busy = false;
    this.node.ariaBusy = "false";
    this.draw();
  }

  end() {
    document.removeEventListener("keydown", this.keyed);
    this.port.connect(false);
    this.node.hidden = true;
    this.left();
  }

  say(words) {
    this.log.push(words);
    this.live(this.log.slice(-2).join(" "));
    this.draw();
  }

  hint(words) {
    this.live(words);
  }

  draw() {
    const { state } = this;
    const here = this.node.contains(document.activeElement);
    fill(this.node,
      el("h2", { id: "game-title", tabindex: -1 }, "Play a game"),
      state && this.table(),
      state && this.cards(),
      el("ol", { class: "log", "aria-label": "What happened" }, this.log.slice(-3).map((words) => el("li", {}, words))),
      this.wrong && el("p", { class: "notice" }, this.wrong),
      this.shown?.length ? this.counts() : null,
      this.actions());
    const lost = here && (document.activeElement === document.body || document.activeElement.matches("h2"));
    if (lost) (this.node.querySelector("button.main, .hand button:not([aria-disabled])") ?? this.node.querySelector("h2")).focus({ preventScroll: true });
  }

  table() {
    const { state } = this;
    const backs = state.theirs ? `${state.theirs} ${state.theirs === 1 ? "card" : "cards"} of the computer` : "";
    return el("div", { class: "felt" },
      el("div", {}, el("h3", {}, "Starter"), state.starter ? face(state.starter) : gap("no starter yet")),
      state.phase === "play" && el("div", { class: "grow" }, el("h3", {}, `On the table: ${state.count}`),
        el("div", { class: "laid" }, state.pile.map(([seat, card]) => el("span", { class: "of", "data-colour": seat === YOU ? "orange" : "blue" }, face(card))))),
      el("p", { class: "muted" }, backs));
  }

  cards() {
    const { state } = this;
    if (!state.own.length) return null;
    const throwing = state.phase === "discard";
    const group = el("div", { class: "hand", role: "group", "aria-label": "Your cards" }, state.own.map((card, at) => {
      const off = !throwing && !state.legal.includes(card);
      return el("button", {
        type: "button", class: "slot", "aria-pressed": throwing ? String(this.chosen.has(card)) : null, "aria-disabled": off ? "true" : null, tabindex: at ? -1 : 0,
        "aria-keyshortcuts": String(at + 1), "data-key": `own-${card}`, "data-card": card, onclick: () => this.pick(card),
      }, face(card, { "aria-hidden": "true", role: "presentation", "aria-label": null }), el("span", { class: "hide" }, cardWords(card)), el("kbd", { "aria-hidden": "true" }, String(at + 1)));
    }));
    roving(group, () => state.own.length);
    return el("div", {}, el("h3", {}, throwing ? "Your cards: choose two for the crib" : this.yours ? "Your turn: play a card" : "Your cards"), group);
  }

  get yours() {
    return this.state?.phase === "play" && this.state.turn === YOU && !this.over;
  }

  pick(card) {
    if (this.busy || this.over) return;
    if (this.state.phase === "play") {
      if (this.yours) this.lay(card);
      return;
    }
    if (this.chosen.has(card)) this.chosen.delete(card);
    else if (this.chosen.size < 2) this.chosen.add(card);
    else this.hint("Two cards are chosen; give one back first.");
    this.draw();
    if (this.chosen.size === 2) this.node.querySelector("[data-key=throw]").focus({ preventScroll: true });
  }

  counts() {
    return el("div", { class: "counts" }, this.shown.map((one) => el("div", {},
      el("h3", {}, `${whose(one)} ${one.kind}: ${one.points}`), el("p", { class: "row" }, one.cards.map((card) => face(card)), face(one.starter, { class: "card cut" })), parts(one))));
  }

  actions() {
    const { state } = this;
    const main = (words, key, act) => el("button", { type: "button", class: "main", "data-key": key, onclick: act }, words);
    const choice = (key, chosen, usual, words) => el("label", { class: "choice" }, el("input", {
      type: "checkbox", checked: recall(key, usual) === chosen, "data-key": key, onchange: (event) => remember(key, event.target.checked ? chosen : usual),
    }), words);
    return el("div", { class: "row start" },
      state?.phase === "discard" && el("button", { type: "button", class: "main", "data-key": "throw", "aria-disabled": String(this.chosen.size !== 2), onclick: () => this.throw() }, "Throw to the crib"),
      this.over || this.wrong ? main("New game", "again", () => this.attempt(() => this.start())) : state?.phase === "over" && main("Next deal", "next", () => this.next()),
      el("button", { type: "button", "data-key": "leave", onclick: () => this.end() }, "Leave"),
      choice("pace", "quick", "calm", "The computer plays at once"),
      choice("length", "short", "long", "The next game is short, to 61"));
  }

  // A digit is a card; Enter is the one thing to do next.
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || event.target.closest(FIELDS)) return;
    const card = /^[1-6]$/.test(event.key) && this.state?.own[Number(event.key) - 1];
    if (card) this.pick(card);
    else if (event.key === "Enter" && !event.target.closest("button, a")) this.node.querySelector("button.main")?.click();
    else return;
    event.preventDefault();
  }
}

const whose = ({ seat }) => (seat === YOU ? "Your" : "The computer’s");
const pips = (card) => Math.min(10, RANKS.indexOf(card[0]) + 1);
const later = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

// A fair shuffle, by the browser's own source of chance.
function shuffled() {
  const pack = RANKS.flatMap((rank) => SUITS.map((suit) => rank + suit));
  for (let at = pack.length - 1; at > 0; at -= 1) {
    const other = below(at + 1);
    [pack[at], pack[other]] = [pack[other], pack[at]];
  }
  return pack;
}

function below(most) {
  const [drawn] = crypto.getRandomValues(new Uint32Array(1));
  return drawn < 2 ** 32 - (2 ** 32 % most) ? drawn % most : below(most);
}
