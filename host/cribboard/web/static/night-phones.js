// A night's phones: the code that lets them join, whose each is, which one directs, which is removed.

import { ask, get, remove } from "./api.js";
import { choose } from "./dialog.js";
import { showInvite } from "./join.js";
import { refuse } from "./night-orders.js";

/** @typedef {import("./night-director.js").Director} Director */

// A phone with its number, as the list of who is in has it: two may be called Bob.
/** @param {{ phone: number, name: string }} phone */
const numbered = ({ phone, name }) => (name === `Phone ${phone}` ? name : `${name}, phone ${phone}`);

export async function invitePhones() {
  const invitation = await get("/api/night/invite").catch(refuse);
  if (invitation) await showInvite("Join the night", invitation, "QR code that joins the night");
}

// One that has joined, or another choice; null when that was left.
/** @param {string} title @param {string} words @param {[string, number][]} others */
async function choosePhone(title, words, ...others) {
  const joined = await get("/api/night/phones").catch(refuse);
  return joined ? choose(title, words, [...joined.phones.map((one) => /** @type {[string, number]} */ ([numbered(one), one.phone])), ...others]) : null;
}

/** @param {Director} director @param {Evening} evening @param {Evening["entrants"][number]} one */
export async function givePhone(director, evening, one) {
  const phone = await choosePhone(`Whose phone is ${one.name}’s?`, "Results from the old phone that aren’t confirmed yet must then be confirmed by both sides.", ["Nobody’s", 0]);
  if (phone !== null) await director.order(evening, { do: "give", entrant: one.entrant, phone });
}

// Where there is no PIN: the person who began the night goes, and another phone directs it.
/** @param {Director} director @param {Evening} evening */
export async function passNight(director, evening) {
  const phone = await choosePhone("Who directs the night from now on?", "This phone no longer does.");
  if (phone !== null) await ask("POST", `/api/nights/${evening.night}/director`, { phone }).then(director.orders.show).catch(refuse);
}

// A joker's: it joins nothing for the rest of the evening.
/** @param {Director} director */
export async function removePhone(director) {
  const phone = await choosePhone("Which phone is removed for this evening?", "It can’t join again tonight. Its player can use another phone.");
  if (phone !== null) await remove(`/api/night/phones/${phone}`).then(() => get("/api/night")).then(director.orders.show).catch(refuse);
}
