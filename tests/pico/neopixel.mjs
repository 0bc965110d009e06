// WS2812 frames read back from the edges of the pins that PIO drives: bytes in the order sent, with the time of first and last edge.

import { GPIOPinState } from 'rp2040js';

// WS2812B data sheet: a zero is high for 0.4 µs, a one for 0.8; low for 50 µs ends a frame.
const ONE_NS = 550;
const LATCH_NS = 50_000;
const PIO_FUNCTIONS = [6, 7];

export class NeoPixelReader {
  constructor() {
    this.frames = [];
    this.open = new Map();
  }

  /** Listens on every pin of a chip that has just started; `now` gives nanoseconds. */
  attach(rp2040, now) {
    this.open.clear();
    for (const pin of rp2040.gpio) {
      pin.addListener((value) => {
        if (PIO_FUNCTIONS.includes(pin.functionSelect)) this.#edge(pin.index, value === GPIOPinState.High, now());
      });
    }
  }

  #edge(pin, high, at) {
    let frame = this.open.get(pin);
    if (high) {
      if (frame && at - frame.end >= LATCH_NS) {
        this.#close(pin, frame);
        frame = undefined;
      }
      if (!frame) this.open.set(pin, (frame = { pin, start: at, end: at, rise: at, bits: [] }));
      frame.rise = at;
    } else if (frame?.rise !== undefined) {
      frame.bits.push(at - frame.rise >= ONE_NS ? 1 : 0);
      frame.rise = undefined;
      frame.end = at;
    }
  }

  #close(pin, frame) {
    this.open.delete(pin);
    const bytes = Buffer.alloc(Math.floor(frame.bits.length / 8));
    frame.bits.forEach((bit, i) => {
      if (bit && i >> 3 < bytes.length) bytes[i >> 3] |= 0x80 >> (i & 7);
    });
    const { start, end } = frame;
    this.frames.push({ pin, start_ms: start / 1e6, end_ms: end / 1e6, loose_bits: frame.bits.length % 8, bytes });
  }

  /** The frames that were latched since the last call. */
  take(now) {
    for (const [pin, frame] of this.open) if (now - frame.end >= LATCH_NS) this.#close(pin, frame);
    const frames = this.frames;
    this.frames = [];
    return frames;
  }
}
