// A season: what all of its closed nights come to.

import { numberOfPage, remove } from "./api.js";
import { choose } from "./dialog.js";
import { $, el, fill, text } from "./dom.js";
import { attempt, empty, fetched, gone, nightLink, sheet } from "./records.js";
import { seasonForm } from "./season-form.js";

async function show() {
  const number = numberOfPage();
  const season = await fetched(`/api/seasons/${number}`);
  if (!season) return gone();
  text($("name"), season.name);
  document.title = `${season.name} – cribboard`;
  text($("what"), season.what);
  fill($("table"), season.rows.length
    ? sheet("Standings", [["Place", "num"], ["Player", "wide"], ["Points", "num"], ["Nights", "num"], ["Nights won", "num drop"]], season.rows.map((row) =>
      el("tr", {}, el("td", { class: "num muted" }, String(row.place)), el("td", { class: "wide" }, row.name), el("td", { class: "num" }, el("strong", {}, row.points)), el("td", { class: "num" }, String(row.nights)), el("td", { class: "num drop" }, String(row.nights_won)))))
    : empty("No night of this season is closed yet."));
  $("csv").hidden = !season.rows.length;
  $("csv").setAttribute("href", `/api/seasons/${number}/season.csv`);
  $("page").hidden = !season.rows.length;
  $("page").onclick = () => page(number);
  $("change").hidden = !season.may;
  $("change").onclick = async () => (await seasonForm("Change this season", "Save", season)) && show();
  $("dismiss").hidden = !season.may || season.nights.length > 0;
  $("dismiss").onclick = () => dismiss(number);
  fill($("nights"), el("ul", {}, season.nights.map((night) => el("li", {}, nightLink(night)))));
}

// Only a season for which no night counts.
/** @param {number} number */
async function dismiss(number) {
  if (!(await choose("Delete this season?", "No night counts for it.", [["Cancel", false], ["Delete", true, "grave"]]))) return;
  if (await attempt(() => remove(`/api/seasons/${number}`))) location.assign("/history");
}

// The table as a file for a club's own page: whoever takes it says whether last names go along.
/** @param {number} number */
async function page(number) {
  const short = await choose("Names on the club’s page", "Everybody on the internet may read them there. Did those who are named agree?", [["Cancel", ""], ["Shortened, like Ann B.", "1"], ["In full", "0"]]);
  if (short) location.assign(`/api/seasons/${number}/season.html?short=${short}`);
}

show();
