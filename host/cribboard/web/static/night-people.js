// Who is in, for the director: the list, what is done for each of them, who is added, leaves or is back.

import { get, post } from "./api.js";
import { choose, control, insist, option } from "./dialog.js";
import { $, el, find, svg, text } from "./dom.js";
import { inAndOut, isPlayed, pieces, playing, satOut, standings } from "./night-parts.js";
import { givePhone, invitePhones } from "./night-phones.js";

const MOST_POINTS = 1000; // beside those of games

/** @typedef {import("./night-director.js").Director} Director */
/** @typedef {Evening["entrants"][number]} Entrant */

// A phone, small.
/** @param {string} words */
const mark = (words) => svg("svg", { viewBox: "0 0 10 16", role: "img", "aria-label": words }, svg("rect", { x: 1, y: 1, width: 8, height: 14, rx: 2 }), svg("path", { d: "M4 12h2" }));

export class People {
  /** @param {Director} director */
  constructor(director) {
    this.director = director;
    this.newcomer = 0; // who was added last, until their first match is over
  }

  // Who is in, by how they stand. A name opens what can be done for that player.
  /** @param {Evening} evening */
  list(evening) {
    const shown = new Set(evening.standings.flatMap((row) => row.entrants));
    const played = isPlayed(evening);
    const gone = evening.entrants.filter((one) => !shown.has(one.entrant));
    const note = (/** @type {Evening["entrants"][number]} */ one) => {
      const row = evening.standings.find((each) => each.entrants[each.entrants.length - 1] === one.entrant);
      const words = [inAndOut(evening, one), row && satOut(evening, row), one.table && `always at ${one.table}`].filter(Boolean).join(", ");
      return words && [" ", el("small", { class: "muted" }, words)];
    };
    const named = (/** @type {number} */ who) => {
      const one = evening.entrants.find((each) => each.entrant === who);
      return one && [!evening.closed && !played && el("span", { class: "has" }, one.phone && mark("has a phone")),
        evening.closed ? one.name : el("button", { type: "button", class: "quiet name", "data-key": `person-${who}`, "aria-label": `More about ${one.name}`, onclick: () => this.person(evening, one) }, one.name),
        note(one)];
    };
    return el("section", { "aria-label": "Standings" }, el("h2", {}, evening.played ? "Standings" : "Players"),
      !evening.closed && el("p", { class: "muted part hint" }, played ? "Choose a name, or a score, to change it." : "Choose a name to change or remove a player.", !played && evening.entrants.some((one) => one.phone) && [" ", mark("This sign"), " = phone"]),
      !evening.closed && !played && evening.entrants.some((one) => one.here && !one.phone) && el("p", { class: "muted part" }, `${evening.entrants.some((one) => one.phone) ? "Some have no phone here yet" : "No phone is here yet"}: `, el("button", { type: "button", class: "quiet", "data-key": "invite", onclick: invitePhones }, "show the code to join")),
      evening.played || evening.closed ? standings(evening, (row) => row.entrants.map((who, at) => [at > 0 && " and ", named(who)])) : el("ul", { class: "who-is-in" }, evening.standings.flatMap((row) => row.entrants).map((who) => el("li", {}, named(who)))),
      (played || evening.closed) && evening.played && el("p", { class: "muted part" }, `${evening.rules.what}.`),
      gone.length > 0 && el("p", {}, "Not here: ", gone.map((one, at) => [at > 0 && "; ", named(one.entrant)])),
      evening.notes.length > 0 && [el("h3", {}, "Notes"), el("ul", { class: "notes" }, evening.notes.map((words) => el("li", {}, words)))]);
  }

  /** @param {Evening} evening @param {Entrant} one */
  async person(evening, one) {
    const chosen = await choose(one.name, "", [
      ...(one.here ? [] : [/** @type {[string, string, string, string]} */ (["Is back", "leave", "", "the rounds to come are planned again"])]),
      ...(evening.staff ? [/** @type {[string, string, string, string]} */ (["Name", "name", "", "to correct it"])] : []),
      ["Phone", "phone", "", one.phone ? `their name is on ${one.phone}` : "no phone yet"],
      ["Table", "table", "", one.table ? `always ${one.table}` : "any; or always the same one"],
      ["Points", "points", "", "add or take some, with a reason"],
      ...(one.here ? [/** @type {[string, string, string, string]} */ (["Leaves", "leave", "grave", this.keeps(evening, one)])] : [])]);
    if (chosen === "leave" && one.here) await this.leaves(evening, one);
    if (chosen === "leave" && !one.here) await this.director.order(evening, { do: "return", entrant: one.entrant });
    if (chosen === "name") await this.rename(evening, one);
    if (chosen === "phone") await givePhone(this.director, evening, one);
    if (chosen === "table") await this.pin(evening, one);
    if (chosen === "points") await this.adjust(evening, one);
  }

  /** @param {Evening} evening */
  async enter(evening) {
    const begun = Math.max(0, ...evening.matches.filter((match) => match.called).map((match) => match.round));
    const hint = `They play from round ${begun + 1} on, or sooner in the place of somebody who sits out.`;
    if (!(await insist("Add somebody", [{ name: "name", label: "Name", required: true }], "Add", hint, (given) => this.director.ordered(evening, { do: "enter", name: given.name })))) return;
    const [one] = (this.director.evening ?? evening).entrants.filter(({ entrant }) => evening.entrants.every((each) => each.entrant !== entrant));
    if (!one) return;
    this.added(one.entrant);
    text($("announcer"), this.news(this.director.evening ?? evening));
  }

  /** @param {number} entrant 0 when nothing is to be said any more */
  added(entrant) {
    this.newcomer = entrant;
    this.director.again();
  }

  // What is planned for the player who was added last.
  /** @param {Evening} evening */
  news(evening) {
    const one = evening.closed ? undefined : evening.entrants.find(({ entrant, here }) => here && entrant === this.newcomer);
    if (!one) return "";
    const [match] = evening.matches.filter((each) => !each.bye && each.sides.flat().includes(one.entrant)).sort((each, other) => each.round - other.round);
    if (!match) return `${one.name} is added. No game is planned for them yet.`;
    return match.over ? "" : `${one.name} plays from round ${match.round}, first against ${match.names[match.sides[0].includes(one.entrant) ? 1 : 0]}${match.called ? ` at ${match.place} now` : ""}.`;
  }

  /** @param {Evening} evening */
  async leaving(evening) {
    const here = evening.entrants.filter((one) => one.here);
    /** @type {Entrant | undefined} */
    let gone;
    const chosen = (/** @type {HTMLFormElement} */ sheet) => {
      const one = here.find((each) => String(each.entrant) === control(sheet, "name").value);
      text(/** @type {HTMLElement} */ (find(sheet, ".hint")), one ? this.keeps(this.director.evening ?? evening, one) : "What they have played stays. The rest is planned again without them.");
      text(/** @type {HTMLElement} */ (find(sheet, "[type=submit]")), one ? `${one.name} leaves` : "They leave");
    };
    const given = await insist("Who leaves?", [{ name: "name", label: "Name", kind: "choice", choices: [["", ""], ...here.map((one) => option(one.name, one.entrant))], changed: chosen }], "They leave", " ", (chosen) => {
      gone = here.find((one) => String(one.entrant) === chosen.name);
      return Promise.resolve(gone ? "" : "Choose who leaves.");
    });
    if (given && gone) await this.leaves(evening, gone);
  }

  // What becomes of the games of somebody who leaves.
  /** @param {Evening} evening @param {Entrant} one */
  keeps(evening, one) {
    const theirs = evening.matches.filter((match) => !match.bye && match.sides.flat().includes(one.entrant));
    const legs = theirs.flatMap((match) => match.legs.map((leg) => ({ ...leg, round: match.round })));
    const disputed = legs.filter((leg) => leg.state === "disputed").map((leg) => `Round ${leg.round} is disputed: decide it.`);
    const waiting = legs.filter((leg) => leg.state === "waits").map((leg) => `; round ${leg.round}, ${leg.said}, counts as reported`);
    const called = playing(evening).find((match) => theirs.includes(match));
    return [`${one.name} keeps ${pieces(legs.length - disputed.length, "game")}${waiting.join("")}.`, ...disputed, called && `About the game at ${called.place} you are asked next.`, "The rest is planned again."].filter(Boolean).join(" ");
  }

  /** @param {Evening} evening @param {Entrant} one */
  async leaves(evening, one) {
    const after = await this.director.order(evening, { do: "leave", entrant: one.entrant });
    if (after) await this.left(after, one); // whose match may have ended since they were asked
  }

  // Somebody goes who is called to a table, where the other one waits.
  /** @param {Evening} evening @param {Entrant} one */
  async left(evening, one) {
    const match = playing(evening).find((each) => each.names.length === 2 && each.sides.flat().includes(one.entrant) && each.legs.every((leg) => leg.state === "agreed"));
    if (!match) return;
    const side = match.sides[0].includes(one.entrant) ? 1 : 0;
    const chosen = await choose(`${one.name} is called to ${match.place}`, `The next games are planned without them. And this one, against ${match.names[side]}?`, [["They play it first", null, "main"], [`${match.names[side]} wins without a game`, "walkover"], ["Remove this match", "strike", "grave"]]);
    if (chosen) await this.director.order(evening, { do: chosen, match: match.match, ...(chosen === "walkover" ? { side, undecided: true } : {}) });
  }

  // Somebody who cannot climb the stairs plays where they sit.
  /** @param {Evening} evening @param {Entrant} one */
  async pin(evening, one) {
    const table = await choose(`Where does ${one.name} always play?`, "Matches that haven’t begun are planned again.", [.../** @type {[string, number][]} */ (evening.tables.map((each) => [each.name, each.table])), ["Anywhere", 0]]);
    if (table !== null) await this.director.order(evening, { do: "pin", entrant: one.entrant, table });
  }

  // A player's name, here and in the history.
  /** @param {Evening} evening @param {Entrant} one */
  async rename(evening, one) {
    await insist(`Rename ${one.name}`, [{ name: "name", label: "Name", value: one.name, required: true, max: 20 }], "Rename", "", async (given) => {
      try {
        const { players } = await get("/api/players");
        const known = players.find((each) => each.name === one.name);
        if (!known) return `${one.name} is not among the players any more. Look again.`;
        await post(`/api/players/${known.id}`, given);
        this.director.orders.show(await get(`/api/nights/${evening.night}`));
        return "";
      } catch (failure) {
        return failure.words ?? "";
      }
    });
  }

  // Points beside those of games.
  /** @param {Evening} evening @param {Entrant} one */
  async adjust(evening, one) {
    await insist(`Points for ${one.name}`, [{ name: "points", label: "Points, such as 1, −2 or 0.5", required: true, max: 8 }, { name: "name", label: "Why?", required: true, max: 200 }], "Count them", "They are added to those of the games; with − they are taken away.", (given) => {
      const points = Number(String(given.points).replace("−", "-").replace(",", "."));
      if (!points || Math.abs(points) > MOST_POINTS) return Promise.resolve(`“${given.points}” isn’t a number of points. Write 1, -2 or 0.5, at most ${MOST_POINTS}.`);
      return this.director.ordered(evening, { do: "adjust", entrant: one.entrant, points: Math.round(points * 100), text: given.name });
    });
  }
}
