// A board at the other end of a port: queries, commands that count exactly once, and its events. What a program must do is
// in the firmware's README under "Commands"; the numbers of its rules stand behind the lines that keep them.

import { encode, Lines, PROTOCOL } from "./wire.js";

const WAITS_MS = [20, 40, 80, 160, 200]; // between sending a frame again
const GONE_MS = 5000;
const LAST_ID = 255;
const STEP = 500;
const NEWEST = 8; // events that are remembered to see whether the board has lost some
const SCORES = ["peg", "hand", "nibs", "go", "penalty", "muggins", "false", "set"];

export class Gone extends Error {}
export class NotABoard extends Error {}

// What the board refused, or what became of a command that cannot be answered with ok.
export class Refused extends Error {
  constructor(code, text) {
    super(text);
    this.code = code;
  }
}

export class Client {
  // `port` has send(bytes) and calls `heard`; `store` has read(name) and write(name, value). `on` has changed(), event(row),
  // pending(side, points, owner) and notice(words).
  constructor(port, store, on) {
    Object.assign(this, { port, store, on, lines: new Lines(), waiting: null, turn: Promise.resolve(), state: null, hello: null, note: null });
    this.query = crypto.getRandomValues(new Uint8Array(1))[0] % 255; // an answer to an earlier program may still come
    port.heard = (bytes) => this.heard(bytes);
  }

  heard(bytes) {
    for (const message of this.lines.feed(bytes)) {
      if (this.waiting?.fits(message)) this.waiting.answer(message);
      else if (message[0] === "ev") this.follow(message.slice(1));
      else if (message[0] === "pend" && message[1] === -1) this.on.pending(...message.slice(2, 5));
    }
  }

  // One request at a time; the same frame again until it is answered.
  async exchange(message, fits) {
    const frame = encode(message);
    const ends = performance.now() + GONE_MS;
    for (let turn = 0; performance.now() < ends; turn += 1) {
      const answered = new Promise((resolve) => (this.waiting = { fits, answer: resolve }));
      await this.port.send(frame);
      const answer = await Promise.race([answered, later(WAITS_MS[Math.min(turn, WAITS_MS.length - 1)])]);
      if (answer) {
        this.waiting = null;
        return answer;
      }
    }
    this.waiting = null;
    throw new Gone("the board does not answer");
  }

  async ask(op, ...args) {
    this.query = (this.query % 255) + 1;
    const q = this.query;
    const answer = await this.exchange([op, q, ...args], (heard) =>
      (heard[0] === op && heard[1] === q) || (heard[0] === "no" && heard[1] === 0 && heard[2] === q));
    if (answer[0] === "no") throw new Refused(answer[3], answer[4]);
    return answer.slice(2);
  }

  // Everything in its order: a second command waits for the first.
  inTurn(act) {
    const done = this.turn.then(act);
    this.turn = done.catch(() => {});
    return done;
  }

  open() {
    return this.inTurn(() => this.meet());
  }

  async meet() {
    let answer;
    try {
      answer = await this.ask("hello", PROTOCOL);
    } catch (error) {
      if (error instanceof Refused) throw new NotABoard(`the board’s firmware is newer than this page: ${error.message}`);
      throw error;
    }
    const [protocol, version, uid, epoch, session, lastId, tracks, leds] = answer;
    if (answer.length < 3 || protocol !== PROTOCOL) {
      throw new NotABoard(answer.length ? `it speaks protocol ${protocol}, not ${PROTOCOL}` : "it only echoes what it receives");
    }
    this.hello = { version, uid, epoch, session, lastId, tracks, leds };
    this.note = (await this.store.read(`board ${uid}`)) ?? { session: 0, id: 0, epoch, pending: null, state: null, rows: [] };
    this.state = await this.standing();
    await this.mend();
    if (this.note.pending) await this.settle();
    await this.learn();
  }

  async standing() {
    const [rev, game, target, seats, sides, dealer, skunk, double, winner, pegs, won] = await this.ask("state");
    return { rev, game, target, seats, sides, dealer, skunk, double, winner, pegs, won };
  }

  async events(after) {
    const rows = [];
    for (;;) {
      const [, newest, ...page] = await this.ask("events", rows.length ? rows.at(-1)[0] : after);
      rows.push(...page);
      if (!page.length || rows.at(-1)[0] >= newest) return { newest, rows };
    }
  }

  // Rule 5: a board that has lost events gets back what this page knows, if nothing has happened since.
  async mend() {
    const { note, state } = this;
    const known = note.state;
    const { rows } = known ? await this.events(Math.max(-1, state.rev - NEWEST)) : { rows: [] };
    const same = (row) => note.rows.some((one) => one[0] === row[0] && String(one) === String(row));
    const clash = rows.some((row) => note.rows.some((one) => one[0] === row[0] && String(one) !== String(row)));
    const lost = known && (note.epoch !== this.hello.epoch || state.rev < known.rev || clash);
    note.epoch = this.hello.epoch;
    if (!lost) return;
    if (state.rev && !(rows.length && same(rows.at(-1)))) {
      this.on.notice("The board has lost some of its events, and others have happened since: check the score.");
      note.pending = null;
    } else {
      const waits = note.pending;
      note.pending = null;
      await this.give("restore", [state.rev, known.target, known.seats, known.sides, known.dealer, known.skunk, known.double, known.pegs, known.won]);
      this.on.notice("The board had lost its newest events; it has been given the score back.");
      this.state = await this.standing();
      const dropped = !waits || ["undo", "redo", "restore"].includes(waits.op); // it would act on the restore
      if (waits && !dropped) await this.give(waits.op, waits.op === "new" ? [this.state.rev, ...waits.args.slice(1)] : waits.args);
    }
    await this.keep();
  }

  // What became of the command that was on its way when the link broke or the page was closed.
  async settle() {
    const { pending } = this.note;
    const found = await this.search(pending);
    if (found.rev === undefined && found.whole && this.state.rev === pending.rev) {
      await this.deliver().then(() => this.on.notice(`The last command, ${said(pending)}, had not arrived; it counts now.`),
        (error) => this.refused(error, pending));
      return;
    }
    this.note.pending = null;
    await this.keep();
    if (found.rev !== undefined) this.on.notice(`The last command, ${said(pending)}, had counted after all.`);
    else if (found.whole) this.on.notice(`The last command, ${said(pending)}, did not count, and the game has gone on; repeat it if it is still right.`);
    else this.on.notice(`Whether the last command, ${said(pending)}, counted, the board no longer knows: check the score.`);
  }

  refused(error, pending) {
    if (!(error instanceof Refused)) throw error;
    this.on.notice(`The last command, ${said(pending)}, was refused: ${error.message}.`);
  }

  // The event with a command's tag that is what the command makes; without one, whether all events since are known.
  async search(pending) {
    const { newest, rows } = await this.events(pending.rev);
    const own = rows.find((row) => row[6] === pending.session && row[7] === pending.id && makes(pending, row));
    if (own) return { rev: own[0], whole: true };
    return { whole: rows.length === newest - pending.rev };
  }

  command(op, ...args) {
    return this.inTurn(() => this.give(op, args));
  }

  // Commands that name the newest event: undo and redo what `last` names, new what the state has.
  walk(op) {
    return this.inTurn(async () => {
      const named = (await this.ask("last"))[op === "undo" ? 0 : 1];
      if (!named?.length || named[1] === "restore") throw new Refused("nothing", `there is nothing to ${op}`);
      return this.give(op, [named[0]]);
    });
  }

  begin(target, seats, sides, dealer) {
    return this.inTurn(async () => {
      this.state = await this.standing();
      return this.give("new", [this.state.rev, target, seats, sides, dealer, -1, -1]);
    });
  }

  // Rules 1 to 3: a tag of its own, kept with the command before anything is sent.
  async give(op, args) {
    const { note } = this;
    if (note.pending) throw new Gone("the last command is not answered yet");
    if (!note.session || note.id >= LAST_ID) Object.assign(note, { session: drawn(note.session || this.hello.session), id: 0 });
    note.id += 1;
    note.pending = { op, args, session: note.session, id: note.id, rev: this.state.rev };
    encode([op, note.session, note.id, ...args]);
    await this.keep();
    return this.deliver();
  }

  async deliver() {
    const { pending } = this.note;
    const { op, args, session, id } = pending;
    const answer = await this.exchange([op, session, id, ...args], (heard) =>
      (heard[0] === "ok" || heard[0] === "no") && heard[1] === session && heard[2] === id);
    const stale = answer[0] === "ok" ? answer[3] <= pending.rev : ["stale", "session"].includes(answer[3]); // rule 4
    if (!stale) return this.done(answer);
    const found = await this.search(pending);
    if (found.rev !== undefined) return this.done(["ok", session, id, found.rev]);
    this.hello.session = (await this.ask("hello", PROTOCOL))[4];
    this.note.session = drawn(this.hello.session); // another program has taken over
    this.note.id = 0;
    return this.done(["no", session, id, "stale", found.whole
      ? "another program is using the board, so this did not count; look at the score and repeat it if it is still right"
      : "another program is using the board, and nobody can tell whether this counted; look at the score"]);
  }

  async done(answer) {
    this.note.pending = null;
    await this.keep();
    if (answer[0] === "no") throw new Refused(answer[3], answer[4]);
    await this.learn();
    return answer[3];
  }

  keep() {
    return this.store.write(`board ${this.hello.uid}`, this.note);
  }

  // The board says what happened; the state is asked for, so that nothing is folded twice.
  follow(row) {
    this.on.event(row);
    if (this.state && row[0] > this.state.rev) this.inTurn(() => this.learn()).catch(() => {});
  }

  async learn() {
    this.state = await this.standing();
    const { rows } = await this.events(Math.max(-1, this.state.rev - NEWEST));
    Object.assign(this.note, { state: this.state, rows: rows.slice(-NEWEST) });
    await this.keep();
    this.on.changed();
  }
}

// What an event's row must have of its command.
function makes({ op, args }, [, kind, side, a, b]) {
  if (kind !== op) return false;
  if (op === "hand") return side === args[0] && a === args[4] && b === args[3];
  if (op === "undo" || op === "redo") return b === (args[0] & 0xffff);
  if (op === "deal") return args[0] < 0 || side === args[0];
  if (op === "nibs" || op === "go") return side === args[0];
  if (!SCORES.includes(op)) return true;
  return side === args[0] && a === args[1] && (args.length < 3 || b === args[2]);
}

export const said = ({ op, args }) => `“${[op, ...args].join(" ")}”`;
const drawn = (session) => ((session + 1 + Math.floor(Math.random() * STEP)) & 0xffff) || 1;
const later = (ms) => new Promise((resolve) => setTimeout(resolve, ms, null));

// The state's pegs and sides, as the pages draw them: sides are numbered from 1.
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
