"""A board of two, and the phones that give orders to it, without threads."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from rigs import wired

from cribboard.board.client import Board
from cribboard.service.cards_log import NAME
from cribboard.service.execute import Answer, OrderHandler
from cribboard.service.orders import OrderError, read_order
from cribboard.service.table import Table

HAND: dict[str, Any] = {"cards": ["5H", "5C", "5S", "JD"], "starter": "5D"}
CRIB: dict[str, Any] = {"cards": ["TS", "JH", "QC", "KD"], "crib": True}
STATUSES = {"order": (400,), "rules": (400, 409), "away": (503,)}  # of HTTP; everything else is a conflict


class Room:
    """A board of two, and two phones."""

    def __init__(self, folder: Path) -> None:
        self.wired = wired.Table(folder)
        self.keys = 0
        self.now = 100.0  # seconds of the clock on the wall
        self.board: Board
        self.open()

    def open(self) -> None:
        """The kiosk starts."""
        self.board = self.wired.board().open()
        self.table = Table(self.board, lambda: self.now)
        self.carrier = OrderHandler(self.table, lambda: self.now)

    def restart(self, *, killed: bool = False, meanwhile: Callable[[], object] = lambda: None) -> None:
        """It is ended or killed, something happens, and it starts again."""
        if killed:
            self.board._sender.ledger.close()
        else:
            self.board.close()
        meanwhile()
        self.open()

    def key(self) -> str:
        self.keys += 1
        return f"key-{self.keys:016}"

    def do(self, do: str, by: str = "phone 1", **fields: Any) -> Answer:
        return self.carrier.do(read_order({"do": do, "key": self.key(), **fields}), by)

    def refused(self, do: str, by: str = "phone 1", **fields: Any) -> OrderError:
        with pytest.raises(OrderError) as caught:
            self.do(do, by, **fields)
        error = caught.value
        assert error.status in STATUSES.get(error.code, (409,))
        return error

    @property
    def firmware(self) -> wired.Firmware:
        return self.wired.firmware

    @property
    def notes(self) -> Path:
        """The file of the cards."""
        return self.wired.folder / wired.UID / NAME

    @property
    def rev(self) -> int:
        return self.board.standing.rev

    @property
    def fronts(self) -> tuple[int, ...]:
        return self.board.standing.fronts

    def entry(self) -> dict[str, Any]:
        return self.table.entry()
