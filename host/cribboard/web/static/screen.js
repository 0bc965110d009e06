// All tables of the house on one screen: those where somebody plays side by side, and the codes of those that are free.

import { get } from "./api.js";
import { $, el, refill, text } from "./dom.js";
import { House, tools } from "./house.js";
import { Idle } from "./idle.js";
/** @import { Told } from "./speech.js" */
import { Voice } from "./speech.js";
import { inBold, isDue, isPlayed, unscored, quarrels, result, seeDirector, shortNames } from "./night-parts.js";
import { Strip } from "./night-strip.js";
import { TableView } from "./tableview.js";
import { Wake } from "./wake.js";
import { Win } from "./ending.js";

const MOST = 4; // places for tables at once; when there are more they take turns
const TURN_MS = 20000;
const LOOK_MS = 5000;
const [QUARTER, HALF, WHOLE] = [6, 10, 10]; // lines of calls and standings on a part of the screen
const ENDED_MS = 60000; // the last game of a night stays to be looked at
const voice = new Voice();
const win = new Win($("win"));
const idle = new Idle($("idle"));
const strip = new Strip($("night"), () => arrange());
/** @type {Map<number, TableView>} */
const views = new Map();
let first = 0;
let turns = 0;

// What happens at a table, with its name before each line.
/** @param {string} name @param {Told} news @returns {Told} */
const at = (name, { kind, text: short, full, win: won }) => ({ kind, text: `${name}: ${short}`, full: full && `${name}: ${full}`, win: won && `${name}: ${won}` });

/** @param {number} number */
function add(number) {
  const stage = el("article", { class: "stage" });
  const slot = el("div", { class: "slot", hidden: true }, stage, el("article", { class: "called", hidden: true }));
  $("main").insertBefore(slot, $("calls"));
  const view = new TableView(stage, number, {
    shown: (one, fresh) => {
      if (one.state) win.show(one.state, fresh, number);
      arrange();
    },
    said: (news) => voice.tell(at(view.state?.board.name ?? "", news)),
    missing: () => {
      slot.remove();
      views.delete(number);
      arrange();
    },
  });
  views.set(number, view);
}

function arrange() {
  const known = [...views.values()].filter((view) => view.state).sort((one, other) => one.number - other.number);
  const evening = strip.evening;
  const calls = new Map(evening ? unscored(evening).map((match) => [match.table, match]) : []);
  for (const view of known) call(view, evening, calls.get(view.number));
  const disputed = evening ? quarrels(evening) : [];
  const ended = evening && (evening.closed || isPlayed(evening));
  // A game without a point is nobody's yet, and one that is won has been looked at after a while.
  const rests = (/** @type {TableView} */ view) => view.idle || !view.state?.sides.some((side) => side.front) || (view.state.winner && Date.now() - view.ended > ENDED_MS);
  const waits = calls.size > 0 && known.every((view) => calls.has(view.number) || rests(view)); // all calls in one list
  const busy = known.filter((view) => !waits && (calls.has(view.number) || !(ended ? rests(view) : view.idle)));
  const listed = [...disputed, ...[...calls.values()].filter((match) => waits || !views.has(match.table))];
  const spare = waits ? [] : known.filter((view) => !busy.includes(view));
  const keeps = evening && !ended && busy.length + listed.length > 0; // a table of the night that is free for a moment
  const free = spare.filter((view) => !(keeps && evening.tables.some(({ table }) => table === view.number)));
  const others = busy.length + (free.length ? 1 : 0);
  const rest = Boolean(evening) && !ended && (listed.length > 0 || others === MOST - 1) && others < MOST;
  const places = MOST - (free.length ? 1 : 0);
  if (evening && rest) list(evening, listed, waits ? WHOLE : others > 1 ? QUARTER : HALF);
  $("calls").hidden = !rest;
  if (first >= busy.length || busy.length <= places) first = 0;
  const seen = busy.length <= places ? busy : busy.slice(first, first + places);
  strip.shown = new Set([...seen.flatMap((view) => calls.get(view.number)?.match ?? []), ...(rest ? listed : []).map((match) => match.match)]);
  strip.show();
  for (const view of known) if (view.node.parentElement) view.node.parentElement.hidden = !seen.includes(view);
  idle.night(ended ? evening : null, !busy.length);
  idle.show(free.flatMap(({ state, invite }) => (state ? [{ state, invite }] : [])));
  $("free").hidden = !free.length;
  $("main").dataset.slots = String(seen.length + (free.length ? 1 : 0) + (rest ? 1 : 0));
}

function turn() {
  turns += 1;
  first += MOST - ([...views.values()].some((view) => view.idle) ? 1 : 0);
  arrange();
}

// On a league night a table shows who is called to it until they play, in place of the game before.
/** @param {TableView} view @param {Evening | null} evening @param {Match | undefined} match */
function call(view, evening, match) {
  const slot = view.node.parentElement;
  const node = /** @type {HTMLElement} */ (slot?.querySelector(".called"));
  if (!slot) return;
  slot.toggleAttribute("data-night", Boolean(evening && !evening.closed && evening.tables.some(({ table }) => table === view.number)));
  node.hidden = !(evening && match);
  view.node.hidden = !node.hidden;
  if (!evening || !match) return;
  const before = evening.matches.findLast((each) => each.over && each.table === match.table && each.legs.length);
  const [one, other] = shortNames(evening, match.names);
  refill(node, [evening.night, evening.acts, match.match], () => [
    el("p", { class: "place-name" }, match.place),
    el("p", { class: "pair" }, el("span", {}, one), el("span", { class: "muted" }, " v "), el("span", {}, other)),
    el("p", {}, `${shortNames(evening, match.names)[match.first]} deals first`),
    before ? el("p", { class: "muted before" }, "Last game here: ", inBold(result(evening, before))) : null]);
}

// Disputes and calls that have no part of the screen, by turns; below them, as far as there are lines, who stands first.
/** @param {Evening} evening @param {Match[]} matches @param {number} lines */
function list(evening, matches, lines) {
  const pages = Math.ceil(matches.length / lines);
  const from = lines * (turns % Math.max(1, pages));
  const seen = matches.slice(from, from + lines);
  const room = Math.max(0, lines - seen.length - 1);
  const best = room > 1 && evening.played ? evening.standings.slice(0, room) : [];
  const due = seen.filter((match) => isDue(evening, match)).map((match) => match.match);
  $("calls").style.setProperty("--lines", String(Math.max(1, seen.length + (best.length ? best.length + 1.5 : 0))));
  refill($("calls"), [evening.night, evening.acts, seen.map((match) => match.match), due, best.length], () => el("section", { class: "called", "aria-label": "Calls" },
    seen.map((match) => (match.called && !match.over ? el("p", { class: "listed", "data-due": isDue(evening, match) }, el("span", { class: "where" }, match.place), " ", el("strong", {}, shortNames(evening, match.names).join(" v "))) : el("p", { class: "listed quarrel" }, el("strong", {}, seeDirector(evening, match))))),
    best.length > 0 && [el("p", { class: "listed head" }, "Standings"), best.map((row) => el("p", { class: "listed stands" }, el("span", { class: "muted" }, String(row.place)), el("strong", {}, shortNames(evening, [row.name])[0]), el("strong", {}, row.points)))]));
}

async function look() {
  try {
    const { boards } = await get("/api/boards");
    for (const { board } of boards) if (!views.has(board.number)) add(board.number);
    $("none").hidden = boards.length > 0;
    text($("none"), "No board has been found yet. Plug one in and it appears here.");
  } catch (failure) {
    $("none").hidden = views.size > 0; // those that are there say so themselves
    text($("none"), failure.words);
  }
}

new Wake();
tools(voice, new House($("house")));
look();
setInterval(look, LOOK_MS);
setInterval(turn, TURN_MS);
