// What a listener hears, line by line: a screen reader reads the live region, and the page's own voice speaks when it
// was switched on. The newest line replaces those that have not begun, but for a win and your own points.

import { $, el, fill, text } from "./dom.js";
import { recall, remember } from "./settings.js";

export const CHOICES = [["Everything", "all"], ["Points only", "points"], ["On request", "asked"]]; // a win and your points are always said
const QUIET = ["play", "starter", "unplay", "clear", "deal", "allow", "say_go"]; // what moves no peg
const SAID_MS = 50; // for a character: nobody tells the page when a screen reader has ended
const PATIENCE = 3; // a voice says so; if it does not, it is waited for so many times as long

/** @typedef {{ words: string, stays: boolean, answer?: boolean }} Spoken */
/** @typedef {{ kind?: string, text: string, full?: string, win?: string, written?: boolean }} Announcement */

export class Voice {
  constructor() {
    this.line = $("said");
    this.live = $("announcer");
    this.on = false;
    this.choice = recall("announce", "all");
    this.last = "";
    /** @type {Spoken | null} */
    this.current = null;
    /** @type {Spoken[]} */
    this.waiting = [];
    this.timer = 0;
    /** @type {SpeechSynthesisUtterance | null} */
    this.spoken = null;
  }

  get able() {
    return "speechSynthesis" in window;
  }

  // Called by a tap, without which a browser does not let a page speak: so every page begins silent.
  /** @param {boolean} on */
  set(on) {
    if (!on && this.able) speechSynthesis.cancel();
    this.on = on && this.able;
    if (this.on) this.answer("Scores are spoken.");
  }

  /** @param {string} choice */
  choose(choice) {
    this.choice = choice;
    remember("announce", choice);
  }

  // News as the kiosk tells it; `own` is what this phone's side has pegged. What is `written` elsewhere stays out of the
  // line of news.
  /** @param {Announcement} news */
  tell({ kind = "", text: words, full = words, win = "", written = false }, own = false) {
    if (full) this.show(full, written);
    const line = this.choice === "all" ? full : words;
    const wanted = this.choice === "all" || (this.choice === "points" && !QUIET.includes(kind));
    if (line && (own || wanted)) this.queue({ words: line, stays: own });
    if (!win) return;
    this.show(win);
    this.queue({ words: win, stays: true });
  }

  // What somebody has asked for, here and now: it comes first, and interrupts what may be dropped.
  /** @param {string} words */
  answer(words, written = false) {
    if (!words) return;
    this.show(words, written);
    this.waiting = [{ words, stays: true, answer: true }, ...this.waiting.filter((line) => line.stays && !line.answer)];
    if (this.current?.stays && !this.current.answer) return;
    if (this.on) speechSynthesis.cancel();
    this.ended();
  }

  /** @param {string} words */
  show(words, written = false) {
    this.last = words;
    if (!written) text(this.line, words);
  }

  /** @param {Spoken} line */
  queue(line) {
    this.waiting = [...this.waiting.filter((one) => one.stays), line];
    if (!this.current) this.ended();
  }

  // The line before is over: the next, or silence. An empty region is not read again by who walks over the page.
  ended() {
    clearTimeout(this.timer);
    const line = this.waiting.shift() ?? null;
    this.current = line;
    fill(this.live, line && el("span", {}, line.words));
    if (!line) return;
    if (this.on) this.utter(line);
    this.timer = setTimeout(() => this.ended(), line.words.length * SAID_MS * (this.on ? PATIENCE : 1));
  }

  /** @param {Spoken} line */
  utter(line) {
    const spoken = new SpeechSynthesisUtterance(line.words);
    spoken.lang = document.documentElement.lang;
    spoken.onend = spoken.onerror = () => this.current === line && this.ended();
    this.spoken = spoken; // else a browser may forget it before it has ended
    speechSynthesis.speak(spoken);
  }
}

/** @param {Voice} voice */
export function announced(voice) {
  const choices = CHOICES.map(([name, value]) => el("option", { value, selected: value === voice.choice }, name));
  /** @type {HTMLSelectElement} */
  const select = el("select", { id: "announce", onchange: () => voice.choose(select.value) }, choices);
  return select;
}
