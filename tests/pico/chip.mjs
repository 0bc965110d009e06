// An RP2040 with what CircuitPython needs and rp2040js leaves out: a flash that erases and programs (and whose power can be
// cut in between), PIO in lock-step with the CPU's clock, a reset that keeps what a reset keeps.

import { readFileSync } from 'node:fs';
import { BasePeripheral, LogLevel, ConsoleLogger, RP2040 } from 'rp2040js';

export const FLASH_SIZE = 2 * 1024 * 1024;
export const NVM_START = 0xff000;
export const DRIVE_START = 0x100000;
const SECTOR = 4096;
const UF2_BLOCK = 512;
const UF2_NOT_MAIN_FLASH = 1;
const FLASH_BASE = 0x10000000;

// The reset value of the QSPI pads; low chip select would mean BOOTSEL.
const PAD_INPUT_PULLED_UP = 0x5a;

// W25Q16JV data sheet, typical: page program 0.4 ms, sector erase 45 ms.
const PROGRAM_PAGE_NS = 400_000;
const ERASE_SECTOR_NS = 45_000_000;

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
function romFunction(bootrom, name) {
  const bytes = new DataView(bootrom.buffer, bootrom.byteOffset);
  const code = name.charCodeAt(0) | (name.charCodeAt(1) << 8);
  for (let at = bytes.getUint16(0x14, true); bytes.getUint16(at, true); at += 4) {
    if (bytes.getUint16(at, true) === code) return bytes.getUint16(at + 2, true) & ~1;
  }
  throw new Error(`the boot ROM has no function '${name}'`);
}

/** VREG_AND_CHIP_RESET: only why the chip started. */
class ChipReset extends BasePeripheral {
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
class QspiIo extends BasePeripheral {
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
class FlashCommands {
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
function connectFlash(ssi, commands) {
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

/** The power is gone: nothing runs until the next reboot. */
export class PowerCut extends Error {}

export class Chip {
  /** `flash` is the whole chip's content and outlives every reboot. */
  constructor({ bootrom, flash, uid = [0xe6, 0x60, 0x58, 0x38, 0x83, 0x12, 0x34, 0x56], flashTimes = true }) {
    this.cleanBootrom = bootrom;
    this.flash = new Uint8Array(16 * 1024 * 1024).fill(0xff);
    this.flash.set(flash);
    this.uid = uid;
    this.flashTimes = flashTimes;
    this.onBoot = () => {};
    this.counts = { nvm_erases: 0, nvm_programs: 0, erases: 0, programs: 0, resets: 0 };
    this.cut = null;
    this.elapsedNanos = 0;
    this.powered = false;
  }

  /** Powers the chip on: RAM is empty, the flash is as it was. */
  powerOn() {
    this.#boot(null);
  }

  /** What the watchdog does: RAM and its scratch registers stay. */
  #resetByWatchdog() {
    const old = this.rp2040;
    const watchdog = old.peripherals[0x40058];
    this.counts.resets++;
    this.#boot({ sram: old.sram, scratch: watchdog.scratchData, reason: watchdog.reason });
  }

  #boot(kept) {
    if (this.rp2040) this.elapsedNanos += this.clock.nanos;
    const rp2040 = new RP2040();
    this.rp2040 = rp2040;
    this.clock = rp2040.clock;
    rp2040.logger = new ConsoleLogger(LogLevel.Error, false);
    rp2040.logger.error = () => {};
    rp2040.flash = this.flash;
    rp2040.flash16 = new Uint16Array(this.flash.buffer);
    rp2040.flashView = new DataView(this.flash.buffer);
    rp2040.bootrom.set(this.cleanBootrom);
    this.#hookRom();
    this.#replacePeripherals(kept === null);
    for (const pad of rp2040.qspi) {
      pad.padValue = PAD_INPUT_PULLED_UP;
      pad.setInputValue(true);
    }
    const watchdog = rp2040.peripherals[0x40058];
    if (kept) {
      rp2040.sram.set(kept.sram);
      watchdog.scratchData.set(kept.scratch);
      watchdog.reason = kept.reason;
    }
    watchdog.onWatchdogTrigger = () => {
      // rp2040js would fire the same alarm again at once and for ever.
      watchdog.timer.enable = false;
      this.resetWanted = true;
    };
    this.resetWanted = false;
    this.powered = true;
    this.#lockStepPio();
    rp2040.core.reset();
    this.onBoot(rp2040);
  }

  #hookRom() {
    const { rp2040 } = this;
    const view = new DataView(rp2040.bootrom.buffer);
    const hooks = [
      ['RE', () => this.#erase()],
      ['RP', () => this.#program()],
    ];
    hooks.forEach(([name], index) => view.setUint16(romFunction(rp2040.bootrom, name), 0xbe00 | (index + 1), true));
    rp2040.onBreak = (code) => {
      hooks[code - 1]?.[1]();
      rp2040.core.PC = rp2040.core.LR & ~1;
    };
  }

  #replacePeripherals(hadPowerOn) {
    const { rp2040 } = this;
    const commands = new FlashCommands(this.flash, this.uid);
    connectFlash(rp2040.peripherals[0x18000], commands);
    rp2040.peripherals[0x40018] = new QspiIo(rp2040, 'IO_QSPI', (low) => low && commands.select());
    rp2040.peripherals[0x40064] = new ChipReset(rp2040, 'VREG_AND_CHIP_RESET', hadPowerOn);
  }

  // --- flash ---

  #erase() {
    const [offset, count] = this.rp2040.core.registers;
    for (let at = offset; at < offset + count; at += SECTOR) {
      this.counts.erases++;
      if (at === NVM_START) this.counts.nvm_erases++;
      this.#change('erase', at, SECTOR, () => 0xff);
      if (this.flashTimes) this.#pass(ERASE_SECTOR_NS);
    }
  }

  #program() {
    const [offset, source, count] = this.rp2040.core.registers;
    const data = Uint8Array.from({ length: count }, (_, i) => this.rp2040.readUint8(source + i));
    for (let page = 0; page < count; page += 256) {
      this.counts.programs++;
      if (offset >= NVM_START && offset < NVM_START + SECTOR) this.counts.nvm_programs++;
      this.#change('program', offset + page, Math.min(256, count - page), (i) => this.flash[i] & data[i - offset]);
      if (this.flashTimes) this.#pass(PROGRAM_PAGE_NS);
    }
  }

  /** Puts new bytes in one after the other, and cuts the power when as many as wanted have changed. */
  #change(kind, start, count, newByte) {
    const { cut } = this;
    const counted = cut && (!cut.kind || cut.kind === kind) && (!cut.nvm || (start >= NVM_START && start < DRIVE_START));
    for (let i = start; i < start + count; i++) {
      const byte = newByte(i);
      if (byte === this.flash[i]) continue;
      if (!counted || cut.bytes > 0) this.flash[i] = byte;
      if (counted && --cut.bytes <= 0) {
        this.powerOff();
        throw new PowerCut(`power cut in a flash ${kind} at byte ${i - start} of 0x${start.toString(16)}`);
      }
    }
  }

  powerOff() {
    this.cut = null;
    this.powered = false;
  }

  // --- time ---

  get nanos() {
    return this.elapsedNanos + (this.rp2040 ? this.clock.nanos : 0);
  }

  /** PIO machines run as events: `due` is when a machine's next instruction starts. */
  #lockStepPio() {
    this.pioDue = Infinity;
    for (const pio of this.rp2040.pio) {
      pio.run = () => {};
      pio.stop = () => {};
      for (const machine of pio.machines) {
        machine.due = Infinity;
        const write = machine.writeFIFO.bind(machine);
        machine.writeFIFO = (value) => {
          write(value);
          this.#wake(machine);
        };
        pio.step = () => {};
      }
      const writeRegister = pio.writeUint32.bind(pio);
      pio.writeUint32 = (offset, value) => {
        writeRegister(offset, value);
        pio.checkChangedPins();
        if (offset === 0) pio.machines.forEach((machine) => this.#wake(machine));
      };
    }
  }

  #wake(machine) {
    if (!machine.enabled) machine.due = Infinity;
    else if (machine.due === Infinity && !machine.waiting) machine.due = this.clock.nanos;
    this.pioDue = Math.min(this.pioDue, machine.due);
  }

  #stepPio() {
    const now = this.clock.nanos;
    let next = Infinity;
    for (const pio of this.rp2040.pio) {
      for (const machine of pio.machines) {
        if (machine.due <= now) {
          const before = machine.cycles;
          machine.step();
          pio.checkChangedPins();
          const spent = Math.max(1, machine.cycles - before);
          const divider = (machine.clockDivInt || 65536) + machine.clockDivFrac / 256;
          machine.due = machine.waiting || !machine.enabled ? Infinity : machine.due + (spent * divider * 1e9) / this.rp2040.clkSys;
        }
        if (machine.due < next) next = machine.due;
      }
    }
    this.pioDue = next;
  }

  /** Lets time pass for everything but the CPU. */
  #pass(nanos) {
    const { clock } = this;
    const until = clock.nanos + nanos;
    while (this.pioDue <= until) {
      if (this.pioDue > clock.nanos) clock.tick(this.pioDue - clock.nanos);
      this.#stepPio();
    }
    if (until > clock.nanos) clock.tick(until - clock.nanos);
  }

  /** Runs for so many simulated nanoseconds; a power cut ends it early. */
  run(nanos) {
    const until = this.nanos + nanos;
    while (this.powered && this.nanos < until) {
      try {
        this.#runUntil(until - this.elapsedNanos);
      } catch (error) {
        if (error instanceof PowerCut) return error.message;
        throw error;
      }
      if (this.resetWanted) this.#resetByWatchdog();
    }
    return null;
  }

  #runUntil(until) {
    const { clock } = this;
    const { core } = this.rp2040;
    let cycleNanos = 1e9 / this.rp2040.clkSys;
    let countdown = 1000;
    while (clock.nanosCounter < until && !this.resetWanted) {
      if (core.waiting) {
        if (core.pendingInterrupts & core.enabledInterrupts) {
          core.waiting = false;
          continue;
        }
        const next = Math.min(clock.nextAlarm ? clock.nextAlarm.nanos : Infinity, this.pioDue, until);
        this.#pass(Math.max(next - clock.nanosCounter, 0));
        continue;
      }
      clock.tick(core.executeInstruction() * cycleNanos);
      if (this.pioDue <= clock.nanosCounter) this.#stepPio();
      if (--countdown === 0) {
        countdown = 1000;
        cycleNanos = 1e9 / this.rp2040.clkSys;
      }
    }
  }
}
