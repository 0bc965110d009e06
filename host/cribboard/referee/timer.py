"""The clock of a claim."""

from __future__ import annotations

from collections.abc import Callable


class Timer:
    """Runs for one count at a time; `clock` gives seconds."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._count: object = None  # what it runs for
        self._ends = 0.0

    def ends_s(self, count: object, limit_s: int) -> float:
        """When the time for this count is over, by the clock; another count than the one before has all of it."""
        if count != self._count:
            self._count = count
            self._ends = self._clock() + limit_s
        return self._ends

    def left_s(self, count: object, limit_s: int) -> float:
        """The seconds left for this count, 0 when they are over."""
        return max(0.0, self.ends_s(count, limit_s) - self._clock())

    def stop(self) -> None:
        """Run for nothing; the same count has all its time again."""
        self._count = None
