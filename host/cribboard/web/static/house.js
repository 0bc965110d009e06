// Whose screen it is: the pub's name and logo, a clock, whether it is light, and what can be pressed.

import { get, sentence } from "./api.js";
import { $, el, fill, refill } from "./dom.js";
import { recall, remember } from "./settings.js";
import { announced } from "./speech.js";

const LOOK_MS = 5000; // staff may switch the chance to win while the page is open
const MINUTE_MS = 60000;

export class House {
  /** @param {HTMLElement} node */
  constructor(node) {
    this.clock = el("time", { class: "clock" });
    this.sign = el("p", { class: "pub" });
    this.joins = el("p", { class: "joins", hidden: true });
    fill(node, this.sign, this.joins, this.clock);
    this.notice = el("p", { class: "house-notice", role: "status", hidden: true });
    node.after(this.notice);
    this.light = false;
    this.next = 0;
    this.event = ""; // what the house has tonight
    this.code = ""; // with which phones join it
    this.tick();
    this.set(recall("light", false));
    this.load();
  }

  async load() {
    try {
      const { name, logo, light, odds, notice } = await get("/api/pub");
      this.notice.hidden = !notice;
      refill(this.notice, notice, () => notice && [el("strong", {}, sentence(notice.text)), " ", sentence(notice.hint)]);
      document.body.toggleAttribute("data-odds", odds);
      refill(this.sign, [name, logo, this.event], () => [logo && el("img", { src: logo, alt: name ? "" : "Logo" }), name && el("span", {}, name), this.event && el("span", { class: name ? "muted" : "" }, this.event)]);
      this.joins.hidden = !this.code;
      refill(this.joins, this.code, () => [el("span", { class: "muted" }, "Night code:"), " ", this.code]);
      if (recall("light", null) === null) this.set(light);
    } catch {
      // the kiosk is away; the next look may find it
    }
    clearTimeout(this.next);
    this.next = setTimeout(() => this.load(), LOOK_MS);
  }

  /** @param {string} event @param {string} code */
  announces(event, code) {
    if (event === this.event && code === this.code) return;
    Object.assign(this, { event, code });
    this.load();
  }

  // The browser remembers what was chosen here; until then the kiosk says.
  /** @param {boolean} light */
  set(light) {
    this.light = Boolean(light);
    $("light").media = this.light ? "all" : "not all";
  }

  turn() {
    this.set(!this.light);
    remember("light", this.light);
  }

  tick() {
    const now = new Date();
    this.clock.textContent = now.toLocaleTimeString(undefined, { hour: "numeric", minute: "2-digit" });
    setTimeout(() => this.tick(), MINUTE_MS - (now.getTime() % MINUTE_MS));
  }
}

/** @import { Voice } from "./speech.js" */

const TOOLS_MS = 6000;

/** @param {HTMLElement} button @param {boolean} on */
export const pressed = (button, on) => button.setAttribute("aria-pressed", String(on));

// What can be pressed on a screen: it shows when somebody is there.
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
