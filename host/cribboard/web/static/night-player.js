// A player's phone: who they are, their next match and table, the result of it, their card.

import { get, post } from "./api.js";
import { disable, el, fill, find, focused, keeping, refill, text } from "./dom.js";
import { apart, clockWords, gained, isDisputed, isPlayed, isUndecided, isUnsure, isolated, margin, openGame, pieces, playing, pointsWords, remark, says, settledFirst, stand, standings, stillOn, upcoming, verb, winners, won } from "./night-parts.js";
import { recall, remember } from "./settings.js";

const TELL = "night-tell";
const KEEP_OPEN = "Keep this page open and the phone unlocked"; // a hidden page hears of nothing

export class Player {
  /** @param {HTMLElement} node @param {import("./night-orders.js").Orders} orders */
  constructor(node, orders) {
    this.node = node;
    this.orders = orders;
    this.winner = -1;
    this.points = "";
    this.refuses = 0; // the match of which this phone says something else
    this.picked = 0; // one of the card that is looked at again
    this.typed = 0; // the match whose result is typed
    this.unfolded = 0; // one of a board where it is
    /** @type {Evening | null} */
    this.evening = null; // as it is shown
    this.called = 0; // the newest match that this phone has heard of
    this.above = ""; // what is wanted of this player, at the page's top
    /** @type {AudioContext | null} */
    this.sound = null;
    addEventListener("pointerdown", () => recall(TELL, false) && !this.sounds && this.wake()); // a page sounds only after a tap, and again after a phone call
  }

  get sounds() {
    return recall(TELL, false) && this.sound?.state === "running";
  }

  wake() {
    this.sound ??= new AudioContext();
    return this.sound.resume();
  }

  /** @param {Evening} evening */
  show(evening) {
    // numbers of matches are another night's, what was typed somebody else's
    if (evening.night !== this.evening?.night || evening.mine !== this.evening.mine) Object.assign(this, { called: 0, refuses: 0, picked: 0, typed: 0, unfolded: 0 });
    this.evening = evening;
    this.call(evening);
    const next = evening.mine === null ? null : this.next(evening);
    if ((next?.match ?? 0) !== this.typed) Object.assign(this, { typed: next?.match ?? 0, winner: -1, points: "" });
    const beside = this.calledBeside(evening, next);
    const shown = [evening.night, evening.acts, evening.closed, evening.entrants.map((one) => one.name), evening.mine, evening.joined, next?.running, this.winner, this.refuses, this.picked, evening.until, recall(TELL, null), this.sounds];
    keeping(() => refill(this.node, shown, () => [
      el("p", { class: "muted clock" }, clockWords(evening).replace("night ends", "ends")), // on one line
      !evening.joined && !evening.closed ? this.join() : evening.mine === null ? this.who(evening) : [this.quarrel(evening, next), this.sent(evening, next), this.match(evening, next), beside && this.beside(evening, beside), this.allow(evening), evening.director && el("p", { class: "sound" }, el("a", { class: "button quiet", href: "/night" }, "Direct the night")), this.card(evening, next)],
      evening.played && el("section", { "aria-label": "Standings" }, el("h2", {}, "Standings"), standings(evening, (row) => [row.name, el("small", { class: "muted" }, played(evening, row))]),
        el("p", { class: "muted" }, `${evening.rules.what}. The spread is what you won by, less what you lost by.`)),
    ]), () => this.heading());
    const leg = next && openGame(next);
    const above = String([evening.mine, next?.match, next?.called, leg?.state === "waits" && leg.waits_for, beside?.match]);
    if (this.above && above !== this.above && !focused().matches("input")) scrollTo(0, 0); // it is seen by somebody who was reading the standings, too
    this.above = above;
  }

  // Of what is shown, for the keyboard.
  heading() {
    const heading = find(this.node, "h2");
    heading?.setAttribute("tabindex", "-1");
    return heading;
  }

  // The match of which this player says something else, or looks at again; or that they play, that waits for them, the next.
  /** @param {Evening} evening @returns {Match | null} */
  next(evening) {
    const mine = evening.matches.filter((match) => match.mine !== null && !match.bye);
    const refused = mine.find((match) => match.match === this.refuses && isOpen(match));
    const picked = mine.find((match) => match.match === this.picked && isOpen(match));
    if (refused || picked) return refused ?? picked ?? null;
    Object.assign(this, { refuses: 0, picked: 0 }); // the director has settled it, or the other has agreed
    const waits = mine.find((match) => match.legs.some((leg) => leg.state === "waits" && leg.waits_for.includes(Number(match.mine))));
    return waits ?? mine.find((match) => match.called && !match.over) ?? mine.find((match) => !match.over) ?? null;
  }

  // It sounds and vibrates when its player is called, after one tap that allows it.
  /** @param {Evening} evening */
  call(evening) {
    const now = playing(evening).find((match) => match.mine !== null)?.match ?? this.called;
    if (now === this.called) return;
    if (recall(TELL, false)) {
      navigator.vibrate?.([300, 150, 300]);
      this.beep();
    }
    Object.assign(this, { called: now, picked: 0 });
  }

  beep() {
    const sound = this.sound;
    if (!sound || !this.sounds) return;
    const tone = sound.createOscillator();
    tone.frequency.value = 660;
    tone.connect(sound.destination);
    tone.start();
    tone.stop(sound.currentTime + 0.4);
  }

  join() {
    const code = el("input", { id: "code", inputmode: "numeric", autocomplete: "one-time-code", maxlength: 12, required: true });
    const refusal = el("p", { class: "notice", role: "alert", hidden: true });
    const sheet = el("form", { class: "form" },
      el("h2", {}, "Join the night"),
      el("p", { class: "muted" }, "Open the camera app and point it at the square code on the screen, or type the six digits shown with it."),
      refusal, el("label", { class: "field", for: "code" }, el("span", {}, "Six digits"), code),
      el("button", { type: "submit", class: "main" }, "Join"));
    sheet.addEventListener("submit", async (event) => {
      event.preventDefault();
      try {
        await post("/api/pair", { code: code.value.trim(), board: 0 });
        this.orders.show(await get("/api/night"));
      } catch (failure) {
        text(refusal, failure.words);
        refusal.hidden = false;
      }
    });
    return sheet;
  }

  /** @param {Evening} evening */
  who(evening) {
    const free = evening.entrants.filter((one) => one.here);
    return el("section", { "aria-label": "Who are you?" }, el("h2", {}, "Who are you?"),
      evening.closed ? el("p", { class: "muted" }, "This night is closed.") :
      el("div", { class: "names" }, free.map((one) =>
        el("button", { type: "button", "data-key": `who-${one.entrant}`, onclick: () => this.orders.give(evening, { do: "claim", entrant: one.entrant }) }, one.name, one.phone && el("span", { class: "muted" }, " taken")))),
      !evening.closed && el("p", { class: "muted" }, "Not on the list? Ask the director."));
  }

  /** @param {Evening} evening @param {Match | null} match */
  match(evening, match) {
    if (evening.closed || !match) return this.ended(evening);
    const mine = Number(match.mine);
    const leg = openGame(match);
    const asks = leg?.state === "waits" && leg.waits_for.includes(mine) && this.refuses !== match.match;
    const board = evening.tables.some((table) => table.table === match.table && table.board);
    if (asks) return this.question(evening, match, leg);
    const rests = !match.called && evening.matches.some((one) => one.mine !== null && one.bye && one.round === evening.round);
    return el("section", { class: "next", "aria-label": "Your match" },
      this.you(evening),
      rests && el("p", { class: "rival" }, `You sit out round ${evening.round}.`),
      this.winner < 0 ? this.where(evening, match) : el("h2", { class: "brief" }, match.over ? `Round ${match.round}` : match.place, ", ", rivals(evening, match)), // who types a result has played
      evening.best_of > 1 && el("p", { class: "muted" }, `Games: ${match.names[0]} ${match.wins[0]}, ${match.names[1]} ${match.wins[1]}; best of ${evening.best_of}.`),
      !match.called && this.until(evening, match),
      match.called && board && !match.over && this.board(evening, match),
      leg?.state === "disputed" && this.dispute(evening, match, leg),
      leg?.state === "waits" && this.refuses !== match.match && this.waiting(evening, match, leg),
      match.called && (!match.over || this.refuses === match.match) && this.report(evening, match));
  }

  // Where a match is played, against whom, and who deals while it has not begun.
  /** @param {Evening} evening @param {Match} match */
  where(evening, match) {
    const dealer = match.sides[match.first]?.[0];
    const unplayed = match.called && !match.legs.length;
    const quarrelling = settledFirst(evening, match).flatMap((each) => each.sides.flat());
    const theirs = evening.entrants.filter((one) => quarrelling.includes(one.entrant) && match.sides.flat().includes(one.entrant));
    const words = theirs.length ? theirs.some((one) => one.entrant === evening.mine) ? "Settle the dispute first, then go to" : `Soon: ${theirs.map((one) => one.name).join(" and ")} ${theirs.length > 1 ? "have" : "has"} a dispute to settle first`
      : stillOn(evening, match) ? "Soon: a game is still on there" : "Go now";
    return [
      unplayed && !match.running && el("p", { class: "go-now" }, words),
      el("h2", {}, match.over ? `Round ${match.round}` : match.called ? match.place : `Next: round ${match.round}`),
      el("p", { class: "rival" }, rivals(evening, match)),
      unplayed && el("p", {}, `${dealer === evening.mine ? "You deal" : `${evening.entrants.find((one) => one.entrant === dealer)?.name ?? ""} deals`} first.`)];
  }

  // Who still plays somebody else before a match, and how its players hear that they are called.
  /** @param {Evening} evening @param {Match} match */
  until(evening, match) {
    const others = match.sides.flat().filter((who) => who !== evening.mine);
    const busy = playing(evening).find((one) => one.sides.flat().some((who) => others.includes(who)));
    const still = busy && evening.entrants.filter((one) => others.includes(one.entrant) && busy.sides.flat().includes(one.entrant)).map((one) => one.name);
    return el("p", { class: "muted" }, `${still ? `${still.join(" and ")} still play${still.length > 1 ? "" : "s"} at ${busy.place}. ` : ""}${this.sounds ? `${KEEP_OPEN}: it will call you.` : "This phone is silent: look here, or at the television."}`);
  }

  // The match that this player is called to while they are asked about another, or type its result.
  /** @param {Evening} evening @param {Match | null} shown */
  calledBeside(evening, shown) {
    return shown && !evening.closed ? playing(evening).find((match) => match.mine !== null && match !== shown && !isDisputed(match)) : undefined;
  }

  /** @param {Evening} evening @param {Match} match */
  beside(evening, match) {
    return el("section", { class: "next", "aria-label": "You are called" }, this.where(evening, match));
  }

  // Whose phone it is: a borrowed one looks the same.
  /** @param {Evening} evening */
  you(evening) {
    return el("p", { class: "you muted" }, el("span", {}, "You are ", el("strong", {}, ownName(evening))),
      !evening.closed && el("button", { type: "button", class: "quiet", "data-key": "release", onclick: () => this.orders.give(evening, { do: "release" }) }, "Not you?"));
  }

  // Asked once, to be changed later: a phone that is put away misses a call.
  /** @param {Evening} evening */
  allow(evening) {
    const on = recall(TELL, null);
    if (isPlayed(evening) || evening.closed) return null;
    if (on !== null) return el("p", { class: "sound" }, el("button", { type: "button", class: "quiet", "data-key": "tell", onclick: () => this.tell(evening, !on) }, `Turn sound ${on ? "off" : "on"}`));
    return el("section", { class: "next", "aria-label": "Sound" },
      el("p", {}, "May this phone sound and vibrate when you are called?"),
      el("p", { class: "muted" }, `${KEEP_OPEN} for that.`),
      el("div", { class: "row" },
        el("button", { type: "button", class: "main", "data-key": "tell-yes", onclick: () => this.tell(evening, true) }, "Yes"),
        el("button", { type: "button", "data-key": "tell-no", onclick: () => this.tell(evening, false) }, "No")));
  }

  /** @param {Evening} evening @param {boolean} on */
  tell(evening, on) {
    remember(TELL, on);
    if (on) this.wake().then(() => {
      this.beep();
      this.show(this.evening ?? evening);
    });
    this.show(evening);
  }

  // Where somebody stands when they have no match.
  /** @param {Evening} evening */
  ended(evening) {
    const row = ownRow(evening);
    const best = winners(evening);
    const points = row && pointsOf(evening, row);
    const first = evening.closed && row?.place === 1 && row.games > 0;
    return el("section", { class: "next", "data-place": first ? "1" : null },
      evening.closed ? el("h2", {}, ownName(evening)) : this.you(evening),
      el("p", { class: "rival" }, !row || (evening.closed && !row.place) ? "The night is over." : first ? `You won the night: number 1 of ${evening.standings.length}, with ${points}.` : evening.closed ? `You are number ${row.place} of ${evening.standings.length}, with ${points}.` : row.place && (evening.draw !== "swiss" || isPlayed(evening)) ? `You have played all your games: number ${row.place} of ${evening.standings.length} so far, with ${points}.` : "No game is planned for you yet."),
      evening.closed && !first && best.length > 0 && el("p", {}, best.length > 1 ? "Winners: " : "Winner: ", el("strong", {}, best.map((one) => one.name).join(" and ")), `, ${pointsOf(evening, best[0])}${best.length > 1 ? " each" : ""}`));
  }

  // A quarrel about another match than the one that is shown: others play on, the director settles it.
  /** @param {Evening} evening @param {Match | null} shown */
  quarrel(evening, shown) {
    const match = quarrelled(evening, shown);
    const leg = match?.legs.find((one) => one.state === "disputed");
    return match && leg && this.dispute(evening, match, leg);
  }

  // What this phone has sent last, while it shows what comes next.
  /** @param {Evening} evening @param {Match | null} shown */
  sent(evening, shown) {
    const [match] = evening.closed ? [] : sentBy(evening, shown);
    const leg = match && unconfirmed(match);
    return leg && this.waiting(evening, match, leg);
  }

  /** @param {Evening} evening @param {Match} match @param {Leg} leg */
  waiting(evening, match, leg) {
    const [side] = leg.waits_for;
    return el("p", { class: "notice calm sent", role: "status" }, el("span", {}, el("strong", {}, `Sent: ${leg.scores ? won(match, leg.scores) : leg.said}.`), ` ${match.names[side]} ${verb(match, side, "hasn’t", "haven’t")} confirmed it yet.`),
      el("button", { type: "button", class: "quiet", "data-key": `change-${match.match}`, onclick: () => this.change(evening, match) }, "Change it"));
  }

  // What both say: most quarrels are a slip of the finger, which both see at once.
  /** @param {Evening} evening @param {Match} match @param {Leg} leg */
  dispute(evening, match, leg) {
    const mine = Number(match.mine);
    const other = match.names[1 - mine];
    const theirs = leg.reports[1 - mine];
    const typing = this.refuses === match.match; // the form is below
    return el("div", { class: "notice dispute" },
      !typing && [el("h2", {}, `${capital(gameWords(evening, match, leg.leg))} is disputed`), el("p", {}, `You and ${other} say different things. It does not count yet.`)],
      el("p", {}, "You said: ", el("strong", {}, says(match, leg, mine)), el("br"), `${other} said: `, el("strong", {}, says(match, leg, 1 - mine))),
      el("div", { class: "row" },
        theirs && el("button", { type: "button", "data-key": "they", onclick: () => this.orders.give(evening, { do: "agree", match: match.match, leg: leg.leg, scores: theirs }) }, `${other} ${verb(match, 1 - mine, "is", "are")} right`),
        !typing && el("button", { type: "button", "data-key": "change", onclick: () => this.change(evening, match) }, "Change mine")),
      !typing && el("p", {}, "If you do not agree, see the director."));
  }

  /** @param {Evening} evening @param {Match} match @param {Leg} leg */
  question(evening, match, leg) {
    const other = match.names[1 - Number(match.mine)];
    const next = this.calledBeside(evening, match) ? undefined : upcoming(evening).find((one) => one.mine !== null); // a call has a place of its own
    return el("section", { class: "next ask", "aria-label": "Your match" },
      this.you(evening),
      el("p", { class: "rival" }, `${capital(gameWords(evening, match, leg.leg))}: is this right?`),
      el("h2", {}, leg.scores ? won(match, leg.scores) : leg.said),
      el("p", {}, `${leg.scores ? `${margin(evening, Math.min(...leg.scores))}, ` : ""}${verb(match, 1 - Number(match.mine), "says", "say")} ${other}`),
      el("div", { class: "row" },
        el("button", { type: "button", class: "main", "data-key": "right", onclick: () => this.orders.give(evening, { do: "agree", match: match.match, leg: leg.leg, scores: leg.scores }) }, "Right"),
        el("button", { type: "button", "data-key": "wrong", onclick: () => this.wrong(evening, match, leg) }, "Not right")),
      next && [el("p", { class: "rival" }, `Next: against ${next.names[1 - Number(next.mine)]}`), this.until(evening, next)]);
  }

  /** @param {Evening} evening @param {Match} match @param {Leg} leg */
  async wrong(evening, match, leg) {
    this.refuses = match.match;
    await this.orders.give(evening, { do: "wrong", match: match.match, leg: leg.leg });
  }

  // What this phone says is typed again; without a match it stays as it is.
  /** @param {Evening} evening @param {Match | null} match */
  change(evening, match) {
    Object.assign(this, { refuses: match?.match ?? 0, picked: 0 });
    this.show(evening);
  }

  // What was typed is forgotten; what was said before stays.
  /** @param {Evening} evening */
  cancel(evening) {
    Object.assign(this, { winner: -1, points: "" });
    this.change(evening, null);
  }

  /** @param {Evening} evening @param {Match} match */
  board(evening, match) {
    const open = async () => {
      try {
        await post(`/api/nights/${evening.night}/start/${match.match}`); // a game that is on goes on, and this phone is at its table
        remember(`side.${match.table}`, Number(match.mine) + 1); // nobody is asked whose side it is
        location.assign(`/score/${match.table}`);
      } catch (failure) {
        const refusal = document.getElementById("wrong");
        if (refusal) {
          text(refusal, failure.words);
          refusal.hidden = false;
        }
      }
    };
    if (match.running) return el("p", { class: "row" }, el("strong", { class: "running" }, match.running.join(" – ")), el("button", { type: "button", class: "main", "data-key": "open", onclick: open }, "Open the board"));
    return el("p", { class: "row" }, el("button", { type: "button", class: "main", "data-key": "start", onclick: open }, "Start the game on the electronic board (one of you)"));
  }

  // The game whose result is typed: what this phone says otherwise, or the next.
  /** @param {Match} match */
  game(match) {
    return (this.refuses === match.match && openGame(match)?.leg) || match.legs.length + 1;
  }

  // Who won, the loser's points, what that comes to, and Send.
  /** @param {Evening} evening @param {Match} match */
  report(evening, match) {
    const mine = Number(match.mine); // one's own name is always at the same place
    const said = el("p", { class: "says", role: "status" });
    const send = el("button", { type: "button", class: "main", "data-key": "send", onclick: () => this.send(evening, match) }, "Send");
    const points = el("input", { id: "points", "data-key": "points", inputmode: "numeric", pattern: "[0-9]*", maxlength: 3, autocomplete: "off", value: this.points });
    const show = () => {
      const words = this.words(evening);
      const scores = this.scores(evening).map((score, side) => (words || side === this.winner ? score : "…"));
      fill(said, `${isolated(match.names[mine])} ${scores[mine]} – ${scores[1 - mine]} ${match.names[1 - mine]} `, el("small", {}, words || this.tooMany(evening, match)));
      disable(send, !words);
    };
    points.addEventListener("input", () => {
      this.points = points.value.replace(/\D/g, "");
      show();
    });
    points.addEventListener("keydown", (event) => event.key === "Enter" && this.send(evening, match));
    show();
    const game = gameWords(evening, match, this.game(match));
    const choices = [
      el("p", {}, this.refuses === match.match ? `${capital(game)}, your result: who won?` : this.winner < 0 ? `When you have played ${game}: who won?` : `Who won ${game}?`),
      el("div", { class: "row" }, [mine, 1 - mine].map((side) =>
        el("button", { type: "button", "data-key": `won-${side}`, "aria-pressed": String(this.winner === side), onclick: () => {
          this.winner = side;
          this.show(evening);
          if (!this.points) document.getElementById("points")?.focus();
        } }, match.names[side]))),
      this.winner >= 0 && said,
      this.winner >= 0 && el("div", { class: "row points" }, el("label", { class: "field", for: "points" }, el("span", {}, `${match.names[1 - this.winner]}’s score`), points), send),
      (this.winner >= 0 || this.refuses === match.match) && el("button", { type: "button", class: "quiet", "data-key": "cancel", onclick: () => this.cancel(evening) }, "Cancel")];
    const board = evening.tables.some((table) => table.table === match.table && table.board);
    if (!board) return el("div", { class: "report" }, choices);
    const typed = this.winner >= 0 || this.refuses === match.match || this.unfolded === match.match; // the board knows the result by itself
    const node = el("details", { class: "report", open: typed }, el("summary", {}, "Played on a wooden board? Enter the score"), choices);
    node.addEventListener("toggle", () => (this.unfolded = node.open ? match.match : 0)); // it stays open when the night goes on
    return node;
  }

  // What it is won by, as people say it; nothing as long as it is not typed.
  /** @param {Evening} evening */
  words(evening) {
    const points = Number(this.points);
    return this.winner < 0 || this.points === "" || points >= evening.target ? "" : margin(evening, points);
  }

  // What to do about more points than anybody has who has lost.
  /** @param {Evening} evening @param {Match} match */
  tooMany(evening, match) {
    return this.points !== "" && `${match.names[1 - this.winner]}’s score must be less than ${evening.target}.`;
  }

  // What is typed, by the sides of the match.
  /** @param {Evening} evening */
  scores(evening) {
    const points = Number(this.points);
    return this.winner === 0 ? [evening.target, points] : [points, evening.target];
  }

  /** @param {Evening} evening @param {Match} match */
  async send(evening, match) {
    if (!this.words(evening)) return document.getElementById("points")?.focus();
    if (await this.orders.give(evening, { do: "report", match: match.match, scores: this.scores(evening), leg: this.game(match) })) {
      Object.assign(this, { winner: -1, points: "", refuses: 0, picked: 0 });
      this.show(this.evening ?? evening); // with what has just been sent
    }
  }

  // All matches; what can be done about the one that is `shown` above is there.
  /** @param {Evening} evening @param {Match | null} shown */
  card(evening, shown) {
    const mine = evening.matches.filter((match) => match.mine !== null);
    const above = [shown, quarrelled(evening, shown), sentBy(evening, shown)[0]];
    const row = ownRow(evening);
    const button = (/** @type {Match} */ match, /** @type {string} */ what, /** @type {() => void} */ act) => el("button", { type: "button", class: "quiet", "data-key": `pick-${match.match}`, "aria-label": `${what}: the game with ${match.names[1 - Number(match.mine)]}`, onclick: act }, what);
    const pick = (/** @type {number} */ match) => () => {
      this.picked = match;
      this.show(evening);
    };
    const open = (/** @type {Match} */ match) => {
      if (evening.closed || !isOpen(match)) return null;
      if (this.picked === match.match) return button(match, "Back", pick(0));
      if (above.includes(match)) return null;
      return unconfirmed(match) ? button(match, "Change", () => this.change(evening, match)) : button(match, "Answer", pick(match.match));
    };
    const ranked = evening.standings.filter((one) => one.place);
    const changed = mine.filter((match) => match.changed && !match.called && match.round >= evening.round && (match.bye || !match.over) && !evening.closed);
    return el("section", { "aria-label": "My card" }, el("h2", {}, "My card"),
      shown && row && row.place > 0 && el("p", { class: "muted" }, `Number ${row.place} of ${ranked.length < evening.standings.length ? `the ${ranked.length} who have played` : ranked.length} so far, with ${pointsOf(evening, row)}.${isUnsure(evening, row.entrants) ? " That may change: a result is not confirmed yet." : ""}`),
      changed.length > 0 && el("p", {}, "The plan has changed. A paper card from before is out of date: go by this one."),
      el("ol", { class: "own-card" }, el("li", { class: "heads" }, el("span"), el("span", {}, "Against"), el("span", { class: "points" }, "League points")), mine.map((match) =>
        el("li", {}, el("span", { class: "muted" }, `${match.round}`), el("span", {}, match.bye ? (evening.closed || match.round < evening.round ? "You sat out" : "You sit out") : [match.names[1 - Number(match.mine)], evening.draw === "partners" && el("small", { class: "muted" }, `with ${partnersOf(evening, match)}`)], changed.includes(match) && el("small", {}, "changed")), el("span", { class: "how muted" }, match.bye ? "" : outcome(match) ?? stand(match)), el("strong", { class: "points" }, gained(match)), open(match)))),
      mine.some((match) => match.legs.length) && el("p", { class: "muted" }, "Something wrong? Tell the director."));
  }
}

// What explains that somebody has played less than others, and how much that is: a phone has no column for it.
/** @param {Evening} evening @param {Evening["standings"][number]} row */
function played(evening, row) {
  const fewer = row.games && row.games < Math.max(...evening.standings.map((one) => one.games)) - 1 && pieces(row.games, "game"); // while others play, most have one less
  const said = remark(evening, row);
  return said || fewer || "";
}

// Who plays on the same side, another one in each round perhaps.
/** @param {Evening} evening @param {Match} match */
const partnersOf = (evening, match) => evening.entrants.filter((one) => one.entrant !== evening.mine && match.sides[Number(match.mine)].includes(one.entrant)).map((one) => one.name).join(" and ");

// With whom and against whom a match is played.
/** @param {Evening} evening @param {Match} match @returns {Child} */
function rivals(evening, match) {
  const partners = partnersOf(evening, match);
  return [partners && ["with ", el("strong", {}, partners), " "], "against ", el("strong", {}, match.names[1 - Number(match.mine)])];
}

// A game of a round, by its number where a match has more.
/** @param {Evening} evening @param {Match} match @param {number} leg */
const gameWords = (evening, match, leg) => (evening.best_of > 1 ? `game ${leg} of round ${match.round}` : `round ${match.round}`);

/** @param {string} words */
const capital = (words) => words[0].toUpperCase() + words.slice(1);

/** @param {Match} match */
const isOpen = (match) => match.legs.some(isUndecided);

// What this phone's player has said of it, and nobody has confirmed.
/** @param {Match} match */
const unconfirmed = (match) => match.legs.find((leg) => leg.state === "waits" && !leg.waits_for.includes(Number(match.mine)));

// Those of which that is so, the newest first; not the one that is `shown`.
/** @param {Evening} evening @param {Match | null} shown */
const sentBy = (evening, shown) => evening.matches.filter((one) => one.mine !== null && one !== shown && unconfirmed(one)).sort((one, other) => other.said - one.said);

/** @param {Evening} evening @param {Match | null} shown */
const quarrelled = (evening, shown) => (evening.closed ? undefined : evening.matches.find((one) => one.mine !== null && one !== shown && isDisputed(one)));

/** @param {Evening} evening */
const ownName = (evening) => evening.entrants.find((one) => one.mine)?.name ?? "";

/** @param {Evening} evening */
const ownRow = (evening) => evening.standings.find((row) => row.entrants.some((each) => each === evening.mine));

/** @param {Evening} evening @param {Evening["standings"][number]} row */
const pointsOf = (evening, row) => `${pointsWords(row.points)}${apart(evening, row)}`;

// How it ended, as they say it; none while it does not count.
/** @param {Match} match @returns {Child} */
export function outcome(match) {
  const mine = Number(match.mine);
  const [leg] = match.legs;
  if (!leg?.points.length || match.legs.length > 1) return null;
  const [one, other] = leg.scores ?? match.wins;
  const winner = Number(other > one);
  const score = leg.scores ? `${leg.scores[mine]}–${leg.scores[1 - mine]}` : "without a game";
  const skunk = leg.said.match(/, a ((?:double )?skunk)$/);
  return [`${winner === mine ? "Won" : "Lost"} ${score}`, skunk && el("small", {}, skunk[1]),
    leg.state === "waits" && el("small", {}, leg.waits_for.includes(mine) ? "yours to confirm" : "not confirmed yet")];
}
