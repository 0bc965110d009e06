"""Sound for a piezo: a tick for every hole that is pegged, higher at every fifth, and a tune when a game is won."""

from __future__ import annotations

from cribboard_core.events import GO, HAND, MUGGINS, NIBS, PEG
from cribboard_core.match import Match
from cribboard_fw.clock import elapsed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

TICK_MS, GAP_MS = 24, 46
TICK_HZ, FIFTH_HZ = 1760, 2349
# this project's own tune: a frequency in Hz (0 for a rest) and how long in ms, in turn
TUNE = [587, 130, 740, 130, 880, 260, 0, 40, 740, 130, 880, 130, 1175, 260, 0, 40, 988, 130, 1109, 130, 1175, 130]
TUNE += [880, 130, 1175, 520]


class Sound:
    """Plays by time and never waits; `set_frequency(hz)` sets the piezo's pitch, 0 is silence."""

    def __init__(self, set_frequency: Callable[[int], None]) -> None:
        self._set_frequency = set_frequency
        self._tune = False
        self._over = False
        self._left = 0  # notes to come, the sounding one included
        self._at = 0  # how many notes there were before it
        self._lasts_ms = 0
        self._since = 0

    def happened(self, match: Match, event: tuple[int, ...], now: int) -> None:
        """Sound what an event has done: the tune for a win, ticks for points pegged."""
        over = match.winner >= 0
        if over and not self._over:
            self.win(now)
        elif event[0] in (PEG, HAND, NIBS, GO, MUGGINS):
            self.tick(event[2], now)
        self._over = over

    def tick(self, holes: int, now: int) -> None:
        """Tick so many times; more ticks join those under way, and a tune is not interrupted."""
        if holes <= 0 or (self._left and self._tune):
            return
        if self._left:
            self._left += 2 * holes
        else:
            self._tune = False
            self._begin(2 * holes, now)

    def win(self, now: int) -> None:
        """Play the tune, whatever sounds."""
        self._tune = True
        self._begin(len(TUNE) // 2, now)

    def step(self, now: int) -> None:
        """Let the next note sound when it is due."""
        while self._left and elapsed(now, self._since) >= self._lasts_ms:
            self._since += self._lasts_ms
            self._left -= 1
            self._at += 1
            self._sound()

    def _begin(self, notes: int, now: int) -> None:
        self._left, self._at, self._since = notes, 0, now
        self._sound()

    def _sound(self) -> None:
        hertz = 0
        if self._left and self._tune:
            hertz, self._lasts_ms = TUNE[2 * self._at], TUNE[2 * self._at + 1]
        elif self._left and self._at % 2:
            self._lasts_ms = GAP_MS
        elif self._left:
            hertz, self._lasts_ms = FIFTH_HZ if self._at % 10 == 8 else TICK_HZ, TICK_MS
        self._set_frequency(hertz)
