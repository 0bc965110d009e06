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


class Buttons:
    """Turns key events into calls of `table`: plus(place, n), ok(place), undo_down(), undo(), redo(), deal(), set_up().

    A press takes effect at once, but UNDO and DEAL when let go, since a hold means something else.
    """

    def __init__(self, places: list[int], table: Any) -> None:
        self._places = places
        self._table = table
        self._down: list[int] = []  # keys held, the newest last
        self._since: list[int] = []
        self._repeats: list[int] = []

    def key(self, number: int, pressed: bool, now: int) -> None:
        """Take a key's edge at a time in ticks."""
        if number in self._down:  # a release, or a press whose release was lost
            at = self._down.index(number)
            since, repeats = self._since[at], self._repeats[at]
            for held in (self._down, self._since, self._repeats):
                held.pop(at)
            if not pressed:
                self._released(number, elapsed(now, since), repeats)
        if pressed:
            self._down.append(number)
            self._since.append(now)
            self._repeats.append(0)
            self._pressed(number)

    def step(self, now: int) -> None:
        """Let what is held repeat or take effect."""
        for at in range(len(self._down)):
            number = self._down[at]
            place, what = self.meaning(number)
            held = elapsed(now, self._since[at])
            done = self._repeats[at]
            if what == PLUS_1 and held >= self._repeat_at(done):
                self._repeats[at] = done + 1
                self._table.plus(place, 1)
            elif what == UNDO and not done and held >= UNDO_HOLD_MS:
                self._repeats[at] = 1
                self._table.redo()
            elif what == DEAL and not done and held >= DEAL_HOLD_MS:
                self._repeats[at] = 1
                self._table.set_up()

    def lost(self) -> None:
        """Forget what is held: the key queue has overflowed, so a release may be missing."""
        self._down, self._since, self._repeats = [], [], []

    def deal_held_ms(self, now: int) -> int:
        """How long DEAL has been held towards opening set-up, 0 when it is not."""
        number = 3 * len(self._places) + 1
        if number not in self._down:
            return 0
        at = self._down.index(number)
        return 0 if self._repeats[at] else min(elapsed(now, self._since[at]), DEAL_HOLD_MS)

    def meaning(self, number: int) -> tuple[int, int]:
        """The place (-1 for the shared ones) and the button of a key number."""
        if number < 3 * len(self._places):
            return self._places[number // 3], number % 3
        return -1, UNDO + number - 3 * len(self._places)

    def _pressed(self, number: int) -> None:
        place, what = self.meaning(number)
        if what in (PLUS_1, PLUS_5):
            self._table.plus(place, 1 if what == PLUS_1 else 5)
        elif what == OK:
            self._table.ok(place)
        elif what == UNDO:
            self._table.undo_down()

    def _released(self, number: int, held: int, repeats: int) -> None:
        what = self.meaning(number)[1]
        if what == UNDO and not repeats:
            self._table.redo() if held >= UNDO_HOLD_MS else self._table.undo()
        elif what == DEAL and not repeats:
            self._table.set_up() if held >= DEAL_HOLD_MS else self._table.deal()

    def _repeat_at(self, done: int) -> int:
        return REPEAT_AFTER_MS + SLOW_MS * min(done, SLOW_REPEATS) + FAST_MS * max(0, done - SLOW_REPEATS)
