// One player: figures, and how he stands against another.

import { numberOfPage } from "./api.js";
import { face, parse } from "./cards.js";
import { $, el, fill, text } from "./dom.js";
import { day, empty, fetched, gameSheet } from "./records.js";

const id = numberOfPage();
const one = (value) => (value === null ? "–" : value.toLocaleString(undefined, { maximumFractionDigits: 1, minimumFractionDigits: 1 }));
const whole = (value) => (value === null ? "–" : String(value));

function figures(player) {
  const lost = player.games - player.won;
  const streak = player.streak >= 0 ? `${player.streak} won` : `${-player.streak} lost`;
  return [
    ["Points (ACC)", whole(player.points)], ["Won", `${player.won} of ${player.games}`], ["Lost", whole(lost)],
    ["Spread", player.spread > 0 ? `+${player.spread}` : String(player.spread).replace("-", "−")],
    ["Best hand", whole(player.best_hand?.points ?? null), player.best_hand],
    ["Average hand", one(player.hand)], ["Average crib", one(player.crib)], ["Pegged a game", one(player.pegging)],
    ["Most pegged in a game", whole(player.best_pegging)], ["Best deal", whole(player.best_deal)],
    ["Skunks given", whole(player.skunks)], ["Skunks taken", whole(player.skunked)],
    ["In a row now", streak], ["Longest streak", whole(player.longest)],
  ];
}

function figure([name, value, best]) {
  const cards = best?.cards ? [...(parse(best.cards) ?? []), ...(parse(best.starter) ?? [])] : [];
  return el("div", {}, el("dd", {}, value, cards.length ? el("small", {}, cards.map((card) => face(card))) : null), el("dt", {}, name));
}

async function show() {
  const player = await fetched(`/api/players/${id}`);
  if (!player) return;
  document.title = `${player.name} – cribboard`;
  text($("name"), player.name);
  text($("since"), `Since ${day(player.since)}`);
  fill($("figures"), figures(player).map(figure));
  fill($("games"), gameSheet(player.recent));
  await rivals();
}

async function rivals() {
  const found = await fetched("/api/players");
  const others = (found?.players ?? []).filter((other) => (other.player ?? other.id) !== id);
  fill($("rival"), el("option", { value: "" }, others.length ? "Choose a player" : "Nobody yet"), others.map((other) => el("option", { value: other.player ?? other.id }, other.name)));
  $("rival").onchange = against;
}

async function against() {
  if (!$("rival").value) return fill($("against"));
  const met = await fetched(`/api/players/${id}/against/${$("rival").value}`);
  if (!met) return;
  const [mine, theirs] = met.names;
  fill($("against"), met.played
    ? [el("dl", { class: "figures" }, [[`${mine} won`, whole(met.won[0])], [`${theirs} won`, whole(met.won[1])], [`Skunks by ${mine}`, whole(met.skunks[0])], [`Skunks by ${theirs}`, whole(met.skunks[1])]].map(figure)), gameSheet(met.games)]
    : empty(`${mine} and ${theirs} have not met yet.`));
}

show();
