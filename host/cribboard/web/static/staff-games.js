// Games as staff see them: abandoned, withdrawn, counted again, with other names.

import { get, post } from "./api.js";
import { el, find } from "./dom.js";
import { fetchedAgain, gameSheet } from "./records.js";
import { button, news, renew, tell } from "./staff-parts.js";

const GAMES = 30;

/** @typedef {import("./staff-acts.js").Acts} Acts */

// The newest games: which they are, and whether they are over.
/** @param {Game[]} games */
const states = (games) => JSON.stringify(games.slice(0, GAMES).map(({ id, state }) => [id, state]));

export class Games {
  /** @param {HTMLElement} node @param {Acts} acts */
  constructor(node, acts) {
    this.node = node;
    this.acts = acts;
    this.listed = ""; // the states of the games that are shown
    this.pages = 1;
  }

  /** @returns {Promise<{ games: Game[], more?: boolean } | null>} */
  async newest() {
    /** @type {Game[]} */
    const games = [];
    for (let page = 0; page < this.pages; page += 1) {
      const answer = await fetchedAgain(`/api/games?limit=${GAMES}${games.length ? `&before=${games[games.length - 1].id}` : ""}`);
      if (!answer) return null;
      games.push(...answer.games);
      if (answer.games.length < GAMES) return { games };
    }
    return { games, more: true };
  }

  /** @param {{ games: Game[], more?: boolean }} newest */
  show({ games, more }) {
    this.listed = states(games);
    news.delete(this.node);
    tell();
    renew(this.node,
      el("p", { class: "muted" }, el("strong", {}, "Abandon"), " an open game when its players have left. If somebody plays it on, it is open again."),
      el("p", { class: "muted" }, el("strong", {}, "Withdraw"), " a game that was not a real one, such as a trial. It counts for nobody; “Count again” brings it back."),
      gameSheet(games, (game) => this.corrections(game)), more && button("Older games", async () => {
        this.pages += 1;
        await this.acts.show();
        find(this.node, `tr:nth-child(${games.length + 1}) a`)?.focus({ preventScroll: true });
      }));
  }

  // Whether games have begun or ended since they were listed; looked at again with what staff have to see to.
  async look() {
    const newer = await get(`/api/games?limit=${GAMES}`).catch(() => null);
    if (!newer || !this.listed || states(newer.games) === this.listed) return;
    news.set(this.node, { words: "Games have begun or ended.", draw: this.acts.show });
    tell();
  }

  /** @param {Game} game @returns {Child[]} */
  corrections(game) {
    const name = `game ${game.id}`;
    return [
      game.state === "open" && button("Abandon", () => this.acts.sure(`Abandon ${name}?`, "For a game whose players have left. It stays in the history without a winner. If somebody plays it on, it is open again.", "Abandon", () => post(`/api/games/${game.id}`, { abandon: true })), "grave", `Abandon ${name}`),
      game.state !== "withdrawn" && button("Withdraw", () => this.acts.sure(`Withdraw ${name}?`, "For a game that was not a real one, such as a trial. It counts for nobody; “Count again” brings it back.", "Withdraw", () => post(`/api/games/${game.id}`, { withdraw: true })), "grave", `Withdraw ${name}`),
      game.state === "withdrawn" && button("Count again", () => this.acts.done(() => post(`/api/games/${game.id}`, { withdraw: false }), "It counts again."), "", `Count ${name} again`),
      button("Names", () => this.seats(game), "", `Names in ${name}`),
    ].filter(Boolean);
  }

  /** @param {Game} game */
  seats(game) {
    return this.acts.fillIn(`Who played game ${game.id}?`, game.seats.map((seat) => ({ name: `seat${seat.place}`, label: `Player ${seat.place}`, kind: "text", value: seat.name ?? "" })), "Save", "", async (given) => {
      const changed = game.seats.map((seat) => ({ ...seat, now: given[`seat${seat.place}`] })).filter((seat) => seat.now !== (seat.name ?? ""));
      if (changed.length) await post(`/api/games/${game.id}`, { seats: Object.fromEntries(changed.map((seat) => [seat.place, seat.now])) });
    }, () => "The names are saved.");
  }
}
