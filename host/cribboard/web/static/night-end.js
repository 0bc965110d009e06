// A night's end: who has won, closed, reopened, counted for a season, deleted.

import { ask, get, remove } from "./api.js";
import { choose, insist } from "./dialog.js";
import { find } from "./dom.js";
import { refuse } from "./night-orders.js";
import { apart, clockWords, isPlayed, playing, pointsWords, quarrels, upcoming, winners } from "./night-parts.js";
import { seasonForm } from "./season-form.js";

/** @typedef {import("./night-director.js").Director} Director */

// Who has won a night that is closed.
/** @param {Evening} evening */
export function ending(evening) {
  const first = winners(evening);
  if (!first.length) return clockWords(evening);
  return `${first.map((row) => row.name).join(" and ")} won, ${pointsWords(first[0].points)}${first.length > 1 ? " each" : apart(evening, first[0])}`;
}

/** @param {Director} director @param {Evening} evening */
export async function closeNight(director, evening) {
  const left = [...playing(evening), ...upcoming(evening)].length + quarrels(evening).length;
  const open = left && `${left > 1 ? `${left} matches are` : "One match is"} not decided, and count${left > 1 ? "" : "s"} for nobody. `;
  const sure = await choose("Close the night?", `${open || ""}The standings are kept, and count for its season. It can be reopened.`, [[isPlayed(evening) ? "Not yet" : "Go on playing", false], ["Close it", true, "main"]]);
  if (sure && (await director.order(evening, { do: "close" }))) find(director.head, "[data-key=print-standings]")?.focus();
}

/** @param {Director} director @param {Evening} evening */
export async function reopenNight(director, evening) {
  await insist("Reopen this night", [{ name: "name", label: "Why?", required: true, max: 200 }], "Reopen", "", (given) => director.ordered(evening, { do: "reopen", text: given.name }));
}

/** @param {Director} director @param {Evening} evening */
export async function deleteNight(director, evening) {
  if (!(await choose("Delete this night?", "Its players and its plan are gone for good.", [["Cancel", false], ["Delete", true, "grave"]]))) return;
  try {
    await remove(`/api/nights/${evening.night}`);
    location.assign("/night"); // an earlier one has this page's address
  } catch (failure) {
    refuse(failure);
  }
}

// Which season a night counts for; it does so when it is closed.
/** @param {Director} director @param {Evening} evening */
export async function chooseSeason(director, evening) {
  try {
    const { seasons } = await get("/api/nights");
    const known = seasons.map((one) => /** @type {[string, number]} */ ([one.name, one.season]));
    const chosen = await choose("Which season?", "A night counts for its season when it is closed.", [...known, ["A new one", -1], ["None", 0]]);
    if (chosen === null) return;
    const number = chosen < 0 ? await seasonForm("A new season", "Begin it") : chosen;
    if (number === null) return;
    await ask("POST", `/api/nights/${evening.night}/season`, { season: number });
    director.orders.show(await get(`/api/nights/${evening.night}`));
  } catch (failure) {
    refuse(failure);
  }
}
