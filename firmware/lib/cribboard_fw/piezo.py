"""A piezo plays rows of notes by time, one after the other; every fifth note of a row is higher, which helps to count."""

from __future__ import annotations

from cribboard_fw.clock import elapsed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Row = tuple[int, int, int, int]

MOST_ROWS = 16  # that wait: a button that is hammered on is not heard for a minute
SCORE, NEWS, TUNE = range(3)


class Piezo:
    """Plays and never waits; `tone(hz, level)` sets the piezo, where 0 Hz is silence. A row is (Hz, ms on, ms off, times).

    NEWS are heard in turn, but cut a SCORE that is being beeped; a TUNE cuts all and is not cut.
    """

    def __init__(self, tone: Callable[[int, int], None], level: int) -> None:
        self._tone = tone
        self.level = level  # off, quiet, on
        self.now = 0
        self.kind = SCORE  # of what sounds
        self._rows: list[Row] = []
        self._half = 0  # notes and gaps that the first row has played
        self._lasts_ms = 0
        self._since = 0

    def turn(self, level: int) -> None:
        """Sound at another level from now on."""
        self._rows = []
        self._tone(0, level)
        self.level = level

    def play(self, kind: int, rows: list[Row]) -> None:
        """Play these rows, now or when what sounds is over."""
        playing = self.kind if self._rows else SCORE
        if not self.level or (playing == TUNE and kind < TUNE) or len(self._rows) >= MOST_ROWS:
            return
        begins = not self._rows or kind > playing or kind == TUNE
        self._rows = rows if begins else self._rows + rows
        self.kind = kind
        if begins:
            self._half, self._since = 0, self.now
            self._sound()

    def step(self, now: int) -> None:
        """Let the next note sound when it is due."""
        self.now = now
        while self._rows and elapsed(now, self._since) >= self._lasts_ms:
            self._since += self._lasts_ms
            off_ms, times = self._rows[0][2:]
            self._half += 1 if off_ms else 2
            if self._half >= 2 * times:
                self._half = 0
                self._rows.pop(0)
            self._sound()

    def _sound(self) -> None:
        hertz = 0
        if self._rows:
            hertz, on_ms, off_ms, _ = self._rows[0]
            if self._half % 2:
                self._lasts_ms, hertz = off_ms, 0
            else:
                self._lasts_ms = on_ms
                if self._half % 10 == 8:
                    hertz = hertz * 4 // 3
        self._tone(hertz, self.level)
