"""The brightness and the sound that people have chosen at the board; both outlast the power.

What settings.toml says counts until then, and again once its BRIGHTNESS is another than when the brightness was chosen:
the last change wins. Each choice takes the free bytes of a page that `faults` uses for its marks.
"""

from __future__ import annotations

from cribboard_fw.faults import FREE, at, four, is_choice, most, used

STEPS = (10, 30, 60, 100)  # in percent
OFF, QUIET, ON = range(3)


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
