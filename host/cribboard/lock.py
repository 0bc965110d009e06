"""A file that one program at a time may hold, so that two do not write the same thing."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from cribboard.errors import Busy


def locked(path: Path, message: str) -> int:
    """A descriptor that holds the lock until it is closed; raises Busy with the message when another program has it."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        os.close(descriptor)
        raise Busy(message, "end it, and try again") from error
    return descriptor
