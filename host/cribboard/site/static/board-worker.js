// The virtual board: the firmware's own loop, a turn at a time. What a closed tab does to it is what a pulled plug does to
// a board; so an answer leaves the port only when what it answers is kept.

import { fromHex, imported, put, python, random, toHex } from "./python.js";
import { Kept } from "./kept.js";

const TURN_MS = 75; // while nobody touches it; a finger or a byte comes at once
const BUSY_TURN_MS = 8; // what a finger has begun goes on in a moment
const BUSY_MS = 120;
const RESTART_MS = 5000; // the watchdog's

/** @typedef {{ goOn(): boolean, finger(pin: string, down: boolean): boolean, arrive(hex: string): boolean, connect(connected: boolean): boolean }} Chip */
/** @typedef {{ go_on: Chip["goOn"], finger: Chip["finger"], arrive: Chip["arrive"], connect: Chip["connect"], power_on(flash: string, uid: string, reason: string): void }} Firmware */
/** @type {Chip} */
let chip;
/** @type {Kept} */
let kept;
let written = Promise.resolve(); // the flash and the answers, in their order
let timer = 0;
let busyUntil = 0;
let stopped = false;
let reason = "power on";

const page = {
  /** @param {string} pin @param {string} hex */
  show: (pin, hex) => postMessage({ show: pin, bytes: fromHex(hex) }),
  /** @param {number} hz @param {number} duty */
  tone: (hz, duty) => postMessage({ tone: hz, duty }),
  /** @param {string} json */
  tell: (json) => postMessage({ lights: JSON.parse(json) }),
  random,
  /** @param {string} hex */
  keep: (hex) => after(() => kept.write("flash", hex)),
  /** @param {string} hex */
  send: (hex) => after(() => postMessage({ arrived: fromHex(hex) })),
  /** @param {string} why */
  ended(why, ofTen = 0, text = "") {
    stopped = true;
    postMessage({ ended: why, ofTen, text });
    if (why === "fault" && ofTen === 3) setTimeout(() => postMessage({ restart: "watchdog" }), RESTART_MS);
  },
};

const loaded = python(page); // while the page still asks which board, and whether it may have it

// A turn of the loop, and the next one soon after a finger or a byte, or when there is more to do.
/** @param {boolean} goesOn */
function run(goesOn, touched = false) {
  if (touched) busyUntil = performance.now() + BUSY_MS;
  clearTimeout(timer);
  if (stopped) return;
  const wait = goesOn ? 0 : performance.now() < busyUntil ? BUSY_TURN_MS : TURN_MS;
  timer = setTimeout(() => run(chip.goOn()), wait);
}

/** @param {() => void | Promise<void>} act */
function after(act) {
  written = written.then(act);
}

/** @type {Record<string, (order: BoardOrder) => unknown>} */
const orders = {
  async start({ board, settings, name, why }) {
    reason = why ?? reason;
    kept = await Kept.open(`board ${board}`, (unkept) => postMessage({ unkept }));
    /** @type {string | undefined} */
    let uid = await kept.read("uid");
    if (!uid) await kept.write("uid", (uid = random(8)));
    await loaded;
    put({ "settings.toml": settings });
    /** @type {Firmware} */
    const firmware = imported("chip");
    chip = { goOn: firmware.go_on, finger: firmware.finger, arrive: firmware.arrive, connect: firmware.connect };
    /** @type {string | undefined} */
    const flash = await kept.read("flash");
    firmware.power_on(flash ?? "", uid, reason);
    run(true);
    postMessage({ started: name });
  },
  finger: ({ pin, down }) => run(chip.finger(pin, down), true),
  arrive: ({ bytes }) => run(chip.arrive(toHex(bytes)), true),
  connect: ({ connected }) => run(chip.connect(connected), true),
};

// One after the other: a finger that comes before the board has started waits for it.
/** @type {Promise<unknown>} */
let order = Promise.resolve();
addEventListener("message", ({ data }) => {
  order = order.then(() => orders[data.do](data)).catch((error) => postMessage({ ended: "fault", ofTen: 3, text: String(error.message ?? error) }));
});
