"""Copies the history while it is in use."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path

from cribboard.paths import only_owners
from cribboard.store.database import Database
from cribboard.store.errors import StoreError

PAGES = 256  # at a time, between which others may write


def backup(database: Database, path: Path) -> None:
    """Write a copy of SQLite's file; it takes its name when it is whole and on the disk."""
    if database.path is None:
        raise StoreError(
            f"{database.name} is copied by its own program", "use pg_dump, which works while the kiosk runs"
        )
    if path.exists() and path.samefile(database.path):
        raise StoreError(f"{path} is the history itself", "name another file for the copy")
    part = path.with_name(f"{path.name}.part")
    try:
        part.unlink(missing_ok=True)
        only_owners(part)
        with closing(sqlite3.connect(database.path)) as source, closing(sqlite3.connect(part)) as copy:
            source.backup(copy, pages=PAGES)
            copy.execute("PRAGMA journal_mode = DELETE")
        with part.open("rb+") as file:
            os.fsync(file.fileno())
        part.replace(path)
    except (OSError, sqlite3.Error) as error:
        part.unlink(missing_ok=True)
        raise StoreError(f"the copy {path} could not be made ({error})", "name a file in a folder with room") from error
