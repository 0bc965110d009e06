// What is needed seldom: claims, corrections, a new game, and how this phone behaves. Each is a form that makes an order.

import { get, numberOfPage } from "./api.js";
import { correction } from "./correct.js";
import { el, fill, text } from "./dom.js";
import { asking, choose, control, form, hide, limit, option } from "./dialog.js";
import { chosenRules, ruleFields, rulesWords, showRules } from "./rules.js";
import { COLOURS, nameAt, nameOf, sideOf, title } from "./sides.js";
import { dealer } from "./words.js";

const TARGETS = [61, 91, 121, 241];
/** @type {Record<number, number[]>} */
const TEAMS = { 4: [0, 2], 6: [0, 2, 3] };

/** @type {Field} */
const points = { name: "points", label: "Points", kind: "number", min: 1, max: 46, required: true };

export class More {
  /** @param {HTMLElement} node @param {Scorer} desk @param {Child[]} settings */
  constructor(node, desk, settings) {
    this.node = node;
    this.desk = desk;
    /** @param {string} name @param {string} what @param {() => unknown} act */
    const button = (name, what, act, careful = false) => el("button", { type: "button", class: careful ? "careful" : "", onclick: act }, el("span", {}, name), el("small", {}, careful && el("span", { "aria-hidden": "true" }, "⚠ "), what));
    this.call = button("Muggins …", "points that an opponent missed", () => this.muggins());
    this.rules = el("p", { class: "muted" });
    fill(node,
      el("h2", {}, "At the table"),
      el("div", { class: "list" },
        button("Nibs: 2 for the dealer", "when a jack is cut", () => this.nibs()),
        this.call,
        button("Penalty …", "the others peg points for a mistake", () => this.penalty()),
        button("False claim of game …", "somebody claimed too early", () => this.falseClaim()),
        button("Correct a score …", "the other side must agree", () => this.correct()),
        button("Set a score …", "without asking anybody", () => this.set(), true),
        button("Clear the cards …", "forgets the cards, not the score", () => this.clear(), true)),
      el("h2", {}, "The game"),
      el("div", { class: "list" },
        button("New game …", "ends this one", () => this.begin(), true),
        button("Names …", "who plays", () => this.names())),
      this.rules,
      el("h2", {}, "This device"),
      el("div", { class: "list" }, settings),
      el("h2", {}, "Other pages"),
      el("div", { class: "list links" },
        el("a", { class: "button", href: `/computer/${numberOfPage()}` }, el("span", {}, "Play the computer"), el("small", {}, "on this device")),
        el("a", { class: "button", href: "/night" }, el("span", {}, "League night"), el("small", {}, "your next match")),
        el("a", { class: "button", href: "/history" }, el("span", {}, "History"), el("small", {}, "games and players"))));
  }

  show() {
    const { state } = this.desk;
    this.call.hidden = Boolean(state.rules) && !state.rules?.options.muggins;
    text(this.rules, state.rules ? `${rulesWords(state) || "The kiosk counts the hands."} To play by other rules, start a new game.` : "");
  }

  /** @returns {Field} */
  side(name = "side", label = "Who") {
    const { state, side } = this.desk;
    return { name, label, kind: "choice", number: true, value: side?.side, choices: state.sides.map((one) => option(nameOf(one), one.side)) };
  }

  /** @param {number} side */
  name(side) {
    return nameAt(this.desk.state, side);
  }

  // A form whose order is refused comes back as it was filled in. One that shows how it stands has as `seen` what stood when
  // it was opened.
  /** @param {string} title @param {Field[]} fields @param {string} done @param {(given: Given) => Order} order @param {(given: Given) => string} words @returns {Promise<void>} */
  async fill(title, fields, done, order, words, hint = "", wrong = "") {
    const given = await form(title, fields, done, hint, wrong);
    if (!given || (await this.desk.give(order(given), words(given))) || !this.desk.refused || asking()) return;
    const kept = fields.map((field) => ({ ...field, value: /** @type {Record<string, Field["value"]>} */ (/** @type {unknown} */ (given))[field.name] }));
    await this.fill(title, kept, done, order, words, hint, this.desk.refused);
  }

  nibs() {
    const { state } = this.desk;
    return this.desk.give({ do: "nibs", side: state.dealer.side }, `Nibs, 2 for ${dealer(state)}`);
  }

  // Asks for one number, and for a side only where more than one could be meant. Where cards were told, the kiosk compares
  // the number with them: then it says first what a wrong one costs.
  /** @returns {Promise<void>} */
  async muggins(wrong = "") {
    const { state, picked } = this.desk;
    const open = sideOf(state, state.open);
    const own = sideOf(state, picked);
    const callers = own && own !== open ? [own] : state.sides.filter((one) => one !== open);
    const others = open ? [open] : state.sides.filter((one) => one !== own);
    const fields = [...which("side", "Who calls", callers), ...which("from", "Who missed them", others), points];
    const given = await form(open ? `Muggins on ${nameOf(open)}` : "Muggins", fields, open ? "Call" : "Peg", "", wrong);
    if (!given) return;
    const order = { do: "muggins", points: given.points, side: given.side ?? callers[0].side, from: given.from ?? others[0].side };
    if (open && !(await choose(`Call ${given.points}?`, cost(open, given.points), [["Leave it", false], [`Call ${given.points}`, true, "main"]]))) return;
    if ((await this.desk.give(order, `Muggins, ${given.points} for ${this.name(order.side)}`)) || !this.desk.refused || asking()) return;
    await this.muggins(this.desk.refused);
  }

  penalty() {
    return this.fill("Penalty", [this.side("side", "Who offended"), points, { name: "back", label: "Move that side back (otherwise the others peg them)", kind: "check" }], "Peg",
      (given) => ({ do: "penalty", ...given }), (given) => `Penalty of ${given.points} for ${this.name(given.side)}`);
  }

  falseClaim() {
    return this.fill("False claim of game", [this.side("side", "Who claimed"), { name: "score", label: "True score", kind: "number", min: 0, max: 240, required: true }], "Correct",
      (given) => ({ do: "false", ...given }), (given) => `False claim by ${this.name(given.side)}`, "The others peg the difference.");
  }

  // Of the game that is on; the other side, or staff, say Yes to it.
  /** @param {Parameters<typeof correction>[2]} again @returns {Promise<void>} */
  async correct(again = {}) {
    const answer = await get(`/api/boards/${numberOfPage()}/lines`).catch(({ words }) => choose("Correct a score", words, [["Close", null, "main"]]));
    const given = answer && await correction(answer.lines, "The other side, or the staff, then say Yes.", again);
    if (!given) return;
    const { line, points } = given;
    if ((await this.desk.give({ do: "correct", rev: line.rev, points }, `${line.text}, corrected to ${points}`)) || !this.desk.refused || asking()) return;
    await this.correct({ ...given, wrong: this.desk.refused });
  }

  set() {
    const { state, side } = this.desk;
    /** @param {string} name @param {string} label @param {number} value @returns {Field} */
    const hole = (name, label, value) => ({ name, label, kind: "number", min: 0, max: state.target, required: true, value });
    return this.fill("Set a score", [this.side(), hole("front", "Front peg", side?.front), hole("back", "Back peg", side?.back)], "Set",
      (given) => ({ do: "set", seen: state.rev, ...given }), (given) => `${this.name(given.side)} set to ${given.front}`);
  }

  async clear() {
    const sure = await choose("Clear the cards?", "The table forgets this deal’s cards. The score stays. Undo does not bring the cards back.", [["Cancel", false], ["Clear the cards", true, "grave"]]);
    if (sure) await this.desk.give({ do: "clear" }, "The cards cleared");
  }

  // The names of those who play; the computer's is nobody's.
  /** @returns {string[]} */
  known() {
    const known = Array(6).fill("");
    for (const { place, name } of this.desk.state.deal?.seats ?? []) if (!isComputers(name)) known[place - 1] = name ?? "";
    return known;
  }

  begin() {
    const { state } = this.desk;
    const players = Math.max(2, state.sides.flatMap((side) => side.places).length);
    const known = this.known();
    /** @param {number} at @returns {Field} */
    const seat = (at) => ({ name: `name${at}`, label: `${title(COLOURS[at])}, player ${at + 1}`, kind: "text", value: known[at] });
    return this.fill("New game", [
      { name: "players", label: "Players", kind: "choice", number: true, value: players, choices: [2, 3, 4, 5, 6].map((many) => option(String(many), many)), changed: seats },
      ...COLOURS.map((_, at) => seat(at)),
      { name: "teams", label: "Sides", kind: "choice", number: true, value: state.sides.length < players ? state.sides.length : 0, choices: [["Singles", 0], ["Two teams", 2], ["Three teams", 3]] },
      { name: "target", label: "Game to", kind: "choice", number: true, value: state.target ?? 121, choices: TARGETS.map((target) => option(String(target), target)) },
      { name: "handicap", label: "With a handicap", kind: "check" },
      ...COLOURS.map(start),
      ...(state.rules ? ruleFields(state.rules) : []),
      { name: "dealer", label: "First deal", kind: "choice", number: true, value: 0, choices: [["As the rules say", 0], ...COLOURS.map((colour, at) => option(title(colour), at + 1))] },
    ], "Start", (given) => ({ ...newGame(given, known), seen: state.rev }), () => "A new game", "You can leave names empty.");
  }

  names() {
    const seats = this.desk.state.deal?.seats ?? [];
    const known = this.known();
    /** @param {Deal["seats"][number]} seat @returns {Field} */
    const field = ({ place }) => ({ name: `name${place - 1}`, label: title(COLOURS[place - 1]), kind: "text", value: known[place - 1] });
    return this.fill("Names", seats.filter(({ name }) => !isComputers(name)).map(field), "Save",
      (given) => ({ do: "names", names: seats.map(({ place }) => typedName(given, place - 1, known)) }), () => "Names", "Leave a field empty for no name.");
  }
}

/** @param {string | null} name */
const isComputers = (name) => Boolean(name?.startsWith("Computer ("));

// A field for one of these sides; none where it is clear which.
/** @param {string} name @param {string} label @param {Side[]} sides @returns {Field[]} */
function which(name, label, sides) {
  return sides.length > 1 ? [{ name, label, kind: "choice", number: true, value: sides[0].side, choices: sides.map((one) => option(nameOf(one), one.side)) }] : [];
}

/** @param {Side} side @param {number} points */
function cost(side, points) {
  return `If ${nameOf(side)} missed ${points > 1 ? `fewer than ${points}` : "nothing"}, ${nameOf(side)} ${side.places.length > 1 ? "peg" : "pegs"} ${points > 1 ? `all ${points}` : "1"}.`;
}

/** @param {string} colour @param {number} at @returns {Field} */
const start = (colour, at) => ({ name: `start${at}`, label: `${title(colour)} starts at`, kind: "number", min: 0, max: 240, value: 0 });

// Null where nothing was typed: others may have changed theirs since.
/** @param {Given} given @param {number} at @param {string[]} known */
function typedName(given, at, known) {
  const name = given[`name${at}`];
  return name === undefined || name === known[at] ? null : name;
}

/** @param {Given} given @param {string[]} known @returns {Order} */
function newGame(given, known) {
  const names = COLOURS.slice(0, given.players).map((_, at) => typedName(given, at, known));
  const teams = TEAMS[given.players]?.includes(given.teams) ? given.teams : 0;
  const singles = !teams || teams === given.players;
  const start = COLOURS.slice(0, teams || given.players).map((_, at) => given[`start${at}`] ?? 0);
  return { do: "new", target: given.target, names, teams, ...(given.counting ? { rules: chosenRules(given, singles) } : {}), ...(given.handicap && start.some(Boolean) ? { start } : {}), ...(given.dealer ? { dealer: given.dealer } : {}) };
}

// Only the fields of those who play, and of teams that they can make; four and six mostly play as partners.
/** @param {HTMLFormElement} sheet */
function seats(sheet) {
  const players = Number(control(sheet, "players").value);
  const chosen = sheet.dataset.players;
  sheet.dataset.players = String(players);
  if (chosen && chosen !== sheet.dataset.players) control(sheet, "teams").value = String(TEAMS[players]?.at(-1) ?? 0);
  COLOURS.forEach((_, at) => {
    hide(sheet, `row-name${at}`, at >= players);
  });
  const teams = TEAMS[players] ?? [0];
  hide(sheet, "row-teams", teams.length < 2);
  limit(sheet, "teams", (many) => teams.includes(many));
  const sides = Number(control(sheet, "teams").value) || players;
  COLOURS.forEach((_, at) => {
    hide(sheet, `row-start${at}`, !control(sheet, "handicap").checked || at >= sides);
  });
  if (control(sheet, "ruled")) showRules(sheet, sides === players);
  limit(sheet, "dealer", (place) => place <= players);
}
