// What an LED's bytes look like. A byte is light, a screen's number is a signal with gamma, and an eye gets used to a dim board.

const GAMMA = 2.2;

/** @param {string} base64 */
export function bytes(base64) {
  return Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0));
}

// The brightest byte that this board has shown so far is full light, so that its brightness setting does not matter.
export class Eye {
  constructor() {
    this.most = 24;
  }

  /** @param {Uint8Array} track */
  see(track) {
    for (const byte of track) if (byte > this.most) this.most = byte;
  }

  // [colour, how bright from 0 to 1] of the LED at an index
  /** @param {Uint8Array} track @param {number} index @returns {[string, number]} */
  at(track, index) {
    const channels = [track[3 * index], track[3 * index + 1], track[3 * index + 2]];
    const most = Math.max(...channels);
    if (!most) return ["", 0];
    const level = Math.min(1, most / this.most) ** (1 / GAMMA);
    const lit = channels.map((byte) => Math.round(255 * (byte / most) ** (1 / GAMMA) * (0.35 + 0.65 * level)));
    return [`rgb(${lit.join(",")})`, level];
  }
}
