// Who runs the night: a grid of results for the keyboard, who is in, what goes wrong and how it is put right.

import { ask, get, remove } from "./api.js";
import { choose, form } from "./dialog.js";
import { $, el, fill, refill, text } from "./dom.js";
import { KINDS, paper } from "./night-paper.js";
import { clockWords, pointsWords, stand, standings, versus, won } from "./night-parts.js";
import { newKey } from "./night-orders.js";
import { moment, sheet, sideWords } from "./records.js";

// Whether nothing is left to play on a night that is still on.
/** @param {Evening} evening */
const allPlayed = (evening) => !evening.closed && evening.played && evening.matches.every((match) => match.bye || (match.over && !isDisputed(match)));

/** @param {Match} match */
const isDisputed = (match) => match.legs.some((leg) => leg.state === "disputed");

/** @param {Evening} evening @param {number} entrant */
const sitsOut = (evening, entrant) => !evening.closed && !allPlayed(evening) && evening.matches.some((match) => match.bye && match.round === evening.round && match.sides[0].includes(entrant));

// Who has won a night that is closed.
/** @param {Evening} evening */
function winners(evening) {
  const first = evening.standings.filter((row) => row.place === 1);
  if (!evening.played || !first.length) return clockWords(evening);
  return `${first.map((row) => row.name).join(" and ")} won, ${pointsWords(first[0].points)}${first.length > 1 ? " each" : ""}`;
}

// How a match stands, as far as the director can do something about it.
/** @param {Match} match @param {boolean} closed */
function stands(match, closed) {
  const leg = match.legs[match.legs.length - 1];
  if (leg?.state === "waits") {
    const names = leg.waits_for.map((side) => match.names[side]).join(" and ");
    return closed ? `${leg.said}; ${names} never agreed` : `${leg.said}; waits for ${names}`;
  }
  if (match.running) return `${match.running.join(" – ")} on the board`;
  if (leg || match.minutes === null) return stand(match);
  return match.minutes < 1 ? "called just now" : `called ${match.minutes === 1 ? "a minute" : `${match.minutes} minutes`} ago`;
}

// A phone with its number, as the list of who is in has it: two may be called Bob.
/** @param {{ phone: number, name: string }} phone */
const numbered = ({ phone, name }) => (name === `Phone ${phone}` ? name : `${name}, phone ${phone}`);

export class Director {
  /** @param {HTMLElement} node @param {import("./night-orders.js").Orders} orders @param {import("./night-begin.js").Begin} begin */
  constructor(node, orders, begin) {
    this.node = node;
    this.orders = orders;
    this.begin = begin;
    this.all = false;
    this.head = el("div");
    this.grid = el("div");
    this.rest = el("div");
    fill(node, this.head, this.grid, this.rest);
  }

  /** @param {Evening} evening */
  show(evening) {
    const last = evening.closed ? this.grid : this.rest; // of a night that is over the standings come first
    if (this.node.lastChild !== last) this.node.append(last);
    refill(this.head, [evening.night, evening.acts, evening.closed, evening.season, clockWords(evening)], () => this.top(evening));
    // what is being typed stays: the grid is drawn again when something has happened, and nobody is in it
    const typing = document.activeElement;
    if (!(typing instanceof HTMLInputElement && typing.matches("#director .points") && typing.value)) {
      refill(this.grid, [evening.night, evening.acts, this.all, evening.matches.map((match) => [match.running, match.minutes])], () => this.results(evening));
    }
    this.node.toggleAttribute("data-closed", evening.closed);
    refill(this.rest, [evening.night, evening.acts, evening.closed, evening.season], () => [
      el("div", { class: "beside" }, el("section", { "aria-label": "Standings" }, el("h2", {}, "Standings"), standings(evening)), evening.closed ? this.away(evening) : this.people(evening)),
      !evening.closed && this.away(evening),
      !evening.closed && !allPlayed(evening) && el("section", { "aria-label": "The end" }, el("h2", {}, "The end"), el("p", { class: "row start" }, this.closing(evening, ""),
        !evening.played && el("button", { type: "button", class: "grave", "data-key": "dismiss", onclick: () => this.dismiss(evening) }, "Dismiss this night", el("small", {}, "as if it had never begun"))))]);
  }

  // What waits for the director, and what they do all the time; the rest is under More.
  /** @param {Evening} evening */
  top(evening) {
    const played = allPlayed(evening);
    const disputed = evening.matches.filter(isDisputed);
    return el("section", {},
      el("p", { class: evening.closed ? "rival" : "clock" }, evening.closed ? winners(evening) : played ? "All games are played. Close the night when the results are right." : clockWords(evening)),
      !evening.closed && disputed.length > 0 && el("p", { class: "notice" }, el("strong", {}, `${disputed.length} to decide: ${disputed.map(versus).join(", ")}`)),
      el("p", { class: "row start" },
        evening.closed && el("button", { type: "button", class: "main", "data-key": "print-standings", onclick: () => paper($("paper"), evening, "standings") }, "Print standings"),
        evening.closed && this.seasons(evening),
        !evening.closed && el("button", { type: "button", "data-key": "enter", onclick: () => this.enter(evening) }, "Add somebody"),
        !evening.closed && el("button", { type: "button", "data-key": "print", onclick: () => this.print(evening) }, "Print"),
        played && this.closing(evening, "main"),
        evening.closed && el("button", { type: "button", "data-key": "begin", onclick: () => this.begin.show("") }, "Begin a night"),
        evening.closed && el("button", { type: "button", "data-key": "reopen", onclick: () => this.reopen(evening) }, "Reopen this one"),
        !evening.staff && el("a", { class: "button", href: "/night?view=phone" }, "My match"),
        el("a", { class: "button", href: "/night?view=tv" }, "Television: who plays where"),
        el("a", { class: "button", href: "/screen" }, "Television: boards"),
        !evening.closed && el("button", { type: "button", "data-key": "others", onclick: () => this.others(evening) }, "More")));
  }

  /** @param {Evening} evening @param {string} style */
  closing(evening, style) {
    return el("button", { type: "button", class: style, "data-key": "close", onclick: () => this.close(evening) }, "Close the night");
  }

  // What is wanted once an evening, or never.
  /** @param {Evening} evening */
  async others(evening) {
    const chosen = await choose("More", "Attach a game that was played on a board beside the plan; paste results from a list or spreadsheet; plan again, which draws the rounds to come.", [
      ["Attach a game", "attach"], ["Paste results", "paste"], ["Plan again", "again"],
      ...(evening.matches.some((match) => match.bye) ? [/** @type {[string, string]} */ (["One more round for those who sat out", "more"])] : []),
      ...(evening.staff ? [] : [/** @type {[string, string]} */ (["Pass the night on", "pass"])]),
    ]);
    if (chosen === "attach") await this.attach(evening);
    if (chosen === "paste") await this.paste(evening);
    if (chosen === "again" || chosen === "more") await this.orders.give(evening, { do: chosen });
    if (chosen === "pass") await this.pass(evening);
  }

  /** @param {Evening} evening */
  results(evening) {
    const open = evening.matches.filter((match) => !match.bye && (evening.closed || this.all || (match.called && !match.over) || match.legs.some((leg) => leg.state === "waits" || leg.state === "disputed")));
    open.sort((one, other) => Number(isDisputed(other)) - Number(isDisputed(one)));
    return el("section", { "aria-label": "Results" },
      el("div", { class: "over" }, el("h2", {}, "Results"), !evening.closed && el("label", { class: "check" }, this.tick(evening), "All matches")),
      (evening.closed || open.length > 0) && el("p", { class: "muted part" }, evening.closed ? "Reopen the night to correct a result." : "Type the loser’s points beside the loser and press Enter."),
      open.length ? sheet("Results", [["Round", "num drop"], ["Table", "drop"], ["Deals first"], ["Points", "num"], ["Against"], ["Points", "num"], ["State", "wide"], .../** @type {[string][]} */ (evening.closed ? [] : [["Actions"]])], open.map((match) => this.line(evening, match))) : el("p", { class: "empty" }, evening.closed ? "Nothing was played." : allPlayed(evening) ? "“All matches” shows what was played, to correct it." : "Nobody plays just now."));
  }

  /** @param {Evening} evening */
  tick(evening) {
    const box = el("input", { type: "checkbox", checked: this.all, "data-key": "all" });
    box.addEventListener("change", () => {
      this.all = box.checked;
      this.show(evening);
    });
    return box;
  }

  /** @param {Evening} evening @param {Match} match */
  line(evening, match) {
    const leg = match.legs[match.legs.length - 1];
    const fields = match.names.map((name, side) => el("input", { class: "points", inputmode: "numeric", maxlength: 3, autocomplete: "off", "aria-label": `${name}’s points`, "data-key": `points-${match.match}-${side}` }));
    const send = async () => {
      const typed = fields.map((field) => field.value.trim());
      if (!typed.some(Boolean)) return;
      const scores = typed.map((value) => (value === "" ? evening.target : /^\d+$/.test(value) ? Number(value) : value));
      const here = [...this.grid.querySelectorAll("input.points")];
      const next = here[here.indexOf(fields[1]) + 1];
      const key = next instanceof HTMLElement ? next.dataset.key : "";
      for (const field of fields) field.value = ""; // so that the grid is drawn again
      if (!(await this.orders.give(evening, { do: "settle", match: match.match, scores }))) {
        fields.forEach((field, at) => (field.value = typed[at]));
        return;
      }
      if (key) /** @type {HTMLElement | null} */ (this.grid.querySelector(`[data-key="${key}"]`))?.focus();
    };
    for (const field of fields) field.addEventListener("keydown", (event) => event.key === "Enter" && send());
    return el("tr", { "data-state": leg?.state ?? "" },
      el("td", { class: "num drop" }, String(match.round)), el("td", { class: "drop" }, match.place),
      el("td", {}, match.names[0]), el("td", { class: "num" }, evening.closed ? String(leg?.scores?.[0] ?? "") : fields[0]),
      el("td", {}, match.names[1]), el("td", { class: "num" }, evening.closed ? String(leg?.scores?.[1] ?? "") : fields[1]),
      el("td", { class: "wide" }, leg?.state === "disputed" ? this.quarrel(evening, match, leg) : stands(match, evening.closed)),
      !evening.closed && el("td", {}, el("button", { type: "button", "data-key": `more-${match.match}`, "aria-label": `More about ${versus(match)}`, onclick: () => this.about(evening, match) }, "More")));
  }

  /** @param {Evening} evening @param {Match} match @param {Leg} leg */
  quarrel(evening, match, leg) {
    const right = (/** @type {string} */ name, /** @type {number} */ side) => !evening.closed && leg.reports[side] && el("button", { type: "button", "data-key": `right-${match.match}-${side}`, onclick: () => this.orders.give(evening, { do: "settle", match: match.match, scores: leg.reports[side] }) }, `${name} is right`);
    return [el("span", { class: "quarrel" }, "Disputed. ", match.names.map((name, side) => `${name} says ${won(match, leg.reports[side])}.`).join(" ")),
      el("div", { class: "row start" }, match.names.map(right))];
  }

  /** @param {Evening} evening @param {Match} match */
  async about(evening, match) {
    const { lines } = await get(`/api/nights/${evening.night}/matches/${match.match}`);
    const told = el("ol", { class: "lines" }, lines.map((line) => el("li", {}, el("span", { class: "muted" }, `${line.at} ${line.who} `), `${line.kind}${line.text ? ` (${line.text})` : ""}: ${line.after}`)));
    /** @type {[string, string, string?][]} */
    const choices = [
      [`${match.names[0]} without a game`, "home"], [`${match.names[1]} without a game`, "away"],
      ["Strike it", "strike", "grave"], ["Another table", "move"],
      ...(match.called ? [] : [/** @type {[string, string]} */ (["Swap opponents", "swap"])]),
    ];
    if (evening.tables.some((table) => table.table === match.table && table.board) && match.called && !match.over) choices.unshift(["Start on the board", "start", "main"]);
    const chosen = await choose(`${versus(match)}, round ${match.round}`, told, choices);
    if (chosen === "home" || chosen === "away") await this.orders.give(evening, { do: "walkover", match: match.match, side: chosen === "home" ? 0 : 1 });
    if (chosen === "strike") await this.orders.give(evening, { do: "strike", match: match.match });
    if (chosen === "start") await this.start(evening, match);
    if (chosen === "move") await this.move(evening, match);
    if (chosen === "swap") await this.swap(evening, match);
  }

  /** @param {Evening} evening @param {Match} match */
  async start(evening, match) {
    await ask("POST", `/api/nights/${evening.night}/start/${match.match}`, {}).catch((failure) => this.refuse(failure));
  }

  /** @param {{ words?: string }} failure */
  refuse(failure) {
    text($("wrong"), failure.words ?? "");
    $("wrong").hidden = false;
  }

  /** @param {Evening} evening @param {Match} match */
  async move(evening, match) {
    const table = await choose("Which table?", versus(match), evening.tables.map((one) => /** @type {[string, number]} */ ([one.name, one.table])));
    if (table !== null) await this.orders.give(evening, { do: "move", match: match.match, table });
  }

  /** @param {Evening} evening @param {Match} match */
  async swap(evening, match) {
    const others = evening.matches.filter((one) => one.round === match.round && one.match !== match.match && !one.called && !one.bye && !one.over);
    const other = others.length ? await choose("Swap opponents with which match?", versus(match), others.map((one) => /** @type {[string, number]} */ ([versus(one), one.match]))) : null;
    if (!others.length) this.refuse({ words: "No other match of this round can still be changed." });
    if (other !== null) await this.orders.give(evening, { do: "swap", match: match.match, other });
  }

  /** @param {Evening} evening */
  async enter(evening) {
    const begun = Math.max(0, ...evening.matches.filter((match) => match.called).map((match) => match.round));
    const given = await form("Add somebody", [{ name: "name", label: "Name", required: true }], "Add", `They play from round ${begun + 1} on, or sooner if they can take the place of a bye.`);
    if (given) await this.orders.give(evening, { do: "enter", name: given.name });
  }

  // A game that two have played beside the plan, or that the board has and was typed.
  /** @param {Evening} evening */
  async attach(evening) {
    const { games } = await get("/api/games?limit=12");
    const names = new Set(evening.entrants.map((one) => one.name));
    const fit = games.filter((game) => game.state === "won" && game.seats.length > 1 && game.seats.every((seat) => seat.name && names.has(seat.name)));
    const chosen = fit.length ? await choose("Which game?", "The newest games on boards by people of this night.", fit.map((game) => /** @type {[string, number]} */ ([`${moment(game.ended, { timeStyle: "short" })} ${game.sides.map((side) => `${sideWords(game, side)} ${side.front}`).join(" – ")}`, game.id]))) : null;
    if (!fit.length) this.refuse({ words: "No game on a board was won by people of this night." });
    if (chosen !== null) await this.orders.give(evening, { do: "attach", game: chosen });
  }

  // Results from a spreadsheet: what they come to is shown line by line before any is taken.
  /** @param {Evening} evening */
  async paste(evening) {
    const field = el("textarea", { id: "pasted", rows: 8, "aria-label": "Results", placeholder: "Ann 121 Bob 88" });
    const file = el("input", { type: "file", accept: ".csv,.txt,text/*", "aria-label": "A file of results" });
    const said = el("div", { class: "lines", role: "status" });
    const key = newKey();
    file.addEventListener("change", async () => {
      if (file.files?.[0]) field.value = await file.files[0].text();
    });
    const look = async (/** @type {boolean} */ take) => {
      try {
        const found = await ask("POST", `/api/nights/${evening.night}/sheet`, { text: field.value, take, key }, { seconds: 20 });
        const fresh = found.lines.filter((/** @type {SheetLine} */ line) => !line.known).length;
        fill(said,
          found.bad.map((/** @type {string} */ words) => el("p", { class: "notice" }, words)), found.notes.map((/** @type {string} */ words) => el("p", { class: "muted" }, words)),
          el("ol", {}, found.lines.map((/** @type {SheetLine} */ line) => el("li", {}, `Line ${line.line}: ${line.text}${line.known ? " (here already)" : ""}`))),
          !found.bad.length && fresh > 0 && el("button", { type: "button", class: "main", "data-key": "take", onclick: () => look(true) }, `Take ${fresh}`));
      } catch (failure) {
        fill(said, el("p", { class: "notice" }, failure.words ?? ""));
      }
    };
    await choose("Results from a list", [field, file, el("button", { type: "button", "data-key": "look", onclick: () => look(false) }, "Look at it"), said], [["Done", true]]);
  }

  /** @param {Evening} evening */
  async close(evening) {
    const sure = await choose("Close the night?", "The standings are kept, and count for its season. It can be reopened.", [["Go on playing", false], ["Close it", true, "main"]]);
    if (sure) await this.orders.give(evening, { do: "close" });
  }

  /** @param {Evening} evening */
  async reopen(evening) {
    const given = await form("Reopen this night", [{ name: "name", label: "Why?", required: true }], "Reopen");
    if (given) await this.orders.give(evening, { do: "reopen", text: given.name });
  }

  /** @param {Evening} evening */
  async dismiss(evening) {
    try {
      await remove(`/api/nights/${evening.night}`);
      location.reload();
    } catch (failure) {
      this.refuse(failure);
    }
  }

  /** @param {Evening} evening */
  people(evening) {
    return el("section", { "aria-label": "Who is in" },
      el("div", { class: "over" }, el("h2", {}, "Who is in"), el("button", { type: "button", "data-key": "remove", onclick: () => this.remove() }, "Remove a phone")),
      sheet("Who is in", [["Name", "wide"], ["Phone"], ["Actions"]], evening.entrants.map((one) =>
        el("tr", {}, el("td", { class: "wide" }, one.name, !one.here && el("span", { class: "muted" }, " has left"), one.table && el("span", { class: "muted" }, `, always at ${one.table}`), sitsOut(evening, one.entrant) && el("span", { class: "muted" }, " sits out now")), el("td", {}, one.phone || "–"),
          el("td", {}, el("div", { class: "actions" }, el("button", { type: "button", "data-key": `person-${one.entrant}`, "aria-label": `More about ${one.name}`, onclick: () => this.person(evening, one) }, "More")))))));
  }

  /** @param {Evening} evening @param {Evening["entrants"][number]} one */
  async person(evening, one) {
    const chosen = await choose(one.name, one.phone ? `Their name is on ${one.phone}.` : "Their name is on no phone.", [[one.here ? "Leaves" : "Is back", "leave"], ["Phone", "phone"], ["Table", "table"]]);
    if (chosen === "leave") await this.orders.give(evening, { do: one.here ? "leave" : "return", entrant: one.entrant });
    if (chosen === "phone") await this.give(evening, one);
    if (chosen === "table") await this.pin(evening, one);
  }

  // Where there is no PIN: whoever has begun the night goes, and another phone directs it.
  /** @param {Evening} evening */
  async pass(evening) {
    try {
      const { phones } = await get("/api/night/phones");
      const phone = await choose("Who directs the night from now on?", "This phone no longer does.", phones.map((each) => /** @type {[string, number]} */ ([each.name, each.phone])));
      if (phone !== null) this.orders.show(await ask("POST", `/api/nights/${evening.night}/director`, { phone }));
    } catch (failure) {
      this.refuse(failure);
    }
  }

  // A joker's: it joins nothing for the rest of the evening.
  async remove() {
    try {
      const { phones } = await get("/api/night/phones");
      const phone = await choose("Which phone is removed for this evening?", "It cannot join again. The name that it has is free.", [.../** @type {[string, number, string?][]} */ (phones.map((each) => [numbered(each), each.phone])), ["None", 0]]);
      if (phone) {
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
    const table = await choose(`Where does ${one.name} always play?`, "What has not begun is planned again.", [.../** @type {[string, number][]} */ (evening.tables.map((each) => [each.name, each.table])), ["Anywhere", 0]]);
    if (table !== null) await this.orders.give(evening, { do: "pin", entrant: one.entrant, table });
  }

  /** @param {Evening} evening @param {Evening["entrants"][number]} one */
  async give(evening, one) {
    const found = await get("/api/night/phones").catch((failure) => this.refuse(failure));
    if (!found) return;
    const phone = await choose(`Whose phone is ${one.name}’s?`, "What the other phone said, and nobody agreed to, waits again.", [.../** @type {[string, number][]} */ (found.phones.map((each) => [numbered(each), each.phone])), ["Nobody’s", 0]]);
    if (phone !== null) await this.orders.give(evening, { do: "give", entrant: one.entrant, phone });
  }

  /** @param {Evening} evening */
  away(evening) {
    return el("section", { "aria-label": "To take away" }, el("h2", {}, "To take away"),
      el("p", { class: "row start" },
        ["standings", "results", "plan"].map((name) => el("a", { class: "button", href: `/api/nights/${evening.night}/${name}.csv`, download: "" }, `${name[0].toUpperCase()}${name.slice(1)} as CSV`)),
        el("a", { class: "button", href: `/api/nights/${evening.night}`, download: "night.json" }, "All as JSON")),
      el("p", { class: "row start" }, evening.closed ? el("button", { type: "button", "data-key": "print", onclick: () => this.print(evening) }, "Print cards, plan or slips") : this.seasons(evening)));
  }

  /** @param {Evening} evening */
  seasons(evening) {
    return [el("button", { type: "button", "data-key": "season", onclick: () => this.season(evening) }, "Count it for a season"),
      evening.season !== null && el("a", { class: "button", href: `/season/${evening.season}` }, "See its season")];
  }

  /** @param {Evening} evening */
  async print(evening) {
    const kind = await choose("Print", "A card for each player, the plan of the rounds, a slip for each match to come, or the standings.", KINDS.map(([kind, name]) => /** @type {[string, import("./night-paper.js").Kind]} */ ([name, kind])));
    if (kind) paper($("paper"), evening, kind);
  }

  // Which season a night counts for; it does so when it is closed.
  /** @param {Evening} evening */
  async season(evening) {
    try {
      const { seasons } = await get("/api/nights");
      const known = seasons.map((one) => /** @type {[string, number]} */ ([one.name, one.season]));
      const chosen = await choose("Which season?", "A night counts for its season when it is closed.", [...known, ["A new one", -1], ["None", 0]]);
      if (chosen === null) return;
      const number = chosen < 0 ? await this.newSeason() : chosen;
      if (number === null) return;
      await ask("POST", `/api/nights/${evening.night}/season`, { season: number });
      this.orders.show(await get(`/api/nights/${evening.night}`));
    } catch (failure) {
      this.refuse(failure);
    }
  }

  async newSeason() {
    const given = await form("A new season", [
      { name: "name", label: "Name", required: true },
      { name: "players", label: "What counts", kind: "choice", choices: [["The points of all nights", "all"], ["The points of the best nights", "best"], ["Points for places", "places"]] },
      { name: "points", label: "How many nights, if the best", kind: "number", min: 1, max: 99, value: 8 },
      { name: "award", label: "Points for the first, second, third …, if places", kind: "text", max: 200, value: "5, 4, 3, 2, 1" },
    ], "Begin it");
    if (!given) return null;
    const award = String(given.award).split(/[\s,;]+/).filter(Boolean).map((each) => (Number.isNaN(Number(each)) ? each : Number(each))); // the kiosk says which is none
    const how = String(given.players);
    const rules = how === "best" ? { best: given.points, order: ["points", "nights_won", "best_night"] } : how === "places" ? { award } : {};
    return (await ask("POST", "/api/seasons", { name: given.name, rules })).number;
  }
}
