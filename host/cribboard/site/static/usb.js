// A board's data port over WebUSB, for Android phones before 17, whose Web Serial lists no ports over USB. It has what
// SerialPort has. Not tried on hardware: whether a phone lets go of the port while it has the board's drive is not known.

import { hold } from "./locks.js";
import { LOCK, UNPLUGGED, VENDORS } from "./serial.js";

const COMMUNICATION = 2, DATA = 10; // classes of interfaces; a serial port has one of each, in this order
const SET_CONTROL_LINE_STATE = 0x22;
const DTR = 1;

// The interfaces and endpoints of the second serial port: a board's first one is its console. Null when there is none.
/** @param {UsbConfiguration | null} configuration */
export function dataPort(configuration) {
  const interfaces = configuration?.interfaces ?? [];
  const ports = interfaces.flatMap((one, at) => {
    const control = interfaces[at - 1];
    const isPort = one.alternate.interfaceClass === DATA && control?.alternate.interfaceClass === COMMUNICATION;
    const bulk = (/** @type {"in" | "out"} */ way) => one.alternate.endpoints.find((end) => end.type === "bulk" && end.direction === way);
    const from = bulk("in"), to = bulk("out");
    return isPort && from && to ? [{ control: control.interfaceNumber, data: one.interfaceNumber, from, to }] : [];
  });
  return ports[1] ?? null;
}

export class UsbPort {
  // `gone(words)` is called when the cable or the board goes.
  /** @param {(words: string) => void} gone */
  constructor(gone) {
    this.gone = gone;
    /** @type {((bytes: Uint8Array) => void) | null} */
    this.heard = null;
    /** @type {UsbDevice | null} */
    this.device = null;
    /** @type {(() => void) | null} */
    this.release = null;
    this.ends = /** @type {NonNullable<ReturnType<typeof dataPort>>} */ (/** @type {unknown} */ (null)); // until it is open
    this.over = false;
  }

  // Asks for a board with the browser's own dialog, or opens the one that was allowed before; false when nobody chose one.
  /** @param {UsbDevice | null} given */
  async open(given = null) {
    const filters = VENDORS.map((vendorId) => ({ vendorId }));
    const device = given ?? (await /** @type {UsbDevices} */ (navigator.usb).requestDevice({ filters }).catch((error) => {
      if (error.name === "NotFoundError") return null; // the dialog was closed
      throw error;
    }));
    this.device = device;
    if (!device) return false;
    this.release = await hold(LOCK);
    if (!this.release) throw new Error("Another tab of this browser has a board. Score there, or close that tab");
    try {
      await device.open();
      if (!device.configuration) await device.selectConfiguration(1);
      const ends = dataPort(device.configuration);
      if (!ends) throw new Error("it has no second serial port: is it a board with its firmware?");
      this.ends = ends;
      await device.claimInterface(ends.control);
      await device.claimInterface(ends.data);
      await this.ready(DTR);
    } catch (error) {
      this.release();
      throw new Error(`The phone does not give this page the board’s port (${error.message.replace(/\.$/, "")}). Unplug the board, close apps that show its drive, and plug it in again`, { cause: error });
    }
    this.read(device);
    return true;
  }

  // The board speaks while somebody has the port open, which this says.
  /** @param {number} value */
  ready(value) {
    return this.device?.controlTransferOut({ requestType: "class", recipient: "interface", request: SET_CONTROL_LINE_STATE, value, index: this.ends.control });
  }

  /** @param {UsbDevice} device */
  async read(device) {
    const { from } = this.ends;
    try {
      while (!this.over) {
        const { data, status } = await device.transferIn(from.endpointNumber, from.packetSize);
        if (status === "stall") await device.clearHalt("in", from.endpointNumber);
        if (data?.byteLength) this.heard?.(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
      }
    } catch {
      // the board was unplugged; what follows says so
    }
    if (!this.over) await this.close(true);
  }

  /** @param {Uint8Array} bytes */
  async send(bytes) {
    if (this.over) throw new Error("the board is unplugged");
    await this.device?.transferOut(this.ends.to.endpointNumber, bytes);
  }

  async close(lost = false) {
    if (this.over) return;
    this.over = true;
    if (!lost && this.ends) await this.ready(0)?.catch(() => {});
    await this.device?.close().catch(() => {});
    this.release?.();
    if (lost) this.gone(UNPLUGGED);
  }
}
