"""Events of one journal on their way to the history, as a dataclass and as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from cribboard.board.answers import Row, Standing
from cribboard.names import check_name
from cribboard_core.events import PLACES

MOST_ROWS = 1000
MOST_TEXT = 4000
WORD = 0xFFFFFFFF
RANGES = (WORD, WORD, PLACES - 1, 255, 0xFFFF, 255, 0xFFFF, 255, WORD)  # of a row as it is told; its kind is a word


@dataclass(frozen=True)
class Batch:
    """Events of one journal, and the match's standing after the newest; `lost` if the board has lost some since.

    `names` are of the game that is on then. `dropped` counts the events for which there was no room.
    """

    uid: str
    epoch: int
    rows: tuple[Row, ...]
    standing: Standing
    names: Mapping[int, str]
    notes: Mapping[int, Any]
    lost: bool = False
    dropped: int = 0

    @property
    def game(self) -> tuple[str, int, int]:
        """The game that is on after the batch. Only batches of one game can be joined: each game has its names."""
        return self.uid, self.epoch, self.standing.game

    def then(self, later: Batch) -> Batch:
        """This batch joined with a later one; at most MOST_ROWS rows, the newest."""
        ends = min((row.rev for row in later.rows), default=later.standing.rev + 1) if later.lost else None
        mine = self.rows if ends is None else tuple(row for row in self.rows if row.rev < ends)
        rows = (*mine, *later.rows)[-MOST_ROWS:]
        kept = {row.rev: row for row in rows}
        same = {row.rev for row in self.rows if kept.get(row.rev) == row}  # else the note is of an event that is lost
        notes = {rev: note for rev, note in self.notes.items() if rev in same}
        notes |= {rev: note for rev, note in later.notes.items() if rev in kept}
        dropped = self.dropped + later.dropped + len(mine) + len(later.rows) - len(rows)
        lost = self.lost or later.lost
        return Batch(self.uid, self.epoch, rows, later.standing, later.names, notes, lost, dropped)

    def to_json(self) -> dict[str, object]:
        """The batch as JSON, for `from_json`."""
        return {
            "uid": self.uid,
            "epoch": self.epoch,
            "rows": [row.told() for row in self.rows],
            "standing": self.standing.told(),
            "names": {str(place): name for place, name in self.names.items()},
            "notes": {str(rev): _note(note) for rev, note in self.notes.items()},
            "lost": self.lost,
            "dropped": self.dropped,
        }

    @classmethod
    def from_json(cls, told: Any) -> Batch:
        """The batch that `to_json` wrote; else raises ValueError, TypeError, LookupError or CribboardError."""
        uid, rows, lost = told["uid"], told["rows"], told["lost"]
        if not (isinstance(uid, str) and 1 <= len(uid) <= 32 and set(uid) <= set("0123456789abcdef")):
            raise ValueError(uid)
        if not (isinstance(rows, list) and len(rows) <= MOST_ROWS and isinstance(lost, bool)):
            raise ValueError(lost)
        standing = Standing.read(told["standing"])
        for number in (told["epoch"], told["dropped"], standing.rev, standing.game, *standing.won):
            _check(number, WORD)
        names = {int(place): check_name(name) for place, name in told["names"].items()}
        notes = {int(rev): _read_note(*note) for rev, note in told["notes"].items()}
        for place in names:
            _check(place, PLACES - 1)
        read = tuple(map(_row, rows))
        return cls(uid, told["epoch"], read, standing, names, notes, lost, told["dropped"])


def _row(told: list[Any]) -> Row:
    row = Row.read(told)
    for number, most in zip(row.told(), RANGES, strict=True):
        if not isinstance(number, str):
            _check(number, most)
    _check(row.rev - 1, WORD)
    return row


def _note(note: Any) -> list[Any]:
    at = None if note.at is None else round(note.at.timestamp() * 1000)
    return [note.cards, note.starter, note.by, note.text, at]


def _read_note(cards: str, starter: str, by: str, text: str, at: int | None) -> Any:
    from cribboard.store import Note

    if not all(isinstance(said, str) and len(said) <= MOST_TEXT for said in (cards, starter, by, text)):
        raise ValueError(text)
    if at is not None:
        _check(at, WORD * 1000)
    return Note(cards, starter, by, text, None if at is None else datetime.fromtimestamp(at / 1000, UTC))


def _check(number: Any, most: int) -> None:
    if type(number) is not int or not 0 <= number <= most:
        raise ValueError(number)
