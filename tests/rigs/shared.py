"""Programs that share one board in this process: a holder, and guests whose frames it passes on; time is fake."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

from rigs import wired

from cribboard.board.client import Board
from cribboard.board.share import Exchange, Program


class Shared(wired.Table):
    """A firmware, the exchange of the one that holds its port, and boards that are opened on it."""

    def __init__(self, folder: Path, **options: object) -> None:
        super().__init__(folder, **options)
        self.heard = b""  # for the holder

    def reach(self) -> Any:
        self.exchange = Exchange(super().reach(), {})
        return _Held(self)

    def pump(self) -> None:
        """Let the board say something."""
        self.heard += self.exchange.read()

    def guest(self, seed: int = 1) -> Board:
        """A program that comes in by the door, not opened yet."""
        return Board(
            lambda: _In(self),
            self.folder,
            clock=self.time,
            pause=self.time.pause,
            chance=random.Random(seed),
            on_notice=self.notes.append,
            guest=True,
        )


class _Held:
    """The port of the holder."""

    name = "wire"

    def __init__(self, table: Shared) -> None:
        self.table = table

    def read(self) -> bytes:
        self.table.pump()
        heard, self.table.heard = self.table.heard, b""
        return heard

    def write(self, data: bytes) -> None:
        self.table.exchange.write(data)

    def close(self) -> None:
        self.table.exchange.close()

    def wake(self) -> None:
        pass


class _In:
    """A guest's way in."""

    name = "wire"

    def __init__(self, table: Shared) -> None:
        self.table = table
        self.unread: list[bytes] = []
        self.program = Program(self.unread.append)
        table.exchange.enter(self.program)

    def read(self) -> bytes:
        self.table.pump()
        heard = b"".join(self.unread)
        self.unread.clear()
        return heard

    def write(self, data: bytes) -> None:
        self.table.exchange.ask(data, self.program)

    def close(self) -> None:
        self.table.exchange.leave(self.program)

    def wake(self) -> None:
        pass
