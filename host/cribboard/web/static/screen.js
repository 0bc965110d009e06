// All tables of the house on one screen: those where somebody plays side by side, and the codes of those that are free.

import { get } from "./api.js";
import { fit } from "./below.js";
import { $, el, find, text } from "./dom.js";
import { House, tools } from "./house.js";
import { Idle } from "./idle.js";
/** @import { Announcement } from "./speech.js" */
import { Voice } from "./speech.js";
import { isPlayed, unscored } from "./night-parts.js";
import { shortNameOf, sideOf } from "./sides.js";
import { Strip } from "./night-strip.js";
import { TableView } from "./tableview.js";
import { Wake } from "./wake.js";
import { Wall } from "./night-wall.js";
import { Win } from "./ending.js";

const MOST = 4; // places at once; when there are more tables they take turns
const TURN_MS = 20000;
const LOOK_MS = 5000;
const ENDED_MS = 60000; // a game of a night stays to be looked at
const CALLED_MS = 20000; // or no longer than that, when the next match is called there
const MOST_CALLS = 4; // with more than have room beside three tables, a result is not shown at all where a match is called
const PODIUM_MS = 1800000; // a night's end, too
const voice = new Voice();
const win = new Win($("win"));
const idle = new Idle($("idle"));
const house = new House($("house"));
const strip = new Strip($("night"));
const wall = new Wall($("wall"), () => arrange());
/** @type {Map<number, TableView>} */
const views = new Map();
let places = MOST;
let first = 0; // of the tables that take turns
/** @type {Evening | null} */
let night = null;
let over = 0; // when this page saw that it is
let lost = false; // whether the kiosk has not answered last

// What happens at a table, with its name before each line.
/** @param {string} name @param {Announcement} news @returns {Announcement} */
const at = (name, { kind, text: short, full, win: won }) => ({ kind, text: `${name}: ${short}`, full: full && `${name}: ${full}`, win: won && `${name}: ${won}` });

/** @param {number} number */
function add(number) {
  const stage = el("article", { class: "stage" });
  const slot = el("div", { class: "slot", hidden: true }, stage, el("p", { class: "result", hidden: true }));
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
  const evening = tonight();
  const ended = evening && (evening.closed || isPlayed(evening));
  const calls = new Map(evening ? unscored(evening).map((match) => [match.table, match]) : []);
  const ours = (/** @type {TableView} */ view) => Boolean(evening?.tables.some(({ table }) => table === view.number));
  const crowded = calls.size > MOST_CALLS;
  // At a table of the night a game without a point is a call, and one that is won has been looked at after a while.
  const rests = (/** @type {TableView} */ view) => (view.state?.winner ? performance.now() - view.ended > (!calls.has(view.number) ? ENDED_MS : crowded ? 0 : CALLED_MS) : calls.has(view.number) || !view.state?.sides.some((side) => side.front));
  const plays = (/** @type {TableView} */ view) => !view.idle && (ended ? !view.state?.winner : !ours(view) || !rests(view));
  const all = known.filter(plays);
  const busy = all.length < MOST ? all : all.filter((view) => !calls.has(view.number)); // calls need the room more than results
  const free = known.filter((view) => !busy.includes(view) && !ended && !ours(view));
  const others = busy.length + (free.length ? 1 : 0);
  const walled = Boolean(evening) && others < MOST;
  places = MOST - (free.length ? 1 : 0) - (walled ? 1 : 0);
  if (first >= busy.length || busy.length <= places) first = 0;
  const seen = busy.length <= places ? busy : busy.slice(first, first + places);
  const slots = String(seen.length + (free.length ? 1 : 0) + (walled ? 1 : 0));
  let moved = $("main").dataset.slots !== slots;
  for (const view of known) {
    const slot = view.node.parentElement;
    if (!slot) continue;
    slot.toggleAttribute("data-night", Boolean(evening) && !evening?.closed && ours(view));
    moved ||= slot.hidden === seen.includes(view);
    slot.hidden = !seen.includes(view);
    const result = find(slot, ".result");
    const won = evening && ours(view) && view.state ? resultOf(view.state) : "";
    if (!result) continue;
    result.hidden = !won;
    result.dataset.colour = (view.state && sideOf(view.state, view.state.winner)?.colour) ?? "";
    text(result, won);
  }
  idle.show(free.flatMap(({ state, invite }) => (state ? [{ state, invite }] : [])));
  $("free").hidden = !free.length;
  $("calls").hidden = !walled;
  $("main").dataset.slots = slots;
  document.body.toggleAttribute("data-night", Boolean(evening));
  house.announces(evening ? evening.name || "League night" : "", evening && !evening.closed && others ? wall.invite?.code ?? "" : "");
  const live = seen.filter((view) => !calls.has(view.number));
  const large = evening?.matches.filter((match) => (walled ? true : live.some((view) => view.number === match.table))) ?? [];
  if (evening) wall.show(evening, !others, live.map((view) => view.number)); // where it has no room it still fetches the code
  strip.show(free.length ? evening : night, new Set(large.map((match) => match.match)), walled ? wall.tells : { standings: false }); // who has won stays when the codes come back
  if (moved) for (const view of seen) fit(view.below); // out of sight, words have no size
}

// Who has won, and how.
/** @param {State} state */
function resultOf({ sides, winner: number }) {
  const winner = sideOf({ sides }, number);
  return winner ? `${shortNameOf(sides, winner)} won ${[winner, ...sides.filter((side) => side !== winner)].map((side) => side.front).join(" – ")}` : "";
}

// The night, until some time after its end; then the codes come back.
function tonight() {
  const ended = night && (night.closed || isPlayed(night));
  over = ended ? over || performance.now() : 0;
  return over && performance.now() - over > PODIUM_MS ? null : night;
}

async function lookAtNight() {
  night = await get("/api/night").catch((failure) => (failure.status === 404 ? null : night));
  if (night?.closed && !night.tonight) night = null;
  arrange();
}

function turn() {
  first += places;
  arrange();
}

async function look() {
  try {
    const { boards } = await get("/api/boards");
    for (const { board } of boards) if (!views.has(board.number)) add(board.number);
    $("none").hidden = boards.length > 0;
    text($("none"), "No board has been found yet. Plug one in and it appears here.");
    lost = false;
  } catch (failure) {
    if (!lost && views.size) voice.tell({ text: failure.words });
    lost = true;
    $("none").hidden = views.size > 0; // those that are there say so themselves
    text($("none"), failure.words);
  }
}

new Wake();
tools(voice, house);
look();
lookAtNight();
setInterval(look, LOOK_MS);
setInterval(lookAtNight, LOOK_MS);
setInterval(turn, TURN_MS);
