// An evening of people: the page of the television, of a player's phone and of the director, by who looks at it.

import { ask, get } from "./api.js";
import { Begin } from "./night-begin.js";
import { Director } from "./night-director.js";
import { Orders } from "./night-orders.js";
import { Player } from "./night-player.js";
import { Strip } from "./night-strip.js";
import { Wall } from "./night-wall.js";
import { $, el, refill, text } from "./dom.js";
import { Wake } from "./wake.js";

const LOOK_MS = 2000; // a phone looks half as often
const PUB_MS = 60000;
const token = new URLSearchParams(location.hash.slice(1)).get("t");
const wanted = new URLSearchParams(location.search).get("view");
let role = "guest";
let pub = ""; // whose screen it is
let shown = 0; // the night that was
/** @type {Set<number>} */
const called = new Set();
/** @type {Set<number>} */
const disputed = new Set();

const orders = new Orders(show);
const begin = new Begin($("begin"), show);
const player = new Player($("player"), orders);
const wall = new Wall($("wall"));
const strip = new Strip($("strip"));
const director = new Director($("director"), orders, begin);

/** @param {Evening} evening */
function show(evening) {
  if (evening.night !== shown) { // numbers of matches are another night's
    shown = evening.night;
    called.clear();
    disputed.clear();
  }
  const screen = wanted === "tv" || (!wanted && role === "screen");
  const directs = evening.director && wanted !== "phone" && !screen;
  if (screen) $("light").media = "not all"; // a television is dark
  document.body.dataset.view = screen ? "tv" : directs ? "director" : "phone";
  refill($("name"), [screen && pub, evening.name], () => [screen && pub && [pub, "\u2002"], el("span", { class: screen && pub ? "muted" : null }, evening.name || "League night")]);
  $("clock").hidden = !screen;
  text($("clock"), new Date().toLocaleTimeString(undefined, { hour: "numeric", minute: "2-digit" }));
  announce(evening);
  begin.node.hidden = true;
  strip.show(screen ? evening : null, new Set(evening.matches.map((match) => match.match)), true);
  for (const [view, seen] of /** @type {[{ node: HTMLElement, show(evening: Evening): void }, boolean][]} */ ([[wall, screen], [director, directs], [player, !screen && !directs]])) {
    view.node.hidden = !seen;
    if (seen) view.show(evening);
  }
}

// Calls, quarrels and the end, for those who listen.
/** @param {Evening} evening */
function announce(evening) {
  const fresh = evening.matches.filter((match) => match.called && !match.over && !called.has(match.match));
  for (const match of fresh) called.add(match.match);
  const quarrels = evening.matches.filter((match) => match.legs.some((leg) => leg.state === "disputed"));
  const told = quarrels.filter((match) => !disputed.has(match.match));
  disputed.clear(); // what is disputed again is said again
  for (const match of quarrels) disputed.add(match.match);
  const mine = (/** @type {Match} */ match) => evening.mine === null || match.mine !== null;
  const words = [...fresh.filter(mine).map((match) => `${match.names.join(" v ")}, ${match.place}`), ...told.filter(mine).map((match) => `${match.names.join(" v ")} is disputed`)];
  if (words.length) text($("announcer"), words.join(". "));
  else if (evening.closed && evening.standings.length) text($("announcer"), `The night is over. ${evening.standings[0].name} wins.`);
}

async function look() {
  if (orders.busy) return;
  const { sent } = orders;
  try {
    const evening = await get("/api/night");
    if (orders.sent !== sent) return; // how it was before an order: what was just sent would seem lost
    $("wrong").hidden = true;
    if (begin.open) return;
    show(evening);
  } catch (failure) {
    if (failure.status === 404) await begin.show("");
    else {
      text($("wrong"), failure.words);
      $("wrong").hidden = false;
    }
  }
}

async function loadPub() {
  pub = await get("/api/pub").then(({ name }) => name ?? "", () => pub);
}

async function arrive() {
  if (token) {
    history.replaceState(null, "", location.pathname + location.search);
    await ask("POST", "/api/pair", { token }).catch((failure) => {
      text($("wrong"), failure.words);
      $("wrong").hidden = false;
    });
  }
  role = (await get("/api/me").catch(() => ({ role: "guest" }))).role;
  if (wanted === "tv" || role === "screen") {
    await loadPub();
    setInterval(loadPub, PUB_MS);
  }
  await orders.again();
  await look();
  let turn = 0;
  setInterval(() => document.visibilityState === "visible" && (turn++ % 2 === 0 || document.body.dataset.view !== "phone") && look(), LOOK_MS);
}

new Wake();
arrive();
