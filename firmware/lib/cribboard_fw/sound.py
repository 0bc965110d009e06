"""Sound for a piezo, so that the board can be played by ear: each side has a pitch of its own, and few words do.

Ticks are points, a long note the dealer; what rises comes, what falls goes; low is a press without effect. The firmware's
README says what each of them means. Every fifth note of a row is higher, which makes it easier to count.
"""

from __future__ import annotations

from cribboard_core.events import DEAL, GO, HAND, MUGGINS, NEW, NIBS, PEG, REDO, UNDO
from cribboard_core.match import Match
from cribboard_fw.clock import elapsed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Row = tuple[int, int, int, int]

PITCHES = (1175, 1760, 1480, 2349, 1319, 1976)  # of each place, in Hz
LOW_HZ, WAKE_HZ = 196, 880
TICK_MS, GAP_MS = 24, 46
# this project's own tune: a frequency in Hz (0 for a rest) and how long in ms, in turn
TUNE = [587, 130, 740, 130, 880, 260, 0, 40, 740, 130, 880, 130, 1175, 260, 0, 40, 988, 130, 1109, 130, 1175, 130]
TUNE += [880, 130, 1175, 520]
MOST_ROWS = 16  # that wait: a button that is hammered on is not heard for a minute
_SCORE, _NEWS, _TUNE = range(3)


class Sound:
    """Plays by time and never waits; `tone(hz, level)` sets the piezo, where 0 Hz is silence.

    What happens is heard one after the other, but cuts a score that is being beeped; a tune cuts all and is not cut.
    """

    def __init__(self, tone: Callable[[int, int], None], level: int) -> None:
        self._tone = tone
        self.level = level  # off, quiet, on
        self.now = 0
        self._over = False
        self._kind = _SCORE
        self._rows: list[Row] = []  # hertz, ms on, ms off, how often
        self._half = 0  # notes and gaps that the first row has played
        self._lasts_ms = 0
        self._since = 0

    def happened(self, match: Match, event: tuple[int, ...]) -> None:
        """Sound what an event has done."""
        kind, side = event[0], event[1]
        over = match.winner >= 0
        was, self._over = self._over, over
        if over and not was:
            self.win()
        elif kind in (UNDO, REDO):
            self._kind = _SCORE  # a tune whose win is taken back ends
            found = match.next() if kind == UNDO else match.last()
            if found and kind == UNDO:
                self.goes(found[0][1])
            elif found:
                self.comes(found[0][1])
        elif kind == NEW:
            self.comes(side)
            self.deals(side)
        elif kind == DEAL:
            self.deals(side)
        elif kind in (PEG, HAND, NIBS, GO, MUGGINS):
            self.ticks(side, event[2])

    def ticks(self, side: int, holes: int) -> None:
        """A tick for each hole."""
        if holes > 0:
            self._play(_NEWS, [(PITCHES[side], TICK_MS, GAP_MS, holes)])

    def pressed(self, side: int, points: int) -> None:
        """Points that a button has added to those that wait; none: the press had no effect."""
        if points == 5:
            self._play(_NEWS, [(PITCHES[side] * 4 // 3, TICK_MS, GAP_MS, 1)])
        elif points:
            self.ticks(side, points)
        else:
            self.refused()

    def taken(self, side: int) -> None:
        """A press of a side's is taken back; of no side's (-1): there was none."""
        if side < 0:
            self.refused()
        else:
            self._play(_NEWS, [(PITCHES[side] * 2 // 3, 40, 30, 1)])

    def refused(self) -> None:
        """A press without effect."""
        self._play(_NEWS, [(LOW_HZ, 90, 40, 1)])

    def comes(self, place: int) -> None:
        """Something of a place comes, or comes back."""
        self._play(_NEWS, [(PITCHES[place], 80, 10, 1), (PITCHES[place] * 3 // 2, 120, 60, 1)])

    def goes(self, place: int) -> None:
        """Something of a place goes."""
        self._play(_NEWS, [(PITCHES[place] * 3 // 2, 80, 10, 1), (PITCHES[place], 120, 60, 1)])

    def deals(self, place: int) -> None:
        """A place has the deal, and its side the crib."""
        self._play(_NEWS, [(PITCHES[place], 450, 80, 1)])

    def beeps(self, place: int, times: int) -> None:
        """A number to be counted."""
        self._play(_NEWS, [(PITCHES[place], 120, 90, times)])

    def woke(self) -> None:
        """The press has only lit a dark board up."""
        self._play(_NEWS, [(WAKE_HZ // 2, 80, 10, 1), (WAKE_HZ, 80, 60, 1)])

    def score(self, match: Match, side: int) -> None:
        """Beep a side's score: tens, then higher the ones, for a zero one low note; last a long one with the crib."""
        score = match.front(side)
        rows = [_digit(PITCHES[side], score // 10), (0, 350, 0, 1), _digit(PITCHES[side] * 3 // 2, score % 10)]
        if match.crib_side == side:
            rows += [(0, 250, 0, 1), (PITCHES[side], 450, 80, 1)]
        self._play(_SCORE, rows)

    def win(self) -> None:
        """Play the tune, whatever sounds."""
        self._play(_TUNE, [(TUNE[at], TUNE[at + 1], 0, 1) for at in range(0, len(TUNE), 2)])

    def stop(self) -> None:
        """Be silent."""
        self._rows = []
        self._tone(0, self.level)

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

    def _play(self, kind: int, rows: list[Row]) -> None:
        playing = self._kind if self._rows else _SCORE
        if not self.level or (playing == _TUNE and kind < _TUNE) or len(self._rows) >= MOST_ROWS:
            return
        begins = not self._rows or kind > playing or kind == _TUNE
        self._rows = rows if begins else self._rows + rows
        self._kind = kind
        if begins:
            self._half, self._since = 0, self.now
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


def _digit(hertz: int, digit: int) -> Row:
    return (hertz, 120, 130, digit) if digit else (hertz // 4, 400, 80, 1)
