// An RP2040 with what CircuitPython needs and rp2040js leaves out: a flash that erases and programs (and whose power can be
// cut in between), PIO in lock-step with the CPU's clock, a reset that keeps what a reset keeps.

import { ConsoleLogger, LogLevel, RP2040 } from 'rp2040js';
import { ChipReset, FlashCommands, QspiIo, connectFlash, romFunction } from './parts.mjs';

export const NVM_START = 0xff000;
export const DRIVE_START = 0x100000;
const SECTOR = 4096;

// The reset value of the QSPI pads; low chip select would mean BOOTSEL.
const PAD_INPUT_PULLED_UP = 0x5a;

// W25Q16JV data sheet, typical: page program 0.4 ms, sector erase 45 ms.
const PROGRAM_PAGE_NS = 400_000;
const ERASE_SECTOR_NS = 45_000_000;

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
