// The code with which phones join a table, or why none can.

import { el, picture } from "./dom.js";

/** @param {Invite} invite @param {string} words */
export function invitation({ code, svg, unreachable }, words) {
  if (unreachable) return el("p", { class: "alone" }, el("strong", {}, "No network"), el("span", {}, "Phones cannot join: connect this computer to the Wi-Fi."));
  return [
    picture(svg, "QR code that joins this table"),
    el("p", {}, el("strong", {}, words), code && el("span", { class: "code" }, code))];
}
