// A board's port over Web Serial. A board has two serial ports: the second one, its data port, answers.

import { hold } from "./locks.js";

const BAUD = 115200; // does not matter, but for 1200, which starts the boot loader
export const LOCK = "cribboard serial port";
export const VENDORS = [0x239a, 0x2e8a]; // of boards with CircuitPython
export const UNPLUGGED = "The board is unplugged. Plug it in again: its score is kept, and so is what was on its way.";
export const ANDROID = /Android/.test(navigator.userAgent);
const LISTS_FROM = 17; // the Android whose Web Serial has ports over USB, from Chrome 148 on

// Why this browser cannot, and what to do; empty when it can.
export function lacking() {
  if (!isSecureContext) return "This page came without HTTPS, so the browser gives it no serial ports: open it by HTTPS, or on this computer by localhost.";
  if ("serial" in navigator || (ANDROID && "usb" in navigator)) return "";
  return "This browser gives pages no serial ports. Chrome, Edge, other Chromium browsers and the newest Firefox do on a laptop, and Chrome on an Android phone.";
}

// What reaches a board here: "serial", "usb" on a phone whose Web Serial lists no ports over USB, or both when it does not say.
/** @returns {Promise<("serial" | "usb")[]>} */
export async function ways() {
  if (!ANDROID || !("usb" in navigator)) return ["serial"];
  if (!("serial" in navigator)) return ["usb"];
  const platform = await navigator.userAgentData?.getHighEntropyValues(["platformVersion"]).catch(() => null);
  const version = Number.parseInt(platform?.platformVersion ?? "", 10);
  if (Number.isNaN(version)) return ["serial", "usb"];
  return version < LISTS_FROM ? ["usb"] : ["serial"];
}

export function nothingChosen() {
  const older = ANDROID ? " Before Android 17 a phone lists none: use “Older Android phone”." : "";
  return `No port chosen. If the list was empty: is it a data cable?${older}`;
}

// The ports that this browser was allowed to use before and that are there, the one that answered last in front.
/** @param {number} answered */
export async function allowed(answered) {
  const ports = (await navigator.serial?.getPorts().catch(() => [])) ?? [];
  return [...ports.slice(answered, answered + 1), ...ports.slice(0, answered), ...ports.slice(answered + 1)];
}

// On a phone ports have no names, so only those that can be a board's are offered.
const offered = () => (ANDROID ? { filters: VENDORS.map((usbVendorId) => ({ usbVendorId })) } : {});

export class SerialPort {
  // `gone(words)` is called when the cable or the board goes.
  /** @param {(words: string) => void} gone */
  constructor(gone) {
    this.gone = gone;
    /** @type {((bytes: Uint8Array) => void) | null} */
    this.heard = null;
    /** @type {Serial | null} */
    this.port = null;
    /** @type {WritableStreamDefaultWriter<Uint8Array> | null} */
    this.writer = null;
    /** @type {ReadableStreamDefaultReader<Uint8Array> | null} */
    this.reader = null;
    /** @type {(() => void) | null} */
    this.release = null;
    this.over = false;
  }

  // Asks for a port with the browser's own dialog, or opens the one that was allowed before; false when nobody chose one.
  /** @param {Serial | null} port */
  async open(port = null) {
    const serial = port ?? (await /** @type {SerialPorts} */ (navigator.serial).requestPort(offered()).catch((error) => {
      if (error.name === "NotFoundError") return null; // the dialog was closed
      throw error;
    }));
    this.port = serial;
    if (!serial) return false;
    this.release = await hold(LOCK);
    if (!this.release) throw new Error("Another tab of this browser has a board. Score there, or close that tab");
    try {
      await serial.open({ baudRate: BAUD });
      await serial.setSignals({ dataTerminalReady: true }); // browsers do not raise it by themselves, and without it a board says nothing
    } catch (error) {
      this.release();
      throw new Error(`The port cannot be opened (${error.message}). Close the program that has it: a terminal, an editor, cribboard`, { cause: error });
    }
    this.writer = serial.writable.getWriter();
    this.read(serial);
    return true;
  }

  /** @param {Serial} serial */
  async read(serial) {
    const reader = serial.readable.getReader();
    this.reader = reader;
    try {
      for (;;) {
        const { value, done } = await reader.read();
        if (done) break;
        this.heard?.(value);
      }
    } catch {
      // the board was unplugged; what follows says so
    }
    reader.releaseLock();
    if (!this.over) await this.close(true);
  }

  /** @param {Uint8Array} bytes */
  async send(bytes) {
    if (this.over) throw new Error("the board is unplugged");
    await this.writer?.write(bytes);
  }

  async close(lost = false) {
    if (this.over) return;
    this.over = true;
    await this.reader?.cancel().catch(() => {});
    this.writer?.releaseLock();
    await this.port?.close().catch(() => {});
    this.release?.();
    if (lost) this.gone(UNPLUGGED);
  }
}
