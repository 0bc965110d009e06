/** @import { Failure } from "./api.js" */
// A phone that keeps score: it joins, picks a side, and gives orders; what it shows is what the board says.

import { get, numberOfPage, patiently, post, sentence } from "./api.js";
import { Countdown } from "./claim.js";
import { nibs, settled } from "./deal.js";
import { Desk } from "./desk.js";
import { choose } from "./dialog.js";
import { $, el, fill, find, refill, text } from "./dom.js";
import { Here, wishWords } from "./here.js";
import { join } from "./join.js";
import { forgetReplies } from "./keys.js";
import { Live } from "./live.js";
import { More } from "./more.js";
import { afterGame, matchHere, nextOf } from "./night-game.js";
import { ownPage } from "./night-parts.js";
import { ASKED, nameOfPage, Orders } from "./orders.js";
import { recall, remember } from "./settings.js";
import { handSize, named, nameOf, sideOf } from "./sides.js";
import { Voice } from "./speech.js";
import { scores } from "./words.js";

const number = numberOfPage();
const page = nameOfPage();
const voice = new Voice();
const PICKED = `side.${number}`;
const ALL = 0; // one phone for the whole table
const [READ_MS, TAKEN_MS, CALLED_MS, WON_MS] = [5000, 1000, 4000, 8000]; // to read a complaint; between looks at a night for a result, for a call; to read a win
const REMATCH = "A rematch";
/** @type {Record<string, string>} */
const VERBS = { play: "Play", deal: "Pass", new: "Start", set: "Set", undo: "Undo", redo: "Redo" };

let kept = recall(PICKED, /** @type {number | null} */ (null)); // the side that somebody has picked on this phone
/** @type {Evening | null} */
let night = null; // the league night that this phone plays on
/** @type {State | null} */
let known = null; // nothing before the kiosk has answered

// The kiosk behind its API.
/** @type {Scorer & { state: State & Playing, refused: string, pending: Promise<void> | null }} */
const scorer = {
  get state() {
    return /** @type {State & Playing} */ (known); // the panels are open only while there is a game
  },
  chosen: null,
  me: "", // what the kiosk calls this phone
  everybody: false,
  wanted: null,
  pending: null,

  // The side that is this phone's in the game that is on: nobody is the computer.
  get picked() {
    const against = known?.computer;
    if (!known || !against || against.side !== kept) return kept;
    return (against.phone === this.me && known.sides.find((side) => side.side !== against.side)?.side) || ALL;
  },

  get side() {
    return sideOf(this.state, this.chosen) ?? this.state.sides[0];
  },

  get handSize() {
    return handSize(this.state.sides);
  },

  played(side) {
    return (this.state.table.played ?? this.state.table.pile).filter((laid) => laid.side === side).map((laid) => laid.card);
  },

  hasDevice(side) {
    return here.hasDevice(side);
  },

  count(cards) {
    return post("/api/count", cards);
  },

  turnTo(side) {
    this.chosen = side;
    show();
  },

  // What was done once for another side is done; a phone turns back to its own.
  home() {
    if (!sideOf(this.state, this.picked)) return;
    this.chosen = this.picked;
    show();
  },

  answer(words, written) {
    voice.answer(words, written);
  },

  refused: "", // why the last order was, unless somebody chose so

  async give(order, words) {
    complain("");
    this.refused = "";
    try {
      const done = await orders.give(order, words);
      if (!live?.well) voice.answer(done.text);
      return done;
    } catch (failure) {
      if (failure.code === "twice" && order.do !== "peg") return null;
      if (ASKED.includes(failure.code)) return null; // it was read, and left
      refused(failure);
      this.refused = failure.code === "asked" ? "" : failure.words ?? String(failure); // the others are asked
      return null;
    }
  },

  get failing() {
    return Boolean(orders.failing);
  },

  busy() {
    complain(orders.busy().words, "busy");
  },

  begin() {
    return more.begin();
  },

  hint(order) {
    return orders.hint(order).catch(refused);
  },

  // Points shown on the strip before they are pegged; only the newest matter.
  pend(points, side = scorer.side?.side) {
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
  seen: () => known?.rev ?? 0,
  shows: () => known?.version ?? 0,
  look: async () => take(await get(`/api/boards/${number}`)),
  waits: waiting,
  sender: () => ({ page, own: scorer.picked || null }),
  asks: async (failure, { order, words }) => {
    if (words === REMATCH && failure.code === "seen") return false; // somebody else has begun it, or taken the win back
    if (failure.code === "doubled") return choose("One score, or two?", failure.words, [["Leave it", false, "main"], [failure.hint.replace("?", ""), true]]);
    return choose("Look again", `“${words}” has not counted. ${failure.words}`, [["Leave it", false, "main"], [`${VERBS[order.do] ?? "Peg"} it anyway`, true]]);
  },
});

const here = new Here(number, el("div", { class: "panel-part" }), $("knocks"), complain);
const countdown = new Countdown();
/** @type {Live | null} */
let live = null;
const desk = new Desk(scorer, voice, {
  seen: () => known && countdown.now(known),
  show,
  turned: (name, before) => {
    if (known && name !== before) text($("said"), known.last?.text ? sentence(known.last.text) : scores(known)); // what was said was of the other tab
  },
});
const more = new More($("panel-more"), scorer, desk.settings());

/** @param {Current | null} current @param {Failure | null} [failure] */
function waiting(current, failure) {
  $("waits").hidden = !failure;
  document.body.toggleAttribute("data-busy", Boolean(current));
  if (failure) text($("waits"), `${failure.words} “${current?.words}” will be sent again.`);
  if (!current && complained.code === "busy") complain("");
}

/** @type {{ at: number, rev: number | null | undefined, code: string }} */
let complained = { at: 0, rev: 0, code: "" };
/** @param {string} words */
function complain(words, code = "") {
  desk.keeping(() => {
    complained = { at: Date.now(), rev: known?.rev, code };
    $("alert").hidden = !words;
    fill($("alert"), words, words && el("button", { type: "button", class: "plain", onclick: () => complain(""), "aria-label": "Close" }, "✕"));
  });
}

// What the kiosk did not do.
/** @param {Failure} failure */
function refused(failure) {
  if (failure.status === 403) location.reload(); // the house has sent all phones away: join again
  complain(failure.words ?? String(failure), failure.code);
}

// Whether a complaint is about how it was before: of points that waited when they are gone, else of another score.
/** @param {typeof complained} complaint */
function isOver({ rev, at, code }) {
  if (code === "waiting") return !scorer.state.sides.some((side) => side.waiting && side.waiting_by !== scorer.me);
  return scorer.state.rev !== rev && Date.now() - at > READ_MS;
}

function show() {
  desk.keeping(draw);
}

function draw() {
  const { state } = scorer;
  document.title = `${state.board.name} – keep score`;
  text($("title"), state.board.name);
  link();
  const ready = scorer.picked !== null && state.sides.length > 0;
  if (!ready) return pick();
  for (const id of ["chips", "foot", "side"]) $(id).hidden = false;
  $("pick").hidden = true;
  scorer.everybody = scorer.picked === ALL;
  if (!sideOf(state, scorer.chosen) || scorer.chosen === state.computer?.side) scorer.chosen = (sideOf(state, scorer.picked) ?? state.sides.find((side) => side.side !== state.computer?.side) ?? state.sides[0]).side;
  over();
  const offer = call();
  refill($("call"), offer && offer.textContent, () => offer);
  asked();
  if (desk.tab === "more") more.show();
  desk.draw();
}

// Every phone at the table offers the same game again; who taps it second has it already. On a league night there is the next match.
function over() {
  const { state } = scorer;
  const offered = Boolean(state.win);
  document.body.toggleAttribute("data-next", offered && night !== null); // a league match is one game: all that is left is the next
  $("over").hidden = !offered;
  if (!offered) delete $("over").dataset.game;
  if (offered && $("over").dataset.game !== String(state.game)) {
    $("over").dataset.game = String(state.game);
    lookAtNight(state.game, Date.now());
  }
  refill($("over"), [offered, night?.acts, state.sides, state.undo], () => offered && (night
    ? afterGame(night, scorer)
    : el("button", { type: "button", class: "main", "data-key": "rematch", onclick: settled(() => scorer.give({ do: "new" }, REMATCH)) }, "Rematch")));
}

// The night that this phone plays on, while a win is shown; it goes where its player is called.
/** @param {number | null} game @param {number} since */
async function lookAtNight(game, since) {
  const evening = await get("/api/night").catch(() => night);
  const { state } = scorer;
  if (!evening || !state.win || state.game !== game) return;
  night = !evening.closed && evening.mine !== null && evening.target === state.target ? evening : null;
  if (known) show();
  if (!night) return;
  const on = matchHere(evening, state);
  if (nextOf(evening, on)?.called && Date.now() - since > WON_MS) return location.assign(ownPage(evening));
  setTimeout(() => lookAtNight(game, since), on?.legs.length ? CALLED_MS : TAKEN_MS);
}

// While points may have been missed, an opponent may call them; nibs are for whoever sees the jack.
function call() {
  const whose = sideOf(scorer.state, scorer.state.open);
  if (!whose || scorer.picked === whose.side) return nibs(scorer);
  return el("button", { type: "button", "data-key": "offer", onclick: settled(() => more.muggins()) }, `Muggins on ${nameOf(whose)} …`);
}

// Somebody who has taken back three scores of others needs a Yes for more.
function asked() {
  const { asked: wish } = scorer.state;
  const shown = wish && wish.phone !== scorer.me && !(wish.side && wish.side === scorer.picked) ? wish : null;
  $("asked").hidden = !shown;
  refill($("asked"), shown, () => shown && el("button", { type: "button", onclick: () => grant(shown) }, shown.points === null ? `${shown.name} wants an undo …` : `${shown.name} corrects …`));
}

/** @param {Asked} wish */
async function grant(wish) {
  const { rev, points, text } = wish;
  const yes = points === null
    ? await choose("Undo this score?", [wishWords(wish), "They have just taken back three scores of other players."], [["Not now", null], ["Yes, undo it", true], ["No, keep it", false, "main"]])
    : await choose("Correct this score?", wishWords(wish), [["Not now", null], ["No, keep it", false], ["Yes, correct it", true, "main"]]);
  if (yes !== null) await scorer.give({ do: "allow", rev, yes, ...(points === null ? {} : { points }) }, `${yes ? "Yes" : "No"} to ${text}`);
}

function pick() {
  const { state } = scorer;
  for (const id of ["chips", "foot", "side"]) $(id).hidden = true;
  desk.close();
  $("pick").hidden = false;
  /** @param {number} side */
  const take = async (side) => {
    const refused = await here.introduce({ ...here.typed, side });
    complain(refused);
    if (refused) return here.nickname.focus();
    kept = side;
    scorer.chosen = side || null;
    remember(PICKED, side);
    show();
    $("tab-points").focus({ preventScroll: true });
  };
  const roomy = matchMedia("(min-width: 700px) and (min-height: 600px)").matches; // on a phone the sides come first
  refill($("pick"), [state.sides.map((side) => [side.side, side.name]), state.winner], () => state.sides.length
    ? [el("h2", {}, "Which side is yours? Tap it."), roomy && here.field(),
      el("div", { class: "list" },
        state.sides.map((side) => el("button", { type: "button", class: "pickside", "data-colour": side.colour, onclick: () => take(side.side) }, named(side), el("span", {}, String(side.front)))),
        el("button", { type: "button", onclick: () => take(ALL) }, "I keep score for the whole table")), !roomy && here.field()]
    : [el("h2", {}, "No game yet"), el("div", { class: "list" }, el("button", { type: "button", class: "main", onclick: () => more.begin() }, "New game …"))]);
  for (const [at, one] of [...$("pick").querySelectorAll(".pickside > :last-child")].entries()) text(one, String(state.sides[at].front)); // without a new field for the name
}

function link() {
  const away = known?.board.away;
  const words = live?.well === false ? "No connection" : away ? "Board away" : "";
  text($("link"), words || "Connected");
  $("link").title = away ? sentence(away.text) : "";
  $("link").toggleAttribute("data-bad", Boolean(words));
}

// Your own points are your side's, and those that this phone is pegging for another. What it counts was explained before.
/** @param {News} news */
function happened(news) {
  if (news.kind === "allow" && complained.code === "asked") complain(""); // somebody has said No
  const order = orders.current?.order;
  const own = Boolean(news.points) && [scorer.picked, order?.side].includes(news.side);
  voice.tell(order?.do === "hand" && (own || !news.full) ? { ...news, full: news.text } : news, own);
}

async function leftover() {
  const { left } = orders;
  if (!left) return;
  const settled = left.fresh ? null : await orders.settled(left);
  if (settled) voice.answer(settled.text);
  const again = !settled && (left.fresh || (await choose("From earlier", `“${left.words}” was entered on this phone but has not counted. Send it now?`, [["Forget it", false, "main"], ["Send it", true]])));
  if (!again) return orders.forget();
  await orders.resume(left).then((done) => voice.answer(done.text), refused);
}

/** @param {State} state */
function take(state) {
  const first = !known;
  const counted = known?.claims?.side;
  const unanswered = complained.code === "asked" && known?.asked?.phone === scorer.me && state.asked?.phone !== scorer.me && known.rev === state.rev;
  if (known && known.game !== state.game) here.begin();
  if (known?.rev !== state.rev || known?.table.pile?.length !== state.table.pile?.length) forgetReplies($("panel-ask"));
  known = state;
  countdown.show(state);
  if (state.claims && state.claims.side !== counted) voice.tell({ kind: "time", text: countdown.node.textContent ?? "", written: true }, state.claims.side === scorer.picked);
  if (!$("alert").hidden && (unanswered || isOver(complained))) complain(unanswered ? "Nobody has said Yes: the score stays." : "");
  show();
  if (first) {
    voice.answer(scores(state));
    leftover();
  }
}

$("news").append(countdown.node);
$("panel-more").append(here.node);
$("side").onclick = () => {
  kept = null;
  remember(PICKED, null);
  show();
  find($("pick"), "button")?.focus();
};
desk.begin();
text($("title"), `Table ${number}`); // until its name is known
await join($("join"), number);
patiently(() => get("/api/me")).then(({ by }) => {
  scorer.me = by ?? "";
  if (known) show();
}, () => {}); // then its own points are shown as those of a phone
live = new Live(number, {
  state: take,
  happened,
  notice: (news) => voice.tell(news),
  phones: () => here.look(),
  link: (well) => {
    link();
    if (well) {
      orders.hurry();
      here.look();
    }
  },
});
