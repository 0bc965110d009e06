// Players as staff see them: renamed, merged, erased, one or many at once.

import { post, remove } from "./api.js";
import { choose, form, option } from "./dialog.js";
import { $, el, text } from "./dom.js";
import { empty, playerLink, sheet } from "./records.js";
import { button, renew } from "./staff-parts.js";

const MOST_CHANGED = 200; // players at once

/** @typedef {import("./staff-acts.js").Acts} Acts */

export class Players {
  /** @param {HTMLElement} node @param {Acts} acts */
  constructor(node, acts) {
    this.node = node;
    this.acts = acts;
    /** @type {Set<number>} */
    this.chosen = new Set(); // ids of players
  }

  /** @param {Known[]} players */
  show(players) {
    renew(this.node, ...(players.length ? this.list(players) : [empty("Players appear here when a game has names.")]));
  }

  // Many names at once: those that are chosen are renamed or erased together.
  /** @param {Known[]} players @returns {Child[]} */
  list(players) {
    for (const id of this.chosen) if (!players.some((one) => one.id === id)) this.chosen.delete(id);
    /** @type {Map<number, HTMLInputElement>} */
    const boxes = new Map();
    const named = () => players.filter((one) => this.chosen.has(one.id));
    const many = () => `${this.chosen.size} player${this.chosen.size === 1 ? "" : "s"}`;
    const fresh = players.filter((one) => one.new);
    const count = el("p", { class: "muted", role: "status" });
    const renaming = button("Rename the chosen …", () => this.renameMany(named()));
    const erasing = button("Erase the chosen …", () => this.eraseMany(named(), many()), "grave");
    const tell = () => {
      for (const [id, box] of boxes) box.checked = this.chosen.has(id);
      text(count, this.chosen.size ? `${many()} chosen.` : "None chosen.");
      renaming.disabled = erasing.disabled = !this.chosen.size;
    };
    /** @param {Known[]} ones */
    const take = (ones) => {
      this.chosen.clear();
      for (const one of ones.slice(0, MOST_CHANGED)) this.chosen.add(one.id);
      tell();
    };
    const rows = players.map((one) => {
      const box = el("input", { type: "checkbox", "aria-label": `Choose ${one.name}`, onchange: () => {
        if (box.checked && this.chosen.size < MOST_CHANGED) this.chosen.add(one.id);
        else this.chosen.delete(one.id);
        tell();
      } });
      boxes.set(one.id, box);
      return this.player(one, players, box);
    });
    tell();
    return [
      el("div", { class: "row start" },
        fresh.length > 0 && button(`Choose tonight’s new names (${Math.min(fresh.length, MOST_CHANGED)})`, () => take(fresh)), button("Choose none", () => take([])), renaming, erasing),
      count,
      sheet("Players", [["Player", "wide"], ["Games", "num"], ["Actions", "num"]], rows),
    ];
  }

  /** @param {Known[]} ones */
  async renameMany(ones) {
    /** @type {Field[]} */
    const fields = ones.map((one) => ({ name: `name${one.id}`, label: one.name, kind: "text", value: one.name, required: true }));
    const given = await form("Rename the chosen", fields, "Rename", "Each old name still means the same player.");
    if (!given) return;
    const pairs = ones.map((one) => [one.id, given[`name${one.id}`]]).filter(([, name], at) => name !== ones[at].name);
    if (pairs.length) await this.changeMany(() => post("/api/players", { rename: pairs }), `Renamed: ${pairs.length}.`);
  }

  /** @param {Known[]} ones @param {string} many */
  async eraseMany(ones, many) {
    const names = ones.map((one) => one.name).join(", ");
    if (await choose(`Erase ${many}?`, `${names}. The names are erased for good; the games stay, as guests’. This cannot be undone.`, [["Cancel", false], ["Erase", true, "grave"]])) {
      await this.changeMany(() => post("/api/players", { erase: ones.map((one) => one.id) }), `Erased: ${many}.`);
    }
  }

  /** @param {() => Promise<unknown>} act @param {string} words */
  async changeMany(act, words) {
    const changed = await this.acts.done(async () => {
      await act();
      this.chosen.clear();
    }, words);
    if (changed) $("players-title").focus();
  }

  /** @param {Known} one @param {Known[]} players @param {Child} box */
  player(one, players, box) {
    const { id } = one;
    return el("tr", {}, el("td", { class: "wide" }, el("div", { class: "choice" }, box, playerLink(id, one.name))), el("td", { class: "num", "data-of": one.games === 1 ? "game" : "games" }, String(one.games)),
      el("td", {}, el("div", { class: "actions" },
        button("Rename", () => this.rename(id, one.name), "", `Rename ${one.name}`),
        players.length > 1 && button("Same as …", () => this.merge(one, players), "", `${one.name} is the same as …`),
        button("Erase", () => this.acts.sure(`Erase ${one.name}?`, "The name is erased for good; the games stay, as a guest’s. This cannot be undone.", "Erase", () => remove(`/api/players/${id}`)), "grave", `Erase ${one.name}`))));
  }

  /** @param {number} id @param {string} before */
  rename(id, before) {
    return this.acts.rename(before, (given) => post(`/api/players/${id}`, given));
  }

  /** @param {Known} one @param {Known[]} players */
  async merge(one, players) {
    const others = players.filter((other) => other !== one).map((other) => option(other.name, other.id));
    const given = await form(`Who is ${one.name}?`, [{ name: "is", label: "The same player as", kind: "choice", choices: others }], "Save", "From now on both names mean one player. This cannot be undone.");
    if (!given) return;
    const [name, other] = others.find(([, id]) => String(id) === String(given.is)) ?? [];
    await this.acts.done(() => post(`/api/players/${one.id}`, { is: other }), `${one.name} and ${name} are now one player.`);
  }
}
