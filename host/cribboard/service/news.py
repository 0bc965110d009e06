"""News of a board: numbered, kept for clients that come back, and passed to listeners."""

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
    """One piece of news; ids go up by one."""

    id: int
    kind: Kind
    data: dict[str, Any]


Listener = Callable[[News], None]


class Newsroom:
    """Keeps the newest news, and calls listeners with each, in order, in the thread of `tell`.

    Of the states only the newest is kept, since it replaces those before it.
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
        """The id of the newest news, 0 before the first."""
        return self._newest

    def tell(self, kind: Kind, data: dict[str, Any]) -> None:
        """Add news and pass it to the listeners; "forget" drops all that came before."""
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
        """Call `listener` with all news from now on; returns a function that ends this."""
        with self._lock:
            self._listeners.append(listener)

        def leave() -> None:
            with self._lock:
                if listener in self._listeners:
                    self._listeners.remove(listener)

        return leave

    def after(self, known: int) -> list[News] | None:
        """The news after an id, of states only the newest; None when some are gone, or the id is of another run."""
        with self._lock:
            if not self._gone <= known <= self._newest:
                return None
            kept = [*self._kept, *([self._state] if self._state else [])]
        return sorted((news for news in kept if news.id > known), key=lambda news: news.id)
