// A board's news as they come. The stream heals by itself; whether it is well is told, so that nobody trusts old scores.

const QUIET_MS = 20000; // then the kiosk is asked whether it is still there
const AGAIN_MS = 1000;


export class Live {
  /** @param {number} board @param {LiveOn} on */
  constructor(board, on, { frames = false } = {}) {
    this.path = /** @type {`/api/boards/${number}`} */ (`/api/boards/${board}`);
    this.address = `${this.path}/live${frames ? "?frames=1" : ""}`;
    this.on = on;
    /** @type {boolean | null} */
    this.well = null;
    this.again = 0;
    /** @type {EventSource | undefined} */
    this.source = undefined;
    this.heard = 0;
    this.open();
    setInterval(() => this.probe(), QUIET_MS / 2);
    addEventListener("offline", () => this.tell(false));
    addEventListener("online", () => this.open());
    addEventListener("pageshow", (event) => event.persisted && this.open());
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.probe(0));
  }

  open() {
    clearTimeout(this.again);
    this.source?.close();
    const source = new EventSource(this.address);
    this.source = source;
    source.onerror = () => {
      this.tell(false);
      if (source.readyState === EventSource.CLOSED) this.later(); // after an answer that is no stream
    };
    for (const kind of /** @type {const} */ (["state", "happened", "notice", "frame", "phones"])) {
      source.addEventListener(kind, (event) => this.take(kind, event.data));
    }
  }

  /** @param {"state" | "happened" | "notice" | "frame" | "phones"} kind @param {string} data */
  take(kind, data) {
    this.heard = Date.now();
    if (kind === "state") this.tell(true);
    this.on[kind]?.(JSON.parse(data));
  }

  // A stream may hang without an error, as when a phone slept.
  async probe(quiet = QUIET_MS) {
    if (Date.now() - this.heard < quiet) return;
    try {
      const answer = await fetch(this.path, { signal: AbortSignal.timeout(4000) });
      if (!answer.ok) throw new Error();
      const state = await answer.json();
      if (this.source?.readyState !== EventSource.OPEN) this.open();
      else this.take("state", JSON.stringify(state));
    } catch {
      this.tell(false);
      this.open();
    }
  }

  later() {
    clearTimeout(this.again);
    this.again = setTimeout(() => this.open(), AGAIN_MS);
  }

  /** @param {boolean} well */
  tell(well) {
    if (well === this.well) return;
    this.well = well;
    this.on.link?.(well);
  }
}
