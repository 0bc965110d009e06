"""What the flash keeps beside the journal, in the four bytes that are left of each page: faults, and what was chosen.

Faults in a row are remembered over resets, so that a firmware that cannot run stops instead of restarting for ever. A
firmware that has failed three times marks that it has given up. It stays so until somebody cuts the power; meanwhile
code.py starts the one before it, if the drive has one. These faults do not count against that one.

A mark goes onto an erased byte, from the last page on; the journal's own erase clears them all. The four bytes of a
page can hold a choice instead, which has each value with its complement behind it: a cut only leaves bits set, so a
torn one is no choice.

The brightness and the sound that people have chosen at the board outlast the power. What settings.toml says counts
until then, and again once its BRIGHTNESS is another than when the brightness was chosen: the last change wins.
"""

from __future__ import annotations

PAGE = 256
FREE = 4
FAULT = 0x46
BITTEN = 0x53  # the watchdog has restarted the board after the fault before it
WELL = 0x57
GIVEN_UP = 0x80  # plus the number of the firmware
MOST_IN_A_ROW = 3
WELL_AFTER_MS = 60_000
STEPS = (10, 30, 60, 100)  # in percent
OFF, QUIET, ON = range(3)


class TooManyFaults(Exception):
    """The program has failed three times in a row; code.py shows it with so many red lights of ten."""

    of_ten = 2

    def __init__(self) -> None:
        super().__init__("three faults in a row; cut the power and switch it on again")


class Faults:
    """The marks in `nvm`: how many faults there were since the board last ran well, and whether it has given up.

    `folder` is that of the firmware: firmware.001 and so on after an update.
    """

    def __init__(self, nvm: bytearray, folder: str = "") -> None:
        self._nvm = nvm
        self._own = GIVEN_UP + (int(folder[9:]) % 100 if folder[:9] == "firmware." else 0)
        self._last = 0
        self.in_a_row = 0
        self.given_up = False
        for mark in range(used(nvm)):
            byte = nvm[at(nvm, mark)]
            if byte != 0xFF and not is_choice(four(nvm, mark)):  # a page that a choice has passed over is not full
                self._read(byte)

    def _read(self, byte: int) -> None:
        self._last = byte
        if byte == FAULT:
            self.in_a_row += 1
        elif byte != BITTEN:
            self.in_a_row = 0
            self.given_up = byte == self._own or (self.given_up and byte != WELL)

    def gives_up(self) -> bool:
        """Whether this firmware shall not run, which is marked and lasts until somebody cuts the power."""
        if self.in_a_row >= MOST_IN_A_ROW and not self.given_up:
            self._mark(self._own)
        return self.given_up

    def fault(self) -> None:
        """Mark a fault."""
        self._mark(FAULT)

    def bitten(self) -> None:
        """Mark that the watchdog has restarted the board: after a fault that is marked, or because the program hung."""
        if not self.given_up:
            if self._last < GIVEN_UP and self._last != FAULT:  # else that was a newer firmware, which has just given up
                self._mark(FAULT)
            self._mark(BITTEN)

    def well(self) -> None:
        """Mark that the board runs well, if there were faults before."""
        if self.in_a_row or self.given_up:
            self._mark(WELL)

    def _mark(self, mark: int) -> None:
        self._read(mark)
        free = used(self._nvm)
        if free < most(self._nvm):
            first = at(self._nvm, free)
            self._nvm[first : first + 1] = bytes([mark])


class Choice:
    """What was chosen last, over the brightness of settings.toml and the sound that there is without a choice."""

    def __init__(self, nvm: bytearray, brightness: int, sound: int) -> None:
        self._nvm = nvm
        self._settings = brightness
        self._step = 0  # of STEPS from 1; 0 is what settings.toml says
        self.sound = sound
        self._mark = -1  # where the choice was read or written last; -1 when there is none
        for mark in range(0, used(nvm), FREE):
            found = four(nvm, mark)
            if is_choice(found):
                self._mark = mark
                self._step = found[0] & 7 if found[2] == brightness else 0
                self.sound = found[0] >> 3

    @property
    def brightness(self) -> int:
        """In percent."""
        return STEPS[self._step - 1] if self._step else self._settings

    @property
    def step(self) -> int:
        """How many of the four steps the brightness has reached."""
        return len([step for step in STEPS if step <= self.brightness])

    def brighter(self) -> None:
        """Take the next step of brightness; after the brightest comes the darkest."""
        self._step = self.step % len(STEPS) + 1
        self._mark = max(0, self._mark)

    def louder(self) -> None:
        """Take the next of off, quiet and on, and round again."""
        self.sound = (self.sound + 1) % 3
        self._mark = max(0, self._mark)

    def keep(self) -> None:
        """Write the choice down unless it stands; when all marks are used it is forgotten when the power goes."""
        first = self._step | self.sound << 3
        record = bytes([first, first ^ 0xFF, self._settings, self._settings ^ 0xFF])
        nvm = self._nvm
        if self._mark < 0 or four(nvm, self._mark) == record:
            return
        free = used(nvm) + FREE - 1
        free -= free % FREE
        if free < most(nvm) - FREE:  # the page that a journal begins with is not written again
            nvm[at(nvm, free) : at(nvm, free) + FREE] = record
            self._mark = free


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
