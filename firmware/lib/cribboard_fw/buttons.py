"""Presses become gestures: a tap, a press that repeats while it is held, a hold of some seconds.

Keys are numbered as `hardware` makes them: +1, +5 and OK of each place with buttons, then UNDO and DEAL.
"""

from __future__ import annotations

from cribboard_fw.clock import elapsed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

PLUS_1, PLUS_5, OK, UNDO, DEAL = range(5)
UNDO_HOLD_MS = 2000
DEAL_HOLD_MS = 3000
REPEAT_AFTER_MS = 500
SLOW_REPEATS = 3
SLOW_MS, FAST_MS = 220, 120  # between the first repeats, and between those after them
MOST_REPEATS = 46  # no score is more: who holds on is a stuck button
BOUNCE_MS = 20  # a key that is up for less has not been let go


class Held:
    """A key that is down, or came up so lately that it may be bouncing."""

    def __init__(self, number: int, since: int) -> None:
        self.number = number
        self.since = since
        self.repeats = 0
        self.up = -1  # since when, -1 while it is down


class Buttons:
    """Turns key events into calls of `table`: plus(place, n), ok(place), undo_down(), undo(), redo(), deal(), set_up().

    A press takes effect at once, but UNDO and DEAL when let go, since a hold means something else.
    """

    def __init__(self, places: list[int], table: Any) -> None:
        self._places = places
        self._table = table
        self._held: list[Held] = []

    def key(self, number: int, pressed: bool, now: int) -> None:
        """Take a key's edge at a time in ticks."""
        held = self._find(number)
        if not pressed:
            if held and held.up < 0:
                held.up = now
            return
        if held and held.up < 0:  # its release was lost
            self._held.remove(held)
        elif held and elapsed(now, held.up) < BOUNCE_MS:
            held.up = -1
            return
        self._let_go(now, 0)  # what came up before this press takes effect before it
        self._held.append(Held(number, now))
        place, what = self.meaning(number)
        if what in (PLUS_1, PLUS_5):
            self._table.plus(place, 1 if what == PLUS_1 else 5)
        elif what == OK:
            self._table.ok(place)
        elif what == UNDO:
            self._table.undo_down()

    def step(self, now: int) -> None:
        """Let what is held repeat or take effect."""
        self._let_go(now, BOUNCE_MS)
        for held in self._held:
            if held.up < 0:
                self._hold(held, now)

    def lost(self) -> None:
        """Forget what is held: the key queue has overflowed, so a release may be missing."""
        self._held = []

    def deal_held_ms(self, now: int) -> int:
        """How long DEAL has been held towards opening set-up, 0 when it is not."""
        held = self._find(3 * len(self._places) + 1)
        return min(elapsed(now, held.since), DEAL_HOLD_MS) if held and not held.repeats else 0

    def meaning(self, number: int) -> tuple[int, int]:
        """The place (-1 for the shared ones) and the button of a key number."""
        if number < 3 * len(self._places):
            return self._places[number // 3], number % 3
        return -1, UNDO + number - 3 * len(self._places)

    def _find(self, number: int) -> Held | None:
        for held in self._held:
            if held.number == number:
                return held
        return None

    def _let_go(self, now: int, after_ms: int) -> None:
        at = 0
        while at < len(self._held):
            held = self._held[at]
            if held.up < 0 or elapsed(now, held.up) < after_ms:
                at += 1
            else:
                self._held.pop(at)
                what = self.meaning(held.number)[1]
                if what >= UNDO:
                    self._hold(held, held.up)
                    if not held.repeats:
                        self._table.undo() if what == UNDO else self._table.deal()

    def _hold(self, held: Held, now: int) -> None:
        place, what = self.meaning(held.number)
        ms = elapsed(now, held.since)
        done = held.repeats
        if what == PLUS_1 and done < MOST_REPEATS and ms >= self._repeat_at(done):
            held.repeats += 1
            self._table.plus(place, 1)
        elif what >= UNDO and not done and ms >= (UNDO_HOLD_MS if what == UNDO else DEAL_HOLD_MS):
            held.repeats = 1
            self._table.redo() if what == UNDO else self._table.set_up()

    def _repeat_at(self, done: int) -> int:
        return REPEAT_AFTER_MS + SLOW_MS * min(done, SLOW_REPEATS) + FAST_MS * max(0, done - SLOW_REPEATS)
