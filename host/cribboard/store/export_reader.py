"""Reads an export that may come from anybody, and refuses what a board and this program cannot have written."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from typing import NoReturn

from cribboard.board.messages import Event, Standing
from cribboard.errors import ArgumentError
from cribboard.files import Entry
from cribboard.names import key
from cribboard.store.contest_exchange import ExportedContest, checked
from cribboard.store.export import EVENT, FORMAT, SETUP, VERSION
from cribboard.store.games import NEXT, STAFF, UNPLAYED
from cribboard.store.read import Correction
from cribboard.store.schema import GameRow, as_moment
from cribboard.store.stored import POSITION, Position, Setup, StoredEvent
from cribboard.store.write import MOST_TEXT, flat
from cribboard.typed import (
    DAMAGE,
    LONGEST_NAME,
    Unfit,
    as_list,
    as_list_of,
    as_name,
    as_number,
    as_object,
    as_text,
    as_truth,
    as_whole,
    optional,
    placed,
)
from cribboard_core.cards import quote
from cribboard_core.events import PLACES, RESTORE, check_setup

MOST_BYTES = 64 << 20
MOST_ITEMS = 24_000_000  # counted before anything is read, since small things take much memory
MOST_EVENTS = 20_000  # of one game, which has about 70
WORD = 0xFFFFFFFF
HINT = "take a file that `export` of this program has written; nothing was changed"
NUMBERS = ("rev", "kind", "side", "a", "b", "c", "session", "command")
RANGES = dict(zip(NUMBERS, (WORD, RESTORE, PLACES - 1, 255, 0xFFFF, 255, 0xFFFF, 255), strict=True))


@dataclass(frozen=True)
class ExportedSpan:
    """A number of a game of the file, with what was said of it."""

    epoch: int
    number: int
    won: str | None
    moved: bool
    names: dict[int, str | None]


@dataclass(frozen=True)
class ExportedGame:
    """A game of the file: its numbers by journal, who sat where and whether staff said so, its events."""

    row: GameRow
    spans: list[ExportedSpan]
    seats: dict[int, tuple[str | None, bool]]
    events: list[StoredEvent]


@dataclass(frozen=True)
class Export:
    """The contents of the file. `loose` events belong to no game; a correction's game is an index."""

    players: list[tuple[str, datetime, list[str]]]
    games: list[ExportedGame]
    loose: list[StoredEvent]
    corrections: list[Correction]
    contests: list[ExportedContest] = field(default_factory=list)


def read(text: str) -> Export:
    """The contents of an export; raises ArgumentError for another file."""
    if len(text) > MOST_BYTES or text.count(",") + text.count("[") + text.count("{") > MOST_ITEMS:
        raise ArgumentError("the file is too large for a history", f"an import may have {MOST_BYTES >> 20} MB")
    try:
        return _export(json.loads(text, parse_constant=_no_number))
    except DAMAGE as error:
        raise ArgumentError(f"that file is not an exported history: {placed(error)}", HINT) from error


def _no_number(text: str) -> NoReturn:
    raise Unfit(f"{text} is not a number")


def _export(data: object) -> Export:
    data = as_object(data)
    if data["format"] != FORMAT or data["version"] != VERSION:
        raise Unfit(f"it claims to be {quote(data['format'])}, version {quote(data['version'])}")
    if data["columns"] != list(EVENT):
        raise Unfit("its events have other columns")
    checked_games = as_list_of("game", data["games"], _checked_game)
    loose = [event for events in as_list_of("loose", data["loose"], _checked_loose) for event in events]
    people = as_list_of("player", data["players"], _player)
    traced = as_list_of("correction", data["corrections"], partial(_correction, most=len(checked_games)))
    return Export(people, checked_games, loose, traced, as_list_of("contest", data.get("contests", []), checked))


def _checked_loose(data: object) -> list[StoredEvent]:
    data = as_object(data)
    return as_list_of("event", data["events"], partial(_checked_event, board=as_number(data["board"]), setup=None))


def _player(data: object) -> tuple[str, datetime, list[str]]:
    data = as_object(data)
    return as_name(data["name"]), as_moment(data["since"]), as_list_of("key", data["keys"], _key)


def _checked_game(data: object) -> ExportedGame:
    data = as_object(data)
    setup = Setup(*(as_whole(data[part], 255) for part in SETUP[:-1]))
    dealer = optional(data["dealer"], as_whole, PLACES - 1)
    lines = (setup.skunk, setup.double)
    check_setup(setup.target, setup.mask, setup.count, setup.seats[0] if dealer is None else dealer, *lines)
    aside = data["aside"]
    if aside is not None and aside not in (NEXT, STAFF, UNPLAYED):
        raise Unfit(f"{quote(aside)} is no state of a game")
    happened = as_list(data["events"])
    if len(happened) > MOST_EVENTS:
        raise Unfit(f"a game has {len(happened)} events")
    board = as_number(data["board"])
    row = replace(
        setup.game(board, dealer, as_moment(data["began"])),
        heard=as_moment(data["heard"]),
        ended=optional(data["ended"], as_moment),
        aside=optional(aside, str),
        withdrawn=as_truth(data["withdrawn"]),
    )
    numbers = as_list_of("span", data["spans"], partial(_checked_span, setup=setup))
    checked_events = as_list_of("event", happened, partial(_checked_event, board=board, setup=setup))
    return ExportedGame(row, numbers, _seats(data["seats"], setup), checked_events)


def _checked_span(data: object, setup: Setup) -> ExportedSpan:
    epoch, at, said, moved, who = as_list(data)
    won = optional(said, as_text, 66)
    if won is not None and won != " ".join(str(as_whole(int(games), WORD)) for games in won.split(" ")):
        raise Unfit(f"{quote(won)} is not games won")
    names = {_place(place, setup): optional(player, as_name) for place, player in map(as_list, as_list(who))}
    return ExportedSpan(as_whole(epoch, WORD), as_whole(at, WORD), won, as_truth(moved), names)


def _seats(data: object, setup: Setup) -> dict[int, tuple[str | None, bool]]:
    rows = [as_list(row) for row in as_list(data)]
    by_place = {
        _place(place, setup): (optional(player, as_name), as_truth(by_staff)) for place, player, by_staff in rows
    }
    taken = [key(player) for player, _ in by_place.values() if player is not None]
    if not len(by_place) == len(rows) == len(setup.seats) or len(set(taken)) < len(taken):
        raise Unfit("the seats of a game are not those of its players")
    return by_place


def _place(value: object, setup: Setup) -> int:
    if value not in setup.seats:
        raise Unfit(f"nobody can sit at place {quote(value)}")
    return as_whole(value, PLACES - 1)


def _checked_event(data: object, board: str, setup: Setup | None) -> StoredEvent:
    values = dict(zip(EVENT, as_list(data), strict=True))
    epoch, game = as_whole(values["epoch"], WORD), as_whole(values["number"], WORD)
    numbers = [*(as_whole(values[part], most) for part, most in RANGES.items()), game]
    cards, starter, by, said = [as_text(values[part], longest) for part, longest in MOST_TEXT.items()]
    at = as_moment(values["at"])
    row = Event(*numbers, cards=cards, starter=starter, by=by, text=said, at=at)
    event = StoredEvent.of(row, board, epoch, at)
    if not event.rev:
        raise Unfit("an event has no number")
    if event.kind and all(values[part] is None for part in POSITION):
        return event
    pegs = as_text(values["pegs"], 24)
    setup = setup or Setup(241, 63, len(pegs) // 4, 0, 0)
    dealer, winner = as_whole(values["dealer"], PLACES - 1), as_whole(values["winner"], PLACES - 1, -1)
    state = [setup.target, setup.mask, setup.count, dealer, setup.skunk, setup.double, winner]
    standing = Standing.read([event.rev, game, *state, pegs, [0] * setup.count])
    return replace(event, position=Position.of(standing), said=at)


def _correction(data: object, most: int) -> Correction:
    at, who, what, game, before, after = as_list(data)
    index = optional(game, as_whole, most - 1)
    return Correction(as_moment(at), as_text(who, 60), as_text(what, 20), index, _flat(before), _flat(after))


def _flat(value: object) -> Entry:
    if not isinstance(value, dict) or flat(value) != value or len(json.dumps(value)) > 1 << 20:
        raise Unfit("a correction is too long, or says more than texts and numbers")
    return value


def _key(value: object) -> str:
    known = as_text(value, LONGEST_NAME)
    if not 0 < len(key(known)) <= LONGEST_NAME:
        raise Unfit(f"{quote(value)} is no name")
    return known
