"""A service at a virtual board, for tests."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from cribboard.connect import hold_board
from cribboard.service.service import News, Service
from cribboard.sim.board import VirtualBoard

PATIENCE_S = 20.0


class Ear:
    """Listens, and waits for what a test wants to hear."""

    def __init__(self, service: Service) -> None:
        self.heard: list[News] = []
        self._news = threading.Condition()
        self.leave = service.listen(self._hear)

    def _hear(self, news: News) -> None:
        with self._news:
            self.heard.append(news)
            self._news.notify_all()

    def wait(self, condition: Callable[[list[News]], bool]) -> None:
        """Until this holds of all that was heard."""
        with self._news:
            assert self._news.wait_for(lambda: condition(self.heard), PATIENCE_S), self.heard[-5:]

    def texts(self, kind: str) -> list[str]:
        """What was said in news of a kind."""
        return [news.data["text"] for news in self.heard if news.kind == kind]


def present(ear: Ear, service: Service) -> None:
    """Wait until the board is there."""
    ear.wait(lambda heard: not service.view.away)


@contextmanager
def served(virtual: VirtualBoard, store: Any = None, **more: Any) -> Iterator[tuple[Service, Ear]]:
    """A started service of a board, which is there."""
    service = Service(1, lambda say: hold_board(virtual.port, say=say), store, virtual=True, **more)
    ear = Ear(service)
    service.start()
    try:
        present(ear, service)
        yield service, ear
    finally:
        service.stop()


def key() -> str:
    """One that nobody has drawn."""
    return secrets.token_urlsafe(16)


def do(service: Service, do: str, by: str = "phone 1", **fields: Any) -> dict[str, Any]:
    """Give an order and wait for what it came to."""
    return service.order({"do": do, "key": key(), **fields}, by).result(PATIENCE_S)
