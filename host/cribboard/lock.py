"""A file that one program at a time can hold; a program that dies holds nothing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import BaseFileLock, FileLock, Timeout

from cribboard.errors import Busy
from cribboard.paths import writing


def hold(path: Path, busy: str) -> BaseFileLock:
    """The lock, held until its `release`; raises Busy with this message when another program holds the file."""
    with writing(path):
        lock = _lock(path)
        try:
            lock.acquire(blocking=False)
        except Timeout as error:
            raise Busy(busy, "close it and try again") from error
    return lock


@contextmanager
def alone(path: Path) -> Iterator[None]:
    """Wait for the file's lock and hold it while the block runs; raises OSError if it cannot be opened."""
    with _lock(path):
        yield


def _lock(path: Path) -> BaseFileLock:
    """For any thread to release, and only for this user to open; raises OSError when there is no folder for it."""
    path.parent.stat()  # else FileLock makes the folder
    return FileLock(path, mode=0o600, thread_local=False)
