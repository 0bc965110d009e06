"""What a drive can do to us while we work on it, in words."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager

from cribboard.install.circuitpy import InstallError
from cribboard.install.disk import Disk

AGAIN = "Until then the board shows red and says on its console that the firmware is not whole."
GONE = (errno.ENODEV, errno.ENXIO, errno.EIO, errno.ENOENT, errno.ENOTCONN, getattr(errno, "ESTALE", errno.EIO))


@contextmanager
def told(disk: Disk, doing: str) -> Iterator[None]:
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
