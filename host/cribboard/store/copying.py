"""Copies SQLite's file while it is in use, and brings a copy back."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from cribboard.files import atomic_write, owners_if_possible
from cribboard.store.database import Database
from cribboard.store.errors import StoreError


def backup(database: Database, path: Path) -> None:
    """Copy SQLite's file to `path`; the copy gets that name when it is complete, checked and on the disk."""
    if database.path is None:
        raise StoreError(
            f"{database.name} is copied by its own program", "use pg_dump, which works while the kiosk runs"
        )
    if path.exists() and path.samefile(database.path):
        raise StoreError(f"{path} is the history itself", "name another file for the copy")
    with (
        whole_copy(path) as part,
        closing(sqlite3.connect(database.path)) as source,
        closing(sqlite3.connect(part)) as copy,
    ):
        source.execute("BEGIN")  # all of it is of one moment, while others write
        counts = _counts(source)
        source.backup(copy)
        # One file alone: in WAL mode it would get others beside it as soon as it is opened.
        copy.execute("PRAGMA journal_mode = DELETE")
        (said,) = copy.execute("PRAGMA quick_check(1)").fetchone()
        if said != "ok" or _counts(copy) != counts:
            raise StoreError(f"the copy {path} differs from the original ({said})", "check the disk")


def restore(database: Database, path: Path) -> None:
    """Replace the contents of SQLite's file by a copy's, all or nothing, while others may have it open."""
    assert database.path is not None  # noqa: S101 (the caller has looked)
    try:
        with closing(sqlite3.connect(path)) as source, closing(sqlite3.connect(database.path)) as own:
            source.backup(own)
    except sqlite3.Error as error:
        raise StoreError(f"{path} could not be brought back ({error})", "close what is using the history") from error


def _counts(connection: sqlite3.Connection) -> dict[str, int]:
    """The number of rows in each table."""
    names = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").fetchall()
    return {name: connection.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0] for (name,) in names}  # noqa: S608


@contextmanager
def whole_copy(path: Path) -> Iterator[Path]:
    """A file to write in the place of `path`, which it takes when the block succeeds."""
    try:
        with atomic_write(path, owners_if_possible) as part:
            yield part
    except (OSError, sqlite3.Error) as error:
        raise StoreError(
            f"the copy {path} could not be made ({error})", "make room there, or choose another folder"
        ) from error
