"""A CIRCUITPY drive as one image, made from files the way CircuitPython itself formats the Pico's megabyte.

FAT12 with a cluster a sector and long names. Written here because pyfatfs needs PyFilesystem2, which needs the
pkg_resources that setuptools has dropped, and mtools is not on every machine.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TypeAlias

SECTOR = 512
SECTORS = 2048
ROOT_ENTRIES = 512
FAT_SECTORS = 7
ENTRY = 32
ROOT_START = (1 + FAT_SECTORS) * SECTOR
DATA_START = ROOT_START + ROOT_ENTRIES * ENTRY
CLUSTERS = SECTORS - DATA_START // SECTOR
FIRST_CLUSTER = 2
END_OF_CHAIN = 0xFFF
READ_ONLY, HIDDEN, SYSTEM, VOLUME_LABEL, DIRECTORY, ARCHIVE = (1 << bit for bit in range(6))
LONG_NAME = READ_ONLY | HIDDEN | SYSTEM | VOLUME_LABEL
LONG_NAME_CHARACTERS = 13
Tree: TypeAlias = "dict[str, bytes | Tree]"


class DriveError(ValueError):
    """The files do not fit a CIRCUITPY drive."""


@dataclass(frozen=True)
class Entry:
    """One line of a directory."""

    name: str
    attributes: int
    cluster: int
    size: int


def from_files(files: Mapping[str, bytes]) -> bytes:
    """The image of a drive that holds `files`, path to content."""
    return bytes(_Writer(files).image)


def read_files(image: bytes) -> dict[str, bytes]:
    """Every file on a drive's image, path to content."""
    files: dict[str, bytes] = {}
    _read_directory(image, image[ROOT_START:DATA_START], "", files)
    return files


class _Writer:
    def __init__(self, files: Mapping[str, bytes]) -> None:
        self.image = bytearray(SECTORS * SECTOR)
        self.next_cluster = FIRST_CLUSTER
        self.image[0:SECTOR] = _boot_sector()
        self._chain(0, 0xFF8)
        self._chain(1, END_OF_CHAIN)
        root = _short_entry(b"CIRCUITPY  ", VOLUME_LABEL, 0, 0) + self._entries(_tree(files), 0)
        if len(root) > ROOT_ENTRIES * ENTRY:
            raise DriveError(f"the drive's top folder takes {len(root) // ENTRY} entries; it holds {ROOT_ENTRIES}")
        self.image[ROOT_START : ROOT_START + len(root)] = root

    def _chain(self, cluster: int, following: int) -> None:
        at = SECTOR + cluster * 3 // 2
        pair = int.from_bytes(self.image[at : at + 2], "little")
        pair = pair & 0x000F | following << 4 if cluster % 2 else pair & 0xF000 | following
        self.image[at : at + 2] = pair.to_bytes(2, "little")

    def _allocate(self, size: int) -> int:
        """The first of enough chained clusters for `size` bytes; 0 for none."""
        count = -(-size // SECTOR)
        first = self.next_cluster
        if first + count > CLUSTERS + FIRST_CLUSTER:
            raise DriveError(f"the files do not fit the drive of {CLUSTERS * SECTOR} bytes; leave some out")
        for cluster in range(first, first + count):
            self._chain(cluster, cluster + 1 if cluster + 1 < first + count else END_OF_CHAIN)
        self.next_cluster += count
        return first if count else 0

    def _store(self, cluster: int, data: bytes) -> None:
        if not data:
            return
        at = DATA_START + (cluster - FIRST_CLUSTER) * SECTOR
        self.image[at : at + len(data)] = data

    def _entries(self, tree: Tree, own_cluster: int) -> bytes:
        """The directory's bytes, after everything in it has been stored."""
        entries = b""
        for index, (name, content) in enumerate(tree.items()):
            if isinstance(content, dict):
                cluster = self._directory(content, own_cluster)
                entries += _named_entries(name, index, DIRECTORY, cluster, 0)
            else:
                cluster = self._allocate(len(content))
                self._store(cluster, content)
                entries += _named_entries(name, index, ARCHIVE, cluster, len(content))
        return entries

    def _directory(self, tree: Tree, parent: int) -> int:
        cluster = self._allocate(2 * ENTRY + sum(len(_named_entries(name, 0, 0, 0, 0)) for name in tree))
        dots = _short_entry(b".          ", DIRECTORY, cluster, 0) + _short_entry(b"..         ", DIRECTORY, parent, 0)
        self._store(cluster, dots + self._entries(tree, cluster))
        return cluster


def _tree(files: Mapping[str, bytes]) -> Tree:
    root: Tree = {}
    for path, data in files.items():
        *folders, name = PurePosixPath(path).parts
        here = root
        for folder in folders:
            deeper = here.setdefault(folder, {})
            if isinstance(deeper, bytes):
                raise DriveError(f"{folder!r} is a file and a folder in {path!r}")
            here = deeper
        here[name] = data
    return root


def _boot_sector() -> bytes:
    """The parameter block that CircuitPython 9.2 writes for the Pico."""
    head = b"\xeb\xfe\x90MSDOS5.0" + struct.pack(
        "<HBHBHHBHHHII", SECTOR, 1, 1, 1, ROOT_ENTRIES, SECTORS, 0xF8, FAT_SECTORS, 63, 255, 1, 0
    )
    head += struct.pack("<BBBI", 0x80, 0, 0x29, 0x43524942) + b"NO NAME    " + b"FAT     "
    return head.ljust(SECTOR - 2, b"\0") + b"\x55\xaa"


def _short_entry(short: bytes, attributes: int, cluster: int, size: int) -> bytes:
    return struct.pack("<11sB8xHHHHI", short, attributes, 0, 0, 0x2821, cluster, size)


def _named_entries(name: str, index: int, attributes: int, cluster: int, size: int) -> bytes:
    """A long name's entries, last part first, and the short one (a number: nobody reads it) behind them."""
    short = f"F{index:07d}   ".encode()
    check = 0
    for byte in short:
        check = ((check >> 1) + ((check & 1) << 7) + byte) & 0xFF
    text = name.encode("utf-16-le")
    count = -(-len(name) // LONG_NAME_CHARACTERS)
    room = count * LONG_NAME_CHARACTERS * 2
    if len(text) < room:
        text = (text + b"\0\0").ljust(room, b"\xff")
    parts = [text[at : at + LONG_NAME_CHARACTERS * 2] for at in range(0, room, LONG_NAME_CHARACTERS * 2)]
    entries = b""
    for number in range(count, 0, -1):
        part = parts[number - 1]
        order = number | (0x40 if number == count else 0)
        entries += struct.pack("<B10sBBB12sH4s", order, part[:10], LONG_NAME, 0, check, part[10:22], 0, part[22:])
    return entries + _short_entry(short, attributes, cluster, size)


def _directory_entries(table: bytes) -> list[Entry]:
    entries = []
    long_name = b""
    for at in range(0, len(table), ENTRY):
        line = table[at : at + ENTRY]
        if line[0] == 0:
            break
        if line[0] == 0xE5:
            long_name = b""
        elif line[11] == LONG_NAME:
            long_name = line[1:11] + line[14:26] + line[28:32] + long_name
        else:
            stem, suffix = line[:8].decode("latin-1").rstrip(), line[8:11].decode("latin-1").rstrip()
            name = long_name.decode("utf-16-le").split("\0")[0] or (f"{stem}.{suffix}" if suffix else stem).lower()
            cluster, size = struct.unpack_from("<HI", line, 26)
            entries.append(Entry(name, line[11], cluster, size))
            long_name = b""
    return entries


def _read_chain(image: bytes, cluster: int) -> bytes:
    data = b""
    while FIRST_CLUSTER <= cluster < CLUSTERS + FIRST_CLUSTER:
        at = DATA_START + (cluster - FIRST_CLUSTER) * SECTOR
        data += image[at : at + SECTOR]
        at = SECTOR + cluster * 3 // 2
        pair = int.from_bytes(image[at : at + 2], "little")
        cluster = pair >> 4 if cluster % 2 else pair & 0xFFF
    return data


def _read_directory(image: bytes, table: bytes, path: str, files: dict[str, bytes]) -> None:
    for entry in _directory_entries(table):
        if entry.attributes & VOLUME_LABEL or entry.name in (".", ".."):
            continue
        content = _read_chain(image, entry.cluster)
        if entry.attributes & DIRECTORY:
            _read_directory(image, content, f"{path}{entry.name}/", files)
        else:
            files[path + entry.name] = content[: entry.size]
