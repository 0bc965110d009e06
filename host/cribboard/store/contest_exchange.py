"""Contests as part of an exported history: written, checked, and imported. Games go by the numbers of their boards."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace
from datetime import datetime

from sqlalchemy import Connection, insert, select, update

from cribboard.league.acts import BOARD, KINDS, PHONE, STAFF, Act
from cribboard.league.rules import read_rules
from cribboard.league.season import read_season
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
from cribboard.store.games import number_of
from cribboard.store.people import seated
from cribboard.store.schema import as_moment, milliseconds, players, spans
from cribboard.typed import (
    Unfit,
    as_list,
    as_list_of,
    as_name,
    as_number,
    as_object,
    as_text,
    as_whole,
    optional,
)
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
MOST, WORD = 0x7FFFFFFF, 0xFFFFFFFF


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
                            else [*number_of(connection, value, row.at).values()] or None  # ids are a database's own
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


def checked(data: object) -> ExportedContest:
    """A contest of a file that may come from anybody; what it raises, `as_list_of` explains."""
    entry = as_object(data)
    kind, rules = entry["kind"], entry["rules"]
    if kind == SEASON:
        read_season(rules)
    elif kind == NIGHT:
        read_rules(rules)
    else:
        raise Unfit(f"{quote(kind)} is neither a night nor a season")
    contest = Contest(
        0,
        as_number(entry["uid"], "a contest"),
        kind,
        as_text(entry["name"], LONGEST_NAME),
        json.dumps(rules),
        as_text(entry["preset"], 40),
        as_text(entry["draw"], 8),
        as_whole(entry["rounds"], 60),
        tuple(as_whole(board, 100) for board in as_list(entry["boards"])[:64]),
        as_whole(entry["wooden"], 100),
        as_whole(entry["minutes"], 600),
        as_text(entry["director"], LONGEST_WHO),
        None,
        as_moment(entry["began"]),
        optional(entry["closed"], as_moment),
    )
    people = [
        (as_whole(entrant, MOST), optional(player, as_name))
        for entrant, player in map(as_list, as_list(entry["people"]))
    ]
    if len({entrant for entrant, _ in people}) < len(people):
        raise Unfit("an entrant is there twice")
    exported = as_list_of("act", entry["acts"], _act)
    numbers = [one.act.number for one in exported]
    if len(exported) > MOST_ACTS or numbers != sorted(set(numbers)):
        raise Unfit("the acts of a contest are not in their order")
    return ExportedContest(contest, as_text(entry["season"], 32), people, exported)


def _act(data: object) -> ExportedAct:
    order, said = as_list(data)
    entry = as_object(said)
    if set(entry) - set(COLUMNS) or entry["kind"] not in KINDS or entry["source"] not in (PHONE, BOARD, STAFF):
        raise Unfit(f"{quote(entry)} is nothing that happens on a night")
    act = Act(
        number=as_whole(order, MOST_ACTS),
        kind=str(entry["kind"]),
        source=str(entry["source"]),
        who=as_text(entry.get("who", ""), LONGEST_WHO),
        key=as_text(entry.get("key", ""), LONGEST_KEY),
        leg=as_whole(entry.get("leg", 1), 99),
        points=optional(entry.get("points"), as_whole, MOST, -MOST),
        text=as_text(entry.get("text", ""), LONGEST_TEXT),
        **{part: as_whole(entry[part], MOST) for part in WHOLE if part in entry},
    )
    return ExportedAct(act, as_moment(entry["at"]), optional(entry.get("game"), _span))


def _span(data: object) -> Span:
    board, epoch, of_board = as_list(data)
    return as_text(board, 32), as_whole(epoch, WORD), as_whole(of_board, WORD)


def bring(connection: Connection, given: Sequence[ExportedContest], now: datetime) -> int:
    """Add the contests that are not here, and what has happened since on nights that are; returns how many nights.

    A night that has gone on otherwise here stays as it is.
    """
    known = {row.uid: row.id for row in connection.execute(select(contests.c.uid, contests.c.id))}
    nights = 0
    for each in given:
        is_night = each.contest.kind == NIGHT
        number = known.get(each.contest.uid)
        if number is None:
            number = known[each.contest.uid] = begin(connection, each.contest, each.contest.began or now)
            connection.execute(update(contests).where(contests.c.id == number).values(closed=each.contest.closed))
            fresh = each.acts
        else:
            fresh = _since(connection, number, each.acts) if is_night else []
            if not fresh:
                continue
        unset = (contests.c.id == number) & contests.c.season.is_(None)
        connection.execute(update(contests).where(unset).values(season=known.get(each.season)))
        _bring_people(connection, number, each.people, now)
        for exported in fresh:
            act = replace(exported.act, game=_game(connection, exported.game))
            connection.execute(insert(acts).values(contest=number, at=exported.at, **vars(act)))
        if is_night:
            settle_sums(connection, read(connection, number), each.contest.closed or now)
            nights += 1
    return nights


def _since(connection: Connection, number: int, given: Sequence[ExportedAct]) -> list[ExportedAct]:
    """The acts of the file after those that are here; none if these are others. Erasing may change words."""
    columns = select(acts.c.number, acts.c.at, acts.c.kind, acts.c.key)
    here = [tuple(row) for row in connection.execute(columns.where(acts.c.contest == number).order_by(acts.c.number))]
    first = [(one.act.number, one.at, one.act.kind, one.act.key) for one in given[: len(here)]]
    return list(given[len(here) :]) if here == first else []


def _bring_people(connection: Connection, number: int, people: Iterable[tuple[int, str | None]], now: datetime) -> None:
    """Add the entrants that are not here."""
    entrants = select(contest_players.c.entrant).where(contest_players.c.contest == number)
    here = set(connection.execute(entrants).scalars())
    for entrant, name in people:
        if entrant not in here:
            player = None if name is None else seated(connection, name, now)
            connection.execute(insert(contest_players).values(contest=number, entrant=entrant, player=player))


def _game(connection: Connection, span: Span | None) -> int | None:
    if span is None:
        return None
    board, epoch, number = span
    here = (spans.c.board == board) & (spans.c.epoch == epoch) & (spans.c.number == number)
    return connection.execute(select(spans.c.game).where(here)).scalar()
