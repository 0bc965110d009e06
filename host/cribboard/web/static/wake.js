// Keeps a phone's screen on while the page is looked at. Browsers have a lock for that, but not over plain HTTP: there a
// silent film behind the page holds the screen. Each browser asks something else of it: Chromium that it fills the page,
// Firefox that it has sound, Safari that it is neither muted nor marked as a loop.

import { el } from "./dom.js";
import { recall, remember } from "./settings.js";

const KEPT = "awake";
const SAFARI = "GestureEvent" in window;

export class Wake {
  constructor() {
    this.on = recall(KEPT, true);
    this.film = null;
    document.addEventListener("visibilitychange", () => this.hold());
    addEventListener("pointerdown", () => this.film?.paused !== false && this.hold()); // a film may begin only with a tap
    this.hold();
  }

  set(on) {
    this.on = on;
    remember(KEPT, on);
    this.hold();
  }

  async hold() {
    const wanted = this.on && document.visibilityState === "visible";
    if (navigator.wakeLock) {
      if (!wanted) await this.lock?.release();
      else if (!this.lock || this.lock.released) this.lock = await navigator.wakeLock.request("screen").catch(() => null); // a low battery
    } else if (!wanted) this.film?.pause();
    else await this.play();
  }

  async play() {
    if (!this.film) {
      if (navigator.audioSession) navigator.audioSession.type = "ambient"; // music goes on
      this.film = el("video", { class: "awake", src: "/static/wake.webm", playsinline: true, "aria-hidden": "true", tabindex: -1 });
      this.film.muted = !SAFARI;
      this.film.addEventListener("ended", () => this.hold());
      document.body.append(this.film);
    }
    await this.film.play().catch(() => {}); // not before a tap
  }

  // For the settings of this phone.
  switch() {
    const box = el("input", { type: "checkbox", checked: this.on, onchange: () => this.set(box.checked) });
    return el("label", { class: "check" }, box, "Keep this screen on");
  }
}
