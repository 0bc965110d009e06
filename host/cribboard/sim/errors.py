"""What can go wrong with a virtual board, as one kind of error that a user may read."""

from __future__ import annotations

import sys

from cribboard.errors import CribboardError


class SimError(CribboardError):
    """A virtual board cannot start or has stopped; the text says why and what to do."""


class FlashTaken(SimError):
    """A virtual board runs on that flash file already."""


def require_terminals() -> None:
    """Refuse systems without pseudo-terminals, before anything of them is imported."""
    if sys.platform == "win32":
        raise SimError(
            "the virtual board needs the pseudo-terminals of Linux or macOS, which Windows lacks",
            "use WSL, or a real board",
        )
