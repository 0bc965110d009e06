// All tables of the house on one screen: those where somebody plays side by side, and the codes of those that are free.

import { get } from "./api.js";
import { $, el, text } from "./dom.js";
import { House, tools } from "./house.js";
import { Idle } from "./idle.js";
/** @import { Told } from "./speech.js" */
import { Voice } from "./speech.js";
import { Strip } from "./night-strip.js";
import { TableView } from "./tableview.js";
import { Wake } from "./wake.js";
import { Win } from "./ending.js";

const MOST = 4; // places for tables at once; when there are more they take turns
const TURN_MS = 20000;
const LOOK_MS = 5000;
const voice = new Voice();
const win = new Win($("win"));
const idle = new Idle($("idle"));
/** @type {Map<number, TableView>} */
const views = new Map();
let first = 0;

// What happens at a table, with its name before each line.
/** @param {string} name @param {Told} news @returns {Told} */
const at = (name, { kind, text: short, full, win: won }) => ({ kind, text: `${name}: ${short}`, full: full && `${name}: ${full}`, win: won && `${name}: ${won}` });

/** @param {number} number */
function add(number) {
  const stage = el("article", { class: "stage" });
  const slot = el("div", { class: "slot", hidden: true }, stage);
  $("main").insertBefore(slot, $("free"));
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
  const busy = known.filter((view) => !view.idle);
  const free = known.filter((view) => view.idle);
  const places = MOST - (free.length ? 1 : 0);
  if (first >= busy.length || busy.length <= places) first = 0;
  const seen = busy.length <= places ? busy : busy.slice(first, first + places);
  for (const view of known) if (view.node.parentElement) view.node.parentElement.hidden = !seen.includes(view);
  idle.show(free.flatMap(({ state, invite }) => (state ? [{ state, invite }] : [])));
  $("free").hidden = !free.length;
  $("main").dataset.slots = String(seen.length + (free.length ? 1 : 0));
}

function turn() {
  first += MOST - ([...views.values()].some((view) => view.idle) ? 1 : 0);
  arrange();
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
new Strip($("night"));
tools(voice, new House($("house")));
look();
setInterval(look, LOOK_MS);
setInterval(turn, TURN_MS);
