"""The history as text, for another program and for another house: written, checked, and imported."""

from __future__ import annotations

import csv
import io
import json
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, NoReturn

from sqlalchemy import Connection, and_, insert, select, update

from cribboard.board.messages import Standing
from cribboard.cells import cell
from cribboard.errors import ArgumentError, CribboardError
from cribboard.names import check_name, key
from cribboard.store.fold import Setup
from cribboard.store.games import NEXT, STAFF, UNPLAYED, Games, known, seated
from cribboard.store.read import moment, page
from cribboard.store.schema import BEGIN, corrections, events, games, names, players, scores, seats, spans
from cribboard_core.cards import quote
from cribboard_core.events import PLACES, RESTORE, Refused, check_setup

# The history as text: all of it as JSON for an import, and a table of games for a spreadsheet.

FORMAT, VERSION = "cribboard history", 2  # in 1 only the newest event that was heard at once said its game
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


# Reads an export that may come from anybody, and refuses what a board and this program cannot have written.

MOST_BYTES = 64 << 20
MOST_ITEMS = 24_000_000  # counted before anything is read, since small things take much memory
MOST_EVENTS = 20_000  # of one game, which has about 70
WORD = 0xFFFFFFFF
AFTER = 4_102_444_800_000  # 2100, in milliseconds
HINT = "take a file that `export` of this program has written; nothing was changed"
RANGES = {
    "epoch": WORD,
    "rev": WORD,
    "kind": RESTORE,
    "side": PLACES - 1,
    "a": 255,
    "b": 0xFFFF,
    "c": 255,
    "session": 0xFFFF,
    "command": 255,
    "at": AFTER,
}
LENGTHS = {"cards": 12, "starter": 2, "who": 60, "text": 500}
STOOD = ("pegs", "dealer", "winner")


class Unfit(ValueError):
    """What is wrong in the file."""


@dataclass(frozen=True)
class Export:
    """The contents of the file. Events are columns by name, unsorted."""

    players: list[tuple[str, list[str]]]
    games: list[ExportedGame]
    loose: list[tuple[str, list[dict[str, Any]]]]
    corrections: list[dict[str, Any]]


@dataclass(frozen=True)
class ExportedGame:
    """A game of the file."""

    board: str
    spans: list[tuple[int, int]]
    setup: Setup
    dealer: int | None
    times: dict[str, int | None]
    aside: str | None
    withdrawn: bool
    seats: dict[int, tuple[str | None, bool]]
    events: list[dict[str, Any]]


def read(text: str) -> Export:
    """The contents of an export; raises ArgumentError for another file."""
    if len(text) > MOST_BYTES or text.count(",") + text.count("[") + text.count("{") > MOST_ITEMS:
        raise ArgumentError("the file is too large for a history", f"an import may have {MOST_BYTES >> 20} MB")
    try:
        return _export(json.loads(text, parse_constant=_no_number))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, OverflowError, Refused) as error:
        what = str(error) if isinstance(error, (Unfit, Refused)) else "it is damaged or of another kind"
        raise ArgumentError(f"that file is not an exported history: {what}", HINT) from error
    except CribboardError as error:
        raise ArgumentError(f"that file is not an exported history: {error.message}", HINT) from error


def _no_number(text: str) -> NoReturn:
    raise Unfit(f"{text} is not a number")


def _export(data: Any) -> Export:
    if data["format"] != FORMAT or data["version"] not in (1, VERSION):
        raise Unfit(f"it claims to be {quote(data['format'])}, version {quote(data['version'])}")
    if data["columns"] != list(EVENT):
        raise Unfit("its events have other columns")
    games = [_checked_game(game) for game in _list(data["games"])]
    return Export(
        [(check_name(player["name"]), [_text(known, 400) for known in player["keys"]]) for player in data["players"]],
        games,
        [
            (_uid(part["board"]), [_checked_event(event, None) for event in _list(part["events"])])
            for part in data["loose"]
        ],
        [_correction(row, len(games)) for row in _list(data["corrections"])],
    )


def _checked_game(data: Any) -> ExportedGame:
    setup = Setup(*(_whole(data[name], 255) for name in ("target", "mask", "sides", "skunk", "double_skunk")))
    dealer = data["dealer"]
    lines = (setup.skunk, setup.double)
    check_setup(setup.target, setup.mask, setup.count, setup.seats[0] if dealer is None else dealer, *lines)
    times = {name: _whole(data[name], AFTER) for name in ("began", "heard")}
    ended = data["ended"]
    aside = data["aside"]
    if aside not in (None, NEXT, STAFF, UNPLAYED):
        raise Unfit(f"{quote(aside)} is no state of a game")
    happened = _list(data["events"])
    if len(happened) > MOST_EVENTS:
        raise Unfit(f"a game has {len(happened)} events")
    return ExportedGame(
        board=_uid(data["board"]),
        spans=[(_whole(epoch, WORD), _whole(number, WORD)) for epoch, number in _list(data["spans"])],
        setup=setup,
        dealer=dealer,
        times={**times, "ended": None if ended is None else _whole(ended, AFTER)},
        aside=aside,
        withdrawn=_truth(data["withdrawn"]),
        seats=_seats(data["seats"], setup),
        events=[_checked_event(event, setup) for event in happened],
    )


def _seats(data: Any, setup: Setup) -> dict[int, tuple[str | None, bool]]:
    found = {}
    taken = []
    for place, name, corrected in _list(data):
        if place not in setup.seats or place in found:
            raise Unfit(f"nobody can sit at place {quote(place)}")
        found[place] = (None if name is None else check_name(_text(name, 400)), _truth(corrected))
        if name is not None:
            taken.append(key(name))
    if len(found) < len(setup.seats) or len(set(taken)) < len(taken):
        raise Unfit("the seats of a game are not those of its players")
    return found


def _checked_event(data: Any, setup: Setup | None) -> dict[str, Any]:
    event = dict(zip(EVENT, _list(data), strict=True))
    for name, most in RANGES.items():
        _whole(event[name], most)
    for name, longest in LENGTHS.items():
        _text(event[name], longest)
    if not event["rev"]:
        raise Unfit("an event has no number")
    _told(event, setup)
    return event


def _told(event: dict[str, Any], setup: Setup | None) -> None:
    """Check the board's state after an event: complete or absent, and possible."""
    if event["number"] is not None:
        _whole(event["number"], WORD)
    if all(event[name] is None for name in STOOD) and event["kind"]:
        return
    if setup is None:
        mask, count = 63, len(_text(event["pegs"], 24)) // 4
        setup = Setup(241, mask, count, 0, 0)
    told = [setup.target, setup.mask, setup.count, event["dealer"], setup.skunk, setup.double, event["winner"]]
    Standing.read([event["rev"], event["number"], *told, event["pegs"], [0] * setup.count])


def _correction(data: Any, most: int) -> dict[str, Any]:
    at, who, what, game, before, after = _list(data)
    if game is not None:
        _whole(game, most - 1)
    told = {"before": _said(before), "after": _said(after)}
    return {"at": _whole(at, AFTER), "who": _text(who, 60), "what": _text(what, 20), "game": game, **told}


def _said(value: Any) -> str:
    text = json.dumps(value)
    if len(text) > 1 << 20 or not isinstance(value, dict):
        raise Unfit("a correction is too long or not an object")
    return text


def _list(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise Unfit(f"{quote(value)} is not a list")
    return value


def _whole(value: Any, most: int) -> int:
    if type(value) is not int or not 0 <= value <= most:
        raise Unfit(f"{quote(value)} is not a number from 0 to {most}")
    return value


def _truth(value: Any) -> bool:
    if not isinstance(value, bool):
        raise Unfit(f"{quote(value)} is neither true nor false")
    return value


def _text(value: Any, longest: int) -> str:
    if not isinstance(value, str) or len(value) > longest or not value.isprintable():
        raise Unfit(f"{quote(value)} is not text of at most {longest} visible characters")
    return value


def _uid(value: Any) -> str:
    if not len(_text(value, 32)) >= 1 or not set(value) <= set("0123456789abcdef"):
        raise Unfit(f"{quote(value)} is not a board's number")
    return str(value)


# Imports an export: all or nothing, each event once. Existing entries stay as they are; gaps are filled.


@dataclass(frozen=True)
class Brought:
    """How much an import has added."""

    games: int
    events: int
    corrections: int


class Bringing:
    """One transaction's import."""

    def __init__(self, connection: Connection, now: datetime) -> None:
        self.connection = connection
        self.now = now
        self._events = 0
        self._changed: dict[int, str] = {}  # games that have got events, with their boards

    def bring(self, export: Export) -> Brought:
        """Add what is missing here."""
        for name, keys in export.players:
            player = seated(self.connection, name, self.now)
            for each in keys:
                if known(self.connection, each) is None:
                    self.connection.execute(insert(names).values(key=key(each), player=player))
        found = [self._game(game) for game in export.games]
        for board, loose in export.loose:
            self._write(board, None, loose)
        for changed, board in self._changed.items():
            Games(self.connection, board, 0, self.now).add_up(changed)
        traced = sum(self._trace(row, [game for game, _ in found]) for row in export.corrections)
        return Brought(sum(new for _, new in found), self._events, traced)

    def _game(self, game: ExportedGame) -> tuple[int, bool]:
        here = self._here(game)
        new = here is None
        if here is None:
            here = self._new(game)
        for epoch, number in game.spans:
            if self._span(game.board, epoch, number) is None:
                span = {"board": game.board, "epoch": epoch, "number": number}
                self.connection.execute(insert(spans).values(**span, game=here))
        if self._write(game.board, here, game.events) or new:
            self._changed[here] = game.board
        return here, new

    def _here(self, game: ExportedGame) -> int | None:
        """The id of the same game if it is here, found by its numbers; else None."""
        for epoch, number in game.spans:
            found = self._span(game.board, epoch, number)
            if found is not None:
                return found
        return None

    def _span(self, board: str, epoch: int, number: int) -> int | None:
        here = and_(spans.c.board == board, spans.c.epoch == epoch, spans.c.number == number)
        return self.connection.execute(select(spans.c.game).where(here)).scalar()

    def _new(self, game: ExportedGame) -> int:
        setup = game.setup
        values = {
            "board": game.board,
            "target": setup.target,
            "mask": setup.mask,
            "sides": setup.count,
            "skunk": setup.skunk,
            "double_skunk": setup.double,
            "dealer": game.dealer,
            **{name: _moment(at) for name, at in game.times.items()},
            "pegs": "00" * 2 * setup.count,
            "whole": True,
            "aside": game.aside,
            "withdrawn": game.withdrawn,
            "summed": 0,
        }
        made = self.connection.execute(insert(games).values(**values)).inserted_primary_key
        new = int(made[0]) if made else 0
        for place, (name, corrected) in game.seats.items():
            seat = {"game": new, "place": place, "side": setup.side_of(place), "corrected": corrected}
            player = seated(self.connection, name, self.now)
            self.connection.execute(insert(seats).values(**seat, player=player))
        return new

    def _write(self, board: str, game: int | None, given: Iterable[dict[str, Any]]) -> int:
        """Add missing events, and complete those that are here; returns how many were added or changed."""
        changed = 0
        by_epoch: dict[int, dict[int, dict[str, Any]]] = {}
        for event in given:
            by_epoch.setdefault(event["epoch"], {})[event["rev"]] = {**event, "at": _moment(event["at"])}
        for epoch, rows in by_epoch.items():
            here = and_(events.c.board == board, events.c.epoch == epoch)
            between = events.c.rev.between(min(rows), max(rows))
            had = {row.rev: row for row in self.connection.execute(select(events).where(here, between))}
            new = [{**row, "board": board, "game": game} for rev, row in rows.items() if rev not in had]
            if new:
                self.connection.execute(insert(events), new)
            changed += len(new)
            for rev in rows.keys() & had.keys():
                more = _more(had[rev], rows[rev], game)
                if more:
                    self.connection.execute(update(events).where(here, events.c.rev == rev).values(**more))
                    changed += 1
        self._events += changed
        return changed

    def _trace(self, row: dict[str, Any], found: list[int]) -> bool:
        values = {**row, "at": _moment(row["at"]), "game": None if row["game"] is None else found[row["game"]]}
        same = and_(*(corrections.c[name] == value for name, value in values.items() if value is not None))
        if self.connection.execute(select(corrections.c.id).where(same)).first():
            return False
        self.connection.execute(insert(corrections).values(**values))
        return True


def _more(had: Any, given: dict[str, Any], game: int | None) -> dict[str, Any]:
    """The columns that another host knows better for an event that is here."""
    more: dict[str, Any] = {}
    if not had.kind and given["kind"]:
        kept = {name: getattr(had, name) for name in STOOD} if had.pegs is not None else {}
        more = {**given, **kept}
    elif had.pegs is None and given["pegs"] is not None and (had.game is None or had.game == game):
        more = {name: given[name] for name in STOOD}
    if had.number is None and given["number"] is not None:
        more["number"] = given["number"]
    if had.game is None and game is not None:
        more["game"] = game
    return more


def _moment(at: int | None) -> datetime | None:
    return None if at is None else BEGIN + timedelta(milliseconds=at)
