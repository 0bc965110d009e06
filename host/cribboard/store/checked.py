"""Reads an export that may come from anybody, and refuses what a board and this program cannot have written."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, NoReturn

from cribboard.board.answers import Standing
from cribboard.errors import ArgumentError, CribboardError
from cribboard.names import check_name, key
from cribboard.store.export import EVENT, FORMAT, VERSION
from cribboard.store.fold import Setup
from cribboard.store.games import NEXT, STAFF, UNPLAYED
from cribboard_core.cards import quote
from cribboard_core.events import PLACES, RESTORE, Refused, check_setup

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
TOLD = ("number", "pegs", "dealer", "winner")


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
    if data["format"] != FORMAT or data["version"] != VERSION:
        raise Unfit(f"it claims to be {quote(data['format'])}, version {quote(data['version'])}")
    if data["columns"] != list(EVENT):
        raise Unfit("its events have other columns")
    games = [_game(game) for game in _list(data["games"])]
    return Export(
        [(check_name(player["name"]), [_text(known, 400) for known in player["keys"]]) for player in data["players"]],
        games,
        [(_uid(part["board"]), [_event(event, None) for event in _list(part["events"])]) for part in data["loose"]],
        [_correction(row, len(games)) for row in _list(data["corrections"])],
    )


def _game(data: Any) -> ExportedGame:
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
        events=[_event(event, setup) for event in happened],
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


def _event(data: Any, setup: Setup | None) -> dict[str, Any]:
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
    if all(event[name] is None for name in TOLD) and event["kind"]:
        return
    _whole(event["number"], WORD)
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
