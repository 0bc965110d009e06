"""The drive of a CircuitPython board: where it is, what its boot_out.txt says, and writing to it."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import shutil
import stat
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from cribboard.errors import CribboardError

# The drive of a CircuitPython board: where it is, and what its boot_out.txt says of the board.

BOOT_OUT = "boot_out.txt"
UF2 = "INFO_UF2.TXT"  # on the drive of a boot loader
LABEL = "CIRCUITPY"
OLDEST = (9, 2, 1)  # on 9.2.0 a write to nvm crashes a Pico 2, and the reset of keypad is wrong
NEWEST = 10  # the newest that the firmware was tried on
FAT = ("vfat", "msdos", "exfat", "fuseblk")
REMOVABLE = 2  # Windows' DRIVE_REMOVABLE
GET = "download the UF2 file for your board from circuitpython.org/downloads"


class InstallError(CribboardError):
    """The firmware cannot be put on this drive, or not taken from it."""


@dataclass(frozen=True)
class Circuitpy:
    """A CircuitPython board's drive; `said` is all of its boot_out.txt, with what boot.py printed at the end."""

    folder: Path
    version: tuple[int, int, int]
    release: str
    board_id: str
    uid: str
    said: str

    @property
    def too_old(self) -> bool:
        """Whether the firmware needs a newer CircuitPython."""
        return self.version < OLDEST

    @property
    def untried(self) -> bool:
        """Whether this CircuitPython is newer than any that the firmware was tried on."""
        return self.version[0] > NEWEST


def mounted(
    platform: str = sys.platform, mounts: Path = Path("/proc/self/mounts"), volumes: Path = Path("/Volumes")
) -> list[Path]:
    """The folders that may be drives of boards, whatever their labels are."""
    if platform == "win32":
        return _letters()
    if platform == "darwin":
        return sorted(volumes.iterdir()) if volumes.is_dir() else []
    try:
        lines = mounts.read_text("utf-8", errors="surrogateescape").splitlines()
    except OSError:
        return []
    fields = [line.split() for line in lines]
    return [Path(_unescaped(field[1])) for field in fields if len(field) > 2 and field[2] in FAT]


def find(named: str | None = None, places: Callable[[], Sequence[Path]] = mounted) -> Circuitpy:
    """The drive with this name, or the only drive."""
    if named == "":
        raise InstallError("the drive's name is empty", "name its folder or letter, or leave it out to search for it")
    if named:
        return read(Path(named + "\\" if re.fullmatch("[A-Za-z]:", named) else named))
    folders = places()
    drives = [folder for folder in folders if _has(folder, BOOT_OUT)]
    if len(drives) == 1:
        return read(drives[0])
    if drives:
        listed = "\n".join(f"cribboard install {folder}" for folder in drives)
        raise InstallError(f"there are {len(drives)} drives of CircuitPython boards; name one", listed)
    for folder in folders:
        if _has(folder, UF2):
            raise InstallError(
                f"{folder} is a board in its boot loader, waiting for CircuitPython",
                f"{GET}, copy it there, and run this command again when the drive {LABEL} appears",
            )
    raise InstallError(f"there is no {LABEL} drive", _why_none())


def read(folder: Path) -> Circuitpy:
    """The board whose drive this folder is."""
    if not folder.is_dir():
        raise InstallError(f"there is no drive {folder}", "plug the board in, and name the folder that it appears as")
    if not _has(folder, BOOT_OUT):
        raise InstallError(
            f"{folder} is not the drive of a CircuitPython board: it has no {BOOT_OUT}",
            f"name the drive that is called {LABEL}; if the board has no such drive yet, {GET}",
        )
    try:
        said = (folder / BOOT_OUT).read_text("utf-8", errors="replace")
    except OSError as error:
        raise InstallError(
            f"{folder / BOOT_OUT} cannot be read: {error.strerror}", "eject the drive and plug the board in again"
        ) from error
    version_line = re.search(r"CircuitPython (\d+)\.(\d+)(?:\.(\d+))?(\S*)", said)
    if not version_line:
        raise InstallError(f"{folder / BOOT_OUT} names no version of CircuitPython", f"install it again: {GET}")
    board = re.search(r"Board ID: ?(\S+)", said)
    uid = re.search(r"UID: ?([0-9A-Fa-f]+)", said)
    release = version_line[0].split()[1]
    version = (int(version_line[1]), int(version_line[2]), int(version_line[3] or 0))
    return Circuitpy(folder, version, release, board[1] if board else "", uid[1].lower() if uid else "", said)


def _has(folder: Path, name: str) -> bool:
    """Whether a file is there itself; to open a pipe of this name would wait for ever."""
    try:
        return stat.S_ISREG((folder / name).lstat().st_mode)
    except (OSError, ValueError):  # somebody else's, gone, or no path at all
        return False


def _why_none(by_label: Path = Path("/dev/disk/by-label")) -> str:
    device = by_label / LABEL
    if device.exists():
        return f"the board is plugged in, but its drive is not mounted: udisksctl mount -b {device}"
    return (
        "plug the board in with a cable that carries data; a board without CircuitPython needs it first:\n"
        f"{GET}, hold BOOTSEL while plugging in, and copy the file to the drive that appears"
    )


def _unescaped(text: str) -> str:
    """A path of /proc/self/mounts, in which a blank is \\040."""
    return re.sub(r"\\([0-7]{3})", lambda octal: chr(int(octal[1], 8)), text)


def _letters() -> list[Path]:  # pragma: no cover (Windows)
    import ctypes
    import string

    kernel = getattr(ctypes, "windll").kernel32  # noqa: B009 (mypy knows it on Windows only)
    there = kernel.GetLogicalDrives()
    letters = [letter for bit, letter in enumerate(string.ascii_uppercase) if there >> bit & 1]
    return [Path(f"{letter}:\\") for letter in letters if kernel.GetDriveTypeW(f"{letter}:\\") == REMOVABLE]


# Files on a drive that may be full, write-protected or pulled out: whole on the medium before a write returns.

CLUSTER = 4096  # the largest that CircuitPython formats a drive with, for systems that do not tell


class Disk(Protocol):
    """What the installer needs of a drive. Paths are relative, with slashes; failures are OSErrors with an errno."""

    name: str
    cluster: int

    def read(self, path: str) -> bytes | None:
        """The file as the medium has it; None when there is no file of this name."""

    def write(self, path: str, data: bytes) -> None:
        """Write a file, and its folders."""

    def remove(self, path: str) -> None:
        """Remove a file or an empty folder."""

    def rename(self, path: str, to: str) -> None:
        """Give a file or folder another name."""

    def names(self, folder: str) -> list[str]:
        """What is in a folder; nothing when it is not there."""

    def is_folder(self, path: str) -> bool:
        """Whether there is a folder of this name."""

    def free(self) -> int:
        """Bytes that are free."""


class Folder:
    """A mounted drive. Once it is pulled out, nothing is written into what is left at its place."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.name = str(root)
        self._device = root.stat().st_dev
        self.cluster = max(os.statvfs(root).f_frsize, 512) if hasattr(os, "statvfs") else CLUSTER

    def read(self, path: str) -> bytes | None:
        """The file, read from the medium itself where the system allows it."""
        at = self._at(path)
        if at.is_dir():
            return None
        try:
            with at.open("rb") as file:
                if hasattr(os, "posix_fadvise"):
                    os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
                return file.read()
        except (FileNotFoundError, NotADirectoryError):
            self._check()
            return None

    def write(self, path: str, data: bytes) -> None:
        """Write a file; it is on the medium when this returns."""
        self._check()
        target = self._at(path)
        target.parent.mkdir(parents=True, exist_ok=True)
        with target.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        self._sync(target.parent)

    def remove(self, path: str) -> None:
        """Remove a file or an empty folder."""
        self._check()
        target = self._at(path)
        if target.is_dir():
            target.rmdir()
        else:
            target.unlink()
        self._sync(target.parent)

    def rename(self, path: str, to: str) -> None:
        """Give a file or folder another name."""
        self._check()
        self._at(path).rename(self._at(to))
        self._sync(self._at(to).parent)

    def names(self, folder: str) -> list[str]:
        """What is in a folder."""
        self._check()
        try:
            return sorted(entry.name for entry in self._at(folder).iterdir())
        except (FileNotFoundError, NotADirectoryError):
            return []

    def is_folder(self, path: str) -> bool:
        """Whether there is a folder of this name."""
        return self._at(path).is_dir()

    def free(self) -> int:
        """Bytes that are free."""
        return shutil.disk_usage(self.root).free

    def _at(self, path: str) -> Path:
        """Where a path is. Links are refused, for they lead off the drive, and what is neither file nor folder."""
        at = self.root
        for name in path.split("/") if path else ():
            at /= name
            try:
                mode = at.lstat().st_mode
            except (FileNotFoundError, NotADirectoryError):
                return self.root / path
            if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
                kind = "a link, which may lead off the drive" if stat.S_ISLNK(mode) else "neither a file nor a folder"
                raise InstallError(f"{at} is {kind}", "no board's drive has such a thing; remove it, or name the drive")
        return at

    def _check(self) -> None:
        """A folder that is left where a drive was mounted belongs to another one."""
        if self.root.stat().st_dev != self._device:
            raise OSError(errno.ENODEV, os.strerror(errno.ENODEV), self.name)

    def _sync(self, folder: Path) -> None:
        """Have the folder's own entries on the medium, where a folder can be opened."""
        with contextlib.suppress(PermissionError):
            descriptor = os.open(folder, os.O_RDONLY)
            try:
                os.fsync(descriptor)
            finally:
                os.close(descriptor)


# What a drive can do to us while we work on it, in words.

AGAIN = "Until then the board shows red and says on its console that the firmware is not whole."
GONE = (errno.ENODEV, errno.ENXIO, errno.EIO, errno.ENOENT, errno.ENOTCONN, getattr(errno, "ESTALE", errno.EIO))


@contextmanager
def drive_errors(disk: Disk, doing: str) -> Iterator[None]:
    """Turn what a drive can do to us into words."""
    try:
        yield
    except OSError as error:
        if error.errno == errno.ENOSPC:
            said = f"the drive {disk.name} is full ({doing})"
            hint = f"remove something from it and run the same command again; it continues where it stopped.\n{AGAIN}"
        elif error.errno in (errno.EROFS, errno.EACCES, errno.EPERM):
            said = f"the drive {disk.name} cannot be written ({doing}: {_reason(error)})"
            hint = (
                "eject it, plug the board in again and run the same command again. If that does not help, a boot.py\n"
                "on it keeps the drive for the board: start the board in safe mode, as circuitpython.org's guide says"
            )
        elif error.errno not in GONE:
            said = f"the drive {disk.name} refuses ({doing}: {_reason(error)})"
            hint = "look at what has this name on the drive, remove it, and run the same command again"
        else:
            said = f"the drive {disk.name} is gone ({doing}: {_reason(error)})"
            hint = (
                "plug the board in again, wait for the drive, and run the same command again; it continues where it\n"
                f"stopped. {AGAIN}"
            )
        raise InstallError(said, hint) from error


def _reason(error: OSError) -> str:
    return os.strerror(error.errno) if error.errno else str(error)
