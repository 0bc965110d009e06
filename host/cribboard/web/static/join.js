// Coming to the table: by the QR's token, or by a code that staff read out. No account, nothing to install.

import { get, numberOfPage, patiently, post, remove } from "./api.js";
import { choose } from "./dialog.js";
import { $, el, fill, find, keeping, notice, picture } from "./dom.js";
import { ownPage } from "./night-parts.js";
import { recall, remember } from "./settings.js";

const WAIT_MS = 1500;
const NAME = "nickname";
/** @import { Failure } from "./api.js" */
const REMOVED = "This phone was removed for this evening. Ask the staff.";

const MISSING_MS = 3000;

// Resolves when this phone may keep score at the table. A code that is scanned onto this very page joins it, too.
/** @param {HTMLElement} node @param {number} number */
export async function join(node, number) {
  addEventListener("hashchange", () => new URLSearchParams(location.hash.slice(1)).has("t") && location.reload());
  const token = new URLSearchParams(location.hash.slice(1)).get("t");
  if (token) history.replaceState(null, "", location.pathname); // not to be left in the history, nor shown around
  /** @param {string} words */
  const tell = (words) => {
    if (node.textContent !== words) fill(node, el("p", { class: "form notice", role: "alert" }, words));
    node.hidden = !words;
  };
  let wrong = token ? await tried(() => post("/api/pair", { token }), tell) : "";
  const { board } = await patiently(() => get(`/api/boards/${number}`), tell).catch((failure) => missing(node, failure));
  for (;;) {
    const me = await patiently(() => get("/api/me"), tell);
    if (me.role === "staff" || (me.role === "player" && me.board === number)) break;
    if (me.state === "waiting" && me.phone?.table === number) wrong = await waited(node, board, me.phone);
    else {
      const night = me.role === "player" && (await get("/api/night").catch(() => null));
      if (night && !night.closed && night.mine !== null) location.replace(ownPage(night)); // called to another table
      await asked(node, board, me.state === "removed" ? REMOVED : wrong);
      wrong = "";
    }
  }
  keeping(() => (node.hidden = true), () => $("title"));
}

// Shows a form, whose heading takes the keyboard from the one before.
/** @param {HTMLElement} node @param {HTMLElement} sheet */
function open(node, sheet) {
  keeping(() => fill(node, sheet), () => find(sheet, "h2"));
  node.hidden = false;
}

// At a locked table, until somebody lets this phone in; resolves to why not.
/** @param {HTMLElement} node @param {Board} board @param {OwnPhone} phone */
async function waited(node, { name }, phone) {
  const nickname = el("input", { id: "waiting-name", maxlength: 20, autocomplete: "nickname", value: phone.name || recall(NAME, "") });
  const refusal = el("p", { class: "notice", role: "alert", hidden: true });
  const said = el("p", { class: "muted", role: "status" });
  const sheet = el("form", { class: "form" },
    el("h2", { tabindex: -1 }, `${name} is locked`),
    el("p", { class: "muted" }, "Somebody at the table, or the staff, must let you in. Say who you are."),
    refusal,
    el("label", { class: "field", for: "waiting-name" }, el("span", {}, "Your name"), nickname),
    el("button", { type: "submit", class: "main" }, "Ask to be let in"),
    said,
    el("button", { type: "button", onclick: () => remove("/api/pair").catch(() => {}) }, "Stop waiting"));
  const refuse = (/** @type {string} */ words) => notice(refusal, words);
  const introduce = async () => {
    const refused = nickname.value.trim() ? await tried(() => post("/api/me", { name: nickname.value.trim() }), refuse) : "";
    refuse(refused);
    if (refused) return;
    remember(NAME, nickname.value.trim() || null);
    said.textContent = nickname.value.trim() ? `The table can see that ${nickname.value.trim()} is waiting.` : "The table can see that a phone is waiting.";
  };
  sheet.addEventListener("submit", (event) => {
    event.preventDefault();
    introduce();
  });
  open(node, sheet);
  if (nickname.value) introduce();
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
    const { state } = await patiently(() => get("/api/me"), refuse);
    if (state === "seated") return "";
    if (state !== "waiting") return "You were not let in. Ask at the table.";
  }
}

/** @param {() => Promise<unknown>} act @param {(words: string) => void} tell @returns {Promise<string>} */
async function tried(act, tell) {
  try {
    await patiently(act, tell);
    return "";
  } catch (failure) {
    return failure.words;
  }
}

// There is no such table yet, or never will be: the others are a tap away, and the page comes back when there is one.
/** @param {HTMLElement} node @param {Failure} failure @returns {Promise<never>} */
export function missing(node, failure) {
  fill(node, el("div", { class: "form" }, el("h2", {}, failure.words), el("a", { class: "button main", href: "/" }, "See all tables")));
  node.hidden = false;
  setInterval(() => get(`/api/boards/${numberOfPage()}`).then(() => location.reload(), () => {}), MISSING_MS);
  return new Promise(() => {});
}

/** @param {HTMLElement} node @param {Board} board @param {string} wrong @returns {Promise<void>} */
function asked(node, { number, name }, wrong) {
  return new Promise((resolve) => {
    const code = el("input", { id: "code", inputmode: "numeric", autocomplete: "one-time-code", maxlength: 12, required: true });
    const refusal = el("p", { class: "notice", role: "alert", hidden: !wrong }, wrong);
    const sheet = el("form", { class: "form" },
      el("h2", { tabindex: -1 }, `Join ${name}`),
      el("p", { class: "muted" }, "Open the camera app and point it at the square code on the table’s screen, or type the six digits shown with it."),
      refusal,
      el("label", { class: "field", for: "code" }, el("span", {}, "Six digits"), code),
      el("button", { type: "submit", class: "main" }, "Join"));
    const refuse = (/** @type {string} */ words) => notice(refusal, words);
    sheet.addEventListener("submit", async (event) => {
      event.preventDefault();
      const refused = await tried(() => post("/api/pair", { code: code.value.trim(), board: number }), refuse);
      if (refused) refuse(refused);
      else resolve();
    });
    open(node, sheet);
  });
}

// Shows that code in a dialog, where no screen does.
/** @param {string} title @param {Invite} invite @param {string} words */
export const showInvite = (title, { code, svg, url, unreachable }, words) => choose(title, unreachable ? "This computer is not on a network, so phones cannot join. Connect it to the pub’s Wi-Fi."
  : [el("span", { class: "invite" }, picture(svg, words)), "Scan it with the phone’s camera, or open", el("br"), el("strong", {}, addressOf(url)), " and type", el("br"), el("span", { class: "code" }, code)], [["Done", true, "main"]]);

/** @param {string} url */
function addressOf(url) {
  const { host, pathname } = new URL(url);
  return host + pathname;
}

// The code with which phones join a table, or why none can.
/** @param {Invite} invite @param {string} words */
export function invitation({ code, svg, unreachable }, words, where = "Keep score") {
  if (unreachable) return el("p", { class: "alone" }, el("strong", {}, "No network"), el("span", {}, "Phones cannot join: connect this computer to the Wi-Fi."));
  return [
    picture(svg, "QR code that joins this table"),
    el("p", {}, el("strong", {}, words), code && el("span", { class: "or" }, "or ", el("span", { class: "type" }, "type "), el("span", { class: "where" }, `under “${where}”: `), el("strong", { class: "code" }, code)))];
}
