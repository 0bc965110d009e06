"""Evenings at the real firmware's end of the wire: one board, and one program after the other that referees at it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from rigs.wired import Table, Wire

from cribboard import slots
from cribboard.board.client import Board
from cribboard.playing.session import Session
from cribboard.referee.options import read_options
from cribboard.referee.outcomes import Act
from cribboard.referee.referee import Referee
from cribboard.referee.setup import Setup

BOARD_ACTS = ("board", "order", "base")
DISK: list[tuple[Any, str]] = [(slots, "_write"), (os, "fdatasync"), (os, "fsync"), (Path, "replace")]
POINTS: list[tuple[Any, str]] = [(Wire, "write"), (Wire, "read"), *DISK]
# Two outcomes at once and an undo of both, an undo of a card without points, and a win by a penalty.
GAME: list[Act] = [
    ["new", 0],
    ["deal", None],
    ["starter", "JS"],
    ["play", 1, "5C"],
    ["play", 0, "TD", 4],
    ["undo"],
    ["play", 0, "TH", 2],
    ["play", 1, "4H"],
    ["undo"],
    ["set", 1, 60, 58],
    ["penalty", 0, 1, 0],
]


RULES = "counting=manual overcount=on"


class Died(BaseException):
    """The program ends here and now."""


class Evening:
    """One firmware, and one program after the other that referees at it."""

    def __init__(self, folder: Path) -> None:
        self.table = Table(folder)
        self.folder = folder
        self.board: Board | None = None
        self.session: Session | None = None

    def start(self, setup: Setup | None = None) -> Session:
        self.board = self.table.board(seed=len(self.table.wires) + 1).open()
        if setup is not None:
            self.session = Session.begin(self.board, setup, self.folder)
        else:
            self.session = Session.resume(self.board, self.folder)
        assert self.session is not None
        return self.session

    def bury(self) -> None:
        """What the system does with a dead program's files."""
        if self.session is not None:
            self.session._log.close()
        if self.board is not None and self.board._joined is not None:
            self.board._joined[0].ledger.close()
        self.board = self.session = None


def two(options: str = "", target: int = 61) -> Setup:
    return Setup(("Ann", "Bob"), (0, 1), 0, target, read_options(options.split()))


def done(referee: Referee) -> int:
    """How many of the game's acts are in the log."""
    return sum(act[0] not in BOARD_ACTS for act in referee.acts)


@contextmanager
def killed_at(number: int, late: bool) -> Iterator[list[str]]:
    """The program dies at so many of its dealings with the port and the disk, before or just after."""
    dealt: list[str] = []
    with pytest.MonkeyPatch.context() as patch:
        for where, name in POINTS:
            original = getattr(where, name)

            def deal(*args: Any, real: Any = original, name: str = name) -> Any:
                dealt.append(name)
                step = len(dealt)
                if step == number and not late:
                    raise Died
                if name == "_write":
                    file, at, data = args
                    real(file, at, data[: len(data) // 2])
                    dealt.append("half of it")
                    if len(dealt) == number:
                        raise Died
                result = real(*args)
                if step == number:
                    raise Died
                return result

            patch.setattr(where, name, deal)
        yield dealt


@contextmanager
def broken_at(evening: Evening, number: int, late: bool) -> Iterator[list[str]]:
    """The cable is pulled at so many of the program's dealings with the port, before or just after."""
    dealt: list[str] = []
    with pytest.MonkeyPatch.context() as patch:
        for name in ("write", "read"):
            original = getattr(Wire, name)

            def deal(self: Wire, *args: Any, real: Any = original, name: str = name) -> Any:
                dealt.append(name)
                if len(dealt) == number and not late:
                    evening.table.unplug()
                result = real(self, *args)
                if len(dealt) == number and late:
                    evening.table.unplug()
                return result

            patch.setattr(Wire, name, deal)
        yield dealt


@contextmanager
def at_work(folder: Path, setup: Setup | None = None) -> Iterator[tuple[Evening, Session]]:
    """An evening that is tidied up at its end."""
    evening = Evening(folder)
    try:
        yield evening, evening.start(setup)
    finally:
        evening.bury()


def events_of(evening: Evening) -> list[tuple[int, ...]]:
    return [pegged.event for pegged in evening.session.referee.pegs.events]  # type: ignore[union-attr]


def in_step(evening: Evening) -> bool:
    """Whether board and referee have the same pegs, numbers and history."""
    mine, theirs = evening.session.referee.match, evening.table.firmware.match  # type: ignore[union-attr]
    return (mine.rev, mine.game, bytes(mine.play.now)) == (theirs.rev, theirs.game, bytes(theirs.play.now))
