"""Files on a drive that may be full, write-protected or pulled out: whole on the medium before a write returns."""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

from cribboard.install.circuitpy import InstallError

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
                # Else what was just written is read from the system's memory, and not from the drive.
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
