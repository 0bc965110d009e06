// The tables of this house, as they stand.

import { get, sentence } from "./api.js";
import { $, el, refill, text } from "./dom.js";
import { named } from "./sides.js";
import { lead } from "./words.js";

const AGAIN_MS = 3000;

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
      el("a", { class: "button", href: `/table/${number}`, "aria-label": `Screen of ${name}` }, "Screen"),
      el("a", { class: "button", href: `/score/${number}`, "aria-label": `Keep score at ${name}` }, "Keep score")));
}

async function look() {
  try {
    const { boards, missing, site } = await get("/api/boards");
    refill($("tables"), boards, () => boards.length ? boards.map(place) : el("p", { class: "empty" }, "No board has been found yet. Plug one in; it appears here by itself."));
    $("site").hidden = !site;
    $("link").hidden = !missing;
    text($("link"), missing ? [missing.text, missing.hint].filter(Boolean).map(sentence).join(" ") : "");
  } catch (failure) {
    $("link").hidden = false;
    $("link").textContent = failure.words;
  }
}

await look();
setInterval(look, AGAIN_MS);
