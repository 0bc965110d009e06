"""A file that one program at a time can hold; a program that dies holds nothing."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from cribboard.errors import Busy


def hold(path: Path, busy: str) -> int:
    """A descriptor that holds the file until it is closed; raises Busy with this message when another program does."""
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
        raise Busy(busy, "end it, and try again") from error
    return descriptor


@contextmanager
def alone(path: Path) -> Iterator[None]:
    """Hold the file, after whoever holds it now, as long as the block runs; raises OSError when it cannot be opened."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(descriptor, msvcrt.LK_LOCK, 1)
        else:
            import fcntl

            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)
