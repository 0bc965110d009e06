// The screen of one table.

import { numberOfPage } from "./api.js";
import { $, fill, text } from "./dom.js";
import { House, pressed, tools } from "./house.js";
import { Idle } from "./idle.js";
import { missing } from "./join.js";
import { Letters, questions } from "./keys.js";
import { Voice } from "./speech.js";
import { Wake } from "./wake.js";
import { TableView } from "./tableview.js";
import { Win } from "./ending.js";

const READ_MS = 12000; // an answer stays as long as it takes to read it twice
const voice = new Voice();
const win = new Win($("win"));
const house = new House($("house"));
const idle = new Idle($("idle"));

/** @param {TableView} view @param {boolean} first */
function shown(view, first) {
  const state = /** @type {State} */ (view.state);
  document.title = `${state.board.name} – cribboard`;
  text($("title"), state.board.name);
  document.body.toggleAttribute("data-dim", Boolean(state.idle?.dim));
  document.body.toggleAttribute("data-idle", view.idle);
  $("table").hidden = view.idle;
  idle.show(view.idle ? [{ state, invite: view.invite }] : []);
  win.show(state, first);
}

/** @param {TableView} view */
function ask(view) {
  let read = 0;
  /** @param {Reply} reply */
  const answer = (reply) => {
    if (!view.state) return "";
    const words = reply(view.countdown.now(view.state), voice);
    voice.answer(words);
    $("said").classList.remove("hide");
    clearTimeout(read);
    read = setTimeout(() => $("said").classList.add("hide"), READ_MS);
    return words;
  };
  const letters = new Letters(answer);
  fill($("asks"), questions(answer));
  $("more").onclick = () => {
    $("asks").hidden = !$("asks").hidden;
    $("more").setAttribute("aria-expanded", String(!$("asks").hidden));
  };
  $("letters").onclick = () => {
    letters.set(!letters.on);
    pressed($("letters"), letters.on);
  };
  pressed($("letters"), letters.on);
}

new Wake();
tools(voice, house);
ask(new TableView($("table"), numberOfPage(), {
  shown,
  said: (news) => voice.tell(news),
  missing: (failure) => {
    document.body.dataset.missing = "";
    missing($("main"), failure);
  },
}, { ids: true }));
