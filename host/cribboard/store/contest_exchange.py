"""Contests as part of an exported history: written, checked, and imported. Games go by the numbers of their boards."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from datetime import datetime

from sqlalchemy import Connection, insert, select, update

from cribboard.errors import ArgumentError
from cribboard.league.acts import BOARD, KINDS, PHONE, STAFF, Act
from cribboard.league.rules import read_rules
from cribboard.league.season import read_season
from cribboard.names import check_name
from cribboard.store.contest_tables import (
    LONGEST_KEY,
    LONGEST_NAME,
    LONGEST_TEXT,
    LONGEST_WHO,
    acts,
    contest_players,
    contests,
)
from cribboard.store.contests import MOST_ACTS, NIGHT, SEASON, Contest, begin, of_row, read, settle_sums
from cribboard.store.games import seated
from cribboard.store.schema import milliseconds, moment_at, players, spans
from cribboard_core.cards import quote

Span = tuple[str, int, int]
WHOLE = (
    "entrant",
    "match",
    "side",
    "score",
    "other_score",
    "round",
    "table",
    "home",
    "home_partner",
    "away",
    "away_partner",
    "first",
)
COLUMNS = ("at", "kind", "source", "who", "key", "leg", "game", "points", "text", *WHOLE)
MOST = 0x7FFFFFFF
AFTER = 4_102_444_800_000  # 2100, in milliseconds


@dataclass(frozen=True)
class ExportedAct:
    """An act of the file: its time, and the game that it names by its board."""

    act: Act
    at: datetime
    game: Span | None


@dataclass(frozen=True)
class ExportedContest:
    """A contest of the file; `season` is the uid of its season, `people` are the names of its entrants."""

    contest: Contest
    season: str
    people: list[tuple[int, str | None]]
    acts: list[ExportedAct]


def as_entries(connection: Connection) -> list[dict[str, object]]:
    """All contests, for JSON; seasons come before their nights."""
    all_contests = [of_row(row) for row in connection.execute(select(contests).order_by(contests.c.id))]
    uids = {contest.id: contest.uid for contest in all_contests}
    of_game: dict[int, list[object]] = {}
    for span in connection.execute(select(spans).order_by(spans.c.epoch, spans.c.number)):
        of_game.setdefault(span.game, [span.board, span.epoch, span.number])
    entries = []
    for contest in sorted(all_contests, key=lambda each: each.kind != SEASON):
        rows = connection.execute(select(acts).where(acts.c.contest == contest.id).order_by(acts.c.number)).all()
        named = select(contest_players.c.entrant, players.c.name)
        named = named.outerjoin(players, players.c.id == contest_players.c.player)
        people = connection.execute(named.where(contest_players.c.contest == contest.id)).all()
        entries.append(
            {
                **{
                    each.name: getattr(contest, each.name)
                    for each in fields(contest)
                    if each.name not in ("id", "season")
                },
                "rules": json.loads(contest.rules),
                "boards": list(contest.boards),
                "began": None if contest.began is None else milliseconds(contest.began),
                "closed": None if contest.closed is None else milliseconds(contest.closed),
                "season": uids.get(contest.season or 0, ""),
                "people": [[row.entrant, row.name] for row in sorted(people)],
                "acts": [
                    [
                        row.number,
                        {
                            name: milliseconds(row.at)
                            if name == "at"
                            else of_game.get(row.game)
                            if name == "game"
                            else value
                            for name in COLUMNS
                            if (value := getattr(row, name)) not in (None, "")
                        },
                    ]
                    for row in rows
                ],
            }
        )
    return entries


def checked(entry: object) -> ExportedContest:
    """A contest of a file that may come from anybody; raises ArgumentError, ValueError, TypeError or LookupError."""
    if not isinstance(entry, dict):
        raise TypeError(entry)
    kind, rules = entry["kind"], entry["rules"]
    if kind == SEASON:
        read_season(rules)
    elif kind == NIGHT:
        read_rules(rules)
    else:
        raise ArgumentError(f"{quote(kind)} is no contest", "it is a night or a season")
    text = json.dumps(rules)
    uid = _text(entry["uid"], 32)
    if not uid or not set(uid) <= set("0123456789abcdef"):
        raise ArgumentError(f"{quote(uid)} is no contest's number", "it has 32 digits")
    contest = Contest(
        0,
        uid,
        kind,
        _text(entry["name"], LONGEST_NAME),
        text,
        _text(entry["preset"], 40),
        _text(entry["draw"], 8),
        _whole(entry["rounds"], 60),
        tuple(_whole(each, 100) for each in entry["boards"][:64]),
        _whole(entry["wooden"], 100),
        _whole(entry["minutes"], 600),
        _text(entry["director"], LONGEST_WHO),
        None,
        moment_at(_whole(entry["began"], AFTER)),
        None if entry["closed"] is None else moment_at(_whole(entry["closed"], AFTER)),
    )
    people = [
        (_whole(number, MOST), None if name is None else check_name(_text(name, 400)))
        for number, name in entry["people"]
    ]
    if len({number for number, _ in people}) < len(people):
        raise ArgumentError("an entrant is there twice", "")
    exported = [_act(number, act) for number, act in entry["acts"]]
    numbers = [each.act.number for each in exported]
    if len(exported) > MOST_ACTS or numbers != sorted(set(numbers)):
        raise ArgumentError("the acts of a contest are not in their order", "")
    return ExportedContest(contest, _text(entry["season"], 32), people, exported)


def _act(number: object, entry: dict[str, object]) -> ExportedAct:
    if set(entry) - set(COLUMNS) or entry["kind"] not in KINDS or entry["source"] not in (PHONE, BOARD, STAFF):
        raise ArgumentError(f"{quote(entry)} is nothing that happens on a night", "")
    points = entry.get("points")
    if points is not None and (type(points) is not int or abs(points) > MOST):
        raise TypeError(points)
    game = entry.get("game")
    span: Span | None = None
    if game is not None:
        if not isinstance(game, list):
            raise TypeError(game)
        board, epoch, of_board = game
        span = _text(board, 32), _whole(epoch, 0xFFFFFFFF), _whole(of_board, 0xFFFFFFFF)
    act = Act(
        number=_whole(number, MOST_ACTS),
        kind=str(entry["kind"]),
        source=str(entry["source"]),
        who=_text(entry.get("who", ""), LONGEST_WHO),
        key=_text(entry.get("key", ""), LONGEST_KEY),
        leg=_whole(entry.get("leg", 1), 99),
        points=points,
        text=_text(entry.get("text", ""), LONGEST_TEXT),
        **{name: _whole(entry[name], MOST) for name in WHOLE if name in entry},
    )
    return ExportedAct(act, moment_at(_whole(entry["at"], AFTER)), span)


def _text(value: object, longest: int) -> str:
    if not isinstance(value, str) or len(value) > longest or not value.isprintable():
        raise ArgumentError(f"{quote(value)} is not text of at most {longest} visible characters", "")
    return value


def _whole(value: object, most: int) -> int:
    if type(value) is not int or not 0 <= value <= most:
        raise ArgumentError(f"{quote(value)} is not a number from 0 to {most}", "")
    return value


def bring(connection: Connection, given: Sequence[ExportedContest], now: datetime) -> int:
    """Add the contests that are not here; returns how many. Those that are here stay as they are."""
    known = {row.uid: row.id for row in connection.execute(select(contests.c.uid, contests.c.id))}
    new = [each for each in given if each.contest.uid not in known]
    for each in new:
        number = begin(connection, each.contest, each.contest.began or now)
        known[each.contest.uid] = number
        season = known.get(each.season)
        values = {"closed": each.contest.closed, "season": season}
        connection.execute(update(contests).where(contests.c.id == number).values(**values))
        people = [
            {"contest": number, "entrant": entrant, "player": None if name is None else seated(connection, name, now)}
            for entrant, name in each.people
        ]
        if people:
            connection.execute(insert(contest_players), people)
        for exported in each.acts:
            act = replace(exported.act, game=_game(connection, exported.game))
            connection.execute(insert(acts).values(contest=number, at=exported.at, **vars(act)))
        if each.contest.kind == NIGHT:
            settle_sums(connection, read(connection, number), each.contest.closed or now)
    return len(new)


def _game(connection: Connection, span: Span | None) -> int | None:
    if span is None:
        return None
    board, epoch, number = span
    here = (spans.c.board == board) & (spans.c.epoch == epoch) & (spans.c.number == number)
    return connection.execute(select(spans.c.game).where(here)).scalar()
