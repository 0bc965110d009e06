"""A text that can be written on a full disk too: a file of two slots, each as large as half of it, written by turns.

The room is taken when the file is made. After that nothing grows: a text goes over the older slot, in place. A power
cut or a kill in the middle of it leaves that slot torn and the newer one as it was; the newest whole slot counts.
"""

from __future__ import annotations

import errno
import os
import re
import threading
from codecs import BOM_UTF8 as BOM
from pathlib import Path
from typing import BinaryIO, NamedTuple
from zlib import crc32

from cribboard.errors import CribboardError
from cribboard.files import MOST_BYTES, atomic_write, opened, sync_data, write_errors

BLOCK = 4096  # of a disk: the slots share none, so that nothing of one is lost with the other
HEAD = re.compile(rb"([0-9a-f]{16}) ([0-9a-f]{8}) ([0-9a-f]{8})\n")  # number, bytes of the text, checksum
HEAD_BYTES = 35
FILLER = b" "


class Slot(NamedTuple):
    """A whole slot."""

    number: int  # of the write, which goes up by one
    text: bytes


NOTHING = Slot(-1, b"")


class Slots:
    """The file at `path`; `room` is how many bytes a text may have before the file must be made again, larger.

    Several programs may read it, one at a time may write. `unwritten` is why the newest text is not in the file.
    """

    def __init__(self, path: Path, room: int) -> None:
        self.path = path
        self.unwritten: CribboardError | None = None
        self._room = room
        self._heads: bytes | None = None  # when the file was read or written last, and was whole
        self._at = 0  # the newer slot
        self._newest = NOTHING
        self._kept: str | None = None  # what `keep` could not write
        self._lock = threading.RLock()

    def read(self) -> str | None:
        """The newest text, None without a file; of one without a whole slot an empty one. Raises CribboardError."""
        try:
            with opened(self.path) as file:
                return self._look(file).text.decode("utf-8", "replace")
        except FileNotFoundError:
            return None
        except OSError as error:
            raise CribboardError(
                f"{self.path} cannot be read ({error.strerror or error})", "give yourself permission to read it"
            ) from error

    def has_changed(self) -> bool:
        """Whether somebody else has written since this program read or wrote last; raises OSError."""
        if self.unwritten is not None:
            return False  # what is here is newer
        with opened(self.path) as file:
            return self._heads is None or _heads(file) != self._heads

    def write(self, text: str, *, wipe: bool = False) -> None:
        """Put the text on the disk; when this returns no power cut can lose it. With `wipe` nothing older stays.

        Raises CribboardError when that fails; then the older text still counts.
        """
        data = text.encode()
        with self._lock, write_errors(self.path):
            if not self._put(data, wipe=wipe):
                self._make(data)
            self.unwritten = self._kept = None

    def keep(self, text: str, *, wipe: bool = False) -> None:
        """Write the text if the disk takes it; else `unwritten` says why it does not, until it does."""
        with self._lock:
            try:
                self.write(text, wipe=wipe)
            except CribboardError as error:
                self.unwritten, self._kept = error, text

    def keep_again(self) -> None:
        """Write what could not be written, if there is anything; it wipes, for that may have been asked for."""
        with self._lock:
            if self._kept is not None:
                self.keep(self._kept, wipe=True)

    def _put(self, data: bytes, *, wipe: bool) -> bool:
        """Write in place; False if there is no such file with room for the text."""
        try:
            file = self.path.open("rb+", buffering=0)
        except FileNotFoundError:
            return False
        with file:
            heads = _heads(file)
            if heads != self._heads:
                self._look(file)
            size = file.seek(0, os.SEEK_END) // 2
            whole = self._newest is not NOTHING and not size % BLOCK  # else an editor has put its mark before the slots
            if not whole or HEAD_BYTES + len(data) > size:
                return False
            # Both slots, or the older one would keep what is to be gone.
            for _ in range(2 if wipe else 1):
                slot = Slot(self._newest.number + 1, data)
                # Nothing is known of the file until the write is whole: if it fails, the next one looks at it again.
                at, self._heads = 1 - self._at, None
                _write(file, at * size, _framed(slot).ljust(size if wipe else 0, FILLER))
                sync_data(file.fileno())
                self._at, self._newest, self._heads = at, slot, _heads(file)
        return True

    def _make(self, data: bytes) -> None:
        needed = HEAD_BYTES + len(data)
        size = self._room if needed <= self._room else 2 * needed
        size = -(-size // BLOCK) * BLOCK
        slot = Slot(self._newest.number + 1, data)
        with atomic_write(self.path) as fresh:
            fresh.write_bytes(_framed(slot).ljust(2 * size, FILLER))
        self._heads, self._at, self._newest = None, 0, slot
        with self.path.open("rb") as file:
            self._heads = _heads(file)

    def _look(self, file: BinaryIO) -> Slot:
        """Find the newest slot."""
        file.seek(0)
        data = file.read(MOST_BYTES).removeprefix(BOM)
        slots = _slots(data)
        self._newest = max(slots, key=lambda slot: slot.number)
        self._at = slots.index(self._newest)
        used = [not half.startswith(FILLER) for half in _halves(data)]
        torn = any(use and slot is NOTHING for use, slot in zip(used, slots, strict=True))
        self._heads = None if torn else _heads(file)  # a torn one may be on its way: it is looked at again
        return self._newest


def newest(data: bytes) -> str:
    """The text that counts in the bytes of a file; empty for none."""
    return max(_slots(data.removeprefix(BOM)), key=lambda slot: slot.number).text.decode()


def _halves(data: bytes) -> list[bytes]:
    half = len(data) // 2
    return [data[:half], data[half:]]


def _slots(data: bytes) -> list[Slot]:
    return [_slot(half) for half in _halves(data)]


def _slot(data: bytes) -> Slot:
    """The slot at the beginning of these bytes; NOTHING if it is not whole."""
    head = HEAD.match(data)
    if head is None:
        return NOTHING
    number, length, _ = (int(part, 16) for part in head.groups())
    slot = Slot(number, data[HEAD_BYTES : HEAD_BYTES + length])
    return slot if data.startswith(_framed(slot)) else NOTHING


def _framed(slot: Slot) -> bytes:
    head = b"%016x %08x " % (slot.number, len(slot.text))
    return b"%s%08x\n%s" % (head, crc32(slot.text, crc32(head)), slot.text)


def _heads(file: BinaryIO) -> bytes:
    """The beginnings of both slots: each write changes one."""
    half = file.seek(0, os.SEEK_END) // 2
    heads = b""
    for at in (0, half):
        file.seek(at)
        heads += file.read(HEAD_BYTES)
    return heads


def _write(file: BinaryIO, at: int, data: bytes) -> None:
    file.seek(at)
    if file.write(data) != len(data):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
