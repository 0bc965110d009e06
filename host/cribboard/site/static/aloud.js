// Words by the browser's own voice, where it has one and was asked to.

import { recall } from "./settings.js";

export const able = "speechSynthesis" in window;

// Behind what is being spoken.
/** @param {string} words */
export function speak(words) {
  if (!able || !recall("speak", false)) return;
  const spoken = new SpeechSynthesisUtterance(words);
  spoken.lang = document.documentElement.lang;
  speechSynthesis.speak(spoken);
}

export function hush() {
  if (able) speechSynthesis.cancel();
}
