// The cards of a deal as people tap them: the starter, the play, and which hands were counted. Points are cribboard_core's.

import { pips } from "./cards.js";

/** @import { Rules } from "./rules.js" */

const LIMIT = 31;
const MOST_PIPS = 10;
const MOST_KEPT = 200; // events, more than a game has

export class Laid {
  // `rules` counts; `order()` gives the numbers of the sides as they take their turns, who leads first, `all()` how many cards they play.
  /** @param {Rules} rules @param {() => number[]} order @param {() => number} all */
  constructor(rules, order, all) {
    this.rules = rules;
    this.order = order;
    this.all = all;
    /** @type {string | null} */
    this.starter = null;
    /** @type {Cards["pile"]} */
    this.pile = [];
    /** @type {Cards["pile"]} */
    this.played = [];
    /** @type {{ side: number, cards: string[], crib: boolean }[]} */
    this.hands = []; // that were counted
    this.nibs = false;
    /** @type {{ card: string, goes: number[] }} */
    this.said = { card: "", goes: [] }; // goes that were said since this card, each with the newest event then
    /** @type {Map<number, Laid["now"]>} */
    this.before = new Map(); // how they lay before an event that came with them
    /** @type {Map<number, Laid["now"]>} */
    this.after = new Map(); // and after one that was undone, until another card is laid
  }

  get now() {
    const { starter, pile, played, hands, nibs, said } = this;
    return { starter, pile, played, hands, nibs, said };
  }

  clear() {
    Object.assign(this, { starter: null, pile: [], played: [], hands: [], nibs: false, said: { card: "", goes: [] } });
  }

  get goes() {
    const { card, goes } = this.said;
    return this.pile.at(-1)?.card === card ? goes : [];
  }

  get shown() {
    return this.hands.flatMap((hand) => hand.cards);
  }

  get counted() {
    return this.hands.filter((hand) => !hand.crib).map((hand) => hand.side);
  }

  get cribCounted() {
    return this.hands.some((hand) => hand.crib);
  }

  get running() {
    return this.pile.reduce((sum, { card }) => sum + pips(card), 0);
  }

  // As the phone pages have it.
  /** @returns {Cards} */
  state() {
    const last = this.played.at(-1);
    const order = this.order();
    const [leads = null] = this.cribCounted ? [] : order;
    const next = !last ? leads : this.played.length < this.all() ? order[(order.indexOf(last.side) + 1) % order.length] : null;
    const may = next !== null && this.running > LIMIT - MOST_PIPS && this.running < LIMIT;
    const [, ...others] = may ? [...order.slice(order.indexOf(next)), ...order.slice(0, order.indexOf(next))] : [];
    const goes = this.goes.slice(0, others.length);
    const seen = [...new Set([this.starter, ...this.shown, ...this.played.map((laid) => laid.card)].filter((card) => card !== null))];
    return { starter: this.starter, pile: this.pile, played: this.played, running: this.running, next, after_go: others, goes: goes.length, go_at: goes.at(-1) ?? 0, seen, counted: this.counted, crib_counted: this.cribCounted, nibs: this.nibs };
  }

  // Lays a card after the event `at`; gives the points that it makes, and their words.
  /** @param {number} side @param {string} card @param {number} at @returns {Promise<Cards["pile"][0]>} */
  async lay(side, card, at) {
    if (this.cribCounted) this.clear();
    const pile = this.running === LIMIT ? [] : this.pile;
    const { points, text } = await this.rules.ask("pile", [...pile.map((laid) => laid.card), card].join(" "));
    const laid = { side, card, points, text, remark: "", at };
    this.after.clear();
    this.pile = [...pile, laid];
    this.played = [...this.played, laid];
    return laid;
  }

  // So many have said go since the last card; `at` is the newest event.
  /** @param {number} goes @param {number} at */
  sayGo(goes, at) {
    this.said = { card: this.pile.at(-1)?.card ?? "", goes: Array.from({ length: goes }, (_, one) => this.goes[one] ?? at) };
  }

  takeBack() {
    this.after.clear();
    this.pile = this.pile.slice(0, -1);
    this.played = this.played.slice(0, -1);
  }

  go() {
    this.pile = [];
  }

  /** @param {number} side @param {string[]} cards @param {boolean} crib */
  count(side, cards, crib) {
    this.hands = [...this.hands, { side, cards, crib }];
    this.pile = [];
  }

  // How they lay before the event `rev`, of the newest so many.
  /** @param {number} rev @param {Laid["now"]} now */
  keep(rev, now) {
    this.before.set(rev, now);
    if (this.before.size > MOST_KEPT) this.before.delete([...this.before.keys()][0]);
  }

  // The cards go with their event, but for a starter that was named after it.
  /** @param {number} rev */
  undo(rev) {
    const before = this.before.get(rev);
    if (!before) return;
    this.after.set(rev, this.now);
    const starter = before.starter ?? (this.played.length >= before.played.length ? this.starter : null);
    Object.assign(this, before, { starter });
  }

  /** @param {number} rev */
  redo(rev) {
    Object.assign(this, this.after.get(rev));
  }

  // Which of these cards were counted in this deal; after its crib only a whole hand is the same one.
  /** @param {string[]} cards */
  again(cards) {
    const known = cards.filter((card) => this.shown.includes(card));
    return this.cribCounted && known.length < cards.length ? [] : known;
  }
}
