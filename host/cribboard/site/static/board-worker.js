// The virtual board: the firmware's own loop, a turn at a time. What a closed tab does to it is what a pulled plug does to
// a board; so an answer leaves the port only when what it answers is kept.

import { fromHex, python, toHex } from "./python.js";
import { Kept } from "./kept.js";

const TURN_MS = 45; // while nobody touches it; a finger or a byte comes at once
const RESTART_MS = 5000; // the watchdog's

let chip = null;
let kept = null;
let written = Promise.resolve(); // the flash and the answers, in their order
let timer = 0;
let reason = "power on";

const page = {
  show: (pin, hex) => postMessage({ show: pin, bytes: fromHex(hex) }),
  tone: (hz, duty) => postMessage({ tone: hz, duty }),
  tell: (json) => postMessage({ lights: JSON.parse(json) }),
  random: (size) => toHex(crypto.getRandomValues(new Uint8Array(size))),
  keep: (hex) => after(() => kept.write("flash", hex)),
  send: (hex) => after(() => postMessage({ arrived: fromHex(hex) })),
  ended(why, ofTen = 0, text = "") {
    clearInterval(timer);
    postMessage({ ended: why, ofTen, text });
    if (why === "fault" && ofTen === 3) setTimeout(() => postMessage({ restart: "watchdog" }), RESTART_MS);
  },
};

function after(act) {
  written = written.then(act).catch((error) => postMessage({ unkept: String(error) }));
}

const orders = {
  async start({ board, settings, name, why }) {
    reason = why ?? reason;
    kept = await Kept.open(`board ${board}`);
    if (!kept.lasts) postMessage({ unkept: kept.why });
    let uid = await kept.read("uid");
    if (!uid) await kept.write("uid", (uid = page.random(8)));
    const source = await fetch(new URL("./chip.py", import.meta.url)).then((answer) => answer.text());
    const found = await python("chip", page, { "lib/chip.py": source, "settings.toml": settings });
    chip = { goOn: found.go_on, finger: found.finger, arrive: found.arrive, connect: found.connect };
    found.power_on((await kept.read("flash")) ?? "", uid, reason);
    timer = setInterval(chip.goOn, TURN_MS);
    postMessage({ started: name });
  },
  finger: ({ pin, down }) => chip.finger(pin, down),
  arrive: ({ bytes }) => chip.arrive(toHex(bytes)),
  connect: ({ connected }) => chip.connect(connected),
};

// One after the other: a finger that comes before the board has started waits for it.
let order = Promise.resolve();
addEventListener("message", ({ data }) => {
  order = order.then(() => orders[data.do](data)).catch((error) => postMessage({ ended: "fault", ofTen: 3, text: String(error.message ?? error) }));
});
