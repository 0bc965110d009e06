// One page to begin a night: names, rules, tables, rounds, and what comes of it.

import { ask, get } from "./api.js";
import { choose } from "./dialog.js";
import { $, checkbox, disable, el, fill, isDisabled, text } from "./dom.js";
import { byKeys } from "./keys.js";
import { about } from "./night-parts.js";

const WAIT_MS = 400;
const OWN = "own";
/** @type {[string, number][]} */
const GAMES = [["One game", 1], ["Best of three", 3], ["Best of five", 5]];
/** @type {[string, string, number][]} */
const WORTH = [["win", "A win", 2], ["skunk", "A skunk", 3], ["double", "A double skunk", 3], ["match", "A match won, beside its games", 0], ["bye", "A round that you sit out", 0]];

// A pasted list in lines, of which a numbered list's numbers and a table's quotes go. With `pairs` each line has two parts,
// which may be the last and the first name of one player, as spreadsheets write them, or the names of two.
/** @param {string} list @returns {{ names: string[], pairs: [string, string][] | null }} */
export function namesIn(list) {
  const lines = list.split("\n").map((line) => line.trim().replace(/^\d+[.)]\s+/, "").replace(/^"(.*)"$/, "$1")).filter(Boolean);
  const parts = lines.map((line) => line.split(/[,;\t]/).map((part) => part.trim()).filter(Boolean));
  const paired = parts.length > 1 && parts.every((line) => line.length === 2);
  return { names: parts.flat(), pairs: paired ? /** @type {[string, string][]} */ (parts) : null };
}

export class Begin {
  /** @param {HTMLElement} node @param {(evening: Evening) => void} begun */
  constructor(node, begun) {
    this.node = node;
    this.begun = begun;
    this.open = false;
    this.asking = false;
    /** @type {Map<string, boolean>} */
    this.names = new Map();
    /** @type {Set<number>} */
    this.boards = new Set();
    this.asked = 0;
    /** @type {() => object} */
    this.chosen = () => ({});
  }

  // The form for those who may begin a night; for others, that there is none.
  /** @param {string} why */
  async show(why) {
    if (this.open || this.asking) return; // drawn twice, it would lose what is typed meanwhile
    this.asking = true;
    const options = await get("/api/night/begin").finally(() => (this.asking = false));
    for (const view of ["player", "wall", "director"]) $(view).hidden = true;
    this.node.hidden = false;
    if (!options.may) {
      fill(this.node, el("p", { class: "empty" }, why || `No night is on. ${options.staff ? "Staff begin one on this page." : "Join a table with this phone, then begin one here."}`));
      return;
    }
    this.open = true;
    for (const name of options.names) this.names.set(name, true);
    this.boards = new Set(options.boards.map(([number]) => number));
    this.draw(options);
    this.preview();
    if (byKeys()) $("title").focus();
  }

  /** @param {Begin_} options */
  draw(options) {
    const add = el("input", { id: "title", maxlength: 20, list: "known", autocomplete: "off", placeholder: "such as Ann Barker" });
    const rules = el("select", { id: "preset" }, options.presets.map((one) => el("option", { value: one.id }, one.id[0].toUpperCase() + one.id.slice(1).replaceAll("-", " "))), el("option", { value: OWN }, "Our own points"));
    const games = el("select", { id: "games" }, GAMES.map(([words, value]) => el("option", { value }, words)));
    const worth = WORTH.map(([name, , value]) => el("input", { id: `own-${name}`, type: "number", step: "any", value, oninput: () => this.preview() }));
    const own = el("div", { class: "fields", hidden: true }, WORTH.map(([name, words], at) => el("label", { class: "field", for: `own-${name}` }, el("span", {}, words), worth[at])));
    this.chosen = () => ({
      ...(rules.value === OWN ? { own: Object.fromEntries(WORTH.map(([name], at) => [name, Number(worth[at].value)])) } : {}),
      ...(games.value === "1" ? {} : { best_of: Number(games.value) }),
    });
    const what = el("p", { class: "muted", id: "what" });
    const source = el("p", { class: "muted" });
    const more = el("details", {}, el("summary", {}, "More about these rules"), source);
    const said = el("p", { class: "says", id: "comes", role: "status" });
    const list = el("div", { class: "names", role: "group", "aria-label": "Who is here" });
    const wooden = el("input", { id: "wooden", type: "number", min: 0, max: 100, value: options.boards.length ? 0 : 3, inputmode: "numeric" });
    const rounds = el("input", { id: "rounds", type: "number", min: 1, max: 60, placeholder: "as many as it takes", inputmode: "numeric" });
    const kind = el("select", { id: "draw" }, el("option", { value: "" }, "Everybody in turn"), el("option", { value: "pairs" }, "Drawn pairs, the same all night"), el("option", { value: "swiss" }, "Swiss: equals meet"));
    const pasted = el("textarea", { id: "pasted", rows: 4, placeholder: "A list of names, one a line" });
    const go = el("button", { type: "button", class: "main", id: "go", "aria-disabled": true, "aria-describedby": "comes", onclick: () => this.begin() }, "Draw and begin");
    const fresh = () => {
      fill(list, [...this.names].map(([name, on]) => el("label", { class: "check" }, checkbox({ checked: on, "data-key": `name-${name}` }, (ticked) => {
        this.names.set(name, ticked);
        this.preview();
      }), name)));
      this.preview();
    };
    const put = (/** @type {string} */ name) => {
      if (name.trim()) this.names.set(name.trim(), true);
    };
    const back = el("button", { type: "button", class: "quiet", hidden: true }, "Undo the pasted list");
    const paste = el("details", {}, el("summary", {}, "Paste a list"), el("label", { class: "field", for: "pasted" }, el("span", {}, "Names"), pasted), el("button", { type: "button", onclick: async () => {
      const list = pasted.value;
      const names = await whole(list);
      if (!names) return;
      const before = new Map(this.names);
      names.forEach(put);
      pasted.value = "";
      paste.open = false;
      back.hidden = this.names.size === before.size;
      back.onclick = () => {
        this.names = before;
        pasted.value = list;
        back.hidden = true;
        paste.open = true;
        pasted.focus();
        fresh();
      };
      fresh();
    } }, "Take these names"));
    add.addEventListener("keydown", (event) => {
      if (event.key !== "Enter") return;
      event.preventDefault();
      put(add.value);
      add.value = "";
      fresh();
    });
    const chosen = () => {
      const one = options.presets.find((preset) => preset.id === rules.value);
      text(what, one ? `${one.what}.` : "");
      text(source, one ? `${one.unsure ? `Not certain: ${one.unsure}. ` : ""}From ${one.source}.` : "");
      more.hidden = !one;
      own.hidden = Boolean(one);
      kind.disabled = Boolean(one?.partners);
      this.preview();
    };
    for (const node of [wooden, rounds, kind, games]) node.addEventListener("input", () => this.preview());
    rules.addEventListener("change", chosen);
    fill(this.node,
      el("datalist", { id: "known" }, options.players.map((name) => el("option", { value: name }))),
      el("section", {}, el("h2", {}, "1. Players"), list,
        el("div", { class: "row start add" }, el("label", { class: "field", for: "title" }, el("span", {}, "Add a name"), add), el("button", { type: "button", onclick: () => {
          put(add.value);
          add.value = "";
          fresh();
          add.focus();
        } }, "Add"), paste, back)),
      el("section", {}, el("h2", {}, "2. Tables"),
        el("div", { class: "boards" },
          options.boards.length > 0 && el("div", {}, el("p", { class: "field" }, "With an electronic board"), el("div", { class: "names", role: "group", "aria-label": "Tables with an electronic board" }, options.boards.map(([number, name]) =>
            el("label", { class: "check" }, checkbox({ checked: true }, (on) => {
              if (on) this.boards.add(number);
              else this.boards.delete(number);
              this.preview();
            }), name)))),
          el("label", { class: "field", for: "wooden" }, el("span", {}, "With a wooden board"), wooden))),
      el("section", {}, el("h2", {}, "3. Rules"),
        el("div", { class: "fields" },
          el("label", { class: "field", for: "preset" }, el("span", {}, "Rules"), rules),
          el("label", { class: "field", for: "draw" }, el("span", {}, "Who plays whom"), kind),
          el("label", { class: "field", for: "games" }, el("span", {}, "A match is"), games),
          el("label", { class: "field", for: "rounds" }, el("span", {}, "Rounds"), rounds)),
        own, what, more),
      el("div", { class: "row start draw" }, go, said));
    fresh();
    chosen();
  }

  wish() {
    const rounds = $("rounds").value;
    return {
      names: [...this.names].filter(([, on]) => on).map(([name]) => name),
      preset: $("preset").value,
      ...this.chosen(),
      boards: [...this.boards],
      wooden: Number($("wooden").value) || 0,
      ...(rounds ? { rounds: Number(rounds) } : {}),
      ...($("draw").value && !$("draw").disabled ? { draw: $("draw").value } : {}),
    };
  }

  preview() {
    clearTimeout(this.asked);
    const { names, boards, wooden } = this.wish();
    const say = (/** @type {string} */ words, /** @type {boolean} */ off) => {
      text($("comes"), words);
      disable($("go"), off);
    };
    const missing = names.length < 2 ? "Add at least two names." : boards.length + wooden ? "" : "Choose at least one table.";
    if (missing) say(missing, true);
    const asked = this.asked = missing ? 0 : window.setTimeout(async () => {
      const said = await ask("POST", "/api/night/preview", this.wish()).catch((failure) => ({ wrong: failure.words ?? "" }));
      if (asked !== this.asked) return; // something else is chosen by now
      if ("wrong" in said) say(said.wrong, true);
      else say(said.text.replace(/\d\d:\d\d/, about), false); // as the clocks of this night's screens
    }, WAIT_MS);
  }

  async begin() {
    if (isDisabled($("go"))) return;
    try {
      const evening = await ask("POST", "/api/night", this.wish(), { seconds: 20 });
      this.open = false;
      fill(this.node);
      this.begun(evening);
    } catch (failure) {
      text($("comes"), failure.words ?? "");
    }
  }
}

// The names of a list, after a question where a line may be one player or two; null when that was left.
/** @param {string} list @returns {Promise<string[] | null>} */
async function whole(list) {
  const { names, pairs } = namesIn(list);
  if (!pairs) return names;
  const [[one, other]] = pairs;
  const how = await choose("One player a line, or two?", `Your list has two words or names in each line, like ${one} and ${other}.`, [["Cancel", 0], [`One: ${other} ${one}`, 1, "main"], [`One: ${one} ${other}`, 2], [`Two: ${one}, and ${other}`, 3]]);
  if (!how) return null;
  return how === 3 ? names : pairs.map((parts) => (how === 1 ? [...parts].reverse() : parts).join(" "));
}

/** @typedef {Gets["/api/night/begin"]} Begin_ */
