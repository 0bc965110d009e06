// Keeping score: on a real board over Web Serial, or on this page's own, which is the same firmware. The pad, the deck, the
// hand and the play are those of the kiosk's phones.

import { Client, Gone, inWords, Refused } from "./client.js";
import { cardWords } from "./cards.js";
import { nibs } from "./deal.js";
import { Desk } from "./desk.js";
import { choose, control, form, hide, limit, option } from "./dialog.js";
import { $, el, fill, find, keeping, refill, text } from "./dom.js";
import { Kept } from "./kept.js";
import { Laid } from "./laid.js";
import { hold } from "./locks.js";
import { offline } from "./offline.js";
import { Rules } from "./rules.js";
import { allowed, lacking, nothingChosen, SerialPort, ways } from "./serial.js";
import { COLOURS, handSize, nameAt, nameOf, sideOf, title } from "./sides.js";
import { Voice } from "./speech.js";
import { eventWords, standing } from "./standing.js";
import { UsbPort } from "./usb.js";
import { VirtualBoard } from "./virtual.js";
import { scores } from "./words.js";

const ME = 1 + Math.floor(Math.random() * 250); // whose points wait
const WAIT_S = 120;
/** @type {[string, string][]} */
const GAMES = [["2 players", "2 2"], ["3 players", "3 3"], ["4 players, each alone", "4 4"], ["4 players, two pairs", "4 2"], ["6 players, three pairs", "6 3"], ["6 players, two teams of three", "6 2"]];
const AGAIN_MS = 500;
const GOES = "the score goes with the tab"; // where the browser keeps nothing
const HELLO_MS = 1200; // a board's data port answers by then; its console never does

const NOTHING = /** @type {never} */ (null); // until a board is met

/** @implements {Scorer} */
class PageScorer {
  constructor() {
    /** @type {Playing} */
    this.state = NOTHING;
    /** @type {number | null} */
    this.chosen = null;
    this.picked = 0;
    this.opening = false; // one of the doors, by a tap before
    /** @type {(() => void) | null} */
    this.release = null;
    this.me = "this page";
    this.everybody = true;
    /** @type {Record<number, string>} */
    this.names = {};
    /** @type {Record<number, { points: number, owner: number }>} */
    this.waiting = {};
    /** @type {(Step | null)[]} */
    this.undone = [null, null];
    this.failing = false;
    this.refused = "";
    /** @type {Order | null} */
    this.wanted = null;
    /** @type {Client | null} */
    this.client = null;
    /** @type {Port} */
    this.port = NOTHING;
    /** @type {Kept} */
    this.store = NOTHING;
    this.commands = 0;
    this.rules = new Rules();
    this.voice = new Voice();
    this.table = new Laid(this.rules, () => this.order, () => this.handSize * (this.state?.sides.flatMap((side) => side.places).length ?? 0));
    this.desk = new Desk(this, this.voice, {
      seen: () => this.state,
      show: () => this.show(),
      turned: (name) => {
        if (name in { hand: 1, play: 1 }) scrollTo(0, document.body.scrollHeight); // a low phone shows the whole deck
      },
    });
    this.build();
  }

  get side() {
    return this.state && (sideOf(this.state, this.chosen) ?? this.state.sides[0]);
  }

  // The sides as they take their turns: who leads first, the dealer last.
  get order() {
    const sides = this.state?.sides.map((side) => side.side) ?? [];
    const first = sides.indexOf(this.state?.dealer.side) + 1;
    return [...sides.slice(first), ...sides.slice(0, first)];
  }

  get handSize() {
    return handSize(this.state.sides);
  }

  /** @param {number} side */
  played(side) {
    return this.table.played.filter((laid) => laid.side === side).map((laid) => laid.card);
  }

  /** @param {{ cards: string[], starter: string | null, crib: boolean }} hand */
  async count({ cards, starter, crib }) {
    try {
      return await this.rules.ask("counted", cards.join(" "), starter, crib ? 1 : 0);
    } catch (error) {
      throw Object.assign(error, { words: error.message });
    }
  }

  home() {}

  hasDevice() {
    return false; // there is no other device
  }

  /** @param {string} words */
  answer(words, written = false) {
    this.voice.answer(words, written);
  }

  busy() {
    this.complain("Three cards are on their way to the board; wait a moment.");
  }

  /** @param {Order} order */
  async hint(order) {
    if (order.do === "say_go") this.table.sayGo(order.goes ?? 0, this.state.rev);
    if (order.do === "starter") {
      if (this.table.cribCounted) this.table.clear();
      this.table.starter = order.card ?? null;
    }
    this.show();
  }

  // Points shown on the board before they are pegged; the newest matter.
  /** @param {number} points */
  pend(points, side = this.side?.side) {
    if (!side || !this.client) return;
    this.client.pend(side - 1, points, ME, WAIT_S).catch(() => {}); // they only light up
  }

  /** @param {Order} order @param {string} words @returns {Promise<{ text: string } | null>} */
  async give(order, words) {
    this.complain("");
    try {
      const done = await this.carryOut(order);
      if (done?.text ?? words) this.voice.tell({ kind: order.do, text: done?.text ?? `${title(words)}.`, win: this.state.win?.text ?? "" }, true);
      return done ?? { text: words };
    } catch (error) {
      if (error instanceof Gone) return this.gone(error.message);
      this.complain(`${words}: ${error.message}.`);
      return null;
    } finally {
      this.show();
    }
  }

  /** @param {Order} order @returns {Promise<{ text: string } | undefined>} */
  async carryOut(order) {
    const side = (order.side ?? 1) - 1;
    const { client, table } = this;
    if (!client) throw new Gone("the board is unplugged");
    const { now } = table;
    /** @param {string} op @param {Value[]} args */
    const command = async (op, ...args) => table.keep(await client.command(op, ...args), now);
    switch (order.do) {
      case "peg": await client.command("peg", side, Number(order.points)); break;
      case "muggins": await client.command("muggins", side, Number(order.points), Number(order.from) - 1); break;
      case "set": await client.command("set", side, Number(order.front), Number(order.back)); break;
      case "undo": case "redo": {
        const step = this.state[order.do];
        table[order.do](await client.walk(order.do));
        return { text: `${title(order.do)}: ${step?.text}.` };
      }
      case "nibs":
        await command("nibs", side);
        table.nibs = true;
        break;
      case "go":
        await command("go", side);
        table.go();
        break;
      case "deal":
        await command("deal", order.place ? order.place - 1 : -1);
        table.clear();
        break;
      case "unplay": table.takeBack(); break;
      case "play": {
        const laid = await table.lay(side + 1, order.card ?? "", this.state.rev ?? 0);
        if (laid.points) await command("peg", side, laid.points);
        return { text: laid.points ? `${laid.points} for ${nameAt(this.state, order.side)}: ${laid.text}.` : `The count is ${table.running}.` };
      }
      case "hand": {
        const { cards = [], starter = null, crib = false } = order;
        const { points, text: said } = await this.count({ cards, starter, crib });
        const known = table.again(cards);
        const were = `The ${known.map(cardWords).join(", ")} ${known.length > 1 ? "were" : "was"} already counted in this deal.`;
        if (known.length && !(await choose("Look again", were, [["Leave it", false, "main"], ["Peg it anyway", true]]))) throw new Refused("counted", "nothing is pegged");
        await command("hand", side, cards.join(""), starter, crib ? 1 : 0, points);
        table.count(side + 1, cards, crib);
        return { text: `${points} for ${nameAt(this.state, order.side)}: ${said}.` };
      }
      default: throw new Refused("op", `nobody knows “${order.do}”`);
    }
  }

  async begin() {
    const again = this.state?.sides.length ?? 2;
    /** @type {Field[]} */
    const fields = [
      { name: "players", label: "Who plays", kind: "choice", choices: GAMES, value: `${again} ${again}` },
      { name: "target", label: "To", kind: "choice", choices: [61, 91, 121, 241].map((one) => option(String(one), one)), value: this.state?.target ?? 121, number: true },
      ...COLOURS.map((colour, at) => ({ name: colour, label: `${title(colour)}’s name`, value: this.names[at + 1] ?? "" })),
      { name: "dealer", label: "First to deal", kind: "choice", choices: [["by the rules", 0], ...COLOURS.map((colour, at) => option(title(colour), at + 1))], value: 0, number: true },
    ];
    fields[0].changed = (sheet) => {
      const count = Number(control(sheet, "players").value.split(" ")[0]);
      COLOURS.forEach((colour, at) => hide(sheet, `row-${colour}`, at >= count));
      limit(sheet, "dealer", (place) => place <= count);
    };
    const values = await form("New game", fields, "Start");
    const { client } = this;
    if (!values || !client) return;
    const [seats, sides] = String(values.players).split(" ").map(Number);
    const names = Object.fromEntries(COLOURS.slice(0, seats).map((colour, at) => [at + 1, values[colour]]).filter(([, name]) => name));
    this.complain("");
    try {
      await client.begin(values.target, (1 << seats) - 1, sides, values.dealer - 1);
      this.names = names;
      await this.store.write(`names ${client.hello.uid}`, names);
      this.table.clear();
      this.voice.answer(`A new game to ${values.target}.`);
    } catch (error) {
      if (error instanceof Gone) this.gone(error.message);
      else this.complain(`The new game: ${error.message}.`);
    }
    await this.look();
  }

  /** @param {SerialPort | UsbPort} port */
  async pair(port) {
    if (this.opening) return;
    this.opening = true;
    this.complain("");
    await this.attempt(async () => {
      if (await port.open()) await this.meet(port, HELLO_MS);
      else this.complain(nothingChosen());
    }, port);
  }

  // This page's own board: the firmware in a worker, which keeps the score in this browser.
  async own() {
    if (this.opening) return;
    this.opening = true;
    this.complain("");
    const boards = await fetch(new URL("../boards.json", import.meta.url)).then((answer) => answer.json()).catch(() => null);
    this.release ??= boards && (await hold("cribboard board scorer"));
    if (!this.release) {
      this.opening = false;
      this.complain(boards ? "Another tab of this browser keeps score already. Go on there, or close that tab and try again." : "The board could not be loaded. Look at the connection, and try again.");
      return;
    }
    const [board] = boards;
    /** @type {Port} */
    const port = { heard: null, reliable: true, send: async (bytes) => virtual.send(bytes), close: async () => virtual.stop() };
    const nothing = () => {};
    const virtual = new VirtualBoard({ ...board, id: "scorer" }, {
      lights: nothing, strips: nothing, tone: nothing, arrived: (bytes) => port.heard?.(bytes),
      started: () => {
        virtual.connect(true);
        this.attempt(() => this.meet(port), port);
      },
      ended: (why, ofTen, words) => this.gone(words || "The page’s board has stopped; load the page again."),
      unkept: (why) => this.complain(keepsNothing(why, GOES)),
    });
    virtual.start();
  }

  /** @param {() => Promise<unknown>} act @param {Port} port */
  async attempt(act, port) {
    try {
      await act();
    } catch (error) {
      await port.close?.();
      const other = error instanceof Gone ? "No board answers at this port. It may be the board’s other port: take the other of the two, and close programs that use it. A board that was just plugged in needs two seconds" : error.message;
      this.complain(`${other}.`);
    } finally {
      this.opening = false;
    }
  }

  /** @param {Port} port @param {number} [patience] */
  async meet(port, patience) {
    this.port = port;
    const board = port instanceof SerialPort || port instanceof UsbPort;
    const means = board ? "if the tab is closed while a score is on its way, look at the board before you peg it again" : GOES;
    let unkept = "";
    this.store = await Kept.open("scorer", (why) => this.complain((unkept = keepsNothing(why, means))));
    const client = new Client(port, this.store, {
      changed: () => this.look(),
      event: () => {},
      pending: (side, points, owner) => {
        this.waiting[side + 1] = { points, owner };
        this.show();
      },
      silent: (yes) => this.client && this.linked(yes ? "Waiting for the board …" : named, yes),
      gone: (error) => this.client && this.gone(error.message),
    });
    const said = await client.open(patience);
    this.complain(unkept);
    if (port instanceof SerialPort) await this.store.write("port", (await allowed(0)).indexOf(/** @type {Serial} */ (port.port)));
    await this.store.write("own", !board);
    this.client = client;
    this.failing = false;
    this.names = (await this.store.read(`names ${client.hello.uid}`)) ?? {};
    $("doors").hidden = true;
    const named = board ? `Board ${client.hello.uid.slice(-4)}` : "On this page";
    this.linked(named, false);
    await this.look();
    for (const one of said) this.voice.answer(inWords(one));
    if (!said.length) this.voice.answer(scores(this.state));
    if (!this.state.rev) await this.begin();
  }

  /** @param {string} words */
  gone(words) {
    this.failing = true;
    this.client = null;
    this.opening = false;
    this.complain(words);
    this.linked("No board", true);
    keeping(() => {
      this.desk.close();
      $("doors").hidden = false;
      $("desk").hidden = true;
    }, () => find($("doors"), "button:not([hidden])"));
    return null;
  }

  /** @param {string} words @param {boolean} bad */
  linked(words, bad) {
    text($("link"), words);
    $("link").toggleAttribute("data-bad", bad);
  }

  // Taken in only when the client has learnt something; what undo would take is asked for then.
  async look() {
    const { client } = this;
    if (!client) return;
    this.commands += 1;
    const turn = this.commands;
    this.take();
    const last = await client.inTurn(() => client.ask("last")).catch(() => null);
    if (!last || turn !== this.commands) return;
    this.undone = last.map((row) => (row.length && row[1] !== "restore" ? { rev: row[0], text: eventWords(row, this.names) } : null));
    this.take();
  }

  take() {
    const [undo, redo] = this.undone;
    if (!this.client) return; // it is unplugged: the doors are open
    this.state = standing(this.client.state, { names: this.names, waiting: this.waiting, me: ME, table: this.table.state(), undo, redo });
    this.desk.keeping(() => this.draw());
  }

  show() {
    this.take();
  }

  draw() {
    const { state } = this;
    $("desk").hidden = false;
    if (!sideOf(state, this.chosen)) this.chosen = state.sides[0].side;
    refill($("next"), [state.win, state.table, state.dealer], () => (state.win ? el("p", {}, state.win.text) : nibs(this)));
    this.desk.draw();
  }

  /** @param {number} side */
  turnTo(side) {
    this.chosen = side;
    this.show();
  }

  /** @param {string} words */
  complain(words) {
    text($("alert"), words);
    $("alert").hidden = !words;
  }

  build() {
    fill($("panel-more"), el("h2", {}, "Game"), el("div", { class: "row" }, el("button", { type: "button", onclick: () => this.begin() }, "New game …"), el("button", { type: "button", onclick: () => this.correct() }, "Set the pegs …"), el("button", { type: "button", onclick: () => this.leave() }, "Leave the board")),
      el("h2", {}, "This device"), this.desk.settings());
    this.desk.begin();
    $("own").onclick = () => this.own();
    const gone = (/** @type {string} */ words) => this.gone(words);
    $("pair").onclick = () => this.pair(new SerialPort(gone));
    $("older").onclick = () => this.pair(new UsbPort(gone));
    const why = lacking();
    text($("lacking"), why);
    $("lacking").hidden = !why;
    $("pair").hidden = Boolean(why);
    ways().then((available) => {
      $("pair").hidden = Boolean(why) || !available.includes("serial");
      $("older").hidden = Boolean(why) || !available.includes("usb");
    });
    for (const ports of [navigator.serial, navigator.usb]) ports?.addEventListener("connect", () => setTimeout(() => this.back([HELLO_MS, undefined]), AGAIN_MS));
    (why ? Promise.resolve() : this.back([HELLO_MS])).then(() => this.again());
  }

  // The score that this page kept last goes on without a tap: phones drop pages as they like.
  async again() {
    const store = await Kept.open("scorer");
    if ((await store.read("own").catch(() => false)) && !this.opening && !this.client) await this.own();
  }

  // A board that this browser was allowed to use before is there, and no tap is needed. Of its ports the one that answered
  // last comes first; one that was just plugged in needs two seconds.
  /** @param {(number | undefined)[]} patiences */
  async back(patiences) {
    if (this.opening || this.client) return;
    const store = await Kept.open("scorer");
    const serials = await allowed((await store.read("port").catch(() => 0)) ?? 0);
    const devices = (await ways()).includes("usb") ? ((await navigator.usb?.getDevices().catch(() => [])) ?? []) : [];
    if (this.opening || this.client || !(serials.length + devices.length)) return;
    this.opening = true;
    const words = (/** @type {string} */ said) => this.gone(said);
    let error = null;
    for (const patience of patiences) {
      for (const one of [...serials, ...devices]) {
        const serial = "readable" in one || "setSignals" in one;
        const port = serial ? new SerialPort(words) : new UsbPort(words);
        try {
          await port.open(/** @type {never} */ (one));
          await this.meet(port, patience);
          this.opening = false;
          return;
        } catch (failed) {
          error = failed;
          await port.close();
        }
      }
    }
    this.opening = false;
    if (this.failing && error && !(error instanceof Gone)) this.complain(`${error.message}.`);
  }

  async correct() {
    const { side } = this;
    const who = await choose("Set the pegs", "Whose pegs are wrong?", this.state.sides.map((one) => [nameOf(one), one.side]));
    const chosen = sideOf(this.state, who) ?? side;
    if (who === null) return;
    /** @param {"front" | "back"} name @param {string} label @returns {Field} */
    const hole = (name, label) => ({ name, label, kind: "number", value: chosen[name], min: 0, max: this.state.target, required: true });
    const fields = [hole("front", "Front peg"), hole("back", "Back peg")];
    const values = await form(`The pegs of ${nameOf(chosen)}`, fields, "Set");
    if (values) await this.give({ do: "set", side: chosen.side, front: values.front, back: values.back }, `${nameOf(chosen)} set to ${values.front}`);
  }

  async leave() {
    await this.store.write("own", false);
    await this.port.close?.();
    location.reload();
  }
}

/** @param {string} why @param {string} means */
const keepsNothing = (why, means) => `This browser keeps nothing for this page (${why}): ${means}.`;

new PageScorer();
offline();
