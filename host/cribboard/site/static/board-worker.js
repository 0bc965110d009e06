// The virtual board: the firmware's own loop, a turn at a time. What a closed tab does to it is what a pulled plug does to
// a board; so an answer leaves the port only when what it answers is kept.

import { fromHex, load, python, random, toHex } from "./python.js";
import { Kept } from "./kept.js";

const TURN_MS = 60; // while nobody touches it; a finger or a byte comes at once
const BUSY_TURN_MS = 8; // what a finger has begun goes on in a moment
const BUSY_MS = 120;
const RESTART_MS = 5000; // the watchdog's

let chip = null;
let kept = null;
let written = Promise.resolve(); // the flash and the answers, in their order
let timer = 0;
let busyUntil = 0;
let stopped = false;
let reason = "power on";

const page = {
  show: (pin, hex) => postMessage({ show: pin, bytes: fromHex(hex) }),
  tone: (hz, duty) => postMessage({ tone: hz, duty }),
  tell: (json) => postMessage({ lights: JSON.parse(json) }),
  random,
  keep: (hex) => after(() => kept.write("flash", hex)),
  send: (hex) => after(() => postMessage({ arrived: fromHex(hex) })),
  ended(why, ofTen = 0, text = "") {
    stopped = true;
    postMessage({ ended: why, ofTen, text });
    if (why === "fault" && ofTen === 3) setTimeout(() => postMessage({ restart: "watchdog" }), RESTART_MS);
  },
};

// A turn of the loop, and the next one soon after a finger or a byte, or when there is more to do.
function run(goesOn, touched = false) {
  if (touched) busyUntil = performance.now() + BUSY_MS;
  clearTimeout(timer);
  if (stopped) return;
  const wait = goesOn ? 0 : performance.now() < busyUntil ? BUSY_TURN_MS : TURN_MS;
  timer = setTimeout(() => run(chip.goOn()), wait);
}

function after(act) {
  written = written.then(act).catch((error) => postMessage({ unkept: String(error) }));
}

const orders = {
  async start({ board, settings, name, why }) {
    reason = why ?? reason;
    kept = await Kept.open(`board ${board}`);
    if (!kept.lasts) postMessage({ unkept: kept.why });
    let uid = await kept.read("uid");
    if (!uid) await kept.write("uid", (uid = random(8)));
    const found = await python("chip", page, { "lib/chip.py": await load("chip.py"), "settings.toml": settings });
    chip = { goOn: found.go_on, finger: found.finger, arrive: found.arrive, connect: found.connect };
    found.power_on((await kept.read("flash")) ?? "", uid, reason);
    run(true);
    postMessage({ started: name });
  },
  finger: ({ pin, down }) => run(chip.finger(pin, down), true),
  arrive: ({ bytes }) => run(chip.arrive(toHex(bytes)), true),
  connect: ({ connected }) => run(chip.connect(connected), true),
};

// One after the other: a finger that comes before the board has started waits for it.
let order = Promise.resolve();
addEventListener("message", ({ data }) => {
  order = order.then(() => orders[data.do](data)).catch((error) => postMessage({ ended: "fault", ofTen: 3, text: String(error.message ?? error) }));
});
