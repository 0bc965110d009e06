"""A drive's image under ChaN's FatFs, the file system that CircuitPython itself has, as a disk for the installer.

The drive can be pulled out before any of the sectors that FatFs writes; what was written until then stays.
"""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from fatfs import Partition, PartitionExtended
from fatfs.diskio import Disk as Medium
from fatfs.wrapper import FatFSException
from pico.drive import CLUSTERS, FIRST_CLUSTER, SECTOR, SECTORS


class Sectors(Medium):
    """The sectors of an image; `left` of them can still be written. FatFs is not told: a computer's cache is not."""

    def __init__(self, image: bytes) -> None:
        super().__init__()
        self.image = bytearray(image)
        self.left = 1 << 30
        self.written = 0

    def ioctl_get_sector_count(self) -> int:
        return SECTORS

    def ioctl_get_sector_size(self) -> int:
        return SECTOR

    def ioctl_get_block_size(self) -> int:
        return 1

    def read(self, sector: int, count: int) -> bytes:
        at = sector * SECTOR
        return bytes(self.image[at : at + count])

    def write(self, sector: int, count: int, buff: bytes) -> None:
        for begin in range(0, count, SECTOR):
            if self.written == self.left:
                return
            self.written += 1
            at = sector * SECTOR + begin
            self.image[at : at + SECTOR] = buff[begin : begin + SECTOR]


class ImageDisk:
    """The installer's disk over an image; an operation that writes behind the pulled plug fails as a real one does."""

    name = "CIRCUITPY.img"
    cluster = SECTOR

    def __init__(self, image: bytes, pulled_after: int = 1 << 30) -> None:
        self.sectors = Sectors(image)
        self.sectors.left = pulled_after
        self._partition = Partition(self.sectors)
        self._partition.mount()
        self._files = PartitionExtended(self._partition)

    def close(self) -> None:
        self._partition.unmount()

    @property
    def image(self) -> bytes:
        return bytes(self.sectors.image)

    def read(self, path: str) -> bytes | None:
        with self._plugged():
            return bytes(self._files.read_file(f"/{path}")) if self._files.isfile(f"/{path}") else None

    def write(self, path: str, data: bytes) -> None:
        with self._plugged():
            folder = path.rpartition("/")[0]
            self._files.makedirs(f"/{folder}", exist_ok=True)
            with suppress(FatFSException):  # the folder itself does not fit
                self._files.write_file(f"/{path}", data)
        if not self._files.isfile(f"/{path}") or self._files.stat(f"/{path}")["size"] != len(data):
            raise OSError(errno.ENOSPC, "full")  # FatFs writes what fits

    def remove(self, path: str) -> None:
        with self._plugged():
            self._files.remove(f"/{path}")

    def rename(self, path: str, to: str) -> None:
        with self._plugged():
            self._files.rename(f"/{path}", f"/{to}")

    def names(self, folder: str) -> list[str]:
        with self._plugged():
            return sorted(self._files.listdir(f"/{folder}")) if not folder or self.is_folder(folder) else []

    def is_folder(self, path: str) -> bool:
        return self._files.isdir(f"/{path}")

    def free(self) -> int:
        table = self.sectors.image[SECTOR : SECTOR + (CLUSTERS + FIRST_CLUSTER) * 2]
        free = 0
        for cluster in range(FIRST_CLUSTER, CLUSTERS + FIRST_CLUSTER):
            pair = int.from_bytes(table[cluster * 3 // 2 :][:2], "little")
            free += (pair >> 4 if cluster % 2 else pair & 0xFFF) == 0
        return free * SECTOR

    @contextmanager
    def _plugged(self) -> Iterator[None]:
        try:
            yield
        finally:
            if self.sectors.written == self.sectors.left:
                raise OSError(errno.EIO, "pulled out")
