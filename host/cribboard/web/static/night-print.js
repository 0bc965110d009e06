// What the director prints, and the notice that printed paper is not right any more.

import { choose } from "./dialog.js";
import { $, el } from "./dom.js";
import { outOfDate, paper, papers, roundsOf } from "./night-paper.js";
import { pieces } from "./night-parts.js";

/** @typedef {import("./night-director.js").Director} Director */
/** @typedef {import("./night-paper.js").Kind} Kind */

// What makes paper out of date, so that it is known when more does.
/** @param {Evening} evening */
const staleness = (evening) => JSON.stringify([evening.night, outOfDate(evening).cards.map((one) => one.entrant), outOfDate(evening).missing.map((one) => one.match), evening.matches.map((match) => match.sides)]);

export class Print {
  /** @param {Director} director */
  constructor(director) {
    this.director = director;
    this.dismissed = ""; // paper that is not right any more, and not wanted again
  }

  // Whether what is not right any more is not wanted again.
  /** @param {Evening} evening */
  isDismissed(evening) {
    return this.dismissed === staleness(evening);
  }

  // What was printed and is not right any more, with a button for each.
  /** @param {Evening} evening */
  stale(evening) {
    const { cards, fresh, plan, slips, missing } = outOfDate(evening);
    if (this.isDismissed(evening)) return null;
    const old = cards.length - fresh.length;
    const kinds = [old > 0 && pieces(old, "card"), plan && "the plan", slips && "slips"].filter(Boolean);
    const again = (/** @type {Kind} */ kind, /** @type {string} */ key, /** @type {string} */ words) => el("button", { type: "button", "data-key": key, onclick: () => this.paper(evening, kind), "aria-label": `Print ${words}` }, words);
    return (cards.length > 0 || kinds.length > 0 || missing.length > 0) && el("p", { class: "notice calm over" },
      el("span", {}, [kinds.length > 0 && `Changed since printing: ${[kinds.slice(0, -1).join(", "), kinds[kinds.length - 1]].filter(Boolean).join(" and ")}.`, fresh.length > 0 && `${fresh.map((one) => one.name).join(", ")} ${fresh.flatMap((one) => one.holders).length > 1 ? "have" : "has"} no card.`, missing.length > 0 && !slips && `Slips are printed up to round ${Math.min(...missing.map((match) => match.round)) - 1}.`].filter(Boolean).join(" ")),
      el("span", { class: "row start" },
        "Print ",
        cards.length > 0 && again("changed", "stale", pieces(cards.length, "card")),
        plan && again("plan", "stale-plan", "plan"),
        missing.length > 0 && again("missing", "stale-slips", `${pieces(missing.length, "slip")} (${roundsOf(missing)})`),
        el("button", { type: "button", class: "quiet", "data-key": "leave-stale", "aria-label": "Leave the paper as it is", onclick: () => {
          this.dismissed = staleness(evening);
          this.director.again();
        } }, "×")));
  }

  /** @param {Evening} evening */
  async print(evening) {
    const stale = outOfDate(evening).cards.length;
    const kind = await choose("Print", "", [
      ...(stale ? [/** @type {[string, Kind, string, string]} */ (["Changed cards", "changed", "", `${stale} that are new or have changed`])] : []),
      ...papers(evening).map(([kind, name, what]) => /** @type {[string, Kind, string, string]} */ ([name, kind, "", what]))]);
    if (kind) await this.paper(this.director.evening ?? evening, kind); // the question may have stood for a while
  }

  /** @param {Evening} evening @param {Kind} kind */
  async paper(evening, kind) {
    await paper($("paper"), evening, kind);
    this.director.again();
    this.director.toType();
  }
}
