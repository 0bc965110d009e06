// Whose screen it is: the pub's name and logo, a clock, and whether it is light.

import { get } from "./api.js";
import { $, el, fill } from "./dom.js";
import { recall, remember } from "./settings.js";

const AGAIN_MS = 5000;
const MINUTE_MS = 60000;

export class House {
  constructor(node) {
    this.clock = el("time", { class: "clock" });
    this.sign = el("p", { class: "pub" });
    fill(node, this.sign, this.clock);
    this.tick();
    this.set(recall("light"));
    this.load();
  }

  async load() {
    try {
      const { name, logo, light, odds } = await get("/api/pub");
      document.body.toggleAttribute("data-odds", odds);
      fill(this.sign, logo && el("img", { src: logo, alt: name ? "" : "Logo" }), name && el("span", {}, name));
      if (recall("light") === null) this.set(light);
    } catch {
      setTimeout(() => this.load(), AGAIN_MS);
    }
  }

  // The browser remembers what was chosen here; until then the kiosk says.
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
