"""What is told of a board: numbered, kept for those who come back, and handed to whoever listens."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

KEPT = 1000

Kind = Literal["state", "happened", "notice", "forget"]


@dataclass(frozen=True)
class News:
    """One thing told; ids grow by one."""

    id: int
    kind: Kind
    data: dict[str, Any]


Listener = Callable[[News], None]


class Newsroom:
    """Keeps the newest news, and calls listeners with each, in order, in the thread that tells it.

    Of the states only the newest is kept: it says all that those before it said.
    """

    def __init__(self) -> None:
        self._kept: deque[News] = deque()
        self._state: News | None = None
        self._listeners: list[Listener] = []
        self._lock = threading.Lock()
        self._newest = 0
        self._gone = 0  # the newest that is kept no more

    @property
    def newest(self) -> int:
        """The id of the newest, 0 before the first."""
        return self._newest

    def tell(self, kind: Kind, data: dict[str, Any]) -> None:
        """Something new."""
        with self._lock:
            self._newest += 1
            news = News(self._newest, kind, data)
            if kind == "state":
                self._state = news
            elif kind == "forget":  # what was told before is not to be told again
                self._kept.clear()
                self._gone = news.id
            else:
                self._kept.append(news)
                if len(self._kept) > KEPT:
                    self._gone = self._kept.popleft().id
            listeners = list(self._listeners)
        for listener in listeners:
            listener(news)

    def listen(self, listener: Listener) -> Callable[[], None]:
        """Have it called with all that comes; gives what ends that."""
        with self._lock:
            self._listeners.append(listener)

        def leave() -> None:
            with self._lock:
                if listener in self._listeners:
                    self._listeners.remove(listener)

        return leave

    def after(self, known: int) -> list[News] | None:
        """The news after an id, of states the newest; None when not all are kept, or the id is of another time."""
        with self._lock:
            if not self._gone <= known <= self._newest:
                return None
            kept = [*self._kept, *([self._state] if self._state else [])]
        return sorted((news for news in kept if news.id > known), key=lambda news: news.id)
