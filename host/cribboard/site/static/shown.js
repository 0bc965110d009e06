// In the page that is one file: the first page is there, and another one takes its place when the address names it behind #.
/* eslint no-unused-vars: "off" */

const pages = Object.fromEntries([...document.querySelectorAll("template")].map((one) => [one.id, one]));
const named = () => (location.hash.slice(1) in pages ? location.hash.slice(1) : "index.html");
const shown = named();

if (shown in pages) {
  const { content, dataset } = pages[shown];
  document.title = dataset.title ?? "";
  document.body.className = dataset.class ?? "";
  document.querySelectorAll("head style").forEach((style) => style.remove());
  document.body.replaceChildren(content.cloneNode(true));
}
addEventListener("hashchange", () => named() !== shown && location.reload());
