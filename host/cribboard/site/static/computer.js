// "Play a game": the referee and the computer of `cribboard play`, in a worker; the board is told by the wire what to peg.

import { Client, Gone, inWords, Refused } from "./client.js";
import { cardWords, cardsWords, face, gap } from "./cards.js";
import { parts } from "./counted.js";
import { el, fill } from "./dom.js";
import { FIELDS, roving } from "./keys.js";
import { recall, remember } from "./settings.js";

const YOU = 0;
const PACES = { calm: 1100, quick: 0 };
const TO = { long: 121, short: 61 };
const LEVELS = { learner: "Learner: takes what scores", club: "Club: looks at the reply", expert: "Expert: plays to win" };
const CARDS = /\b[2-9AJQKT][CDHS](?: [2-9AJQKT][CDHS])*\b/g;

export const PLAYERS = { 1: "You", 2: "The computer" }; // by their sides

export class Game {
  // `port` is the board's data port; `live(words)` says something; `left()` is called when the game is left.
  constructor(node, port, store, rules, live, left) {
    Object.assign(this, { node, port, store, rules, live, left, state: null, log: [], shown: [], chosen: new Set(), busy: false, wrong: "", touched: false });
    this.keyed = (event) => this.key(event);
  }

  async begin() {
    this.node.hidden = false;
    document.addEventListener("keydown", this.keyed);
    this.say("The cards are coming …");
    this.node.querySelector("h2").focus();
    await this.attempt(async () => {
      this.port.connect(true);
      const event = (row) => (this.touched ||= !row[6]); // without a session it is the board's own
      this.client = new Client(this.port, this.store, { changed: () => {}, event, pending: () => {} });
      (await this.client.open()).forEach((one) => this.say(inWords(one)));
      const left = await this.store.read("cards");
      if (!(left && (await this.resume(left)))) await this.start();
    });
  }

  // How the board stands, as the referee takes it.
  get standing() {
    return [JSON.stringify(Object.values(this.client.state)), this.client.hello.epoch];
  }

  async start() {
    Object.assign(this, { log: [], shown: [], state: null });
    this.chosen.clear();
    const { game, state } = await this.rules.ask("begin", recall("level", "expert"), TO[recall("length", "long")] ?? TO.long, ...this.standing);
    Object.assign(this, { kept: { game, acts: [] }, state });
    await this.goOn();
    this.rules.ask("warm").catch(() => {}); // while the person looks at the cards
  }

  // The game that a closed tab has left; false when there is nothing left of it.
  async resume(left) {
    const { over, act, state } = await this.rules.ask("resume", JSON.stringify(left.game), JSON.stringify(left.acts), ...this.standing).catch(() => ({ over: true }));
    if (over) return false;
    Object.assign(this, { kept: left, state, shown: [] });
    if (act) await this.keep(act);
    await this.peg();
    this.say("The game goes on where you left it.");
    await this.goOn();
    return true;
  }

  async keep(act) {
    this.kept.acts.push(act);
    await this.store.write("cards", this.kept);
  }

  // Saves an act, then sends it to the board. Returns false when the order leads to no act.
  async act(order, ...args) {
    if (this.touched) {
      this.touched = false;
      await this.client.inTurn(() => this.client.learn());
      await this.keep((await this.rules.ask("rebase", ...this.standing)).act);
    }
    const { act, said, counts, state } = await this.rules.ask(order, ...args);
    if (!act) return false;
    await this.keep(act);
    this.state = state;
    this.shown = act[0] === "deal" ? [] : [...this.shown, ...counts];
    if (said.length) this.say(spoken(said.join(" ")));
    await this.peg();
    return true;
  }

  // Has the board do what it still lacks, one command after the other.
  async peg() {
    for (;;) {
      const { command } = await this.rules.ask("lacking", this.client.state.rev);
      if (!command) return;
      const [op, ...args] = command;
      await (op === "new" ? this.client.begin(...args.slice(0, 4)) : this.client.command(op, ...args));
    }
  }

  // What the program does by itself, until it is the person's turn.
  async goOn() {
    for (;;) {
      const { phase, turn, deal } = this.state;
      this.draw();
      if (phase === "won") return this.say(this.over);
      if ((phase === "deal" && deal) || (turn === YOU && ["discard", "play"].includes(phase))) return undefined;
      if (phase === "play") await later(PACES[recall("pace", "calm")] ?? PACES.calm);
      if (!(await this.act("due"))) return undefined;
    }
  }

  throw() {
    if (this.chosen.size !== 2) return undefined;
    const cards = [...this.chosen];
    return this.attempt(async () => {
      this.chosen.clear();
      await this.act("act", "discard", cards.join(" "));
      await this.goOn();
    });
  }

  lay(card) {
    if (!this.state.legal.includes(card)) {
      this.hint(`The ${cardWords(card)} would pass 31; choose another card.`);
      return undefined;
    }
    return this.attempt(async () => {
      await this.act("act", "play", card);
      await this.goOn();
    });
  }

  next() {
    return this.attempt(async () => {
      await this.act("due");
      await this.goOn();
    });
  }

  get over() {
    const { phase, scores } = this.state ?? {};
    if (phase !== "won") return "";
    return scores[0] > scores[1] ? `You win, ${scores[0]} to ${scores[1]}.` : `The computer wins, ${scores[1]} to ${scores[0]}.`;
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
      this.shown.length ? this.counts() : null,
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
    return this.state?.phase === "play" && this.state.turn === YOU;
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
      el("h3", {}, `${one.seat === YOU ? "Your" : "The computer’s"} ${one.crib ? "crib" : "hand"}: ${one.points}`), el("p", { class: "row" }, one.cards.map((card) => face(card)), face(one.starter, { class: "card cut" })), parts(one))));
  }

  actions() {
    const { state } = this;
    const main = (words, key, act) => el("button", { type: "button", class: "main", "data-key": key, onclick: act }, words);
    const again = () => this.attempt(() => this.start());
    const choice = (key, chosen, usual, words) => el("label", { class: "choice" }, el("input", {
      type: "checkbox", checked: recall(key, usual) === chosen, "data-key": key, onchange: (event) => remember(key, event.target.checked ? chosen : usual),
    }), words);
    const level = el("select", { "data-key": "level", onchange: (event) => remember("level", event.target.value) },
      Object.entries(LEVELS).map(([name, words]) => el("option", { value: name, selected: name === recall("level", "expert") }, words)));
    return [el("div", { class: "row start" },
      state?.phase === "discard" && el("button", { type: "button", class: "main", "data-key": "throw", "aria-disabled": String(this.chosen.size !== 2), onclick: () => this.throw() }, "Throw to the crib"),
      this.over || this.wrong ? main("New game", "again", again) : state?.phase === "deal" && main("Next deal", "next", () => this.next()),
      state && !this.over && !this.wrong && el("button", { type: "button", "data-key": "anew", onclick: again }, "New game"),
      el("button", { type: "button", "data-key": "leave", onclick: () => this.end() }, "Leave"),
      choice("pace", "quick", "calm", "The computer plays at once")),
    el("div", { class: "row start choices" },
      el("label", { class: "field" }, el("span", {}, "The computer, from the next game on"), level),
      choice("length", "short", "long", "The next game is short, to 61"))];
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

const later = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

// The referee's words with `the five of hearts` for 5H.
const spoken = (words) => words.replaceAll("'", "’").replace(CARDS, (found) => (found.includes(" ") ? cardsWords(found.split(" ")) : `the ${cardWords(found)}`));
