// One table on a screen: scores, board, the last count, and a code to join; after a win the game's end.

import { get, sentence } from "./api.js";
import { Board } from "./board.js";
import { below, fit } from "./below.js";
import { Countdown } from "./claim.js";
import { el, fill, refill, svg } from "./dom.js";
import { Ending } from "./ending.js";
import { isIdle } from "./idle.js";
import { invitation } from "./join.js";
import { Live } from "./live.js";
import { panels } from "./panels.js";

const INVITED_MS = 60000; // the code changes every few minutes
const LOOK_MS = 10000;
const SIDES = ["none", "none", "two", "three"];

// Digits 11.6 mm high are ten minutes of arc at 4 m, twice what a good eye needs. A screen of 32 inches is 398 mm high,
// which makes 2.9 % of it; the digits of our fonts are 0.716 of their size: 4.1 %.
const DIGITS = 0.041;
const digits = () => Math.round(DIGITS * Math.min(innerWidth, innerHeight));

/** @typedef {{ shown: (view: TableView, first: boolean) => void, said: (news: Announcement) => void, missing: (failure: Failure) => void }} TableOn */
/** @import { Failure } from "./api.js" */
/** @import { Announcement } from "./speech.js" */

export class TableView {
  // `on.shown(view)` after each change, `on.said(news)` for what happens, `on.missing(failure)` when there is no such
  // table. With `ids` the parts are named, on the page that has one table.
  /** @param {HTMLElement} node @param {number} number @param {TableOn} on */
  constructor(node, number, on, { ids = false } = {}) {
    this.node = node;
    this.alone = ids;
    this.number = number;
    this.on = on;
    /** @type {State | null} */
    this.state = null;
    /** @type {Invite | null} */
    this.invite = null;
    this.connected = true;
    this.ended = 0;
    this.countdown = new Countdown();
    this.idle = false;
    /** @type {Board | null} */
    this.board = null;
    /** @type {[HTMLElement, string][]} */
    const labels = [];
    /** @param {keyof HTMLElementTagNameMap} tag @param {string} name @param {string} label @param {Attributes} more @param {Child[]} children */
    const part = (tag, name, label, more = {}, ...children) => {
      const made = el(tag, { class: name, id: ids ? name : null, "aria-label": label || null, ...more }, ...children);
      if (label) labels.push([made, label]);
      return made;
    };
    /** @param {string} table */
    this.label = (table) => labels.forEach(([made, label]) => made.setAttribute("aria-label", ids ? label : `${label}, ${table}`));
    this.drawn = svg("svg", { class: "board", id: ids ? "board" : null });
    this.scores = part("section", "scores", "Scores");
    this.lying = part("section", "lying", "The board", {}, el("div", { class: "wood" }), this.drawn);
    this.ending = part("section", "ending", "How the game went", { hidden: true });
    this.below = part("section", "below", "The last count");
    this.join = part("aside", "join", "Keep score with your phone", { hidden: true });
    this.trouble = part("div", "trouble", "", { role: ids ? "alert" : null, hidden: true }); // beside others the page says it, once
    fill(node, this.scores, this.lying, this.ending, this.below, this.join, this.trouble);
    this.end = new Ending(this.ending, number);
    new ResizeObserver(([{ target }]) => fit(/** @type {HTMLElement} */ (target))).observe(this.below); // the code to join comes later, and takes room
    this.draw();
    this.live = new Live(number, {
      state: (state) => this.show(state),
      frame: (frame) => this.board?.frame(frame),
      happened: (news) => on.said(news),
      notice: (news) => on.said(news),
      link: (well) => {
        this.connected = well;
        this.warn();
        if (well) this.ask();
      },
    }, { frames: true });
    setInterval(() => this.ask(), INVITED_MS);
    setInterval(() => this.state && isIdle(this.state, this.ended) !== this.idle && this.show(this.state), LOOK_MS);
  }

  /** @param {State} state */
  show(state) {
    const { node } = this;
    const first = this.state === null;
    if (state.winner && !this.state?.winner) this.ended = performance.now();
    this.state = state;
    this.idle = isIdle(state, this.ended);
    node.setAttribute("aria-label", state.board.name);
    this.label(state.board.name);
    node.dataset.sides = SIDES[state.sides.length] ?? "many";
    node.dataset.count = String(state.sides.length);
    node.toggleAttribute("data-won", Boolean(state.winner));
    refill(this.scores, [state.sides, state.dealer, state.crib, state.deal, state.chances, state.target, state.winner, state.board.name, state.rules], () => panels(state, this.countdown.node, !this.alone));
    this.countdown.show(state);
    refill(this.below, [state.count, state.table, state.last, state.win, state.sides.map((side) => side.name)], () => below(state));
    fit(this.below);
    this.board?.pegs(state);
    this.end.show(state);
    this.warn();
    this.on.shown(this, first);
  }

  warn() {
    const away = this.state?.board.away;
    this.trouble.hidden = this.connected && !away;
    if (!this.connected) this.tell("No connection to the kiosk", "The scores may be old. It reconnects automatically.");
    else if (away) this.tell(sentence(away.text), away.hint && sentence(away.hint));
  }

  /** @param {string} what @param {string} hint */
  tell(what, hint) {
    refill(this.trouble, [what, hint], () => [el("strong", {}, what), el("span", {}, hint)]);
  }

  async ask() {
    try {
      const invite = await get(`/api/boards/${this.number}/invite`);
      this.invite = invite;
      refill(this.join, [invite.url, invite.code, invite.unreachable], () => invitation(invite, "Scan to keep score"));
      this.join.hidden = false;
    } catch (failure) {
      if (failure.unanswered) return;
      this.invite = null;
      this.join.hidden = true; // only the house's own screen may invite
    }
    if (this.state) this.on.shown(this, false);
  }

  async draw() {
    try {
      this.board = new Board(this.drawn, await get(`/api/boards/${this.number}/drawing`), { digits });
      if (this.state) this.board.pegs(this.state);
    } catch (failure) {
      if (failure.unanswered) setTimeout(() => this.draw(), 2000);
      else if (failure.code === "table") this.on.missing(failure);
      else this.lying.hidden = true; // a board that nobody has drawn; its scores are there
    }
  }
}
