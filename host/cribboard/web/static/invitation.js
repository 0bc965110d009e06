// The code with which phones join a table.

import { el, picture } from "./dom.js";

export function invitation({ code, svg }, words) {
  return [
    picture(svg, "QR code that joins this table"),
    el("p", {}, el("strong", {}, words), code && el("span", { class: "code" }, code))];
}
