"""The files that say where doors are, with the secret that opens each; only this user can read them."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from cribboard.files import write_whole

NAME = "door.json"


@dataclass(frozen=True)
class Sign:
    """The contents of a door's file: which board is behind it, and how to connect."""

    uid: str
    port: str
    virtual: bool
    address: str
    secret: str


def doors(folder: Path) -> Iterator[Sign]:
    """The doors that files name; some may no longer be served."""
    for path in sorted(folder.glob(f"*/{NAME}")):
        try:
            if os.name == "posix" and (path.stat().st_mode & 0o077 or path.stat().st_uid != os.getuid()):
                continue  # others could have written it
            told = json.loads(path.read_bytes())
            texts = [told[name] for name in ("uid", "port", "address", "secret")]
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            continue
        if all(isinstance(text, str) for text in texts) and texts[0] == path.parent.name:
            uid, port, address, secret = texts
            yield Sign(uid, port, told.get("virtual") is True, address, secret)


def lives(sign: Sign) -> bool:
    """Whether a program serves a door."""
    from multiprocessing.connection import Client

    try:
        Client(sign.address).close()
    except (OSError, ValueError):
        return False
    return True


def write(path: Path, sign: Sign) -> None:
    """Write a door's file, in place of an earlier one."""
    write_whole(path, json.dumps(vars(sign)))
