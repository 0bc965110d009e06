// "Play a game": the referee and the computer of `cribboard play`, in a worker; commands over the wire peg the points on the board.

import { able, hush, speak } from "./aloud.js";
import { Client, Gone, inWords, Refused } from "./client.js";
import { cardsWords, cardWords, face, gap, parts } from "./cards.js";
import { $, checkbox, el, fill, find, focused } from "./dom.js";
import { isTyping, roving } from "./keys.js";
import { fly, places } from "./moving.js";
import { recall, remember } from "./settings.js";

/** @import { Rules } from "./rules.js" */

const NOTHING = /** @type {never} */ (null); // before the board is met, and the first cards are dealt
const YOU = 0;
const LINES = 8; // of what happened; where there is little room, only the newest of them
const DEALT = 6; // cards to each
/** @type {Record<string, number>} */
const PACES = { calm: 1100, quick: 0 };
/** @type {Record<string, number>} */
const TO = { long: 121, short: 61 };
const FIRST = { length: "short", level: "club" }; // for who has never chosen
const LEVELS = { learner: "Learner: takes what scores", club: "Club: looks at the reply", expert: "Expert: plays to win" };
const CARDS = /\b[2-9AJQKT][CDHS](?: [2-9AJQKT][CDHS])*\b/g;

/** @returns {string[]} */
const rulesChosen = () => recall("rules", []);

/** @type {Record<number, string>} */
export const PLAYERS = { 1: "You", 2: "The computer" }; // by their sides

export class Game {
  // `port` is the board's data port; `live(words)` speaks to a screen reader; `left()` is called when the game is left.
  /** @param {HTMLElement} node @param {Port} port @param {Notes} store @param {Rules} rules @param {(words: string) => void} live @param {() => void} left */
  constructor(node, port, store, rules, live, left) {
    this.node = node;
    this.port = port;
    this.store = store;
    this.rules = rules;
    this.live = live;
    this.left = left;
    /** @type {GameState} */
    this.state = NOTHING;
    /** @type {string[]} */
    this.log = [];
    /** @type {CountOfGame[]} */
    this.shown = [];
    /** @type {Set<string>} */
    this.chosen = new Set();
    /** @type {string[]} */
    this.given = []; // the cards that were thrown last, from which the crib's own come
    /** @type {Record<string, string>} */
    this.points = {};
    /** @type {RuleAnswers["house"]["rules"] | null} */
    this.offered = null;
    this.refused = "";
    /** @type {Promise<unknown>} */
    this.ruled = Promise.resolve(); // when the referee has answered for the rule that was chosen last
    this.settingsOpen = false;
    this.busy = false;
    this.wrong = "";
    this.asking = false; // whether a new game is to take the place of this one
    this.thrown = false; // the chosen cards go to the crib as soon as the computer has chosen its own
    /** @type {RuleAnswers["judged"] | null} */
    this.judged = null; // the review of the game that is over
    /** @type {{ act: () => unknown, state: GameState } | null} */
    this.tapped = null; // what was tapped while the board was pegging what is on the screen
    /** @type {{ game: number, left: { game: Value, acts: Act[] } } | null} */
    this.before = null; // the game that a new one has ended
    /** @type {Row[]} */
    this.pressed = []; // what the board's own buttons have done, and the referee has not heard of
    /** @type {{ game: Value, acts: Act[] }} */
    this.kept = { game: null, acts: [] };
    /** @type {Client} */
    this.client = NOTHING;
    /** @param {KeyboardEvent} event */
    this.keyed = (event) => this.key(event);
  }

  async begin() {
    this.node.hidden = false;
    document.addEventListener("keydown", this.keyed);
    this.say("The cards are coming …");
    find(this.node, "h2")?.focus();
    await this.attempt(async () => {
      this.port.connect?.(true);
      /** @param {Row} row */
      const event = (row) => {
        if (row[6]) return; // of a command; without a session it is the board's own
        this.pressed.push(row);
        if (!this.busy) this.attempt(() => this.goOn());
      };
      this.client = new Client(this.port, this.store, { changed: () => {}, event, pending: () => {} });
      (await this.client.open()).forEach((one) => this.say(inWords(one)));
      this.offered = (await this.rules.prepare()).rules;
      /** @type {{ game: Value, acts: Act[] } | undefined} */
      const left = await this.store.read("cards");
      if (!(left && (await this.resume(left)))) await this.start();
    });
  }

  // The board's match and the number of its journal, as the referee needs them.
  /** @returns {[string, number]} */
  get standing() {
    return [JSON.stringify(Object.values(this.client.state)), this.client.hello.epoch];
  }

  async start() {
    const running = this.state && this.state.phase !== "won" && this.kept.game;
    const before = running ? { game: this.client.state.game, left: this.kept } : null;
    this.log = [];
    this.shown = [];
    this.state = NOTHING;
    this.clear();
    const to = TO[recall("length", FIRST.length)] ?? TO.long;
    const { game, state } = await this.rules.ask("begin", recall("level", FIRST.level), to, JSON.stringify(rulesChosen()), ...this.standing);
    this.kept = { game, acts: [] };
    this.before = before;
    this.state = state;
    await this.goOn();
    this.rules.ask("warm").catch(() => {}); // while the person looks at the cards
  }

  // The new game goes as if it had never begun, and the one before it goes on.
  async bringBack() {
    const { game, left } = /** @type {NonNullable<typeof this.before>} */ (this.before);
    this.before = null;
    this.log = [];
    this.clear();
    while (this.client.state.game !== game) await this.client.walk("undo");
    await this.store.write("cards", left);
    if (!(await this.resume(left))) throw new Error("the game before cannot go on");
  }

  // The game that a closed tab has left; false when there is nothing left of it.
  /** @param {{ game: Value, acts: Act[] }} left */
  async resume(left) {
    const resumed = await this.rules.ask("resume", JSON.stringify(left.game), JSON.stringify(left.acts), ...this.standing).catch(() => null);
    if (!resumed || resumed.over) return false;
    const { acts, state } = resumed;
    this.kept = left;
    this.state = state;
    this.shown = [];
    await this.keep(acts);
    await this.peg();
    this.say("The game goes on where you left it.");
    await this.goOn();
    return true;
  }

  /** @param {Act[]} acts */
  async keep(acts) {
    if (!acts.length) return;
    this.kept.acts.push(...acts);
    await this.store.write("cards", this.kept);
  }

  clear() {
    this.judged = null;
    this.chosen.clear();
    this.points = {};
    this.thrown = false;
    this.asking = false;
  }

  // Saves what is done before the board is asked to peg it. Returns false when there was nothing to do.
  /** @param {"due" | "act" | "undo" | "go_on"} order @param {Value[]} args */
  async act(order, ...args) {
    await this.hear();
    const cutting = this.state.phase === "cut";
    const { acts, said, counts, state } = await this.rules.ask(order, ...args);
    this.state = state;
    if (!acts.length) return false;
    await this.keep(acts);
    this.shown = ["deal", "undo"].includes(String(acts[0][0])) ? [] : [...this.shown, ...counts];
    if (said.length) this.say(spoken(said.join(" ")));
    if (!cutting || this.pressed.length) await this.peg(); // the cards come before the board shows who deals them
    return true;
  }

  // What was pressed on the board belongs to the game, and can be taken back like all else in it.
  async hear() {
    if (!this.pressed.length || !this.kept.game) return;
    const rows = this.pressed.splice(0).map((row) => row.slice(0, 6));
    await this.client.inTurn(() => this.client.learn());
    const { acts, state } = await this.rules.ask("pressed", JSON.stringify(rows), ...this.standing);
    this.state = state;
    await this.keep(acts);
  }

  // Has the board do what it still lacks, one command after the other.
  async peg() {
    for (;;) {
      const { command } = await this.rules.ask("lacking", this.client.state.rev);
      if (!command) return;
      const [op, ...args] = command;
      await (op === "new" ? this.client.begin(.../** @type {[number, number, number, number]} */ (args.slice(0, 4))) : this.client.command(op, ...args));
    }
  }

  // What the program does by itself, until it is the person's turn.
  /** @returns {Promise<void>} */
  async goOn() {
    for (;;) {
      await this.hear();
      const { phase, program, do: asked } = this.state;
      this.draw();
      if (asked === "won") return this.say(this.over);
      if (asked === "count" && !program) return this.say(this.asked);
      if (!program) return undefined;
      if (phase === "play") await later(PACES[recall("pace", "calm")] ?? PACES.calm);
      if (!(await this.act("due"))) return undefined;
    }
  }

  // Both throw at the same time: whoever is first waits for the other.
  throw() {
    if (this.chosen.size !== 2) return undefined;
    this.thrown = this.busy;
    if (this.busy) return this.draw();
    this.given = [...this.chosen];
    return this.do("discard", this.given.join(" "));
  }

  /** @param {string} card */
  lay(card) {
    if (!this.state.legal.includes(card)) {
      this.hint(`The ${cardWords(card)} would pass 31; choose another card.`);
      return undefined;
    }
    if (!this.byHand) return this.do("play", card);
    this.chosen = new Set([card]);
    return undefined;
  }

  /** @param {Value[]} act */
  do(...act) {
    return this.attempt(async () => {
      this.clear();
      this.before = null;
      await this.act("act", ...act);
      await this.goOn();
    });
  }

  next() {
    return this.attempt(async () => {
      if (this.state.do === "go on") await this.act("go_on");
      else await this.act("due");
      await this.goOn();
    });
  }

  takeBack() {
    return this.attempt(async () => {
      this.clear();
      await this.act("undo");
      if (this.state.do !== "go on") await this.goOn();
    });
  }

  advise() {
    return this.attempt(async () => this.say(spoken((await this.rules.ask("hint")).text)));
  }

  // What the choices of the game have cost, one after the other.
  review() {
    return this.attempt(async () => {
      do {
        const begins = !this.judged;
        this.judged = await this.rules.ask("judged");
        this.draw();
        if (begins) find(this.node, ".review h3")?.focus();
      } while (!this.judged.worst && this.over);
      this.live(this.verdict);
    });
  }

  get verdict() {
    const { best, choices, cost, done, of } = this.judged ?? {};
    if (cost === undefined) return `Looking at your choices: ${done} of ${of} steps …`;
    return `${best} of your ${choices} choices were as good as any; the others cost ${cost} of the chance to win.`;
  }

  reviewed() {
    const worst = this.judged?.worst ?? [];
    return el("div", { class: "review" },
      el("h3", { tabindex: -1, "data-key": "verdict" }, this.verdict),
      worst.length ? el("ol", {}, worst.map((one) => el("li", {},
        el("p", {}, `Deal ${one.deal}: you ${one.crib ? "threw" : "played"} `, one.chose.map((card) => face(card)), " better: ", one.better.map((card) => face(card)), `which wins ${one.cost} more often`),
        el("p", { class: "muted" }, `${one.reason.replaceAll("'", "’")}.`)))) : null);
  }

  get byHand() {
    const { counting, playroom } = this.state.options;
    return counting === "manual" || playroom;
  }

  get asked() {
    const [, kind, cards] = this.state.counting ?? [0, "hand", []];
    return `How much is your ${kind}: ${cardsWords(cards)}, with the ${cardWords(this.state.starter ?? "")}?`;
  }

  get over() {
    const { phase, scores } = this.state ?? {};
    if (phase !== "won") return "";
    return scores[0] > scores[1] ? `You win, ${scores[0]} to ${scores[1]}.` : `The computer wins, ${scores[1]} to ${scores[0]}.`;
  }

  // An act of the person; what goes wrong is said, and the way on is there. What is tapped before the board has pegged all
  // that is on the screen is done then, unless the screen has changed.
  /** @param {() => Promise<unknown>} act */
  async attempt(act) {
    if (this.busy) {
      this.tapped = { act: () => this.attempt(act), state: this.state };
      return;
    }
    this.busy = true;
    hush();
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
    const { tapped } = this;
    this.tapped = null;
    if (this.wrong) return;
    if (this.pressed.length && this.kept.game) this.attempt(() => this.goOn());
    else if (this.thrown && this.state.phase === "discard") this.throw();
    else if (tapped?.state === this.state) tapped.act();
  }

  end() {
    hush();
    document.removeEventListener("keydown", this.keyed);
    this.port.connect?.(false);
    this.node.hidden = true;
    this.left();
  }

  /** @param {string} words */
  say(words) {
    this.log.push(words);
    this.live(this.log.slice(-2).join(" "));
    speak(words);
    this.draw();
  }

  /** @param {string} words */
  hint(words) {
    this.live(words);
    speak(words);
  }

  draw() {
    const { state } = this;
    const here = this.node.contains(focused());
    const before = places(this.node);
    fill(this.node,
      el("div", { class: "tabletop" },
        el("h2", { id: "game-title", tabindex: -1 }, "Play a game", state && ` to ${state.target}`),
        state && this.table(),
        state && this.cards(),
        state && this.claims(),
        this.wrong && el("p", { class: "notice" }, this.wrong),
        this.actions(),
        this.judged && this.reviewed(),
        this.shown.length ? this.counts() : null),
      el("div", { class: "beside" },
        el("ol", { class: "log", "aria-label": "What happened" }, this.log.slice(-LINES).map((words) => el("li", {}, words))),
        this.offered && this.settings()));
    fly(this.node, before);
    const lost = here && (focused() === document.body || focused().matches("h2"));
    if (lost) (find(this.node, "button.main, .hand button:not([aria-disabled])") ?? find(this.node, "h2"))?.focus({ preventScroll: true });
  }

  table() {
    const { state } = this;
    const thinks = this.busy && state.program && ["discard", "play"].includes(state.phase);
    const crib = this.crib(true);
    /** @param {number} at */
    const back = (at) => el("span", { class: "card back", "data-at": `back-${at}` });
    return el("div", { class: "felt" },
      state.theirs || crib ? el("div", { class: "theirs" }, el("h3", {}, thinks ? "The computer is thinking …" : "The computer’s cards"),
        el("div", { class: "row" }, state.theirs ? el("p", { class: "backs", role: "img", "aria-label": `${state.theirs} face down` }, Array.from({ length: state.theirs }, (_, at) => back(at))) : null, crib)) : null,
      el("div", {}, el("h3", {}, "Starter"), state.starter ? face(state.starter, { "data-at": state.starter, "data-turn": "" }) : gap("no starter yet")),
      state.phase === "play" && el("div", { class: "grow" }, el("h3", {}, state.turned && state.pile.length ? "Turned over: the count is 0 again" : `On the table: ${state.count}`),
        el("div", { class: "laid" }, state.pile.map(([seat, card]) => el("span", { class: "of", "data-colour": seat === YOU ? "orange" : "blue" },
          face(card, { "data-at": card, "data-from": seat === YOU ? null : `back-${state.theirs}` }))))));
  }

  // The crib, face down on the dealer's side: what each has thrown lies there at once.
  /** @param {boolean} theirs whether it is drawn on the computer's side */
  crib(theirs) {
    const { phase, dealer, own, theirs: left = 0 } = this.state;
    if (!own || !["discard", "play", "show", "claim", "starter"].includes(phase) || (dealer !== YOU) !== theirs) return null;
    const thrown = [
      ...(phase === "discard" && left === DEALT ? [] : [DEALT - 1, DEALT - 2].map((at) => `back-${at}`)),
      ...(phase === "discard" && own.length === DEALT ? [] : this.given.length ? this.given : ["", ""]),
    ];
    if (!thrown.length) return null;
    return el("div", { class: "crib" }, el("span", {}, "Crib"),
      el("p", { class: "pile", role: "img", "aria-label": `${thrown.length} cards face down` }, thrown.map((from, at) => el("span", { class: "card back", "data-at": `crib-${from || at}`, "data-from": from }))));
  }

  cards() {
    const { state } = this;
    const pile = this.crib(false);
    if (!state.own.length && !pile) return null;
    const throwing = state.phase === "discard";
    const choosing = throwing || (this.yours && this.byHand);
    const group = el("div", { class: "hand", role: "group", "aria-label": "Your cards" }, state.own.map((card, at) => {
      const off = !throwing && !state.legal.includes(card);
      return el("button", {
        type: "button", class: "slot", "aria-pressed": choosing ? String(this.chosen.has(card)) : null, "aria-disabled": off ? "true" : null, tabindex: at ? -1 : 0,
        "aria-keyshortcuts": String(at + 1), "data-key": `own-${card}`, "data-card": card, onclick: (event) => this.pick(card, !event.detail),
      }, face(card, { "aria-hidden": "true", role: "presentation", "aria-label": null, "data-at": card }), el("span", { class: "hide" }, cardWords(card)), el("kbd", { "aria-hidden": "true" }, String(at + 1)));
    }));
    roving(group, () => state.own.length);
    const crib = state.dealer === YOU ? "your crib" : "the computer’s crib";
    const asked = throwing ? `Choose two for ${crib}` : this.yours ? "Your turn: play a card" : "Your cards";
    return el("div", { class: "yours" }, el("div", { class: "over" }, el("h3", {}, state.own.length ? asked : "Your crib"), pile), state.own.length ? group : null);
  }

  // What the person says for points: those of a card, of a hand or crib, and those that the computer has missed.
  /** @returns {Child} */
  claims() {
    const { state } = this;
    if (this.over || this.wrong) return null;
    const [card] = this.chosen;
    const counting = state.do === "count" && !state.program && state.counting;
    return [
      this.yours && this.byHand && this.form("makes", "Points that the card makes", "Play it", "0", (points) => card && this.do("play", card, ...(this.points.makes ? [points] : [])), !card), // the 0 that stands there is no claim
      counting && el("div", { class: "counting" }, el("h3", {}, `Your ${counting[1]}: how much is it?`), el("p", { class: "row" }, counting[2].map((one) => face(one)), state.starter && face(state.starter, { class: "card cut" }))),
      counting && this.form("claim", "Points", "Claim", "", (points) => this.do("claim", points)),
      state.muggins && this.form("muggins", "Points that the computer missed", "Call muggins", "", (points) => this.do("muggins", points)),
    ];
  }

  /** @param {"makes" | "claim" | "muggins"} key @param {string} label @param {string} words @param {string} usual @param {(points: number) => unknown} done */
  form(key, label, words, usual, done, off = false) {
    const most = { makes: 31, claim: 29, muggins: 29 }[key];
    /** @param {SubmitEvent} event */
    const sent = (event) => {
      event.preventDefault();
      if (off || this.busy) return;
      find(this.node, "h2")?.focus(); // digits choose cards again
      done(Number(this.points[key] ?? usual));
    };
    const points = el("input", {
      type: "number", inputmode: "numeric", min: key === "muggins" ? 1 : 0, max: most, required: true, "data-key": key, value: this.points[key] ?? usual,
    });
    points.addEventListener("input", () => (this.points[key] = points.value));
    return el("form", { class: "row start claim", onsubmit: sent },
      el("label", { class: "field" }, el("span", {}, label), points),
      el("button", { type: "submit", class: key === "muggins" ? "" : "main", "data-key": `${key}-done`, "aria-disabled": off ? "true" : null }, words));
  }

  get yours() {
    return this.state?.do === "play";
  }

  /** @param {string} card @param {boolean} byKey */
  pick(card, byKey) {
    if (this.over) return;
    if (this.state.phase === "play") {
      if (!this.yours) return;
      if (this.busy) {
        this.tapped = { act: () => this.pick(card, byKey), state: this.state };
        return;
      }
      this.lay(card);
      if (!this.byHand) return;
      this.draw();
      const makes = find(this.node, "[data-key=makes]");
      if (byKey && this.chosen.has(card) && makes instanceof HTMLInputElement) makes.select();
      return;
    }
    if (this.state.phase !== "discard") return;
    this.thrown = false;
    if (this.chosen.has(card)) this.chosen.delete(card);
    else if (this.chosen.size < 2) this.chosen.add(card);
    else this.hint("Two cards are chosen; give one back first.");
    this.draw();
    if (this.chosen.size === 2) find(this.node, "[data-key=throw]")?.focus({ preventScroll: true });
  }

  counts() {
    return el("div", { class: "counts" }, this.shown.map((one) => el("div", {},
      el("h3", {}, `${one.seat === YOU ? "Your" : "The computer’s"} ${one.crib ? "crib" : "hand"}${one.parts ? `: ${one.points}` : ""}`), el("p", { class: "row" }, one.cards.map((card) => face(card)), face(one.starter, { class: "card cut" })), one.parts && parts({ parts: one.parts }))));
  }

  /** @returns {Child[]} */
  actions() {
    const { state } = this;
    /** @param {string} words @param {string} key @param {() => unknown} act */
    const main = (words, key, act) => el("button", { type: "button", class: "main", "data-key": key, onclick: act }, words);
    const again = () => this.attempt(() => this.start());
    /** @param {boolean} yes */
    const ask = (yes) => {
      this.asking = yes;
      this.draw();
      find(this.node, yes ? "button.main" : "[data-key=new-game]")?.focus();
    };
    if (this.asking) {
      return [el("div", { class: "row start ask", role: "group", "aria-label": "New game" },
        el("p", {}, "Start a new game? This one is not over."),
        main("Start a new game", "again", again),
        el("button", { type: "button", "data-key": "stay", onclick: () => ask(false) }, "Go on with this one"))];
    }
    return [el("div", { class: "row start" },
      state?.phase === "discard" && el("button", { type: "button", class: "main", "data-key": "throw", "aria-disabled": String(this.chosen.size !== 2), "aria-pressed": this.thrown ? "true" : null, onclick: () => this.throw() }, this.thrown ? "Thrown: the computer is still choosing" : "Throw to the crib"),
      this.over || this.wrong ? main("New game", "again", again) : state?.do === "go on" ? main("Go on", "next", () => this.next()) : state?.phase === "deal" && main("Next deal", "next", () => this.next()),
      this.over && !this.judged && !this.wrong && el("button", { type: "button", "data-key": "review", onclick: () => this.review() }, "Review my choices"),
      ["discard", "play", "claim"].includes(state?.phase) && !state.program && !this.wrong && el("button", { type: "button", "data-key": "hint", onclick: () => this.advise() }, "Hint"),
      state?.back && !this.wrong && el("button", { type: "button", "data-key": "back", "aria-keyshortcuts": "Backspace", onclick: () => this.takeBack() }, "Take back ", el("kbd", { "aria-hidden": "true" }, "⌫")),
      this.before && !this.busy && !this.wrong && el("button", { type: "button", "data-key": "bring-back", onclick: () => this.attempt(() => this.bringBack()) }, "Take back the new game"),
      state && !this.over && !this.wrong && el("button", { type: "button", "data-key": "new-game", onclick: () => ask(true) }, "New game"),
      el("button", { type: "button", "data-key": "leave", onclick: () => this.end() }, "Leave"))];
  }

  // What one chooses once: how the game is played and said now, and all of the next one.
  settings() {
    const chosen = rulesChosen();
    /** @param {string} key @param {string} yes @param {string} no @param {string} words */
    const choice = (key, yes, no, words, first = no) => el("label", { class: "choice" }, checkbox({ checked: recall(key, first) === yes, "data-key": key }, (on) => remember(key, on ? yes : no)), words);
    /** @type {HTMLSelectElement} */
    const level = el("select", { "data-key": "level", onchange: () => remember("level", level.value) },
      Object.entries(LEVELS).map(([name, words]) => el("option", { value: name, selected: name === recall("level", FIRST.level) }, words)));
    /** @type {HTMLDetailsElement} */
    const all = el("details", { class: "settings", open: this.settingsOpen, ontoggle: () => (this.settingsOpen = all.open) },
      el("summary", { "data-key": "settings" }, "Settings"),
      el("div", { class: "choices" },
        choice("pace", "quick", "calm", "The computer plays at once"),
        el("label", { class: "choice" }, checkbox({ checked: $("sound").checked, "data-key": "sound" }, () => $("sound").click()), "Sound"),
        able && el("label", { class: "choice" }, checkbox({ checked: recall("speak", false), "data-key": "speak" }, (on) => this.aloud(on)), "Speak what happens")),
      el("h3", {}, "From the next game on"),
      el("div", { class: "choices" },
        el("label", { class: "field" }, el("span", {}, "The computer"), level),
        choice("length", "short", "long", "A short game, to 61", FIRST.length),
        (this.offered ?? []).map(({ word, text }) => el("label", { class: "choice" },
          checkbox({ checked: chosen.includes(word), "data-key": word }, (on) => (this.ruled = this.ruled.then(() => this.rule(word, on)))), text))),
      this.refused && el("p", { class: "notice" }, this.refused));
    return all;
  }

  /** @param {boolean} on */
  aloud(on) {
    hush();
    remember("speak", on);
    speak(this.log.at(-1) ?? "");
  }

  // A rule is taken if the referee takes it together with the others, of which one may have been chosen just before.
  /** @param {string} word @param {boolean} on */
  async rule(word, on) {
    const chosen = rulesChosen().filter((one) => one !== word).concat(on ? [word] : []);
    this.refused = "";
    try {
      await this.rules.ask("house", JSON.stringify(chosen));
      remember("rules", chosen);
    } catch (error) {
      this.refused = `${error.message[0].toUpperCase()}${error.message.slice(1)}.`;
      this.live(this.refused);
    }
    this.draw();
  }

  // A digit is a card; Enter is the one thing to do next.
  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || isTyping(event)) return;
    const card = /^[1-6]$/.test(event.key) && this.state?.own[Number(event.key) - 1];
    if (card) this.pick(card, true);
    else if (event.key === "Backspace") find(this.node, "[data-key=back]")?.click();
    else if (event.key === "Enter" && !focused().closest("button, a, summary")) find(this.node, "button.main")?.click();
    else return;
    event.preventDefault();
  }
}

/** @param {number} ms @returns {Promise<void>} */
const later = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

// The referee's words with `the five of hearts` for 5H.
/** @param {string} words */
const spoken = (words) => words.replaceAll("'", "’").replace(CARDS, (match) => (match.includes(" ") ? cardsWords(match.split(" ")) : `the ${cardWords(match)}`));
