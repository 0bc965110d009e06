"""What the flash keeps beside the journal, in the four bytes that are left of each page: faults, and what was chosen.

A firmware that has failed three times in a row marks that it has given up, until somebody cuts the power; meanwhile
code.py starts the one before it, if the drive has one, against which these faults do not count.

A mark goes onto an erased byte, from the last page on; the journal's own erase clears them all. The four bytes of a
page can hold a choice instead, each value with its complement behind it: a cut only leaves bits set, so a torn one is
no choice.

The last change of brightness, sound and time to commit wins: that at the board or from a host until settings.toml says
something else. A choice is either a step of brightness | sound << 3, and the settings' brightness; or more than 100,
which is a time to commit and the settings' time. Firmware that knows no such time takes it for the same sound.
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
SILENT = 3  # in place of a sound: off until one is chosen or the power goes; nothing is kept
MOST_COMMIT_S = 10
UNCHOSEN = 11  # what settings.toml says counts, which is up to MOST_S
MOST_S = 60
TIMES = 101  # the first of the numbers that are no brightness


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
    """What was chosen last, over the brightness and the time to commit of settings.toml; the sound is on at first."""

    def __init__(self, nvm: bytearray, brightness: int, commit_s: int) -> None:
        self._nvm = nvm
        self._settings = (brightness, commit_s)
        self._marks = [-1, -1]  # where a step with a sound, and a time, were read or written last; -1 is nowhere
        self.kept = True  # it outlasts the power
        self.forget()
        for mark in range(0, used(nvm), FREE):
            saved = four(nvm, mark)
            if is_choice(saved):
                low, said = saved[0] & 7, saved[2]
                self.sound = saved[0] >> 3
                if said < TIMES:
                    self._marks[0] = mark
                    self._step = low if said == brightness else 0
                else:
                    self._marks[1] = mark
                    chosen, then = divmod(low * (256 - TIMES) + said - TIMES, MOST_S + 1)
                    self.commit_s = chosen if then == commit_s and chosen != UNCHOSEN else commit_s

    def forget(self) -> None:
        """Let settings.toml count again."""
        self._step = 0  # of STEPS from 1; 0 is what settings.toml says
        self.sound = ON
        self.commit_s = self._settings[1]  # after so long points from buttons are pegged without OK; 0 waits for OK

    @property
    def brightness(self) -> int:
        """In percent."""
        return STEPS[self._step - 1] if self._step else self._settings[0]

    @property
    def step(self) -> int:
        """How many of the four steps the brightness has reached."""
        return len([step for step in STEPS if step <= self.brightness])

    def brighter(self) -> None:
        """Take the next step of brightness; after the brightest comes the darkest."""
        self._step = self.step % len(STEPS) + 1

    def louder(self) -> None:
        """Take the next of off, quiet and on, and round again."""
        self.sound = (self.sound + 1) % 3

    def choose(self, brightness: int, sound: int, commit_s: int) -> None:
        """Take one of STEPS in percent, a sound, and seconds up to MOST_COMMIT_S; -1 leaves what there is."""
        if brightness >= 0:
            self._step = STEPS.index(brightness) + 1
        if sound >= 0:
            self.sound = sound
        if commit_s >= 0:
            self.commit_s = commit_s

    def keep(self) -> None:
        """Write down what is not; with all marks used it is not `kept` until the journal's erase."""
        brightness, commit_s = self._settings
        chosen = UNCHOSEN if self.commit_s == commit_s else self.commit_s
        high, low = divmod(chosen * (MOST_S + 1) + commit_s, 256 - TIMES)
        kept = self._write(0, self._step, brightness, self._step > 0 or self.sound != ON)
        self.kept = self._write(1, high, TIMES + low, chosen != UNCHOSEN) and kept

    def _write(self, item: int, first: int, said: int, chosen: bool) -> bool:
        """Write down an item, not a time when only the sound is another; returns whether it stands."""
        nvm = self._nvm
        first |= self.sound << 3
        mark = self._marks[item]
        saved = four(nvm, mark)
        if mark < 0 and not chosen:
            return True
        if mark >= 0 and saved[2] == said and not (saved[0] ^ first) & (7 if item else 0xFF):
            return True
        free = used(nvm) + FREE - 1
        free -= free % FREE
        if free >= most(nvm) - FREE:  # the page that a journal begins with is not written again
            return False
        nvm[at(nvm, free) : at(nvm, free) + FREE] = bytes([first, first ^ 0xFF, said, said ^ 0xFF])
        self._marks[item] = free
        return True


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
    """Whether a page's four marks are a choice: two numbers, each with its complement behind it."""
    whole = marks[0] ^ marks[1] == 0xFF and marks[2] ^ marks[3] == 0xFF
    return whole and marks[0] & 7 <= 4 and marks[0] >> 3 <= 2
