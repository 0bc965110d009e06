"""What is stored of a game: its setup, its events, and the position after each, as they are in rows."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, select

from cribboard.board.messages import Event, Standing
from cribboard.errors import WrongBoard
from cribboard.store.schema import BEGIN, OF_SPAN, GameRow, events, spans
from cribboard_core.events import RESTORE, seats_of


@dataclass(frozen=True)
class Setup:
    """A game's target, places, sides and skunk lines."""

    target: int
    mask: int
    count: int
    skunk: int
    double: int

    @property
    def seats(self) -> tuple[int, ...]:
        """The places that play."""
        return seats_of(self.mask)

    @property
    def sides(self) -> tuple[int, ...]:
        """The first place of each side, which is the side's number."""
        return self.seats[: self.count]

    def side_of(self, place: int) -> int:
        """The side for which a place plays."""
        return self.sides[self.seats.index(place) % self.count]

    def game(self, board: str, dealer: int | None, began: datetime) -> GameRow:
        """The row of a game that begins."""
        return GameRow(
            board=board,
            target=self.target,
            mask=self.mask,
            sides=self.count,
            skunk=self.skunk,
            double_skunk=self.double,
            dealer=dealer,
            began=began,
            heard=began,
            pegs="0000" * self.count,
        )


def setup_of(game: GameRow) -> Setup:
    """The setup in a game's row."""
    return Setup(game.target, game.mask, game.sides, game.skunk, game.double_skunk)


POSITION = ("pegs", "dealer", "winner")


@dataclass(frozen=True)
class Position:
    """The pegs (front and back of each side in hex), the dealer and the winner after an event."""

    pegs: str
    dealer: int
    winner: int

    @classmethod
    def of(cls, standing: Standing) -> Position:
        return cls(standing.pegs(), standing.dealer, standing.winner)

    @property
    def fronts(self) -> tuple[int, ...]:
        return tuple(bytes.fromhex(self.pegs)[0::2])

    @property
    def backs(self) -> tuple[int, ...]:
        return tuple(bytes.fromhex(self.pegs)[1::2])

    def fits(self, setup: Setup) -> bool:
        """Whether a game with this setup can have this state."""
        state = [setup.target, setup.mask, setup.count, self.dealer, setup.skunk, setup.double, self.winner]
        try:
            Standing.read([0, 0, *state, self.pegs, [0] * setup.count])
        except WrongBoard:
            return False
        return True

    def standing(self, setup: Setup, rev: int = 0) -> Standing:
        """The state as a board reports it, with no games won."""
        state = (setup.target, setup.mask, setup.count, self.dealer, setup.skunk, setup.double, self.winner)
        return Standing(rev, 0, *state, self.fronts, self.backs, (0,) * setup.count)


@dataclass(frozen=True, kw_only=True)
class StoredEvent(Event):
    """An event as stored, of `kind` 0 if it was not heard. `position` is what the board reported after it."""

    board: str
    epoch: int
    position: Position | None = field(default=None, compare=False)
    since: datetime = field(default=BEGIN, compare=False)  # when the board was first heard to have it
    seen: datetime = field(default=BEGIN, compare=False)  # and when last
    said: datetime | None = field(default=None, compare=False)  # when the board said its `position` last

    @classmethod
    def of(cls, event: Event, board: str, epoch: int, heard: datetime) -> StoredEvent:
        """An event that a board was heard to have at a moment."""
        return cls(**vars(event), board=board, epoch=epoch, since=heard, seen=heard)

    def columns(self) -> dict[str, object]:
        """Its columns in `events`."""
        position = vars(self.position) if self.position else dict.fromkeys(POSITION)
        return {column: getattr(self, name) for name, column in COLUMNS.items()} | position

    @classmethod
    def of_row(cls, row: Any) -> StoredEvent:
        """The event of a row of `events` or `lost`, which a disk may have changed."""
        values = {name: getattr(row, column) for name, column in COLUMNS.items()}
        values |= {"kind": row.kind if 0 <= row.kind <= RESTORE else 0, "game": row.number or 0}
        return cls(**values, position=None if row.pegs is None else Position(row.pegs, row.dealer, row.winner))


# The column of each field but the position, which has three, and a corrected line, which is a correction.
OTHERS = {"id": "command", "game": "number", "by": "who", "said": "stood"}
COLUMNS = {
    each.name: OTHERS.get(each.name, each.name) for each in fields(StoredEvent) if each.name not in ("position", "line")
}


def kept_where(connection: Connection, *where: ColumnElement[bool]) -> list[StoredEvent]:
    """The events for which this is true, in the order of their journals and numbers."""
    return _kept(connection, select(events).where(*where))


def kept_of(connection: Connection, game: ColumnElement[bool]) -> list[StoredEvent]:
    """The events of the spans, and so of the games, for which this is true, in the same order."""
    return _kept(connection, select(events).join(spans, OF_SPAN).where(game))


def _kept(connection: Connection, wanted: Select[Any]) -> list[StoredEvent]:
    rows = connection.execute(wanted.order_by(events.c.board, events.c.epoch, events.c.rev))
    return [StoredEvent.of_row(row) for row in rows]
