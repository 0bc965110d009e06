// What is around the RP2040 and rp2040js leaves out: the files that its memories come from, the flash chip's serial port, and
// the registers that say why the chip started.

import { readFileSync } from 'node:fs';
import { BasePeripheral } from 'rp2040js';

export const FLASH_SIZE = 2 * 1024 * 1024;
const UF2_BLOCK = 512;
const UF2_NOT_MAIN_FLASH = 1;
const FLASH_BASE = 0x10000000;

/** The boot ROM's words: an array literal in a .ts or .js file, or the raw bytes. */
export function readBootRom(path) {
  const raw = readFileSync(path);
  if (!/\.(ts|js|mjs|cjs)$/.test(path)) {
    return new Uint32Array(raw.buffer.slice(raw.byteOffset, raw.byteOffset + (raw.length & ~3)));
  }
  const text = raw.toString('utf8').replace(/\/\/.*$/gm, '');
  const literal = text.slice(text.indexOf('[') + 1, text.lastIndexOf(']'));
  return Uint32Array.from(literal.match(/0x[0-9a-f]+|\d+/gi), Number);
}

/** The flash image that a UF2 file describes. */
export function readUf2(path) {
  const file = readFileSync(path);
  const flash = new Uint8Array(FLASH_SIZE).fill(0xff);
  for (let at = 0; at + UF2_BLOCK <= file.length; at += UF2_BLOCK) {
    if (file.readUInt32LE(at) !== 0x0a324655 || file.readUInt32LE(at + 4) !== 0x9e5d5157) {
      throw new Error(`${path}: no UF2 block at byte ${at}`);
    }
    if (file.readUInt32LE(at + 8) & UF2_NOT_MAIN_FLASH) continue;
    const target = file.readUInt32LE(at + 12) - FLASH_BASE;
    const size = file.readUInt32LE(at + 16);
    flash.set(file.subarray(at + 32, at + 32 + size), target);
  }
  return flash;
}

/** The address of a function in the boot ROM's table (RP2040 data sheet, 2.8.3). */
export function romFunction(bootrom, name) {
  const bytes = new DataView(bootrom.buffer, bootrom.byteOffset);
  const code = name.charCodeAt(0) | (name.charCodeAt(1) << 8);
  for (let at = bytes.getUint16(0x14, true); bytes.getUint16(at, true); at += 4) {
    if (bytes.getUint16(at, true) === code) return bytes.getUint16(at + 2, true) & ~1;
  }
  throw new Error(`the boot ROM has no function '${name}'`);
}

/** VREG_AND_CHIP_RESET: only why the chip started. */
export class ChipReset extends BasePeripheral {
  constructor(rp2040, name, hadPowerOn) {
    super(rp2040, name);
    this.registers = new Map([[0x8, hadPowerOn ? 1 << 8 : 0]]);
  }
  readUint32(offset) {
    return this.registers.get(offset) ?? 0;
  }
  writeUint32(offset, value) {
    if (offset !== 0x8) this.registers.set(offset, value);
  }
}

/** IO_QSPI: the boot ROM and the SDK pull the flash's chip select here. */
export class QspiIo extends BasePeripheral {
  constructor(rp2040, name, onSelect) {
    super(rp2040, name);
    this.registers = new Map();
    this.onSelect = onSelect;
  }
  readUint32(offset) {
    return this.registers.get(offset) ?? 0;
  }
  writeUint32(offset, value) {
    this.registers.set(offset, value);
    if (offset === 0x0c) this.onSelect(((value >> 8) & 3) === 2);
  }
}

/** The flash chip's answers to commands sent byte by byte: status, content, size and unique number. */
export class FlashCommands {
  constructor(flash, uid) {
    this.flash = flash;
    this.uid = uid;
    this.select();
  }
  select() {
    this.command = -1;
    this.address = 0;
    this.at = 0;
  }
  exchange(byte) {
    const at = this.at++;
    if (at === 0) this.command = byte;
    if (this.command === 0x9f) return [0, 0xef, 0x40, 0x15][at] ?? 0;
    if (this.command === 0x4b) return this.uid[at - 5] ?? 0;
    if (this.command !== 0x03) return 0;
    if (at >= 4) return this.flash[this.address++];
    if (at > 0) this.address = (this.address << 8) | byte;
    return 0;
  }
}

/** Gives the SSI a receive FIFO with the flash chip's answers behind it. */
export function connectFlash(ssi, commands) {
  const [enabled, rxLevel, status, data] = [0x08, 0x24, 0x28, 0x60];
  const [idle, received] = [0x06, 0x08];
  let fifo = [];
  const write = ssi.writeUint32.bind(ssi);
  const read = ssi.readUint32.bind(ssi);
  ssi.writeUint32 = (offset, value) => {
    if (offset === enabled) fifo = [];
    if (offset === data) fifo.push(commands.exchange(value & 0xff));
    else write(offset, value);
  };
  ssi.readUint32 = (offset) => {
    if (offset === status) return idle | (fifo.length ? received : 0);
    if (offset === rxLevel) return fifo.length;
    if (offset === data) return fifo.shift() ?? 0;
    return read(offset);
  };
}
