"""A night as pages see it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import count
from typing import TypedDict

from cribboard.league.acts import Act
from cribboard.league.entry import in_words as result_in_words
from cribboard.league.rules import OWN, Rules, in_words, named_lines, points_in_words, preset, presets
from cribboard.league.standings import Game, Row, game_points
from cribboard.league.state import DISPUTED, OPEN, WAITS, Leg, Match
from cribboard.league.state import lines as lines_of
from cribboard.service.night_wish import PAIRS, SWISS
from cribboard.store.contests import Contest, Night

EVENING = timedelta(hours=18)  # after its beginning a night, which may be over, is still tonight's
RESULTS = ("report", "agree", "settle")  # acts that say one
Running = Callable[[int, Sequence[str], int], tuple[int, int] | None]


class PresetEntry(TypedDict):
    """Rules that a night can be played by; `unsure` is what we could not find out, `source` where we looked."""

    id: str
    what: str
    unsure: str
    source: str
    rounds: int
    partners: bool


class TableOfNightEntry(TypedDict):
    """A table of a night."""

    table: int
    name: str
    board: bool


class EntrantEntry(TypedDict):
    """Somebody who is in; `phone` is the one that has the name, `table` where they always play.

    `added` are points beside those of games, each with why.
    """

    entrant: int
    name: str
    here: bool
    phone: str
    mine: bool
    table: str
    added: list[str]


class LegEntry(TypedDict):
    """A game of a match: its state, the scores by side if they count, in words, and who is waited for.

    `points` are those that it gives to each side by itself, as people write them; none while it does not count.
    """

    leg: int
    state: str
    scores: list[int] | None
    said: str
    waits_for: list[int]
    reports: list[list[int] | None]
    points: list[str]
    board: bool


class MatchEntry(TypedDict):
    """A match; one side is a bye. `running` are the scores on its board just now, `minutes` those since its call.

    `said` is the act by which its result stands as it does, 0 before there is one. It is `changed` if the phone's
    player was first drawn against others; a Swiss night draws one round at a time, and has no cards with more.
    """

    match: int
    round: int
    table: int
    place: str
    sides: list[list[int]]
    names: list[str]
    first: int
    called: bool
    over: bool
    bye: bool
    wins: list[int]
    legs: list[LegEntry]
    running: list[int] | None
    minutes: int | None
    said: int
    mine: int | None
    changed: bool


class RowEntry(TypedDict):
    """A line of the standings: of one player or a drawn pair; points as people write them.

    `place` is 0 as long as they have neither finished a game nor got points; they come last.
    """

    place: int
    entrants: list[int]
    name: str
    points: str
    games: int
    won: int
    skunks: int
    spread: int
    byes: int


class NightEntry(TypedDict):
    """A night: `acts` goes up with each change; `mine` is the entrant of this phone, `director` what it may.

    `worth` is what its games are worth, in words; `skunk` and `double` are the first scores safe from one, 0 where the
    rules name none; `by_wins` and `by_spread`, whether these decide between equals. It is `tonight`'s by the kiosk's
    clock, for a screen's may be wrong.
    """

    night: int
    acts: int
    name: str
    rules: PresetEntry
    worth: str
    target: int
    skunk: int
    double: int
    by_wins: bool
    by_spread: bool
    best_of: int
    draw: str
    began: str
    tonight: bool
    season: int | None
    closed: bool
    played: bool
    round: int
    rounds: int
    until: str
    tables: list[TableOfNightEntry]
    entrants: list[EntrantEntry]
    matches: list[MatchEntry]
    standings: list[RowEntry]
    notes: list[str]
    mine: int | None
    director: bool
    staff: bool
    joined: bool


class LineEntry(TypedDict):
    """A line of a match: when, who, from where, what, and how the game stood before and after."""

    at: str
    who: str
    source: str
    kind: str
    before: str
    after: str
    text: str


def preset_entry(name: str) -> PresetEntry:
    """Rules for pages."""
    named = preset(name)
    rules = named.read
    return {
        "id": named.id,
        "what": named.what,
        "unsure": named.unsure,
        "source": named.source,
        "rounds": rules.rounds,
        "partners": rules.partners,
    }


def _rules_entry(night: Night) -> PresetEntry:
    """The rules of a night: a preset's, or its own in words."""
    if night.contest.preset != OWN:
        return preset_entry(night.contest.preset)
    rules = night.rules
    what = f"{points_in_words(rules)}; ties: games won, then spread, then who beat whom"
    return {"id": OWN, "what": what, "unsure": "", "source": "this house", "rounds": rules.rounds, "partners": False}


def preset_entries() -> list[PresetEntry]:
    """All rules that a night can be played by."""
    return [preset_entry(each.id) for each in presets() if each.night]


def entry(
    night: Night,
    *,
    phone: str,
    director: bool,
    staff: bool,
    joined: bool,
    now: datetime,
    place: Callable[[int], str],
    boards: Collection[int],
    running: Running,
) -> NightEntry:
    """A night for one visitor; `place` names a board's table, `boards` are the house's, `running` gives the scores."""
    contest, state, rules = night.contest, night.state, night.rules
    mine = state.entrant_of(phone)
    number = state.round(rules)
    names = table_names(contest, place, boards)
    live = state.live()
    last = max((match.round for match in live), default=contest.rounds)
    calls = {
        act.match: night.times[act.number] for act in night.acts if act.kind == "call" and act.number in night.times
    }
    said = {act.match: act.number for act in night.acts if act.kind in RESULTS}
    skunk, double = named_lines(rules)
    minutes = {match: max(0, int((now - at).total_seconds() // 60)) for match, at in calls.items()}
    left = max(0, last - number + (0 if all(match.over(rules) for match in live) else 1)) if live else contest.rounds
    return {
        "night": contest.id,
        "acts": state.acts,
        "name": contest.name,
        "rules": _rules_entry(night),
        "worth": _worth(night),
        "target": rules.target,
        "skunk": skunk,
        "double": double,
        "by_wins": "won" in rules.order,
        "by_spread": "spread" in rules.order,
        "best_of": rules.best_of,
        "draw": contest.draw,
        "began": contest.began.isoformat() if contest.began else "",
        "tonight": contest.began is not None and now - contest.began < EVENING,
        "season": contest.season,
        "closed": contest.closed is not None,
        "played": any(leg.said for match in state.matches.values() for leg in match.legs.values()),
        "round": number,
        "rounds": max(last, contest.rounds if contest.draw == "swiss" else last),
        "until": f"{now + timedelta(minutes=left * contest.minutes):%H:%M}" if left else "",
        "tables": [
            {"table": table, "name": names[table], "board": table in contest.boards} for table in contest.tables
        ],
        "entrants": [
            {
                "entrant": each.number,
                "name": night.names[each.number],
                "here": each.here,
                "phone": each.phone if director or each.phone == phone else "taken" if each.phone else "",
                "mine": each.number == mine,
                "table": names.get(state.pins.get(each.number, 0), ""),
                "added": [_added(act) for act in night.acts if act.kind == "adjust" and act.entrant == each.number],
            }
            for each in state.entrants.values()
        ],
        "matches": [
            _match(
                night,
                match,
                mine,
                names.get(match.table, ""),
                running,
                minutes.get(match.number),
                said.get(match.number, 0),
            )
            for match in live
        ],
        "standings": _standings(night),
        "notes": [_note(night, act) for act in night.acts if act.kind in ("adjust", "note", "reopen")],
        "mine": mine,
        "director": director,
        "staff": staff,
        "joined": joined,
    }


def _worth(night: Night) -> str:
    """What a game is worth by its margin; where points go by something else, that."""
    game = night.rules.game
    return preset(night.contest.preset).what if game.by_round or game.score else points_in_words(night.rules)


def _added(act: Act) -> str:
    """Points beside those of games, and why."""
    points = act.points or 0
    sign = "+" if points > 0 else "\N{MINUS SIGN}"
    return f"{sign}{in_words(abs(points))}: {act.text}"


def _note(night: Night, act: Act) -> str:
    """Points beside those of games, words for the record, or why a night was opened again."""
    if act.kind == "adjust":
        return f"{night.names[act.entrant or 0]} {_added(act)}"
    return f"Reopened: {act.text}" if act.kind == "reopen" else act.text


def _standings(night: Night) -> list[RowEntry]:
    """The standings; two who have been one drawn pair all night share a line."""
    sides: dict[int, set[tuple[int, ...]]] = {}
    for match in night.state.live() if night.contest.draw == PAIRS else ():
        for side in match.sides:
            for who in side if not match.is_bye else ():
                sides.setdefault(who, set()).add(side)
    rows = {int(row.who): row for row in night.standings}
    lines: dict[tuple[int, ...], Row] = {}
    for who, row in rows.items():
        (side, *others) = sides.get(who, {(who,)})
        alike = not others and all(
            sides.get(each) == {side} and replace(rows[each], who=row.who) == row for each in side if each != who
        )
        lines.setdefault(side if alike else (who,), row)
    placed = {side: row for side, row in lines.items() if row.games or row.points}
    ahead = [row.place for row in placed.values()]
    return [
        {
            "place": 1 + sum(place < row.place for place in ahead) if side in placed else 0,
            "entrants": list(side),
            "name": " and ".join(night.names[who] for who in side),
            "points": in_words(row.points),
            "games": row.games,
            "won": row.won,
            "skunks": row.skunks,
            "spread": row.spread,
            "byes": row.byes,
        }
        for side, row in {**placed, **lines}.items()
    ]


def table_names(contest: Contest, place: Callable[[int], str], boards: Collection[int]) -> dict[int, str]:
    """What people call each table: no two alike, those without a board are numbered on from those with one.

    Nor is any called as a table of the house's `boards` that are not the night's.
    """
    names = {table: place(table) for table in contest.boards}
    taken = {place(table) for table in boards} | {*names.values()}
    after = (f"Table {number}" for number in count(max([*contest.boards, *boards], default=0) + 1))
    free = filter(lambda name: name not in taken, after)
    return {**names, **dict(zip(contest.wooden_tables, free, strict=False))}


def sides_of(night: Night, match: Match) -> list[str]:
    """The names of both sides."""
    return [" and ".join(night.names[who] for who in side) for side in match.sides]


def _match(
    night: Night, match: Match, mine: int | None, place: str, running: Running, minutes: int | None, said: int
) -> MatchEntry:
    names, over = sides_of(night, match), match.over(night.rules)
    scores = running(match.table, names, night.rules.target) if match.called and not over and not match.is_bye else None
    return {
        "match": match.number,
        "round": match.round,
        "table": match.table,
        "place": place,
        "sides": [list(side) for side in match.sides],
        "names": names,
        "first": match.first,
        "called": match.called,
        "over": over,
        "bye": match.is_bye,
        "wins": list(match.wins()),
        "legs": [
            _leg(night.rules, match, number, names) for number in sorted(match.legs) if match.legs[number].state != OPEN
        ],
        "running": list(scores) if scores else None,
        "minutes": minutes if match.called and not over else None,
        "said": said,
        "mine": None if mine is None else match.side_of(mine),
        "changed": night.contest.draw != SWISS and mine in match.players and night.state.is_changed(match, mine or 0),
    }


def _leg(rules: Rules, match: Match, number: int, names: Sequence[str]) -> LegEntry:
    leg = match.legs[number]
    reports: list[list[int] | None] = []
    for said in leg.reports:
        newest = said[-1].scores if said else None
        reports.append(list(newest) if newest else None)
    return {
        "leg": number,
        "state": leg.state,
        "scores": list(leg.scores) if leg.scores else None,
        "said": _said(rules, leg, names),
        "waits_for": list(leg.waits_for) if leg.state == WAITS else [],
        "reports": reports,
        "points": _points(rules, match, leg),
        "board": leg.board is not None,
    }


def _points(rules: Rules, match: Match, leg: Leg) -> list[str]:
    if leg.counts and leg.scores is not None:
        game = Game(match.sides, leg.scores, match.round, leg.lines)
        return [in_words(game_points(rules, game, side)) for side in (0, 1)]
    if leg.counts and leg.won is not None:
        return [in_words(rules.walkover.points if side == leg.won else 0) for side in (0, 1)]
    return []


def _said(rules: Rules, leg: Leg, names: Sequence[str]) -> str:
    if leg.scores is not None:
        return result_in_words((names[0], names[1]), leg.scores, named_lines(rules))
    if leg.state == DISPUTED:
        return "They say different things: the director decides"
    return f"{names[leg.won]} without a game" if leg.won is not None else ""


WORDS = {
    "call": "called",
    "report": "reported",
    "agree": "agreed",
    "settle": "settled",
    "move": "moved to another table",
    "correct": "corrected",
    "match": "drawn",
}


def line_entries(night: Night, match: int, called: Callable[[str], str]) -> list[LineEntry]:
    """All that happened to a match; `called` names a device."""
    current = night.state.matches.get(match)
    names = sides_of(night, current) if current else ["", ""]
    entries: list[LineEntry] = []
    for line in lines_of(night.acts, night.games, match):
        at = night.times.get(line.act.number)
        entries.append(
            {
                "at": f"{at.astimezone():%H:%M}" if at else "",
                "who": called(line.act.who) or "the kiosk",
                "source": line.act.source,
                "kind": WORDS.get(line.act.kind, line.act.kind),
                "before": _in_words(night.rules, line.before, names),
                "after": _in_words(night.rules, line.after, names),
                "text": line.act.text,
            }
        )
    return entries


def _in_words(rules: Rules, stood: tuple[str, tuple[int, int] | None], names: Sequence[str]) -> str:
    state, scores = stood
    if not scores or len(names) < 2:
        return state
    return f"{result_in_words((names[0], names[1]), scores, named_lines(rules))} ({state})"
