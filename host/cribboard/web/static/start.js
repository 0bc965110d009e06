// The tables of this house, as they stand.

import { get, sentence } from "./api.js";
import { $, el, refill, text } from "./dom.js";
import { ending, sidesOf } from "./records.js";
import { named } from "./sides.js";
import { lead } from "./words.js";

const AGAIN_MS = 3000;
const TONIGHT_MS = 30000;
const MOST = 5; // of each list

/** @param {State} state */
function place(state) {
  const { number, name, away } = state.board;
  return el("article", { class: "place" },
    el("h2", {}, name),
    away && el("p", { class: "away" }, [away.text, away.hint].filter(Boolean).map(sentence).join(" ")),
    state.sides.length
      ? [el("div", { class: "standings" }, state.sides.map((side) => el("p", { "data-colour": side.colour }, named(side), el("strong", {}, String(side.front))))),
        el("p", { class: "muted" }, state.win ? state.win.text : `${lead(state)} Game to ${state.target}.`)]
      : !away && el("p", { class: "muted" }, "No game has started."),
    el("p", { class: "row" },
      el("a", { class: "button main", href: `/score/${number}`, "aria-label": `Keep score at ${name}` }, "Keep score"),
      el("a", { class: "button", href: `/computer/${number}`, "aria-label": `Play the computer at ${name}` }, "Play the computer"),
      el("a", { class: "button", href: `/table/${number}`, "aria-label": `Show on a screen: ${name}` }, "Show on a screen")));
}

async function look() {
  try {
    const { boards, missing, site } = await get("/api/boards");
    refill($("tables"), boards, () => boards.length ? boards.map(place) : el("p", { class: "empty" }, "No board has been found yet. Plug one in and it appears here."));
    $("site").hidden = !site;
    $("link").hidden = !missing;
    text($("link"), missing ? [missing.text, missing.hint].filter(Boolean).map(sentence).join(" ") : "");
  } catch (failure) {
    $("link").hidden = false;
    $("link").textContent = failure.words;
  }
}

// Who leads tonight, and the newest results. A kiosk without its history shows neither.
async function tonight() {
  const answers = await Promise.all([get("/api/leaderboard?period=night&among=people"), get(`/api/games?limit=${4 * MOST}`)]).catch(() => null);
  if (!answers) return;
  const [{ players }, { games }] = answers;
  refill($("leaders"), players, () => [el("h3", {}, "Leaderboard"), players.length
    ? el("ol", {}, players.slice(0, MOST).map((one) => el("li", {}, el("span", {}, one.name), el("span", { class: "muted" }, `${one.won} of ${one.games} won`), el("span", {}, el("strong", { class: "number" }, String(one.points)), el("span", { class: "muted" }, one.points === 1 ? " point" : " points")))))
    : el("p", { class: "muted" }, "Nobody is ranked tonight yet.")]);
  const over = games.filter((game) => game.state === "won").slice(0, MOST);
  refill($("games"), over, () => [el("h3", {}, "Last results"), over.length
    ? el("ol", {}, over.map((game) => el("li", {}, el("span", {}, sidesOf(game).map((side, at) => [at ? " – " : "", el(side.side === game.winner ? "strong" : "span", {}, `${side.name} ${side.front}`)])), ending(game) && el("span", { class: "state" }, ending(game)))))
    : el("p", { class: "muted" }, "None of the newest games is finished.")]);
}

await look();
tonight();
setInterval(tonight, TONIGHT_MS);
setInterval(look, AGAIN_MS);
