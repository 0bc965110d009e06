// Who runs the night: a grid of results for the keyboard, who is in, what goes wrong and how it is put right.

import { ask, get, post, remove } from "./api.js";
import { asking, choose, control, insist, option } from "./dialog.js";
import { $, checkbox, complain, el, fill, find, focused, refill, svg, text } from "./dom.js";
import { outOfDate, paper, papers, roundsOf } from "./night-paper.js";
import { apart, clock, clockWords, freeTables, inAndOut, isDisputed, isPlayed, isUndecided, openGame, pieces, playing, pointsWords, quarrels, satOut, says, shortNames, sitsOut, stand, standings, upcoming, verb, versus, waiting, waitLines, winners, won } from "./night-parts.js";
import { showInvite } from "./join.js";
import { isTyping } from "./keys.js";
import { newKey } from "./night-orders.js";
import { moment, sheet, sideWords } from "./records.js";
import { seasonForm } from "./season-form.js";
import { recall, remember } from "./settings.js";
import { shortName } from "./sides.js";

const HELD_MS = 6000;
const LATEST = 5; // results that have just come in
const MOST_POINTS = 1000; // beside those of games

// The matches in which each of these words is in a player's name, however it is written.
/** @param {Match[]} matches @param {string} words */
function ofPlayer(matches, words) {
  const plain = (/** @type {string} */ name) => name.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
  const wanted = plain(words).split(/\s+/);
  return matches.filter((match) => wanted.every((word) => match.names.some((name) => plain(name).includes(word))));
}

// A result from what is typed beside both names: their scores, one of them alone the loser's, or by how much one of them won.
/** @param {string[]} typed @param {number} target */
function typedResult(typed, target) {
  const side = typed[0] ? 0 : 1;
  const [, margin] = typed[side].match(/^\+ ?(\d+)$/) ?? [];
  if (margin && !typed[1 - side]) return { winner: side, margin: Number(margin) };
  return { scores: typed.map((value) => (value === "" ? target : /^\d+$/.test(value) ? Number(value) : value)) };
}

/** @param {Match} match */
const waits = (match) => match.legs.some((leg) => leg.state === "waits");

/** @param {Evening} evening */
function waitCount(evening) {
  const count = waiting(evening).length;
  return count > 0 && `${count} wait${count > 1 ? "" : "s"}`;
}

// Those of which a result counts, or was settled; the newest first.
/** @param {Evening} evening */
const decided = (evening) => evening.matches.filter((match) => !match.bye && match.over && !isDisputed(match)).sort((one, other) => other.said - one.said);

// Of which nobody has to say anything any more.
/** @param {Match} match */
const games = ({ legs }) => legs.filter((leg) => !isUndecided(leg));

/** @param {Match} match */
const isSettled = (match) => match.legs[match.legs.length - 1]?.state === "settled";

// Whether it is worth a star that the director has decided a result: not where they all are, as in a house without phones.
/** @param {Evening} evening */
const hasStars = ({ matches }) => matches.some(isSettled) && !matches.every((match) => match.bye || isSettled(match));

const byKeys = () => matchMedia("(pointer: fine)").matches;

const [TO_DECIDE, TO_CONFIRM] = ["To decide", "To confirm"]; // by the director, by the other player
/** @type {Record<string, string>} */
const HINTS = { [TO_DECIDE]: ": choose what is right, or type the score", [TO_CONFIRM]: ": counts until a player says no" };

// Who has won a night that is closed.
/** @param {Evening} evening */
function ending(evening) {
  const first = winners(evening);
  if (!first.length) return clockWords(evening);
  return `${first.map((row) => row.name).join(" and ")} won, ${pointsWords(first[0].points)}${first.length > 1 ? " each" : apart(evening, first[0])}`;
}

// How a match stands, as far as the director can do something about it.
/** @param {Match} match @param {boolean} closed */
function stands(match, closed) {
  const leg = openGame(match);
  if (leg?.state === "waits") {
    const names = leg.waits_for.map((side) => match.names[side]).join(" and ");
    return closed ? `${leg.said}; ${names} never confirmed it` : `${leg.said}; ${names} to confirm`;
  }
  if (match.running) return `${match.running.join(" – ")} on the board`;
  if (leg || match.minutes === null) return stand(match);
  return match.minutes < 1 ? "just called" : `called ${match.minutes} min ago`;
}

// Whether it is known where a match will be played before it is called: one of them always plays there.
/** @param {Evening} evening @param {Match} match */
const isTied = (evening, match) => evening.entrants.some((one) => one.table && match.sides.flat().includes(one.entrant));

// What has happened to a match, when, by whom, and how it stood then.
/** @param {{ at: string, who: string, kind: string, text: string, after: string }} line */
function happened({ at, who, kind, text, after }) {
  const [hour, minute] = at.split(":").map(Number);
  const words = [kind[0].toUpperCase() + kind.slice(1), at && `at ${clock(hour, minute)}`, who !== "the kiosk" && `by ${who}`, text && `(${text})`].filter(Boolean).join(" ");
  return after === "open" ? words : `${words}: ${after}`;
}

// What makes paper out of date, so that it is known when more does.
/** @param {Evening} evening */
const staleness = (evening) => JSON.stringify([evening.night, outOfDate(evening).cards.map((one) => one.entrant), outOfDate(evening).missing.map((one) => one.match), evening.matches.map((match) => match.sides)]);

// A phone, small.
/** @param {string} words */
const mark = (words) => svg("svg", { viewBox: "0 0 10 16", role: "img", "aria-label": words }, svg("rect", { x: 1, y: 1, width: 8, height: 14, rx: 2 }), svg("path", { d: "M4 12h2" }));

// A phone with its number, as the list of who is in has it: two may be called Bob.
/** @param {{ phone: number, name: string }} phone */
const numbered = ({ phone, name }) => (name === `Phone ${phone}` ? name : `${name}, phone ${phone}`);

// The text of a file that a spreadsheet has saved, in any of the usual encodings; null if it isn't text.
/** @param {Uint8Array<ArrayBuffer>} bytes */
function textOf(bytes) {
  const [one, other] = bytes;
  const wide = one === 0xff && other === 0xfe ? "utf-16le" : one === 0xfe && other === 0xff ? "utf-16be" : "";
  if (!wide && bytes.includes(0)) return null;
  try {
    return new TextDecoder(wide || "utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes); // as older spreadsheets write it
  }
}

export class Director {
  /** @param {HTMLElement} node @param {import("./night-orders.js").Orders} orders @param {import("./night-begin.js").Begin} begin */
  constructor(node, orders, begin) {
    this.node = node;
    this.orders = orders;
    this.begin = begin;
    this.all = false;
    this.changing = 0; // a match whose result is typed again
    this.again = 0; // which of its games
    this.held = 0; // a match of which others have decided a game while the keyboard was in it: what is typed next is not another's score
    this.dismissed = ""; // paper that is not right any more, and not wanted again
    this.newcomer = 0; // who was added last, until their first match is over
    this.letters = recall("letters", true); // single ones are pressed by chance by those who speak to their computer
    this.list = ""; // that was pasted and not taken: somebody on it may have to be added first
    /** @type {Evening | null} */
    this.evening = null; // as it is shown
    this.head = el("div");
    const again = () => this.evening && this.show(this.evening);
    this.finder = el("input", { type: "search", "data-key": "find", "aria-label": "Find a player’s matches", autocomplete: "off", oninput: again, onkeydown: (/** @type {KeyboardEvent} */ event) => this.found(event) });
    this.tick = el("label", { class: "check" }, checkbox({ "data-key": "all" }, (on) => {
      this.all = on;
      again();
    }), "All matches");
    this.rows = el("div");
    this.grid = el("div", {}, el("section", { "aria-label": "Results" }, el("div", { class: "over" }, el("h2", {}, "Results"), el("div", { class: "which" }, this.finder, this.tick)), this.rows));
    this.table = el("div");
    this.rest = el("div");
    this.beside = el("div", { class: "beside" });
    this.rows.addEventListener("focusout", () => this.held && setTimeout(again));
    fill(node, this.head, this.beside, this.rest);
    document.addEventListener("keydown", (event) => this.pressed(event));
  }

  /** @param {Evening} evening */
  show(evening) {
    const another = evening.night !== this.evening?.night;
    if (another) {
      Object.assign(this, { newcomer: 0, changing: 0, list: "" });
      this.finder.value = "";
    }
    const known = new Map(this.evening?.matches.map((match) => [match.match, games(match).length]));
    this.evening = evening;
    const ended = evening.closed || isPlayed(evening);
    const order = ended ? [this.table, this.grid] : [this.grid, this.table]; // of a night that is over the standings come first
    if (this.beside.firstChild !== order[0]) fill(this.beside, ...order);
    this.node.toggleAttribute("data-ended", ended);
    this.tick.hidden = ended;
    this.finder.placeholder = `Find a player${this.lettered ? " (F)" : ""}`;
    if (this.lettered) this.finder.setAttribute("aria-keyshortcuts", "F");
    else this.finder.removeAttribute("aria-keyshortcuts");
    const names = evening.entrants.map((one) => one.name); // they are corrected without an act
    refill(this.head, [evening.night, evening.acts, names, evening.closed, evening.season, clockWords(evening), outOfDate(evening), this.dismissed === staleness(evening), this.newcomer, this.lettered], () => this.top(evening));
    // what is typed stays: the grid is drawn again when something has happened, and nobody types in it
    const fields = () => /** @type {NodeListOf<HTMLInputElement>} */ (this.grid.querySelectorAll("input.points"));
    const typed = new Map([...fields()].filter((field) => field.value && !another).map((field) => [field.dataset.key, field.value]));
    if (!typed.has(focused().dataset.key)) {
      const here = this.orders.busy ? "" : focused().dataset.key;
      const typing = evening.matches.find(({ match }) => here?.startsWith(`points-${match}-`));
      const isNew = typing && games(typing).length > (known.get(typing.match) ?? 0);
      this.held = typing && (isNew || typing.match === this.held) ? typing.match : 0;
      if (isNew) setTimeout(() => this.letGo(typing.match), HELD_MS);
      refill(this.rows, [evening.night, evening.acts, names, this.all, this.finder.value, this.changing, this.held, evening.matches.map((match) => [match.running, match.minutes])], () => this.results(evening));
      for (const field of fields()) field.value = typed.get(field.dataset.key) ?? "";
    }
    refill(this.table, [evening.night, evening.acts, names, evening.closed], () => this.people(evening));
    refill(this.rest, [evening.night, evening.acts, evening.closed, evening.season, this.lettered], () => this.away(evening));
    if (focused() === document.body || !focused().getClientRects().length) this.toType();
  }

  // It has been seen that others have decided it.
  /** @param {number} match */
  letGo(match) {
    if (this.held !== match || !this.evening) return;
    this.held = 0;
    this.show(this.evening);
  }

  // What waits for the director, and what they do all the time; the rest is under More.
  /** @param {Evening} evening */
  top(evening) {
    const played = isPlayed(evening);
    const disputed = quarrels(evening);
    const left = evening.matches.filter(waits).length;
    const news = this.news(evening);
    const now = [clockWords(evening), playing(evening).length && `${pieces(playing(evening).length, "game")} on`, left && `${left} not confirmed yet`, sitsOut(evening), waitCount(evening)].filter(Boolean);
    return el("section", {},
      el("div", { class: "over" },
        el("p", { class: evening.closed ? "rival" : "clock" }, evening.closed ? ending(evening) : played ? "All games are played. Close the night when the results are right." : [disputed.length > 0 && [this.button("D", "disputed", disputed.length > 1 ? `${disputed.length} results are disputed` : "1 result is disputed", () => this.decide(disputed[0]), "quiet quarrel"), " · "], now.join(" · ")]),
        el("p", { class: "row start" },
          evening.closed && this.button("P", "print-standings", "Print standings", () => paper($("paper"), evening, "standings"), "main"),
          evening.closed && evening.season === null && this.counting(evening, "", "Count it for a season"),
          evening.closed && el("button", { type: "button", "data-key": "begin", onclick: () => this.begin.show("").catch((failure) => this.refuse(failure)) }, "Begin a night"),
          evening.closed && el("button", { type: "button", "data-key": "reopen", onclick: () => this.reopen(evening) }, "Reopen this one"),
          played && this.closing(evening, "main"),
          !evening.closed && !played && [this.button("A", "enter", "Add somebody", () => this.enter(evening)), this.button("L", "leave", "Somebody leaves", () => this.leaving(evening))],
          !evening.closed && this.button("P", "print", "Print", () => this.print(evening)),
          !evening.staff && el("a", { class: "button", href: "/night?view=phone" }, "My match"),
          this.button("T", "tv", "Television", () => this.television()),
          !evening.closed && this.button("M", "others", "More", () => this.others(evening)))),
      news && el("p", { class: "notice calm news" }, el("span", {}, news), el("button", { type: "button", class: "quiet", "data-key": "news", "aria-label": "Close", onclick: () => this.added(0) }, "×")),
      this.stale(evening));
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
    if (wanted === this.finder) wanted.focus();
    else wanted.click();
  }

  // What was printed and is not right any more, with a button for each.
  /** @param {Evening} evening */
  stale(evening) {
    const { cards, fresh, plan, slips, missing } = outOfDate(evening);
    if (this.dismissed === staleness(evening)) return null;
    const old = cards.length - fresh.length;
    const kinds = [old > 0 && pieces(old, "card"), plan && "the plan", slips && "slips"].filter(Boolean);
    const again = (/** @type {import("./night-paper.js").Kind} */ kind, /** @type {string} */ key, /** @type {string} */ words) => el("button", { type: "button", "data-key": key, onclick: async () => {
      await paper($("paper"), evening, kind);
      this.show(this.evening ?? evening);
      this.toType();
    }, "aria-label": `Print ${words}` }, words);
    return (cards.length > 0 || kinds.length > 0 || missing.length > 0) && el("p", { class: "notice calm over" },
      el("span", {}, [kinds.length > 0 && `Changed since printing: ${[kinds.slice(0, -1).join(", "), kinds[kinds.length - 1]].filter(Boolean).join(" and ")}.`, fresh.length > 0 && `${fresh.map((one) => one.name).join(", ")} ${fresh.flatMap((one) => one.holders).length > 1 ? "have" : "has"} no card.`, missing.length > 0 && !slips && `Slips are printed up to round ${Math.min(...missing.map((match) => match.round)) - 1}.`].filter(Boolean).join(" ")),
      el("span", { class: "row start" },
        "Print ",
        cards.length > 0 && again("changed", "stale", pieces(cards.length, "card")),
        plan && again("plan", "stale-plan", "plan"),
        missing.length > 0 && again("missing", "stale-slips", `${pieces(missing.length, "slip")} (${roundsOf(missing)})`),
        el("button", { type: "button", class: "quiet", "data-key": "leave-stale", "aria-label": "Leave the paper as it is", onclick: () => {
          this.dismissed = staleness(evening);
          this.show(this.evening ?? evening);
        } }, "×")));
  }

  async television() {
    const page = await choose("What does the television show?", "Open it on the television’s own browser, or drag its window there.", [["Who plays where", "/night?view=tv", "", "calls, results, standings"], ["The boards", "/screen", "", "each board’s game, and the calls"]]);
    if (page && !open(page, "_blank")) location.assign(page); // where windows are blocked
  }

  /** @param {Evening} evening @param {string} style */
  closing(evening, style) {
    return this.button("C", "close", "Close the night", () => this.close(evening), style);
  }

  /** @param {Evening} evening @param {string} style @param {string} words */
  counting(evening, style, words) {
    return el("button", { type: "button", class: style, "data-key": "season", onclick: () => this.season(evening) }, words);
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
    if (chosen === "enter") await this.enter(evening);
    if (chosen === "letters") {
      remember("letters", (this.letters = !this.letters));
      this.show(this.evening ?? evening);
    }
    if (chosen === "attach") await this.attach(evening);
    if (chosen === "paste") await this.paste(evening);
    if (chosen === "again") await this.order(evening, { do: "again" });
    if (chosen === "more") await this.more(evening);
    if (chosen === "note") await this.note(evening);
    if (chosen === "remove") await this.remove();
    if (chosen === "pass") await this.pass(evening);
    if (chosen === "dismiss") await this.dismiss(evening);
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

  // An order, after which the keyboard is where the next score is typed.
  /** @param {Evening} evening @param {import("./night-orders.js").Order} order */
  async order(evening, order) {
    const done = await this.orders.give(evening, order);
    if (done && !asking() && !focused().matches("input")) this.toType();
    return done;
  }

  /** @param {Evening} evening */
  async note(evening) {
    await insist("Write a note", [{ name: "name", label: "Note", required: true, max: 200 }], "Save", "It appears on this page and on the printed standings.", (given) => this.ordered(evening, { do: "note", text: given.name }));
  }

  // A player's name, here and in the history.
  /** @param {Evening} evening @param {Evening["entrants"][number]} one */
  async rename(evening, one) {
    await insist(`Rename ${one.name}`, [{ name: "name", label: "Name", value: one.name, required: true, max: 20 }], "Rename", "", async (given) => {
      try {
        const { players } = await get("/api/players");
        const known = players.find((each) => each.name === one.name);
        if (!known) return `${one.name} is not among the players any more. Look again.`;
        await post(`/api/players/${known.id}`, given);
        this.orders.show(await get(`/api/nights/${evening.night}`));
        return "";
      } catch (failure) {
        return failure.words ?? "";
      }
    });
  }

  // Why an order was refused, for a form that comes back with it; nothing if it was not.
  /** @param {Evening} evening @param {import("./night-orders.js").Order} order */
  async ordered(evening, order) {
    if (await this.order(evening, order)) return "";
    complain("");
    return this.orders.refused;
  }

  // Points beside those of games.
  /** @param {Evening} evening @param {Evening["entrants"][number]} one */
  async adjust(evening, one) {
    await insist(`Points for ${one.name}`, [{ name: "points", label: "Points, such as 1, −2 or 0.5", required: true, max: 8 }, { name: "name", label: "Why?", required: true, max: 200 }], "Count them", "They are added to those of the games; with − they are taken away.", (given) => {
      const points = Number(String(given.points).replace("−", "-").replace(",", "."));
      if (!points || Math.abs(points) > MOST_POINTS) return Promise.resolve(`“${given.points}” isn’t a number of points. Write 1, -2 or 0.5, at most ${MOST_POINTS}.`);
      return this.ordered(evening, { do: "adjust", entrant: one.entrant, points: Math.round(points * 100), text: given.name });
    });
  }

  // The keyboard goes to the first result that must be decided.
  /** @param {Match} match */
  decide(match) {
    this.finder.value = "";
    this.show(/** @type {Evening} */ (this.evening));
    this.field(match.match)?.focus();
  }

  /** @param {number} match @returns {HTMLElement | null} */
  field(match) {
    return this.grid.querySelector(`[data-key="points-${match}-0"]`);
  }

  // Enter goes to the first match of the player who is searched for, Escape back to all matches.
  /** @param {KeyboardEvent} event */
  found({ key }) {
    if (key === "Enter") find(this.rows, "input.points, [data-key^=change-]")?.focus();
    if (key !== "Escape" || !this.evening) return;
    this.finder.value = "";
    this.show(this.evening);
  }

  // What is typed, by what must be done: decided, played just now, to come; and what has come in, to look at and change.
  /** @param {Evening} evening */
  results(evening) {
    const wanted = this.finder.value.trim();
    const matches = ofPlayer(evening.matches.filter((match) => !match.bye), wanted);
    const none = wanted && !matches.length && el("p", { class: "empty" }, `No match of ${wanted}.`);
    if (evening.closed) return [el("p", { class: "muted part" }, "Reopen the night to correct a result.", hasStars(evening) && " * decided by the director"), none || this.scores(evening, decided(evening).filter((match) => matches.includes(match)), true)];
    const over = isPlayed(evening);
    const all = this.all || wanted !== "";
    const done = decided(evening).filter((match) => !waits(match) && matches.includes(match) && ![this.changing, this.held].includes(match.match));
    const open = matches.filter((match) => !done.includes(match));
    const quarrel = open.filter(isDisputed);
    const changing = open.filter((match) => match.match === this.changing && !isDisputed(match));
    const on = open.filter((match) => (match.called || match.over) && ![...quarrel, ...changing].includes(match)).sort((one, other) => one.table - other.table);
    const [now, said] = [on.filter((match) => !match.over || !waits(match)), on.filter((match) => match.over && waits(match))];
    /** @type {[string, Match[]][]} */
    const groups = [[TO_DECIDE, quarrel], ["To change", changing], ["On now", now], [TO_CONFIRM, said]];
    if (all) for (const match of open.filter((one) => ![...quarrel, ...changing, ...on].includes(one))) {
      const group = groups.find(([title]) => title === `Round ${match.round}`);
      if (group) group[1].push(match);
      else groups.push([`Round ${match.round}`, [match]]);
    }
    const shown = groups.filter(([, matches]) => matches.length);
    const mixed = new Set([...quarrel, ...changing, ...on].map((match) => match.round)).size > 1;
    return [none,
      shown.length > 0 && [el("p", { class: "muted part" }, `Type the loser’s score beside the loser, or +33 beside who won by 33, and press Enter.${byKeys() ? " ↓ and ↑ go from table to table." : ""}`),
        sheet("Results", [["Table"], ["Deals first", "num"], ["Score", "num"], ["Score"], ["Against"], ["State"], ["Menu", "mute"]],
          shown.flatMap(([title, matches]) => [(shown.length > 1 || HINTS[title]) && el("tr", { class: "title" }, el("th", { scope: "rowgroup", colspan: 7 }, title, el("span", { class: "muted" }, HINTS[title] ?? ""))), ...matches.flatMap((match) => this.line(evening, match, title !== `Round ${match.round}` && (mixed || match.round !== evening.round)))]))],
      !shown.length && !over && !wanted && el("p", { class: "empty" }, "No match is on."),
      !wanted && this.waits(evening),
      over && hasStars(evening) && el("p", { class: "muted part" }, "* decided by the director"),
      done.length > 0 && [!over && el("h3", {}, all ? "Played" : "Just in"), this.scores(evening, over || all ? done : done.slice(0, LATEST), over || all)]];
  }

  // Who waits, a line each, and where nobody plays.
  /** @param {Evening} evening */
  waits(evening) {
    const lines = waitLines(evening);
    const free = freeTables(evening);
    return lines.length > 0 && el("section", { class: "waits", "aria-label": "Waiting" },
      el("h3", {}, waitCount(evening), free.length > 0 && el("span", { class: "muted" }, ` · free: ${free.join(", ")}`)),
      el("ul", {}, lines.map(([names, words]) => el("li", {}, el("strong", {}, names), words))));
  }

  // Results that count, the winner in bold; by rounds in their order.
  /** @param {Evening} evening @param {Match[]} matches @param {boolean} byRounds */
  scores(evening, matches, byRounds) {
    const order = [...new Set(matches.map((match) => match.round))].sort((one, other) => one - other);
    /** @type {[string, Match[]][]} */
    const groups = byRounds ? order.map((round) => [`Round ${round}`, matches.filter((match) => match.round === round)]) : [["", matches]];
    if (!matches.length) return el("p", { class: "empty" }, "Nothing was played.");
    return el("div", { class: "scores" }, groups.map(([title, each]) => el("section", {}, title && el("h3", {}, title), el("ul", {}, each.map((match) => this.score(evening, match))))));
  }

  /** @param {Evening} evening @param {Match} match */
  score(evening, match) {
    const leg = match.legs[match.legs.length - 1];
    const [one, other] = match.legs.length > 1 ? match.wins : leg?.scores ?? match.wins;
    const ended = evening.closed || isPlayed(evening);
    const names = ended ? shortNames(evening, match.names) : match.names; // all rounds are checked at once
    const side = (/** @type {number} */ at, /** @type {boolean} */ first) => el(first ? "strong" : "span", { class: "who", title: names[at] === match.names[at] ? null : match.names[at] }, names[at]);
    const score = match.legs.length > 1 || leg?.scores ? `${one} – ${other}` : "–"; // a walk-over has no score
    const how = leg?.scores ? !ended && leg.said.split(", ").slice(1).join(", ").replace(/^a /, "") : leg && "without a game"; // the winner is bold
    const from = ended || !leg ? "" : isSettled(match) ? "director" : leg.board ? "board" : "phones";
    const star = ended && isSettled(match) && hasStars(evening) && el("span", { class: "star" }, "*");
    const change = (/** @type {string} */ words) => el("button", { type: "button", class: "quiet", "data-key": `change-${match.match}`, "aria-label": `Change ${versus(match)}, ${score}`, title: "Change", onclick: () => this.change(evening, match) }, words);
    return el("li", {}, side(0, one > other), el("span", { class: "num" }, ended && !evening.closed ? change(score) : score, star),
      el("span", { class: "two" }, side(1, other > one), " ", el("span", { class: "how muted" }, [how, from].filter(Boolean).join("\u00a0· "))),
      !ended && change("Change"));
  }

  /** @param {Evening} evening @param {Match} match */
  async change(evening, match) {
    const games = match.legs.map((leg) => /** @type {[string, number]} */ ([`Game ${leg.leg}: ${leg.said}`, leg.leg]));
    const game = games.length > 1 ? await choose("Which game is wrong?", versus(match), games) : 1;
    if (game === null) return;
    Object.assign(this, { changing: match.match, again: game });
    this.show(evening);
    this.field(match.match)?.focus();
  }

  // A result that was to be typed again stays as it is.
  /** @param {Evening} evening @param {Match} match @param {HTMLInputElement[]} fields */
  leave(evening, match, fields) {
    for (const field of fields) field.value = "";
    this.changing = 0;
    this.show(this.evening ?? evening);
    /** @type {HTMLElement | null} */ (this.grid.querySelector(`[data-key="change-${match.match}"]`))?.focus();
  }

  /** @param {Evening} evening @param {Match} match @param {boolean} ofRound */
  line(evening, match, ofRound) {
    const leg = openGame(match);
    const game = this.changing === match.match ? this.again : leg && isUndecided(leg) ? leg.leg : Math.min(match.legs.length + 1, evening.best_of);
    const held = this.held === match.match;
    const fields = match.names.map((name, side) => el("input", { class: "points", readonly: held, inputmode: "tel", maxlength: 12, autocomplete: "off", "aria-label": `${name}’s score`, "data-key": `points-${match.match}-${side}` }));
    const near = (/** @type {number} */ way) => {
      const here = /** @type {HTMLElement[]} */ ([...this.grid.querySelectorAll("input.points")]);
      return here[here.indexOf(/** @type {HTMLElement} */ (document.activeElement)) + way];
    };
    const send = async () => {
      const typed = fields.map((field) => field.value.trim());
      if (held) this.letGo(match.match);
      if (!typed.some(Boolean)) return;
      const here = [...this.grid.querySelectorAll("input.points")];
      const below = here[here.indexOf(fields[1]) + 1] ?? here[here.indexOf(fields[0]) - 2];
      const key = below instanceof HTMLElement ? below.dataset.key : "";
      for (const field of fields) field.value = ""; // so that the grid is drawn again
      const { changing } = this;
      if (changing === match.match) this.changing = 0;
      const found = this.finder.value;
      if (found) this.finder.value = ""; // for the next slip
      if (!(await this.order(evening, { do: "settle", match: match.match, leg: game, undecided: changing !== match.match, ...typedResult(typed, evening.target) }))) {
        if (this.orders.code === "decided") return; // it is shown as it has become
        this.finder.value = found;
        this.changing = changing;
        fields.forEach((field, at) => (field.value = typed[at]));
        return;
      }
      const next = found ? this.finder : find(this.grid, key ? `[data-key="${key}"]` : "input.points");
      if (next) next.focus();
      else this.toType();
    };
    for (const field of fields) field.addEventListener("keydown", (event) => {
      if (event.key === "Enter") send();
      if (event.key === "Escape" && this.changing === match.match) this.leave(evening, match, fields);
      if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
      event.preventDefault();
      near(event.key === "ArrowDown" ? 2 : -2)?.focus();
    });
    const names = shortNames(evening, match.names, [shortName]);
    return [el("tr", { "data-state": leg?.state ?? "", class: "match" },
      el("td", { class: "at" }, match.called || isTied(evening, match) ? match.place : ""), el("td", { class: "num one" }, names[0]), el("td", { class: "num" }, fields[0]), el("td", {}, fields[1]), el("td", { class: "two" }, names[1]),
      el("td", { class: "state-of muted" }, leg?.state === "disputed" ? "disputed" : held ? `${games(match).pop()?.said}; just decided` : stands(match, evening.closed), evening.best_of > 1 && el("small", {}, `game ${game}`), ofRound && el("small", {}, `round ${match.round}`),
        this.changing === match.match && [" ", el("button", { type: "button", class: "quiet", "data-key": `leave-${match.match}`, onclick: () => this.leave(evening, match, fields) }, "Cancel")]),
      el("td", { class: "menu" }, el("button", { type: "button", class: "quiet", "data-key": `more-${match.match}`, "aria-label": `More about ${versus(match)}`, title: `More about ${versus(match)}`, onclick: () => this.about(evening, match) }, "More"))),
      leg?.state === "disputed" && el("tr", { "data-state": "disputed" }, el("td", { colspan: 7 }, this.quarrel(evening, match, leg)))];
  }

  /** @param {Evening} evening @param {Match} match @param {Leg} leg */
  quarrel(evening, match, leg) {
    const right = (/** @type {number} */ side) => !evening.closed && leg.reports[side] && el("button", { type: "button", "data-key": `right-${match.match}-${side}`, onclick: () => this.order(evening, { do: "settle", match: match.match, leg: leg.leg, undecided: true, scores: leg.reports[side] }) }, won(match, leg.reports[side]));
    return el("div", { class: "row start" }, match.names.map((name, side) => el("span", { class: "quarrel" }, `${name} ${verb(match, side, "says", "say")} `, right(side) || `${says(match, leg, side)}.`)));
  }

  /** @param {Evening} evening @param {Match} match */
  async about(evening, match) {
    const known = await get(`/api/nights/${evening.night}/matches/${match.match}`).catch((failure) => this.refuse(failure));
    if (!known) return;
    const tables = evening.tables.filter((one) => !match.called || one.table !== match.table);
    const list = el("ol", { class: "lines" }, known.lines.map((line) => el("li", {}, happened(line))));
    /** @type {[string, string, string, string][]} */
    const choices = [
      ...(tables.length ? [/** @type {[string, string, string, string]} */ (["Another table", "move", "", match.called ? `it is at ${match.place}` : "when it is called"])] : []),
      ...(match.called ? [] : [/** @type {[string, string, string, string]} */ (["Swap opponents", "swap", "", "with another match of the round"])]),
      [`${match.names[0]} wins without a game`, "home", "", "and has the points"], [`${match.names[1]} wins without a game`, "away", "", "and has the points"],
      ["Remove this match", "strike", "grave", "nobody gets points for it"],
    ];
    if (evening.tables.some((table) => table.table === match.table && table.board) && match.called && !match.over) choices.unshift(["Start on the board", "start", "", "it gets both names"]);
    const chosen = await choose(`${versus(match)}, round ${match.round}`, list, choices);
    if (chosen === "home" || chosen === "away") await this.order(evening, { do: "walkover", match: match.match, undecided: !match.over, side: chosen === "home" ? 0 : 1 });
    if (chosen === "strike") await this.order(evening, { do: "strike", match: match.match });
    if (chosen === "start") await this.start(evening, match);
    if (chosen === "move") await this.move(evening, match, tables);
    if (chosen === "swap") await this.swap(evening, match);
  }

  /** @param {Evening} evening @param {Match} match */
  async start(evening, match) {
    await ask("POST", `/api/nights/${evening.night}/start/${match.match}`, {}).catch((failure) => this.refuse(failure));
  }

  /** @param {{ words?: string }} failure */
  refuse(failure) {
    complain(failure.words ?? "");
  }

  /** @param {Evening} evening @param {Match} match @param {Evening["tables"]} tables */
  async move(evening, match, tables) {
    const table = await choose("Which table?", versus(match), tables.map((one) => /** @type {[string, number]} */ ([one.name, one.table])));
    if (table !== null) await this.order(evening, { do: "move", match: match.match, table });
  }

  /** @param {Evening} evening @param {Match} match */
  async swap(evening, match) {
    const others = evening.matches.filter((one) => one.round === match.round && one.match !== match.match && !one.called && !one.bye && !one.over);
    const other = others.length ? await choose("Swap opponents with which match?", versus(match), others.map((one) => /** @type {[string, number]} */ ([versus(one), one.match]))) : null;
    if (!others.length) this.refuse({ words: "No other match of this round can still be changed." });
    if (other !== null) await this.order(evening, { do: "swap", match: match.match, other });
  }

  /** @param {Evening} evening */
  async enter(evening) {
    const begun = Math.max(0, ...evening.matches.filter((match) => match.called).map((match) => match.round));
    const hint = `They play from round ${begun + 1} on, or sooner in the place of somebody who sits out.`;
    if (!(await insist("Add somebody", [{ name: "name", label: "Name", required: true }], "Add", hint, (given) => this.ordered(evening, { do: "enter", name: given.name })))) return;
    const [one] = (this.evening ?? evening).entrants.filter(({ entrant }) => evening.entrants.every((each) => each.entrant !== entrant));
    if (!one) return;
    this.added(one.entrant);
    text($("announcer"), this.news(this.evening ?? evening));
  }

  // The keyboard goes to the first score that is to be typed, that of a quarrel if there is one; once all are, to the night's end.
  toType() {
    if (!byKeys()) return;
    const fields = /** @type {HTMLInputElement[]} */ ([...this.grid.querySelectorAll("input.points")]);
    (fields.find((field) => !field.value && !field.readOnly) ?? find(this.head, ".main[data-key=close]"))?.focus();
  }

  /** @param {number} entrant 0 when nothing is to be said any more */
  added(entrant) {
    this.newcomer = entrant;
    if (this.evening) this.show(this.evening);
  }

  // What is planned for whoever was added last.
  /** @param {Evening} evening */
  news(evening) {
    const one = evening.closed ? undefined : evening.entrants.find(({ entrant, here }) => here && entrant === this.newcomer);
    if (!one) return "";
    const [match] = evening.matches.filter((each) => !each.bye && each.sides.flat().includes(one.entrant)).sort((each, other) => each.round - other.round);
    if (!match) return `${one.name} is added. No game is planned for them yet.`;
    return match.over ? "" : `${one.name} plays from round ${match.round}, first against ${match.names[match.sides[0].includes(one.entrant) ? 1 : 0]}${match.called ? ` at ${match.place} now` : ""}.`;
  }

  // A game that two have played beside the plan, or that the board has and was typed.
  /** @param {Evening} evening */
  async attach(evening) {
    const newest = await get("/api/games?limit=12").catch((failure) => this.refuse(failure));
    if (!newest) return;
    const names = new Set(evening.entrants.map((one) => one.name));
    const fit = newest.games.filter((game) => game.state === "won" && game.seats.length > 1 && game.seats.every((seat) => seat.name && names.has(seat.name)));
    const chosen = fit.length ? await choose("Which game?", "The newest games on boards by people of this night.", fit.map((game) => /** @type {[string, number]} */ ([`${moment(game.ended, { timeStyle: "short" })} ${game.sides.map((side) => `${sideWords(game, side)} ${side.front}`).join(" – ")}`, game.id]))) : null;
    if (!fit.length) this.refuse({ words: "No game on a board was won by people of this night." });
    if (chosen !== null) await this.order(evening, { do: "attach", game: chosen });
  }

  // Results from a spreadsheet: what they come to is shown line by line before any is taken.
  /** @param {Evening} evening */
  async paste(evening) {
    const field = el("textarea", { id: "pasted", rows: 8, "aria-label": "Results", placeholder: "Ann 121 Bob 88" });
    const file = el("input", { type: "file", accept: ".csv,.txt,text/*", "aria-label": "A file of results" });
    const said = el("div", { class: "lines", role: "status" });
    field.value = this.list;
    let key = ""; // of the list that was looked at: another one is another order
    file.addEventListener("change", async () => {
      if (!file.files?.[0]) return;
      const words = textOf(new Uint8Array(await file.files[0].arrayBuffer()));
      field.value = words ?? "";
      fill(said, words === null && el("p", { class: "notice" }, "This file is no text. Save the sheet as CSV in your spreadsheet, and choose that file."));
    });
    const look = async (/** @type {boolean} */ take) => {
      if (!take) key = newKey();
      try {
        const result = await ask("POST", `/api/nights/${evening.night}/sheet`, { text: field.value, take, key }, { seconds: 20 });
        this.list = take ? "" : field.value;
        const fresh = result.lines.filter((/** @type {SheetLine} */ line) => !line.known).length;
        fill(said,
          result.bad.map((/** @type {string} */ words) => el("p", { class: "notice" }, words)), result.notes.map((/** @type {string} */ words) => el("p", { class: "muted" }, words)),
          el("ol", {}, result.lines.map((/** @type {SheetLine} */ line) => el("li", {}, `Line ${line.line}: ${line.text}${line.known ? " (here already)" : ""}`))),
          !result.bad.length && fresh > 0 && el("button", { type: "button", class: "main", "data-key": "take", onclick: () => look(true) }, `Take ${fresh}`));
      } catch (failure) {
        fill(said, el("p", { class: "notice" }, failure.words ?? ""));
      }
    };
    await choose("Results from a list", [field, file, el("button", { type: "button", "data-key": "look", onclick: () => look(false) }, "Check"), said], [["Done", true]]);
  }

  /** @param {Evening} evening */
  async close(evening) {
    const left = [...playing(evening), ...upcoming(evening)].length + quarrels(evening).length;
    const open = left && `${left > 1 ? `${left} matches are` : "One match is"} not decided, and count${left > 1 ? "" : "s"} for nobody. `;
    const sure = await choose("Close the night?", `${open || ""}The standings are kept, and count for its season. It can be reopened.`, [[isPlayed(evening) ? "Not yet" : "Go on playing", false], ["Close it", true, "main"]]);
    if (sure && (await this.order(evening, { do: "close" }))) /** @type {HTMLElement | null} */ (this.head.querySelector("[data-key=print-standings]"))?.focus();
  }

  /** @param {Evening} evening */
  async reopen(evening) {
    await insist("Reopen this night", [{ name: "name", label: "Why?", required: true, max: 200 }], "Reopen", "", (given) => this.ordered(evening, { do: "reopen", text: given.name }));
  }

  /** @param {Evening} evening */
  async dismiss(evening) {
    if (!(await choose("Delete this night?", "Its players and its plan are gone for good.", [["Cancel", false], ["Delete", true, "grave"]]))) return;
    try {
      await remove(`/api/nights/${evening.night}`);
      location.assign("/night"); // an earlier one has this page's address
    } catch (failure) {
      this.refuse(failure);
    }
  }

  // Who is in, by how they stand. A name opens what can be done for that player.
  /** @param {Evening} evening */
  people(evening) {
    const shown = new Set(evening.standings.flatMap((row) => row.entrants));
    const played = isPlayed(evening);
    const gone = evening.entrants.filter((one) => !shown.has(one.entrant));
    const note = (/** @type {Evening["entrants"][number]} */ one) => {
      const row = evening.standings.find((each) => each.entrants[each.entrants.length - 1] === one.entrant);
      const words = [inAndOut(evening, one), row && satOut(evening, row), one.table && `always at ${one.table}`].filter(Boolean).join(", ");
      return words && [" ", el("small", { class: "muted" }, words)];
    };
    const named = (/** @type {number} */ who) => {
      const one = evening.entrants.find((each) => each.entrant === who);
      return one && [!evening.closed && !played && el("span", { class: "has" }, one.phone && mark("has a phone")),
        evening.closed ? one.name : el("button", { type: "button", class: "quiet name", "data-key": `person-${who}`, "aria-label": `More about ${one.name}`, onclick: () => this.person(evening, one) }, one.name),
        note(one)];
    };
    return el("section", { "aria-label": "Standings" }, el("h2", {}, evening.played ? "Standings" : "Players"),
      !evening.closed && el("p", { class: "muted part hint" }, played ? "Choose a name, or a score, to change it." : "Choose a name to change or remove a player.", !played && evening.entrants.some((one) => one.phone) && [" ", mark("This sign"), " = phone"]),
      !evening.closed && !played && evening.entrants.some((one) => one.here && !one.phone) && el("p", { class: "muted part" }, `${evening.entrants.some((one) => one.phone) ? "Some have no phone here yet" : "No phone is here yet"}: `, el("button", { type: "button", class: "quiet", "data-key": "invite", onclick: () => this.invite() }, "show the code to join")),
      evening.played || evening.closed ? standings(evening, (row) => row.entrants.map((who, at) => [at > 0 && " and ", named(who)])) : el("ul", { class: "who-is-in" }, evening.standings.flatMap((row) => row.entrants).map((who) => el("li", {}, named(who)))),
      (played || evening.closed) && evening.played && el("p", { class: "muted part" }, `${evening.rules.what}.`),
      gone.length > 0 && el("p", {}, "Not here: ", gone.map((one, at) => [at > 0 && "; ", named(one.entrant)])),
      evening.notes.length > 0 && [el("h3", {}, "Notes"), el("ul", { class: "notes" }, evening.notes.map((words) => el("li", {}, words)))]);
  }

  /** @param {Evening} evening @param {Evening["entrants"][number]} one */
  async person(evening, one) {
    const chosen = await choose(one.name, "", [
      ...(one.here ? [] : [/** @type {[string, string, string, string]} */ (["Is back", "leave", "", "the rounds to come are planned again"])]),
      ...(evening.staff ? [/** @type {[string, string, string, string]} */ (["Name", "name", "", "to correct it"])] : []),
      ["Phone", "phone", "", one.phone ? `their name is on ${one.phone}` : "no phone yet"],
      ["Table", "table", "", one.table ? `always ${one.table}` : "any; or always the same one"],
      ["Points", "points", "", "add or take some, with a reason"],
      ...(one.here ? [/** @type {[string, string, string, string]} */ (["Leaves", "leave", "grave", this.keeps(evening, one)])] : [])]);
    if (chosen === "leave" && one.here) await this.leaves(evening, one);
    if (chosen === "leave" && !one.here) await this.order(evening, { do: "return", entrant: one.entrant });
    if (chosen === "name") await this.rename(evening, one);
    if (chosen === "phone") await this.give(evening, one);
    if (chosen === "table") await this.pin(evening, one);
    if (chosen === "points") await this.adjust(evening, one);
  }

  async invite() {
    const invitation = await get("/api/night/invite").catch((failure) => this.refuse(failure));
    if (invitation) await showInvite("Join the night", invitation, "QR code that joins the night");
  }

  /** @param {Evening} evening */
  async leaving(evening) {
    const here = evening.entrants.filter((one) => one.here);
    /** @type {Evening["entrants"][number] | undefined} */
    let gone;
    const chosen = (/** @type {HTMLFormElement} */ sheet) => {
      const one = here.find((each) => String(each.entrant) === control(sheet, "name").value);
      text(/** @type {HTMLElement} */ (find(sheet, ".hint")), one ? this.keeps(this.evening ?? evening, one) : "What they have played stays. The rest is planned again without them.");
      text(/** @type {HTMLElement} */ (find(sheet, "[type=submit]")), one ? `${one.name} leaves` : "They leave");
    };
    const given = await insist("Who leaves?", [{ name: "name", label: "Name", kind: "choice", choices: [["", ""], ...here.map((one) => option(one.name, one.entrant))], changed: chosen }], "They leave", " ", (chosen) => {
      gone = here.find((one) => String(one.entrant) === chosen.name);
      return Promise.resolve(gone ? "" : "Choose who leaves.");
    });
    if (given && gone) await this.leaves(evening, gone);
  }

  // What becomes of the games of somebody who leaves.
  /** @param {Evening} evening @param {Evening["entrants"][number]} one */
  keeps(evening, one) {
    const theirs = evening.matches.filter((match) => !match.bye && match.sides.flat().includes(one.entrant));
    const legs = theirs.flatMap((match) => match.legs.map((leg) => ({ ...leg, round: match.round })));
    const disputed = legs.filter((leg) => leg.state === "disputed").map((leg) => `Round ${leg.round} is disputed: decide it.`);
    const waiting = legs.filter((leg) => leg.state === "waits").map((leg) => `; round ${leg.round}, ${leg.said}, counts as reported`);
    const called = playing(evening).find((match) => theirs.includes(match));
    return [`${one.name} keeps ${pieces(legs.length - disputed.length, "game")}${waiting.join("")}.`, ...disputed, called && `About the game at ${called.place} you are asked next.`, "The rest is planned again."].filter(Boolean).join(" ");
  }

  /** @param {Evening} evening @param {Evening["entrants"][number]} one */
  async leaves(evening, one) {
    const after = await this.order(evening, { do: "leave", entrant: one.entrant });
    if (after) await this.left(after, one); // whose match may have ended since they were asked
  }

  // Somebody goes who is called to a table, where the other one waits.
  /** @param {Evening} evening @param {Evening["entrants"][number]} one */
  async left(evening, one) {
    const match = playing(evening).find((each) => each.names.length === 2 && each.sides.flat().includes(one.entrant) && each.legs.every((leg) => leg.state === "agreed"));
    if (!match) return;
    const side = match.sides[0].includes(one.entrant) ? 1 : 0;
    const chosen = await choose(`${one.name} is called to ${match.place}`, `The next games are planned without them. And this one, against ${match.names[side]}?`, [["They play it first", null, "main"], [`${match.names[side]} wins without a game`, "walkover"], ["Remove this match", "strike", "grave"]]);
    if (chosen) await this.order(evening, { do: chosen, match: match.match, ...(chosen === "walkover" ? { side, undecided: true } : {}) });
  }

  // Where there is no PIN: the person who began the night goes, and another phone directs it.
  /** @param {Evening} evening */
  async pass(evening) {
    try {
      const { phones } = await get("/api/night/phones");
      const phone = await choose("Who directs the night from now on?", "This phone no longer does.", phones.map((each) => /** @type {[string, number]} */ ([numbered(each), each.phone])));
      if (phone !== null) this.orders.show(await ask("POST", `/api/nights/${evening.night}/director`, { phone }));
    } catch (failure) {
      this.refuse(failure);
    }
  }

  // A joker's: it joins nothing for the rest of the evening.
  async remove() {
    try {
      const { phones } = await get("/api/night/phones");
      const phone = await choose("Which phone is removed for this evening?", "It can’t join again tonight. Its player can use another phone.", phones.map((each) => /** @type {[string, number]} */ ([numbered(each), each.phone])));
      if (phone !== null) {
        await remove(`/api/night/phones/${phone}`);
        this.orders.show(await get("/api/night"));
      }
    } catch (failure) {
      this.refuse(failure);
    }
  }

  // Somebody who cannot climb the stairs plays where they sit.
  /** @param {Evening} evening @param {Evening["entrants"][number]} one */
  async pin(evening, one) {
    const table = await choose(`Where does ${one.name} always play?`, "Matches that haven’t begun are planned again.", [.../** @type {[string, number][]} */ (evening.tables.map((each) => [each.name, each.table])), ["Anywhere", 0]]);
    if (table !== null) await this.order(evening, { do: "pin", entrant: one.entrant, table });
  }

  /** @param {Evening} evening @param {Evening["entrants"][number]} one */
  async give(evening, one) {
    const joined = await get("/api/night/phones").catch((failure) => this.refuse(failure));
    if (!joined) return;
    const phone = await choose(`Whose phone is ${one.name}’s?`, "Results from the old phone that aren’t confirmed yet must then be confirmed by both sides.", [.../** @type {[string, number][]} */ (joined.phones.map((each) => [numbered(each), each.phone])), ["Nobody’s", 0]]);
    if (phone !== null) await this.order(evening, { do: "give", entrant: one.entrant, phone });
  }

  // What is wanted at the end, or never: in one quiet line each.
  /** @param {Evening} evening */
  away(evening) {
    const row = (/** @type {string} */ title, /** @type {Child[]} */ ...children) => el("div", {}, el("dt", {}, title), el("dd", {}, children));
    return el("dl", { class: "foot-of" },
      row("Save", ["standings", "results", "plan"].map((name) => el("a", { href: `/api/nights/${evening.night}/${name}.csv`, download: "" }, `${name[0].toUpperCase()}${name.slice(1)} (CSV)`)),
        el("a", { href: `/api/nights/${evening.night}`, download: `night-${evening.began.slice(0, 10)}.json` }, "Everything (JSON)")),
      evening.closed && row("Print", el("button", { type: "button", class: "quiet", "data-key": "print", onclick: () => this.print(evening) }, "Cards, plan or slips")),
      !(evening.closed && evening.season === null) && row("Season", this.counting(evening, "quiet", evening.season === null ? "Count it for a season" : "Another season"),
        evening.season !== null && el("a", { href: `/season/${evening.season}` }, "See its season")),
      !evening.closed && !isPlayed(evening) && row("End", this.closing(evening, "quiet")));
  }

  /** @param {Evening} evening */
  async print(evening) {
    const stale = outOfDate(evening).cards.length;
    const kind = await choose("Print", "", [
      ...(stale ? [/** @type {[string, import("./night-paper.js").Kind, string, string]} */ (["Changed cards", "changed", "", `${stale} that are new or have changed`])] : []),
      ...papers(evening).map(([kind, name, what]) => /** @type {[string, import("./night-paper.js").Kind, string, string]} */ ([name, kind, "", what]))]);
    if (!kind) return;
    const newest = this.evening ?? evening; // the question may have stood for a while
    await paper($("paper"), newest, kind);
    this.show(this.evening ?? newest);
    this.toType();
  }

  // Which season a night counts for; it does so when it is closed.
  /** @param {Evening} evening */
  async season(evening) {
    try {
      const { seasons } = await get("/api/nights");
      const known = seasons.map((one) => /** @type {[string, number]} */ ([one.name, one.season]));
      const chosen = await choose("Which season?", "A night counts for its season when it is closed.", [...known, ["A new one", -1], ["None", 0]]);
      if (chosen === null) return;
      const number = chosen < 0 ? await seasonForm("A new season", "Begin it") : chosen;
      if (number === null) return;
      await ask("POST", `/api/nights/${evening.night}/season`, { season: number });
      this.orders.show(await get(`/api/nights/${evening.night}`));
    } catch (failure) {
      this.refuse(failure);
    }
  }
}
