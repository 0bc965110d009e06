// What can be pressed on a screen: it shows when somebody is there.

import { $ } from "./dom.js";
/** @import { House } from "./house.js" */
/** @import { Voice } from "./speech.js" */
import { announced } from "./speech.js";

const TOOLS_MS = 6000;

/** @param {HTMLElement} button @param {boolean} on */
export const pressed = (button, on) => button.setAttribute("aria-pressed", String(on));

/** @param {Voice} voice @param {House} house */
export function tools(voice, house) {
  $("speak").onclick = () => {
    voice.set(!voice.on);
    pressed($("speak"), voice.on);
  };
  $("say").append(announced(voice));
  if (!voice.able) $("speak").hidden = true;
  $("bright").onclick = () => {
    house.turn();
    pressed($("bright"), house.light);
  };
  let timer = 0;
  const wake = () => {
    document.body.dataset.awake = "";
    pressed($("bright"), house.light);
    clearTimeout(timer);
    timer = setTimeout(() => delete document.body.dataset.awake, TOOLS_MS);
  };
  for (const kind of ["pointermove", "pointerdown", "keydown"]) addEventListener(kind, wake);
}
