// The page on which a score is kept, whatever keeps it: its tabs and panels, the sides, what undo and redo take.

import { chips } from "./chips.js";
import { Deal } from "./deal.js";
import { asking } from "./dialog.js";
import { $, checkbox, el, fill, find, focused, keeping, refill } from "./dom.js";
import { Hand } from "./hand.js";
import { Letters, questions } from "./keys.js";
import { Pad } from "./pad.js";
import { Play, stepWords } from "./play.js";
import { announced } from "./speech.js";
import { Wake } from "./wake.js";

/** @import { Voice } from "./speech.js" */

const TABS = ["points", "hand", "play", "ask", "more"];

export class Desk {
  // `on.seen()` is what there is to answer questions from, null before anything is known; `on.show()` draws the page when
  // it is; `on.turned(name, before)` hears of another tab.
  /** @param {Scorer} scorer @param {Voice} voice @param {DeskOn} on */
  constructor(scorer, voice, on) {
    this.scorer = scorer;
    this.voice = voice;
    this.on = on;
    this.tab = history.state?.tab ?? "points"; // as it was left, when a phone has dropped the page
    /** @param {Reply} reply */
    this.answer = (reply, written = false) => {
      const state = on.seen();
      const words = state ? reply(state, voice) : "";
      voice.answer(words, written);
      return words;
    };
    this.letters = new Letters(this.answer);
    this.wake = new Wake();
    this.deal = new Deal(scorer);
    this.points = new Pad($("panel-points"), scorer);
    this.hand = new Hand($("panel-hand"), scorer);
    this.play = new Play($("panel-play"), scorer);
    fill($("panel-ask"), el("h2", {}, "Info"), el("p", { class: "tip" }, "Tap a question to see its answer."), el("div", { class: "asks" }, questions(this.answer)), el("p", { class: "muted" }, "“Speak the scores aloud” under More speaks the answers, too."));
  }

  // How this device behaves, to be chosen under More.
  settings() {
    const { voice, letters } = this;
    return [
      this.hand.claim.switch(() => this.hand.clear()),
      el("label", { class: "check" }, checkbox({ disabled: !voice.able }, (on) => voice.set(on)), voice.able ? "Speak the scores aloud" : "Speak the scores aloud (this browser has no voice)"),
      el("label", { class: "field" }, el("span", {}, "What is read aloud (wins and your own points always are)"), announced(voice)),
      el("label", { class: "check keys" }, checkbox({ checked: letters.on }, (on) => letters.set(on)), "Letter keys C B F V S T R of a keyboard"),
      this.wake.switch()];
  }

  // Opens the tab that was open, once the page is built.
  begin() {
    for (const button of $("tabs").querySelectorAll("button")) button.onclick = () => this.turn(button.id.slice(4));
    $("tabs").addEventListener("keydown", (event) => {
      const buttons = [...$("tabs").querySelectorAll("button")];
      const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
      const next = buttons[buttons.findIndex((button) => button === focused()) + step];
      if (!step || !next || asking()) return;
      this.turn(next.id.slice(4));
      next.focus();
    });
    this.turn(this.tab);
  }

  /** @param {string} name */
  turn(name) {
    const before = this.tab;
    if (before === "points" && name !== "points" && this.on.seen()) this.points.leave();
    this.tab = name;
    history.replaceState({ tab: name }, "");
    for (const button of $("tabs").querySelectorAll("button")) {
      const on = button.id === `tab-${name}`;
      button.setAttribute("aria-selected", String(on));
      button.tabIndex = on ? 0 : -1;
    }
    if (this.on.seen()) this.on.show();
    this.on.turned(name, before);
  }

  // When what has the keyboard goes, the open tab takes it.
  /** @param {() => void} draw */
  keeping(draw) {
    keeping(draw, () => (asking() ? null : $("tabs").getClientRects().length ? $(`tab-${this.tab}`) : find(document, "#over a")));
  }

  draw() {
    const { scorer, play, tab } = this;
    const { state } = scorer;
    for (const name of TABS) $(`panel-${name}`).hidden = name !== tab;
    for (const name of /** @type {const} */ (["points", "hand", "play"])) if (name === tab) this[name].show();
    refill($("undo"), [state.undo, play.newest(), state.redo, state.dealer, state.deal, state.win, this.deal.isEarly], () => this.steps());
    const { turn } = play;
    refill($("chips"), [state.sides, state.dealer, state.crib, state.deal, state.winner, scorer.chosen, scorer.picked, scorer.me, turn, state.last, state.undo, state.table], () => chips(state, scorer, turn, (side) => (tab === "play" ? play.choose(side) : scorer.turnTo(side))));
  }

  close() {
    for (const name of TABS) $(`panel-${name}`).hidden = true;
  }

  steps() {
    const { scorer } = this;
    const { redo } = scorer.state;
    const undone = this.play.undo((step) => scorer.give(step.nothing ? { do: "unclaim", side: step.nothing } : { do: "undo", rev: step.rev }, `Undo ${step.text}`));
    return [
      undone ?? el("p", { class: "muted" }, "Nothing to undo"),
      redo && el("button", { type: "button", "data-key": "redo", class: "redo", onclick: () => scorer.give({ do: "redo", rev: redo.rev }, `Redo ${redo.text}`) }, el("strong", {}, "Redo"), stepWords(redo, scorer.state.sides)),
      this.deal.button()];
  }
}
