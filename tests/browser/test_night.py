"""An evening of people: begun on one page, seen on a television, reported on phones, directed by keyboard."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations
from typing import Any
from urllib.parse import urlsplit

import pytest
from browser.chromium import LAPTOP, PHONE, SCREEN, UPRIGHT, findings, read_larger, small, unsafe
from browser.house import House, Player, wait_for
from playwright.sync_api import Locator, Page, expect

SIX = ["Ann", "Bob", "Cid", "Dee", "Eve", "Fay"]
TWENTY = [f"{name} {letter}" for name in ("Rosemarie-Anne", "Hanna-Luise") for letter in "ABCDEFGHIJ"]
TV = {"width": 1280, "height": 720}
CLOSE = """async () => {
  const { on } = await (await fetch("/api/night/begin")).json();
  const body = JSON.stringify({ do: "close", key: "abcdef0123456789" + Date.now() });
  const headers = { "Content-Type": "application/json" };
  if (on !== null) await fetch(`/api/nights/${on}/orders`, { method: "POST", headers, body });
}"""
SIZES = """(read) => [...document.querySelectorAll(read)].map((node) => ({ text: node.textContent,
  size: parseFloat(getComputedStyle(node).fontSize), box: node.getBoundingClientRect().toJSON() }))"""

# The results of a page that is just opened: what came last is first, whichever game was drawn first; so is who won.
NEWEST = """async () => {
  const { latest } = await import("/static/night-parts.js");
  const legs = [{ state: "agreed", scores: [90, 121] }];
  const match = (match, said, names) => ({ match, said, names, over: true, legs });
  const matches = [match(2, 9, ["Cid", "Dee"]), match(5, 7, ["Ann", "Bob"])];
  return latest({ entrants: [], matches }).map((words) => words.join(""));
}"""

# Rounds of results, as they are checked: the same way as on paper, whichever came in last; a star if the director
# decided one.
ORDER = """async () => {
  const { Results } = await import("/static/night-results.js");
  const match = (match, round) => ({ match, round, names: ["Ann", "Bob"], wins: [1, 0], legs: [] });
  const list = Results.prototype.scores.call(Results.prototype, { matches: [] }, [match(2, 2), match(1, 1)], true);
  const result = (state) => ({ ...match(3, 1), legs: [{ state, scores: [121, 57], said: "Ann by 64, a skunk" }] });
  const evening = { matches: [result("settled"), result("agreed")], entrants: [], closed: true };
  const scores = Results.prototype.scores.call(Results.prototype, evening, evening.matches, true);
  return [...list.querySelectorAll("h3"), ...scores.querySelectorAll("li")].map((each) => each.textContent.trim());
}"""

# What explains that who has won fewer games is first.
FEWER = """async () => {
  const { apart } = await import("/static/night-parts.js");
  const row = (place, points, won, skunks) => ({ place, points, won, skunks, games: 5, spread: 9 });
  const standings = [row(1, "9", 3, 3), row(2, "8", 4, 0)];
  return standings.map((each) => apart({ standings }, each));
}"""

# Who waits while others play, and for whom, also for somebody free who plays another one first: not who plays, sits
# out, has gone or sees the director, for whom nobody leaves a game; who sits out, until they are called, and not again
# afterwards.
IDLE = """async () => {
  const { sitsOut, waiting } = await import("/static/night-parts.js");
  const people = ["Ann", "Bob", "Cid", "Dee", "Eve", "Fay"];
  const match = (round, ...who) => ({ round, sides: who.map((each) => [each]), called: round === 1, bye: who.length < 2,
    match: 10 * round + who[0], legs: [], names: who.map((each) => people[each - 1]), place: "Snug" });
  const matches = [match(1, 1, 2), match(1, 3), match(2, 1, 5), match(2, 2, 4), match(2, 3, 4), match(3, 5, 6)];
  const entrants = people.map((name, at) => ({ entrant: at + 1, name, here: name !== "Dee" }));
  const evening = { round: 1, matches, entrants };
  const ahead = [...matches, { ...match(2, 3, 5), called: true }];
  const past = [...matches, { ...match(2, 3, 5), over: true }];
  const torn = [...matches, { ...match(1, 5, 6), over: true, legs: [{ state: "disputed" }] }];
  const busy = [{ ...matches[0], running: [5, 9] }, ...matches.slice(1), { ...torn.at(-1), sides: [[5], [1]] }];
  const idle = [matches, busy, torn].map((matches) => waiting({ ...evening, matches }));
  return [...idle,
    [matches, ahead, past].map((matches) => sitsOut({ ...evening, matches }))];
}"""

# Something happens in a night.
NOTE = """path => fetch(path, { method: "POST", headers: { "Content-Type": "application/json" },
  body: JSON.stringify({ do: "note", key: "a-note-of-the-test", text: "late" }) }).then((answer) => answer.ok)"""

# Whether the standings or the code are beside a board, a turn after the other, where there is room and where not.
BY_TURNS = """async () => {
  const { Wall } = await import('/static/night-wall.js');
  const wall = new Wall(document.createElement('div'));
  wall.whole = false;
  await wall.load();
  const evening = await (await fetch('/api/night')).json();
  return [60, 30].map((height) => [0, 1, 2, 3, 4, 5].map((turn) => {
    wall.turn = turn;
    const { table, scans } = wall.course(evening, false, height);
    return [table.rows.length > 0, scans];
  }));
}"""

# Beside three boards, of three and of seven games: calls, rows of the standings, a game, its leader; the last page; who
# is seen of those whose standings and the code come by turns; whether who leads is always there.
QUARTER = """async () => {
  const { Wall } = await import("/static/night-wall.js");
  const { page } = await import("/static/night-parts.js");
  const wall = Object.assign(Object.create(Wall.prototype), { whole: false, elsewhere: [], turn: 0 });
  const entrants = [..."abcdefghijklmn"].map((name, at) => ({ entrant: at, name }));
  const row = (name, at) => ({ place: at, name, points: "2", won: 1, spread: 3, games: 1 });
  const standings = entrants.map(({ name }, at) => row(name, at));
  const game = { place: "", called: true, names: ["a", "b"], legs: [], running: [54, 80] };
  const match = (table) => ({ ...game, match: table, table });
  const evening = { played: true, entrants, standings, matches: [], tables: [] };
  const seen = [3, 7].map((count) => {
    const matches = Array.from({ length: count }, (_, at) => match(101 + at));
    const { seen, table, left } = wall.course({ ...evening, matches }, false, 39.6);
    const texts = [".pair", ".score", ".score strong"].map((read) => left().querySelector(read).textContent);
    return [seen[0].length, table.rows.length, ...texts];
  });
  wall.invite = { code: "123456" };
  const all = { ...evening, matches: [match(101)] };
  const seenAt = (_, turn) => Object.assign(wall, { turn }).course(all, false, 32).table.rows;
  const turns = Array.from({ length: 18 }, seenAt);
  return [...seen, page([..."abcdefghijklmn"], 6, 2).join(""), new Set(turns.flat().map((row) => row.name)).size,
    turns.some((rows) => !rows.length), turns.every(([first]) => !first || first === standings[0])];
}"""

# How large a score is in the type of names, and whether it stands above them; on how many lines a winner of two words
# is, who is larger so; whether a name of 70 letters lies over its score or makes others small; whether the code is
# there whole below seven calls, one of them a quarrel; of how many of seven games it is not said that they are
# played, where one has a long name; whether the third of a podium can be read beside a long reason; whether no call is
# smaller than the games beside it.
LARGE = """async () => {
  const { Wall } = await import("/static/night-wall.js");
  const shown = document.querySelector(".wall");
  const node = shown.cloneNode();
  shown.replaceWith(node);
  const people = ["Ann", "Maxine Oberhuber", "W".repeat(70)];
  const row = (name, at) => ({ place: at + 1, name, entrants: [at], points: "2", won: 1, spread: 9 - at, games: 1 });
  const match = (table, ...who) => ({ match: table, table, place: `Table ${table}`, called: true, running: [54, 80],
    names: who.map((one) => people[one]), sides: who.map((one) => [one]), legs: [] });
  const evening = { night: 0, acts: 0, round: 1, rounds: 1, tables: [], matches: [],
    entrants: people.map((name, entrant) => ({ name, entrant })), standings: [] };
  const wall = new Wall(node);
  const size = (one) => parseFloat(getComputedStyle(one).fontSize);
  wall.show({ ...evening, matches: [match(1, 0, 1)] });
  const [score, names] = [".score", ".pair"].map((read) => node.querySelector(read));
  const above = score.getBoundingClientRect().bottom <= names.getBoundingClientRect().top + 1;
  const ratio = size(score) / size(names);
  wall.show({ ...evening, acts: 1, matches: [match(1, 2, 0), match(2, 0, 1)] });
  const [long, other] = node.querySelectorAll(".pair");
  const over = long.scrollWidth > long.clientWidth + 1 && getComputedStyle(long).overflowX === "visible";
  const small = size(other) < Math.min(innerWidth, innerHeight) * .05;
  wall.show({ ...evening, closed: true, standings: ["Maxine Oberhuber", "Ann"].map(row) });
  const winner = node.querySelector(".winner strong");
  const lines = Math.round(winner.clientHeight / size(winner));
  await wall.load();
  const called = Array.from({ length: 7 }, (_, at) => ({ ...match(at, 0, 1), names: ["", ""], sides: [[], []] }));
  called[0].legs = [{ state: "disputed" }];
  const many = Array.from({ length: 20 }, (_, entrant) => ({ name: `Player ${entrant}`, entrant }));
  const standings = many.map(({ name }, at) => row(name, at));
  wall.show({ ...evening, acts: 3, played: true, matches: called, entrants: many, standings });
  const foot = node.querySelector(".foot");
  const whole = foot && foot.querySelector(".join") !== null && foot.scrollHeight <= foot.clientHeight + 1;
  const rows = node.querySelectorAll(".table-of li").length;
  const played = called.map((each) => ({ ...each, names: ["Ann", "Bob"], legs: [], running: undefined, minutes: 9 }));
  played[0].names = [people[2], "Ann"];
  const third = { ...row("Hanna-Luise Wolf", 2), won: 9, skunks: 3, spread: 197 };
  wall.show({ ...evening, acts: 5, closed: true, entrants: many, standings: [row("Ann", 0), row("Bob", 1), third] });
  const last = node.querySelector(".places p:last-child strong");
  const read = last.scrollWidth <= last.clientWidth + 1 && size(last) > Math.min(innerWidth, innerHeight) * .0399;
  wall.show({ ...evening, acts: 6, played: true, matches: played, entrants: many, standings });
  const silent = [...node.querySelectorAll(".more")].filter((one) => one.hidden).length;
  const due = { ...called[1], running: undefined, names: ["Rosemarie-Anne Wolf", "Maxine Oberhuber"] };
  wall.show({ ...evening, acts: 7, played: true, matches: [due, ...played.slice(1)], entrants: many, standings });
  const alike = new Set([...node.querySelectorAll(".pair")].map(size)).size === 1;
  node.replaceWith(shown);
  return [ratio, above, lines, over, small, whole, rows, silent, read, alike];
}"""

# What a wall says in words, with and without a result that is disputed or waits: whether a question mark is explained,
# for how many turns of nine it says for whom; whose name is short; of a list that is not whole, at the end.
WORDS = """async () => {
  const { Wall } = await import("/static/night-wall.js");
  const { Strip } = await import("/static/night-strip.js");
  const shown = document.querySelector(".wall");
  const node = shown.cloneNode();
  shown.replaceWith(node);
  const people = ["Ann Barker", "Wilhelmina-Maximiliane-Charlotte Oberhuber", "Who?", ..."abcdefghijklmnopq"];
  const row = (name, at) => ({ place: at + 1, name, entrants: [at], points: "2", won: 1, spread: 9 - at, games: 1 });
  const match = (match, state) => ({ match, table: 101, place: "Table 1", called: true, over: Boolean(state), said: 1,
    minutes: 9, names: ["Ann Barker", "Who?"], sides: [[0], [2]],
    legs: state ? [{ state, scores: [121, 90], said: "", waits_for: state === "waits" ? [1] : [] }] : [] });
  const evening = { night: 0, round: 1, rounds: 1, tables: [], played: true, entrants: people.map((name, entrant) =>
    ({ name, entrant })), standings: people.slice(0, 3).map(row) };
  const wall = new Wall(node);
  const strip = document.createElement("div");
  const seen = ["agreed", "disputed", "waits"].map((state, acts) => {
    wall.show({ ...evening, acts, matches: [match(1), match(2, state), { ...match(3), called: false }] });
    const pages = new Strip(strip);
    strip.className = "night-strip";
    node.after(strip);
    const words = Array.from({ length: 9 }, () => {
      pages.show(wall.evening, new Set([1]), wall.tells);
      pages.goOn();
      return strip.textContent;
    });
    strip.remove();
    const confirm = words.filter((each) => each.includes("Confirm on phone: Who?")).length;
    return [node.querySelector(".legend").textContent, confirm];
  });
  const names = [...node.querySelectorAll(".who")].map((one) => one.textContent);
  wall.show({ ...evening, acts: 9, closed: true, matches: [], standings: people.map(row) });
  const head = node.querySelector(".table-of .head").textContent;
  node.replaceWith(shown);
  return [seen, names, head];
}"""

# What a strip says of who waits for somebody with a long name, and of two who wait for the same one, and who is bold;
# how many wait, and who of them is not named by turns; whether thirty who must confirm are all named, in full.
WAITING = """async () => {
  const { Strip } = await import("/static/night-strip.js");
  const { shortNames, unbroken, waiting } = await import("/static/night-parts.js");
  const evening = await (await fetch("/api/night")).json();
  evening.matches = evening.matches.filter((match) => match.called).slice(0, 4);
  for (const match of evening.matches.slice(1)) match.called = false;
  const shown = document.getElementById("night");
  const node = shown.cloneNode();
  shown.replaceWith(node);
  const strip = new Strip(node);
  strip.show(evening, new Set(), { standings: true });
  const turns = Array.from({ length: 20 }, () => {
    strip.goOn();
    return [...node.querySelectorAll(".page strong > :not(.for, .muted)")].map((each) => each.textContent);
  });
  const names = ["Ann", "W".repeat(70), "Cid"];
  const match = (called, ...sides) => ({ match: sides[0], sides: sides.map((one) => [one]), called, legs: [],
    names: sides.map((one) => names[one]), round: 1, place: "Table 1" });
  const entrants = names.map((name, entrant) => ({ entrant, name, here: true }));
  const matches = [match(true, 1, 2), match(false, 0, 1)];
  const other = { entrants, matches, standings: [], tables: [], round: 1, rounds: 2 };
  new Strip(node).show(other, new Set([1]), { standings: true });
  const first = [node.querySelector(".one").textContent];
  names.splice(1, 2, "Bob", "Cid", "Dee");
  const later = [match(true, 1, 2), match(false, 0, 2), match(false, 3, 0)]; // Ann waits for Cid first
  const four = names.map((name, entrant) => ({ entrant, name, here: true }));
  new Strip(node).show({ ...other, entrants: four, matches: later }, new Set([1]), { standings: true });
  const texts = (read) => [...node.querySelectorAll(read)].map((each) => each.textContent);
  first.push(texts(".one"), texts(".page strong > :not(.for, .muted)"));
  const people = Array.from({ length: 30 }, (_, entrant) => ({ entrant, name: `Person ${entrant}`, here: true }));
  const claim = ({ entrant: at, name }) => ({ ...match(true), match: at, sides: [[at], []], names: [name, ""],
    over: true, legs: [{ state: "waits", scores: [121, 90], said: "", waits_for: [0] }] });
  const asks = new Strip(node);
  asks.show({ ...other, entrants: people, matches: people.map(claim) }, new Set(), { standings: true });
  const asked = people.map(() => {
    asks.goOn();
    const one = node.querySelector(".asked");
    const isCut = one.scrollWidth > one.clientWidth + 1;
    return isCut || !one.textContent.endsWith(" \u2026") ? [] : one.lastChild.textContent.slice(0, -2).split(", ");
  });
  const everybody = new Set(asked.flat()).size === 30 && asked.every((names) => names.length > 1);
  node.replaceWith(shown);
  const waits = shortNames(evening, waiting(evening).map(({ name }) => name));
  const unnamed = waits.filter((name) => !turns.flat().includes(unbroken(name)));
  return [first, waits.length, unnamed, everybody];
}"""

# Plans of so many players on paper of this size: sheets, names, heads' type and the widest box for a score, names' type
# in points, lines in millimetres, whether all of it is seen.
PLANS = """async () => {
  const { paper } = await import("/static/night-paper.js");
  window.print = () => {};
  const long = ["Ann Barker", "Chris Featherstone", "Maxine Oberhuber", "Hanna-Luise"];
  const made = [];
  for (const [count, rounds] of [[6, 5], [14, 9], [15, 9], [20, 9]]) {
    const people = [...long, ...Array.from({ length: count - 4 }, (_, at) => `Player ${at}`), ...count % 2 ? [""] : []];
    const matches = Array.from({ length: rounds }, (_, round) => people.slice(people.length / 2).map((_, at) => {
      const turn = (place) => people[place ? 1 + (place + round) % (people.length - 1) : 0];
      const names = [turn(at), turn(people.length - 1 - at)].filter(Boolean);
      const more = { legs: [], first: 0, called: !round, place: `Table ${at + 1}` };
      return { round: round + 1, names, bye: names.length < 2, ...more };
    })).flat();
    const node = document.getElementById("paper");
    const entrants = people.map((name, entrant) => ({ name, entrant }));
    await paper(node, { night: 0, began: "2026-11-27", matches, entrants, draw: "", best_of: 1 }, "plan");
    const all = (read, see) => [...node.querySelectorAll(read)].map(see);
    const box = (one) => one.getBoundingClientRect();
    const cut = all(".wall-sheet", (sheet) => [...sheet.querySelectorAll("section, p, td")].filter((one) =>
      box(one).bottom > box(sheet).bottom + 1 || one.scrollWidth > one.clientWidth + 1 || box(one).right > innerWidth));
    const type = all(".name", (name) => parseFloat(getComputedStyle(name).fontSize) * .75);
    const lines = all(".name", (name) => box(name).height / 96 * 25.4);
    const tables = all("tbody", (match) => match.querySelector("td.at[rowspan='2']")).every(Boolean); // room for each
    const high = Math.max(...all(".wall-sheet", (sheet) => box(sheet).height)) <= innerHeight && tables;
    const called = new Set(all(".name", (name) => name.textContent)).size; // alike on all sheets
    const heads = Math.min(...all("h3 small", (head) => Math.round(parseFloat(getComputedStyle(head).fontSize) * .75)));
    const boxes = Math.round(Math.max(...all(".box", (one) => box(one).width)) / 96 * 25.4);
    const seen = high && !cut.flat().length;
    made.push([cut.length, called, heads, boxes, Math.min(...type), Math.min(...lines), seen]);
  }
  return made;
}"""

# Cards of 14 in one draw or another on paper of this size: how many a sheet, in all, blank, sizes of names, their type
# in points, lines in millimetres, whether all of it is seen, room beside heads and to write games won in. Then what a
# card has of a best of three, slips with names and all, what the director is told of them, whether standings fit, and
# what they say of who sits out.
SHEETS = """async () => {
  const { Print } = await import("/static/night-print.js");
  const { paper } = await import("/static/night-paper.js");
  window.print = () => {};
  const names = ["Ann Barker", "Chris Featherstone", "Maxine Oberhuber", "Hanna-Luise", "Bob", "Cid", "Dee", "Eve",
    "Fay", "Gus", "Ivo", "Kit", "Lou", "Ned"];
  const entrants = names.map((name, entrant) => ({ name, entrant, here: true, added: [] }));
  const node = document.getElementById("paper");
  const all = (read, see) => [...node.querySelectorAll(read)].map(see);
  const box = (one) => one.getBoundingClientRect();
  const couples = (all) => all.slice(all.length / 2).map((_, at) => [all[at], all[all.length - 1 - at]]);
  const turned = (all, round) => all.map((_, at) => all[at && 1 + (at + round) % (all.length - 1)]);
  const match = (number, round, ...sides) => ({ match: number, round, called: round < 2, over: false, bye: !sides[1],
    first: 0, legs: [], place: `Table ${number % 9}`, sides,
    names: sides.map((side) => side.map((who) => names[who]).join(" and ")) });
  const roundOf = (draw, round) => {
    const alone = names.map((_, who) => who);
    const drawn = draw === "pairs" ? [...couples(alone), []] : alone.map((who) => [who]);
    const met = couples(turned(drawn, round));
    if (draw !== "partners") return met;
    return [0, 2, 4, 6].map((at) => met.slice(at, at + 2).map((two) => two.flat()));
  };
  const night = (draw, rounds, best_of = 1) => {
    const matches = Array.from({ length: rounds }, (_, at) => roundOf(draw, at).flatMap((two, table) => {
      const sides = two.filter((side) => side.length);
      if (sides.length < 2) return sides[0].map((who) => match(0, at + 1, [who]));
      return [match(9 * at + table, at + 1, ...sides)];
    })).flat();
    const standings = entrants.map(({ entrant, name }, at) =>
      ({ place: at + 1, entrants: [entrant], name, points: "9", won: 4, games: 9, skunks: 1, spread: 12, byes: 2 }));
    return { night: `${draw} ${best_of}`, began: "2026-11-27", worth: "Win 2, skunk (by 31 or more) 3, loss 0",
      entrants, rules: { what: "a win 2" }, matches, standings, notes: [], rounds, round: 1, draw, best_of,
      target: 121, by_wins: true, by_spread: true };
  };
  const cards = [];
  for (const [draw, rounds] of [["", 9], ["pairs", 5], ["partners", 9]]) {
    await paper(node, night(draw, rounds), "cards");
    const inside = (one, card) => ["bottom", "right"].every((edge) => box(one)[edge] < box(card)[edge] - 4);
    const seen = all(".sheet-card", (card) => [...card.querySelectorAll("tr, p, .fitted")].every((one) =>
      inside(one, card) && one.scrollWidth <= one.clientWidth + 1));
    const type = all("td .fitted", (name) => parseFloat(getComputedStyle(name).fontSize) * .75);
    const lines = all("tbody tr", (line) => box(line).height / 96 * 25.4);
    const sheet = all(".sheet-card", box).filter((one) => one.bottom - box(node).top <= innerHeight).length;
    const blank = all("h2 .blank", (line) => box(line).width >= 110).filter(Boolean).length; // 29 mm for a name
    const sizes = all("td:nth-last-child(5) .fitted", (name) => getComputedStyle(name).fontSize);
    const types = draw ? 1 : new Set(sizes).size; // on all cards
    const beside = all("th", (head) => {
      const words = document.createRange();
      words.selectNodeContents(head);
      return (box(head).width - box(words).width) / 2;
    });
    const written = all("td .blank", (line) => box(line).width - 35); // 9 mm
    const room = Math.min(...beside, ...written) >= 2; // half a millimetre
    cards.push([sheet, seen.length, blank, types, Math.min(...type), Math.min(...lines), seen.every(Boolean), room]);
  }
  const three = night("", 9, 3);
  Object.assign(three.matches[0], { over: true, wins: [2, 1] });
  await paper(node, three, "cards");
  const games = all(".sheet-card:first-child tbody tr:first-child td", (cell) => cell.textContent).slice(-3);
  games.push(...all(".sheet-card:first-child tr:last-child td:last-child", (cell) => cell.textContent));
  const evening = night("", 9);
  await paper(node, evening, "slips");
  const slips = all(".slip", (slip) => !slip.querySelector(".blank"));
  const ends = new Set(all(".slip .hand", (hand) => hand.textContent)); // nothing that is the director's
  const later = { ...evening, round: 3, matches: evening.matches.map((one) => ({ ...one, called: one.match === 27 })) };
  const redrawn = (evening, round) => ({ ...evening, matches: evening.matches.map((one) =>
    (one.round === round ? { ...one, first: 1 } : one)) });
  const director = new Print(null);
  const stale = [evening, redrawn(evening, 4), redrawn(evening, 5), later].map((night) =>
    [director.stale(night)].map((notice) => (notice ? [...notice.children].map((one) => one.textContent) : "")).join());
  await paper(node, later, "missing");
  stale.push([...ends].join());
  stale.push(String(director.stale(later)), String(all(".slip strong", (round) => round.textContent.split(",")[0])));
  await paper(node, evening, "standings");
  const lines = all("table:not(.cross) tbody tr", (line) => box(line).height);
  const high = box(node).height <= innerHeight && Math.max(...lines) < Math.min(...lines) + 2; // no name on two lines
  await paper(node, night("pairs", 5), "standings");
  const remarks = all("td small", (remark) => remark.textContent);
  return [cards, games, slips.filter(Boolean).length, slips.length, stale, high, remarks];
}"""

# What a phone's card offers for two results that wait for others: the newer one is changed above it.
SENT = """async () => {
  const { Player } = await import("/static/night-player.js");
  const legs = [{ state: "waits", waits_for: [1], points: [], scores: null, said: "" }];
  const match = (match, said) => ({ match, said, round: match, mine: 0, names: ["Ann", "Bob"], wins: [], legs });
  const evening = { closed: false, mine: 1, matches: [match(1, 5), match(2, 9)], standings: [], entrants: [] };
  const card = Player.prototype.card.call({ picked: 0 }, evening, null);
  return [...card.querySelectorAll("button")].map((node) => `${node.dataset.key} ${node.textContent}`);
}"""

# What a phone says first of the next match of a player who sits out this round: not called yet, called.
SITS_OUT = """async () => {
  const { Player } = await import("/static/night-player.js");
  const one = Object.assign(Object.create(Player.prototype), { refuses: 0, winner: -1, points: "" });
  const match = (round, ...names) => ({ match: round, round, names, sides: names.map((_, at) => [at]), bye: !names[1],
    mine: 0, legs: [] });
  const said = (called) => {
    const next = { ...match(2, "Ann", "Bob"), called };
    const evening = { round: 1, matches: [match(1, "Ann"), next], tables: [], entrants: [], standings: [] };
    return one.match(evening, next).querySelector(".rival").textContent;
  };
  return [said(false), said(true)];
}"""

# Where a wall sends the two of a quarrel, of whom one is called and the other is free, called, or in another game.
TWO_PLACES = """async () => {
  const { Wall } = await import("/static/night-wall.js");
  const { Player } = await import("/static/night-player.js");
  const { seeDirector } = await import("/static/night-parts.js");
  const wall = Object.assign(Object.create(Wall.prototype), { whole: false, elsewhere: [], turn: 0 });
  const names = ["Ann", "Bob", "Cid", "Dee"];
  const match = (table, sides, more) => ({ match: table, table, place: `Table ${table}`, called: true, legs: [],
    names: sides.map((who) => names[who]), sides: sides.map((who) => [who]), ...more });
  const entrants = names.map((name, entrant) => ({ name, entrant }));
  const quarrel = match(1, [0, 1], { over: true, legs: [{ state: "disputed" }] });
  const [due, running] = [{}, { running: [5, 9] }].map((more) => match(3, [0, 3], more));
  const still = { ...running, table: 2 };
  const another = match(5, [2, 3], { over: true, legs: quarrel.legs });
  return [[], [due], [running], [still], [another]].map((others) => {
    const matches = [quarrel, match(2, [1, 2]), ...others];
    const evening = { played: true, entrants, standings: [], tables: [], matches };
    const said = [...wall.course(evening, false, 99).left().querySelectorAll(".go:not(.score)")];
    const where = wall.course(evening, false, 99).seen.at(-2).join(); // drawn anew when this changes
    const first = [...wall.course(evening, false, 99).left().querySelectorAll(".first")].map((one) => one.textContent);
    const see = seeDirector(evening, quarrel).split(": ")[1];
    const called = (mine) => ({ ...matches[1], first: 0, mine: mine - 1 });
    const phones = [1, 2].map((mine) => Player.prototype.where({ ...evening, mine }, called(mine))[0].textContent);
    return [first.join(" "), ...said.map((node) => node.textContent), see, where, ...phones];
  });
}"""

# What becomes of the games of somebody who leaves, some of them open; where the phone of who directs finds its match.
KEEPS = """async () => {
  const { People } = await import("/static/night-people.js");
  const { ownPage } = await import("/static/night-parts.js");
  const match = (round, state, said) => ({ match: round, round, sides: [[0], [1]], called: true, over: true, bye: false,
    legs: [{ state, said }] });
  const matches = [match(2, "waits", "Ann by 9"), match(3, "disputed", "")];
  const keeps = People.prototype.keeps({ matches }, { entrant: 1, name: "Cid" });
  return [keeps, ...[true, false].map((director) => ownPage({ director }))];
}"""

# What a phone says of its name where it takes its side: nothing typed, a name typed.
TYPED = """async () => {
  const { Here } = await import("/static/here.js");
  const { get } = Object.getOwnPropertyDescriptor(Here.prototype, "typed");
  return ["", " Ann "].map((value) => get.call({ nickname: { value } }));
}"""

# With whom a phone's player plays against whom, and who still plays elsewhere; who deals first; what the card says.
PARTNER = """async () => {
  const { Player } = await import("/static/night-player.js");
  const entrants = ["Ann", "Bob", "Cid", "Dee", "Eve"].map((name, entrant) => ({ name, entrant }));
  const names = (side) => side.map((who) => entrants[who].name).join(" and ");
  const match = (match, called, ...sides) => ({ match, round: match, sides, called, bye: false, legs: [], first: 1,
    place: "Table 9", names: sides.map(names), mine: sides[0].includes(0) ? 0 : null });
  const [now, other] = [match(1, true, [0, 2], [3, 1]), match(2, true, [3], [4])];
  const next = { ...match(3, false, [0, 1], [3, 2]), changed: true };
  const evening = { round: 1, entrants, standings: [], tables: [], mine: 0, draw: "partners" };
  const one = Object.assign(Object.create(Player.prototype), { refuses: 0, winner: -1, points: "" });
  const read = (matches, which) => one.match({ ...evening, matches }, matches[0]).querySelector(which).textContent;
  const card = one.card({ ...evening, matches: [now, other, next] }, now).querySelector("li:nth-child(3)").textContent;
  return [read([now, other, next], ".rival"), read([now], ".rival + p"), read([next, other], ".rival + p"), card];
}"""

# A phone that is asked about a game while its player is called to the next: what it asks, what stands below.
CALLED = """async () => {
  const { Player } = await import("/static/night-player.js");
  const entrants = ["Ann", "Bob", "Cid"].map((name, entrant) => ({ name, entrant }));
  const match = (match, other, more) => ({ match, round: match, table: match, place: `Table ${match}`, called: true,
    mine: 0, names: ["Ann", entrants[other].name], sides: [[0], [other]], first: 1, legs: [], ...more });
  const waits = { leg: 1, state: "waits", waits_for: [0], scores: [90, 121], said: "Bob by 31", reports: [] };
  const asked = match(1, 1, { over: true, legs: [waits] });
  const evening = { best_of: 1, round: 2, mine: 0, matches: [asked, match(5, 2)], tables: [], entrants, standings: [] };
  const one = Object.assign(Object.create(Player.prototype), { refuses: 0, winner: -1, points: "" });
  const read = () => one.match(evening, asked).querySelector(":scope > :last-child").textContent;
  const next = one.calledBeside(evening, asked);
  return [read(), one.beside(evening, next).textContent, one.calledBeside(evening, next) ?? null];
}"""

# Of a match of three games, of which the second is over and the first waits for Ann: what her phone asks, Bob's says.
THIRD = """async () => {
  const { Player } = await import("/static/night-player.js");
  const one = Object.assign(Object.create(Player.prototype), { refuses: 0, winner: -1, points: "" });
  const scores = [90, 121];
  const game = (leg, state, waits_for) => ({ leg, state, waits_for, scores, said: "Bob by 31", reports: [] });
  const match = { match: 1, round: 1, names: ["Ann", "Bob"], sides: [[0], [1]], called: true, place: "Snug",
    wins: [0, 1], legs: [game(1, "waits", [0]), game(2, "agreed", [])] };
  const evening = { best_of: 3, round: 1, matches: [], tables: [], entrants: [], standings: [] };
  const shown = (mine, read) => one.match(evening, { ...match, mine }).querySelector(read)?.textContent;
  return [shown(0, ".ask > .rival"), shown(1, ".sent > span"), shown(1, ".report > p")];
}"""

# Why an order is not given while another one is kept, for a form that comes back with it.
BUSY = """async () => {
  const { Orders } = await import("/static/night-orders.js");
  const orders = Object.assign(new Orders(() => {}), { busy: true });
  const said = document.getElementById("wrong");
  const done = await orders.give({ night: 0 }, { do: "note" });
  said.hidden = true;
  return [done, orders.refused, said.textContent];
}"""

# The buttons of a question: one answer alone can be left, too, where it is not just that it was read.
ALONE = """async () => {
  const { choose } = await import("/static/dialog.js");
  const dialog = document.getElementById("dialog");
  return [["Ann v Bob", 7], ["Done", true]].map((choice) => {
    choose("Which?", "", [choice]);
    dialog.close();
    return [...dialog.querySelectorAll("button")].map((node) => node.textContent);
  });
}"""

# What explains that somebody who has gone has few games: a walk-over does not count.
GONE = """async () => {
  const { inAndOut } = await import("/static/night-parts.js");
  const match = (...scores) => ({ round: 1, sides: [[0], [1]], legs: scores.map((scores) => ({ scores })) });
  const gone = (...matches) => inAndOut({ matches, standings: [{ entrants: [0], games: 9 }] }, { entrant: 0 });
  return [gone(match(null)), gone(match(null), match([121, 90])), gone(match([1, 2], [2, 1]))];
}"""

# How a player reads who has won without a game, where one's name begins the other's.
WITHOUT = """async () => {
  const { outcome } = await import("/static/night-player.js");
  const leg = { state: "settled", scores: null, said: "Ann Lee without a game", points: ["2", "0"], waits_for: [] };
  const match = { names: ["Ann Lee", "Ann"], wins: [1, 0], legs: [leg] };
  return [0, 1].map((mine) => outcome({ ...match, mine })[0]);
}"""

# `taken` is there as soon as a page has done what it does with the kiosk's next word of the night.
TAKEN = """() => {
  const { text } = Response.prototype;
  window.taken = new Promise((done) => {
    Response.prototype.text = async function () {
      const said = await text.call(this);
      if (this.url.endsWith("/api/night")) setTimeout(done);
      return said;
    };
  });
}"""

# Of what is read from across the room on a night, what is not there whole.
CUT = """() => [".call", ".at", ".go", ".pair", ".who", ".winner", ".places strong", ".facts", "ol", "li"]
  .flatMap((read) => [...document.querySelectorAll(`.wall ${read}`)])
  .filter((node) => node.scrollWidth > node.clientWidth + 1 || node.scrollHeight > node.clientHeight + 1
    || node.matches(".pair") && node.clientHeight > 1.5 * parseFloat(getComputedStyle(node).fontSize))
  .map((node) => node.textContent)"""


@pytest.fixture(scope="module")
def open_house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """One with a name."""
    with House(tmp_path_factory.mktemp("open") / "house", options=("--pub", "The Anchor")) as one:
        yield one


@pytest.fixture
def staff(visit: Any, house: House) -> Page:
    return directing(visit, house)


def directing(visit: Any, house: House) -> Page:
    """The laptop of who directs, while no night is on."""
    page: Page = visit("/staff", LAPTOP)
    page.get_by_label("PIN").first.fill(house.pin)
    page.keyboard.press("Enter")
    page.locator("#room").wait_for()
    page.evaluate(CLOSE)
    return page


def begun(page: Page, names: list[str], wooden: int, rounds: int = 5, how: dict[str, str] | None = None) -> None:
    """Begin a night on its page; `how` are the choices of its fields by id, beside the usual ones."""
    page.goto(page.url.partition("/staff")[0] + "/night")
    page.locator("#go, [data-key=begin]").first.wait_for()
    if page.locator("[data-key=begin]").count():  # after another night
        page.locator("[data-key=begin]").click()
    page.get_by_text("Paste a list").click()
    page.locator("#pasted").fill("\n".join(f"{at}. {name}" for at, name in enumerate(names, 1)))
    page.get_by_role("button", name="Take these names").click()
    ticked = page.locator("[data-key^=name-]:checked").evaluate_all("(boxes) => boxes.map((box) => box.dataset.key)")
    for key in {*ticked} - {f"name-{name}" for name in names}:  # whose phones are here from other tests
        page.locator(f'[data-key="{key}"]').uncheck()
    page.locator("#wooden").fill(str(wooden))
    page.locator("#rounds").fill(str(rounds))
    for field, value in (how or {}).items():
        place = page.locator(f"#{field}")
        if place.evaluate("(node) => node.tagName") == "SELECT":
            place.select_option(value)
        else:
            place.fill(value)
    said = page.locator("#comes")  # of all that is chosen
    expect(said).to_contain_text(re.compile(f"{len(names)} players.*, {rounds} rounds?:"))
    assert page.locator("#wooden").input_value() == str(wooden), said.inner_text()
    page.get_by_role("button", name="Draw").click()
    page.locator("input.points").first.wait_for()


POST = """([path, body]) => fetch(path, {
  method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body),
}).then((answer) => answer.json())"""


def night(page: Page) -> Any:
    return page.evaluate("fetch('/api/night').then((answer) => answer.json())")


def on_wood(page: Page) -> Any:
    """A match that is called to a wooden table."""
    return next(each for each in night(page)["matches"] if each["called"] and not each["over"] and each["table"] > 100)


def result(page: Page, match: Any) -> Any:
    """What is said of a match's game."""
    legs = next(each for each in night(page)["matches"] if each["match"] == match["match"])["legs"]
    return legs[0] if legs else {"state": "open"}


def printed(page: Page, kind: str) -> Locator:
    """What Print makes of a kind of paper."""
    page.evaluate("window.print = () => {}")
    page.locator("[data-key=print]").click()
    page.locator("#dialog").get_by_role("button", name=re.compile(f"^{kind}")).click()
    paper = page.locator(f"#paper.{kind.lower()}")
    paper.wait_for(state="attached")
    return paper


def points(page: Page, match: Any, side: int) -> Locator:
    """Where the director types a side's points."""
    return page.locator(f"[data-key=points-{match['match']}-{side}]")


def phone(visit: Any, page: Page, name: str, *, types: bool = False) -> Page:
    """A phone that scans the code, or on which somebody types it, and taps its name."""
    invite = page.evaluate("fetch('/api/night/invite').then((answer) => answer.json())")
    one: Page = visit(
        "/night?view=phone" + ("" if types else f"#t={invite['url'].partition('#t=')[2]}"), PHONE, has_touch=True
    )
    if types:
        one.get_by_label("Six digits").fill(invite["code"])
        one.get_by_role("button", name="Join").press("Enter")
        expect(one.get_by_role("heading", name="Who are you?")).to_be_focused()
    assert small(one) == [] == unsafe(one)
    one.get_by_role("button", name=name, exact=True).tap()
    one.get_by_role("heading", name="My card").wait_for()
    expect(one.locator("#announcer")).to_contain_text(f"You are {name} now")
    expect(one.locator("#player h2").first).to_be_focused()  # the match
    assert small(one) == [] == unsafe(one)
    one.locator("[data-key=tell-yes]").tap()  # asked once
    expect(one.get_by_role("button", name="Turn sound off")).to_be_visible()
    return one


def test_six_people_with_nothing_prepared(visit: Any, staff: Page) -> None:
    """A name, a call, a result, the other phone's Right: what counts is on the television."""
    begun(staff, SIX, 2)
    assert not findings(staff)
    staff.emulate_media(media="print")
    for width, height in ((192, 279), (197.9, 261.4)):  # A4 and Letter within their margins, in millimetres
        staff.set_viewport_size({"width": int(width / 25.4 * 96), "height": int(height / 25.4 * 96)})
        plans = staff.evaluate(PLANS)
        assert [made[:3] for made in plans] == [[1, 6, 11], [2, 14, 11], [2, 15, 11], [3, 20, 11]]
        assert plans[1][3] == plans[2][3] == 20 and min(made[3] for made in plans) >= 14, plans
        assert all(points >= 15 and line >= 8 and whole for *_, points, line, whole in plans), plans
        cards, games, named, slips, stale, high, remarks = staff.evaluate(SHEETS)
        assert [made[:4] for made in cards] == [[4, 16, 2, 1], [4, 8, 1, 1], [3, 15, 1, 1]]  # a pair shares a card
        assert all(points >= 12 and line >= 7 and whole and room for *_, points, line, whole, room in cards), cards
        assert games == ["2", "1", "\u2013", ""]  # of a best of three, of which a card has no spread
        assert (named, slips, high) == (28, 30, True)  # of four rounds
        assert stale[0] == stale[2] == "", stale  # as it was; another deals in round 5, which has no slips
        assert stale[1].startswith("Changed since printing: slips.,Print 7 slips (round 4)"), stale
        lacking = "Slips are printed up to round 4.,Print 35 slips (rounds 5\u20139)"
        assert stale[3].startswith(lacking), stale
        rounds = ",".join(f"Round {at} of 9" for at in (5, 6, 7, 8, 9) for _ in range(7))
        hand = "The winner has 121. Hand this to the director."
        assert stale[4:] == [hand, "false", rounds + ",Round ____" * 5]
        assert {*remarks} == {"sat out twice", "sits out now, sat out once"}  # the round now is not told twice
    staff.emulate_media(media="screen")
    staff.set_viewport_size(LAPTOP)
    cards = printed(staff, "Cards").locator(".sheet-card")
    expect(cards).to_have_count(8)  # four a sheet: two for whoever comes late
    expect(cards.first.locator("th:nth-child(2)")).to_have_text("Table")
    expect(cards.first.locator("tr:first-child > td:nth-child(2)")).to_have_text(re.compile("^[0-9]$"))
    expect(cards.last).to_contain_text("Name")
    expect(cards.last).not_to_contain_text("Plan of")
    expect(cards.last).to_contain_text("League points: win 2, skunk (by 31 or more) 3, loss 0.")
    total = re.compile("^Total Games won Spread: won by less lost by$")
    expect(cards.last.locator("td.spread")).to_have_text("Spread")
    expect(cards.last.locator("tbody td:first-child")).to_have_text([*"12345", total])
    expect(printed(staff, "Plan").locator("tbody")).to_have_count(15)
    slips = printed(staff, "Slips").locator(".slip")
    expect(slips).to_have_count(20)
    expect(slips.first).to_contain_text(re.compile("^Round 1 of 5, Table [0-9]Plan of [0-9:]+.[AP]M"))
    expect(staff.locator("[data-key=stale]")).to_have_count(0)
    expect(staff.locator("#director input.points").first).to_be_focused()
    staff.locator("[data-key=tv]").focus()
    staff.keyboard.press("9")
    expect(staff.locator("#director input.points").first).to_have_value("9")
    staff.keyboard.press("a")  # something is typed
    expect(staff.locator("#director input.points").first).to_have_value("9a")
    staff.locator("#director input.points").first.fill("")
    match = on_wood(staff)
    one, other = (phone(visit, staff, name) for name in match["names"])
    expect(one.locator(".next h2")).to_have_text(match["place"])
    one.locator(".report").get_by_role("button", name=match["names"][0]).tap()
    expect(other.locator(".report .row button").first).to_have_text(match["names"][1])  # one's own name is first
    other.locator(".report .row button").first.tap()
    other.locator("#points").fill("8")
    expect(other.locator(".says")).to_have_text(
        re.compile(f"^{match['names'][1]} 121 . 8 {match['names'][0]} by 113, a skunk$")
    )
    other.locator("#points").fill("121")
    expect(other.locator(".says")).to_contain_text(f"{match['names'][0]}\u2019s score must be less than 121.")
    other.locator("[data-key=cancel]").tap()
    one.locator("#points").fill("88")
    expect(one.locator(".says")).to_have_text(
        re.compile(f"^{match['names'][0]} 121 . 88 {match['names'][1]} by 33, a skunk$")
    )
    tops = [each["box"]["top"] for each in one.evaluate(SIZES, ".says, #points, [data-key=send]")]
    assert tops[0] == min(tops) > 0  # the keyboard hides what is below the field
    assert one.evaluate("document.querySelector('[data-key=send]').getBoundingClientRect().bottom + scrollY") <= 480
    expect(one.locator(".go-now")).to_have_count(0)  # they have played
    assert findings(one) == [] == unsafe(one)
    held: list[Any] = []
    one.route("**/api/night", lambda route: held.append((route, route.fetch())))
    with one.expect_request("**/api/night"):  # one that was asked for before it is sent, and is answered after it
        pass
    other.evaluate("scrollTo(0, 9999)")
    assert other.evaluate("scrollY") > 50
    one.get_by_role("button", name="Send").tap()
    expect(one.locator(".sent")).to_contain_text(
        f"Sent: {match['names'][0]} won 121\u2060\u2013\u206088. {match['names'][1]} hasn\u2019t confirmed it yet."
    )
    route, before = held[0]
    assert not next(each for each in before.json()["matches"] if each["match"] == match["match"])["legs"]
    one.evaluate(TAKEN)
    route.fulfill(response=before)
    one.evaluate("taken")
    assert one.locator(".sent").is_visible()
    one.unroute("**/api/night")
    for size in (32, 16):
        read_larger(one, size)
        expect(one.locator("html")).to_have_css("font-size", f"{size * 1.0625:g}px")
        assert one.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
        assert findings(one) == [] == unsafe(one)
    expect(other.locator(".ask")).to_contain_text(f"by 33, a skunk, says {match['names'][0]}")
    expect(other.locator(".ask .you")).to_be_in_viewport()
    expect(one.get_by_role("region", name="My card")).to_contain_text("That may change: a result is not confirmed")
    expect(other.locator(".ask h2")).to_have_text(re.compile(f"^{match['names'][0]} won 121.{{3}}88$"))
    expect(other.locator(".ask .rival").last).to_have_text(re.compile("^Next: against [A-Z][a-z]+$"))
    expect(other.locator(".ask > :last-child")).to_contain_text("it will call you.")
    assert findings(other) == [] == unsafe(other)
    expect(one.locator(".own-card button")).to_have_count(0)  # it is changed above
    assert one.evaluate(SENT) == ["pick-1 Change"]
    expect(one.locator(".next")).to_contain_text("Keep this page open and the phone unlocked: it will call you.")
    one.get_by_role("button", name="Turn sound off").tap()
    expect(one.locator(".next")).to_contain_text("This phone is silent: look here")
    one.get_by_role("button", name="Change it").tap()
    one.locator(".next .report [data-key=cancel]").tap()
    expect(one.get_by_role("region", name="My card")).to_contain_text("Something wrong? Tell the director.")
    other.get_by_role("button", name="Right", exact=True).tap()
    wait_for(lambda: result(staff, match)["state"] == "agreed")
    expect(one.locator(".sent")).to_have_count(0)
    expect(one.locator(".next .rival")).not_to_have_text(f"against {match['names'][1]}")  # what comes next
    other.get_by_role("button", name="Not you?").tap()  # they have taken somebody else's name
    expect(other.get_by_role("region", name="Who are you?")).to_contain_text("Not on the list? Ask the director.")
    other.get_by_role("button", name=match["names"][1], exact=True).tap()
    other.get_by_role("heading", name="My card").wait_for()
    with staff.expect_popup() as television:
        staff.get_by_role("button", name="Television").click()
        staff.locator("#dialog").get_by_role("button", name=re.compile("^Who plays where")).click()
    expect(television.value.locator(".table-of li").first).to_contain_text(match["names"][0])
    television.value.close()
    staff.keyboard.press("a")
    expect(staff.get_by_role("dialog", name="Add somebody")).to_be_visible()
    staff.locator("#dialog input").fill("Zed")
    staff.keyboard.press("Enter")
    expect(staff.locator("#director .news")).to_have_text(re.compile("^Zed plays from round [12], first"))
    expect(staff.locator("#director input.points").first).to_be_focused()
    expect(staff.locator("#announcer")).to_have_text(re.compile("^Zed plays from round [12], first"))
    stale = staff.locator("#director .notice.over")  # what was printed is not right any more
    out = "Changed since printing: [2-6] cards, the plan and slips. Zed has no card.Print [3-7] cardsplan"
    expect(stale).to_contain_text(re.compile(out))
    staff.locator("[data-key=stale]").click()
    expect(staff.locator("[data-key=stale]")).to_have_count(0)
    fresh = "Rounds [23] to [0-9] are new: (copy what is missing, then )?throw the old card away"
    expect(staff.locator("#paper .sheet-card", has_text=re.compile(fresh)).first).to_be_attached()
    late = staff.locator("#paper .sheet-card", has=staff.get_by_role("heading", name="Zed", include_hidden=True))
    expect(late).not_to_contain_text("throw the old card away")
    expect(staff.locator("#paper .sheet-card tr", has_text="sits out").first).to_contain_text("sits out\u2013\u2013")
    firsts = late.locator("tbody tr:not(:last-child) td:first-child").all_text_contents()
    rounds = [int(text.removesuffix(" D")) for text in firsts]
    assert rounds == sorted({*rounds})
    assert len(rounds) > 3
    expect(late.locator("tbody tr")).to_have_count(len(rounds) + 1)  # and the total
    staff.locator("[data-key=stale-slips]").click()
    expect(staff.locator("#paper .slip strong", has_text="New: Round").first).to_be_attached()
    expect(staff.locator("#paper .slip", has_text=re.compile("^Round [0-9]"))).to_have_count(0)  # as they were
    name = staff.get_by_role("heading", name=match["names"][0], include_hidden=True)
    mine = printed(staff, "Cards").locator(".sheet-card", has=name).locator("tbody tr").first
    expect(mine).to_contain_text(match["names"][1])
    expect(mine.locator("td").nth(4)).to_have_text("33")  # it has what was played
    expect(stale.get_by_role("button")).to_have_text(["plan", "\u00d7"])
    stale.get_by_label("Leave the paper as it is").click()  # a plan on the wall that nobody reads
    expect(stale).to_have_count(0)
    staff.locator("[data-key=news]").click()
    expect(staff.locator("#director .news")).to_have_count(0)
    staff.get_by_role("button", name="More about Zed", exact=True).click()
    staff.get_by_role("button", name="Name").click()
    corrected = staff.locator("#dialog").get_by_role("textbox", name="Name")
    expect(corrected).to_be_focused()
    corrected.fill("Zoe")
    expect(one.get_by_role("region", name="Standings")).to_contain_text("Zed")
    corrected.press("Enter")
    for page in (staff, one):
        expect(page.get_by_role("region", name="Standings")).to_contain_text("Zoe")
        expect(page.locator("#announcer")).to_contain_text("Zed is Zoe now")
    staff.locator("[data-key^=more-]").first.click()
    expect(staff.locator("#dialog li").first).to_have_text(re.compile("^Called at [0-9:]+.[AP]M$"))
    expect(staff.locator("#dialog .row button").last).to_contain_text("Remove this match")
    assert not findings(staff)
    staff.locator("#dialog").get_by_role("button", name="Close").click()
    expect(staff.locator("#dialog")).to_be_hidden()


def called_again(staff: Page, name: str) -> bool:
    """Whether this player is called; if not, a game on a wooden board ends."""
    calls = [each for each in night(staff)["matches"] if each["called"] and not each["over"]]
    if any(name in each["names"] for each in calls):
        return True
    points(staff, on_wood(staff), 0).fill("90")
    staff.keyboard.press("Enter")
    return False


def test_a_quarrel_is_the_directors_who_types_results_by_keyboard(visit: Any, staff: Page, house: House) -> None:
    begun(staff, SIX, 2)
    match = on_wood(staff)
    one, other = (phone(visit, staff, name) for name in match["names"])
    one.locator(".report").get_by_role("button", name=match["names"][0]).tap()
    one.locator("#points").fill("100")
    points(staff, match, 0).fill("12")
    staff.keyboard.press("Tab")
    one.get_by_role("button", name="Send").tap()
    expect(other.locator(".ask .you")).to_contain_text(f"You are {match['names'][1]}")
    other.get_by_role("button", name="Not right").tap()
    staff.locator("tr[data-state=disputed] .quarrel").first.wait_for()
    expect(points(staff, match, 0)).to_have_value("12")  # what is typed stays when something happens
    expect(points(staff, match, 1)).to_be_focused()
    points(staff, match, 0).fill("")
    for page, size in (("/night?view=tv", UPRIGHT), ("/screen", SCREEN)):
        seen = visit(page, size)
        words = f"Dispute{' v '.join(match['names'])}to director"
        expect(seen.locator(".calls [data-quarrel]")).to_have_text(words)
        assert seen.evaluate(CUT) == []
        expect(seen.locator(".join[data-large], .stage:visible").first).to_be_visible()  # nobody stands anywhere yet
        assert all(each["size"] > 60 for each in seen.evaluate(SIZES, ".calls .pair"))  # others are called as large
    expect(staff.locator("#announcer")).to_contain_text(f"{' v '.join(match['names'])} is disputed")
    expect(staff.locator("#director .clock")).to_have_text(re.compile("^1 result is disputedD \u00b7 Round 1 "))
    staff.keyboard.press("d")
    expect(points(staff, match, 0)).to_be_focused()
    expect(staff.locator("#director tbody .title").first).to_have_text(re.compile("^To decide: choose what is right"))
    expect(staff.locator("#director tr.match").first).to_contain_text("disputed")
    expect(staff.get_by_role("region", name="Results")).to_contain_text(re.compile("just called|called 1 min ago"))
    assert not findings(staff)
    staff.set_viewport_size(PHONE)  # a phone directs
    assert small(staff) == [] == unsafe(staff)
    staff.set_viewport_size(LAPTOP)
    expect(one.locator(".dispute")).to_contain_text(re.compile(f"You said: {match['names'][0]} won 121.{{3}}100"))
    assert findings(one) == [] == unsafe(one)
    said = "import('/static/night-parts.js').then(({ won }) => won({ names: ['Ann', '\u05d3\u05df'] }, [100, 121]))"
    assert staff.evaluate(said).startswith("\u2068\u05d3\u05df\u2069 won 121")  # the score is not turned round
    assert staff.evaluate(NEWEST) == [
        f"{names[0]} 121\u2060\u2013\u206090 {names[1]}" for names in (("Dee", "Cid"), ("Bob", "Ann"))
    ]
    assert staff.evaluate(CALLED) == ["RightNot right", "Go nowTable 5against CidCid deals first.", None]
    assert staff.evaluate(SITS_OUT) == ["You sit out round 1.", "against Bob"]
    now, see = ["to director", "soon"], ["see the director", "false"]
    see += ["Settle the dispute first, then go to", "Soon: Bob has a dispute to settle first"]
    later = ["go now", "after Tables 2, 3", "see the director after the game", "true", "Go now", "Go now"]
    busy = ["soon", *later[1:4], *["Soon: a game is still on there"] * 2]  # their table
    torn = ["Bob Cid", "to director", *now, see[0], "false,false", *[see[2]] * 2]
    both = ["Bob Ann", *now, "soon", *see]
    assert staff.evaluate(TWO_PLACES) == [["Bob", *now, *see], both, ["", *later], ["", *busy], torn]
    asked, sent, third = staff.evaluate(THIRD)
    assert (asked, third) == ("Game 1 of round 1: is this right?", "When you have played game 3 of round 1: who won?")
    assert sent.startswith("Sent: Bob won 121")
    who, deals, waits, card = staff.evaluate(PARTNER)
    assert (who, deals) == ("with Cid against Dee and Bob", "Dee deals first.")
    assert waits.startswith("Dee still plays at Table 9.") and "Dee and Cidwith Bobchanged" in card
    busy = "What you did before is still being sent. Try again."
    assert staff.evaluate(BUSY) == [False, busy, busy]
    assert staff.evaluate(ALONE) == [["Ann v Bob", "Close"], ["Done"]]
    assert staff.evaluate(GONE) == ["left", "left after a game", "left after 2 games"]
    assert staff.evaluate(WITHOUT) == ["Won without a game", "Lost without a game"]
    assert staff.evaluate(FEWER) == [", 3\u00a0won (3 by a skunk)", ", 4\u00a0won"]
    assert staff.evaluate(IDLE) == [
        *[[{"name": "Eve", "awaited": ["Ann"], "match": 21}, {"name": "Fay", "awaited": ["Eve"], "match": 35}]] * 2,
        [],
        ["Cid sits out now", "", ""],
    ]
    said = ["a v b", "54\u2060\u2013\u206080", "80"]
    assert staff.evaluate(QUARTER) == [[3, 4, *said], [7, 0, *said], "klmn", 14, True, True]
    staff.get_by_role("button", name=re.compile(f"^{match['names'][0]} won 121")).click()
    expect(staff.locator("tr[data-state=disputed]")).to_have_count(0)
    expect(staff.locator("#director .clock")).to_have_text(re.compile("[0-9] waits?$"))
    waits = staff.get_by_role("region", name="Waiting").locator("li").first
    expect(waits).to_have_text(re.compile("^[A-Z][a-z]+ \u2013 for [A-Z][a-z]+, Table [1-3]$"))
    wait_for(lambda: result(staff, match).get("scores") == [121, 100])
    change = staff.get_by_role("button", name=f"Change {' v '.join(match['names'])}")
    change.click()
    staff.keyboard.type("7")
    staff.keyboard.press("Escape")
    expect(change).to_be_focused()
    staff.keyboard.press("Enter")
    expect(points(staff, match, 0)).to_be_focused()
    expect(points(staff, match, 0)).to_have_value("")
    assert not findings(staff)
    staff.keyboard.type("-31")
    staff.keyboard.press("Enter")
    expect(staff.locator("[role=alert]:visible").first).to_contain_text("'-31' is not a score")
    points(staff, match, 0).fill("+31")
    staff.keyboard.press("Enter")
    wait_for(lambda: result(staff, match)["scores"] == [121, 90])
    expect(staff.locator("#director .scores li").first).to_contain_text(re.compile("121 . 90"))
    expect(staff.locator("#director .scores")).not_to_contain_text("typed")
    expect(staff.locator("#director .scores li").first.locator(".how")).to_have_text("skunk \u00b7 director")
    said = result(staff, match)
    assert (said["state"], said["scores"]) == ("settled", [121, 90])
    expect(one.locator("#announcer")).not_to_contain_text("is disputed")  # what is over is not left to be read
    expect(one.locator(".own-card .how").first).to_have_text(re.compile("^Won 121.90skunk$"))
    expect(one.locator(".own-card li .points").nth(1)).to_have_text("3")
    expect(one.get_by_role("region", name="My card")).to_contain_text("1 of the 2 who have played so far, with 3")
    match = next(each for each in night(staff)["matches"] if each["called"] and each["table"] < 100)
    winner = phone(visit, staff, match["names"][0])
    winner.get_by_role("button", name="Start the game").tap()
    wait_for(lambda: [side["name"] for side in house.get(f"/api/boards/{match['table']}")["sides"]] == match["names"])
    expect(winner).to_have_url(re.compile("/score/"))
    winner.evaluate("() => { const now = Date.now(); Date.now = () => now; }")  # it would go to its next call
    player = Player(house, match["table"])
    for names, said in (
        (["Zoe", "Yan"], "not taken as your match"),
        (match["names"], "a\u00a0skunkRecorded: 3 league points for you. Nothing to send."),
    ):
        player.do("new", names=names, again=True)
        for pegged in (29, 29, 29, 29, 5):
            player.do("peg", side=1, points=pegged)
        expect(winner.locator("#over")).to_contain_text(said)
    expect(winner.get_by_role("tab")).to_have_count(0)
    winner.get_by_role("button", name="Wrong? Undo the last peg").tap()
    winner.get_by_role("dialog", name="Undo the last peg?").get_by_role("button", name="Leave it").tap()
    expect(winner.locator("#over")).to_contain_text(said)
    winner.get_by_role("button", name="Wrong? Undo the last peg").tap()
    winner.get_by_role("dialog", name="Undo the last peg?").get_by_role("button", name="Undo it").tap()
    wait_for(lambda: result(staff, match)["state"] == "open")  # the game goes on
    player.do("peg", side=1, points=5)
    expect(winner.locator("#over")).to_contain_text(said)
    assert winner.evaluate(TYPED) == [{}, {"name": "Ann"}]  # who types no name keeps their player's
    screen = visit("/screen", SCREEN)  # what was won on a board is there to be looked at
    won = screen.locator(".slot:visible .result")
    expect(won).to_have_text(re.compile(f"^{match['names'][0]} won 121 . 0$"))
    expect(won).to_have_attribute("data-colour", "orange")  # the winner's
    expect(screen.locator(".slot:visible .below:visible")).to_have_count(0)  # it is said once
    assert screen.evaluate(BY_TURNS) == [[[True, False]] * 4 + [[False, True]] * 2, [[False, False]] * 6]
    points(staff, on_wood(staff), 0).fill("90")
    staff.keyboard.press("Enter")
    wait_for(
        lambda: any(each["table"] < 100 and not each["over"] for each in night(staff)["matches"] if each["called"])
    )
    for page in (screen, winner):
        page.evaluate("() => { const { now } = Date; Date.now = () => now() + 30000; }")
    expect(won).to_have_count(0)  # the next is called there
    wait_for(lambda: called_again(staff, match["names"][0]))
    expect(winner).to_have_url(re.compile("/night$"))  # and the winner is called, who still read the win
    expect(winner.get_by_role("region", name="Your match")).to_contain_text("Go now")
    for typed in ("", "9"):  # others decide while the keyboard is there: what comes then is no other score
        elsewhere = on_wood(staff)
        points(staff, elsewhere, 0).fill(typed)
        fields = {"do": "settle", "key": f"elsewhere{typed:0>9}", "match": elsewhere["match"], "scores": [121, 100]}
        staff.evaluate(POST, [f"/api/nights/{night(staff)['night']}/orders", fields])
        if not typed:
            expect(staff.locator("tr.match", has=points(staff, elsewhere, 0))).to_contain_text("by 21; just decided")
        staff.keyboard.type("8")
        staff.keyboard.press("Enter")
        if typed:
            said = f"{' against '.join(elsewhere['names'])} has just been decided. Look at it"
            expect(staff.locator("[role=alert]:visible").first).to_contain_text(said)
        expect(points(staff, elsewhere, 0)).to_have_count(int(typed != ""))
        staff.locator("[data-key=find]").focus()
        expect(points(staff, elsewhere, 0)).to_have_count(0)
        assert result(staff, elsewhere)["scores"] == [121, 100]
        staff.locator("input.points").first.focus()
    last = next(each for each in night(staff)["matches"] if each["called"] and not each["over"])
    name = last["names"][0]
    staff.keyboard.press("l")
    expect(staff.get_by_role("dialog", name="Who leaves?")).to_be_visible()
    staff.keyboard.press("Enter")
    expect(staff.locator("#dialog .notice")).to_have_text("Choose who leaves.")
    staff.locator("#dialog select").focus()
    staff.keyboard.type(name)
    staff.keyboard.press("Enter")
    rival = last["names"][1 - last["names"].index(name)]  # who waits at the table
    staff.get_by_role("dialog", name=f"{name} is called to {last['place']}").get_by_role(
        "button", name=f"{rival} wins"
    ).click()
    wait_for(lambda: next(each for each in night(staff)["matches"] if each["match"] == last["match"])["over"])


@pytest.mark.parametrize("size", [TV, SCREEN, UPRIGHT], ids=["720p", "1080p", "upright"])
def test_twenty_players_are_read_from_across_the_room(visit: Any, staff: Page, size: dict[str, int]) -> None:
    """What people need is at least 4 % of the height (upright, of the width), in full, and nothing overlaps."""
    begun(staff, TWENTY, 9)
    match = on_wood(staff)
    screen = visit("/night?view=tv", size)
    screen.locator(".call").first.wait_for()
    screen.locator(".code").wait_for()
    expect(screen.locator(".call .go").first).to_have_text(re.compile("^go"))  # nobody has begun
    expect(screen.locator(".table-of")).to_have_count(0)  # the code is large until somebody stands somewhere
    assert bottom(screen.locator(".join")) <= size["height"] and not findings(screen)
    points(staff, match, 1).fill("80")
    staff.keyboard.press("Enter")
    wait_for(lambda: result(staff, match)["state"] == "settled")
    screen.reload()  # the code has turns of its own
    expect(screen.locator(".table-of .head").first).to_contain_text("Standings")  # all at once
    read = ".call .at, .call .pair, .table-of .who, .table-of strong, #round, #clock, .code, .facts dd"
    texts = screen.evaluate(SIZES, read + ", .night-strip span")
    assert len(texts) > 20
    least = 0.04 * min(size["height"], size["width"])
    assert [each for each in texts if each["size"] < least] == []
    assert all(each["box"]["bottom"] <= size["height"] and each["box"]["right"] <= size["width"] for each in texts)
    assert screen.evaluate(CUT) == []
    screen.locator(".table-of").wait_for()  # the code may have had its turn
    parts = [each["box"] for each in screen.evaluate(SIZES, ".calls, .join, .table-of")]
    assert len(parts) == 2  # with standings ten calls need the code's room
    for one, other in combinations(parts, 2):
        beside = one["x"] + one["width"] <= other["x"] + 1 or one["y"] + one["height"] <= other["y"] + 1
        assert beside, (one, other)
    assert not findings(screen)
    assert screen.evaluate(LARGE) == [1, True, 2, False, False, True, 20, 7, True, True]
    seen, names, head = screen.evaluate(WORDS)
    ties = "ties: wins, then spread \u00b7 "
    assert seen == [
        ["equal points: more wins, then spread", 0],
        [f"{ties}? = result open", 0],
        [f"{ties}? = result open", 9],
    ]
    assert names[0] == "Ann B." and names[1].startswith("Wilhelmina-M")
    assert re.match("Places .+\u2013", head)
    screen.goto(screen.url.partition("/night")[0] + "/screen")
    strip = screen.locator("#night .one").first
    strip.wait_for()
    assert screen.locator("#night").bounding_box()["y"] >= bottom(screen.locator("#main"))
    places = [each["place"] for each in night(staff)["matches"] if each["called"]]
    assert len({*places}) == 10
    first, wait, unnamed, everybody = screen.evaluate(WAITING)
    assert wait and not unnamed and everybody
    assert re.match(r"Next \(bold waits\): Ann v W+", first[0])
    assert first[1:] == [["Next (bold waits): Ann v Cid", "Dee v Ann"], ["Ann", "Dee"]]
    expect(screen.locator("#calls .call[data-due] .at").first).to_have_text(places[0])
    texts = screen.evaluate(SIZES, "#night span, #night strong, #calls :is(.at, .pair, .go, .who, .code)")
    assert len(texts) > 30
    assert [each for each in texts if each["size"] < least or each["box"]["right"] > size["width"]] == []
    assert screen.evaluate(CUT) == []


def test_who_leaves_is_not_asked_about_a_match_that_has_ended_since(staff: Page) -> None:
    begun(staff, SIX[:2], 1, rounds=1)
    match = night(staff)["matches"][0]
    name = match["names"][0]
    staff.locator("[data-key=others]").click()
    staff.get_by_role("button", name="Delete this night").click()
    expect(staff.locator("#dialog")).to_contain_text("gone for good")
    staff.get_by_role("button", name="Cancel").click()
    staff.get_by_role("button", name=f"More about {name}", exact=True).click()
    leaves = staff.locator("#dialog").get_by_role("button", name="Leaves")
    expect(leaves).to_contain_text(f"{name} keeps 0 games. About the game at Table 1 you are asked next. The rest")
    kept = "Cid keeps 1 game; round 2, Ann by 9, counts as reported. Round 3 is disputed: decide it."
    assert staff.evaluate(KEEPS) == [f"{kept} The rest is planned again.", "/night?view=phone", "/night"]
    order = {"do": "settle", "match": match["match"], "scores": [121, 90], "key": "settled-meanwhile"}
    assert staff.evaluate(
        """([path, order]) => fetch(path, { method: "POST", headers: { "Content-Type": "application/json" },
          body: JSON.stringify(order) }).then((answer) => answer.ok)""",
        [f"/api/nights/{night(staff)['night']}/orders", order],
    )
    leaves.click()
    expect(staff.get_by_text("left after a game").first).to_be_visible()
    expect(staff.locator("#dialog")).to_be_hidden()


def bottom(node: Locator) -> float:
    box = node.bounding_box()
    assert box is not None
    return float(box["y"] + box["height"]) - 1


def news_while_it_is_pressed(page: Page, button: Locator) -> None:
    """A click, between whose two halves the page hears of something new."""
    path = f"/api/nights/{night(page)['night']}/orders"
    waits: list[Any] = []
    with page.expect_request("**/api/night"):
        page.route("**/api/night", lambda route: waits.append(route))
    assert page.evaluate(NOTE, path)
    box = button.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 5, box["y"] + 5)
    page.mouse.down()
    with page.expect_response("**/api/night"):
        waits[0].continue_()
    page.wait_for_timeout(100)
    page.mouse.up()
    page.unroute("**/api/night")


def test_the_end_is_a_podium(visit: Any, staff: Page) -> None:
    begun(staff, SIX[:2], 1, rounds=1)
    match = night(staff)["matches"][0]
    points(staff, match, 1).fill("80")
    staff.keyboard.press("Enter")
    wait_for(lambda: result(staff, match)["state"] == "settled")
    expect(staff.locator("#director .clock")).to_contain_text("All games are played")
    expect(staff.locator("#director .scores li")).to_contain_text(re.compile("121 . 80"))  # what is to be looked at
    expect(staff.locator("#director .main[data-key=close]")).to_be_focused()
    tops = [each["box"]["top"] for each in staff.evaluate(SIZES, "#director .beside section")]
    assert abs(tops[0] - tops[1]) < 1  # the results beside the standings
    assert staff.evaluate(ORDER) == ["Round 1", "Round 2", "Ann121 \u2013 57*Bob", "Ann121 \u2013 57Bob"]
    staff.get_by_role("button", name=f"More about {match['names'][1]}", exact=True).click()
    staff.get_by_role("button", name="Points").click()
    expect(staff.locator("#dialog").get_by_label("Points, such as")).to_be_focused()
    staff.keyboard.type("1/2")
    staff.keyboard.press("Tab")
    staff.keyboard.type("late")
    staff.keyboard.press("Enter")
    expect(staff.locator("#dialog .notice")).to_contain_text("Write 1, -2 or 0.5, at most 1000.")
    expect(staff.locator("#dialog").get_by_label("Why?")).to_have_value("late")
    staff.locator("#dialog").get_by_label("Points, such as").fill("-1")
    staff.keyboard.press("Enter")
    expect(staff.locator("#director .notes")).to_have_text(re.compile(f"^{match['names'][1]} .1: late$"))
    expect(staff.locator("#director .row > .main")).to_have_text("Close the nightC")
    staff.get_by_role("button", name="Close the night").click()
    staff.get_by_role("button", name="Close it").click()
    expect(staff.locator("#director .row > .main")).to_have_text("Print standingsP")
    expect(staff.locator("#director .row > .main + button")).to_have_text("Count it for a season")
    expect(staff.get_by_role("region", name="Results")).to_contain_text(re.compile("(Ann|Bob)121 . 80(Ann|Bob)"))
    expect(staff.locator("#director .scores .star")).to_have_count(0)  # all were typed by the director
    expect(staff.get_by_role("button", name=re.compile("More about|Change"))).to_have_count(0)
    expect(staff.locator("#director .rival")).to_have_text(f"{match['names'][0]} won, 3 points")
    paper = printed(staff, "Standings")
    expect(paper.locator("h2")).to_have_text(re.compile("^The Anchor, League night, "))
    expect(paper.locator("th:nth-child(3)").first).to_have_text("League points")
    expect(paper.locator(".stamp")).to_contain_text("A skunk: by 31 or more.")
    expect(paper.locator(".champion")).to_have_text(f"Winner: {match['names'][0]}, 3 points")
    expect(paper.locator(".cross tbody tr").first).to_contain_text("+41")
    expect(paper.locator(".read")).to_have_text(f"Read across: {' beat '.join(match['names'])} by 41.")
    staff.emulate_media(media="print")
    figures = "(all) => Math.min(...all.map((one) => parseFloat(getComputedStyle(one).fontSize) * .75))"
    assert paper.locator(".cross .fitted").evaluate_all(figures) >= 14
    staff.emulate_media(media="screen")
    expect(paper.locator("tbody tr", has_text="1: late").first).to_contain_text(match["names"][1])
    expect(paper.locator(".note")).to_have_count(0)  # it stands in the row
    screen = visit("/night?view=tv", SCREEN)
    expect(screen.locator(".winner")).to_have_text(f"Winner{match['names'][0]}3 points")
    expect(screen.get_by_role("heading", level=1)).to_have_text("The Anchor · League night")
    expect(screen.locator(".places")).to_contain_text(match["names"][1])
    expect(screen.locator(".table-of")).to_have_count(0)  # who is on the podium is not there twice
    assert not findings(screen)
    screen.clock.set_system_time("2099-01-01")  # a television's own clock may be wrong
    screen.goto(screen.url.partition("/night")[0] + "/screen")
    expect(screen.locator(".winner strong")).to_have_text(match["names"][0])
    expect(screen.locator("#calls .places")).to_contain_text(match["names"][1])  # in place of the codes
    assert screen.evaluate(CUT) == []
    expect(screen.get_by_text("Scan to play")).to_have_count(0)
    screen.clock.install()
    screen.route("**/api/night", lambda route: route.fulfill(status=503, body="{}"))  # the kiosk starts again
    screen.evaluate(TAKEN)
    screen.evaluate("taken")
    assert screen.locator(".winner strong").is_visible()
    assert not findings(screen)
    screen.unroute("**/api/night")
    screen.clock.fast_forward("31:00")
    expect(screen.get_by_text("Scan to keep score")).to_be_visible()
    expect(screen.locator("#night")).to_contain_text(re.compile(f"The night is over.*1. {match['names'][0]} 3"))
    expect(screen.locator("#night")).to_be_visible()  # a game is on that began before it
    expect(staff.locator("#announcer")).to_have_text(f"The night is over. {match['names'][0]} wins.")
    staff.get_by_role("button", name="Reopen this one").click()
    staff.locator("#dialog").get_by_label("Why?").fill("a slip")
    staff.keyboard.press("Enter")
    expect(staff.locator("#announcer")).to_have_text("")


def test_an_earlier_night_is_found_and_corrected(staff: Page) -> None:
    """From the history, while another one is on; a list is pasted into it, and what is refused can be read."""
    begun(staff, SIX, 3, rounds=2)
    (one, *_), number = night(staff)["matches"], night(staff)["night"]
    finder = staff.get_by_label("Find a player\u2019s matches")
    finder.fill("nobody")
    expect(staff.locator("#director .empty")).to_have_text("No match of nobody.")
    finder.fill(one["names"][0].lower())
    expect(staff.locator("#director tr.match")).to_have_count(2)
    finder.press("Enter")
    expect(points(staff, one, 0)).to_be_focused()
    staff.keyboard.type("+150")
    staff.keyboard.press("Enter")
    expect(staff.locator("#wrong")).to_contain_text("150 is not what a game was won by. Use a whole")
    points(staff, one, 0).fill("+41")
    staff.keyboard.press("Enter")
    wait_for(lambda: result(staff, one)["state"] == "settled")
    expect(staff.locator("#director .scores li")).to_contain_text(re.compile("121 . 80"))
    expect(finder).to_be_focused()  # for the next slip
    expect(finder).to_have_value("")
    expect(staff.locator("#director tr.match")).to_have_count(2)
    staff.get_by_role("button", name="Close the night").click()
    expect(staff.locator("#dialog")).to_contain_text("5 matches are not decided, and count for nobody.")
    staff.get_by_role("button", name="Close it").click()
    house = staff.url.partition("/night")[0]
    staff.goto(house + "/night")
    staff.locator("#go, [data-key=begin]").first.wait_for()
    if staff.locator("[data-key=begin]").count():
        staff.locator("[data-key=begin]").click()
    staff.locator("#title").wait_for()
    for box in staff.locator("[data-key^=name-]:checked").all()[::-1]:  # whose phones are here from other tests
        box.uncheck()
    expect(staff.locator("#comes")).to_have_text("Add at least two names.")
    expect(staff.locator("#go")).to_have_attribute("aria-disabled", "true")
    staff.get_by_text("Paste a list").click()
    staff.locator("#pasted").fill("Smith, Zoe\nJones, Yves")
    staff.get_by_role("button", name="Take these names").click()
    staff.locator("#dialog").get_by_role("button", name="One: Zoe Smith").click()
    expect(staff.locator("[data-key='name-Yves Jones']")).to_be_checked()
    for size, view in ((32, PHONE), (16, LAPTOP)):  # large type on a phone
        read_larger(staff, size)
        expect(staff.locator("html")).to_have_css("font-size", f"{size * 1.0625:g}px")
        staff.set_viewport_size(view)
        assert staff.evaluate("document.documentElement.scrollWidth") == view["width"]
        assert small(staff) == []
    staff.get_by_role("button", name="Undo the pasted list").click()
    expect(staff.locator("[data-key='name-Yves Jones']")).to_have_count(0)
    expect(staff.locator("#pasted")).to_have_value("Smith, Zoe\nJones, Yves")
    staff.goto(house + "/staff")
    begun(staff, SIX[:2], 1)
    (later,) = (each for each in night(staff)["matches"] if each["called"])
    staff.goto(house + "/history")
    staff.locator(f"#nights a[href$='night={number}']").click()
    staff.get_by_role("button", name="Reopen this one").click()
    why = "Ann and Bob were the other way round"
    staff.locator("#dialog").get_by_label("Why?").fill(why)
    staff.keyboard.press("Enter")
    expect(staff.locator("#director .notes")).to_have_text(f"Reopened: {why}")
    staff.get_by_role("button", name=f"Change {' v '.join(one['names'])}").click()
    staff.set_viewport_size({"width": 1280, "height": 300})
    staff.evaluate("scrollTo(0, document.body.scrollHeight)")
    for typed in ("120-88", "1066"):
        points(staff, one, 0).fill(typed)
        staff.keyboard.press("Enter")
        expect(staff.locator("#wrong")).to_contain_text("is not a score")
        expect(staff.locator("#wrong")).to_be_in_viewport()
    points(staff, one, 0).fill("90")
    staff.keyboard.press("Enter")
    expect(staff.locator("#director .scores li").first).to_contain_text(re.compile("90 . 121"))
    staff.locator("[data-key=enter]").click()
    staff.locator("#dialog").get_by_label("Name").fill("bob")
    staff.keyboard.press("Enter")
    expect(staff.locator("#dialog .notice")).to_contain_text("is on the list already")
    expect(staff.locator("#dialog").get_by_label("Name")).to_have_value("bob")
    staff.locator("#dialog").get_by_role("button", name="Cancel").click()
    staff.locator("[data-key=others]").click()
    staff.get_by_role("button", name="Paste results").click()
    dialog = staff.locator("#dialog")
    file = dialog.get_by_label("A file of results")
    file.set_input_files({"name": "a.xlsx", "mimeType": "text/csv", "buffer": b"PK\x03\x04\0\0"})
    expect(dialog.locator(".notice")).to_contain_text("Save the sheet as CSV")
    for encoding, named in (("cp1252", "Jos\u00e9"), ("utf-16", "\u0141ukasz"), ("utf-8-sig", "\u0141ukasz")):
        file.set_input_files({"name": "a.csv", "mimeType": "text/csv", "buffer": f"{named} 121 Bob 9".encode(encoding)})
        expect(dialog.locator("#pasted")).to_have_value(f"{named} 121 Bob 9")
    for home, away in (("Ann", "Fay"), ("Bob", "Eve")):  # one list after the other
        dialog.locator("#pasted").fill(f"{home} 121 {away} 7")
        dialog.locator("[data-key=look]").click()
        dialog.locator("[data-key=take]").click()
        expect(dialog.locator(".lines")).to_have_text(re.compile(f"{home} 121 . 7 {away}, by 114.*here already"))
    dialog.locator("#pasted").fill("Zed 121 Bob 3")
    dialog.locator("[data-key=look]").click()
    expect(dialog.locator(".notice")).to_contain_text("'Zed' is not on the list; add them first")
    dialog.get_by_role("button", name="Done").click()
    staff.locator("[data-key=others]").click()
    staff.get_by_role("button", name="Paste results").click()
    expect(dialog.locator("#pasted")).to_have_value("Zed 121 Bob 3")
    dialog.get_by_role("button", name="Done").click()
    staff.locator("[data-key=season]").click()
    dialog.get_by_role("button", name="A new one").click()
    dialog.get_by_label("Name").fill("Winter of 2026 and 2027")
    dialog.get_by_label("What counts").select_option("places")
    for award, says in (("5, x", "Award is 'x'"), ("5, 2", "")):
        dialog.get_by_label("Points for the first").fill(award)
        staff.keyboard.press("Enter")
        if says:
            expect(dialog.locator(".notice")).to_contain_text(says)
    staff.get_by_role("link", name="See its season").click()
    expect(staff.get_by_role("heading", level=1)).to_have_text("Winter of 2026 and 2027")
    expect(staff.locator("#what")).to_have_text("Points for places: 5, 2; equals share them. Of all nights.")
    staff.get_by_role("button", name="Name and what counts").click()
    expect(dialog.get_by_label("Points for the first")).to_have_value("5, 2")
    dialog.get_by_label("Name").fill("Winter 26/27")
    dialog.get_by_label("What counts").select_option("all")
    staff.keyboard.press("Enter")
    expect(staff.get_by_role("heading", level=1)).to_have_text("Winter 26/27")
    expect(staff.locator("#what")).to_have_text("The points of all nights.")
    staff.goto(house + "/night")
    staff.locator("#director .clock").wait_for()
    assert later["match"] in [each["match"] for each in night(staff)["matches"]]
    staff.evaluate(CLOSE)  # the one that is on, and the one that is open again
    staff.evaluate(CLOSE)


def test_drawn_pairs_play_best_of_three_for_the_houses_own_points_and_a_phone_is_removed(
    visit: Any, staff: Page, player: Player
) -> None:
    how = {"draw": "pairs", "games": "3", "preset": "own", "own-win": "1", "own-match": "5"}
    begun(staff, SIX[:4], 0, rounds=1, how=how)
    (match,) = night(staff)["matches"]
    news_while_it_is_pressed(staff, staff.locator("[data-key=others]"))
    expect(staff.get_by_role("dialog", name="More")).to_be_visible()
    staff.keyboard.press("Escape")
    points(staff, match, 1).fill("121")
    staff.keyboard.press("Enter")
    for _ in range(2):  # it is there to be read, although the page looks at the night all the time
        staff.wait_for_event("response", lambda answer: answer.url.endswith("/api/night"))
    expect(staff.locator("#wrong")).to_be_visible()
    assert bottom(staff.locator("#wrong")) <= staff.locator("[data-key=others]").bounding_box()["y"]
    points(staff, match, 1).fill("")
    first, second = (names.split(" and ")[0] for names in match["names"])
    one, other = phone(visit, staff, first), phone(visit, staff, second)
    expect(one.locator(".next")).to_contain_text("best of 3")
    screen = visit("/night?view=tv", SCREEN)
    screen.locator(".call").wait_for()
    sides = screen.evaluate(SIZES, ".call .pair > :not(.muted)")
    assert sides[1]["box"]["top"] >= sides[0]["box"]["bottom"] - 1 and sides[0]["size"] > 90, sides  # a line each
    screen.context.close()
    one.get_by_text("Played on a wooden board? Enter the score").tap()
    one.locator(".report").get_by_role("button", name=match["names"][0]).tap()
    one.locator("#points").fill("100")
    one.get_by_role("button", name="Send").tap()
    expect(other.locator(".ask")).to_contain_text(f", say {match['names'][0]}")  # two do
    other.get_by_role("button", name="Not right").tap()
    expect(staff.locator("tr .quarrel").first).to_contain_text(f"{match['names'][0]} say ")
    expect(other.locator("[data-key=they]")).to_have_text(f"{match['names'][0]} are right")
    expect(other.locator(".next > .dispute ~ .report [data-key=cancel]")).to_be_visible()  # what both say comes first
    for name in (match["names"][0].split(" and ")[1], second):  # what one player began is not another's
        other.get_by_role("button", name="Not you?").tap()
        other.get_by_role("button", name=name, exact=True).tap()
        expect(other.locator(".you strong")).to_have_text(name)
        expect(other.locator("[data-key=cancel]")).to_have_count(0)
    points(staff, match, 0).focus()
    other.locator("[data-key=they]").tap()
    expect(one.locator(".next")).to_contain_text(f"{match['names'][0]} 1, {match['names'][1]} 0")
    expect(staff.locator("tr.match")).to_contain_text("just decided")
    staff.keyboard.type("8")  # of the first game, from a slip
    staff.keyboard.press("Enter")
    assert len(night(staff)["matches"][0]["legs"]) == 1
    assert not findings(one)
    other.locator("[data-key=start]").tap()
    expect(other).to_have_url(re.compile("/score/1$"))
    for pegged in (29, 29, 29, 29, 5):
        player.do("peg", side=2, points=pegged)
    expect(other.locator("#over a")).to_have_text(re.compile(f"^Your next game.*, against {match['names'][0]}$"))
    other.locator("#over a").tap()
    expect(other.locator(".next")).to_contain_text(f"{match['names'][0]} 1, {match['names'][1]} 1")
    expect(staff.locator("#director tr.match .state-of")).to_contain_text("game 3")
    points(staff, match, 1).fill("90")
    staff.keyboard.press("Enter")
    lines = staff.get_by_role("region", name="Standings").locator("tbody tr")
    expect(lines.first).to_contain_text(match["names"][0])
    expect(lines.first.locator("strong")).to_have_text("9")  # a game, a skunk, and the match
    expect(lines).to_have_count(2)
    staff.get_by_role("button", name=re.compile("^Change")).click()
    staff.locator("#dialog").get_by_role("button", name=re.compile(f"^Game 2: {match['names'][1]} by")).click()
    expect(points(staff, match, 0)).to_be_focused()
    points(staff, match, 0).fill("80")
    staff.keyboard.press("Enter")
    wait_for(lambda: night(staff)["matches"][0]["legs"][1]["scores"] == [80, 121])
    expect(other.locator(".next")).to_contain_text("You have played all your games")
    expect(other.get_by_role("button", name="Not you?")).to_be_visible()
    number = next(each["phone"] for each in night(staff)["entrants"] if each["name"] == first)
    staff.locator("[data-key=others]").click()
    staff.get_by_role("button", name="Remove a phone").click()
    staff.locator("#dialog").get_by_role("button", name=re.compile(f"{number}$", re.IGNORECASE)).click()
    expect(one.get_by_role("heading", name="Join the night")).to_be_visible()
    assert not next(each["phone"] for each in night(staff)["entrants"] if each["name"] == first)


def test_a_phone_keeps_its_report_until_the_kiosk_answers(visit: Any, staff: Page) -> None:
    """Without the database, then without an answer, and the page is loaded again meanwhile: it counts once."""
    begun(staff, SIX, 2)
    match = on_wood(staff)
    one = phone(visit, staff, match["names"][0], types=True)
    answers = iter([503])  # the database is away; then nobody answers at all
    one.route("**/orders", lambda route: route.fulfill(status=code) if (code := next(answers, 0)) else route.abort())
    one.locator(".report").get_by_role("button", name=match["names"][0]).tap()
    one.locator("#points").fill("100")
    one.get_by_role("button", name="Send").tap()
    expect(one.locator("#kept")).to_contain_text("kept here")
    one.reload()
    expect(one.locator("#kept")).to_contain_text("kept here")
    assert result(staff, match)["state"] == "open"
    one.unroute("**/orders")
    wait_for(lambda: result(staff, match)["state"] == "waits")
    expect(one.locator("#kept")).to_be_hidden()
    path = f"/api/nights/{night(staff)['night']}/matches/{match['match']}"
    lines = staff.evaluate("(path) => fetch(path).then((answer) => answer.json())", path)["lines"]
    assert [line["kind"] for line in lines].count("reported") == 1
    screen = visit("/night?view=tv", TV)
    expect(screen.locator(".table-of li:has(.unsure) .who")).to_have_count(2)  # both, until the other has confirmed it
    expect(screen.locator(".legend")).to_contain_text("? = result open")
    lost = ["/api/me", "/api/night/invite", "/api/pub"]  # at first: whether it is a television, the code, and whose
    shown = {"name": "The Anchor", "logo": None, "light": False, "odds": False, "notice": None}

    def answer(route: Any) -> None:
        path = urlsplit(route.request.url).path
        if path in lost:
            lost.remove(path)
            route.abort()
        elif path == "/api/pub":
            route.fulfill(json=shown)
        else:
            route.continue_()

    screen.route("**/api/**", answer)
    screen.goto(screen.url.partition("?")[0])
    expect(screen.locator(".table-of li:has(.unsure) .who")).to_have_count(2)
    expect(screen.locator("#wall .join svg")).to_be_visible(timeout=30_000)
    expect(screen.locator("#name")).to_contain_text("The Anchor", timeout=30_000)
