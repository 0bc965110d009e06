// Each side's score for the bar's screen, to be read at five metres, and between two of them how the game stands.

import { sentence } from "./api.js";
import { el } from "./dom.js";
import { figure, isPlaying, nameOf, shortNameOf } from "./sides.js";
import { duties, from, lead, shortWarning, warning } from "./words.js";

// `countdown` is a node with the time that a player has left to count; beside other tables long names are short.
/** @param {State} state @param {HTMLElement} countdown */
export function panels(state, countdown, beside = false) {
  if (!isPlaying(state)) return [middle(state, countdown)];
  const drawn = state.sides.map((side) => panel(state, side, beside));
  drawn.splice(drawn.length === 2 ? 1 : 0, 0, middle(state, countdown));
  return drawn;
}

/** @param {Playing} state @param {Side} side @param {boolean} beside */
function panel(state, side, beside) {
  const warned = state.sides.length > 2 ? shortWarning(state, side) : warning(state, side);
  const leads = !state.winner && state.sides.length > 2 && side.lead > 0;
  const many = state.sides.length > 3;
  const [duty] = duties(state, side); // the crib is the dealer's: one word says both
  const name = beside ? shortNameOf(state.sides, side) : nameOf(side);
  const long = name.length > 20 ? "very" : name.length > (state.sides.length > 2 ? 9 : LONG);
  const waits = side.waiting > 0 && !state.winner;
  return el("article", { class: "panel", "data-colour": side.colour, "data-won": state.winner === side.side },
    el("div", { class: "who" }, el("h2", { "data-long": long }, figure(side.colour), el("span", {}, name))),
    el("p", { class: "front" }, String(side.front), waits ? el("span", { class: "waiting" }, `+${side.waiting} `, !many && el("small", {}, from(side))) : null),
    el("p", { class: "tags" },
      state.winner === side.side && el("span", { class: "tag crib" }, side.places.length > 1 ? "Win" : "Wins"),
      many && waits && el("span", { class: "tag lead" }, from(side)),
      duty && el("span", { class: "tag crib" }, duty),
      leads && el("span", { class: "tag lead" }, `+${side.lead}`),
      many && side.won > 0 && el("span", { class: "tag lead" }, `${side.won} won`),
      warned && el("span", { class: "tag warned" }, warned)));
}

const LONG = 13;

/** @param {State} state */
function standing(state) {
  if (state.winner) return "";
  const words = lead(state).replace(/\.$/, "");
  const ahead = state.sides.length === 2 && state.sides.find((side) => side.lead > 0 && isLong(side));
  if (!ahead) return words;
  const [name, rest] = [nameOf(ahead), words.slice(nameOf(ahead).length)];
  return el("span", { "data-colour": ahead.colour }, figure(ahead.colour), el("span", { class: "hide" }, name), rest);
}

// The chance to win as a bar of both colours, with the figures below it; it is shown where the house has chosen so.
/** @param {Side[]} sides @param {number[]} chances */
function odds(sides, chances) {
  const said = chances.map((chance, at) => `${nameOf(sides[at])} ${chance} %`).join(", ");
  const bar = el("span", { class: "bar", "aria-hidden": "true" }, sides.map((side, at) => {
    const part = el("i", { "data-colour": side.colour });
    part.style.flexGrow = String(chances[at]);
    return part;
  }));
  return el("div", { class: "odds" }, bar,
    el("p", { "aria-hidden": "true" }, el("span", {}, `${chances[0]} %`), el("span", { class: "muted" }, "to win"), el("span", {}, `${chances[1]} %`)),
    el("p", { class: "hide" }, `The chance to win, by the scores and the deal: ${said}.`));
}

/** @param {Side} side */
const isLong = (side) => nameOf(side).length > LONG;

/** @param {State} state @param {HTMLElement} countdown */
function middle(state, countdown) {
  const said = state.rules?.words ?? [];
  const won = state.sides.map((side) => side.won);
  return el("div", { class: "middle" },
    el("p", { class: "table-name" }, state.board.name),
    el("p", { class: "standing" }, state.sides.length ? standing(state) : "No game yet"),
    state.chances && odds(state.sides, state.chances),
    won.some(Boolean) && el("p", { class: "match" }, el("span", { class: "muted" }, "Games "), el("strong", {}, won.join(" – "))),
    state.deal?.asked ? el("p", { class: "deal" }, state.deal.text) : el("p", { class: "to" }, state.sides.length ? `Game to ${state.target}` : "Join with your phone, or hold DEAL for three seconds"),
    !state.winner && said.length > 0 && el("p", { class: "rules" }, sentence(said.join(", "))),
    countdown);
}
