"""Where the user's own files are: one folder, that the environment variable CRIBBOARD_HOME can move."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import platformdirs

from cribboard.errors import CribboardError

HOME_VARIABLE = "CRIBBOARD_HOME"
ROOM = f"make room or give yourself permission to write there, or set {HOME_VARIABLE} to another folder"
ELSEWHERE = "make room or give yourself permission to write there, or name another folder"


def home() -> Path:
    """The folder of everything that belongs to this user; it may not be there yet."""
    named = os.environ.get(HOME_VARIABLE, "")
    try:
        given = Path(named).expanduser()
    except RuntimeError as error:
        raise CribboardError(
            f"{HOME_VARIABLE} is {named}, but there is no such user", "set it to a folder, or leave it out"
        ) from error
    folder = given if named else platformdirs.user_data_path("cribboard", appauthor=False)
    return folder.absolute()


def board_folder(name: str = "sim") -> Path:
    """The folder of one virtual board: its settings, its flash, its log."""
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_-]{0,31}", name):
        raise CribboardError(
            f"{name!r} cannot name a virtual board",
            "use up to 32 letters, digits, '-' and '_', and begin with a letter or a digit",
        )
    return made(home() / "sim" / name)


def running_folder() -> Path:
    """The folder in which running virtual boards say where they are; it may not be there yet."""
    return home() / "sim" / ".running"


@contextmanager
def writing(path: Path, advice: str = ROOM) -> Iterator[None]:
    """Raise what the system refuses while the block writes to `path` as a CribboardError that says what to do."""
    try:
        yield
    except OSError as error:
        raise CribboardError(f"{path} cannot be written ({error.strerror or error})", advice) from error


def write_whole(path: Path, text: str) -> None:
    """Put a text in the place of a file, which only its owner may read; when this returns, no power cut can lose it.

    Raises CribboardError when that fails; then the file is as it was.
    """
    fresh = path.with_suffix(".new")
    with writing(path):
        try:
            only_owners(fresh)
            with fresh.open("w", encoding="utf-8") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            fresh.replace(path)
        except OSError:
            with suppress(OSError):
                fresh.unlink()
            raise
    with suppress(OSError):  # Windows opens no folders
        sync(path.parent)


def only_owners(path: Path) -> None:
    """Make the file when it is not there; only its owner may look into it, whatever its folder lets others do."""
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    path.chmod(0o600)


def made(folder: Path) -> Path:
    """The folder, after making it and those above it; only their owner may look into new ones."""
    folder = folder.absolute()
    with writing(folder):
        for missing in [place for place in (*reversed(folder.parents), folder) if not place.exists()]:
            missing.mkdir(mode=0o700, exist_ok=True)
    return folder


def sync(folder: Path) -> None:
    """Force a rename in a folder to the disk."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
