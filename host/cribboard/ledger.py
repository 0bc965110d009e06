"""What the host must not forget about a board: the command it is sending, its tags, the names, the last state.

One small JSON file a board, named by its uid, replaced as a whole and synced to the disk, so that a command is on
record before its first byte is sent.
"""

from __future__ import annotations

import json
import os
import re
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from cribboard.errors import CribboardError
from cribboard.paths import home, made


@dataclass
class Ledger:
    """The record of one board; change its fields, then `save`."""

    path: Path
    epoch: int = 0  # of the journal as last seen; 0 before the first time
    session: int = 0  # of this host with this board; 0 before the first command
    last_id: int = 0
    pending: list[str | int] = field(default_factory=list)  # the command on its way, without its tag
    given_up: bool = False  # the user was told that the pending command got no answer
    state: list[Any] = field(default_factory=list)  # the board's last answer to `state`
    names: dict[str, str] = field(default_factory=dict)  # by the place of a side

    @classmethod
    def load(cls, uid: str) -> Ledger:
        """The record of this board, a new one when there is none; raises CribboardError when it cannot be read."""
        if not re.fullmatch(r"[0-9a-f]{1,64}", uid):
            raise CribboardError(f"the board calls itself {uid[:40]!r}, which is no uid", "is this a cribbage board?")
        path = made(home() / "boards") / f"{uid}.json"
        try:
            entry = json.loads(path.read_text())
            known = {key: entry[key] for key in asdict(cls(path)) if key != "path" and key in entry}
            ledger = cls(path, **known)
            ledger.names = {str(int(place)): str(name) for place, name in ledger.names.items()}
        except FileNotFoundError:
            return cls(path)
        except (OSError, ValueError, TypeError, AttributeError) as error:
            raise CribboardError(f"{path} cannot be read: {error}", "move it away; names and tags begin anew") from error
        return ledger

    def save(self) -> None:
        """Write the record and wait until the disk has it."""
        entry = {key: value for key, value in asdict(self).items() if key != "path"}
        new = self.path.with_suffix(".new")
        try:
            with new.open("w") as file:
                json.dump(entry, file)
                file.flush()
                os.fsync(file.fileno())
            new.replace(self.path)
        except OSError as error:
            raise CribboardError(
                f"{self.path} cannot be written: {error.strerror}", "nothing was sent; make room there"
            ) from error
