"""The history as text: all of it as JSON for an import, and a table of games for a spreadsheet."""

from __future__ import annotations

import csv
import io
import json
from collections import defaultdict
from typing import Any

from sqlalchemy import Connection, select

from cribboard.cells import cell
from cribboard.store.reading import page
from cribboard.store.schema import corrections, events, games, names, players, scores, seats, spans
from cribboard.store.views import moment

FORMAT, VERSION = "cribboard history", 1
EVENT = tuple(column.name for column in events.c if column.name not in ("board", "game"))
HEAD = (
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
)
SKUNK = ("", "", "skunked", "double-skunked")


def as_json(connection: Connection) -> str:
    """The whole history as JSON, one game a line."""
    known: dict[int, list[str]] = defaultdict(list)
    for row in connection.execute(select(names).order_by(names.c.key)):
        known[row.player].append(row.key)
    people = [
        {"name": row.name, "since": _ms(row.since), "keys": known[row.id]}
        for row in connection.execute(select(players).order_by(players.c.id))
    ]
    ids = connection.execute(select(games.c.id).order_by(games.c.began, games.c.id)).scalars().all()
    at = {game: index for index, game in enumerate(ids)}
    trace = [
        [_ms(row.at), row.who, row.what, at.get(row.game), json.loads(row.before), json.loads(row.after)]
        for row in connection.execute(select(corrections).order_by(corrections.c.id))
    ]
    lines = ",\n".join(_line(_game(connection, game)) for game in ids)
    head = f'{{"format":{_line(FORMAT)},"version":{VERSION},"columns":{_line(EVENT)},"players":{_line(people)},\n'
    rest = f'"loose":{_line(_loose(connection))},\n"corrections":{_line(trace)}}}\n'
    return f'{head}"games":[\n{lines}\n],\n{rest}'


def _game(connection: Connection, game: int) -> dict[str, Any]:
    row = connection.execute(select(games).where(games.c.id == game)).one()
    named = select(seats.c.place, players.c.name, seats.c.corrected).outerjoin(players, players.c.id == seats.c.player)
    sat = connection.execute(named.where(seats.c.game == game).order_by(seats.c.place))
    begun = select(spans.c.epoch, spans.c.number).where(spans.c.game == game)
    happened = select(events).where(events.c.game == game).order_by(events.c.epoch, events.c.rev)
    return {
        "board": row.board,
        "spans": [list(span) for span in connection.execute(begun.order_by(spans.c.epoch, spans.c.number))],
        **{name: getattr(row, name) for name in ("target", "mask", "sides", "skunk", "double_skunk", "dealer")},
        **{name: _ms(getattr(row, name)) for name in ("began", "heard", "ended")},
        "aside": row.aside,
        "withdrawn": row.withdrawn,
        "seats": [list(seat) for seat in sat],
        "events": [_event(event) for event in connection.execute(happened)],
    }


def _loose(connection: Connection) -> list[Any]:
    """The events that belong to no game, by board."""
    loose = select(events).where(events.c.game.is_(None)).order_by(events.c.board, events.c.epoch, events.c.rev)
    found: dict[str, list[Any]] = defaultdict(list)
    for row in connection.execute(loose):
        found[row.board].append(_event(row))
    return [{"board": board, "events": rows} for board, rows in found.items()]


def _event(row: Any) -> list[Any]:
    return [_ms(row.at) if name == "at" else getattr(row, name) for name in EVENT]


def _ms(at: Any) -> int | None:
    return None if at is None else round(at.timestamp() * 1000)


def _line(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def as_csv(connection: Connection) -> str:
    """The games as CSV, one line for each seat."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(HEAD)
    paid = {(row.game, row.side): row.points for row in connection.execute(select(scores))}
    before = None
    while found := page(connection, games.c.id > 0, 500, before):
        for game in found:
            sides = {side.side: side for side in game.sides}
            for seat in game.seats:
                side = sides[seat.side]
                when = (moment(game.began), moment(game.ended))
                who = (seat.place + 1, seat.side + 1, cell(seat.name or ""))
                won = int(game.winner == seat.side)
                came = (side.front, won, SKUNK[side.lost], paid.get((game.id, seat.side), ""))
                writer.writerow((game.id, game.board, *when, game.state, game.target, *who, *came))
        before = found[-1].id
    return out.getvalue()
