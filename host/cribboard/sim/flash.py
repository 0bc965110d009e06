"""The NVM of an RP2 chip as a model of its flash: what a write really does, and what a power cut leaves of it.

CircuitPython keeps microcontroller.nvm in one sector (ports/raspberrypi/common-hal/nvm/ByteArray.c). A write onto
bytes that are all 0xFF programs their pages, which can only clear bits; any other write erases the sector and programs
all its pages again, in ascending order, from a copy in RAM.
"""

from __future__ import annotations

import random
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import overload

SECTOR = 4096
PAGE = 256
BLANK = b"\xff" * SECTOR


class PowerCut(BaseException):
    """The power went in the middle of a write. Not an Exception: no firmware can catch its own end."""


@dataclass(frozen=True)
class Cut:
    """When the power goes: at the `at`-th byte that changes, counted from 0 over the whole life of the Flash.

    Without `chance` the bytes change in ascending order and the one at the cut gets half of its bits. With it the whole
    page (or the sector, in an erase) is left with any bits of its change done, as real cells may be. `ruins` is worse:
    the page that is programmed comes out with any number of its bytes damaged, old ones too.
    """

    at: int
    chance: random.Random | None = None
    ruins: bool = False


class Flash:
    """The bytes of microcontroller.nvm, with counts of what they went through.

    `memory` is changed in place. `keep(offset, data)` is called once for each erase and each page program with all that
    it left, before the next one begins. `cut` says when the power goes, `at_cut` runs just before PowerCut is raised.
    """

    def __init__(
        self,
        memory: bytearray | None = None,
        *,
        keep: Callable[[int, bytes], None] | None = None,
        cut: Cut | None = None,
        at_cut: Callable[[], None] | None = None,
    ) -> None:
        self.memory = bytearray(BLANK) if memory is None else memory
        if len(self.memory) != SECTOR:
            raise ValueError(f"the flash has {len(self.memory)} bytes; the NVM of a Pico has {SECTOR}")
        self.cut = cut
        self.erases = 0
        self.programs = 0
        self.changed = 0
        self.lock = threading.Lock()
        self._keep = keep
        self._at_cut = at_cut
        self._dead = False

    def __len__(self) -> int:
        return SECTOR

    def __bool__(self) -> bool:
        return True

    @overload
    def __getitem__(self, index: int) -> int: ...
    @overload
    def __getitem__(self, index: slice) -> bytearray: ...
    def __getitem__(self, index: int | slice) -> int | bytearray:
        if isinstance(index, slice):
            start, stop = _bounds(index)
            return self.memory[start:stop]
        return self.memory[index]

    def __setitem__(self, index: int | slice, value: int | bytes | bytearray | memoryview) -> None:
        if isinstance(index, slice):
            start, stop = _bounds(index)
            if not isinstance(value, (bytes, bytearray, memoryview)):
                raise NotImplementedError("array/bytes required on right side")
            if len(value) != stop - start:
                raise ValueError("Slice and value different lengths.")
            self.write(start, bytes(value))
            return
        if not isinstance(value, int) or not 0 <= value <= 255:
            raise ValueError("Bytes must be between 0 and 255.")
        position = range(SECTOR)[index]
        self.write(position, bytes((value,)))

    def write(self, start: int, data: bytes) -> None:
        """Write as CircuitPython does: program erased bytes, erase and rewrite the sector for anything else."""
        if not data:
            return
        with self.lock:
            wanted = bytearray(self.memory)
            wanted[start : start + len(data)] = data
            if self.memory[start : start + len(data)] == BLANK[: len(data)]:
                pages = range(start // PAGE * PAGE, start + len(data), PAGE)
            else:
                self._erase()
                pages = range(0, SECTOR, PAGE)
            for page in pages:
                self._program(page, bytes(wanted[page : page + PAGE]))

    def _erase(self) -> None:
        self.erases += 1
        self._become(0, BLANK)

    def _program(self, page: int, data: bytes) -> None:
        self.programs += 1
        self._become(page, bytes(old & new for old, new in zip(self.memory[page : page + PAGE], data, strict=True)))

    def _become(self, offset: int, target: bytes) -> None:
        """Change the bytes from `offset` on to `target`, or only some of their bits when the power goes first."""
        if self._dead:
            raise PowerCut("the power is off")
        before = self.memory[offset : offset + len(target)]
        # A cut is counted in bytes that change, so that each number is another state, in writes and erases alike.
        places = [i for i, (old, new) in enumerate(zip(before, target, strict=True)) if old != new]
        cut = self.cut
        left = len(places) if cut is None else cut.at - self.changed
        if cut is None or left >= len(places):
            self.changed += len(places)
            self._leave(offset, target)
            return
        torn = _torn(before, target, places, left, cut.chance)
        if cut.ruins and cut.chance and len(target) == PAGE:
            torn = _ruined(torn, cut.chance)
        self._leave(offset, torn)
        self._dead = True
        if self._at_cut is not None:
            self._at_cut()
        raise PowerCut(f"the power went at byte {offset + places[max(left, 0)]} of the flash")

    def _leave(self, offset: int, data: bytes) -> None:
        self.memory[offset : offset + len(data)] = data
        if self._keep is not None:
            self._keep(offset, data)


def _torn(before: bytearray, target: bytes, places: list[int], left: int, chance: random.Random | None) -> bytes:
    """The bytes when only some of the bits at `places` got as far as `target`."""
    torn = bytearray(before)
    for count, i in enumerate(places):
        if chance is not None:
            bits = chance.getrandbits(8)
        elif count < left:
            bits = 0xFF
        else:
            bits = 0x55 if count == left else 0  # the byte at the cut: half of its bits have changed
        torn[i] = before[i] ^ ((before[i] ^ target[i]) & bits)
    return bytes(torn)


def _ruined(page: bytes, chance: random.Random) -> bytes:
    """The page with all, half or a few of its bytes replaced by others, or with some of their bits cleared."""
    share = chance.choice([1, 0.5, 0.05])
    keeps = chance.choice([0, 0xFF])
    return bytes(chance.getrandbits(8) & (byte | ~keeps & 0xFF) if chance.random() < share else byte for byte in page)


def _bounds(index: slice) -> tuple[int, int]:
    start, stop, step = index.indices(SECTOR)
    if step != 1:
        raise NotImplementedError("only slices with step=1 (aka None) are supported")
    return start, max(start, stop)
