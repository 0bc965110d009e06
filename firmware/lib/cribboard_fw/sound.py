"""What is heard, so that the board can be played by ear: each side has a pitch of its own, and a few sounds say all.

Ticks are points, a long note is the dealer; what rises comes, what falls goes; low is a press without effect.
"""

from __future__ import annotations

from cribboard_core.events import DEAL, NEW, REDO, SCORES, UNDO
from cribboard_fw.piezo import NEWS, SCORE, TUNE, Piezo

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from cribboard_core.match import Match

PITCHES = (1175, 1760, 1480, 2349, 1319, 1976)  # of each place, in Hz
LOW_HZ = 196
TICK_MS, GAP_MS, DEALER_MS = 24, 46, 450
# this project's own tune: a frequency in Hz (0 for a rest) and how long in ms, in turn
NOTES = (
    587, 130, 740, 130, 880, 260, 0, 40, 740, 130, 880, 130, 1175, 260, 0, 40, 988, 130, 1109, 130, 1175, 130,
    880, 130, 1175, 520,
)  # fmt: skip


class Sound(Piezo):
    """A piezo that knows what the board does."""

    def __init__(self, tone: Callable[[int, int], None], level: int) -> None:
        super().__init__(tone, level)
        self._over = False

    def happened(self, match: Match, event: tuple[int, ...]) -> None:
        """Sound what an event has done."""
        kind, side = event[0], event[1]
        was, self._over = self._over, match.winner >= 0
        if self._over and not was:
            self.play(TUNE, [(NOTES[at], NOTES[at + 1], 0, 1) for at in range(0, len(NOTES), 2)])
        elif kind in (UNDO, REDO):
            self.kind = SCORE  # so that it cuts the tune of a win that is taken back
            entry = match.next() if kind == UNDO else match.last()
            if entry:
                self.moves(entry[0][1], kind == REDO)
        elif kind == NEW:
            self.moves(side, True)
            self.beeps(side, 0)
        elif kind == DEAL:
            self.beeps(side, 0)
        elif kind in SCORES:
            self.ticks(side, event[2])

    def ticks(self, side: int, holes: int) -> None:
        """A tick for each hole."""
        if holes:
            self.play(NEWS, [(PITCHES[side], TICK_MS, GAP_MS, holes)])

    def pressed(self, side: int, points: int) -> None:
        """Points that a press has added to those that wait, five of them at once; or none."""
        if not points:
            self.refused()
        elif points == 5:
            self.play(NEWS, [(PITCHES[side] * 4 // 3, TICK_MS, GAP_MS, 1)])
        else:
            self.ticks(side, points)

    def taken(self, side: int) -> None:
        """A press that is taken back, or none (side -1)."""
        if side < 0:
            self.refused()
        else:
            self.play(NEWS, [(PITCHES[side] * 2 // 3, 2 * TICK_MS, GAP_MS, 1)])

    def refused(self) -> None:
        """A press without effect."""
        self.play(NEWS, [(LOW_HZ, 90, 40, 1)])

    def moves(self, place: int, comes: bool) -> None:
        """Something of a place comes, or goes."""
        low = PITCHES[place]
        high = low * 3 // 2
        self.play(NEWS, [(low if comes else high, 80, 10, 1), (high if comes else low, 120, 60, 1)])

    def beeps(self, place: int, times: int) -> None:
        """A number to be counted; none is the long note of who deals, and so has the crib."""
        self.play(NEWS, [(PITCHES[place], 120, 90, times) if times else (PITCHES[place], DEALER_MS, 90, 1)])

    def score(self, match: Match, side: int) -> None:
        """Beep a side's score: tens, then higher the ones, one low note for a zero; then a long one for the crib."""
        score, pitch = match.front(side), PITCHES[side]
        rows = [_digit(pitch, score // 10), (0, 350, 0, 1), _digit(pitch * 3 // 2, score % 10)]
        if match.crib_side == side:
            rows += [(0, 250, 0, 1), (pitch, DEALER_MS, 90, 1)]
        self.play(SCORE, rows)


def _digit(hertz: int, digit: int) -> tuple[int, int, int, int]:
    return (hertz, 120, 130, digit) if digit else (hertz // 4, 400, 80, 1)
