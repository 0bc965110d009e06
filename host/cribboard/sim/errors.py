"""What can go wrong with a virtual board, as one kind of error that a user may read."""

from __future__ import annotations

import importlib

from cribboard.errors import CribboardError


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
