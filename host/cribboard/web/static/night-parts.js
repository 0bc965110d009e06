// What all views of a night show: standings, a match in words, who says what.

import { el } from "./dom.js";
import { sheet } from "./records.js";
import { LONG, shortName } from "./sides.js";

const GO_MIN = 5; // at a table without a board a call is due for so long

/** @param {number} spread */
export const signed = (spread) => (spread > 0 ? `+${spread}` : String(spread).replace("-", "−"));

// A name among figures: one that is read from the right must not turn them round.
/** @param {string} name */
export const isolated = (name) => (/[\u0590-\u08ff\ufb1d-\ufeff]/.test(name) ? `\u2068${name}\u2069` : name);

// On one line.
/** @param {string} name */
export const unbroken = (name) => name.replaceAll(" ", "\u00a0").replaceAll("-", "-\u2060");

/** @param {Match} match */
export const versus = (match) => match.names.map(isolated).join(" v ");

// Who plays just now, by tables.
/** @param {Evening} evening */
export const playing = (evening) => evening.matches.filter((match) => match.called && !match.over && !match.bye).sort((one, other) => one.table - other.table);

// Of those, whoever has no point yet on a board.
/** @param {Evening} evening */
export const unscored = (evening) => playing(evening).filter((match) => !match.running?.some(Boolean));

// What is played after it, in the order of the rounds.
/** @param {Evening} evening */
export const upcoming = (evening) => (evening.closed ? [] : evening.matches.filter((match) => !match.called && !match.over && !match.bye));

// Called, and the game has not begun: a board shows when it has; at a table without one some minutes pass.
/** @param {Evening} evening @param {Match} match */
export function isDue(evening, match) {
  if (!match.called || match.over || match.running || match.legs.length) return false;
  return (match.minutes ?? 0) < GO_MIN || evening.tables.some(({ table, board }) => board && table === match.table);
}

// A game of which more can be said.
/** @param {Leg} leg */
export const isUndecided = ({ state }) => state === "waits" || state === "disputed";

// Of which both sides say different things, which only the director can settle if they go on.
/** @param {Match} match */
export const isDisputed = (match) => match.legs.some((leg) => leg.state === "disputed");

// Those matches.
/** @param {Evening} evening */
export const quarrels = (evening) => (evening.closed ? [] : evening.matches.filter(isDisputed));

/** @param {Match} one @param {Match} other */
export const share = (one, other) => one.sides.flat().some((who) => other.sides.flat().includes(who));

// Whether somebody of a quarrel is in the middle of another game, which nobody leaves for the director.
/** @param {Evening} evening @param {Match} quarrel */
export const isBusy = (evening, quarrel) => playing(evening).some((match) => match !== quarrel && !isDue(evening, match) && share(match, quarrel));

// Quarrels that players of a called match have to settle first: nobody is sent to two places.
/** @param {Evening} evening @param {Match} match */
export const settledFirst = (evening, match) => quarrels(evening).filter((each) => each !== match && share(each, match) && !isBusy(evening, each));

// A game that goes on at a match's table, where its win was undone after the next call.
/** @param {Evening} evening @param {Match} match */
export const stillOn = (evening, match) => playing(evening).find((each) => each !== match && each.running && each.table === match.table);

/** @param {Evening} evening @param {Match} quarrel */
export const seeDirector = (evening, quarrel) => `${shortNames(evening, quarrel.names).join(", ")}: see the director${isBusy(evening, quarrel) ? " after the game" : ""}`;

// Where this phone's player finds their match; who directs the night with it comes to the director's page otherwise.
/** @param {Evening} evening */
export const ownPage = ({ director }) => (director ? "/night?view=phone" : "/night");

// Whether nothing is left to play; the director has only to close the night.
/** @param {Evening} evening */
export const isPlayed = (evening) => !evening.closed && evening.played && ![playing, upcoming, quarrels].some((which) => which(evening).length);

/** @param {Evening} evening */
const atTables = (evening) => new Set(playing(evening).flatMap((match) => match.sides.flat()));

// The byes of this round while others play, without those of players who have been called to a later match already.
/** @param {Evening} evening */
export function sittingOut(evening) {
  const byes = evening.closed || !playing(evening).length ? [] : evening.matches.filter((match) => match.bye && match.round === evening.round);
  const later = new Set(evening.matches.filter((match) => match.round > evening.round && (match.called || match.over)).flatMap((match) => match.sides.flat()));
  return byes.filter((match) => !match.sides.flat().some((who) => later.has(who)));
}

/** @param {Evening} evening */
export function sitsOut(evening) {
  const out = sittingOut(evening).flatMap((match) => match.names);
  return out.length ? `${out.join(", ")} sit${out.length > 1 ? "" : "s"} out now` : "";
}

// Who waits while others play, in the order of what they wait for, and for whom: who still plays, or plays somebody else first. For nobody if only a table is missing.
// Those of a quarrel have something to do, if they can do it now.
/** @param {Evening} evening */
export function waiting(evening) {
  const busy = atTables(evening);
  const elsewhere = new Set([...sittingOut(evening), ...quarrels(evening).filter((match) => !isBusy(evening, match))].flatMap((match) => match.sides.flat()));
  const next = (/** @type {number} */ who) => upcoming(evening).find((match) => match.sides.flat().includes(who));
  const idle = evening.entrants.filter(({ entrant, here }) => busy.size && here && !busy.has(entrant) && !elsewhere.has(entrant));
  return upcoming(evening).flatMap((match) => idle.filter(({ entrant }) => next(entrant) === match).map(({ name }) => {
    const awaited = evening.entrants.filter((one) => match.sides.flat().includes(one.entrant) && (busy.has(one.entrant) || next(one.entrant) !== match));
    return { name, awaited: awaited.map((one) => one.name), match: match.match };
  }));
}

// The same, a line for those of one match who wait for the same people, with the tables of those who still play.
/** @param {Evening} evening */
export function waitLines(evening) {
  const place = (/** @type {string} */ name) => playing(evening).find((match) => match.sides.flat().some((who) => evening.entrants.find((one) => one.entrant === who)?.name === name))?.place ?? "";
  /** @type {{ match: number, names: string[], words: string }[]} */
  const lines = [];
  for (const { name, awaited, match } of waiting(evening)) {
    const places = [...new Set(awaited.map(place))];
    const words = places.map((at) => [awaited.filter((one) => place(one) === at).join(" and "), at].filter(Boolean).join(", ")).join("; ") || "a table";
    const line = lines.find((one) => one.match === match && one.words === words);
    if (line) line.names.push(name);
    else lines.push({ match, names: [name], words });
  }
  return lines.map(({ names, words }) => [names.join(" and "), ` – for ${words}`]);
}

/** @param {Evening} evening */
export function waitCount(evening) {
  const count = waiting(evening).length;
  return count > 0 && `${count} wait${count > 1 ? "" : "s"}`;
}

// Tables at which nobody plays.
/** @param {Evening} evening */
export const freeTables = (evening) => evening.tables.filter(({ table }) => playing(evening).every((match) => match.table !== table)).map(({ name }) => name);

const MANY = 10; // players: of more each has one place in two columns, and a short name
const BRIEF = 9; // letters of a name among many, which may be more without a last name
const MOST = 24; // letters of any name on a screen, so that whom it plays can be read

/** @param {Evening} evening */
export const areMany = (evening) => evening.entrants.length > MANY;

// A letter stands for the second half of a double name and for a last name; they go where there is no room for them.
/** @param {string} name */
const halved = (name) => (name.length > BRIEF ? name.replace(/(\p{L})-(\p{L})\p{L}+/gu, "$1-$2.").replace(/^(\S+) (?:.* )?(\p{L})\S*$/u, "$1 $2.") : name);
/** @param {string} name */
const brief = (name) => halved(name).replace(new RegExp(`^(.{${BRIEF},}?)([ -].\\.)+$`, "u"), "$1");
// Of two who would be called so.
/** @param {string} name */
const lettered = (name) => (halved(name).length > LONG ? halved(name).replace(/(\p{L})\p{L}+/gu, "$1.") : halved(name));

/** @param {string} name */
const cropped = (name) => ([...name].length > MOST ? `${[...name].slice(0, MOST - 1).join("")}…` : name);

export const SHORTER = [brief, lettered, shortName];
// Names for a television, the same all night: shorter ones among many. Of the ways to shorten a name it is the first in
// which nobody else is called so.
/** @param {Evening} evening @param {string[]} names @param {((name: string) => string)[]} ways */
export function shortNames(evening, names, ways = areMany(evening) ? SHORTER : [shortName]) {
  const alone = (/** @type {(name: string) => string} */ way, /** @type {string} */ one) => evening.entrants.filter((each) => way(each.name) === way(one)).length < 2;
  return names.map((name) => name.split(" and ").map((one) => cropped(ways.find((way) => alone(way, one))?.(one) ?? one)).join(" and "));
}

// A verb for a side of one, or of two.
/** @param {Match} match @param {number} side @param {string} one @param {string} two */
export const verb = (match, side, one, two) => (match.sides[side].length > 1 ? two : one);

// What a side says of a game, so that it cannot be read the other way round.
/** @param {Match} match @param {number[] | null} scores */
export const won = (match, scores) => (scores ? `${isolated(match.names[scores[0] > scores[1] ? 0 : 1])} won ${Math.max(...scores)}\u2060–\u2060${Math.min(...scores)}` : "that is not right");

// The same, of a game that is disputed: who has said nothing has played what the board has.
/** @param {Match} match @param {Leg} leg @param {number} side */
export const says = (match, leg, side) => (leg.reports[side] || !leg.board ? won(match, leg.reports[side]) : "it is as the board has it");

// What a game is won by whose loser has so many points, as people say it.
/** @param {Evening} evening @param {number} points */
export const margin = (evening, points) => [`by ${evening.target - points}`, skunked(evening, points)].filter(Boolean).join(", ");

/** @param {Evening} evening @param {number} points */
export const skunked = (evening, points) => (points < evening.double ? "a double skunk" : points < evening.skunk ? "a skunk" : "");

// The game of a match that is to be decided, else its last.
/** @param {Match} match @returns {Leg | undefined} */
export const openGame = (match) => match.legs.find(isUndecided) ?? match.legs[match.legs.length - 1];

// How a match stands, in a few words.
/** @param {Match} match */
export function stand(match) {
  const leg = match.legs[match.legs.length - 1];
  if (match.bye) return "sits out";
  if (leg?.state === "disputed") return "disputed";
  if (match.legs.length > 1) return `${match.wins.join(" – ")} in games`;
  if (match.running) return match.running.join(" – ");
  if (leg?.said) return leg.state === "waits" ? `${leg.said} ?` : leg.said;
  return match.called ? "on now" : "";
}

// The last round of which a match has been called; some may be ahead of the others.
/** @param {Evening} evening */
export const begun = (evening) => Math.max(evening.round, ...evening.matches.filter((match) => !match.bye && (match.called || match.over)).map((match) => match.round));

/** @param {Evening} evening */
export function clockWords(evening) {
  if (evening.closed) return "The night is over";
  if (isPlayed(evening)) return "All games have been played";
  if (!evening.round) return "";
  const last = begun(evening);
  const rounds = last > evening.round ? `Rounds ${evening.round}–${last}` : `Round ${evening.round}`;
  return `${rounds} of ${evening.rounds}${evening.until ? ` · night ends about ${about(evening.until)}` : ""}`;
}

// To the nearest five minutes, as the clock on the tables' screen is written.
/** @param {string} until */
export function about(until) {
  const [hour, minute] = until.split(":").map(Number);
  return clock(hour, 5 * Math.round(minute / 5));
}

/** @param {number} hour @param {number} minute */
export const clock = (hour, minute) => new Date(2000, 0, 1, hour, minute).toLocaleTimeString(undefined, { hour: "numeric", minute: "2-digit" }).replace(/\s/, "\u00a0");

// Whether the other player has not confirmed a result yet, which counts until they say no.
/** @param {Match} match */
export const waits = (match) => match.legs.some((leg) => leg.state === "waits");

// Whether a result that waits or is disputed is one of these: those of a row of the standings, or all.
/** @param {Evening} evening @param {number[]} [entrants] */
export const isUnsure = (evening, entrants) => evening.matches.some((match) => match.legs.some(isUndecided) && (!entrants || match.sides.flat().some((who) => entrants.includes(who))));

export const CONFIRM = "Confirm on phone";

// Whose word such results wait for.
/** @param {Evening} evening */
export const toConfirm = (evening) => [...new Set(evening.matches.filter(waits).flatMap((match) => match.legs.flatMap((leg) => leg.waits_for.map((side) => match.names[side]))))];

// The winner's name, what is after it, and a mark while it waits; neither a name nor a score is on two lines.
/** @param {Evening} evening @param {Match} match @returns {string[]} */
export function result(evening, match) {
  const names = shortNames(evening, match.names).map((name) => isolated(unbroken(name)));
  const scores = match.legs.length > 1 ? match.wins : match.legs[0]?.scores;
  if (!scores) return ["", `${names.join(" v ")}: ${stand(match)}`, ""];
  const winner = Number(scores[1] > scores[0]);
  return [names[winner], ` ${scores[winner]}\u2060–\u2060${scores[1 - winner]} ${names[1 - winner]}`, waits(match) ? "\u00a0?" : ""];
}

// The results, the newest first.
/** @param {Evening} evening */
export function latest(evening) {
  const ended = evening.matches.filter((match) => !match.bye && match.over && match.legs.length && !quarrels(evening).includes(match));
  return ended.sort((one, other) => other.said - one.said).map((match) => result(evening, match));
}

// A place in the standings; nobody has one before a game.
/** @param {Evening["standings"][number]} row */
export const rank = (row) => String(row.place || "–");

/** @param {string} points */
export const pointsWords = (points) => (points === "1" ? "1 point" : `${points} points`);

// Who is first; nobody before a game.
/** @param {Evening} evening */
export const winners = (evening) => evening.standings.filter((row) => row.place === 1 && row.games);

// The first three; more if they are equal.
/** @param {Evening} evening */
export const onPodium = (evening) => evening.standings.filter((row) => row.place <= 3 && row.games).slice(0, 5);

// What sets somebody apart from those with as many points who stand elsewhere; why fewer wins can be more points.
/** @param {Evening} evening @param {Evening["standings"][number]} row */
export function apart(evening, row, skunks = true) {
  const uneven = skunks && evening.standings.some((each) => each.games && row.games && (each.place - row.place) * (each.won - row.won) > 0);
  const others = evening.standings.filter((each) => each.points === row.points && each.place !== row.place);
  const won = uneven || others.some((each) => each.won !== row.won) ? `, ${row.won}\u00a0won${uneven && row.skunks ? ` (${row.skunks} by a skunk)` : ""}` : "";
  return others.some((each) => each.won === row.won && each.spread !== row.spread) ? `${won}, spread\u00a0${signed(row.spread)}` : won;
}

// What explains that somebody has fewer games than others.
/** @param {Evening} evening @param {Evening["entrants"][number]} one */
export function inAndOut(evening, one) {
  const theirs = evening.matches.filter((match) => match.sides.some((side) => side.includes(one.entrant)));
  const games = theirs.flatMap((match) => match.legs.filter((leg) => leg.scores)).length; // without walk-overs
  const since = Math.min(...theirs.map((match) => match.round));
  const out = sittingOut(evening).some((match) => match.sides[0].includes(one.entrant));
  return [since > 1 && since < Infinity && `from round ${since}`, !one.here ? `left${games ? ` after ${games === 1 ? "a game" : `${games} games`}` : ""}` : out && "sits out now"].filter(Boolean).join(", ");
}

// How often, without the round that they sit out now.
/** @param {Evening} evening @param {Evening["standings"][number]} row */
export function satOut(evening, row) {
  const times = row.byes - sittingOut(evening).filter((match) => match.sides[0].includes(row.entrants[0])).length;
  return times > 0 && `sat out ${["once", "twice"][times - 1] ?? `${times} times`}`;
}

// What explains the games of a line of the standings.
/** @param {Evening} evening @param {Evening["standings"][number]} row */
export const remark = (evening, row) => [...new Set(evening.entrants.filter((one) => row.entrants.includes(one.entrant)).map((one) => inAndOut(evening, one))), satOut(evening, row)].filter(Boolean).join(", ");

/** @param {Evening} evening @param {(row: Evening["standings"][number]) => Child} [named] */
export function standings(evening, named = (row) => row.name) {
  return sheet("Standings", [["Place", "num"], ["Player", "wide"], ["Points", "num"], ["Won", "num"], ["Games", "num drop"], ["Spread", "num"]], evening.standings.map((row) =>
    el("tr", { class: row.entrants.some((each) => each === evening.mine) ? "own" : evening.closed && row.place === 1 && row.games ? "first" : "" },
      el("td", { class: "num muted" }, rank(row)),
      el("td", { class: "wide" }, named(row)),
      el("td", { class: "num" }, el("strong", {}, row.points)),
      el("td", { class: "num" }, String(row.won)),
      el("td", { class: "num drop" }, String(row.games)),
      el("td", { class: "num" }, signed(row.spread)))));
}

// What became of a game with these scores at a table, whose players' match is `on`, and its points; nothing of one that is no match's.
/** @param {Evening} evening @param {Match | undefined} on @param {number} table @param {number[]} scores */
export function sentWords(evening, on, table, scores) {
  const sorted = (/** @type {number[]} */ each) => String([...each].sort((one, other) => one - other));
  if (on?.legs.some((leg) => leg.board && leg.scores && sorted(leg.scores) === sorted(scores))) {
    const gains = on.over && on.legs.length === 1 ? on.legs[0].points.flatMap((points, side) => (Number(points) ? `${pointsWords(points).replace(" ", " league ")} for ${side === on.mine ? "you" : on.names[side]}` : [])) : [];
    return `Recorded${gains.length ? `: ${gains.join(", ")}` : ""}. Nothing to send.`;
  }
  if (on?.over) return isDisputed(on) ? "Other results were typed for this match: the director decides." : "This match has a result already, so this game does not count. Wrong? Tell the director.";
  if (on) return `Your result goes in by itself${on.legs.length ? ` as game ${on.legs.length + 1}` : ""}. Nothing to send.`;
  return playing(evening).some((match) => match.table === table && match.mine !== null) ? "This is not taken as your match, for the names or the target differ: tell the director." : "";
}

// What a match of one game gave this phone's player, nothing while it does not count.
/** @param {Match} match */
export const gained = (match) => (match.legs.length === 1 ? match.legs[0].points[Number(match.mine)] ?? "" : "");

/** @param {number} count @param {string} what */
export const pieces = (count, what) => `${count} ${what}${count === 1 ? "" : "s"}`;

// What fits at once, by turns, each as many as the others; the last may have fewer.
/** @template T @param {T[]} all @param {number} most @param {number} turn @returns {T[]} */
export function page(all, most, turn) {
  const pages = Math.max(1, Math.ceil(all.length / Math.max(1, most)));
  const size = Math.ceil(all.length / pages);
  return all.slice(size * (turn % pages), size * (turn % pages + 1));
}
