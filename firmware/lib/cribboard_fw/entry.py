"""Pending points: what a side has pressed and not yet committed, press by press."""

from __future__ import annotations

from cribboard_core.events import MOST_POINTS, PLACES
from cribboard_core.match import Match
from cribboard_fw.clock import elapsed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Entry:
    """The points that sides are about to peg; they never pass the target nor the most that one score can be."""

    def __init__(self, match: Match, on_change: Any) -> None:
        self._match = match
        self._on_change = on_change  # called with (side, points)
        self._presses: list[int] = []  # side << 8 | points in the order of the presses
        self._touched = [-1] * PLACES  # when a button was, -1 when a host set the points

    def points(self, side: int) -> int:
        """What a side has pending."""
        total = 0
        for press in self._presses:
            if press >> 8 == side:
                total += press & 255
        return total

    @property
    def any(self) -> bool:
        """Whether any side has pending points."""
        return len(self._presses) > 0

    def room(self, side: int) -> int:
        """How many more points a side can add: none once the game is won; below 0, it has too many already."""
        match = self._match
        most: int = 0 if match.winner >= 0 else min(MOST_POINTS, match.target - match.front(side))
        return most - self.points(side)

    def add(self, side: int, points: int, now: int) -> int:
        """Add a press, as far as there is room; returns the points added."""
        points = min(points, self.room(side))
        if points > 0:
            self._presses.append(side << 8 | points)
            self._touched[side] = now
            self._on_change(side, self.points(side))
        return max(points, 0)

    def put(self, side: int, points: int) -> None:
        """Set what a side has pending, as a host does; raises ValueError when it cannot be."""
        self._match.index(side)
        if type(side) is not int or type(points) is not int or not 0 <= points <= self.room(side) + self.points(side):
            raise ValueError("%s points cannot be pending" % (points,))
        self._presses = [press for press in self._presses if press >> 8 != side]
        if points:
            self._presses.append(side << 8 | points)
        self._touched[side] = -1
        self._on_change(side, points)

    def take_back(self) -> int:
        """Take back the last press of the side touched last, and return that side; -1 when nothing is pending."""
        if not self._presses:
            return -1
        side = self._presses.pop() >> 8
        self._on_change(side, self.points(side))
        return side

    def take(self, side: int) -> int:
        """Take a side's pending points out, to commit them."""
        points = self.points(side)
        self._presses = [press for press in self._presses if press >> 8 != side]
        if points:
            self._on_change(side, 0)
        return points

    def drop(self) -> None:
        """Let go of all that is pending."""
        while self._presses:
            self.take(self._presses[0] >> 8)

    def trim(self) -> None:
        """After the match has changed: drop what cannot be pegged any more."""
        for side in range(PLACES) if self._presses else ():
            if self.points(side) and (side not in self._match.sides or self.room(side) < 0):
                self.take(side)

    def idle(self, now: int, after_ms: int) -> int:
        """A side whose points from buttons nobody has touched for so long, or -1."""
        for press in self._presses:
            if self._touched[press >> 8] >= 0 and elapsed(now, self._touched[press >> 8]) >= after_ms:
                return press >> 8
        return -1
