// "Learn the rules": cribbage in two minutes, with cards to tap that the rules of the board judge.

import { cardsWords, cardWords, face, parts } from "./cards.js";
import { el, fill, find } from "./dom.js";
import { roving } from "./keys.js";

/** @import { Rules } from "./rules.js" */

/** @typedef {{ title: string, words: string, throw?: string[], lay?: string[], count?: string[], on?: string[], starter?: string }} Step */

/** @type {Step[]} */
const STEPS = [
  { title: "A race", words: "Two players race round the board, to hole 121, or in a short game to 61. Each has two pegs: the back one jumps over the front one, so everybody sees how far the last score went." },
  { title: "The crib", words: "You both get six cards and throw two into the crib, a third hand that is the dealer’s. Keep what scores together: fifteens, pairs and runs. Throw two of these.", throw: ["5H", "JD", "QS", "5C", "2C", "8H"], starter: "4S" },
  { title: "The starter", words: "Then a card is cut: the starter. It counts with both hands and the crib. If it is a jack, the dealer pegs two at once: “his heels”." },
  { title: "Fifteen", words: "You take turns to play cards and add them up; a jack, a queen or a king is ten. Make exactly 15 or 31 and you peg two. Make it fifteen.", lay: ["7D", "4H", "KC", "AS"], on: ["8C"] },
  { title: "Pairs and runs", words: "A card of the same rank as the one before is a pair, for two. Three in a row, in any order, are a run, for three. Play one that scores.", lay: ["KH", "7S", "AC", "3D"], on: ["6H", "8D"] },
  { title: "Go", words: "Nobody may pass 31. If you cannot play, you say “go”; the other plays on, and the last card pegs one. Then the count begins again." },
  { title: "The count", words: "When all cards are played, each hand is counted with the starter: two for each fifteen, two for each pair, one a card for runs, four for a flush, and one for “his nobs”, the jack of the starter’s suit. How much is this one?", count: ["5H", "6S", "7C", "JS"], starter: "5D" },
  { title: "The end", words: "The dealer counts last, first the hand and then the crib, and that matters near the end: whoever reaches the last hole wins at once. A loser short of the skunk line has lost twice." },
];
const OFFERED = [-2, 0, 2, 4]; // beside the right number of points

export class Teach {
  // `live(words)` says something; `play()` begins a game; `left()` is called when the lesson is left.
  /** @param {HTMLElement} node @param {Rules} rules @param {(words: string) => void} live @param {() => void} play @param {() => void} left */
  constructor(node, rules, live, play, left) {
    this.node = node;
    this.rules = rules;
    this.live = live;
    this.play = play;
    this.left = left;
    this.at = 0;
    /** @type {Set<string>} */
    this.chosen = new Set();
    this.said = "";
    /** @type {Count | null} */
    this.counted = null;
    this.right = 0;
  }

  begin() {
    this.node.hidden = false;
    this.show(0);
  }

  end() {
    this.node.hidden = true;
    this.left();
  }

  /** @param {number} at */
  async show(at) {
    this.at = at;
    this.chosen = new Set();
    this.said = "";
    this.counted = null;
    this.right = 0;
    this.draw();
    find(this.node, "h2")?.focus();
    const { count, starter = "" } = STEPS[at];
    if (!count) return;
    this.right = (await this.points(count, starter)).points;
    this.draw();
  }

  /** @param {string} words */
  say(words) {
    this.said = words;
    this.live(words);
    this.draw();
  }

  /** @param {string[]} hand @param {string} starter */
  async points(hand, starter) {
    return this.rules.ask("counted", hand.join(" "), starter, 0);
  }

  /** @param {Step} step @param {string} card */
  async tap(step, card) {
    if (step.lay) {
      const { points, text } = await this.rules.ask("pile", [...(step.on ?? []), card].join(" "));
      this.chosen = new Set([card]);
      this.say(points ? `Yes: ${text}.` : `The ${cardWords(card)} makes nothing here. Try another one.`);
      return;
    }
    if (this.chosen.has(card)) this.chosen.delete(card);
    else if (this.chosen.size < 2) this.chosen.add(card);
    this.draw();
    if (this.chosen.size === 2) await this.thrown(step);
  }

  // What is left is counted, and what would have been left after the best throw.
  /** @param {Step} step */
  async thrown({ throw: hand = [], starter = "" }) {
    const kept = hand.filter((card) => !this.chosen.has(card));
    const mine = (await this.points(kept, starter)).points;
    let best = { points: -1, cards: /** @type {string[]} */ ([]) };
    for (const [at, one] of hand.entries()) {
      for (const other of hand.slice(at + 1)) {
        const cards = hand.filter((card) => card !== one && card !== other);
        const { points } = await this.points(cards, starter);
        if (points > best.points) best = { points, cards };
      }
    }
    const cut = `With the ${cardWords(starter)} as starter you keep ${mine} points`;
    this.say(mine === best.points ? `${cut}: no other four are worth more.` : `${cut}. The ${cardsWords(best.cards)} would be ${best.points}: tap to change your mind.`);
  }

  /** @param {Step} step @param {number} guess */
  async guess({ count = [], starter = "" }, guess) {
    this.counted = await this.points(count, starter);
    this.say(guess === this.counted.points ? "Right." : `It is ${this.counted.points}: look how it adds up.`);
    find(this.node, "button.main")?.focus();
  }

  draw() {
    const step = STEPS[this.at];
    const last = this.at === STEPS.length - 1;
    fill(this.node,
      el("h2", { id: "teach-title", tabindex: -1, "data-key": "title" }, step.title),
      el("p", { class: "muted" }, `Step ${this.at + 1} of ${STEPS.length}`),
      el("p", {}, step.words),
      step.on && el("div", { class: "felt" }, el("div", {}, el("h3", {}, "On the table"), el("div", { class: "laid" }, step.on.map((card) => face(card))))),
      this.cards(step),
      step.count && this.counting(step),
      this.said && el("p", { class: "verdict" }, this.said),
      this.counted && parts(this.counted),
      el("div", { class: "row start" },
        el("button", { type: "button", class: "main", "data-key": "next", onclick: () => (last ? this.done() : this.show(this.at + 1)) }, last ? "Play a game" : "Next"),
        this.at > 0 && el("button", { type: "button", "data-key": "back", onclick: () => this.show(this.at - 1) }, "Back"),
        el("button", { type: "button", "data-key": "leave", onclick: () => this.end() }, "Leave")));
  }

  done() {
    this.end();
    this.play();
  }

  /** @param {Step} step */
  cards(step) {
    const hand = step.throw ?? step.lay;
    if (!hand) return null;
    const group = el("div", { class: "hand", role: "group", "aria-label": "Cards to tap" }, hand.map((card, at) => el("button", {
      type: "button", class: "slot", "aria-pressed": String(this.chosen.has(card)), tabindex: at ? -1 : 0, "data-key": `card-${card}`, "data-card": card, onclick: () => this.tap(step, card),
    }, face(card, { "aria-hidden": "true", role: "presentation", "aria-label": null }), el("span", { class: "hide" }, cardWords(card)))));
    roving(group, () => hand.length);
    return group;
  }

  /** @param {Step} step */
  counting(step) {
    const { count = [], starter = "" } = step;
    return el("div", { class: "counting" },
      el("p", { class: "row" }, count.map((card) => face(card)), face(starter, { class: "card cut" })),
      el("div", { class: "row start", role: "group", "aria-label": "Points" }, this.right ? OFFERED.map((more) => this.offered(step, this.right + more)) : null));
  }

  /** @param {Step} step @param {number} points */
  offered(step, points) {
    return el("button", { type: "button", "data-key": `points-${points}`, onclick: () => this.guess(step, points) }, String(points));
  }
}
