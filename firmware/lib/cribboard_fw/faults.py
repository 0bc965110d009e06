"""Faults in a row are remembered over resets, so that a board that cannot run stops instead of restarting for ever.

A reset loses the RAM, so each fault is marked in the four bytes that the journal leaves free in each page of the flash.
A mark goes onto an erased byte, from the last page on; the journal's own erase clears them all.
"""

from __future__ import annotations

PAGE = 256
FREE = 4
FAULT = 0x46
WELL = 0x57
MOST_IN_A_ROW = 3
WELL_AFTER_MS = 60_000


class TooManyFaults(Exception):
    """The program has failed three times in a row; code.py shows it with so many red lights of ten."""

    of_ten = 2

    def __init__(self) -> None:
        super().__init__("three faults in a row; cut the power and switch it on again")


class Faults:
    """The marks in `nvm`: how many faults there were since the board last ran well."""

    def __init__(self, nvm: bytearray) -> None:
        self._nvm = nvm
        self._marks = min(len(nvm), 4096) // PAGE * FREE
        self.in_a_row = 0
        for mark in range(self._next()):
            self.in_a_row = self.in_a_row + 1 if nvm[self._at(mark)] == FAULT else 0

    @property
    def too_many(self) -> bool:
        """Whether the board shall stop."""
        return self.in_a_row >= MOST_IN_A_ROW

    def fault(self) -> None:
        """Mark a fault."""
        self._mark(FAULT)
        self.in_a_row += 1

    def well(self) -> None:
        """Mark that the board runs well, if there were faults before."""
        if self.in_a_row:
            self._mark(WELL)
            self.in_a_row = 0

    def _mark(self, mark: int) -> None:
        free = self._next()
        if free < self._marks:
            at = self._at(free)
            self._nvm[at : at + 1] = bytes([mark])

    def _next(self) -> int:
        """The mark behind the last one; looked for each time, since the journal may have erased them all."""
        mark = self._marks
        while mark and self._nvm[self._at(mark - 1)] == 0xFF:
            mark -= 1
        return mark

    def _at(self, mark: int) -> int:
        return (self._marks - 1 - mark) // FREE * PAGE + PAGE - FREE + mark % FREE
