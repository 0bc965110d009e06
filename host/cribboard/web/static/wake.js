// Keeps a phone's screen on while the page is looked at, and a television's. Browsers have a lock for that, but not over plain HTTP: there a
// film behind the page, of a canvas that stays black, holds the screen. Chromium asks that it fills the page.

import { checkbox, el } from "./dom.js";
import { recall, remember } from "./settings.js";

const KEPT = "awake";
const FRAME_MS = 1000;

export class Wake {
  constructor() {
    this.on = recall(KEPT, true);
    /** @type {HTMLVideoElement | null} */
    this.film = null;
    /** @type {WakeLockSentinel | null} */
    this.lock = null;
    document.addEventListener("visibilitychange", () => this.hold());
    addEventListener("pointerdown", () => this.film?.paused !== false && this.hold()); // a film may begin only with a tap
    this.hold();
  }

  /** @param {boolean} on */
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
      const canvas = el("canvas", { width: 2, height: 2 });
      if (!canvas.captureStream) return; // a television's browser
      const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
      context.fillRect(0, 0, 2, 2);
      const film = el("video", { class: "awake", playsinline: true, "aria-hidden": "true", tabindex: -1 });
      this.film = film;
      film.muted = true;
      film.srcObject = canvas.captureStream();
      setInterval(() => film.paused || context.fillRect(0, 0, 2, 2), FRAME_MS); // a frame is sent when something is drawn
      document.body.append(film);
    }
    await this.film.play().catch(() => {}); // not before a tap
  }

  // For the settings of this phone.
  switch() {
    return el("label", { class: "check" }, checkbox({ checked: this.on }, (on) => this.set(on)), "Keep this screen on");
  }
}
