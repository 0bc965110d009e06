"""Where the user's own files are: one folder, that the environment variable CRIBBOARD_HOME can move."""

from __future__ import annotations

import os
import re
from pathlib import Path

import platformdirs

from cribboard.errors import CribboardError

HOME_VARIABLE = "CRIBBOARD_HOME"


def home() -> Path:
    """The folder of everything that belongs to this user; made when it is not there."""
    named = os.environ.get(HOME_VARIABLE, "")
    try:
        given = Path(named).expanduser()
    except RuntimeError as error:
        raise CribboardError(
            f"{HOME_VARIABLE} is {named}, but there is no such user", "set it to a folder, or leave it out"
        ) from error
    folder = given if named else platformdirs.user_data_path("cribboard", appauthor=False)
    return made(folder)


def board_folder(name: str = "sim") -> Path:
    """The folder of one virtual board: its settings, its flash, its log."""
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_-]{0,31}", name):
        raise CribboardError(
            f"{name!r} cannot name a virtual board",
            "take up to 32 letters, digits, '-' and '_', and begin with a letter or a digit",
        )
    return made(home() / "sim" / name)


def running_folder() -> Path:
    """The folder in which running virtual boards say where they are."""
    return made(home() / "sim" / ".running")


def only_owners(path: Path) -> None:
    """Make the file when it is not there; only its owner may look into it, whatever its folder lets others do."""
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    path.chmod(0o600)


def made(folder: Path) -> Path:
    """The folder, after making it; only its owner may look into a new one."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder.absolute()
