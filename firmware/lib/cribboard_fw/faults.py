"""Faults in a row are remembered over resets, so that a board that cannot run stops instead of restarting for ever.

A reset loses the RAM, so each fault is marked in the four bytes that the journal leaves free in each page of the flash.
A mark goes onto an erased byte, which erases nothing; the journal's own erase clears them all.
"""

from __future__ import annotations

PAGE = 256
FREE = 4
FAULT = 0x46
WELL = 0x57
MOST_IN_A_ROW = 3
WELL_AFTER_MS = 60_000


class Faults:
    """The marks in `nvm`: how many faults there were since the board last ran well."""

    def __init__(self, nvm: bytearray) -> None:
        self._nvm = nvm
        self._marks = min(len(nvm), 4096) // PAGE * FREE
        self._next = 0
        self.in_a_row = 0
        while self._next < self._marks and nvm[self._at(self._next)] != 0xFF:
            self.in_a_row = self.in_a_row + 1 if nvm[self._at(self._next)] == FAULT else 0
            self._next += 1

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
        if self._next < self._marks:
            at = self._at(self._next)
            self._nvm[at : at + 1] = bytes([mark])
            self._next += 1

    def _at(self, mark: int) -> int:
        return mark // FREE * PAGE + PAGE - FREE + mark % FREE
