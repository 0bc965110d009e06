"""The drive of a CircuitPython board: where it is, and what its boot_out.txt says of the board."""

from __future__ import annotations

import re
import stat
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from cribboard.errors import CribboardError

BOOT_OUT = "boot_out.txt"
UF2 = "INFO_UF2.TXT"  # on the drive of a boot loader
LABEL = "CIRCUITPY"
OLDEST = (9, 2, 1)  # on 9.2.0 a write to nvm crashes a Pico 2, and the reset of keypad is wrong
NEWEST = 10  # the newest that the firmware was tried on
WITH_RADIO = ("raspberry_pi_pico2_w",)  # a Pico W has too little memory for phones
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
    def radio(self) -> bool:
        """Whether phones can come over Wi-Fi."""
        return self.board_id in WITH_RADIO

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
