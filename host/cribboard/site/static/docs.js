// Searches the guide: sections that hold all the words, those with a word in their heading first.

import { $, el, fill, text } from "./dom.js";
import { offline } from "./offline.js";

const MOST = 12;
const AROUND = 60; // characters on each side of what was found
/** @type {Promise<[string, string, string, string][]> | null} */
let index = null;

/** @returns {Promise<[string, string, string, string][]>} */
const load = () => (index ??= fetch("index.json").then((answer) => answer.json()));

async function search() {
  const words = $("search").value.toLowerCase().split(/\s+/).filter((word) => word.length > 1);
  $("pages").hidden = words.length > 0;
  if (!words.length) {
    text($("found"), "");
    return fill($("results"));
  }
  const sections = await load();
  const matches = sections
    .map(([address, page, title, body]) => ({ address, page, title, body, all: `${page} ${title} ${body}`.toLowerCase() }))
    .filter(({ all }) => words.every((word) => all.includes(word)))
    .sort((one, other) => inTitle(other, words) - inTitle(one, words));
  text($("found"), matches.length ? `${matches.length} ${matches.length === 1 ? "section" : "sections"}` : "Nothing found. Try fewer or shorter words.");
  return fill($("results"), matches.slice(0, MOST).map((one) => el("li", {}, el("a", { href: one.address }, `${one.page}: ${one.title}`), el("p", {}, snippet(one.body, words[0])))));
}

/** @param {{ title: string }} section @param {string[]} words */
const inTitle = ({ title }, words) => words.filter((word) => title.toLowerCase().includes(word)).length;

/** @param {string} body @param {string} word */
function snippet(body, word) {
  const at = Math.max(0, body.toLowerCase().indexOf(word));
  const from = Math.max(0, at - AROUND);
  return `${from ? "…" : ""}${body.slice(from, at + word.length + AROUND)}…`;
}

if (matchMedia("(max-width: 60rem)").matches) $("pages").removeAttribute("open"); // what one reads comes first
$("search").addEventListener("input", search);
$("search").addEventListener("focus", load, { once: true });
offline();
