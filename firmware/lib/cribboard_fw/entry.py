"""Pending points: what a side has pressed and not yet committed, press by press, or what a host shows for somebody."""

from __future__ import annotations

from cribboard_core.events import GO, MOST_POINTS, MUGGINS, NEW, PEG, PLACES, REDO, RESTORE, UNDO, Refused
from cribboard_fw.clock import WRAP, elapsed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from cribboard_core.match import Match


class Entry:
    """The points that sides are about to peg; they never pass the target nor the most that one score can be.

    A side's pending points have one owner: 0 for the buttons, else the number that a host gave.
    """

    def __init__(self, match: Match, on_change: Callable[[int, int, int], None] | None) -> None:
        self._match = match
        self._on_change: Callable[[int, int, int], None] = on_change  # type: ignore[assignment]  # None: nothing waits
        self._presses: list[int] = []  # side << 8 | points in the order of the presses
        self._since = [0] * PLACES  # when a button was touched; for a host's points, when they end
        self.owner = bytearray(PLACES)  # of what each side has pending
        self.now = 0

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

    def add(self, side: int, points: int) -> int:
        """Add a press, as far as there is room, in place of a host's points; returns the points added."""
        if self.owner[side]:
            self.take(side)
        points = min(points, self.room(side))
        if points > 0:
            self._put(side, points, 0, self.now)
        return max(points, 0)

    def put(self, side: int, points: int, owner: int, seconds: int) -> None:
        """Set what an owner at a host has pending, for so many seconds; raises Refused when it cannot be."""
        self._match.index(side)
        there = self.points(side)
        if there and self.owner[side] != owner:
            if points:
                whose = "owner %d" % self.owner[side] if self.owner[side] else "the buttons"
                raise Refused("waiting", "%d points of %s wait for side %d" % (there, whose, side + 1))
            return
        if points > self.room(side) + there:
            raise Refused("points", "%d points are too many for side %d" % (points, side + 1))
        self.take(side)
        if points:
            self._put(side, points, owner, (self.now + 1000 * seconds) % WRAP)

    def take_back(self) -> int:
        """Take back the last press of the side touched last, and return that side; -1 when nothing is pending."""
        if not self._presses:
            return -1
        side = self._presses.pop() >> 8
        self._on_change(side, self.points(side), self.owner[side])
        return side

    def take(self, side: int) -> int:
        """Take a side's pending points out, to commit them or to let them go."""
        points = self.points(side)
        self._presses = [press for press in self._presses if press >> 8 != side]
        owner = self.owner[side]
        self.owner[side] = 0
        if points:
            self._on_change(side, 0, owner)
        return points

    def drop(self) -> None:
        """Let go of all that is pending."""
        while self._presses:
            self.take(self._presses[0] >> 8)

    def trim(self, side: int = -1) -> None:
        """Let go of what cannot be pegged any more, and of a host's points for a side; for -1, of all a host's."""
        for press in tuple(self._presses) if self._presses else ():
            at = press >> 8
            if at not in self._match.sides or self.room(at) < 0 or (self.owner[at] and side in (-1, at)):
                self.take(at)

    def after(self, kind: int, side: int) -> None:
        """Let go of what an event of this kind leaves no sense in."""
        if self._match.winner >= 0 or kind in (NEW, UNDO, REDO, RESTORE):
            self.drop()
        else:
            self.trim(side if PEG <= kind <= GO or kind == MUGGINS else -1)

    def expire(self) -> None:
        """Let go of a host's points whose time is over."""
        for press in tuple(self._presses) if any(self.owner) else ():
            if self.owner[press >> 8] and elapsed(self.now, self._since[press >> 8]):
                self.take(press >> 8)

    def idle(self, after_ms: int) -> int:
        """A side whose points from buttons nobody has touched for so long, or -1."""
        for press in self._presses:
            if not self.owner[press >> 8] and elapsed(self.now, self._since[press >> 8]) >= after_ms:
                return press >> 8
        return -1

    def _put(self, side: int, points: int, owner: int, since: int) -> None:
        self._presses.append(side << 8 | points)
        self.owner[side] = owner
        self._since[side] = since
        self._on_change(side, self.points(side), owner)
