"""News of a board: numbered, and passed to listeners."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

Kind = Literal["state", "happened", "notice", "forget"]


@dataclass(frozen=True)
class News:
    """One piece of news; ids go up by one."""

    id: int
    kind: Kind
    data: Mapping[str, object]


Listener = Callable[[News], None]


class Newsroom:
    """Calls listeners with each piece of news, in order, in the thread of `tell`."""

    def __init__(self) -> None:
        self._listeners: list[Listener] = []
        self._lock = threading.Lock()
        self._newest = 0

    def tell(self, kind: Kind, data: Mapping[str, object]) -> None:
        """Pass news to the listeners; "forget" says that none of what came before may be shown again."""
        with self._lock:
            self._newest += 1
            news = News(self._newest, kind, data)
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
