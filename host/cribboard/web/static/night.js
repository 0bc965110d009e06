// An evening of people: the page of the television, of a player's phone and of the director, by who looks at it.

import { ask, get, patiently } from "./api.js";
import { Begin } from "./night-begin.js";
import { Director } from "./night-director.js";
import { Orders } from "./night-orders.js";
import { clockWords, quarrels, winners } from "./night-parts.js";
import { Player } from "./night-player.js";
import { Strip } from "./night-strip.js";
import { Wall } from "./night-wall.js";
import { $, complain, el, isCut, refill, text } from "./dom.js";
import { day } from "./records.js";
import { Wake } from "./wake.js";

const LOOK_MS = 2000; // a phone looks half as often
const PUB_MS = 60000;
const PRESS_MS = 1000; // a press that takes longer was let go elsewhere
const token = new URLSearchParams(location.hash.slice(1)).get("t");
const asked = new URLSearchParams(location.search);
const wanted = asked.get("view");
const earlier = Number(asked.get("night")); // an earlier night that is looked at again, 0 for the one that is on
let role = "guest";
let pub = ""; // whose screen it is
let away = false; // whether the page says that the kiosk does not answer
let pressed = 0; // when a finger or a mouse went down
let holds = new Set(); // calls and quarrels that have been said, while they are true
/** @type {Evening | null} */
let before = null; // as it was, for what another page changes
/** @type {string[]} */
let said = []; // those of the newest announcement
let saying = ""; // its words

const orders = new Orders(show);
const begin = new Begin($("begin"), show);
const player = new Player($("player"), orders);
const wall = new Wall($("wall"));
const strip = new Strip($("strip"));
const director = new Director($("director"), orders, begin);

/** @param {Evening} evening */
function show(evening) {
  if (evening.night !== before?.night) { // numbers of matches are another night's
    holds = new Set();
    before = null;
  }
  const screen = wanted === "tv" || (!wanted && role === "screen");
  const directs = evening.director && wanted !== "phone" && !screen;
  if (screen) $("light").media = "not all"; // a television is dark
  document.body.dataset.view = screen ? "tv" : directs ? "director" : "phone";
  const name = [evening.name || "League night", !screen && !evening.tonight && day(evening.began)].filter(Boolean).join(", ");
  const house = el("span", { "data-house": true }, screen && pub && [pub, el("span", { class: "muted" }, " · ")]);
  refill($("name"), [screen && pub, name, screen && clockWords(evening), innerWidth], () => [house, el("span", { class: screen && pub ? "muted" : null }, name)]);
  $("clock").hidden = $("round").hidden = !screen;
  text($("round"), screen ? clockWords(evening) : "");
  text($("clock"), new Date().toLocaleTimeString(undefined, { hour: "numeric", minute: "2-digit" }));
  $("name").dataset.says = "both";
  for (const less of ["house", "night", "none"]) if (isCut($("name"))) $("name").dataset.says = less;
  announce(evening);
  begin.node.hidden = true;
  for (const [view, seen] of /** @type {[{ node: HTMLElement, show(evening: Evening): void }, boolean][]} */ ([[wall, screen], [director, directs], [player, !screen && !directs]])) {
    view.node.hidden = !seen;
    if (seen) view.show(evening);
  }
  strip.show(screen ? evening : null, new Set(evening.matches.map((match) => match.match)), wall.tells);
}

// Calls, quarrels, the end and names that others change, for those who listen; what is over is not left to be read.
/** @param {Evening} evening */
function announce(evening) {
  const mine = evening.matches.filter((match) => evening.mine === null || match.mine !== null);
  const now = /** @type {Map<string, string>} */ (new Map());
  for (const match of evening.closed ? [] : mine.filter((each) => each.called && !each.over)) now.set(`${match.match} at ${match.table}`, `${match.names.join(" v ")}, ${match.place}`);
  for (const match of quarrels(evening).filter((each) => mine.includes(each))) now.set(`${match.match} disputed`, `${match.names.join(" v ")} is disputed`);
  const first = winners(evening);
  const win = first.flatMap((row) => row.entrants).length > 1 ? "win" : "wins";
  if (evening.closed) now.set("over", `The night is over${first.length ? `. ${first.map((row) => row.name).join(" and ")} ${win}.` : ""}`);
  const fresh = [...now.keys()].filter((key) => !holds.has(key));
  const words = [...(before ? renamed(before, evening) : []), ...fresh.map((key) => now.get(key))].join(". ");
  holds = new Set(now.keys());
  before = evening;
  if (words) {
    said = fresh;
    text($("announcer"), saying = words);
  } else if ($("announcer").textContent === saying && said.length && !said.some((key) => now.has(key))) text($("announcer"), "");
}

// Whose phone it is, and who is called otherwise, since another page has changed it.
/** @param {Evening} was @param {Evening} evening @returns {string[]} */
function renamed(was, evening) {
  const own = (/** @type {Evening} */ one) => one.entrants.find((each) => each.mine)?.name ?? "";
  const known = new Map(was.entrants.map((one) => [one.entrant, one.name]));
  const others = evening.entrants.filter((one) => !one.mine && known.has(one.entrant) && known.get(one.entrant) !== one.name);
  const mine = own(was) !== own(evening) ? [own(evening) ? `You are ${own(evening)} now` : "This phone has no name any more"] : [];
  return [...mine, ...others.map((one) => `${known.get(one.entrant)} is ${one.name} now`)];
}

async function look() {
  if (orders.busy) return;
  const { sent } = orders;
  try {
    const evening = await (earlier ? get(`/api/nights/${earlier}`) : get("/api/night")).catch((failure) => {
      if (failure.status === 404 && !earlier) return null;
      throw failure;
    });
    if (orders.sent !== sent) return; // how it was before an order: what was just sent would seem lost
    if (away) complain(""); // what was refused stays to be read
    away = false;
    if (Date.now() - pressed < PRESS_MS) return; // a button that is drawn again would not hear that it is let go
    if (begin.open) return;
    if (evening) show(evening);
    else await begin.show("");
  } catch (failure) {
    if (failure.words === undefined) throw failure;
    away = true;
    complain(failure.words);
  }
}

async function loadPub() {
  const house = await get("/api/pub").catch(() => null);
  if (house) pub = house.name ?? "";
  setTimeout(loadPub, house ? PUB_MS : LOOK_MS);
}

async function arrive() {
  if (token) {
    history.replaceState(null, "", location.pathname + location.search);
    await patiently(() => ask("POST", "/api/pair", { token }), complain).catch(({ words }) => complain(words));
  }
  role = (await patiently(() => get("/api/me"), complain)).role;
  if (wanted === "tv" || role === "screen") await loadPub();
  await orders.again();
  await look();
  let turn = 0;
  setInterval(() => document.visibilityState === "visible" && (turn++ % 2 === 0 || document.body.dataset.view !== "phone") && look(), LOOK_MS);
}

addEventListener("pointerdown", () => (pressed = Date.now()), true);
for (const kind of ["pointerup", "pointercancel"]) addEventListener(kind, () => setTimeout(() => (pressed = 0)), true); // after its click
new Wake();
arrive();
