// Coming to the table: by the QR's token, or by a code that staff read out. No account, nothing to install.

import { get, numberOfPage, post } from "./api.js";
import { el, fill } from "./dom.js";

const MISSING_MS = 3000;

// Resolves when this phone may keep score at the table. A code that is scanned onto this very page joins it, too.
export async function join(node, number) {
  addEventListener("hashchange", () => new URLSearchParams(location.hash.slice(1)).has("t") && location.reload());
  const token = new URLSearchParams(location.hash.slice(1)).get("t");
  if (token) history.replaceState(null, "", location.pathname); // not to be left in the history, nor shown around
  let wrong = "";
  if (token) {
    wrong = await tried(() => post("/api/pair", { token }));
    if (!wrong) return;
  }
  const me = await patiently(() => get("/api/me"));
  const { board } = await patiently(() => get(`/api/boards/${number}`)).catch((failure) => missing(node, failure));
  if (me.role === "staff" || (me.role === "player" && me.board === number)) return;
  await asked(node, board, wrong);
}

async function tried(act) {
  try {
    await patiently(act);
    return "";
  } catch (failure) {
    return failure.words;
  }
}

// Until it is answered, by yes or no.
async function patiently(act) {
  for (;;) {
    try {
      return await act();
    } catch (failure) {
      if (!failure.unanswered || failure.status === 429) throw failure;
      await new Promise((resolve) => setTimeout(resolve, 1500));
    }
  }
}

// There is no such table yet, or never will be: the others are a tap away, and the page comes back when there is one.
export function missing(node, failure) {
  fill(node, el("h2", {}, failure.words), el("p", {}, el("a", { href: "/" }, "To the tables of this house")));
  node.hidden = false;
  setInterval(() => get(`/api/boards/${numberOfPage()}`).then(() => location.reload(), () => {}), MISSING_MS);
  return new Promise(() => {});
}

function asked(node, { number, name }, wrong) {
  return new Promise((resolve) => {
    const code = el("input", { id: "code", inputmode: "text", autocomplete: "one-time-code", autocapitalize: "characters", maxlength: 12, required: true });
    const told = el("p", { class: "notice", role: "alert", hidden: !wrong }, wrong);
    const sheet = el("form", { class: "form" },
      el("h2", {}, `Join ${name}`),
      el("p", { class: "muted" }, "Point your phone’s camera at the code on the table’s screen. Or type the short code beside it."),
      told,
      el("label", { class: "field", for: "code" }, el("span", {}, "Short code"), code),
      el("button", { type: "submit", class: "main" }, "Join"));
    sheet.addEventListener("submit", async (event) => {
      event.preventDefault();
      const refused = await tried(() => post("/api/pair", { code: code.value.trim(), board: number }));
      if (!refused) {
        node.hidden = true;
        return resolve();
      }
      told.hidden = false;
      told.textContent = refused;
    });
    fill(node, sheet);
    node.hidden = false;
  });
}
