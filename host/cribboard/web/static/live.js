// A board's news as they come. The stream heals by itself; whether it is well is told, so that nobody trusts old scores.

const BEAT_MS = 4000; // the kiosk says something at least so often
const HUNG_MS = 8000; // an open stream that is silent for so long has broken without an error, as when a phone slept
const CONNECT_MS = 3000; // a new one may get a connection of before, which hangs as well
const LOOK_MS = 500;
const AGAIN_MS = 1000;

export class Live {
  /** @param {number} board @param {LiveOn} on */
  constructor(board, on, { frames = false } = {}) {
    this.address = `/api/boards/${board}/live?frames=${frames ? 1 : 0}`;
    this.on = on;
    /** @type {boolean | null} */
    this.well = null;
    this.again = 0;
    /** @type {EventSource | undefined} */
    this.source = undefined;
    this.heard = 0; // or opened
    this.last = ""; // the newest news, after which a new stream goes on
    this.open();
    setInterval(() => this.check(), LOOK_MS);
    addEventListener("offline", () => this.tell(false));
    addEventListener("online", () => this.open());
    addEventListener("pageshow", (event) => event.persisted && this.open());
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.check(BEAT_MS));
  }

  open() {
    clearTimeout(this.again);
    this.source?.close();
    const source = new EventSource(`${this.address}&last=${this.last}`);
    this.source = source;
    this.heard = Date.now();
    source.onerror = () => {
      this.tell(false);
      if (source.readyState === EventSource.CLOSED) this.later(); // after an answer that is no stream
    };
    source.addEventListener("beat", () => this.hear());
    for (const kind of /** @type {const} */ (["state", "happened", "notice", "frame", "phones"])) {
      source.addEventListener(kind, (event) => this.take(kind, event));
    }
  }

  hear() {
    this.heard = Date.now();
  }

  /** @param {"state" | "happened" | "notice" | "frame" | "phones"} kind @param {MessageEvent<string>} event */
  take(kind, { data, lastEventId }) {
    this.hear();
    if (lastEventId) this.last = lastEventId;
    if (kind === "state") this.tell(true);
    this.on[kind]?.(JSON.parse(data));
  }

  check(patience = this.source?.readyState === EventSource.OPEN ? HUNG_MS : CONNECT_MS) {
    if (Math.abs(Date.now() - this.heard) <= patience) return; // the clock may be set
    if (this.source?.readyState !== EventSource.OPEN) this.tell(false); // one that slept mostly comes back at once
    this.open();
  }

  later() {
    clearTimeout(this.again);
    this.again = window.setTimeout(() => this.open(), AGAIN_MS);
  }

  /** @param {boolean} well */
  tell(well) {
    if (well === this.well) return;
    this.well = well;
    this.on.link?.(well);
  }
}
