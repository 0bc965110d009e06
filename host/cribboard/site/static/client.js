// A board at the other end of a port: queries, commands that count exactly once, and its events. firmware/wire/README.md says
// under "Commands" what a program must do; the numbers of its rules stand where they are kept.

import { encode, Lines, PROTOCOL } from "./wire.js";

const WAITS_MS = [20, 180]; // before a frame is sent again: the first, then more and more
const RELIABLE_WAITS_MS = [1000, 1000]; // at a port that loses nothing, where a second frame would only be in the way
const SILENT_MS = 700; // then the page says that it is waiting for the board
const GONE_MS = 5000;
const SHOWN_MS = 400; // points that only light up keep nothing else waiting
const LAST_ID = 255;
const STEP = 500; // sessions
const KEPT = 30; // newest events, to see later whether the board still has them
const TARGETS = [61, 91, 121, 241];
const UNMET = /** @type {never} */ (null); // until the board is met
const TAKEN_OVER = "another program is using the board; look at the score, and repeat it if it is still right";
const UNKNOWN = /** @type {Said} */ (["unknown", undefined, "the board no longer knows whether this counted; look at the score"]);

export class Gone extends Error {}
export class NotABoard extends Error {}

// What the board refused; `code` is the board's, or stale, lost, unknown.
export class Refused extends Error {
  /** @param {string | number} code @param {string} text */
  constructor(code, text) {
    super(text);
    this.code = code;
  }
}

// What an event has, whatever a newer firmware adds.
/** @param {Value[]} values */
const asRow = (values) => /** @type {Row} */ (/** @type {unknown} */ (values.slice(0, 9)));

export class Client {
  /** @param {Port} port @param {Notes} store @param {ClientOn} on */
  constructor(port, store, on) {
    this.port = port;
    this.store = store;
    this.on = on;
    this.lines = new Lines();
    this.waiting = /** @type {{ fits: Fits, answer: (message: Value[]) => void } | null} */ (null);
    this.turn = /** @type {Promise<unknown>} */ (Promise.resolve());
    this.state = /** @type {Standing} */ (UNMET);
    this.hello = /** @type {Hello} */ (UNMET);
    this.note = /** @type {Note} */ (UNMET);
    this.number = crypto.getRandomValues(new Uint8Array(1))[0] % 255; // an answer to an earlier program may still come
    port.heard = (bytes) => this.heard(bytes);
  }

  /** @param {Uint8Array} bytes */
  heard(bytes) {
    for (const message of this.lines.feed(bytes)) {
      if (this.waiting?.fits(message)) this.waiting.answer(message);
      else if (message[0] === "ev") this.follow(asRow(message.slice(1)));
      else if (message[0] === "pend" && message[1] === -1) {
        const [side, points, owner] = /** @type {number[]} */ (message.slice(2, 5));
        this.on.pending(side, points, owner);
      }
    }
  }

  // One request at a time; the same frame again until it is answered.
  /** @param {Value[]} message @param {Fits} fits @returns {Promise<Value[]>} */
  async exchange(message, fits, patience = GONE_MS) {
    const frame = encode(message);
    const began = performance.now();
    const ends = began + patience;
    let silent = false;
    for (let [wait, last] = this.port.reliable ? RELIABLE_WAITS_MS : WAITS_MS; performance.now() < ends; wait = Math.min(last, 1.5 * wait)) {
      /** @type {Promise<Value[]>} */
      const answered = new Promise((resolve) => (this.waiting = { fits, answer: resolve }));
      await this.port.send(frame);
      const answer = await Promise.race([answered, later(wait)]);
      if (answer) {
        this.waiting = null;
        if (silent) this.on.silent?.(false);
        return answer;
      }
      if (!silent && performance.now() - began > SILENT_MS) this.on.silent?.((silent = true));
    }
    this.waiting = null;
    throw new Gone("the board does not answer");
  }

  /** @template {keyof Answers} O @param {O} op @param {Value[]} args */
  ask(op, ...args) {
    return this.query(op, args);
  }

  /** @template {keyof Answers} O @param {O} op @param {Value[]} args @param {number} [patience] @returns {Promise<Answers[O]>} */
  async query(op, args, patience) {
    this.number = (this.number % 255) + 1;
    const q = this.number;
    const answer = await this.exchange([op, q, ...args], (heard) =>
      (heard[0] === op && heard[1] === q) || (heard[0] === "no" && heard[1] === 0 && heard[2] === q), patience);
    if (answer[0] === "no") throw new Refused(String(answer[3]), String(answer[4]));
    return /** @type {Answers[O]} */ (/** @type {unknown} */ (answer.slice(2)));
  }

  // Points that somebody is about to peg light up on the board.
  /** @param {number} side @param {number} points @param {number} owner @param {number} seconds */
  pend(side, points, owner, seconds) {
    return this.inTurn(() => this.query("pend", [side, points, owner, seconds], SHOWN_MS));
  }

  // Everything in its order: a second command waits for the first.
  /** @template T @param {() => T | Promise<T>} act @returns {Promise<T>} */
  inTurn(act) {
    const done = this.turn.then(act);
    this.turn = done.catch(() => {});
    return done;
  }

  /** Gives what there is to say of an earlier time: [what, …] and the command. @param {number} [patience] until it answers, ms */
  open(patience) {
    return this.inTurn(() => this.meet(patience));
  }

  /** @param {number} [patience] @returns {Promise<[Said, Command | null][]>} */
  async meet(patience) {
    const hello = await this.greeted(patience);
    this.hello = hello;
    const { uid, epoch, session, lastId } = hello;
    this.note = (await this.store.read(`board ${uid}`)) ?? { session: 0, id: 0, left: null, next: null, state: null, rows: [] };
    const { note } = this;
    const ahead = (session - note.session) & 0xffff;
    const behind = session && ((ahead > 0 && ahead < 0x8000) || (ahead === 0 && lastId > note.id));
    if (!note.session || behind) Object.assign(note, { session, id: LAST_ID });
    const said = note.state ? await this.mend(note.state) : [];
    note.epoch = epoch;
    const { left } = note;
    if (left) said.push([await this.deliver(isUnsure(await this.events(left.rev), hello.missing)), left]);
    await this.learn();
    if (note.next) {
      const { op, args } = note.next;
      const outcome = await this.give(op, ["new", "restore"].includes(op) ? [this.state.rev, ...args.slice(1)] : args);
      said.push([outcome, { op, args }]);
    }
    return said;
  }

  /** @param {number} [patience] @returns {Promise<Hello>} */
  async greeted(patience) {
    let answer;
    try {
      answer = await this.query("hello", [PROTOCOL], patience);
    } catch (error) {
      if (error instanceof Refused) throw new NotABoard(`the board’s firmware is newer than this page: ${error.message}`);
      throw error;
    }
    const [protocol, version, uid, epoch, session, lastId, tracks, leds, , , missing] = answer;
    if (!answer.length) throw new NotABoard("the device only echoes what it receives");
    if (protocol !== PROTOCOL) throw new NotABoard(`the board speaks protocol ${protocol}, and this page ${PROTOCOL}`);
    return { version, uid, epoch, session, lastId, tracks, leds, missing };
  }

  // Rule 5: a board that has lost events gets back what is known of it, unless something has happened since.
  /** @param {Standing} known @returns {Promise<[Said, Command | null][]>} */
  async mend(known) {
    const { note, note: { left } } = this;
    const state = (this.state = await this.standing());
    const both = Math.min(state.rev, known.rev);
    const found = await this.events(Math.max(-1, both - 1));
    const [[ours], [theirs]] = [note.rows, found.rows].map((all) => all.filter((row) => row[0] === both));
    const differs = String(ours) !== String(theirs);
    if (this.hello.epoch === note.epoch && state.rev >= known.rev && !(ours && theirs && differs)) return [];
    Object.assign(note, { state, left: null });
    const made = left && found.rows.filter((row) => !note.rows.some((one) => String(one) === String(row)) && makes(left, row)).pop();
    const goneOn = state.rev > known.rev || (state.rev > 0 && (!ours || differs));
    if (left && !made && !goneOn && !["undo", "redo"].includes(left.op)) note.next = { op: left.op, args: left.args };
    if (!goneOn && different(state, known)) await this.write("restore", [state.rev, ...setup(known), known.pegs, known.won], true);
    /** @type {[Said, Command | null][]} */
    const said = goneOn ? [[["lost"], null]] : [];
    if (left && !note.next) said.push([made ? ["ok", made[0]] : isUnsure(found, Number(state.rev > left.rev)) ? UNKNOWN : ["no", "lost", "the board had lost events"], left]);
    return said;
  }

  /** @returns {Promise<Standing>} */
  async standing() {
    const [rev, game, target, seats, sides, dealer, skunk, double, winner, pegs, won] = await this.ask("state");
    return { rev, game, target, seats, sides, dealer, skunk, double, winner, pegs, won };
  }

  // The events after a rev, and whether some up to the newest are missing.
  /** @param {number} after */
  async events(after) {
    /** @type {Row[]} */
    const rows = [];
    let newest = after + 1;
    for (let last = after; last < newest;) {
      const [, upTo, ...page] = await this.ask("events", last);
      newest = upTo;
      if (!page.length) break;
      rows.push(...page.map((row) => asRow(row)));
      last = rows[rows.length - 1][0];
    }
    return { rows, gaps: rows.length < newest - Math.max(after, 0) };
  }

  // A command counts once, or throws Refused; a Gone leaves it to be found out when the board is met again.
  /** @param {string} op @param {Value[]} args */
  command(op, ...args) {
    return this.inTurn(() => this.counted(op, args));
  }

  // Commands that name an event: undo and redo what `last` names, new what the state has.
  /** @param {"undo" | "redo"} op */
  walk(op) {
    return this.inTurn(async () => {
      const named = (await this.ask("last"))[op === "undo" ? 0 : 1];
      if (!named?.length || named[1] === "restore") throw new Refused("nothing", `there is nothing to ${op}`);
      return this.counted(op, [named[0]]).then(() => Number(named[0])); // the event that it is about
    });
  }

  /** @param {number} target @param {number} seats @param {number} sides @param {number} dealer */
  begin(target, seats, sides, dealer) {
    return this.inTurn(async () => {
      await this.learn();
      return this.counted("new", [this.state.rev, target, seats, sides, dealer, -1, -1]);
    });
  }

  /** @param {string} op @param {Value[]} args @returns {Promise<number>} */
  async counted(op, args) {
    const [what, rev, text] = await this.give(op, args);
    if (what !== "ok") throw new Refused(rev ?? what, String(text));
    return Number(rev);
  }

  /** @param {string} op @param {Value[]} args */
  async give(op, args) {
    await this.write(op, args);
    return this.deliver();
  }

  // Rules 1 to 3: the next tag, kept with the command and the newest rev before anything is sent.
  /** @param {string} op @param {Value[]} args */
  async write(op, args, healing = false) {
    const { note } = this;
    if (note.left) throw new Gone("the last command is not answered yet");
    if (note.id >= LAST_ID) Object.assign(note, { session: drawn(note.session), id: 0 });
    encode([op, note.session, note.id + 1, ...args]);
    note.id += 1;
    note.left = { op, args, session: note.session, id: note.id, rev: this.state.rev, healing };
    if (!healing) note.next = null;
    await this.keep();
  }

  // Rule 4: an ok is believed for an event of the command's own only. One that the score may have without its event is not sent again.
  /** @returns {Promise<Said>} */
  async deliver(doubted = false) {
    const left = /** @type {Left} */ (this.note.left);
    const { op, args, session, id, rev, healing } = left;
    const answer = doubted ? ["no", session, id, "stale"] : await this.exchange([op, session, id, ...args], (heard) =>
      (heard[0] === "ok" || heard[0] === "no") && heard[1] === session && heard[2] === id);
    /** @type {Said} */
    let said = ["no", String(answer[3]), String(answer[4])];
    if (answer[0] === "ok" || ["stale", "session"].includes(String(answer[3]))) {
      const found = await this.events(rev);
      const made = found.rows.filter((row) => makes(left, row)).pop();
      said = made ? ["ok", made[0]] : found.rows.length && !isUnsure(found) ? ["no", "stale", TAKEN_OVER] : UNKNOWN;
      if (!made) Object.assign(this.note, { session: (await this.ask("hello", PROTOCOL))[4], id: LAST_ID });
    }
    this.note.left = null; // on the disk together with what is learnt
    await this.learn();
    return healing ? [said[0] === "ok" ? "healed" : "lost"] : said;
  }

  keep() {
    return this.store.write(`board ${this.hello.uid}`, this.note);
  }

  // The board says what happened; the state is asked for, so that nothing is folded twice.
  /** @param {Row} row */
  follow(row) {
    this.on.event(row);
    const newer = () => row[0] > this.state.rev;
    if (this.state && newer()) this.inTurn(() => (newer() ? this.learn() : undefined)).catch((error) => this.on.gone?.(error));
  }

  async learn() {
    const { note } = this;
    this.state = await this.standing();
    const { rows } = await this.events(note.state ? note.state.rev : Math.max(-1, this.state.rev - KEPT));
    Object.assign(note, { state: this.state, rows: [...note.rows, ...rows].slice(-KEPT) });
    await this.keep();
    this.on.changed();
  }
}

// Whether an event has a command's tag and is what the command makes; -1 left a choice to the board.
/** @param {Left} left @param {Row} row */
function makes({ op, args, session, id }, row) {
  const numbers = /** @type {number[]} */ (args); // but for the cards of a hand
  /** @type {Record<string, () => number[]>} */
  const by = {
    hand: () => [numbers[0], numbers[4], numbers[3], 0],
    nibs: () => [numbers[0], 2, 0, 0],
    go: () => [numbers[0], 1, 0, 0],
    undo: () => [0, 0, numbers[0] & 0xffff, 0],
    redo: () => [0, 0, numbers[0] & 0xffff, 0],
    restore: () => [0, 0, 0, 0],
    new: () => [numbers[4], numbers[5], numbers[2] | (numbers[3] << 6) | (TARGETS.indexOf(numbers[1]) << 9), numbers[6]],
  };
  const asked = by[op]?.() ?? [...numbers, 0, 0, 0].slice(0, 4);
  return row[1] === op && row[6] === session && row[7] === id && asked.every((one, at) => one === -1 || one === row[2 + at]);
}

/** @param {{ rows: Row[], gaps: boolean }} found @param {number} [missing] */
const isUnsure = ({ rows, gaps }, missing) => (gaps && missing !== 0) || rows.some((row) => row[1] === "restore");
/** @param {Standing} state */
const setup = ({ target, seats, sides, dealer, skunk, double }) => [target, seats, sides, dealer, skunk, double];
/** @param {Standing} state @param {Standing} known */
const different = (state, known) => String([state.game, ...setup(state), state.winner, state.pegs, state.won]) !== String([known.game, ...setup(known), known.winner, known.pegs, known.won]);
/** @param {number} session */
const drawn = (session) => ((session + 1 + Math.floor(Math.random() * STEP)) & 0xffff) || 1;
/** @param {number} ms @returns {Promise<null>} */
const later = (ms) => new Promise((resolve) => setTimeout(resolve, ms, null));

/** @type {Record<string, string>} */
const COMMANDS = { new: "The new game", hand: "The last hand", undo: "What was taken back last", redo: "What was brought back last" };
// What is said of an earlier time, in words; empty when there is nothing to say.
/** @param {[Said, Command | null]} said */
export function inWords([[what, code, text], left]) {
  const command = left && (COMMANDS[left.op] ?? "The last score");
  if (what === "healed") return "The board had lost its newest events; it has its score back.";
  if (what === "lost") return "The board has lost some of its events, and others have happened since: check the score.";
  if (what === "ok") return `${command} has counted.`;
  return what === "no" ? `${command} has not counted: ${text ?? code}.` : `${command} may have counted: ${text}.`;
}

// The sides of a state as the pages draw them, numbered from 1; `names` are by side.
/** @param {Pick<Standing, "seats" | "sides" | "pegs" | "won">} state @param {Record<number, string>} names */
export function sidesOf({ seats, sides, pegs, won }, names = {}) {
  const places = [0, 1, 2, 3, 4, 5].filter((place) => seats & (1 << place));
  return Array.from({ length: sides }, (_, at) => ({
    side: places[at] + 1,
    colour: ["orange", "blue", "green", "yellow", "red", "purple"][places[at]],
    name: names[places[at] + 1],
    places: places.filter((__, seat) => seat % sides === at).map((place) => place + 1),
    front: parseInt(pegs.slice(4 * at, 4 * at + 2), 16),
    back: parseInt(pegs.slice(4 * at + 2, 4 * at + 4), 16),
    won: won[at],
  }));
}
