"""The history as text: all of it as JSON for an import, and a table of games for a spreadsheet."""

from __future__ import annotations

import csv
import io
import json
from collections import defaultdict
from itertools import groupby
from typing import Any

from sqlalchemy import Connection, Row, exists, select

from cribboard.matches import cell
from cribboard.store.contest_exchange import as_entries
from cribboard.store.read import moment, page
from cribboard.store.schema import (
    BEGIN,
    OF_SPAN,
    GameRow,
    corrections,
    events,
    game_rows,
    games,
    milliseconds,
    names,
    players,
    sat,
    scores,
    seats,
    spans,
)
from cribboard.store.stored import StoredEvent, kept_of, kept_where
from cribboard.store.write import entry_of

FORMAT, VERSION = "cribboard history", 2
EVENT = tuple(column.name for column in events.c if column.name not in ("board", "stood", "since", "seen"))
HEAD = [
    "game",
    "board",
    "began",
    "ended",
    "state",
    "target",
    "place",
    "side",
    "name",
    "score",
    "won",
    "skunk",
    "points",
]
SKUNK = ("", "", "skunked", "double-skunked")
SETUP = ("target", "mask", "sides", "skunk", "double_skunk", "dealer")


def as_json(connection: Connection) -> str:
    """The whole history as JSON, one game a line."""
    known: dict[int, list[str]] = defaultdict(list)
    for row in connection.execute(select(names).order_by(names.c.key)):
        known[row.player].append(row.key)
    people = [
        {"name": row.name, "since": milliseconds(row.since), "keys": known[row.id]}
        for row in connection.execute(select(players).order_by(players.c.id))
    ]
    numbered = games.c.id.in_(select(spans.c.game))  # its board has lost others
    exported = game_rows(connection, numbered, order=(games.c.began, games.c.id))
    at = {game.id: index for index, game in enumerate(exported)}
    trace = [
        [milliseconds(row.at), row.who, row.what, at.get(row.game), entry_of(row.before), entry_of(row.after)]
        for row in connection.execute(select(corrections).order_by(corrections.c.id))
    ]
    nobodys = groupby(
        kept_where(connection, ~exists().where(OF_SPAN, spans.c.game.is_not(None))), lambda kept: kept.board
    )
    loose = [{"board": board, "events": [_event(kept) for kept in rows]} for board, rows in nobodys]
    lines = ",\n".join(_line(_game(connection, game)) for game in exported)
    head = f'{{"format":{_line(FORMAT)},"version":{VERSION},"columns":{_line(EVENT)},"players":{_line(people)},\n'
    held = ",\n".join(map(_line, as_entries(connection)))
    rest = f'"loose":{_line(loose)},\n"corrections":{_line(trace)},\n"contests":[\n{held}\n]}}\n'
    return f'{head}"games":[\n{lines}\n],\n{rest}'


def _game(connection: Connection, row: GameRow) -> dict[str, object]:
    named = select(seats.c.place, players.c.name, seats.c.corrected).outerjoin(players, players.c.id == seats.c.player)
    sat = connection.execute(named.where(seats.c.game == row.id).order_by(seats.c.place)).all()
    begun = select(spans).where(spans.c.game == row.id).order_by(spans.c.epoch, spans.c.number)
    return {
        "board": row.board,
        "spans": [_span(connection, span) for span in connection.execute(begun)],
        **{name: getattr(row, name) for name in SETUP},
        "began": milliseconds(row.began),
        "heard": milliseconds(row.heard),
        "ended": None if row.ended is None else milliseconds(row.ended),
        "aside": row.aside,
        "withdrawn": row.withdrawn,
        "seats": [list(seat) for seat in sat],
        "events": [_event(kept) for kept in kept_of(connection, spans.c.game == row.id)],
    }


def _span(connection: Connection, span: Row[Any]) -> list[object]:
    """A number of a game, the games won at its start, whether it was moved there, who was said to play."""
    here = [sat.c[name] == getattr(span, name) for name in ("board", "epoch", "number")]
    named = select(sat.c.place, players.c.name).outerjoin(players, players.c.id == sat.c.player).where(*here)
    who = [list(seat) for seat in connection.execute(named.order_by(sat.c.place))]
    return [span.epoch, span.number, span.won, span.moved, who]


def _event(kept: StoredEvent) -> list[object]:
    values = kept.columns() | {"at": milliseconds(kept.at or BEGIN)}
    return [values[name] for name in EVENT]


def _line(value: object) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def as_csv(connection: Connection) -> str:
    """The games as CSV, one line for each seat."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(HEAD)
    paid = {(row.game, row.side): row.points for row in connection.execute(select(scores))}
    before = None
    while batch := page(connection, games.c.id > 0, 500, before):
        for game in batch:
            sides = {side.side: side for side in game.sides}
            for seat in game.seats:
                side = sides[seat.side]
                when = (moment(game.began), moment(game.ended))
                who = (seat.place + 1, seat.side + 1, cell(seat.name or ""))
                won = int(game.winner == seat.side)
                came = (side.front, won, SKUNK[side.lost], paid.get((game.id, seat.side), ""))
                writer.writerow((game.id, game.board, *when, game.state, game.target, *who, *came))
        before = batch[-1].id
    return out.getvalue()
