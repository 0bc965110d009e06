// A page for each table, to print and put up: a code that leads to the table and goes on doing so.

import { $, el, fill, picture } from "./dom.js";
import { empty, fetched } from "./records.js";

const ALONE = "This computer is not on a network, so there is no address to print. Connect it to the pub’s Wi-Fi, then load this page again.";

const ONLY_HERE = "Phones cannot open this address: the kiosk was started for this computer only. Start it for the pub’s Wi-Fi before you print.";

/** @param {string} name @param {Poster} code */
function poster(name, { url, svg }) {
  return el("section", { class: "poster", "aria-label": name },
    picture(svg, `QR code for ${name}`),
    el("div", {},
      el("h2", {}, name),
      el("p", { class: "scan" }, "Scan to keep score with your phone"),
      el("p", {}, "Join the pub’s Wi-Fi first."),
      el("p", {}, "Without a camera, open this address and type the six digits that the screen shows:"),
      el("p", { class: "address" }, url.replace(/^http:\/\//, ""))));
}

async function show() {
  const reply = await fetched("/api/boards");
  if (!reply) return;
  const posters = await Promise.all(reply.boards.map(({ board }) => fetched(`/api/boards/${board.number}/poster`)));
  const codes = posters.filter((code) => code !== null);
  if (codes.length < posters.length) return;
  if (codes.some((code) => code.unreachable)) fill($("posters"), empty(ALONE));
  else fill($("posters"), codes.some(({ url }) => new URL(url).hostname.startsWith("127.")) && el("p", { class: "notice" }, ONLY_HERE), codes.length ? codes.map((code, at) => poster(reply.boards[at].board.name, code)) : empty("No board has been found yet."));
  $("print").hidden = !document.querySelector(".poster");
}

$("print").onclick = () => print();
show();
