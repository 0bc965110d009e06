"""Takes over `results.jsonl`, where earlier programs kept the games won at home: once, with nothing lost."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from itertools import chain, zip_longest
from pathlib import Path

from sqlalchemy import Connection, select

from cribboard.board.messages import Row
from cribboard.errors import ArgumentError, CribboardError
from cribboard.files import read_lines, sync, unused
from cribboard.matches import Result, counting, read_line
from cribboard.names import check_name, key
from cribboard.store.database import Database
from cribboard.store.exchange import Bringing, Export, ExportedGame
from cribboard.store.fold import EARLIER, Kept, Note, Setup, Stood, kept_where
from cribboard.store.schema import events, game_rows, games, spans
from cribboard_core.events import PLACES, Refused, check_setup
from cribboard_core.variants import COLOURS

NAME = EARLIER
GAME = re.compile(r"([0-9a-f]{1,32}):(\d{1,10}):(\d{1,10})")  # a board, its journal, the event that began the game


def take_over(database: Database, path: Path, now: datetime) -> str:
    """Add the games of the file to the history, and rename the file; returns what to say, empty without a file.

    Games that are here stay as they are, so nothing changes when it is done again after a power cut.
    """
    if not path.exists():
        return ""
    try:
        read, wrong = _read(path, now)
        with database.writing() as connection:
            found = [each for game in read if (each := _unknown(connection, game)) is not None]
            Bringing(connection, now).bring(Export([], found, [], []))
    except CribboardError as error:
        return f"the earlier results are not in the history yet: {error.message}"
    try:
        aside = path.rename(unused(path.with_name(f"{path.name}.taken-over")))
    except FileNotFoundError:
        return ""  # another program has just done the same
    except OSError as error:
        return f"the results of {path} are in the history, but it cannot be renamed ({error.strerror}): remove it"
    with suppress(OSError):  # Windows opens no folders
        sync(path.parent)
    rest = f"; it has what is no result: {'; '.join(wrong)}" if wrong else ""
    return f"the games of {path} are in the history now, and that file is {aside}{rest}"


def _read(path: Path, now: datetime) -> tuple[list[ExportedGame], list[str]]:
    """The games that count, and what is wrong in the other lines."""
    lines, wrong = [], []
    for number, entry in read_lines(path):
        try:
            game, result = read_line(entry)
            if result is not None:
                _game(result, 0, now)
            lines.append((game, result))
        except (ArgumentError, Refused) as error:
            wrong.append(f"line {number}, {error}")
    seen: Counter[Result] = Counter()
    found = []
    for result in counting(lines):
        found.append(_game(result, seen[result], now))
        seen[result] += 1
    return found, wrong


def _unknown(connection: Connection, game: ExportedGame) -> ExportedGame | None:
    """What the history does not know of a game: None if its end is here, else its event behind those that are."""
    (epoch, number), (event,) = game.spans[0], game.events
    numbered = (spans.c.board == event.board) & (spans.c.epoch == epoch) & (spans.c.number == number)
    here = games.c.id.in_(select(spans.c.game).where(numbered))
    for row in game_rows(connection, here):
        kept = kept_where(connection, events.c.game == row.id, events.c.epoch == epoch)
        behind = replace(event.row, rev=max([each.row.rev + 1 for each in kept], default=event.row.rev))
        return None if row.winner is not None else replace(game, events=[replace(event, row=behind)])
    return game


def _game(result: Result, again: int, now: datetime) -> ExportedGame:
    """The game of a result, with one event that was not heard: the state is the last one, with no back pegs."""
    named = GAME.fullmatch(result.game)
    called = result.game or f"{result} {again}"
    board = named[1] if named else hashlib.sha256(called.encode()).hexdigest()[:32]
    epoch, number = (int(named[2]), int(named[3])) if named else (0, 1)
    count = len(result.names)
    partners = list(zip_longest(*(_partners(name, count) for name in result.names)))
    setup = Setup(result.target, (1 << count * len(partners)) - 1, count, result.skunk, result.double)
    check_setup(setup.target, setup.mask, count, 0, setup.skunk, setup.double)
    seats = {place: (name, False) for place, name in enumerate(chain.from_iterable(partners))}
    pegs = bytes(hole for score in result.scores for hole in (score, 0)).hex()
    at = _moment(result.when) or now
    event = Row(max(number, 1), 0, 0, 0, 0, 0, game=number)
    stood = Stood(pegs, 0, setup.sides[result.winner])
    row = replace(setup.game(board, None, at), ended=at)
    kept = Kept(board, epoch, event, Note(by=EARLIER, at=at), stood, number)
    return ExportedGame(row, [(epoch, number)], seats, [kept])


def _partners(name: str, count: int) -> list[str | None]:
    """Who plays for a side: its name, or those of partners; None for who was called by a colour."""
    parts = name.split(" and ")
    if count * len(parts) > PLACES:
        parts = [name]
    return [None if key(part) in COLOURS else check_name(part) for part in parts]


def _moment(when: str) -> datetime | None:
    try:
        return datetime.fromisoformat(when).astimezone(UTC)
    except (ValueError, OverflowError):
        return None
