// The first page: a virtual board with its buttons, what its lights say, and the doors to a game and to a lesson.

import { Board } from "./board.js";
import { $, el, fill, refill, text } from "./dom.js";
import { Game, PLAYERS } from "./computer.js";
import { Keys } from "./keys-of-board.js";
import { Kept } from "./kept.js";
import { Lesson } from "./lesson.js";
import { sentences } from "./lights.js";
import { hold } from "./locks.js";
import { offline } from "./offline.js";
import { Rules } from "./rules.js";
import { recall, remember } from "./settings.js";
import { named } from "./sides.js";
import { Teach } from "./teach.js";
import { Piezo, prepare, VirtualBoard } from "./virtual.js";

const GREET_MS = 1400;
const SURE = "Forget it for good";
const TAIL = 14; // lights behind the one that runs
const RUNNERS = [[76, 51, 5], [10, 38, 76]]; // orange and blue at the brightness of a board
const PLUG_MS = 600; // it is out for so long
const SETTLED_MS = 500; // what the lights say is said when they have come to rest
const RED = [80, 0, 0];

const NONE = /** @type {never} */ (null); // until a board is taken

class Front {
  /** @param {Shipped[]} boards */
  constructor(boards) {
    this.boards = boards;
    /** @type {Lights | null} */
    this.shown = null;
    /** @type {Uint8Array[] | null} */
    this.tracks = null; // what the strips show
    this.greeting = false;
    this.hurried = false; // whether somebody has gone in before the greeting was over
    /** @type {Set<string>} */
    this.said = new Set();
    this.rest = 0;
    /** @type {(() => void) | null} */
    this.release = null;
    this.begun = () => {};
    /** @type {Promise<void>} */
    this.ready = Promise.resolve(); // when the board is lit
    /** @type {Promise<unknown>} */
    this.turn = Promise.resolve(); // what is done to the board, one thing after the other
    /** @type {Promise<unknown>} */
    this.dealing = Promise.resolve(); // when there are the cards of a game that somebody has asked for
    this.piezo = new Piezo();
    this.rules = new Rules();
    /** @type {Game | null} */
    this.game = null;
    this.teach = new Teach($("teach"), this.rules, (words) => this.live(words), () => this.play(), () => $("learn").focus());
    this.lesson = new Lesson($("lesson"), (words) => this.live(words), () => $("try").focus());
    this.keys = new Keys($("keys"), (pin, down) => this.virtual.finger(pin, down), (pin) => this.virtual.tap(pin));
    this.keys.resting = () => Boolean(this.game) || !$("teach").hidden; // where somebody may type a card
    /** @type {VirtualBoard} */
    this.virtual = NONE;
    /** @type {Board} */
    this.drawing = NONE;
    this.choices();
    const chosen = history.state?.board ?? recall("board", ""); // here, or else in the tab before
    this.take(boards.find((one) => one.id === chosen) ?? boards[0]);
  }

  choices() {
    fill($("boards"), this.boards.map((one) => el("option", { value: one.id }, one.name)));
    $("boards").onchange = () => this.take(this.boards.filter((one) => one.id === $("boards").value)[0]);
    $("sound").checked = recall("piezo", false);
    $("sound").onchange = () => {
      remember("piezo", $("sound").checked);
      this.piezo.set($("sound").checked);
    };
    addEventListener("pointerdown", () => $("sound").checked && this.piezo.set(true), { once: true });
    const letters = /** @type {HTMLInputElement} */ ($("letters"));
    this.keys.letters = letters.checked = recall("letters", true);
    letters.onchange = () => {
      this.keys.letters = letters.checked;
      remember("letters", letters.checked);
    };
    $("learn").onclick = () => this.learn();
    $("try").onclick = () => this.try();
    $("play").onclick = () => this.play();
    $("plug").onclick = () => this.plug();
    $("wipe").onclick = () => this.wipe();
  }

  /** @template T @param {() => Promise<T>} act @returns {Promise<T>} */
  inTurn(act) {
    const done = this.turn.then(act);
    this.turn = done.catch(() => {});
    return done;
  }

  /** @param {Shipped} board */
  take(board) {
    this.wait();
    return this.inTurn(() => this.change(board));
  }

  // The board is ready again when its lights are seen.
  wait() {
    const { begun } = this;
    this.ready = new Promise((ready) => (this.begun = () => {
      begun();
      ready();
    }));
  }

  // One tab has a board: another one that wrote its memory, too, would tear its journal.
  /** @param {Shipped} board */
  async change(board) {
    this.game?.end();
    this.virtual?.stop();
    this.release?.();
    history.replaceState({ board: board.id }, "");
    remember("board", board.id);
    $("boards").value = board.id;
    $("alert").hidden = true;
    delete document.body.dataset.lit;
    this.hurried = false;
    this.release = await hold(`cribboard board ${board.id}`);
    this.drawing = this.drawn(board);
    this.keys.draw(board.buttons);
    this.virtual = new VirtualBoard(board, this);
    this.greet();
    if (this.release) {
      this.virtual.start();
      if (recall(`playing on ${board.id}`, false)) this.play();
    } else this.warn(`Another tab of this browser is playing on “${board.name}”. Go on there, or close that tab and load this page again.`);
  }

  // While the program is being loaded a light runs along each track; what the board shows meanwhile is shown then.
  greet() {
    const { drawing } = this;
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const began = performance.now();
    /** @param {number} now */
    const run = (now) => {
      const done = this.hurried ? 1 : (now - began) / GREET_MS;
      if (this.drawing !== drawing) return;
      this.greeting = done < 1;
      drawing.lit = this.greeting ? drawing.drawing.tracks.map(({ length }, track) => runner(length, done, RUNNERS[track % 2])) : this.tracks ?? drawing.lit.map((track) => new Uint8Array(track.length));
      drawing.shine();
      if (this.greeting) requestAnimationFrame(run);
    };
    requestAnimationFrame(run);
  }

  // Whether this tab has the board; one that another tab had is asked for once more.
  async mine() {
    if (!this.release) await this.change(this.virtual.board);
    return this.release !== null;
  }

  /** @param {Shipped} board */
  drawn(board) {
    const node = /** @type {SVGSVGElement} */ ($("board").cloneNode(false));
    $("board").replaceWith(node);
    return new Board(node, board.drawing);
  }

  learn() {
    if (this.game) return;
    this.lesson.end();
    this.teach.begin();
  }

  // Both doors wait for a board that is still being loaded.
  async try() {
    if (!(await this.inTurn(() => this.mine()))) return;
    await this.ready;
    if (!this.game) this.lesson.begin(/** @type {Lights} */ (this.shown));
  }

  play() {
    return (this.dealing = this.deal());
  }

  async deal() {
    this.rules.prepare();
    if (!(await this.inTurn(() => this.mine()))) return;
    this.hurried = true; // what the greeting would take of a slow processor goes to the cards
    await this.ready;
    const { virtual } = this;
    const store = await Kept.open(`game on ${virtual.board.id}`, (why) => this.unkept(why));
    if (this.game || virtual !== this.virtual) return;
    const playing = `playing on ${virtual.board.id}`;
    remember(playing, true); // so that a page that is loaded again goes on with it
    this.lesson.end();
    if (!$("teach").hidden) this.teach.end();
    /** @type {Port} */
    const port = { reliable: true, send: (bytes) => virtual.send(bytes), connect: (yes) => virtual.connect(yes), heard: null };
    this.game = new Game($("game"), port, store, this.rules, (words) => this.live(words), () => {
      this.game = null;
      remember(playing, null);
      this.names();
      $("play").focus();
    });
    this.names();
    await this.game.begin();
  }

  plug() {
    return this.inTurn(async () => {
      if (!(await this.mine())) return;
      this.putOut(PLUG_MS);
      this.live("The plug is pulled: all lights are off.");
    });
  }

  // The board goes dark, and on again after a while if one is given.
  putOut(whileMs = 0) {
    this.game?.end();
    this.lesson.end();
    this.wait();
    this.virtual.stop(whileMs);
    this.strips(this.virtual.board.pins.map(() => new Uint8Array(3 * this.virtual.board.drawing.tracks[0].length)));
  }

  async wipe() {
    const button = $("wipe");
    const asked = button.textContent;
    if (asked !== SURE) {
      text(button, SURE);
      button.onblur = () => text(button, asked ?? "");
      return this.live("The game on the board cannot be brought back. Press again to forget it.");
    }
    button.blur(); // which takes the question back
    button.focus();
    return this.inTurn(async () => {
      if (!(await this.mine())) return;
      this.putOut();
      const kept = await Kept.open(`board ${this.virtual.board.id}`, (why) => this.unkept(why));
      await kept.write("flash", "");
      this.virtual.start();
    });
  }

  /** @param {Uint8Array[]} tracks */
  strips(tracks) {
    this.tracks = tracks;
    if (this.greeting) return;
    this.drawing.lit = tracks;
    this.drawing.shine();
  }

  /** @param {Lights} shown */
  lights(shown) {
    this.shown = shown;
    const game = !shown.setup && shown.view !== 0;
    this.drawing.node.classList.toggle("blank", !game);
    this.drawing.pegs(shown);
    const said = sentences(shown);
    refill($("says"), said, () => said.map((words) => el("li", {}, words)));
    this.names();
    if (!this.said.size) this.said = new Set(said); // what a page begins with is there to be read
    clearTimeout(this.rest);
    this.rest = setTimeout(() => this.tell(said), SETTLED_MS);
    this.lesson.see(shown);
    this.begun();
  }

  // Who has how many, by name while a game is on.
  names() {
    const sides = (this.shown?.sides ?? []).map((side) => ({ ...side, name: this.game ? PLAYERS[side.side] : null }));
    refill($("score"), sides, () => sides.map((side) => el("span", {}, named(side), ` ${side.front}`)));
  }

  // A listener hears what is new of it.
  /** @param {string[]} said */
  tell(said) {
    const fresh = said.filter((words) => !this.said.has(words));
    if (fresh.length && !this.game) this.live(fresh.join(" "));
    this.said = new Set(said);
  }

  /** @param {string} words */
  live(words) {
    text($("live"), words);
  }

  /** @param {number} hz @param {number} duty */
  tone(hz, duty) {
    this.piezo.sound(hz, duty);
  }

  /** @param {Uint8Array} bytes */
  arrived(bytes) {
    this.game?.port.heard?.(bytes);
  }

  // A first visit keeps the pages when there is nothing left to wait for.
  async settled() {
    await this.ready;
    await this.rules.prepare().catch(() => {}); // a game says what is wrong
    await this.dealing;
  }

  started() {
    document.body.dataset.lit = performance.now().toFixed(0);
    this.rules.prepare(); // while the person looks at the board
  }

  /** @param {string} why @param {number} ofTen @param {string} words */
  ended(why, ofTen, words) {
    if (why === "reset") return this.virtual.start("software");
    if (why === "done") return this.warn("The board’s program has ended. Pull the plug and put it back.");
    const red = new Uint8Array(3 * this.virtual.board.drawing.tracks[0].length);
    for (let led = 0; led < red.length / 3; led += 1) if (led % 10 < ofTen) red.set(RED, 3 * led);
    this.strips(this.virtual.board.pins.map(() => red));
    this.warn(`The board has stopped with ${ofTen} of ten lights red: ${words}. Load the page again; if it comes back, use a newer browser.`);
  }

  /** @param {string} why */
  unkept(why) {
    this.warn(`This browser keeps nothing for this page (${why}), so the game ends with the tab. A window that is not private keeps it.`);
  }

  /** @param {string} words */
  warn(words) {
    text($("alert"), words);
    $("alert").hidden = false;
  }
}

// The bytes of a track on which a light has run so much of its way.
/** @param {number} leds @param {number} done @param {number[]} colour */
function runner(leds, done, colour) {
  const lit = new Uint8Array(3 * leds);
  const head = Math.floor(done * (leds + TAIL));
  for (let behind = 0; behind < TAIL; behind += 1) {
    const led = head - behind;
    if (led >= 0 && led < leds) lit.set(colour.map((channel) => (channel * (TAIL - behind)) / TAIL), 3 * led);
  }
  return lit;
}

async function begin() {
  prepare();
  const answer = await fetch(new URL("../boards.json", import.meta.url));
  const front = new Front(await answer.json());
  if (!navigator.serviceWorker?.controller) await front.settled();
  offline();
}

begin().catch((error) => {
  text($("alert"), `The board could not be loaded (${error.message}). Look at the connection, and load the page again.`);
  $("alert").hidden = false;
});
