// The staff's room, behind the PIN: names, corrections, the record, and phones.

import { ask, get, post, remove, sentence } from "./api.js";
import { correction } from "./correct.js";
import { choose, form, insist, option } from "./dialog.js";
import { $, disable, el, fill, find, focused, keeping, refill, text } from "./dom.js";
import { answers, lockWords, sideWords, since, wishWords } from "./here.js";
import { newKey } from "./orders.js";
import { showInvite } from "./join.js";
import { title } from "./sides.js";
import { attempt, empty, fetchedAgain, gameSheet, moment, playerLink, sheet } from "./records.js";

const GAMES = 30;
const LOOK_MS = 30000;
const PHONES_MS = 5000;
const IMPORT_S = 120;
const MOVE_S = 40;
const MOST_CHANGED = 200; // players at once
const BRIGHTNESSES = [10, 30, 60, 100];
const WAITS_S = [0, 2, 3, 4, 5, 7, 10];
/** @type {Set<number>} */
const chosen = new Set(); // ids of players
/** @param {string} name @param {() => unknown} act @param {string} style @param {string | null} label */
const button = (name, act, style = "", label = null) => el("button", { type: "button", class: style, onclick: act, "data-key": label ?? name, "aria-label": label }, name);

// A part of the page drawn again; its heading takes the keyboard from what is gone.
/** @param {HTMLElement} node @param {Child[]} children */
const renew = (node, ...children) => keeping(() => fill(node, ...children), () => find(/** @type {HTMLElement} */ (node.closest("section")), "h2"));

// What others have changed and nobody has looked at yet: where it belongs, in words, and how it is drawn. The page draws it
// when somebody taps Show: what a finger is on its way to never moves by itself.
/** @type {Map<HTMLElement, { words: string, draw: () => void }>} */
const news = new Map();
/** @type {WeakMap<HTMLElement, string>} */
const shapes = new WeakMap();

// Draws a part at once when that moves nothing or somebody has just acted here; else holds it back.
/** @param {HTMLElement} node @param {unknown} shown @param {string} words @param {() => void} build @param {boolean} own */
function part(node, shown, words, build, own) {
  const shape = JSON.stringify(shown);
  const draw = () => {
    shapes.set(node, shape);
    build();
  };
  news.delete(node);
  if (own || [undefined, shape].includes(shapes.get(node))) draw();
  else news.set(node, { words, draw });
  tell();
}

function tell() {
  text($("news"), [...news.values()].map(({ words }) => words).join(" "));
  disable($("show"), !news.size);
}

function showNews() {
  const [first] = news.keys();
  for (const { draw } of news.values()) draw();
  news.clear();
  if (focused() === $("show")) $("here-title").focus({ preventScroll: true }); // it goes
  tell();
  first?.closest("section, #cares")?.scrollIntoView();
}

// Who is at each table: remove a phone, lock a table, let newcomers in; and what else staff do with a table.
class Phones {
  // `done(act, words)` does something, and says so.
  /** @param {HTMLElement} node @param {(act: () => Promise<unknown>, words: string) => Promise<unknown>} done */
  constructor(node, done) {
    this.node = node;
    this.done = done;
    this.looking = 0;
    /** @type {AtTable[]} */
    this.shown = [];
    this.folded = /** @type {Set<number>} */ (new Set()); // phones whose page was closed when the list was made
    this.unfolded = /** @type {Set<number>} */ (new Set()); // tables where staff look at them
    this.shape = "";
  }

  // Looked at again while the page is open.
  async look(own = false) {
    clearTimeout(this.looking);
    if (this.node.closest("[hidden]")) return;
    this.looking = setTimeout(() => this.look(), PHONES_MS);
    const answer = await get("/api/phones").catch(() => null);
    if (answer) this.show(answer.tables, own);
    else text($("news"), "The kiosk does not answer. What is shown here may be old.");
  }

  // How many lines there are, and what can be pressed. A name has its line, however long it is.
  /** @param {AtTable[]} tables @param {boolean} own */
  show(tables, own) {
    const shape = tables.map(({ board, locked, asked, phones }) => [board, locked?.by, asked, phones.map(({ phone, waits }) => [phone, waits])]);
    part(this.node, shape, changes(this.shown, tables), () => {
      if (own || this.shape !== JSON.stringify(shape)) this.folded = new Set(tables.flatMap(({ phones }) => phones.filter(({ open, waits }) => !open && !waits).map(({ phone }) => phone)));
      this.shape = JSON.stringify(shape);
      this.draw(tables);
    }, own);
  }

  // Each part is drawn again only when what it shows has changed, and nothing while it is pressed: a button that is drawn
  // again between the press and the release answers neither.
  /** @param {AtTable[]} tables */
  draw(tables) {
    if (this.node.matches(":active")) return;
    this.shown = tables;
    const had = this.node.contains(focused());
    refill(this.node, tables.map(({ board }) => board), () => tables.length ? tables.map(() => el("article", { class: "place" }, el("div"), el("div"), el("div"), el("div"))) : empty("No board has been found yet."));
    tables.forEach((table, at) => {
      const { board, name, locked, phones, sides, asked } = table;
      const [door, wish, list, more] = this.node.children[at].children;
      refill(door, { board, name, locked }, () => this.door(table));
      refill(wish, { board, asked }, () => asked && this.wish(board, asked));
      refill(list, { board, name, phones, sides, folded: [...this.folded] }, () => this.list(table));
      refill(more, { board, name }, () => this.more(table));
    });
    if (had && !this.node.contains(focused())) $("here-title").focus(); // what had the keyboard is gone
  }

  /** @param {AtTable} table */
  door(table) {
    const { board, name, locked } = table;
    const lock = el("button", { type: "button", "data-key": `lock ${board}`, "aria-label": locked ? `Open ${name}` : `Lock ${name}`,
      onclick: () => this.done(() => post(`/api/boards/${board}/lock`, { locked: !locked }), locked ? `${name} is open.` : `${name} is locked.`) }, locked ? "Open" : "Lock");
    return [el("div", { class: "over" }, el("h3", {}, el("a", { href: `/table/${board}` }, name)), lock), el("p", { class: "muted small" }, lockWords(table))];
  }

  /** @param {number} board @param {Asked} asked */
  wish(board, asked) {
    const { rev, points, text: words } = asked;
    const right = points === null ? {} : { points };
    /** @param {boolean} yes */
    const answer = (yes) => this.done(() => post(`/api/boards/${board}/orders`, { do: "allow", key: newKey(), rev, yes, ...right }), yes ? `${points === null ? "Undone" : "Corrected"}: ${words}.` : "The score stays.");
    return el("div", { class: "row start" }, el("strong", {}, wishWords(asked)), [true, false].map((yes) =>
      el("button", { type: "button", "data-key": `${yes} ${board}`, onclick: () => answer(yes) }, yes ? `Yes, ${points === null ? "undo" : "correct"} it` : "No, keep it")));
  }

  /** @param {AtTable} table */
  list(table) {
    const { board, name, phones } = table;
    if (!phones.length) return el("p", { class: "muted" }, "No phone has joined.");
    const closed = phones.filter(({ phone }) => this.folded.has(phone));
    /** @param {string} words @param {Phone[]} some */
    const listed = (words, some) => some.length > 0 && sheet(`${words} ${name}`, [["Phone", "wide"], ["Actions", "num"]], some.map((phone) => this.row(phone, table)));
    const fold = closed.length > 0 && el("details", { open: this.unfolded.has(board) },
      el("summary", { "data-key": `closed ${board}` }, closed.length === 1 ? "1 phone with the page closed" : `${closed.length} phones with the page closed`), listed("Phones with the page closed at", closed));
    if (fold) fold.addEventListener("toggle", () => (fold.open ? this.unfolded.add(board) : this.unfolded.delete(board)));
    return [listed("Phones at", phones.filter(({ phone }) => !this.folded.has(phone))), fold];
  }

  /** @param {Phone} phone @param {AtTable} table */
  row(phone, { board, name, sides }) {
    const path = /** @type {const} */ (`/api/boards/${board}/phones/${phone.phone}`);
    /** @param {number} _ @param {boolean} admit */
    const answer = (_, admit) => this.done(() => post(path, { admit }), admit ? `${phone.name} is in at ${name}.` : `${phone.name} was turned away.`);
    return el("tr", {},
      el("td", { class: "wide who" }, el("strong", {}, title(phone.by)), el("span", { class: "muted small" }, sideWords(phone, sides), " · ", since(phone))),
      el("td", {}, el("div", { class: "actions" },
        phone.waits && answers(phone, answer),
        el("button", { type: "button", "aria-label": `Remove ${phone.name}`, "data-key": `remove ${phone.phone}`, class: "grave", onclick: () => this.remove(phone, path, name) }, "Remove"))));
  }

  /** @param {AtTable} table */
  more({ board, name }) {
    return el("div", { class: "actions" },
      button("Code to join", () => invite(board, name), "", `Code to join ${name}`),
      button("Light and sound", () => lightAndSound(board, name), "", `Light and sound of ${name}`),
      button("Correct a score", () => correctScore(board, name), "", `Correct a score at ${name}`),
      button("Rename", () => renameTable(board, name), "", `Rename ${name}`));
  }

  /** @param {Phone} phone @param {`/api/boards/${number}/phones/${number}`} path @param {string} name */
  async remove(phone, path, name) {
    const words = "It cannot join any table again this evening. In a private window it would look like a new phone: lock the table to keep that out.";
    if (await choose(`Remove ${phone.name}?`, words, [["Cancel", false], ["Remove", true, "grave"]])) await this.done(() => remove(path), `${phone.name} was removed from ${name}.`);
  }
}

// What is new at the tables, in words: first who has to wait for an answer.
/** @param {AtTable[]} before @param {AtTable[]} after */
function changes(before, after) {
  /** @type {string[]} */
  const asks = [], others = [];
  for (const table of after) {
    const { board, name, locked, asked, phones } = table;
    const old = before.find((one) => one.board === board);
    /** @param {AtTable | undefined} at @param {Phone} phone */
    const has = (at, phone) => at?.phones.some((one) => one.phone === phone.phone && one.waits === phone.waits);
    if (asked && asked.rev !== old?.asked?.rev) asks.push(wishWords(asked).trim());
    for (const phone of phones) if (!has(old, phone)) (phone.waits ? asks : others).push(phone.waits ? `${phone.name} is waiting at ${name}.` : `${phone.name} is at ${name}.`);
    for (const phone of old?.phones ?? []) if (!phones.some((one) => one.phone === phone.phone)) others.push(`${phone.name} has left ${name}.`);
    if (Boolean(locked) !== Boolean(old?.locked)) others.push(`${name} is ${locked ? "locked" : "open"}.`);
  }
  return [...asks, ...others].join(" ") || "The tables have changed.";
}

/** @template T @param {() => Promise<T>} act @param {string | ((result: T) => string)} words @returns {Promise<unknown>} */
async function done(act, words) {
  text($("said"), "");
  const result = await attempt(async () => ({ of: await act() }));
  if (!result) {
    if (await isGuest()) door();
    return null;
  }
  text($("said"), typeof words === "function" ? words(result.of) : words);
  await show();
  return result;
}

// Whether this device has no staff's rights any more, since the PIN is another one now.
async function isGuest() {
  const me = await get("/api/me").catch(() => null);
  return me !== null && me.role !== "staff";
}

// Does what a form has; one that is refused comes back as it was filled in, and says why.
/** @param {string} title @param {Field[]} fields @param {string} verb @param {string} hint @param {(given: Given) => Promise<unknown>} act @param {(given: Given) => string} words */
async function fillIn(title, fields, verb, hint, act, words) {
  let guest = false;
  const given = await insist(title, fields, verb, hint, async (typed) => {
    try {
      await act(typed);
      return "";
    } catch (failure) {
      if (failure.words === undefined) throw failure;
      guest = await isGuest();
      return guest ? "" : failure.words;
    }
  });
  if (guest) return door();
  return given && done(async () => {}, words(given));
}

function door() {
  const pin = el("input", { id: "pin", type: "password", inputmode: "numeric", autocomplete: "current-password", required: true, maxlength: 12 });
  const entrance = el("form", { class: "form alone" }, el("p", { class: "muted" }, "For the people who run this pub. The kiosk showed the PIN when it first started. Lost the PIN? Whoever set up the kiosk can make a new one:", el("code", { class: "command" }, "cribboard kiosk --new-pin")), el("label", { class: "field", for: "pin" }, el("span", {}, "PIN"), pin), el("button", { type: "submit", class: "main" }, "Enter"));
  entrance.addEventListener("submit", async (event) => {
    event.preventDefault();
    text($("said"), ""); // that somebody has left
    if (await attempt(() => post("/api/staff", { pin: pin.value.trim() }))) show();
    else pin.select();
  });
  fill($("door"), entrance);
  $("door").hidden = false;
  $("room").hidden = true;
  $("jump").hidden = true;
  $("show").hidden = true;
  pin.focus();
}

async function show() {
  const me = await fetchedAgain("/api/me");
  if (!me) return;
  if (me.role !== "staff") return door();
  keeping(() => {
    $("door").hidden = true;
    $("room").hidden = false;
  }, () => $("here-title"));
  $("jump").hidden = false;
  $("show").hidden = false;
  cares(true);
  phones.look(true);
  await screens();
  const [newer, known] = await Promise.all([newest(), fetchedAgain("/api/players")]);
  if (!newer || !known) return; // "none yet" would be wrong
  const [{ games, more }, { players }] = [newer, known];
  listed = states(games);
  news.delete($("games"));
  tell();
  renew($("games"),
    el("p", { class: "muted" }, el("strong", {}, "Abandon"), " an open game when its players have left. If somebody plays it on, it is open again."),
    el("p", { class: "muted" }, el("strong", {}, "Withdraw"), " a game that was not a real one, such as a trial. It counts for nobody; “Count again” brings it back."),
    gameSheet(games, corrections), more && button("Older games", async () => {
    pages += 1;
    await show();
    find($("games"), `tr:nth-child(${games.length + 1}) a`)?.focus({ preventScroll: true });
  }));
  renew($("players"), ...(players.length ? playerList(players) : [empty("Players appear here when a game has names.")]));
}

// What the screens show and when the boards are quiet, as staff choose it.
async function screens() {
  const [house, quiet] = await Promise.all([fetchedAgain("/api/pub"), fetchedAgain("/api/quiet")]);
  if (!house || !quiet) return;
  const box = el("input", { type: "checkbox", id: "odds", "data-key": "odds", checked: house.odds, "aria-describedby": "odds-about", onchange: async () => {
    const shown = box.checked;
    if (!await done(() => post("/api/pub", { odds: shown }), shown ? "The screens show the chance to win." : "The screens no longer show the chance to win.")) box.checked = !shown;
  } });
  renew($("screens"),
    el("label", { class: "check", for: "odds" }, box, "Show the chance to win on the screens"),
    el("p", { class: "muted", id: "odds-about" }, "For games of two: a bar under the scores, by the scores and the deal. The cards play no part."),
    el("div", { class: "row start" },
      el("span", {}, quiet.begins ? `Quiet hours: no board beeps from ${quiet.begins} to ${quiet.ends}.` : "No quiet hours: the boards may beep at any time."),
      button("Quiet hours …", () => quietHours(quiet)),
      quiet.begins && button("End quiet hours", () => done(() => post("/api/quiet", { begins: null, ends: null }), "There are no quiet hours."))));
}

/** @param {Quiet} before */
const quietHours = ({ begins, ends }) => fillIn("Quiet hours", [
  { name: "begins", label: "From", kind: "time", value: begins ?? "22:00", required: true },
  { name: "ends", label: "To", kind: "time", value: ends ?? "09:00", required: true },
], "Save", "Between these times no board beeps, unless somebody chooses another sound. Then each is as loud as before.",
(given) => post("/api/quiet", { begins: given.begins, ends: given.ends }), (given) => `The boards are quiet from ${given.begins} to ${given.ends}.`);

// What staff have to see to; looked at again while the page is open.
async function cares(own = false) {
  clearTimeout(looking);
  if ($("room").hidden) return;
  looking = setTimeout(() => cares(), LOOK_MS);
  if (!own) lookAtGames();
  const house = await get("/api/house").catch(() => null);
  if (!house) return;
  const { away, unwritten, unsaved, backup } = house;
  const notices = [...unsaved.map(unsafe), ...unwritten.map(untold), ...(backup?.warnings ?? [])];
  const all = [...away.map(silentWords), ...notices];
  const fresh = all.filter((words) => !noticed.includes(words));
  part($("cares"), [away, notices], fresh.join(" ") || "A notice is over.", () => {
    noticed = all;
    fill($("cares"), away.map(silent), notices.map((words) => el("p", { class: "notice" }, words)));
    text($("backup"), backup?.newest ? `Newest backup: ${age(backup.hours)}, ${moment(backup.newest)}, in ${backup.folder}.` : "");
  }, own);
}

// Whether games have begun or ended since they were listed; looked at again with what staff have to see to.
async function lookAtGames() {
  const newer = await get(`/api/games?limit=${GAMES}`).catch(() => null);
  if (!newer || !listed || states(newer.games) === listed) return;
  news.set($("games"), { words: "Games have begun or ended.", draw: show });
  tell();
}

// The newest games: which they are, and whether they are over.
/** @param {Game[]} games */
const states = (games) => JSON.stringify(games.slice(0, GAMES).map(({ id, state }) => [id, state]));

/** @param {AwayBoard} away */
const silentWords = ({ table: name, text: words, hint }) => [`${name}: ${words}`, hint].filter(Boolean).map(sentence).join(" ");

/** @param {AwayBoard} away */
function silent(away) {
  const { table: name, board, other } = away;
  return el("div", { class: "notice" }, el("p", {}, silentWords(away)),
    other && el("div", { class: "row start" }, button("Move the game to this board …", () => move(board, name), "", `Move the game of ${name} to this board`)));
}

// A score of the game that is on, with its pegs.
/** @param {number} board @param {string} name @param {Parameters<typeof correction>[2]} again @returns {Promise<void>} */
async function correctScore(board, name, again = {}) {
  const path = /** @type {const} */ (`/api/boards/${board}`);
  const answer = await attempt(() => get(`${path}/lines`));
  const given = answer && (await correction(answer.lines, `At ${name}. The pegs follow.`, again));
  if (given) await done(() => post(`${path}/orders`, { do: "correct", key: newKey(), rev: given.line.rev, points: given.points }), ({ text: said }) => said);
}

// The game goes on on the board that is plugged in instead of its own; first staff see what that one holds.
/** @param {number} number @param {string} name */
async function move(number, name) {
  const path = /** @type {const} */ (`/api/boards/${number}/move`);
  const there = await attempt(() => get(path));
  if (!there) return;
  const words = [
    el("span", {}, "Score, names, games won, dealer, house rules, cards, phones and codes move to the board that is plugged in now."),
    el("strong", {}, there.text), ...there.left.map((one) => el("strong", {}, one)),
    el("span", { class: "muted" }, "UNDO on that board brings back what was on it, until somebody scores. To move the game back, plug in the other board again."),
  ].map((one) => el("span", { class: "part" }, one));
  const { uid, rev } = there;
  if (await choose(`Move the game of ${name}?`, words, [["Cancel", false], ["Move the game", true, "main"]])) {
    await done(() => ask("POST", path, { uid, rev }, { seconds: MOVE_S }), `The game of ${name} goes on on this board.`);
  }
}

/** @param {Trouble} unsaved */
const unsafe = ({ table: name, text: words, hint }) => ["Play goes on, but a restart of the kiosk would forget what happens now", `${name || "This kiosk"}: ${words}`, hint].map(sentence).join(" ");

/** @param {Unwritten} trouble */
function untold({ table, why, since, no_file }) {
  const words = `The history of ${table} has not been written since ${moment(since)}: ${why}.`;
  if (no_file) return `${words} A second file cannot be written either: ${no_file}. The board keeps its newest events only: see to it now.`;
  return `${words} A second file keeps what happens, and the kiosk adds it to the history later.`;
}

/** @param {number} hours */
function age(hours) {
  if (hours < 1) return "less than an hour old";
  return hours < 48 ? `${hours} hour${hours === 1 ? "" : "s"} old` : `${Math.floor(hours / 24)} days old`;
}

const phones = new Phones($("here"), done);
let looking = 0;
let listed = ""; // the states of the games that are shown
/** @type {string[]} */
let noticed = [];
let pages = 1;
/** @returns {Promise<{ games: Game[], more?: boolean } | null>} */
async function newest() {
  /** @type {Game[]} */
  const games = [];
  for (let page = 0; page < pages; page += 1) {
    const answer = await fetchedAgain(`/api/games?limit=${GAMES}${games.length ? `&before=${games[games.length - 1].id}` : ""}`);
    if (!answer) return null;
    games.push(...answer.games);
    if (answer.games.length < GAMES) return { games };
  }
  return { games, more: true };
}

/** @param {number} number @param {string} name */
async function invite(number, name) {
  const invitation = await attempt(() => get(`/api/boards/${number}/invite`));
  if (!invitation) return;
  await showInvite(`Join ${name}`, invitation, "QR code that joins this table");
}

// How bright and loud a board is, and whether points from its buttons wait for OK; what stays is not sent.
// After a refusal the same form comes back, with what was chosen and why not.
/** @param {number} number @param {string} name @param {Partial<Chosen>} tried @returns {Promise<unknown>} */
async function lightAndSound(number, name, tried = {}, wrong = "") {
  const path = /** @type {const} */ (`/api/boards/${number}/choice`);
  const before = await attempt(() => get(path));
  if (!before) return;
  const { brightness, sound, commit_s } = before;
  const shown = { ...before, ...tried };
  const bright = [...new Set([...BRIGHTNESSES, brightness])].sort((a, b) => a - b).map((percent) => option(`${percent} %`, percent));
  const waits = [...new Set([...WAITS_S, commit_s])].sort((a, b) => a - b).map((seconds) => option(seconds ? `after ${seconds} s, or with OK` : "only with OK", seconds));
  const given = await form(`Light and sound of ${name}`, [
    { name: "brightness", label: "Brightness", kind: "choice", choices: bright, value: shown.brightness, number: true },
    { name: "sound", label: "Sound", kind: "choice", choices: [option("off", "off"), option("quiet", "quiet"), option("on", "on")], value: shown.sound },
    { name: "commit_s", label: "Points from its buttons count", kind: "choice", choices: waits, value: shown.commit_s, number: true },
  ], "Save", "It takes effect at once.", wrong);
  if (!given) return;
  const changed = { ...given.brightness !== brightness && { brightness: given.brightness }, ...given.sound !== sound && { sound: given.sound }, ...given.commit_s !== commit_s && { commit_s: given.commit_s } };
  if (!Object.keys(changed).length) return;
  let kept = true;
  const failure = await post(path, changed).then((now) => { ({ kept } = now); return ""; }, (refusal) => refusal.words);
  if (failure) return lightAndSound(number, name, given, failure);
  await done(async () => true, kept ? `${name} is changed.` : `${name} is changed. Check it after a power cut: the board keeps it only from the first score of the next game on.`);
}

/** @param {number} number @param {string} before */
const renameTable = (number, before) => renameThat(before, (given) => post(`/api/boards/${number}`, given));

/** @param {string} before @param {(given: Given) => Promise<unknown>} act */
const renameThat = (before, act) => fillIn(`Rename ${before}`, [{ name: "name", label: "Name", kind: "text", value: before, required: true }], "Rename", "", act, (given) => `${before} is now ${given.name}.`);

/** @param {Game} game @returns {Child[]} */
function corrections(game) {
  const name = `game ${game.id}`;
  return [
    game.state === "open" && button("Abandon", () => sure(`Abandon ${name}?`, "For a game whose players have left. It stays in the history without a winner. If somebody plays it on, it is open again.", "Abandon", () => post(`/api/games/${game.id}`, { abandon: true })), "grave", `Abandon ${name}`),
    game.state !== "withdrawn" && button("Withdraw", () => sure(`Withdraw ${name}?`, "For a game that was not a real one, such as a trial. It counts for nobody; “Count again” brings it back.", "Withdraw", () => post(`/api/games/${game.id}`, { withdraw: true })), "grave", `Withdraw ${name}`),
    game.state === "withdrawn" && button("Count again", () => done(() => post(`/api/games/${game.id}`, { withdraw: false }), "It counts again."), "", `Count ${name} again`),
    button("Names", () => seats(game), "", `Names in ${name}`),
  ].filter(Boolean);
}

/** @param {string} title @param {string} words @param {string} verb @param {() => Promise<unknown>} act */
async function sure(title, words, verb, act) {
  if (await choose(title, words, [["Cancel", false], [verb, true, "grave"]])) await done(act, `${verb}: done.`);
}

/** @param {Game} game */
const seats = (game) => fillIn(`Who played game ${game.id}?`, game.seats.map((seat) => ({ name: `seat${seat.place}`, label: `Player ${seat.place}`, kind: "text", value: seat.name ?? "" })), "Save", "", async (given) => {
  const changed = game.seats.map((seat) => ({ ...seat, now: given[`seat${seat.place}`] })).filter((seat) => seat.now !== (seat.name ?? ""));
  if (changed.length) await post(`/api/games/${game.id}`, { seats: Object.fromEntries(changed.map((seat) => [seat.place, seat.now])) });
}, () => "The names are saved.");


// Many names at once: those that are chosen are renamed or erased together.
/** @param {Known[]} players @returns {Child[]} */
function playerList(players) {
  for (const id of chosen) if (!players.some((one) => one.id === id)) chosen.delete(id);
  /** @type {Map<number, HTMLInputElement>} */
  const boxes = new Map();
  const named = () => players.filter((one) => chosen.has(one.id));
  const many = () => `${chosen.size} player${chosen.size === 1 ? "" : "s"}`;
  const fresh = players.filter((one) => one.new);
  const count = el("p", { class: "muted", role: "status" });
  const renaming = button("Rename the chosen …", () => renameMany(named()));
  const erasing = button("Erase the chosen …", () => eraseMany(named(), many()), "grave");
  const tell = () => {
    for (const [id, box] of boxes) box.checked = chosen.has(id);
    text(count, chosen.size ? `${many()} chosen.` : "None chosen.");
    renaming.disabled = erasing.disabled = !chosen.size;
  };
  /** @param {Known[]} ones */
  const take = (ones) => {
    chosen.clear();
    for (const one of ones.slice(0, MOST_CHANGED)) chosen.add(one.id);
    tell();
  };
  const rows = players.map((one) => {
    const box = el("input", { type: "checkbox", "aria-label": `Choose ${one.name}`, onchange: () => {
      if (box.checked && chosen.size < MOST_CHANGED) chosen.add(one.id);
      else chosen.delete(one.id);
      tell();
    } });
    boxes.set(one.id, box);
    return player(one, players, box);
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
async function renameMany(ones) {
  /** @type {Field[]} */
  const fields = ones.map((one) => ({ name: `name${one.id}`, label: one.name, kind: "text", value: one.name, required: true }));
  const given = await form("Rename the chosen", fields, "Rename", "Each old name still means the same player.");
  if (!given) return;
  const pairs = ones.map((one) => [one.id, given[`name${one.id}`]]).filter(([, name], at) => name !== ones[at].name);
  if (pairs.length) await changeMany(() => post("/api/players", { rename: pairs }), `Renamed: ${pairs.length}.`);
}

/** @param {Known[]} ones @param {string} many */
async function eraseMany(ones, many) {
  const names = ones.map((one) => one.name).join(", ");
  if (await choose(`Erase ${many}?`, `${names}. The names are erased for good; the games stay, as guests’. This cannot be undone.`, [["Cancel", false], ["Erase", true, "grave"]])) {
    await changeMany(() => post("/api/players", { erase: ones.map((one) => one.id) }), `Erased: ${many}.`);
  }
}

/** @param {() => Promise<unknown>} act @param {string} words */
async function changeMany(act, words) {
  const changed = await done(async () => {
    await act();
    chosen.clear();
  }, words);
  if (changed) $("players-title").focus();
}

/** @param {Known} one @param {Known[]} players @param {Child} box */
function player(one, players, box) {
  const { id } = one;
  return el("tr", {}, el("td", { class: "wide" }, el("div", { class: "choice" }, box, playerLink(id, one.name))), el("td", { class: "num", "data-of": one.games === 1 ? "game" : "games" }, String(one.games)),
    el("td", {}, el("div", { class: "actions" },
      button("Rename", () => rename(id, one.name), "", `Rename ${one.name}`),
      players.length > 1 && button("Same as …", () => merge(one, players), "", `${one.name} is the same as …`),
      button("Erase", () => sure(`Erase ${one.name}?`, "The name is erased for good; the games stay, as a guest’s. This cannot be undone.", "Erase", () => remove(`/api/players/${id}`)), "grave", `Erase ${one.name}`))));
}

/** @param {number} id @param {string} before */
const rename = (id, before) => renameThat(before, (given) => post(`/api/players/${id}`, given));

/** @param {Known} one @param {Known[]} players */
async function merge(one, players) {
  const others = players.filter((other) => other !== one).map((other) => option(other.name, other.id));
  const given = await form(`Who is ${one.name}?`, [{ name: "is", label: "The same player as", kind: "choice", choices: others }], "Save", "From now on both names mean one player. This cannot be undone.");
  if (!given) return;
  const [name, other] = others.find(([, id]) => String(id) === String(given.is)) ?? [];
  await done(() => post(`/api/players/${one.id}`, { is: other }), `${one.name} and ${name} are now one player.`);
}

const changePin = () => fillIn("Change the PIN", [{ name: "pin", label: "Current PIN", kind: "secret", required: true }, { name: "new", label: "New PIN, 6 to 12 digits", kind: "secret", required: true }], "Change", "All other devices must enter the new one.",
(given) => post("/api/pin", given), () => "The PIN is changed.");

/** @param {ImportResult} added */
function added({ games, events, corrections: put, nights }) {
  /** @param {number} number @param {string} what */
  const many = (number, what) => `${number} ${what}${number === 1 ? "" : "s"}`;
  if (!games && !events && !put && !nights) return "Nothing was added: everything in the file is already in the record.";
  return `Added: ${many(games, "game")}, ${many(events, "event")}, ${many(put, "correction")}${nights ? `, ${many(nights, "league night")}` : ""}.`;
}

function room() {
  const file = el("input", { type: "file", accept: "application/json,.json", class: "hide", id: "file", tabindex: -1, "aria-hidden": "true" });
  file.addEventListener("change", async () => {
    const [chosen] = file.files ?? [];
    file.value = ""; // so that the same file can be chosen again at once
    if (chosen) await done(async () => ask("POST", "/api/import", await chosen.text(), { seconds: IMPORT_S }), added);
  });
  fill($("data"),
    el("a", { class: "button", href: "/api/export.csv", download: "" }, "Results as CSV"),
    el("a", { class: "button", href: "/api/export.json", download: "" }, "Everything as JSON"),
    button("Import JSON …", () => file.click()), file);
  fill($("house"),
    el("a", { class: "button", href: "/print" }, "Codes to print"),
    button("Send all phones away", () => sure("Send all phones away?", "Every phone must join again with the code on the screen.", "Send away", () => post("/api/leave"))),
    button("Change the PIN …", changePin),
    button("Leave", () => done(() => remove("/api/staff"), "You have left.")));
}

room();
$("show").onclick = showNews;
show();
