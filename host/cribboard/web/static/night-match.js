// One match for the director: what has happened to it, another table, other opponents, a win without a game, none at all.

import { ask, get } from "./api.js";
import { choose } from "./dialog.js";
import { el } from "./dom.js";
import { refuse } from "./night-orders.js";
import { clock, versus } from "./night-parts.js";

/** @typedef {import("./night-director.js").Director} Director */

// What has happened to a match, when, by whom, and how it stood then.
/** @param {{ at: string, who: string, kind: string, text: string, after: string }} line */
function happened({ at, who, kind, text, after }) {
  const [hour, minute] = at.split(":").map(Number);
  const words = [kind[0].toUpperCase() + kind.slice(1), at && `at ${clock(hour, minute)}`, who !== "the kiosk" && `by ${who}`, text && `(${text})`].filter(Boolean).join(" ");
  return after === "open" ? words : `${words}: ${after}`;
}

/** @param {Director} director @param {Evening} evening @param {Match} match */
export async function aboutMatch(director, evening, match) {
  const known = await get(`/api/nights/${evening.night}/matches/${match.match}`).catch(refuse);
  if (!known) return;
  const tables = evening.tables.filter((one) => !match.called || one.table !== match.table);
  const list = el("ol", { class: "lines" }, known.lines.map((line) => el("li", {}, happened(line))));
  /** @type {[string, string, string, string][]} */
  const choices = [
    ...(tables.length ? [/** @type {[string, string, string, string]} */ (["Another table", "move", "", match.called ? `it is at ${match.place}` : "when it is called"])] : []),
    ...(match.called ? [] : [/** @type {[string, string, string, string]} */ (["Swap opponents", "swap", "", "with another match of the round"])]),
    [`${match.names[0]} wins without a game`, "home", "", "and has the points"], [`${match.names[1]} wins without a game`, "away", "", "and has the points"],
    ["Remove this match", "strike", "grave", "nobody gets points for it"],
  ];
  if (evening.tables.some((table) => table.table === match.table && table.board) && match.called && !match.over) choices.unshift(["Start on the board", "start", "", "it gets both names"]);
  const chosen = await choose(`${versus(match)}, round ${match.round}`, list, choices);
  if (chosen === "home" || chosen === "away") await director.order(evening, { do: "walkover", match: match.match, undecided: !match.over, side: chosen === "home" ? 0 : 1 });
  if (chosen === "strike") await director.order(evening, { do: "strike", match: match.match });
  if (chosen === "start") await start(evening, match);
  if (chosen === "move") await move(director, evening, match, tables);
  if (chosen === "swap") await swap(director, evening, match);
}

/** @param {Evening} evening @param {Match} match */
async function start(evening, match) {
  await ask("POST", `/api/nights/${evening.night}/start/${match.match}`, {}).catch(refuse);
}

/** @param {Director} director @param {Evening} evening @param {Match} match @param {Evening["tables"]} tables */
async function move(director, evening, match, tables) {
  const table = await choose("Which table?", versus(match), tables.map((one) => /** @type {[string, number]} */ ([one.name, one.table])));
  if (table !== null) await director.order(evening, { do: "move", match: match.match, table });
}

/** @param {Director} director @param {Evening} evening @param {Match} match */
async function swap(director, evening, match) {
  const others = evening.matches.filter((one) => one.round === match.round && one.match !== match.match && !one.called && !one.bye && !one.over);
  const other = others.length ? await choose("Swap opponents with which match?", versus(match), others.map((one) => /** @type {[string, number]} */ ([versus(one), one.match]))) : null;
  if (!others.length) refuse({ words: "No other match of this round can still be changed." });
  if (other !== null) await director.order(evening, { do: "swap", match: match.match, other });
}
