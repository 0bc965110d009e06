"""Whether this program can write among its user's own data: all that plays needs that."""

from __future__ import annotations

import os
import tempfile

from cribboard.doctor.finding import Finding
from cribboard.errors import CribboardError
from cribboard.files import home, made, writing

ENOUGH = 1 << 16  # bytes: more than a game's notes


def unwritable() -> list[Finding]:
    """What keeps this program from writing there; a file is tried that is gone afterwards."""
    try:
        folder = made(home())
        with writing(folder), tempfile.TemporaryFile(dir=folder) as file:
            file.write(bytes(ENOUGH))
            file.flush()
            os.fsync(file.fileno())
    except CribboardError as error:
        return [Finding.of("data", error)]
    return []
