"""Presses become gestures: a tap, a press that repeats while it is held, a hold of some seconds.

All that is done by holding keys is in one table: for the buttons in play and in the set-up, and for keys that are held
at power-on. Keys are numbered as `hardware` makes them: +1, +5 and OK of each place with buttons, then UNDO and DEAL.
"""

from __future__ import annotations

from cribboard_fw.clock import elapsed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cribboard_fw.types import Mode

    Hold = tuple[str, int, tuple[int, ...], int]

PLUS_1, PLUS_5, OK, UNDO, DEAL = range(5)
AT_POWER_ON, IN_PLAY, IN_SET_UP = range(3)
LONG_MS = 3000  # how far a hold is as long as this is shown

# name (that of the mode's method), where, the keys together, and for how many ms
HOLDS = (
    ("repl", AT_POWER_ON, (UNDO, DEAL), LONG_MS),  # stops the program, for the console's REPL
    ("bring_up", AT_POWER_ON, (PLUS_1, UNDO), LONG_MS),  # tries light, buttons and sound
    ("forget", AT_POWER_ON, (OK, UNDO), LONG_MS),  # lets settings.toml count again
    ("set_up", IN_PLAY, (DEAL,), LONG_MS),
    ("redo", IN_PLAY, (UNDO,), 2000),
    ("tell", IN_PLAY, (OK,), 1000),
    ("teams", IN_SET_UP, (UNDO,), 2000),
    ("brighter", IN_SET_UP, (PLUS_1,), 700),
    ("louder", IN_SET_UP, (PLUS_5,), 700),
)

REPEAT_AFTER_MS = 500
SLOW_REPEATS = 3
SLOW_MS, FAST_MS = 220, 120  # between the first repeats, and between those after them
MOST_REPEATS = 46  # no score is more: who holds on is a stuck button
BOUNCE_MS = 20  # a key that is up for less has not been let go


def find(where: int, keys: tuple[int, ...]) -> Hold | None:
    """The hold of exactly these keys, in ascending order, or None."""
    for hold in HOLDS:
        if hold[1] == where and hold[2] == keys:
            return hold
    return None


class Held:
    """A key that is down, or came up so lately that it may be bouncing."""

    def __init__(self, number: int, since: int, hold: Hold | None, dead: bool) -> None:
        self.number = number
        self.since = since
        self.hold = hold
        self.dead = dead  # it means nothing until it is let go
        self.repeats = 0
        self.up = -1  # since when, -1 while it is down


class Buttons:
    """Turns key events into calls of `mode`: plus(place, n), ok(place), undo_down(), undo(), deal(), and what is held.

    A press takes effect at once; of UNDO, DEAL, and where its hold means something else +1 and +5, when let go. The
    methods for holds are named in HOLDS, and take the place of a key that belongs to one.
    """

    def __init__(self, places: list[int], mode: Mode) -> None:
        self._places = places
        self._mode = mode
        self._held: list[Held] = []

    def key(self, number: int, pressed: bool, now: int, dead: bool = False) -> None:
        """Take a key's edge at a time in ticks; a press that is `dead` means nothing, however long it is held."""
        held = self._find(number)
        if not pressed:
            if held is None:  # it was down before anybody looked, and may bounce now
                held = Held(number, now, None, True)
                self._held.append(held)
            if held.up < 0:
                held.up = now
            return
        if held and held.up >= 0 and elapsed(now, held.up) < BOUNCE_MS:
            held.up = -1
            return
        for other in self._held:
            if other.up >= 0:
                self._let_go(other)  # it came up before this press, and takes effect before it
        if held:  # it has been up for long enough, or its release was lost
            self._held.remove(held)
        place, what = self.meaning(number)
        held = Held(number, now, find(self._mode.where, (what,)), dead)
        self._held.append(held)
        if dead:
            return
        if what == OK:
            self._mode.ok(place)
        elif what == UNDO:
            self._mode.undo_down()
        elif what in (PLUS_1, PLUS_5) and not held.hold:
            self._mode.plus(place, 1 if what == PLUS_1 else 5)

    def step(self, now: int) -> None:
        """Let what is held repeat or take effect, once all edges up to now have been taken."""
        at = 0
        while at < len(self._held):
            held = self._held[at]
            if held.up < 0 and not held.dead:
                self._hold(held, now)
            elif held.up >= 0 and elapsed(now, held.up) >= BOUNCE_MS:
                self._let_go(held)
                self._held.pop(at)
                continue
            at += 1

    def enter(self, mode: Mode) -> None:
        """Give the keys the meaning that they have in play or in the set-up; what is held has none there."""
        self._mode = mode
        for held in self._held:
            held.dead = True

    def lost(self, now: int) -> None:
        """Take every key for one that bounces: the key queue has overflowed, so edges are missing."""
        self._held = []
        for number in range(3 * len(self._places) + 2):
            self.key(number, False, now)

    def progress(self, now: int) -> int:
        """How far a long hold is, in eighths; 0 when there is none."""
        for held in self._held:
            if held.hold and held.hold[3] == LONG_MS and not held.repeats and not held.dead:
                return min(8, elapsed(now, held.since) * 8 // LONG_MS)
        return 0

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

    def _let_go(self, held: Held) -> None:
        if held.hold and not held.dead:
            self._hold(held, held.up)
        place, what = self.meaning(held.number)
        if what == OK or (what < UNDO and not held.hold):
            return  # it took effect when it was pressed
        done, held.dead = held.dead or held.repeats, True
        if what < UNDO and not done:
            self._mode.plus(place, 1 if what == PLUS_1 else 5)
        elif not done:
            self._mode.undo() if what == UNDO else self._mode.deal()

    def _hold(self, held: Held, now: int) -> None:
        place, what = self.meaning(held.number)
        ms = elapsed(now, held.since)
        done = held.repeats
        if held.hold:
            again = what in (PLUS_1, PLUS_5)
            if ms >= held.hold[3] * (done + 1) and (again or not done) and done < MOST_REPEATS:
                held.repeats += 1
                action = getattr(self._mode, held.hold[0])
                action(place) if place >= 0 else action()
        elif what == PLUS_1 and done < MOST_REPEATS and ms >= self._repeat_at(done):
            held.repeats += 1
            self._mode.plus(place, 1)

    def _repeat_at(self, done: int) -> int:
        return REPEAT_AFTER_MS + SLOW_MS * min(done, SLOW_REPEATS) + FAST_MS * max(0, done - SLOW_REPEATS)
