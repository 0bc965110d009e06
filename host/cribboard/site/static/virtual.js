// The virtual board as the page has it: fingers and bytes go in, light, tones and bytes come out.

const SHORT_MS = 60; // a tap that nobody timed

/** @type {Worker | null} */
let spare = null; // a worker that loads its program before it is known which board it is to be

export function prepare() {
  spare = created();
  spare.onerror = () => (spare = null); // the next one says why
}

const created = () => new Worker(new URL("./board-worker.js", import.meta.url), { type: "module" });

export class VirtualBoard {
  // `on` has lights(shown), strips(tracks), tone(hz, duty), arrived(bytes), started(), ended(why, ofTen, text), unkept(why).
  /** @param {Shipped} board @param {VirtualOn} on */
  constructor(board, on) {
    this.board = board;
    this.on = on;
    /** @type {Set<string>} */
    this.down = new Set();
    /** @type {Uint8Array[]} */
    this.tracks = board.pins.map(() => new Uint8Array());
    /** @type {Worker | null} */
    this.worker = null;
    this.back = 0; // when the plug is put back
  }

  start(why = "power on") {
    this.stop(); // two programs would tear one memory
    const { id, name, settings } = this.board;
    const worker = spare ?? created();
    spare = null;
    this.worker = worker;
    worker.onmessage = ({ data }) => this.heard(data);
    worker.onerror = (event) => this.on.ended("fault", 3, event.message || "this browser runs no modules in workers");
    worker.postMessage({ do: "start", board: id, name, settings, why });
  }

  // Pulls the plug, and puts it back after a while if one is given.
  stop(whileMs = 0) {
    clearTimeout(this.back);
    this.worker?.terminate();
    this.worker = null;
    this.down.clear();
    if (whileMs) this.back = setTimeout(() => this.start(), whileMs);
  }

  /** @param {string} pin @param {boolean} down */
  finger(pin, down) {
    if (!this.worker || this.down.has(pin) === down) return;
    if (down) this.down.add(pin);
    else this.down.delete(pin);
    this.worker.postMessage({ do: "finger", pin, down });
  }

  /** @param {string} pin */
  tap(pin) {
    this.finger(pin, true);
    setTimeout(() => this.finger(pin, false), SHORT_MS);
  }

  /** @param {boolean} connected */
  connect(connected) {
    this.worker?.postMessage({ do: "connect", connected });
  }

  /** @param {Uint8Array} bytes */
  send(bytes) {
    this.worker?.postMessage({ do: "arrive", bytes });
  }

  /** @param {FromBoard} data */
  heard(data) {
    if ("bytes" in data) this.shown(data.show, data.bytes);
    else if ("lights" in data) this.on.lights(data.lights);
    else if ("tone" in data) this.on.tone(data.tone, data.duty);
    else if ("arrived" in data) this.on.arrived(data.arrived);
    else if ("started" in data) this.on.started();
    else if ("ended" in data) this.on.ended(data.ended, data.ofTen, data.text);
    else if ("restart" in data) this.start(data.restart);
    else if ("unkept" in data) this.on.unkept(data.unkept);
  }

  // The strip's bytes come in its own order of the colours; the page wants red, green, blue.
  /** @param {string} pin @param {Uint8Array} bytes */
  shown(pin, bytes) {
    const at = this.board.pins.indexOf(pin);
    if (at < 0) return;
    const order = [..."RGB"].map((colour) => this.board.order.indexOf(colour));
    this.tracks[at] = bytes.map((_, index) => bytes[index - (index % 3) + order[index % 3]]);
    this.on.strips(this.tracks);
  }
}

// The piezo. A browser lets a page sound only after a tap.
export class Piezo {
  constructor() {
    this.on = false;
  }

  /** @param {boolean} on */
  set(on) {
    this.on = on;
    if (!on) this.sound(0, 0);
    else if (!this.context) this.begin();
    else this.context.resume();
  }

  begin() {
    this.context = new AudioContext();
    this.gain = new GainNode(this.context, { gain: 0 });
    this.pitch = new OscillatorNode(this.context, { type: "square" });
    this.pitch.connect(this.gain).connect(this.context.destination);
    this.pitch.start();
  }

  /** @param {number} hz @param {number} duty */
  sound(hz, duty) {
    if (!this.context || !this.pitch || !this.gain) return;
    const loud = this.on && hz ? (duty > 0x4000 ? 0.08 : 0.02) : 0;
    if (hz) this.pitch.frequency.setValueAtTime(hz, this.context.currentTime);
    this.gain.gain.setTargetAtTime(loud, this.context.currentTime, 0.003);
  }
}
