// The board's port over its own network: a WebSocket whose binary messages are frames, and whose texts are words of the
// board's server: firmware/wire/README.md, "Over Wi-Fi".

const BEAT_MS = 5000;
const SILENT_MS = 20000;
const OPENS_MS = 8000;

// Why the board gives no place, for the page to say: join, full or elsewhere.
export class NoPlace extends Error {}

export class WifiPort {
  // `gone(word)` is called when the connection ends: with the board's last word, or empty when it was cut.
  /** @param {(word: string) => void} gone */
  constructor(gone) {
    this.gone = gone;
    this.reliable = true; // what is sent arrives, or the port ends
    /** @type {((bytes: Uint8Array) => void) | null} */
    this.heard = null;
    /** @type {WebSocket | null} */
    this.socket = null;
    this.over = false;
    this.word = "";
    this.last = 0;
    this.beat = 0;
  }

  // Resolves with the token and the board's addresses once there is a place; a NoPlace says why there is none.
  /** @param {string} me @param {string} token @param {boolean} take @returns {Promise<string[]>} */
  open(me, token, take) {
    const socket = new WebSocket(`ws://${location.host}/wire?${me}&${token}${take ? "&take" : ""}`);
    socket.binaryType = "arraybuffer";
    this.socket = socket;
    this.last = performance.now();
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => this.end(), OPENS_MS);
      socket.onmessage = ({ data }) => {
        this.last = performance.now();
        if (typeof data !== "string") this.heard?.(new Uint8Array(data));
        else if (data.startsWith("key ")) {
          clearTimeout(late);
          this.beat = setInterval(() => this.look(), BEAT_MS);
          resolve(data.split(" ").slice(1));
        } else if (data) this.word = data;
      };
      socket.onclose = () => {
        clearTimeout(late);
        const { word } = this;
        reject(word ? new NoPlace(word) : new Error("The board does not answer"));
        this.end();
      };
    });
  }

  look() {
    if (performance.now() - this.last > SILENT_MS) this.end();
    else if (this.socket?.readyState === WebSocket.OPEN) this.socket.send("");
  }

  /** @param {Uint8Array} bytes */
  send(bytes) {
    if (this.over || this.socket?.readyState !== WebSocket.OPEN) throw new Error("The board is not there");
    this.socket.send(/** @type {Uint8Array<ArrayBuffer>} */ (bytes));
  }

  end() {
    if (this.over) return;
    this.over = true;
    clearInterval(this.beat);
    this.socket?.close();
    this.gone(this.word);
  }
}
