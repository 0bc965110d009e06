// The page's voice. It is silent until asked for, since a screen reader reads the live line already.

import { $, text } from "./dom.js";
import { recall, remember } from "./settings.js";

const REPEATED = "\u00a0"; // a live line is read again only when it has changed

export class Voice {
  constructor() {
    this.line = $("said");
    this.on = false; // a browser lets a page speak only after a tap, so every page begins silent
    this.wished = recall("speech", false);
  }

  get able() {
    return "speechSynthesis" in window;
  }

  // Called by a tap.
  set(on) {
    this.on = on && this.able;
    remember("speech", this.on);
    if (this.on) this.utter("Scores are spoken.");
    else if (this.able) speechSynthesis.cancel();
  }

  say(words) {
    if (!words) return;
    text(this.line, this.line.textContent === words ? words + REPEATED : words);
    if (this.on) this.utter(words);
  }

  utter(words) {
    const spoken = new SpeechSynthesisUtterance(words);
    spoken.lang = document.documentElement.lang;
    speechSynthesis.speak(spoken);
  }
}
