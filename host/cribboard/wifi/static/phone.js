// The board's own page: keeps score with the board and nothing else. The board counts hands, too.

import { cardWords, RANKS, shortRank, SIGNS, SUITS } from "./cards.js";
import { Client, Gone, inWords, Refused, sidesOf } from "./client.js";
import { disable, el, fill, isDisabled, keeping, refill, text } from "./dom.js";
import { Kept } from "./kept.js";
import { figure, handSize, nameOf } from "./sides.js";
import { NoPlace, WifiPort } from "./wifi.js";

/** @typedef {ReturnType<typeof sidesOf>[number]} Side */

const AGAIN_MS = [500, 1000, 2000, 4000];
const JOIN_MS = 2000; // between two looks whether the set-up is open
const WAIT_S = 120; // that points wait on the board
const OWNER = 1 + Math.floor(Math.random() * 250);
const DOOR = {
  join: ["Join this board", "Hold DEAL on the board for three seconds. While its set-up is open, this phone joins.", ""],
  full: ["Two phones keep score here already", "Two phones keep score here already: hold DEAL on the board for three seconds, then take the place of one.", "Take a place"],
  elsewhere: ["Not here any more", "This page is open in another tab, or another phone has taken the place.", "Keep score here"],
  gone: ["Looking for the board …", "Is it switched on, and this phone in its network? The page goes on by itself.", ""],
};
const AWAY = "The board does not answer. What was on its way is kept, and goes on by itself.";
// What else can be pegged: the command, what a form asks for, and what the number is.
const OTHERS = [
  ["muggins", "Muggins: points that another missed", "Points"], ["penalty", "Penalty: the others peg the points", "Points"],
  ["back", "Penalty: that side goes back", "Points"], ["set", "Correct a score", "True score"],
];
const GAMES = [["Two", 0b11, 2], ["Three", 0b111, 3], ["Four, each alone", 0b1111, 4], ["Four, in two pairs", 0b1111, 2], ["Six, in three pairs", 0b111111, 3], ["Six, in two teams", 0b111111, 2]];

/** @param {string} id */
const at = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
/** @param {string} id */
const chosen = (id) => /** @type {HTMLSelectElement} */ (at(id)).value;
const openTab = () => /** @type {HTMLElement | null} */ (document.querySelector("[role=tab][aria-selected=true]"));
const crib = /** @type {HTMLInputElement} */ (at("crib"));
const aloud = /** @type {HTMLInputElement} */ (at("aloud"));
const number = /** @type {HTMLInputElement} */ (at("number"));

// What this browser keeps by itself, or for this visit only.
/** @param {string} name @param {string} [value] */
function kept(name, value) {
  try {
    if (value !== undefined) localStorage.setItem(name, value);
    return localStorage.getItem(name) ?? "";
  } catch {
    return value ?? "";
  }
}

class Page {
  constructor() {
    /** @type {Client | null} */
    this.client = null;
    this.me = kept("cribboard phone") || kept("cribboard phone", [...crypto.getRandomValues(new Uint8Array(6))].map((byte) => byte.toString(16).padStart(2, "0")).join(""));
    this.token = kept("cribboard token");
    this.tries = 0;
    this.timer = 0;
    this.chosen = 0;
    this.points = 0;
    /** @type {string[]} */
    this.cards = [];
    /** @type {number | null} */
    this.counted = null; // of the cards, once the board has counted them
    this.asked = 0;
    /** @type {Kept | null} */
    this.store = null;
    /** @type {Record<number, number>} */
    this.waiting = {};
    this.giving = false; // a command is on its way
    /** @type {Promise<unknown>} */
    this.before = Promise.resolve(); // what the last command came to
    this.offered = false; // a next game like this one
    this.sure = -1; // the rev at which a new game was asked for
    /** @type {string[]} */
    this.news = []; // what happened, to be said with the scores
    /** @type {Answers["last"]} */
    this.steps = [[], []]; // what undo and redo would take
    /** @type {Record<number, string>} */
    this.names = JSON.parse(kept("cribboard names") || "{}");
    this.build();
    this.connect();
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.timer && this.again(0));
  }

  async connect(take = false) {
    clearTimeout(this.timer);
    this.timer = 0;
    const port = new WifiPort((word) => this.lost(word));
    try {
      const [token, ...names] = await port.open(this.me, this.token, take);
      this.token = token;
      kept("cribboard token", token);
      this.addresses(names);
      await this.meet(port);
    } catch (error) {
      if (error instanceof NoPlace) return; // `lost` has said it
      port.end();
      if (!(error instanceof Gone) && !this.timer) this.complain(`${error.message}.`);
    }
  }

  /** @param {WifiPort} port */
  async meet(port) {
    this.store ??= await Kept.open("phone");
    await this.before; // what was on its way there is kept once it has ended: only then it is read
    const client = new Client(port, this.store, {
      changed: () => {
        this.show();
        this.look();
      },
      event: (row) => this.happened(row),
      pending: (side, points) => {
        this.waiting[side + 1] = points;
        this.show();
      },
      silent: (yes) => port.over || this.linked(yes ? "Waiting for the board …" : "Connected", yes),
      gone: () => port.end(),
    });
    this.news = [];
    const opening = client.open();
    this.before = opening.catch(() => {});
    const said = await opening;
    this.client = client;
    this.tries = 0;
    this.linked("Connected", false);
    this.complain("");
    keeping(() => {
      at("door").hidden = true;
      at("desk").hidden = at("sides").hidden = false;
    }, openTab);
    this.show();
    this.offer(client.state);
    this.say(said.map(inWords).join(" ") || this.scores());
  }

  // The next game is like the one that is on, until somebody chooses another.
  /** @param {Standing} state */
  offer({ seats, sides, target }) {
    const like = GAMES.findIndex((game) => game[1] === seats && game[2] === sides);
    if (this.offered || like < 0) return;
    this.offered = true;
    /** @type {HTMLSelectElement} */ (at("who")).value = String(like);
    /** @type {HTMLSelectElement} */ (at("target")).value = String(target);
  }

  /** @param {string} word */
  lost(word) {
    this.client = null;
    this.waiting = {};
    const known = /** @type {keyof typeof DOOR} */ (word in DOOR ? word : "gone");
    const [heading, words, button] = DOOR[known];
    const played = known === "gone" && !at("sides").hidden;
    this.linked(known === "gone" ? "Not connected" : "", known === "gone");
    this.complain(played ? AWAY : "");
    text(at("door-title"), heading);
    text(at("door-words"), words);
    at("enter").hidden = !button;
    text(at("enter"), button);
    keeping(() => {
      at("door").hidden = played;
      at("desk").hidden = at("sides").hidden = !played;
    }, () => at("enter"));
    at("enter").onclick = () => this.connect(known === "full");
    if (!button) this.again(known === "join" ? JOIN_MS : AGAIN_MS[Math.min(this.tries++, AGAIN_MS.length - 1)]);
    this.ready();
  }

  /** @param {number} ms */
  again(ms) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.connect(), ms);
  }

  /** @param {string} words @param {boolean} bad */
  linked(words, bad) {
    text(at("link"), words);
    at("link").toggleAttribute("data-bad", bad);
  }

  /** @param {string} words */
  complain(words) {
    text(at("alert"), words);
    at("alert").hidden = !words;
  }

  // What to do when one of the board's addresses does not open.
  /** @param {string[]} names */
  addresses([name, number]) {
    text(at("address"), `This board is http://${name}. Where that does not open (some Android phones do not know such names), type http://${number}: the number can change when the network restarts, and this phone then joins again.`);
  }

  // What the board is asked to do: one thing after the other, and refusals are said.
  /** @param {(client: Client) => Promise<unknown>} act */
  async give(act) {
    const { client } = this;
    if (!client || this.giving) return;
    this.giving = true;
    this.complain("");
    this.ready();
    const done = act(client);
    this.before = done.catch(() => {});
    try {
      await done;
    } catch (error) {
      if (error instanceof Refused) this.complain(`${error.message.charAt(0).toUpperCase()}${error.message.slice(1)}.`);
      else if (!this.client) this.complain(AWAY);
    }
    this.giving = false;
    this.show();
  }

  get sides() {
    return this.client?.state ? sidesOf(this.client.state, this.names) : [];
  }

  get side() {
    const { sides } = this;
    return sides.find((side) => side.side === this.chosen) ?? sides[0];
  }

  scores() {
    return `${this.sides.map((side) => `${nameOf(side)} ${side.front}`).join(", ")}.`;
  }

  /** @param {number} number counted from 0 */
  name(number) {
    return nameOf(this.sides.find((side) => side.places.includes(number + 1)) ?? { colour: "somebody" });
  }

  // A line of news, for the eye, a screen reader and, if that is wanted, the ear.
  /** @param {string} words */
  say(words) {
    text(at("said"), words);
    if (!aloud.checked) return;
    speechSynthesis.cancel(); // the newest replaces what has not been said
    const spoken = new SpeechSynthesisUtterance(words);
    spoken.lang = document.documentElement.lang;
    speechSynthesis.speak(spoken);
  }

  // What an event is, in words.
  /** @param {Row} row */
  words([, kind, side, points, more]) {
    const name = this.name(side);
    /** @type {Record<string, string>} */
    const words = {
      new: "A new game", deal: "The deal passes", undo: "Taken back", redo: "Brought back", restore: "The score is restored", nibs: `Nibs, 2 for ${name}`, go: `1 for ${name}`,
      set: `${name} stands at ${points}`, muggins: `Muggins, ${points} for ${name}`, false: `False claim by ${name}`, penalty: more ? `Penalty, ${name} goes back ${points}` : `Penalty of ${points} on ${name}`,
    };
    return words[kind] ?? `${points} for ${name}`;
  }

  // What undo and redo would take is asked for whenever something has happened.
  async look() {
    const { client } = this;
    const steps = await client?.inTurn(() => client.ask("last")).catch(() => {}); // a connection that is gone says so itself
    if (!steps || client !== this.client) return;
    this.steps = steps;
    this.ready();
  }

  /** @param {Row} row */
  happened(row) {
    if (row[1] === "new") Object.assign(this, { points: 0, cards: [], counted: null }); // they were meant for the game before
    this.news.push(`${this.words(row)}.`);
  }

  show() {
    const state = this.client?.state;
    if (!state) return;
    const { sides } = this;
    const dealt = sides.find((side) => side.places.includes(state.dealer + 1));
    if (!sides.some((side) => side.side === this.chosen)) this.chosen = sides[0].side;
    refill(at("sides"), [state, this.chosen, this.waiting, this.names], () => sides.map((side) => this.card(side, state, side === dealt)));
    text(at("dealer"), dealt ? `The crib is ${nameOf(dealt)}’s.` : "");
    for (const id of ["for", "from"]) refill(at(id), sides.map(nameOf), () => sides.map((side) => el("option", { value: side.side }, nameOf(side))));
    refill(at("names"), [state.seats, state.sides], () => sides.map((side) => el("label", {}, figure(side.colour, { "data-colour": side.colour }), el("input", { maxlength: 20, value: this.names[side.side] ?? "", placeholder: nameOf({ colour: side.colour }), "aria-label": `Name of ${side.colour}`, oninput: (/** @type {Event} */ event) => this.rename(side.side, event) }))));
    const [body] = /** @type {HTMLTableElement} */ (at("track")).tBodies;
    refill(body, [state, this.names], () => sides.map((side) => el("tr", {}, el("td", {}, nameOf(side)), ...[side.front, side.back, state.target - side.front, side.won].map((number) => el("td", {}, String(number))))));
    if (this.news.length) {
      this.say(`${this.news.join(" ")} ${state.winner >= 0 ? `${this.name(state.winner)} wins.` : this.scores()}`);
      this.news = [];
    }
    this.ready();
  }

  /** @param {number} side @param {Event} event */
  rename(side, { target }) {
    this.names = { ...this.names, [side]: /** @type {HTMLInputElement} */ (target).value.trim() };
    kept("cribboard names", JSON.stringify(this.names));
    this.show();
  }

  /** @param {Side} side @param {Standing} state @param {boolean} deals */
  card(side, state, deals) {
    const waits = this.waiting[side.side];
    const tags = [deals && "crib", waits && `+${waits}`, side.won && `${side.won} won`].filter(Boolean).join(" · ");
    return el("button", { type: "button", class: "side", "data-colour": side.colour, "data-key": `side-${side.side}`, "aria-pressed": String(side.side === this.chosen), onclick: () => this.turnTo(side.side) },
      el("span", { class: "row" }, el("span", { class: "named" }, figure(side.colour), el("span", {}, nameOf(side))), el("span", { class: "tag" }, tags)),
      el("span", { class: "row" }, el("span", { class: "front" }, String(side.front)), el("span", { class: "tag" }, state.winner + 1 === side.side ? "wins" : `${state.target - side.front} to go`)),
      el("progress", { max: state.target, value: side.front, "aria-hidden": "true" }));
  }

  /** @param {number} side */
  turnTo(side) {
    this.choose(0);
    this.chosen = side;
    this.show();
  }

  // Which buttons there are, and what they say.
  ready() {
    const { side, client } = this;
    const off = !client || this.giving;
    const over = off || client.state.winner >= 0;
    const [undo, redo] = this.steps.map((row) => (row.length && row[1] !== "restore" ? this.words(row) : ""));
    const whose = side ? ` for ${nameOf(side)}` : ""; // nobody is known while the board is away
    const won = client && client.state.winner >= 0;
    for (const panel of ["peg", "peg-hand"]) at(panel).dataset.colour = side?.colour ?? "";
    text(at("peg"), won ? "Start a new game …" : this.points ? `Peg ${this.points}${whose}` : "Choose the points");
    disable(at("peg"), off || !(this.points || won));
    text(at("peg-hand"), this.counted ? `Peg ${this.counted}${whose}` : this.counted === 0 ? "Nothing to peg: take the cards away" : won ? "The game is won" : "Choose the hand, then the starter");
    disable(at("peg-hand"), over || this.counted === null);
    if (client?.state && client.state.rev !== this.sure) text(at("start"), "Start a new game");
    if (client) refill(at("undo"), undo, () => (undo ? [el("strong", {}, "Undo"), el("span", {}, undo)] : "Nothing to undo"));
    if (client) refill(at("redo"), redo, () => [el("strong", {}, "Redo"), el("span", {}, redo)]);
    if (client) keeping(() => (at("redo").hidden = !redo), () => at("undo"));
    for (const id of ["deal", "start", "do"]) disable(at(id), off);
    disable(at("undo"), off || !undo);
    disable(at("redo"), off || !redo);
    this.other();
    for (const button of at("pad").querySelectorAll("button")) button.setAttribute("aria-pressed", String(Number(button.dataset.points) === this.points));
    for (const button of at("deck").querySelectorAll("button")) button.setAttribute("aria-pressed", String(this.cards.includes(button.dataset.card ?? "")));
    const [starter] = this.cards.slice(this.size);
    text(at("cards"), this.cards.length ? `${this.cards.slice(0, this.size).map(this.sign).join(" ")}${starter ? `, starter ${this.sign(starter)}` : ""}` : "");
  }

  /** @param {string} card */
  sign(card) {
    return `${shortRank(card[0])}${SIGNS[card[1]]}`;
  }

  /** @param {number} points */
  choose(points) {
    this.points = points === this.points ? 0 : points;
    const { client, side } = this;
    if (client && side) client.pend(side.side - 1, this.points, OWNER, WAIT_S).catch(() => {}); // it only lights up
    this.ready();
  }

  peg() {
    const { points, side } = this;
    if (isDisabled(at("peg")) || !side) return;
    if (!points || Number(this.client?.state?.winner) >= 0) {
      at("tab-game").click();
      at("start").focus();
      return;
    }
    this.points = 0;
    this.ready();
    this.give((client) => client.command("peg", side.side - 1, points));
  }

  other() {
    const [what, , label] = OTHERS[Number(chosen("what"))];
    at("from-label").hidden = what !== "muggins" || this.sides.length < 3;
    text(at("number-label"), label);
    number.max = String(what === "set" ? this.client?.state?.target : 46);
    text(at("do"), what === "set" ? "Correct" : what === "back" ? "Move back" : "Peg");
  }

  pegOther() {
    const [what] = OTHERS[Number(chosen("what"))];
    const { sides } = this;
    const side = sides.find((one) => one.side === Number(chosen("for")));
    const from = sides.length < 3 ? sides.find((one) => one !== side)?.side : Number(chosen("from"));
    if (!side || isDisabled(at("do"))) return;
    const value = Number(number.value);
    number.value = "";
    scrollTo(0, 0); // where it is said what came of it
    this.give((client) => {
      const place = side.side - 1;
      if (what === "set") return client.command("set", place, value, Math.min(side.back, Math.max(0, value - 1)));
      if (what === "muggins") return client.command("muggins", place, value, Number(from) - 1);
      return client.command("penalty", place, value, what === "back" ? 1 : 0);
    });
  }

  // Undo and redo, of what the button says only.
  /** @param {"undo" | "redo"} op */
  walk(op) {
    const [rev] = this.steps[op === "undo" ? 0 : 1];
    if (rev && !isDisabled(at(op))) this.give((client) => client.command(op, rev));
  }

  get size() {
    return handSize(this.sides);
  }

  /** @param {string} card */
  take(card) {
    if (this.cards.includes(card)) this.cards = this.cards.filter((one) => one !== card);
    else if (this.cards.length <= this.size) this.cards.push(card);
    this.count();
  }

  async count() {
    this.counted = null;
    this.asked += 1;
    const turn = this.asked;
    this.ready();
    const { client, cards, size } = this;
    if (!client || cards.length <= size) return;
    const answer = await client.inTurn(() => client.ask("count", cards.slice(0, size).join(""), cards[size], crib.checked ? 1 : 0)).catch((error) => {
      if (error instanceof Refused) this.complain(`${error.message}.`);
    });
    if (!answer || turn !== this.asked) return;
    const [points, ...sorts] = answer;
    this.counted = points;
    const parts = ["fifteens", "pairs", "runs", "flush", "nobs"].map((name, index) => sorts[index] && `${name} ${sorts[index]}`).filter(Boolean);
    this.say(`The hand counts ${points}${parts.length ? `: ${parts.join(", ")}` : ""}.`);
    this.ready();
  }

  pegHand() {
    const { cards, counted, side, size } = this;
    if (counted === null || !side || isDisabled(at("peg-hand"))) return;
    this.cards = [];
    this.counted = null;
    this.ready();
    if (counted) this.give((client) => client.command("hand", side.side - 1, cards.slice(0, size).join(""), cards[size], crib.checked ? 1 : 0, counted));
    crib.checked = false;
  }

  build() {
    fill(at("pad"), Array.from({ length: 29 }, (_, index) => el("button", { type: "button", "data-points": index + 1, "aria-pressed": "false", onclick: () => this.choose(index + 1) }, String(index + 1))));
    fill(at("deck"), SUITS.flatMap((suit) => [...RANKS.map((rank) => el("button", { type: "button", "data-card": rank + suit, "data-suit": suit, "aria-pressed": "false", onclick: () => this.take(rank + suit) }, el("span", { "aria-hidden": "true" }, shortRank(rank)), el("span", { "aria-hidden": "true" }, SIGNS[suit]), el("span", { class: "hide" }, cardWords(rank + suit)))), el("span", { class: "gap" })]));
    fill(at("what"), OTHERS.map(([, words], index) => el("option", { value: index }, words)));
    fill(at("who"), GAMES.map(([words], index) => el("option", { value: index }, String(words))));
    at("peg").onclick = () => this.peg();
    at("peg-hand").onclick = () => this.pegHand();
    crib.onchange = () => this.count();
    at("undo").onclick = () => this.walk("undo");
    at("redo").onclick = () => this.walk("redo");
    at("what").onchange = () => this.ready();
    at("other").onsubmit = (event) => {
      event.preventDefault();
      this.pegOther();
    };
    at("names").onsubmit = (event) => event.preventDefault();
    at("aloud-label").hidden = !("speechSynthesis" in window);
    aloud.onchange = () => (aloud.checked ? this.say(this.scores()) : speechSynthesis.cancel());
    at("deal").onclick = () => this.give((client) => client.command("deal", -1));
    at("new").onsubmit = (event) => {
      event.preventDefault();
      const state = this.client?.state;
      const on = state && state.winner < 0 && this.sides.some((side) => side.front);
      if (on && this.sure !== state.rev) {
        this.sure = state.rev; // another tap counts only for this score
        text(at("start"), "Replace the game that is on?");
        return;
      }
      const [, seats, sides] = GAMES[Number(chosen("who"))];
      this.give(async (client) => {
        await client.begin(Number(chosen("target")), Number(seats), Number(sides), -1);
        keeping(() => at("tab-points").click(), openTab);
        scrollTo(0, 0);
      });
    };
    const tabs = [...document.querySelectorAll("[role=tab]")].map((tab) => /** @type {HTMLElement} */ (tab));
    /** @param {HTMLElement} shown */
    const turn = (shown) => {
      for (const tab of tabs) {
        tab.setAttribute("aria-selected", String(tab === shown));
        tab.tabIndex = tab === shown ? 0 : -1;
        at(`panel-${tab.id.slice(4)}`).hidden = tab !== shown;
      }
    };
    for (const tab of tabs) {
      tab.onclick = () => turn(tab);
      tab.onkeydown = ({ key }) => {
        const next = tabs[tabs.indexOf(tab) + (key === "ArrowRight" ? 1 : key === "ArrowLeft" ? -1 : 0)];
        if (!next || next === tab) return;
        turn(next);
        next.focus();
      };
    }
    turn(tabs[0]);
    this.ready();
  }
}

new Page();
