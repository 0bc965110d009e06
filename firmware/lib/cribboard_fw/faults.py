"""Faults in a row are remembered over resets, so that a board that cannot run stops instead of restarting for ever.

A reset loses the RAM, so each fault is marked in the four bytes that the journal leaves free in each page of the flash.
A mark goes onto an erased byte, from the last page on; the journal's own erase clears them all. The four bytes of a
page can hold a choice instead (see `choice`), which has each value with its complement behind it: a cut only leaves
bits set, so a torn one is no choice.
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
        self.in_a_row = 0
        for mark in range(used(nvm)):
            byte = nvm[at(nvm, mark)]
            if byte != 0xFF and not is_choice(four(nvm, mark)):  # a page that a choice has passed over is not full
                self.in_a_row = self.in_a_row + 1 if byte == FAULT else 0

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
        free = used(self._nvm)
        if free < most(self._nvm):
            first = at(self._nvm, free)
            self._nvm[first : first + 1] = bytes([mark])


def most(nvm: bytearray) -> int:
    """How many marks there can be."""
    return min(len(nvm), 4096) // PAGE * FREE


def used(nvm: bytearray) -> int:
    """The mark behind the last one; looked for each time, since the journal may have erased them all."""
    mark = most(nvm)
    while mark and four(nvm, mark - 1) == b"\xff\xff\xff\xff":
        mark -= FREE
    while mark and nvm[at(nvm, mark - 1)] == 0xFF:
        mark -= 1
    return mark


def at(nvm: bytearray, mark: int) -> int:
    """Where a mark is in the flash."""
    return (most(nvm) - 1 - mark) // FREE * PAGE + PAGE - FREE + mark % FREE


def four(nvm: bytearray, mark: int) -> bytes:
    """The four marks that share a page with this one."""
    first = at(nvm, mark - mark % FREE)
    return bytes(nvm[first : first + FREE])


def is_choice(marks: bytes) -> bool:
    """Whether a page's four marks are a choice: a step of brightness and a sound, then the settings' brightness."""
    whole = marks[0] ^ marks[1] == 0xFF and marks[2] ^ marks[3] == 0xFF
    return whole and marks[0] & 7 <= 4 and marks[0] >> 3 <= 2
