"""Which virtual boards run, and what can go wrong with one, as one kind of error that a user may read.

Each board that wants to be found keeps a small file locked for as long as it lives.
"""

from __future__ import annotations

import importlib
import json
import os
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

from cribboard.errors import CribboardError
from cribboard.files import ensure_folder, running_folder, write_errors


class SimError(CribboardError):
    """A virtual board cannot start or has stopped; the text says why and what to do."""


class FlashTaken(SimError):
    """A virtual board runs on that flash file already."""


def require_terminals() -> None:
    """Refuse systems without pseudo-terminals, before anything that needs them is imported."""
    try:
        for name in ("fcntl", "pty", "termios", "tty"):
            importlib.import_module(name)
    except ImportError as error:
        raise SimError(
            "the virtual board needs the pseudo-terminals of Linux or macOS, and this system has none",
            "plug in a board, or on Windows use WSL",
        ) from error


@dataclass(frozen=True)
class Running:
    """A virtual board that other commands can talk to."""

    port: str
    uid: str
    pid: int
    name: str


class Registration:
    """Says that a board runs, until closed; a process that dies says no more, since its lock is gone."""

    def __init__(self, running: Running) -> None:
        import fcntl

        self._path = ensure_folder(running_folder()) / f"{running.pid}-{running.uid}.json"
        with write_errors(self._path):
            self._descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            os.ftruncate(self._descriptor, 0)
            os.pwrite(self._descriptor, json.dumps(vars(running)).encode() + b"\n", 0)

    def close(self) -> None:
        """Take the word back."""
        if self._descriptor >= 0:
            self._path.unlink(missing_ok=True)
            os.close(self._descriptor)
            self._descriptor = -1

    def __enter__(self) -> Registration:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def running_boards() -> list[Running]:
    """The virtual boards that run now, in the order in which they started. Removes what dead ones left."""
    require_terminals()
    entries = []
    for path in running_folder().glob("*.json"):
        registered = _read(path)
        if registered is not None:
            entries.append(registered)
    return [running for _, running in sorted(entries, key=lambda entry: (entry[0], entry[1].pid))]


def _read(path: Path) -> tuple[int, Running] | None:
    import fcntl

    try:
        descriptor = os.open(path, os.O_RDWR)
    except OSError:
        return None
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except OSError:
            started = os.fstat(descriptor).st_mtime_ns
            entry = json.loads(os.pread(descriptor, 4096, 0))
            return started, Running(**{key: entry[key] for key in ("port", "uid", "pid", "name")})
        path.unlink(missing_ok=True)  # nobody holds it: a board that died
        return None
    except (ValueError, KeyError, TypeError):
        return None  # being written just now
    finally:
        os.close(descriptor)
