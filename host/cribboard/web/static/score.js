// A phone that keeps score: it joins, picks a side, and gives orders; what it shows is what the board says.

import { get, numberOfPage, sentence } from "./api.js";
import { chips } from "./chips.js";
import { choose } from "./dialog.js";
import { $, el, fill, refill, text } from "./dom.js";
import { Hand } from "./hand.js";
import { join } from "./join.js";
import { Letters, questions } from "./keys.js";
import { Live } from "./live.js";
import { More } from "./more.js";
import { ASKED, Orders } from "./orders.js";
import { Pad } from "./pad.js";
import { Play } from "./play.js";
import { recall, remember } from "./settings.js";
import { named, sideOf } from "./sides.js";
import { Voice } from "./speech.js";
import { count, scores } from "./words.js";

const number = numberOfPage();
const voice = new Voice();
const PICKED = `side.${number}`;
const ALL = 0; // one phone for the whole table
const READ_MS = 5000;

// What the panels know of the table, and the one way in which they act.
const desk = {
  state: null,
  picked: recall(PICKED),
  chosen: null,
  everybody: false,
  chosenByHand: 0, // how often

  get side() {
    return this.state && (sideOf(this.state, this.chosen) ?? this.state.sides[0]);
  },

  get handSize() {
    return this.state.sides.flatMap((side) => side.places).length === 6 ? 5 : 4;
  },

  played(side) {
    return (this.state.table.played ?? this.state.table.pile).filter((laid) => laid.side === side).map((laid) => laid.card);
  },

  turnTo(side) {
    this.chosen = side;
    this.chosenByHand += 1;
    show();
  },

  refused: "", // why the last order was, unless somebody chose so

  async give(order, words) {
    complain("");
    this.refused = "";
    try {
      const done = await orders.give(order, words);
      if (!live?.well) voice.say(done.text);
      return done;
    } catch (failure) {
      if (failure.status === 403) location.reload(); // the house has sent all phones away: join again
      if (failure.code === "twice" && order.do !== "peg") return null;
      const said = failure.words ?? String(failure);
      complain(said);
      if (!ASKED.includes(failure.code)) this.refused = said;
      return null;
    }
  },

  get failing() {
    return Boolean(orders.failing);
  },

  busy() {
    complain(orders.busy().words);
  },

  begin() {
    return panels.more.begin();
  },

  hint(order) {
    return orders.hint(order).catch((failure) => complain(failure.words));
  },

  // Points shown on the strip before they are pegged; only the newest matter.
  pend(points, side = this.side?.side) {
    if (!side || this.state.winner) return;
    this.wanted = { do: "pend", side, points };
    if (this.pending) return;
    this.pending = (async () => {
      while (this.wanted) {
        const order = this.wanted;
        this.wanted = null;
        await this.hint(order);
      }
      this.pending = null;
    })();
  },
};

const orders = new Orders(number, {
  seen: () => desk.state?.rev ?? 0,
  shows: () => desk.state?.version ?? 0,
  look: async () => take(await get(`/api/boards/${number}`)),
  waits: waiting,
  asks: (failure) => choose("Look again", failure.words, [["Leave it", false], ["Peg it all the same", true, "main"]]),
});

let live = null;
const panels = {};
let tab = "points";

function waiting(current, failure) {
  $("waits").hidden = !failure;
  document.body.toggleAttribute("data-busy", Boolean(current));
  if (failure) text($("waits"), `${failure.words} “${current.words}” is kept and sent again.`);
}

let complained = { at: 0, rev: 0 };
function complain(words) {
  complained = { at: Date.now(), rev: desk.state?.rev };
  $("alert").hidden = !words;
  fill($("alert"), words, words && el("button", { type: "button", class: "plain", onclick: () => complain(""), "aria-label": "Close" }, "✕"));
}

function show() {
  const { state } = desk;
  document.title = `${state.board.name} – keep score`;
  text($("title"), state.board.name);
  link();
  const ready = desk.picked !== null && state.sides.length > 0;
  if (!ready) return pick();
  for (const id of ["chips", "foot", "side"]) $(id).hidden = false;
  $("pick").hidden = true;
  desk.everybody = desk.picked === ALL;
  if (!sideOf(state, desk.chosen)) desk.chosen = (sideOf(state, desk.picked) ?? state.sides[0]).side;
  over();
  refill($("undo"), [state.undo, state.redo], undo);
  for (const [name, panel] of Object.entries(panels)) {
    $(`panel-${name}`).hidden = name !== tab;
    if (name === tab) panel.show();
  }
  refill($("chips"), [state.sides, state.dealer, state.crib, state.winner, desk.chosen], () => chips(state, desk.chosen, (side) => desk.turnTo(side)));
}

// The winner's phone offers the same game again, and so does one that keeps score for the whole table.
function over() {
  const { state } = desk;
  const offered = Boolean(state.win) && (desk.everybody || desk.picked === state.winner);
  $("over").hidden = !offered;
  refill($("over"), offered, () => offered && el("button", { type: "button", class: "main", "data-key": "rematch", onclick: () => desk.give({ do: "new" }, "A rematch") }, "Rematch"));
}

function undo() {
  const { state } = desk;
  const step = (what, from, name) => from && el("button", {
    type: "button", "data-key": what, class: what, onclick: () => desk.give({ do: what, rev: from.rev }, `${name} ${from.text}`),
  }, el("strong", {}, name), el("span", {}, from.text));
  return [step("undo", state.undo, "Undo") || el("p", { class: "muted" }, "Nothing to undo"), step("redo", state.redo, "Redo")];
}

function pick() {
  const { state } = desk;
  for (const id of ["chips", "foot", "side"]) $(id).hidden = true;
  for (const name of Object.keys(panels)) $(`panel-${name}`).hidden = true;
  $("pick").hidden = false;
  const take = (side) => {
    desk.picked = side;
    desk.chosen = side || null;
    remember(PICKED, side);
    show();
    $("tab-points").focus();
  };
  refill($("pick"), [state.sides.map((side) => [side.side, side.name]), state.winner], () => state.sides.length
    ? [el("h2", {}, "Whose pegs are yours?"),
      el("div", { class: "list" },
        state.sides.map((side) => el("button", { type: "button", class: "pickside", "data-colour": side.colour, onclick: () => take(side.side) }, named(side), el("span", { class: "muted" }, String(side.front)))),
        el("button", { type: "button", onclick: () => take(ALL) }, "I keep score for the whole table"))]
    : [el("h2", {}, "No game yet"), el("div", { class: "list" }, el("button", { type: "button", class: "main", onclick: () => panels.more.begin() }, "New game …"))]);
}

function link() {
  const away = desk.state?.board.away;
  const words = live?.well === false ? "No connection" : away ? "Board away" : "";
  text($("link"), words || "Connected");
  $("link").title = away ? sentence(away.text) : "";
  $("link").toggleAttribute("data-bad", Boolean(words));
}

function turn(name) {
  if (tab === "points" && name !== "points") panels.points.choose(0);
  tab = name;
  for (const button of $("tabs").children) {
    const on = button.id === `tab-${name}`;
    button.setAttribute("aria-selected", on);
    button.tabIndex = on ? 0 : -1;
  }
  if (desk.state) show();
}

function happened({ kind, text: words }) {
  voice.say(words);
  if (kind === "hand" && desk.state?.count) voice.say(`${words} ${count(desk.state)}`);
}

function letterSwitch(letters) {
  const box = el("input", { type: "checkbox", checked: letters.on, onchange: () => letters.set(box.checked) });
  return el("label", { class: "check" }, box, "Letter keys C B F V S T");
}

function speechSwitch() {
  const box = el("input", { type: "checkbox", disabled: !voice.able, onchange: () => voice.set(box.checked) });
  return el("label", { class: "check" }, box, voice.able ? "Speak the scores" : "Speak the scores (this browser has no voice)");
}

function build() {
  const answer = (reply) => desk.state && voice.say(reply(desk.state));
  const letters = new Letters(answer);
  panels.points = new Pad($("panel-points"), desk);
  panels.hand = new Hand($("panel-hand"), desk);
  panels.play = new Play($("panel-play"), desk);
  panels.ask = { show() {} };
  panels.more = new More($("panel-more"), desk, [panels.hand.claim.switch(() => panels.hand.clear()), speechSwitch(), letterSwitch(letters)]);
  fill($("panel-ask"), el("h2", {}, "Ask"), el("div", { class: "asks" }, questions(answer)), el("p", { class: "muted" }, "The answer stands above, and is spoken when speech is on."));
  for (const button of $("tabs").children) button.onclick = () => turn(button.id.slice(4));
  $("tabs").addEventListener("keydown", (event) => {
    const buttons = [...$("tabs").children];
    const at = buttons.indexOf(document.activeElement) + ({ ArrowRight: 1, ArrowLeft: -1 }[event.key] ?? 0);
    if (at === buttons.indexOf(document.activeElement) || !buttons[at]) return;
    turn(buttons[at].id.slice(4));
    buttons[at].focus();
  });
  $("side").onclick = () => {
    desk.picked = null;
    remember(PICKED, null);
    show();
  };
  turn("points");
}

async function leftover() {
  const { left } = orders;
  if (!left) return;
  const again = left.fresh || (await choose("An earlier order", `“${left.words}” was given on this phone and never answered. Is it still wanted?`, [["Forget it", false], ["Send it", true, "main"]]));
  if (!again) return orders.forget();
  await orders.resume().then((done) => voice.say(done.text), (failure) => complain(failure.words));
}

function take(state) {
  const first = !desk.state;
  desk.state = state;
  if (!$("alert").hidden && state.rev !== complained.rev && Date.now() - complained.at > READ_MS) complain(""); // it was about another score
  show();
  if (first) {
    voice.say(scores(state));
    leftover();
  }
}

build();
await join($("join"), number);
live = new Live(number, {
  state: take,
  happened,
  notice: ({ text: words }) => voice.say(words),
  link: (well) => {
    link();
    if (well) orders.hurry();
  },
});
