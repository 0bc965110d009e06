// The virtual board as the page has it: fingers and bytes go in, light, tones and bytes come out.

const SHORT_MS = 60; // a tap that nobody timed

export class VirtualBoard {
  // `on` has lights(shown), strips(tracks), tone(hz, duty), arrived(bytes), started(), ended(why, ofTen, text), unkept(why).
  constructor(board, on) {
    Object.assign(this, { board, on, down: new Set(), tracks: board.pins.map(() => new Uint8Array()), worker: null });
  }

  start(why = "power on") {
    const { id, name, settings } = this.board;
    this.worker = new Worker(new URL("./board-worker.js", import.meta.url), { type: "module" });
    this.worker.onmessage = ({ data }) => this.heard(data);
    this.worker.onerror = (event) => this.on.ended("fault", 3, event.message || "this browser runs no modules in workers");
    this.worker.postMessage({ do: "start", board: id, name, settings, why });
  }

  // Pulls the plug.
  stop() {
    this.worker?.terminate();
    this.worker = null;
    this.down.clear();
  }

  finger(pin, down) {
    if (!this.worker || this.down.has(pin) === down) return;
    if (down) this.down.add(pin);
    else this.down.delete(pin);
    this.worker.postMessage({ do: "finger", pin, down });
  }

  tap(pin) {
    this.finger(pin, true);
    setTimeout(() => this.finger(pin, false), SHORT_MS);
  }

  connect(connected) {
    this.worker?.postMessage({ do: "connect", connected });
  }

  send(bytes) {
    this.worker?.postMessage({ do: "arrive", bytes });
  }

  heard(data) {
    if (data.bytes) this.shown(data.show, data.bytes);
    else if (data.lights) this.on.lights(data.lights);
    else if ("tone" in data) this.on.tone(data.tone, data.duty);
    else if (data.arrived) this.on.arrived(data.arrived);
    else if (data.started) this.on.started();
    else if (data.ended) this.on.ended(data.ended, data.ofTen, data.text);
    else if (data.restart) this.again(data.restart);
    else if (data.unkept) this.on.unkept(data.unkept);
  }

  again(why) {
    this.stop();
    this.start(why);
  }

  // The strip's bytes come in its own order of the colours; the page wants red, green, blue.
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

  sound(hz, duty) {
    if (!this.context) return;
    const loud = this.on && hz ? (duty > 0x4000 ? 0.08 : 0.02) : 0;
    if (hz) this.pitch.frequency.setValueAtTime(hz, this.context.currentTime);
    this.gain.gain.setTargetAtTime(loud, this.context.currentTime, 0.003);
  }
}
