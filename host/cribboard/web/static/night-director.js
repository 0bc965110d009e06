// The director's page: what waits for them, buttons and their letters, the menu More, where the keyboard goes.

import { asking, choose, insist } from "./dialog.js";
import { $, complain, el, fill, find, focused, refill } from "./dom.js";
import { byKeys, isTyping } from "./keys.js";
import { chooseSeason, closeNight, deleteNight, ending, reopenNight } from "./night-end.js";
import { Import } from "./night-import.js";
import { refuse } from "./night-orders.js";
import { outOfDate, paper } from "./night-paper.js";
import { clockWords, isPlayed, pieces, playing, quarrels, sitsOut, waitCount, waits } from "./night-parts.js";
import { People } from "./night-people.js";
import { passNight, removePhone } from "./night-phones.js";
import { Print } from "./night-print.js";
import { Results } from "./night-results.js";
import { recall, remember } from "./settings.js";

export class Director {
  /** @param {HTMLElement} node @param {import("./night-orders.js").Orders} orders @param {import("./night-begin.js").Begin} begin */
  constructor(node, orders, begin) {
    this.node = node;
    this.orders = orders;
    this.begin = begin;
    this.letters = recall("letters", true); // single ones are pressed by chance by those who speak to their computer
    this.results = new Results(this);
    this.people = new People(this);
    this.printing = new Print(this);
    this.imports = new Import(this);
    /** @type {Evening | null} */
    this.evening = null; // as it is shown
    this.head = el("div");
    this.table = el("div");
    this.rest = el("div");
    this.beside = el("div", { class: "beside" });
    fill(node, this.head, this.beside, this.rest);
    document.addEventListener("keydown", (event) => this.pressed(event));
  }

  /** @param {Evening} evening */
  show(evening) {
    const before = this.evening;
    this.evening = evening;
    if (evening.night !== before?.night) {
      this.people.newcomer = 0;
      this.imports.list = "";
    }
    const ended = evening.closed || isPlayed(evening);
    const order = ended ? [this.table, this.results.node] : [this.results.node, this.table]; // of a night that is over the standings come first
    if (this.beside.firstChild !== order[0]) fill(this.beside, ...order);
    this.node.toggleAttribute("data-ended", ended);
    const names = evening.entrants.map((one) => one.name); // they are corrected without an act
    refill(this.head, [evening.night, evening.acts, names, evening.closed, evening.season, clockWords(evening), outOfDate(evening), this.printing.isDismissed(evening), this.people.newcomer, this.lettered], () => this.top(evening));
    this.results.show(evening, before);
    refill(this.table, [evening.night, evening.acts, names, evening.closed], () => this.people.list(evening));
    refill(this.rest, [evening.night, evening.acts, evening.closed, evening.season, this.lettered], () => this.away(evening));
    if (focused() === document.body || !focused().getClientRects().length) this.toType();
  }

  again() {
    if (this.evening) this.show(this.evening);
  }

  // What waits for the director, and what they do all the time; the rest is under More.
  /** @param {Evening} evening */
  top(evening) {
    const played = isPlayed(evening);
    const disputed = quarrels(evening);
    const left = evening.matches.filter(waits).length;
    const news = this.people.news(evening);
    const now = [clockWords(evening), playing(evening).length && `${pieces(playing(evening).length, "game")} on`, left && `${left} not confirmed yet`, sitsOut(evening), waitCount(evening)].filter(Boolean);
    return el("section", {},
      el("div", { class: "over" },
        el("p", { class: evening.closed ? "rival" : "clock" }, evening.closed ? ending(evening) : played ? "All games are played. Close the night when the results are right." : [disputed.length > 0 && [this.button("D", "disputed", disputed.length > 1 ? `${disputed.length} results are disputed` : "1 result is disputed", () => this.results.decide(disputed[0]), "quiet quarrel"), " · "], now.join(" · ")]),
        el("p", { class: "row start" },
          evening.closed && this.button("P", "print-standings", "Print standings", () => paper($("paper"), evening, "standings"), "main"),
          evening.closed && evening.season === null && this.counting(evening, "", "Count it for a season"),
          evening.closed && el("button", { type: "button", "data-key": "begin", onclick: () => this.begin.show("").catch(refuse) }, "Begin a night"),
          evening.closed && el("button", { type: "button", "data-key": "reopen", onclick: () => reopenNight(this, evening) }, "Reopen this one"),
          played && this.closing(evening, "main"),
          !evening.closed && !played && [this.button("A", "enter", "Add somebody", () => this.people.enter(evening)), this.button("L", "leave", "Somebody leaves", () => this.people.leaving(evening))],
          !evening.closed && this.button("P", "print", "Print", () => this.printing.print(evening)),
          !evening.staff && el("a", { class: "button", href: "/night?view=phone" }, "My match"),
          this.button("T", "tv", "Television", () => this.television()),
          !evening.closed && this.button("M", "others", "More", () => this.others(evening)))),
      news && el("p", { class: "notice calm news" }, el("span", {}, news), el("button", { type: "button", class: "quiet", "data-key": "news", "aria-label": "Close", onclick: () => this.people.added(0) }, "×")),
      this.printing.stale(evening));
  }

  get lettered() {
    return this.letters && byKeys();
  }

  // A button that a letter presses, too.
  /** @param {string} letter @param {string} key @param {string} words @param {() => unknown} act */
  button(letter, key, words, act, style = "") {
    return el("button", { type: "button", class: style, "data-key": key, "aria-keyshortcuts": this.lettered ? letter : null, onclick: act }, words, this.lettered && el("kbd", { "aria-hidden": "true" }, letter));
  }

  // Letters and figures, unless something is typed: a score that is still empty takes no letter, and a figure goes to the first of them.
  /** @param {KeyboardEvent} event */
  pressed(event) {
    if (this.node.hidden || asking() || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const typing = isTyping(event);
    if (!typing && /^[\d+]$/.test(event.key)) this.toType();
    const empty = event.target instanceof HTMLInputElement && event.target.matches(".points") && !event.target.value;
    if (!this.lettered || (typing && !empty)) return;
    const wanted = find(this.node, `[aria-keyshortcuts="${CSS.escape(event.key.toUpperCase())}"]`);
    if (!wanted?.getClientRects().length) return;
    event.preventDefault();
    if (wanted === this.results.finder) wanted.focus();
    else wanted.click();
  }

  // The keyboard goes to the first score that is to be typed, that of a quarrel if there is one; once all are, to the night's end.
  toType() {
    if (!byKeys()) return;
    (this.results.fields().find((field) => !field.value && !field.readOnly) ?? find(this.head, ".main[data-key=close]"))?.focus();
  }

  async television() {
    const page = await choose("What does the television show?", "Open it on the television’s own browser, or drag its window there.", [["Who plays where", "/night?view=tv", "", "calls, results, standings"], ["The boards", "/screen", "", "each board’s game, and the calls"]]);
    if (page && !open(page, "_blank")) location.assign(page); // where windows are blocked
  }

  /** @param {Evening} evening @param {string} style */
  closing(evening, style) {
    return this.button("C", "close", "Close the night", () => closeNight(this, evening), style);
  }

  /** @param {Evening} evening @param {string} style @param {string} words */
  counting(evening, style, words) {
    return el("button", { type: "button", class: style, "data-key": "season", onclick: () => chooseSeason(this, evening) }, words);
  }

  // What is wanted once an evening, or never.
  /** @param {Evening} evening */
  async others(evening) {
    const chosen = await choose("More", "", [
      ...(isPlayed(evening) ? [/** @type {[string, string, string, string]} */ (["Add somebody", "enter", "", "and plan games for them"])] : []),
      ["Attach a game", "attach", "", "played on a board beside the plan"], ["Paste results", "paste", "", "from a list or a spreadsheet"],
      ["Plan again", "again", "", "draws the rounds to come"],
      ...(evening.matches.some((match) => match.bye) ? [/** @type {[string, string, string, string]} */ (["One more round", "more", "", "for those who sat out"])] : []),
      ["Write a note", "note", "", "for the record, printed with the standings"],
      ["Remove a phone", "remove", "", "for this evening"],
      ...(byKeys() ? [/** @type {[string, string, string, string]} */ (["Letter keys", "letters", "", `they are ${this.letters ? "on" : "off"}`])] : []),
      ...(evening.staff ? [] : [/** @type {[string, string, string, string]} */ (["Pass the night on", "pass", "", "another phone directs it"])]),
      ...(evening.played ? [] : [/** @type {[string, string, string, string]} */ (["Delete this night", "dismiss", "grave", "nothing has been played yet"])]),
    ]);
    if (chosen === "enter") await this.people.enter(evening);
    if (chosen === "letters") {
      remember("letters", (this.letters = !this.letters));
      this.again();
    }
    if (chosen === "attach") await this.imports.attach(evening);
    if (chosen === "paste") await this.imports.paste(evening);
    if (chosen === "again") await this.order(evening, { do: "again" });
    if (chosen === "more") await this.more(evening);
    if (chosen === "note") await this.note(evening);
    if (chosen === "remove") await removePhone(this);
    if (chosen === "pass") await passNight(this, evening);
    if (chosen === "dismiss") await deleteNight(this, evening);
  }

  // Why some have played less than others, and a round for them.
  /** @param {Evening} evening */
  async more(evening) {
    const here = evening.standings.filter((row) => row.entrants.some((who) => evening.entrants.some((one) => one.entrant === who && one.here)));
    const most = Math.max(...here.map((row) => row.games));
    const fewer = here.filter((row) => row.games < most).map((row) => `${row.name} ${row.games}`);
    const odd = here.length % 2 ? ` ${here.length} do not divide into pairs: somebody sits out each round.` : "";
    const sure = await choose("One more round?", fewer.length ? `The most anybody has played is ${pieces(most, "game")}. Fewer have: ${fewer.join(", ")}.${odd}` : `All have played ${pieces(most, "game")}.${odd}`, [["Leave it", false], ["Draw it", true, "main"]]);
    if (sure) await this.order(evening, { do: "more" });
  }

  /** @param {Evening} evening */
  async note(evening) {
    await insist("Write a note", [{ name: "name", label: "Note", required: true, max: 200 }], "Save", "It appears on this page and on the printed standings.", (given) => this.ordered(evening, { do: "note", text: given.name }));
  }

  // An order, after which the keyboard is where the next score is typed.
  /** @param {Evening} evening @param {import("./night-orders.js").Order} order */
  async order(evening, order) {
    const done = await this.orders.give(evening, order);
    if (done && !asking() && !focused().matches("input")) this.toType();
    return done;
  }

  // Why an order was refused, for a form that comes back with it; nothing if it was not.
  /** @param {Evening} evening @param {import("./night-orders.js").Order} order */
  async ordered(evening, order) {
    if (await this.order(evening, order)) return "";
    complain("");
    return this.orders.refused;
  }

  // What is wanted at the end, or never: in one quiet line each.
  /** @param {Evening} evening */
  away(evening) {
    const row = (/** @type {string} */ title, /** @type {Child[]} */ ...children) => el("div", {}, el("dt", {}, title), el("dd", {}, children));
    return el("dl", { class: "foot-of" },
      row("Save", ["standings", "results", "plan"].map((name) => el("a", { href: `/api/nights/${evening.night}/${name}.csv`, download: "" }, `${name[0].toUpperCase()}${name.slice(1)} (CSV)`)),
        el("a", { href: `/api/nights/${evening.night}`, download: `night-${evening.began.slice(0, 10)}.json` }, "Everything (JSON)")),
      evening.closed && row("Print", el("button", { type: "button", class: "quiet", "data-key": "print", onclick: () => this.printing.print(evening) }, "Cards, plan or slips")),
      !(evening.closed && evening.season === null) && row("Season", this.counting(evening, "quiet", evening.season === null ? "Count it for a season" : "Another season"),
        evening.season !== null && el("a", { href: `/season/${evening.season}` }, "See its season")),
      !evening.closed && !isPlayed(evening) && row("End", this.closing(evening, "quiet")));
  }
}
