// The name of a season and what counts in it, for a new one and for one that is put right.

import { ask } from "./api.js";
import { insist } from "./dialog.js";

const BEST = 8;
const AWARD = "5, 4, 3, 2, 1";

// Resolves to the season's number, null when it was left.
/** @param {string} title @param {string} done @param {{ season: number, name: string, best: number, award: string } | null} [season] @returns {Promise<number | null>} */
export async function seasonForm(title, done, season = null) {
  let number = null;
  await insist(title, [
    { name: "name", label: "Name", required: true, max: 40, value: season?.name },
    { name: "players", label: "What counts", kind: "choice", value: season?.award ? "places" : season?.best ? "best" : "all", choices: [["The points of all nights", "all"], ["The points of the best nights", "best"], ["Points for places", "places"]] },
    { name: "points", label: "How many nights, if the best", kind: "number", min: 1, max: 99, value: season?.best || BEST },
    { name: "award", label: "Points for the first, second, third …, if places", kind: "text", max: 200, value: season?.award || AWARD },
  ], done, "", async (given) => {
    const award = String(given.award).split(/[\s,;]+/).filter(Boolean).map((each) => (Number.isNaN(Number(each)) ? each : Number(each))); // the kiosk names what is no number
    const how = String(given.players);
    const rules = how === "best" ? { best: given.points, order: ["points", "nights_won", "best_night"] } : how === "places" ? { award } : {};
    try {
      ({ number } = await ask("POST", season ? `/api/seasons/${season.season}` : "/api/seasons", { name: given.name, rules }));
      return "";
    } catch (failure) {
      return failure.words ?? "";
    }
  });
  return number;
}
