"""Pending points: what a side has pressed and not yet committed, press by press, or what a host shows in front of a peg."""

from __future__ import annotations

from cribboard_core.events import MOST_POINTS, PLACES, Refused
from cribboard_core.match import Match
from cribboard_fw.clock import elapsed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Entry:
    """The points that sides are about to peg; they never pass the target nor the most that one score can be.

    Those of a side are the buttons' (owner 0), or of one owner whom a host has numbered and who may leave without a word.
    """

    def __init__(self, match: Match, on_change: Any) -> None:
        self._match = match
        self._on_change = on_change  # called with (side, points, owner)
        self._presses: list[int] = []  # side << 8 | points in the order of the presses
        self._owner = bytearray(PLACES)  # of what waits
        self._seconds = bytearray(PLACES)  # that a host's points wait
        self._touched = [-1] * PLACES  # since when they do; -1: since the next look

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
        """Add a press, as far as there is room, in place of a host's points; returns the points added."""
        self.let_go(side)
        points = min(points, self.room(side))
        if points > 0:
            self._presses.append(side << 8 | points)
            self._owner[side] = 0
            self._touched[side] = now
            self._tell(side)
        return max(points, 0)

    def put(self, side: int, points: int, owner: int, seconds: int) -> None:
        """Set what a host's owner has pending, for so many seconds; raises Refused when it cannot be."""
        self._match.index(side)
        there = self.points(side)
        if there and self._owner[side] != owner:
            if points:
                whose = "owner %d" % self._owner[side] if self._owner[side] else "the buttons"
                raise Refused("waiting", "%d points of %s wait for side %d" % (there, whose, side + 1))
            return
        if points > self.room(side) + there:
            raise Refused("points", "%d points cannot wait; %d can" % (points, self.room(side) + there))
        self._presses = [press for press in self._presses if press >> 8 != side]
        if points:
            self._presses.append(side << 8 | points)
        self._owner[side] = owner
        self._seconds[side] = seconds
        self._touched[side] = -1
        self._tell(side)

    def take_back(self) -> int:
        """Take back the last press of the side touched last, and return that side; -1 when nothing is pending."""
        if not self._presses:
            return -1
        side = self._presses.pop() >> 8
        self._tell(side)
        return side

    def take(self, side: int) -> int:
        """Take a side's pending points out."""
        points = self.points(side)
        self._presses = [press for press in self._presses if press >> 8 != side]
        if points:
            self._tell(side)
        return points

    def pressed(self, side: int) -> int:
        """Take out what a side's buttons have entered, to commit it."""
        return 0 if self._owner[side] else self.take(side)

    def drop(self) -> None:
        """Let go of all that is pending."""
        while self._presses:
            self.take(self._presses[0] >> 8)

    def let_go(self, side: int = -1) -> None:
        """Let go of a host's points for a side, or of all."""
        for press in tuple(self._presses):
            if self._owner[press >> 8] and side in (-1, press >> 8):
                self.take(press >> 8)

    def trim(self) -> None:
        """After the match has changed: drop what cannot be pegged any more."""
        for side in range(PLACES) if self._presses else ():
            if self.points(side) and (side not in self._match.sides or self.room(side) < 0):
                self.take(side)

    def expire(self, now: int) -> None:
        """Let go of a host's points whose time is over."""
        for press in tuple(self._presses):
            side = press >> 8
            if self._owner[side] and self._touched[side] < 0:
                self._touched[side] = now
            elif self._owner[side] and elapsed(now, self._touched[side]) >= self._seconds[side] * 1000:
                self.take(side)

    def idle(self, now: int, after_ms: int) -> int:
        """A side whose points from buttons nobody has touched for so long, or -1."""
        for press in self._presses:
            if not self._owner[press >> 8] and elapsed(now, self._touched[press >> 8]) >= after_ms:
                return press >> 8
        return -1

    def _tell(self, side: int) -> None:
        self._on_change(side, self.points(side), self._owner[side])
