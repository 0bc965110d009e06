"""A flash in a file: one writer at a time, and never a state on the disk that a flash could not have."""

from __future__ import annotations

import errno
import os
import secrets
from collections.abc import Callable
from pathlib import Path

from cribboard.errors import CribboardError
from cribboard.files import read_file, write_errors, write_whole
from cribboard.sim.flash import BLANK, SECTOR, Flash
from cribboard.sim.registry import FlashTaken, SimError

UID_BYTES = 8  # an RP2040 gives the 64-bit number of its flash chip


class CardFlash(Flash):
    """A flash that the firmware can tell by its size from an RP2 chip's: half of it is missing."""

    def __len__(self) -> int:
        return 2 * SECTOR


class FlashFile:
    """An open, locked flash file. The lock is the descriptor's: it outlives an exec and ends with the process."""

    def __init__(self, path: Path, descriptor: int | None = None) -> None:
        self.path = path
        if descriptor is None:
            with write_errors(path):
                descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
            os.set_inheritable(descriptor, True)
        self.descriptor = descriptor
        try:
            self._lock()
            self.memory = self._read()
        except BaseException:
            os.close(descriptor)
            raise

    def flash(self, at_cut: Callable[[], None] | None = None, *, on_card: bool = False) -> Flash:
        """The model over this file: each erase and each page program is one pwrite.

        With `on_card` the file is all that keeps a real game: each write waits for the card, whose own ways with a
        power cut nobody knows, so that no promise about them is made.
        """
        if on_card:
            return CardFlash(self.memory, keep=self._keep_on_card, at_cut=at_cut)
        return Flash(self.memory, keep=self._keep, at_cut=at_cut)

    def uid(self) -> bytes:
        """The chip's own number: drawn once for a flash file, kept beside it."""
        beside = self.path.with_name(self.path.name + ".uid")
        try:
            uid = bytes.fromhex(read_file(beside).decode("ascii"))
        except FileNotFoundError:
            uid = secrets.token_bytes(UID_BYTES)
            write_whole(beside, uid.hex() + "\n")
        except ValueError as error:
            raise SimError(f"{beside} holds no chip number in hex", "delete it to draw a new one") from error
        if len(uid) != UID_BYTES:
            said = f"{beside} holds {len(uid)} bytes, a chip number has {UID_BYTES}"
            raise SimError(said, "delete it to draw a new one")
        return uid

    def close(self) -> None:
        """Give the file up."""
        os.close(self.descriptor)

    def _lock(self) -> None:
        import fcntl  # Windows has none, and no virtual board

        try:
            fcntl.flock(self.descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            said = f"another virtual board is running on the flash file {self.path}"
            raise FlashTaken(said, "stop that one and try again") from error

    def _read(self) -> bytearray:
        memory = bytearray(os.pread(self.descriptor, SECTOR + 1, 0))
        if not memory:
            try:
                self._keep(0, BLANK)
            except CribboardError:
                os.ftruncate(self.descriptor, 0)  # else what it has taken would be no flash file
                raise
            return bytearray(BLANK)
        if len(memory) != SECTOR:
            size = os.fstat(self.descriptor).st_size
            said = f"{self.path} has {size} bytes and is not a flash file of {SECTOR}"
            raise SimError(said, "move it away, or choose another file")
        return memory

    def _keep_on_card(self, offset: int, data: bytes) -> None:
        self._keep(offset, data)
        os.fsync(self.descriptor)

    def _keep(self, offset: int, data: bytes) -> None:
        with write_errors(self.path):
            written = os.pwrite(self.descriptor, data, offset)
            if written != len(data):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
