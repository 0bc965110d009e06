"""Putting the firmware on a drive so that a copy that ends half way is seen for what it is, and can be gone on with.

code.py comes last. Until all else is on the drive and has been read back, a code.py stands there that only says that
the firmware is not whole. Giving the command again writes what is still missing.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from cribboard.drive import PACKAGES
from cribboard.install.circuitpy import InstallError
from cribboard.install.disk import Disk
from cribboard.install.own_lines import without

CODE, SETTINGS, NEOPIXEL = "code.py", "settings.toml", "lib/neopixel.py"
MARK = b"cribbage board"  # in the first line of our code.py and boot.py, and of the one that stands in for code.py
ADAFRUITS = b"Adafruit_CircuitPython_NeoPixel"  # in every version of the library
FRESH = b'print("Hello World!")'  # CircuitPython's own code.py on a new drive
BEFORE = ".before"
# What CircuitPython would take before ours: code.txt before code.py, the top folder before lib.
IN_THE_WAY = ("code.txt", "neopixel.py", "neopixel.mpy", *PACKAGES)
FOLDER_CLUSTERS = 12  # what new folders may take

NOT_WHOLE = b'''"""Stands in for code.py of the cribbage board until all of its firmware is on the drive."""

import time

while True:
    print("the firmware on this drive is not whole; give `cribboard install` again")
    time.sleep(5)
'''
AGAIN = "Until then the board stays dark and says on its console that the firmware is not whole."


@dataclass(frozen=True)
class Plan:
    """What has to happen to a drive, and nothing when it is as it should be."""

    wanted: Mapping[str, bytes]
    writes: tuple[str, ...]
    removes: tuple[str, ...] = ()
    asides: tuple[tuple[str, str], ...] = ()
    kept: tuple[str, ...] = ()  # of ours, on an uninstalled drive

    def __bool__(self) -> bool:
        return bool(self.writes or self.removes or self.asides)

    @property
    def size(self) -> int:
        """Bytes to write."""
        return sum(len(self.wanted[path]) for path in self.writes)


def planned(disk: Disk, wanted: Mapping[str, bytes]) -> Plan:
    """How to make a drive hold these files; what is on it already stays, and what is another's is put aside."""
    with told(disk, "looking at it"):
        there = {path: disk.read(path) for path in wanted}
        asides = [path for path in IN_THE_WAY if path in disk.names("")]
        asides += [path for path, data in there.items() if data is not None and not _ours(path, data, wanted)]
        removes = [path for path in _package_files(disk) if path not in wanted]
        writes = [path for path, data in wanted.items() if there[path] != data]
        named = tuple((path, _free_name(disk, path)) for path in asides)
        return Plan(wanted, tuple(sorted(writes, key=_order)), tuple(removes), named)


def check_room(disk: Disk, plan: Plan) -> None:
    """Raise InstallError when the drive cannot hold what is to be written; nothing has been changed then."""
    with told(disk, "looking at it"):
        gone = sum(_clusters(disk, len(disk.read(path) or b"")) for path in plan.removes)
        aside = {path for path, _ in plan.asides}
        taken = most = FOLDER_CLUSTERS - gone
        for path in plan.writes:
            old = b"" if path in aside else disk.read(path) or b""
            taken += _clusters(disk, len(plan.wanted[path])) - _clusters(disk, len(old))
            most = max(most, taken)
        free = disk.free()
        if most * disk.cluster > free:
            need = -(-most * disk.cluster // 1024)
            raise InstallError(
                f"the drive {disk.name} has {free // 1024} KB free, and the firmware needs {need} KB more",
                f"nothing was changed; take something off it first{_largest(disk, plan.wanted)}",
            )


def carry_out(disk: Disk, plan: Plan) -> None:
    """Do it, and read all of it back. Raises InstallError, after which the same command goes on."""
    if not plan:
        return
    for path, to in plan.asides:
        with told(disk, f"renaming {path}"):
            disk.rename(path, to)
    _write(disk, CODE, NOT_WHOLE)
    for path in plan.removes:
        with told(disk, f"removing {path}"):
            disk.remove(path)
    for path in plan.writes:
        if path != CODE:
            _write(disk, path, plan.wanted[path])
    for path in plan.wanted:
        if path != CODE:
            _check(disk, path, plan.wanted[path])
    _write(disk, CODE, plan.wanted[CODE])
    _check(disk, CODE, plan.wanted[CODE])


def removal(disk: Disk, shipped: Mapping[str, bytes]) -> Plan:
    """How to take the firmware off a drive, and bring back what was put aside for it."""
    with told(disk, "looking at it"):
        top = disk.names("")
        ours = [path for path in (CODE, "boot.py") if path in top and _ours(path, disk.read(path) or b"", shipped)]
        folders = [f"lib/{name}" for name in PACKAGES if disk.is_folder(f"lib/{name}")]
        own = disk.read(SETTINGS)
        rest = b"" if own is None else without(_text(own), _text(shipped[SETTINGS])).encode()
        removes = [*ours, *_package_files(disk), *folders]
        if own is not None and not rest:
            removes.append(SETTINGS)
        writes = (SETTINGS,) if rest and rest != own else ()
        backs = {**_asides(disk, ""), **_asides(disk, "lib")}
        if NEOPIXEL in backs:
            removes.append(NEOPIXEL)
        there = {*top, *(f"lib/{name}" for name in disk.names("lib"))} - {*removes}
        asides = tuple((aside, path) for path, aside in backs.items() if path not in there)
        kept = (NEOPIXEL,) if NEOPIXEL in there else ()
        return Plan({SETTINGS: rest}, writes, tuple(removes), asides, kept)


def take_off(disk: Disk, plan: Plan) -> None:
    """Do it; code.py goes first, so that a removal that ends half way leaves a board that runs nothing."""
    for path in plan.removes:
        with told(disk, f"removing {path}"):
            disk.remove(path)
    for path in plan.writes:
        _write(disk, path, plan.wanted[path])
    for path, to in plan.asides:
        with told(disk, f"renaming {path}"):
            disk.rename(path, to)


@contextmanager
def told(disk: Disk, doing: str) -> Iterator[None]:
    """Turn what a drive can do to us into words."""
    try:
        yield
    except OSError as error:
        if error.errno == errno.ENOSPC:
            said = f"the drive {disk.name} is full ({doing})"
            hint = f"take something off it and give the same command again; it goes on where it stopped.\n{AGAIN}"
        elif error.errno in (errno.EROFS, errno.EACCES, errno.EPERM):
            said = f"the drive {disk.name} cannot be written ({doing}: {_reason(error)})"
            hint = (
                "eject it, plug the board in again and give the same command again. If that does not help, a boot.py\n"
                "on it keeps the drive for the board: start the board in safe mode, as circuitpython.org's guide says"
            )
        else:
            said = f"the drive {disk.name} is gone ({doing}: {_reason(error)})"
            hint = (
                "plug the board in again, wait for the drive, and give the same command again; it goes on where it\n"
                f"stopped. {AGAIN}"
            )
        raise InstallError(said, hint) from error


def _write(disk: Disk, path: str, data: bytes) -> None:
    with told(disk, f"writing {path}"):
        disk.write(path, data)


def _check(disk: Disk, path: str, data: bytes) -> None:
    with told(disk, f"reading {path} back"):
        found = disk.read(path)
    if found != data:
        raise InstallError(
            f"{path} on {disk.name} does not read back as it was written",
            f"eject the drive, plug the board in again, and give the same command again. {AGAIN}\n"
            "If it happens again, the drive's file system is damaged. To format it, which erases it, type in its\n"
            "console: import storage; storage.erase_filesystem()",
        )


def _ours(path: str, data: bytes, wanted: Mapping[str, bytes]) -> bool:
    """Whether a file may be replaced: our packages and settings always, the rest when we or nobody made it."""
    if path == SETTINGS or path.startswith(tuple(f"lib/{name}/" for name in PACKAGES)):
        return True
    if path == NEOPIXEL:
        return data == wanted[path] or ADAFRUITS in data or not data
    return MARK in data.partition(b"\n")[0] or data.strip() in (b"", FRESH)


def _package_files(disk: Disk) -> list[str]:
    folders = [f"lib/{name}" for name in PACKAGES]
    paths = [f"{folder}/{name}" for folder in folders for name in disk.names(folder)]
    return [path for path in paths if not disk.is_folder(path)]


def _asides(disk: Disk, folder: str) -> dict[str, str]:
    """What was put aside in a folder: the newest by the path that it had."""
    found: dict[str, tuple[int, str]] = {}
    for name in disk.names(folder):
        path, before, number = (f"{folder}/{name}" if folder else name).rpartition(BEFORE)
        if before and (number.isdigit() or not number):
            aside = (int(number or 1), path + before + number)
            found[path] = max(aside, found.get(path, aside))
    return {path: aside for path, (_, aside) in found.items()}


def _free_name(disk: Disk, path: str) -> str:
    folder = path.rpartition("/")[0]
    taken = {f"{folder}/{name}" if folder else name for name in disk.names(folder)}
    number = 2
    name = path + BEFORE
    while name in taken:
        name = f"{path}{BEFORE}{number}"
        number += 1
    return name


def _order(path: str) -> tuple[bool, bool]:
    """lib first, the top of the drive after it, code.py last of all."""
    return path == CODE, "/" not in path


def _clusters(disk: Disk, size: int) -> int:
    return -(-size // disk.cluster)


def _largest(disk: Disk, wanted: Mapping[str, bytes]) -> str:
    """The largest files that are not ours, to be named."""
    found = []
    for folder in ("", "lib/"):
        for name in disk.names(folder.rstrip("/")):
            path = folder + name
            data = None if path in wanted or disk.is_folder(path) else disk.read(path)
            found.append((len(data or b""), path))
    large = [f"{path} ({size // 1024} KB)" for size, path in sorted(found, reverse=True)[:3] if size >= 1024]
    return f", such as {', '.join(large)}" if large else ""


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def _reason(error: OSError) -> str:
    return os.strerror(error.errno) if error.errno else str(error)
