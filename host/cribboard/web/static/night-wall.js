// A night as it is read from across the room: who plays where, how everybody stands, at the end the podium. It fills a
// television, or the part that the screen of all tables has for it.

import { get } from "./api.js";
import { el, find, isCut, picture, refill } from "./dom.js";
import { invitation } from "./join.js";
import { CONFIRM, apart, isDue, isPlayed, isUnsure, latest, onPodium, playing, pointsWords, rank, quarrels, sittingOut, SHORTEST, shortNames, signed, toConfirm, upcoming } from "./night-parts.js";

const TURN_MS = 12000;
const CODE_MS = 60000;
const AGAIN_MS = 3000;
const CODE_TURN = 3; // one of so many turns has the code in the place of the standings, where it is small or not there
const EARLY = 2; // after so many rounds half as often, where it is small
const MATCHES = 10; // at once
// In hundredths of the screen's shorter side. Nothing that people need is smaller.
const LEAST = 4;
// Parts whose type is as large as fits: what must not be cut there, and the largest.
/** @type {[string, string, number][]} */
const FITTED = [[".calls", ".call:not([data-quarrel]), .call:not([data-quarrel]) .pair", 11], [".call[data-quarrel]", ".pair", 11], [".table-of", ".who, li, ol", 6.6], [".places", "p, strong", 6.6], [".winner", "strong", 44]];
const [LINE, TALL_LINE, LEAST_LINE] = [4.8, 6.8, 4.62]; // of a table or a list, at least; at most, of a table below others; where all fit only so
const [ROW, CALL, TWO_LINES, ROOMY, HIGHEST] = [5, 7.4, 10.8, 10, 32]; // a call: at least; so that it is large; with its place above its names, if these are larger so; before lines of a table grow; at most
const [LOW, NEAR] = [4.7, 0.5]; // a call and what is between them, where not all have room otherwise
const [TIGHT, FEW_LINES] = [6, 3]; // a call, where there is no room for so many lines of standings otherwise
const GAP = 1.4; // between calls
const [FOOT, LARGE_FOOT, FEW_CALLS] = [17.2, 22.4, 4]; // below the calls: the code for latecomers, the newest results; so large below so many
const MANY_CALLS = 7; // with standings: nothing is below more
const LEAST_CODE = 0.8; // of the room below calls, where results are long
const CODE = 44; // of an upright screen before the first result, at least
const WIDE = 120; // a part that is so wide has its table beside the calls
const [PLACE, WINNER, BEST, AWAIT] = [12, 44, 7, 14]; // of the podium, when its table lies below it
const SMALL = 5.4; // calls
const BRIEF = 4.8; // names of calls are rather shortened than smaller
const PLAYING = 0.8; // of the type of names without that word
const TIES = "ties: wins, +/\u2212";
const SCORES = 0.85; // of the largest type of names, where scores have it, too
const [FEW, NARROW] = [8, 14]; // rows in a column, where they could be in two, and letters of a name there

export class Wall {
  /** @param {HTMLElement} node */
  constructor(node, loaded = () => {}) {
    this.node = node;
    this.loaded = loaded; // hears that there is another code
    this.whole = true; // all that the screen shows: it has the code, and room for results
    /** @type {number[]} */
    this.elsewhere = []; // tables that the screen shows beside it
    this.turn = 0;
    this.frame = ""; // the night and the size in which these names had to be shorter
    /** @type {Set<string | undefined>} */
    this.brief = new Set();
    /** @type {HTMLElement[]} */
    this.wide = []; // names that make those of all calls small
    /** @type {import("./night-strip.js").Tells} */
    this.tells = { results: false, standings: false }; // besides the calls
    /** @type {Invite | null} */
    this.invite = null;
    /** @type {Evening | null} */
    this.evening = null;
    /** @type {BestOfNight | null} */
    this.best = null;
    setInterval(() => {
      this.turn += 1;
      this.again();
    }, TURN_MS);
    new ResizeObserver(() => this.again()).observe(node);
  }

  async load() {
    let next = CODE_MS;
    this.invite = await get("/api/night/invite").catch((failure) => {
      if (!failure.unanswered) return null;
      next = AGAIN_MS;
      return this.invite;
    });
    this.best = await get("/api/tonight").then(({ best_hand: best }) => best, () => this.best);
    this.again();
    this.loaded();
    setTimeout(() => this.load(), next);
  }

  again() {
    if (this.evening && this.node.checkVisibility()) this.show(this.evening, this.whole, this.elsewhere);
  }

  /** @param {Evening} evening */
  show(evening, whole = true, elsewhere = this.elsewhere) {
    if (!this.evening) this.load();
    Object.assign(this, { evening, whole, elsewhere });
    const unit = Math.min(innerWidth, innerHeight) / 100;
    const [width, height] = [this.node.clientWidth / unit, this.node.clientHeight / unit];
    if (!height) return;
    const beside = width > WIDE;
    const ended = evening.closed || isPlayed(evening);
    const { left, all, rows, lines, pairs, scans, code, below, results, out, hand, seen } = ended ? this.end(evening, beside, height) : this.course(evening, beside, height);
    this.tells = { results, standings: rows.length > 0, out, hand, scans, confirm: ended, brief: this.brief };
    const changed = refill(this.node, [evening.night, evening.acts, evening.closed, Math.round(width), Math.round(height), rows, seen], () => [
      el("div", { class: "parts", "data-beside": beside, "data-alone": !rows.length && !scans, "data-scans": scans, "data-first": !evening.played, "data-few": !ended && evening.played && evening.standings.length <= FEW }, left(),
        scans && this.invite && el("div", { class: "join", "data-large": true }, joining(this.invite, true, "New? Ask the director.")),
        rows.length > 0 && table(evening, all, rows, lines, pairs, pairs || (!ended && rows.length < all.length)))]);
    if (!changed) return;
    this.node.style.setProperty("--code", code.toFixed(1));
    this.node.style.setProperty("--below", below.toFixed(1));
    for (const code of /** @type {NodeListOf<SVGSVGElement>} */ (this.node.querySelectorAll(".join svg"))) code.style.setProperty("--modules", String(code.viewBox.baseVal.width));
    let cut = this.fitted();
    const list = find(this.node, ".listed");
    const long = () => [...(list?.children ?? [])].some(isCut);
    const lessCode = () => {
      for (let size = code; size > Math.max(FOOT, LEAST_CODE * code) && long(); size -= 1) this.node.style.setProperty("--code", size.toFixed(1)); // results come before a large code
    };
    lessCode();
    const frame = `${evening.night} ${Math.round(width)} ${Math.round(height)}`;
    if (this.frame !== frame) this.brief.clear();
    this.frame = frame;
    const short = (/** @type {ParentNode} */ part) => /** @type {HTMLElement[]} */ ([...part.querySelectorAll("[data-short]:not(.go)")]);
    const over = [...cut, ...this.wide, ...[...(list?.children ?? [])].filter(isCut)];
    for (const node of over) for (const name of node instanceof HTMLElement && node.matches("[data-short]") ? [node] : short(node)) this.brief.add(name.dataset.short);
    const brief = short(this.node).filter((name) => this.brief.has(name.dataset.short));
    if (brief.length) { // nobody has two names on one screen, nor from turn to turn
      for (const name of brief) name.textContent = name.dataset.short ?? "";
      cut = this.fitted();
      this.node.style.setProperty("--code", code.toFixed(1));
      lessCode();
    }
    cut.forEach(squeeze);
    list?.toggleAttribute("data-long", long());
    while (list?.lastElementChild && (isCut(list) || list.lastElementChild.matches("h2"))) list.lastElementChild.remove();
    const title = list && find(list, "h2");
    if (title && title === list.lastElementChild?.previousElementSibling) title.textContent = "Latest result";
  }

  // Type as large as it fits; what is cut at the least is returned.
  fitted() {
    let largest = Infinity; // of the standings: no larger than the calls, unless these are small
    return FITTED.flatMap(([part, read, most]) => [.../** @type {NodeListOf<HTMLElement>} */ (this.node.querySelectorAll(part))].flatMap((each) => {
      const size = () => Number(each.style.getPropertyValue("--size"));
      const limit = part === ".table-of" ? Math.min(most, largest) : most;
      let cut = fit(each, read, limit);
      if (Number(each.dataset.two) > size()) { // long names are larger on a line of their own
        each.toggleAttribute("data-large", true);
        each.dataset.most = each.dataset.two;
        cut = fit(each, read, limit);
      }
      if (part === ".calls") {
        const names = size();
        each.toggleAttribute("data-scores", find(each, ".score") !== null); // scores as large as names, where these lose little by it
        cut = fit(each, read, limit);
        if (cut.length || size() < SCORES * names) {
          each.removeAttribute("data-scores");
          cut = fit(each, read, limit);
        }
        const states = [.../** @type {NodeListOf<HTMLElement>} */ (each.querySelectorAll(".playing"))];
        const wordless = size();
        const show = (/** @type {boolean} */ shown) => {
          for (const state of states) state.hidden = !shown;
          cut = fit(each, read, limit);
        };
        if (states.length && !cut.length) show(true);
        if (cut.length || size() < PLAYING * wordless) show(false); // a word less, where all names would lose much by it
        this.wide = size() < BRIEF ? cutAt(each, read, BRIEF) : [];
        largest = Math.max(size(), SMALL);
      }
      if (part === ".winner" && each.dataset.two === undefined) { // a name of two words is often larger on two lines
        const one = size();
        each.dataset.two = "";
        fit(each, read, limit);
        if (size() <= one) delete each.dataset.two;
        cut = fit(each, read, limit);
      }
      return cut;
    }));
  }

  // While games are played.
  /** @param {Evening} evening @param {boolean} beside @param {number} height */
  course(evening, beside, height) {
    const disputed = quarrels(evening);
    const open = [...disputed, ...playing(evening).filter((match) => !disputed.includes(match) && !this.elsewhere.includes(match.table))];
    const played = evening.standings.filter((row) => row.games);
    const begun = played.length > 0; // a quarrel about the first game is no result
    const needed = FOOT + open.length * (CALL + GAP) + (begun ? (evening.standings.length + 1.2) * LINE + GAP : 0);
    const late = this.whole ? begun : height > needed; // beside a table calls and standings need the place first
    const crowded = this.whole && begun && open.length > MANY_CALLS; // the code is large by turns: calls come before it
    const foot = !late ? 0 : crowded ? 0 : this.whole && open.length <= FEW_CALLS ? LARGE_FOOT : FOOT;
    const atOnce = (/** @type {number} */ high, /** @type {number} */ apart) => Math.max(1, Math.floor((height - foot + apart) / (high + apart)));
    const tallQuarrels = this.whole && open.length > FEW_CALLS && (!crowded || disputed.some((match) => shortNames(evening, match.names, SHORTEST).join("").length > NARROW)); // a quarrel has two rows, and is read before the calls
    const near = open.length + (tallQuarrels ? disputed.length : 0) > atOnce(ROW, GAP); // rather low than by turns: who is not named thinks that nobody calls them
    const gap = near ? NEAR : GAP;
    const calls = this.page(open, Math.min(MATCHES, near ? atOnce(LOW, NEAR) : atOnce(ROW, GAP)));
    const every = crowded || evening.round <= EARLY ? CODE_TURN : 2 * CODE_TURN;
    const codeIsDue = Boolean(this.invite) && this.turn % every === every - 1;
    const scans = this.whole && Boolean(this.invite) && (!begun || codeIsDue); // nobody stands anywhere, or from far the code is too small
    const count = Math.max(1, calls.length + (tallQuarrels ? calls.filter((match) => disputed.includes(match)).length : 0));
    const everybody = begun ? evening.standings : [];
    const pairs = !beside && arePaired(evening, everybody);
    const fitting = (/** @type {number} */ call, least = LINE, legend = true) => Math.max(0, Math.floor((beside ? height : height - foot - count * (call + gap)) / least) - 1 - (legend && !pairs ? 1 : 0)) * (pairs ? 2 : 1);
    const fits = [CALL, TIGHT, ...(pairs ? [LOW] : [])].some((call) => fitting(call, LEAST_LINE, isUnsure(evening)) >= everybody.length); // rather a little lower than by turns
    const stand = fits || this.whole ? everybody : played; // in a quarter nobody waits for a page of those who have not played
    const fewer = [CALL, TIGHT, LOW].map((call) => fitting(call)).find((lines) => lines >= FEW_LINES) ?? 0;
    const most = fits || fitting(TIGHT, LINE, isUnsure(evening)) >= stand.length ? stand.length : [CALL, TIGHT, LOW].map((call) => fitting(call)).find((lines, at) => lines >= (at < 2 && this.whole ? MATCHES : FEW_LINES)) ?? fewer; // calls are not made small for fewer
    const turn = this.invite ? this.turn - Math.floor((this.turn + 1) / every) : this.turn; // no page is lost to the code
    const [leader, ...others] = stand;
    const page = (/** @type {number} */ at) => (most < 2 ? [] : stand.length > most ? [leader, ...this.page(others, most - 1, 1, at)] : stand); // who leads is always seen
    const standing = page(turn);
    const lines = Math.ceil(page(0).length / (pairs ? 2 : 1)); // of every page: nothing moves when it turns
    const high = 1.2 + lines + (!pairs && (isUnsure(evening) || standing.length < stand.length) ? 1 : 0);
    const line = Math.max(fits || standing.length > most ? LEAST_LINE : LINE, Math.min(TALL_LINE, (height - foot - count * (ROOMY + gap)) / high));
    const below = beside || !standing.length ? 0 : high * line + GAP;
    const invites = codeIsDue && !this.whole && !late && below >= FOOT; // who comes late finds no code elsewhere
    const rows = invites || scans ? [] : standing;
    const room = height - (GAP - gap); // below the last call there is more room than between calls
    const each = Math.min(HIGHEST, (room - foot - (below || (scans && !beside ? CODE : 0))) / count - gap);
    const spare = room - count * (each + gap);
    const code = scans && !beside ? Math.min(50, (below || spare) - 2) : 0;
    const free = invites ? below : late ? (beside || !rows.length ? spare : foot) : 0;
    const tall = !this.whole && free >= FOOT + LINE; // what the code is for stands below it
    const idle = foot && free >= foot - 1 ? sittingOut(evening).flatMap((match) => match.names) : []; // what nobody else says of them
    const fact = idle.length ? [el("span", { class: "muted" }, "Sitting out: "), idle.map((name, at) => [at > 0 && ", ", el("strong", {}, named(evening, name))])] : this.best && bestHand(evening, this.best);
    const newest = latest(evening).slice(0, Math.max(0, Math.floor(free / LINE) - 1 - (fact ? 1 : 0)));
    const brief = latest(evening, SHORTEST);
    const due = calls.filter((match) => isDue(evening, match)).map((match) => match.match);
    return {
      all: stand, rows, pairs, scans, results: newest.length > 0, code: code || Math.min(26, tall ? free - LINE : free), below: spare - foot - (foot && GAP),
      seen: [calls, due, scans, newest, this.invite?.code, this.best?.points, idle],
      lines,
      out: idle.length > 0,
      hand: foot || !this.best ? null : bestHand(evening, this.best),
      left: () => {
        const part = el("section", { class: "calls", "aria-label": "Who plays now" },
          calls.length ? calls.map((match) => call(evening, match, disputed.includes(match), tallQuarrels ? 2 * each + gap : 0)) : el("p", { class: "call" }, el("span", { class: "pair" }, upcoming(evening).length ? "Nobody is called just now." : "No match is on.")));
        part.style.setProperty("--chars", String(Math.max(0, ...calls.map((match) => match.place.length))));
        part.style.setProperty("--high", each.toFixed(2));
        part.style.setProperty("--gap", String(gap));
        const two = twoLines(each);
        part.dataset.most = String(0.72 * each);
        if (each >= TWO_LINES) part.dataset.two = two;
        return el("div", { class: "course" }, part, free >= FOOT - 1 && el("div", { class: "foot" },
          this.invite && !scans && el("div", { class: "join", "data-tall": tall }, joining(this.invite, this.whole)),
          el("div", { class: "listed" }, fact && el("p", {}, fact),
            newest.length > 0 && [el("h2", { class: "muted" }, "Latest results"), newest.map((line, at) => el("p", {}, line.map((part, of) => el(of ? "span" : "strong", of < 2 ? { "data-short": brief[at][of] } : { class: "unsure" }, part))))])));
      },
    };
  }

  // Who has won, large; until the director closes the night nobody has.
  /** @param {Evening} evening @param {boolean} beside @param {number} height */
  end(evening, beside, height) {
    const large = onPodium(evening);
    const won = large.filter((row) => row.place === 1);
    const others = large.filter((row) => row.place !== 1);
    const room = beside ? height : height - WINNER - others.length * PLACE - (this.best ? BEST : 0) - (evening.closed ? 0 : AWAIT) - GAP;
    const lines = Math.floor(room / LEAST_LINE) - 1;
    const rest = evening.standings.filter((row) => !large.includes(row));
    const pairs = !beside && room < (rest.length + 1) * TALL_LINE && arePaired(evening, rest);
    const points = (/** @type {typeof won[number]} */ row) => {
      const [number, word] = pointsWords(row.points).split(" ");
      return [number, isUnsure(evening, row.entrants) && el("span", { class: "unsure" }, "?"), ` ${word}`, apart(evening, row)];
    };
    const asked = shortNames(evening, toConfirm(evening));
    const words = `${evening.closed ? "" : "Provisional "}${won.length > 1 ? "winners" : "winner"}`.replace(/^w/, "W");
    const rows = lines < 1 ? [] : this.page(rest, lines * (pairs ? 2 : 1), pairs ? 2 : 1);
    return {
      all: evening.standings, rows, pairs, scans: false, results: true, code: 0, below: Math.min(room, ((pairs ? Math.ceil(rows.length / 2) : rows.length) + 1.2) * TALL_LINE),
      seen: [this.best?.points, asked],
      lines: 0,
      out: false,
      hand: null,
      left: () => el("section", { class: "podium", "data-closed": evening.closed, "aria-label": "The podium" },
        won.length > 0 && el("div", { class: "winner" },
          el("p", { class: "note" }, words),
          won.map((row) => el("strong", {}, row.name.replaceAll("-", "-\u2060"))),
          el("p", {}, points(won[0])),
          ),
        others.length > 0 && el("div", { class: "places" }, others.map((row) => el("p", {}, el("span", { class: "rank" }, rank(row)), el("strong", {}, named(evening, row.name)), el("span", { class: "muted" }, points(row))))),
        !evening.closed && (asked.length ? el("p", { class: "await" }, `${CONFIRM} `, el("strong", {}, asked.map((name) => name.replaceAll(" ", "\u00a0")).join(", "))) : el("p", { class: "await muted" }, "Waiting for the director to close")),
        this.best && el("p", { class: "best" }, bestHand(evening, this.best))),
    };
  }

  // What fits at once, by turns, each as many as the others and as many in each column; the last may have fewer.
  /** @template T @param {T[]} all @param {number} most @returns {T[]} */
  page(all, most, columns = 1, turn = this.turn) {
    const pages = Math.max(1, Math.ceil(all.length / most));
    const size = columns * Math.ceil(all.length / pages / columns);
    const from = (turn % pages) * size;
    return all.slice(from, from + size);
  }
}

// The largest type at which nothing in a part is cut; what is too long at the least is returned.
/** @param {HTMLElement} part @param {string} read @param {number} most @returns {HTMLElement[]} */
function fit(part, read, most) {
  const nodes = [part, .../** @type {NodeListOf<HTMLElement>} */ (part.querySelectorAll(read))];
  for (let size = atMost(part, most); size > LEAST - 0.1; size -= 0.2) {
    part.style.setProperty("--size", Math.max(LEAST, size).toFixed(1));
    if (!nodes.some(isCut)) return [];
  }
  return nodes.filter((each) => each.matches(".pair, .who, strong") && isCut(each));
}

/** @param {HTMLElement} part @param {number} most */
const atMost = (part, most) => Math.max(LEAST, Math.min(most, Number(/** @type {HTMLElement | null} */ (part.closest("[data-most]"))?.dataset.most ?? most)));

// What would be too long in type of this size, or as large as its height allows.
/** @param {HTMLElement} part @param {string} read @param {number} size */
function cutAt(part, read, size) {
  const shown = part.style.getPropertyValue("--size");
  part.style.setProperty("--size", String(atMost(part, size)));
  const cut = [.../** @type {NodeListOf<HTMLElement>} */ (part.querySelectorAll(read))].filter(isCut);
  part.style.setProperty("--size", shown);
  return cut;
}

// Fewer words beside names, then none, at last smaller type: a name is never cut.
/** @param {HTMLElement} node */
function squeeze(node) {
  const go = node.parentElement?.querySelector(":scope > .go[data-short]");
  if (go instanceof HTMLElement && isCut(node)) go.textContent = go.dataset.short ?? "";
  if (isCut(node)) node.dataset.long = "";
  for (let size = 0.96; !node.matches(".winner *") && isCut(node) && size > 0.4; size -= 0.04) node.style.fontSize = `${size.toFixed(2)}em`;
}

// The type of names below their table, in a call of this height.
/** @param {number} high */
const twoLines = (high) => String((high - 2) / 2.15);

// Whether rows of the standings stand in two columns: many, with short names.
/** @param {Evening} evening @param {Evening["standings"]} rows */
const arePaired = (evening, rows) => rows.length > FEW && rows.every((row) => shortNames(evening, [row.name], SHORTEST)[0].length <= NARROW);

// The code, and both ways to use it; beside tables its digits stand above them.
/** @param {Invite} invite @param {boolean} digits whether they stand here @param {string} late what is said to others */
function joining(invite, digits, late = "") {
  if (invite.unreachable || !digits) return invitation({ ...invite, code: "" }, "To join");
  return [picture(invite.svg, "QR code that joins the night"), el("p", {}, "Scan to join,", el("span", { class: "or" }, "or enter code"), el("strong", { class: "code" }, invite.code), late && el("span", { class: "late" }, late))];
}

/** @param {Evening} evening @param {BestOfNight} best */
const bestHand = (evening, best) => [el("span", { class: "muted" }, "Best hand: "), el("strong", {}, String(best.points)), best.by ? `, ${shortNames(evening, [best.by])[0].replaceAll("-", "-\u2060")}` : ""];

// A name that can be shortened further.
/** @param {Evening} evening @param {string} name */
const named = (evening, name, of = "") => el("span", { class: of || null, "data-short": shortNames(evening, [name], SHORTEST)[0] }, shortNames(evening, [name])[0]);

// `high` is the height of a quarrel that has two rows.
/** @param {Evening} evening @param {Match} match @param {boolean} disputed @param {number} high */
function call(evening, match, disputed, high) {
  const [one, other] = match.names.map((name) => named(evening, name));
  const { running } = match;
  const due = isDue(evening, match);
  const torn = quarrels(evening).some((each) => each !== match && each.sides.flat().some((who) => match.sides.flat().includes(who))); // nobody is sent to two places
  return el("article", { class: "call", "data-due": due, "data-quarrel": disputed, "data-tall": disputed && high > 0, "data-most": disputed && high > 0 && twoLines(high) },
    !disputed && el("p", { class: "at" }, match.place), // they may be elsewhere by now
    el("p", { class: "pair" }, one, " ", el("span", { class: "muted" }, "v"), " ", other),
    due && el("p", { class: "go", "data-short": torn ? "later" : "now" }, torn ? "after director" : "go now"),
    disputed && el("p", { class: "go", "data-short": "see director" }, "see the director"),
    !due && !disputed && !running && el("p", { class: "go muted playing", hidden: true }, "playing"),
    running && !disputed && el("p", { class: "go score" }, running.map((front, side) => [side > 0 && " – ", el(front > running[1 - side] ? "strong" : "span", {}, String(front))])));
}

// Some rows of all that come by turns.
/** @param {Evening} evening @param {Evening["standings"]} all @param {Evening["standings"]} rows @param {number} lines at least, of a column @param {boolean} pairs in two columns @param {boolean} plain without figures */
function table(evening, all, rows, lines, pairs, plain) {
  const [first, second, last] = [rows[0], rows[1], rows[rows.length - 1]].map((row) => all.indexOf(row) + 1);
  const from = first === 1 && second > 2 ? second : first; // who leads stands above later pages, too
  const title = rows.length === all.length ? "Standings" : from === last ? `Place ${last}` : `Places ${from}–${last}`;
  const figures = plain ? [] : [el("span", {}, "won"), el("span", {}, "+/\u2212", el("span", { class: "hide" }, " spread"))];
  const mark = isUnsure(evening) && el("span", {}, el("span", { class: "unsure" }, "?"), " = may change");
  const head = (/** @type {Child} */ title) => el("p", { class: "head muted" }, el("span", { class: "title" }, title), figures, el("span", {}, "points"));
  const list = el("ol", {}, rows.map((row) => el("li", { class: row.place === 1 && row.games ? "first" : null },
    el("span", { class: "rank" }, rank(row)), named(evening, row.name, "who"),
    !plain && [el("span", { class: "muted" }, row.games ? String(row.won) : ""), el("span", { class: "muted" }, row.games ? signed(row.spread) : "")], el("strong", {}, row.points, isUnsure(evening, row.entrants) && el("span", { class: "unsure" }, "?")))));
  list.style.setProperty("--rows", String(Math.max(lines, pairs ? Math.ceil(rows.length / 2) : rows.length)));
  return el("section", { class: "table-of", "data-pairs": pairs, "data-plain": plain, "data-pinned": first === 1 && second > 2, "aria-label": "Standings" }, head([title, pairs && ["\u2002", mark || TIES]]), list, !pairs && (mark || plain) && el("p", { class: "legend muted" }, mark || TIES));
}
