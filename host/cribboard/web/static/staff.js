// The staff's room, behind the PIN: what is in it, what the screens show, quiet hours, the record, the PIN.

import { ask, post, remove } from "./api.js";
import { $, el, fill, keeping, text } from "./dom.js";
import { attempt, fetchedAgain } from "./records.js";
import { Acts } from "./staff-acts.js";
import { Games } from "./staff-games.js";
import { Notices } from "./staff-notices.js";
import { button, renew, showNews } from "./staff-parts.js";
import { Phones } from "./staff-phones.js";
import { Players } from "./staff-players.js";

const LOOK_MS = 30000;
const IMPORT_S = 120;
const acts = new Acts(show, door);
const notices = new Notices($("cares"), acts);
const phones = new Phones($("here"), acts);
const games = new Games($("games"), acts);
const players = new Players($("players"), acts);
let looking = 0;

function door() {
  const pin = el("input", { id: "pin", type: "password", inputmode: "numeric", autocomplete: "current-password", required: true, maxlength: 12 });
  const entrance = el("form", { class: "form alone" }, el("p", { class: "muted" }, "For the people who run this pub. The kiosk showed the PIN when it first started. Lost the PIN? Whoever set up the kiosk can make a new one:", el("code", { class: "command" }, "cribboard kiosk --new-pin")), el("label", { class: "field", for: "pin" }, el("span", {}, "PIN"), pin), el("button", { type: "submit", class: "main" }, "Enter"));
  entrance.addEventListener("submit", async (event) => {
    event.preventDefault();
    text($("said"), ""); // that somebody has left
    if (await attempt(() => post("/api/staff", { pin: pin.value.trim() }))) show();
    else pin.select();
  });
  fill($("door"), entrance);
  $("door").hidden = false;
  $("room").hidden = true;
  $("jump").hidden = true;
  $("show").hidden = true;
  pin.focus();
}

async function show() {
  const me = await fetchedAgain("/api/me");
  if (!me) return;
  if (me.role !== "staff") return door();
  keeping(() => {
    $("door").hidden = true;
    $("room").hidden = false;
  }, () => $("here-title"));
  $("jump").hidden = false;
  $("show").hidden = false;
  look(true);
  phones.look(true);
  await screens();
  const [newer, known] = await Promise.all([games.newest(), fetchedAgain("/api/players")]);
  if (!newer || !known) return; // "none yet" would be wrong
  games.show(newer);
  players.show(known.players);
}

// Looks again while the page is open: what staff have to see to, and whether games have begun or ended.
function look(own = false) {
  clearTimeout(looking);
  if ($("room").hidden) return;
  looking = setTimeout(() => look(), LOOK_MS);
  if (!own) games.look();
  notices.look(own);
}

// What the screens show and when the boards are quiet, as staff choose it.
async function screens() {
  const [house, quiet] = await Promise.all([fetchedAgain("/api/pub"), fetchedAgain("/api/quiet")]);
  if (!house || !quiet) return;
  const box = el("input", { type: "checkbox", id: "odds", "data-key": "odds", checked: house.odds, "aria-describedby": "odds-about", onchange: async () => {
    const shown = box.checked;
    if (!await acts.done(() => post("/api/pub", { odds: shown }), shown ? "The screens show the chance to win." : "The screens no longer show the chance to win.")) box.checked = !shown;
  } });
  renew($("screens"),
    el("label", { class: "check", for: "odds" }, box, "Show the chance to win on the screens"),
    el("p", { class: "muted", id: "odds-about" }, "For games of two: a bar under the scores, by the scores and the deal. The cards play no part."),
    el("div", { class: "row start" },
      el("span", {}, quiet.begins ? `Quiet hours: no board beeps from ${quiet.begins} to ${quiet.ends}.` : "No quiet hours: the boards may beep at any time."),
      button("Quiet hours …", () => quietHours(quiet)),
      quiet.begins && button("End quiet hours", () => acts.done(() => post("/api/quiet", { begins: null, ends: null }), "There are no quiet hours."))));
}

/** @param {Quiet} before */
const quietHours = ({ begins, ends }) => acts.fillIn("Quiet hours", [
  { name: "begins", label: "From", kind: "time", value: begins ?? "22:00", required: true },
  { name: "ends", label: "To", kind: "time", value: ends ?? "09:00", required: true },
], "Save", "Between these times no board beeps, unless somebody chooses another sound. Then each is as loud as before.",
(given) => post("/api/quiet", { begins: given.begins, ends: given.ends }), (given) => `The boards are quiet from ${given.begins} to ${given.ends}.`);

const changePin = () => acts.fillIn("Change the PIN", [{ name: "pin", label: "Current PIN", kind: "secret", required: true }, { name: "new", label: "New PIN, 6 to 12 digits", kind: "secret", required: true }], "Change", "All other devices must enter the new one.",
(given) => post("/api/pin", given), () => "The PIN is changed.");

/** @param {ImportResult} added */
function added({ games, events, corrections: put, nights }) {
  /** @param {number} number @param {string} what */
  const many = (number, what) => `${number} ${what}${number === 1 ? "" : "s"}`;
  if (!games && !events && !put && !nights) return "Nothing was added: everything in the file is already in the record.";
  return `Added: ${many(games, "game")}, ${many(events, "event")}, ${many(put, "correction")}${nights ? `, ${many(nights, "league night")}` : ""}.`;
}

function room() {
  const file = el("input", { type: "file", accept: "application/json,.json", class: "hide", id: "file", tabindex: -1, "aria-hidden": "true" });
  file.addEventListener("change", async () => {
    const [chosen] = file.files ?? [];
    file.value = ""; // so that the same file can be chosen again at once
    if (chosen) await acts.done(async () => ask("POST", "/api/import", await chosen.text(), { seconds: IMPORT_S }), added);
  });
  fill($("data"),
    el("a", { class: "button", href: "/api/export.csv", download: "" }, "Results as CSV"),
    el("a", { class: "button", href: "/api/export.json", download: "" }, "Everything as JSON"),
    button("Import JSON …", () => file.click()), file);
  fill($("house"),
    el("a", { class: "button", href: "/print" }, "Codes to print"),
    button("Send all phones away", () => acts.sure("Send all phones away?", "Every phone must join again with the code on the screen.", "Send away", () => post("/api/leave"))),
    button("Change the PIN …", changePin),
    button("Leave", () => acts.done(() => remove("/api/staff"), "You have left.")));
}

room();
$("show").onclick = showNews;
show();
