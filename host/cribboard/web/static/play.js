// The play: cards as they are laid down. What they make, the kiosk finds and pegs by itself.

import { cardWords, face, pips } from "./cards.js";
import { Deck } from "./deck.js";
import { el, fill, refill, text } from "./dom.js";
import { nameOf, sideOf } from "./sides.js";
import { nextSide } from "./words.js";

const LIMIT = 31;

export class Play {
  constructor(node, desk) {
    Object.assign(this, { node, desk });
    this.deck = new Deck((card) => this.lay(card));
    this.pile = el("div", { class: "pile" });
    this.go = el("button", { type: "button", class: "go", onclick: () => this.sayGo() });
    this.back = el("button", { type: "button", onclick: () => this.takeBack() }, "Take back");
    fill(node, this.pile, el("div", { class: "row" }, this.go, this.back), this.deck.node);
  }

  show() {
    const { state } = this.desk;
    const { pile, running, seen } = state.table;
    this.follow(pile);
    this.node.dataset.colour = this.desk.side.colour;
    refill(this.pile, [pile, running, state.sides.map((one) => one.name)], () => this.lying());
    const full = running === LIMIT; // the next card begins a new count, and nobody has a go
    this.deck.block((card) => (seen.includes(card) ? "seen already" : !full && running + pips(card) > LIMIT ? `over ${LIMIT}` : ""));
    const last = pile.at(-1);
    const who = last && sideOf(state, last.side);
    this.go.disabled = !last || full || Boolean(state.winner);
    text(this.go, who && !full ? `Go: 1 for ${nameOf(who)}` : "Go");
    this.back.disabled = !last || last.points > 0;
  }

  lying() {
    const { state } = this.desk;
    const { pile, running } = state.table;
    const last = pile.at(-1);
    return [
      el("p", { class: "running" }, el("span", { class: "muted" }, "Count "), el("strong", {}, String(running))),
      el("ol", { class: "laid", "aria-label": "Cards on the table" }, pile.slice(-8).map((laid) =>
        el("li", { "data-colour": sideOf(state, laid.side)?.colour }, face(laid.card)))),
      el("p", { class: "made" }, last?.points ? `${nameOf(sideOf(state, last.side))}: ${last.text || last.points}` : ""),
    ];
  }

  // The phone of the whole table turns to who is next together with the card that it shows.
  follow(pile) {
    const lies = pile.map((laid) => laid.card).join();
    if (lies === this.lies) return;
    this.lies = lies;
    if (pile.length && this.desk.everybody) this.desk.chosen = nextSide(this.desk.state);
  }

  // Whose a card is, is known when the one before it lies there.
  lay(card) {
    this.laid = (this.laid ?? Promise.resolve()).then(() => {
      const { side } = this.desk;
      return this.desk.give({ do: "play", side: side.side, card }, `${cardWords(card)} of ${nameOf(side)}`);
    });
  }

  takeBack() {
    const { card } = this.desk.state.table.pile.at(-1);
    this.desk.give({ do: "unplay", card }, `${cardWords(card)} taken back`);
  }

  async sayGo() {
    const who = this.desk.state.table.pile.at(-1)?.side;
    if (who) await this.desk.give({ do: "go", side: who }, `Go, 1 for ${nameOf(sideOf(this.desk.state, who))}`);
  }
}
