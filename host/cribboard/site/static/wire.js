// The wire: one JSON array and its CRC-32 a line, so that any damage costs one frame. firmware/wire/README.md describes it.

export const PROTOCOL = 2;
const MAX_FRAME = 120; // bytes with both newlines
const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

/** @param {string} text */
export function crc32(text) {
  let value = 0xffffffff;
  for (let at = 0; at < text.length; at += 1) value = (value >>> 8) ^ TABLE[(value ^ text.charCodeAt(at)) & 255];
  return ((value ^ 0xffffffff) >>> 0).toString(16).padStart(8, "0");
}

/** @param {Value[]} message */
export function encode(message) {
  const body = JSON.stringify(message).replace(/[^ -~]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`);
  const frame = `\n${body}*${crc32(body)}\n`;
  if (frame.length > MAX_FRAME) throw new RangeError(`${body} fits no frame`);
  return new TextEncoder().encode(frame);
}

// The message of a line, null when it is anything but one whole, undamaged frame.
/** @param {string} text @returns {Value[] | null} */
export function decode(text) {
  const line = text.trim();
  const body = line.slice(0, -9);
  if (line.length < 11 || line.length > MAX_FRAME || !line.startsWith("[") || line.slice(-9) !== `*${crc32(body)}`) return null;
  try {
    const message = JSON.parse(body);
    return Array.isArray(message) ? message : null;
  } catch {
    return null;
  }
}

// Puts bytes together into messages; keeps at most one frame's worth.
export class Lines {
  constructor() {
    this.rest = "";
  }

  /** @param {Uint8Array} bytes */
  feed(bytes) {
    const lines = (this.rest + String.fromCharCode(...bytes)).split("\n");
    const rest = lines.pop() ?? "";
    this.rest = rest.length < MAX_FRAME ? rest : "?";
    return lines.map(decode).filter((message) => message !== null);
  }
}
