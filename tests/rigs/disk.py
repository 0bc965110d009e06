"""Disks that take nothing more: one that is full or has become read-only, and a limit where nobody may mount one."""

from __future__ import annotations

import contextlib
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

resource = pytest.importorskip("resource", reason="Windows has no limits on what a process writes")


@contextlib.contextmanager
def limited(size: int = 0) -> Iterator[None]:
    """Let this process, and those that it starts, write nothing behind the first `size` bytes of any file."""
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)


class Disk:
    """A mounted disk of a few megabytes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def fill(self) -> None:
        """Leave not one byte free."""
        descriptor = os.open(self.folder / "filler", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        try:
            for size in (65536, 4096, 1):
                with contextlib.suppress(OSError):
                    while True:
                        os.write(descriptor, bytes(size))
        finally:
            os.close(descriptor)

    def empty(self) -> None:
        """Make room again."""
        (self.folder / "filler").unlink()

    def read_only(self, now: bool = True) -> None:
        """What is open for writing keeps the system from it; a card that fails does it all the same."""
        _run("mount", "-o", f"remount,{'ro' if now else 'rw'}", str(self.folder))


@contextlib.contextmanager
def mounted(folder: Path, size: str = "3m") -> Iterator[Disk]:
    """A disk of its own at `folder`, in memory; for root."""
    folder.mkdir()
    _run("mount", "-t", "tmpfs", "-o", f"size={size}", "cribboard", str(folder))
    try:
        yield Disk(folder)
    finally:
        _run("umount", "-l", str(folder))


def can_mount() -> bool:
    """Whether this user may mount disks here."""
    tried = ["unshare", "--mount", "mount", "-t", "tmpfs", "cribboard", "/mnt"]
    try:
        return subprocess.run(tried, capture_output=True, check=False).returncode == 0
    except OSError:
        return False


def _run(*command: str) -> None:
    subprocess.run(command, check=True, capture_output=True)
