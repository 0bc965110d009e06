// The bar's screen: scores, board, the last count, and a code to join.

import { get, numberOfPage, sentence } from "./api.js";
import { Board } from "./board.js";
import { below, fit } from "./below.js";
import { $, el, fill, picture, refill, text } from "./dom.js";
import { missing } from "./join.js";
import { Letters, questions } from "./keys.js";
import { Live } from "./live.js";
import { panels } from "./panels.js";
import { announced, Voice } from "./speech.js";
import { Win } from "./win.js";

const INVITED_MS = 60000; // the code is drawn anew every few minutes
const TOOLS_MS = 6000;
const READ_MS = 12000; // an answer stays as long as it takes to read it twice
const ALONE = "No network";
const ALONE_HINT = "Phones cannot join: connect this computer to the Wi-Fi.";
const number = numberOfPage();
const voice = new Voice();
const win = new Win($("win"));
let state = null;
let board = null;

function show(news) {
  const first = state === null;
  state = news;
  document.title = `${state.board.name} – cribboard`;
  text($("title"), state.board.name);
  document.body.dataset.sides = ["none", "none", "two", "three"][state.sides.length] ?? "many";
  document.body.dataset.count = state.sides.length;
  document.body.toggleAttribute("data-dim", Boolean(state.idle?.dim));
  refill($("scores"), [state.sides, state.dealer, state.crib, state.deal, state.target, state.winner, state.board.name], () => panels(state));
  refill($("below"), [state.count, state.table, state.last, state.win, state.sides.map((side) => side.name)], () => below(state));
  fit($("below"));
  board?.pegs(state);
  trouble();
  win.show(state, first);
}

let connected = true;
function trouble() {
  const away = state?.board.away;
  $("trouble").hidden = connected && !away;
  if (!connected) tell("No connection to the kiosk", "The scores may be old. This screen comes back by itself.");
  else if (away) tell(sentence(away.text), away.hint && sentence(away.hint));
}

function tell(what, hint) {
  refill($("trouble"), [what, hint], () => [el("strong", {}, what), el("span", {}, hint)]);
}

async function invite() {
  try {
    const { url, code, svg, unreachable } = await get(`/api/boards/${number}/invite`);
    refill($("join"), [url, code], () => unreachable ? el("p", { class: "alone" }, el("strong", {}, ALONE), el("span", {}, ALONE_HINT)) : [
      picture(svg, "QR code that joins this table"),
      el("p", {}, el("strong", {}, "Scan to keep score"), code && el("span", { class: "code" }, code))]);
    $("join").hidden = false;
  } catch (failure) {
    if (!failure.unanswered) $("join").hidden = true; // only the house's own screen may invite
  }
}

function tools() {
  let read;
  const answer = (reply) => {
    if (!state) return;
    voice.answer(reply(state, voice));
    $("said").classList.remove("hide");
    clearTimeout(read);
    read = setTimeout(() => $("said").classList.add("hide"), READ_MS);
  };
  const letters = new Letters(answer);
  fill($("asks"), questions(answer));
  const pressed = (button, on) => button.setAttribute("aria-pressed", on);
  $("more").onclick = () => {
    $("asks").hidden = !$("asks").hidden;
    $("more").setAttribute("aria-expanded", !$("asks").hidden);
  };
  $("speak").onclick = () => {
    voice.set(!voice.on);
    pressed($("speak"), voice.on);
  };
  $("letters").onclick = () => {
    letters.set(!letters.on);
    pressed($("letters"), letters.on);
  };
  pressed($("letters"), letters.on);
  $("say").append(announced(voice));
  if (!voice.able) $("speak").hidden = true;
  let timer;
  const wake = () => {
    document.body.dataset.awake = "";
    clearTimeout(timer);
    timer = setTimeout(() => delete document.body.dataset.awake, TOOLS_MS);
  };
  for (const kind of ["pointermove", "pointerdown", "keydown"]) addEventListener(kind, wake);
}

async function draw() {
  try {
    board = new Board($("board"), await get(`/api/boards/${number}/drawing`));
    if (state) board.pegs(state);
  } catch (failure) {
    if (failure.unanswered) setTimeout(draw, 2000);
    else if (failure.code === "table") await missing($("main"), failure);
    else $("lying").hidden = true; // a board that nobody has drawn; its scores are there
  }
}

tools();
new ResizeObserver(([{ target }]) => fit(target)).observe($("below")); // the code to join comes later, and takes room
await draw();
new Live(number, {
  state: show,
  frame: (frame) => board?.frame(frame),
  happened: (news) => voice.tell(news),
  notice: (news) => voice.tell(news),
  link: (well) => {
    connected = well;
    trouble();
    if (well) invite();
  },
}, { frames: true });
setInterval(invite, INVITED_MS);
