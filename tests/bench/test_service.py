"""From an order to its answer and to every listener, through the service of a virtual board."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from bench import plain
from bench.table import OURS

from cribboard.connect import hold_board
from cribboard.service import writer
from cribboard.service.service import Service
from cribboard.sim.board import VirtualBoard
from cribboard.store import open_store

ORDER = "a phone's order, answered"
KEPT = "the same, in the history before it is"
ORDERS = 200
PATIENCE_S = 20.0
DISK = "a record and fsync on this disk"


@contextmanager
def served(with_store: bool) -> Iterator[Service]:
    """A service whose board is there."""
    store = open_store() if with_store else None
    with VirtualBoard(name="bench") as virtual:
        service = Service(1, lambda say: hold_board(virtual.port, say=say), store)
        service.start()
        try:
            while service.view.away:
                pass
            yield service
        finally:
            service.stop()
            if store is not None:
                store.close()


def pegs(service: Service) -> Callable[[], Any]:
    """An order that can be given for ever."""

    def peg() -> Any:
        order = {"do": "set", "key": secrets.token_urlsafe(16), "side": 1, "front": 1}
        return service.order(order, "phone").result(PATIENCE_S)

    return peg


@pytest.mark.parametrize("what", [ORDER, KEPT])
def test_a_disk(timed: Any, tmp_path: Path, what: str) -> None:
    with (tmp_path / "log").open("wb") as file:
        timed(what, DISK, lambda: plain.keep(file), rounds=ORDERS, waits=True)


@pytest.mark.parametrize(("what", "with_store"), [(ORDER, False), (KEPT, True)])
def test_an_order(timed: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str, with_store: bool) -> None:
    monkeypatch.setenv("CRIBBOARD_HOME", str(tmp_path))
    monkeypatch.setattr(writer, "WAIT_S", PATIENCE_S)  # a disk that is slow for once is not what is measured
    with served(with_store) as service:
        done = timed(what, OURS, pegs(service), rounds=ORDERS, waits=True)
        assert done["kept"] is (True if with_store else None)
