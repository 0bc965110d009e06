// A grid of results for the keyboard: what is to decide, on now or to confirm, and what has come in, to look at and change.

import { choose } from "./dialog.js";
import { checkbox, el, find, focused, refill } from "./dom.js";
import { byKeys } from "./keys.js";
import { aboutMatch } from "./night-match.js";
import { freeTables, isDisputed, isPlayed, isUndecided, openGame, says, shortNames, stand, verb, versus, waitCount, waitLines, waits, won } from "./night-parts.js";
import { sheet } from "./records.js";
import { shortName } from "./sides.js";

const HELD_MS = 6000;
const LATEST = 5; // results that have just come in

/** @typedef {import("./night-director.js").Director} Director */

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

const [TO_DECIDE, TO_CONFIRM] = ["To decide", "To confirm"]; // by the director, by the other player
/** @type {Record<string, string>} */
const HINTS = { [TO_DECIDE]: ": choose what is right, or type the score", [TO_CONFIRM]: ": counts until a player says no" };

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

export class Results {
  /** @param {Director} director */
  constructor(director) {
    this.director = director;
    this.all = false;
    this.changing = 0; // a match whose result is typed again
    this.again = 0; // which of its games
    this.held = 0; // a match of which others have decided a game while the keyboard was in it: what is typed next is not another's score
    const again = () => director.again();
    this.finder = el("input", { type: "search", "data-key": "find", "aria-label": "Find a player’s matches", autocomplete: "off", oninput: again, onkeydown: (/** @type {KeyboardEvent} */ event) => this.found(event) });
    this.tick = el("label", { class: "check" }, checkbox({ "data-key": "all" }, (on) => {
      this.all = on;
      again();
    }), "All matches");
    this.rows = el("div");
    this.node = el("div", {}, el("section", { "aria-label": "Results" }, el("div", { class: "over" }, el("h2", {}, "Results"), el("div", { class: "which" }, this.finder, this.tick)), this.rows));
    this.rows.addEventListener("focusout", () => this.held && setTimeout(again));
  }

  /** @param {Evening} evening @param {Evening | null} before as it was shown */
  show(evening, before) {
    const another = evening.night !== before?.night;
    if (another) {
      this.changing = 0;
      this.finder.value = "";
    }
    const known = new Map(before?.matches.map((match) => [match.match, games(match).length]));
    this.tick.hidden = evening.closed || isPlayed(evening);
    this.finder.placeholder = `Find a player${this.director.lettered ? " (F)" : ""}`;
    if (this.director.lettered) this.finder.setAttribute("aria-keyshortcuts", "F");
    else this.finder.removeAttribute("aria-keyshortcuts");
    // what is typed stays: the grid is drawn again when something has happened, and nobody types in it
    const typed = new Map(this.fields().filter((field) => field.value && !another).map((field) => [field.dataset.key, field.value]));
    if (typed.has(focused().dataset.key)) return;
    const here = this.director.orders.busy ? "" : focused().dataset.key;
    const typing = evening.matches.find(({ match }) => here?.startsWith(`points-${match}-`));
    const isNew = typing && games(typing).length > (known.get(typing.match) ?? 0);
    this.held = typing && (isNew || typing.match === this.held) ? typing.match : 0;
    if (isNew) setTimeout(() => this.letGo(typing.match), HELD_MS);
    const names = evening.entrants.map((one) => one.name); // they are corrected without an act
    refill(this.rows, [evening.night, evening.acts, names, this.all, this.finder.value, this.changing, this.held, evening.matches.map((match) => [match.running, match.minutes])], () => this.results(evening));
    for (const field of this.fields()) field.value = typed.get(field.dataset.key) ?? "";
  }

  fields() {
    return /** @type {HTMLInputElement[]} */ ([...this.node.querySelectorAll("input.points")]);
  }

  // It has been seen that others have decided it.
  /** @param {number} match */
  letGo(match) {
    if (this.held !== match) return;
    this.held = 0;
    this.director.again();
  }

  // The keyboard goes to the first result that must be decided.
  /** @param {Match} match */
  decide(match) {
    this.finder.value = "";
    this.director.again();
    this.field(match.match)?.focus();
  }

  /** @param {number} match */
  field(match) {
    return find(this.node, `[data-key="points-${match}-0"]`);
  }

  // Enter goes to the first match of the player who is searched for, Escape back to all matches.
  /** @param {KeyboardEvent} event */
  found({ key }) {
    if (key === "Enter") find(this.rows, "input.points, [data-key^=change-]")?.focus();
    if (key !== "Escape") return;
    this.finder.value = "";
    this.director.again();
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
    this.director.again();
    this.field(match.match)?.focus();
  }

  // A result that was to be typed again stays as it is.
  /** @param {Evening} evening @param {Match} match @param {HTMLInputElement[]} fields */
  leave(evening, match, fields) {
    for (const field of fields) field.value = "";
    this.changing = 0;
    this.director.again();
    find(this.node, `[data-key="change-${match.match}"]`)?.focus();
  }

  /** @param {Evening} evening @param {Match} match @param {boolean} ofRound */
  line(evening, match, ofRound) {
    const leg = openGame(match);
    const game = this.changing === match.match ? this.again : leg && isUndecided(leg) ? leg.leg : Math.min(match.legs.length + 1, evening.best_of);
    const held = this.held === match.match;
    const fields = match.names.map((name, side) => el("input", { class: "points", readonly: held, inputmode: "tel", maxlength: 12, autocomplete: "off", "aria-label": `${name}’s score`, "data-key": `points-${match.match}-${side}` }));
    const near = (/** @type {number} */ way) => {
      const here = this.fields();
      return here[here.indexOf(/** @type {HTMLInputElement} */ (document.activeElement)) + way];
    };
    const send = async () => {
      const typed = fields.map((field) => field.value.trim());
      if (held) this.letGo(match.match);
      if (!typed.some(Boolean)) return;
      const here = this.fields();
      const below = here[here.indexOf(fields[1]) + 1] ?? here[here.indexOf(fields[0]) - 2];
      const key = below?.dataset.key;
      for (const field of fields) field.value = ""; // so that the grid is drawn again
      const { changing } = this;
      if (changing === match.match) this.changing = 0;
      const found = this.finder.value;
      if (found) this.finder.value = ""; // for the next slip
      if (!(await this.director.order(evening, { do: "settle", match: match.match, leg: game, undecided: changing !== match.match, ...typedResult(typed, evening.target) }))) {
        if (this.director.orders.code === "decided") return; // it is shown as it has become
        this.finder.value = found;
        this.changing = changing;
        fields.forEach((field, at) => (field.value = typed[at]));
        return;
      }
      const next = found ? this.finder : find(this.node, key ? `[data-key="${key}"]` : "input.points");
      if (next) next.focus();
      else this.director.toType();
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
      el("td", { class: "menu" }, el("button", { type: "button", class: "quiet", "data-key": `more-${match.match}`, "aria-label": `More about ${versus(match)}`, title: `More about ${versus(match)}`, onclick: () => aboutMatch(this.director, evening, match) }, "More"))),
      leg?.state === "disputed" && el("tr", { "data-state": "disputed" }, el("td", { colspan: 7 }, this.quarrel(evening, match, leg)))];
  }

  /** @param {Evening} evening @param {Match} match @param {Leg} leg */
  quarrel(evening, match, leg) {
    const right = (/** @type {number} */ side) => !evening.closed && leg.reports[side] && el("button", { type: "button", "data-key": `right-${match.match}-${side}`, onclick: () => this.director.order(evening, { do: "settle", match: match.match, leg: leg.leg, undecided: true, scores: leg.reports[side] }) }, won(match, leg.reports[side]));
    return el("div", { class: "row start" }, match.names.map((name, side) => el("span", { class: "quarrel" }, `${name} ${verb(match, side, "says", "say")} `, right(side) || `${says(match, leg, side)}.`)));
  }
}
