// An emulated Raspberry Pi Pico, driven by JSON lines: one request a line on stdin, one answer a line on stdout.
// Usage: node pico.mjs CIRCUITPYTHON_UF2 RP2040_BOOTROM DRIVE_IMAGE

import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { GPIOPinState } from 'rp2040js';
import { Chip, DRIVE_START, NVM_START } from './chip.mjs';
import { NeoPixelReader } from './neopixel.mjs';
import { readBootRom, readUf2 } from './parts.mjs';
import { UsbHost } from './usb.mjs';

const CHANNELS = { console: 0, data: 1 };
const NVM_SIZE = 4096;
const DRIVE_SIZE = 1024 * 1024;

class Pico {
  constructor([uf2, bootrom, drive]) {
    const flash = readUf2(uf2);
    flash.set(readFileSync(drive).subarray(0, DRIVE_SIZE), DRIVE_START);
    this.chip = new Chip({ bootrom: readBootRom(bootrom), flash });
    this.reader = new NeoPixelReader();
    this.pins = new Map();
    this.edges = [];
    this.watched = new Set();
    this.marks = [];
    this.openChannels = new Set([0, 1]);
    this.cutMessage = null;
    this.chip.onBoot = (rp2040) => this.#booted(rp2040);
  }

  #booted(rp2040) {
    this.host = new UsbHost(rp2040.usbCtrl, { open: [...this.openChannels], now: () => this.chip.nanos });
    this.reader.attach(rp2040, () => this.chip.nanos);
    this.watched.forEach((pin) => this.#watch(pin));
    // Every pin is pulled up, as a button to ground leaves it.
    rp2040.gpio.forEach((pin) => pin.setInputValue(this.pins.get(pin.index) ?? true));
    const waiting = this.edges;
    this.edges = [];
    for (const { pin, high, at } of waiting) this.#edgeAt(pin, high, at);
  }

  #edgeAt(pin, high, at) {
    const edge = { pin, high, at };
    const take = () => {
      this.edges = this.edges.filter((other) => other !== edge);
      this.pins.set(pin, high);
      this.chip.rp2040.gpio[pin].setInputValue(high);
    };
    const delay = at - this.chip.nanos;
    if (delay <= 0) return take();
    this.edges.push(edge);
    this.chip.clock.createAlarm(take).schedule(delay);
  }

  /** Notes each time when a program pulls a pin up or down; it costs the board nothing. */
  #watch(pin) {
    this.chip.rp2040.gpio[pin].addListener((state) => {
      const high = state === GPIOPinState.High;
      if (high || state === GPIOPinState.Low) this.marks.push({ pin, high, ms: this.chip.nanos / 1e6 });
    });
  }

  /** Every request by name; an answer's fields go beside the state that every answer has. */
  requests = {
    power_on: () => {
      if (this.chip.powered) this.chip.powerOff();
      this.cutMessage = null;
      this.chip.powerOn();
    },
    power_off: () => this.chip.powerOff(),
    cut: ({ after_bytes: bytes, kind, nvm }) => {
      this.chip.cut = { bytes, kind, nvm };
    },
    run: ({ ms }) => {
      this.cutMessage = this.chip.run(ms * 1e6) ?? this.cutMessage;
    },
    pin: ({ pin, high, at_ms: at }) => this.#edgeAt(pin, high, at === null ? this.chip.nanos : at * 1e6),
    write: ({ channel, bytes }) => this.host.write(CHANNELS[channel], Buffer.from(bytes, 'base64')),
    open: ({ channel, open }) => {
      this.openChannels[open ? 'add' : 'delete'](CHANNELS[channel]);
      this.host.setOpen(CHANNELS[channel], open);
    },
    frames: () => ({
      frames: this.reader.take(this.chip.nanos).map((frame) => ({ ...frame, bytes: frame.bytes.toString('base64') })),
    }),
    watch: ({ pin }) => {
      this.watched.add(pin);
      if (this.chip.rp2040) this.#watch(pin);
    },
    marks: () => ({ marks: this.marks.splice(0) }),
    packets: () => ({ packets: this.host.takePackets() }),
    nvm: () => ({ bytes: this.#flash(NVM_START, NVM_SIZE) }),
    set_nvm: ({ bytes }) => this.chip.flash.set(Buffer.from(bytes, 'base64'), NVM_START),
    drive: () => ({ bytes: this.#flash(DRIVE_START, DRIVE_SIZE) }),
    set_drive: ({ bytes }) => this.chip.flash.set(Buffer.from(bytes, 'base64'), DRIVE_START),
  };

  #flash(start, size) {
    return Buffer.from(this.chip.flash.subarray(start, start + size)).toString('base64');
  }

  answer(request) {
    const handler = this.requests[request.op];
    if (!handler) return { error: `no request is named '${request.op}'` };
    const result = handler(request) ?? {};
    const received = Object.entries(CHANNELS).map(([name, index]) => [name, this.host?.read(index).toString('base64') ?? '']);
    return {
      now_ms: this.chip.nanos / 1e6,
      powered: this.chip.powered,
      cut: this.cutMessage,
      usb_ready: this.host?.ready ?? false,
      counts: this.chip.counts,
      received: Object.fromEntries(received),
      ...result,
    };
  }
}

const pico = new Pico(process.argv.slice(2));
for await (const line of createInterface({ input: process.stdin })) {
  let answer;
  try {
    answer = pico.answer(JSON.parse(line));
  } catch (error) {
    answer = { error: error.stack };
  }
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
