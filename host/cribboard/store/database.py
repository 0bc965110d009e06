"""The database: an SQLite file or a PostgreSQL server, with one writer at a time; commits are on the disk.

A write transaction takes the writer's place at once (SQLite: BEGIN IMMEDIATE; PostgreSQL: an advisory lock), so what it
reads cannot change before it writes.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url, text
from sqlalchemy.exc import ArgumentError, SQLAlchemyError

from cribboard.errors import WrongBoard
from cribboard.files import home, made
from cribboard.store.errors import GOES_ON, StoreError, in_words
from cribboard_core.cards import quote

FILE = "kiosk.db"
BACKUP = "the rest can be used; a backup in its place brings all of it back"
PATIENCE_S = 10  # for another writer
SETTINGS = (
    "journal_mode = WAL",
    "synchronous = FULL",
    "foreign_keys = ON",
    "secure_delete = ON",  # who is erased is not left in free pages
)
LOCK = 0x63726962  # "crib": whose turn it is to write


def located(url: str | None) -> URL:
    """The URL of the history, checked; by default a file in the user's data folder. Raises StoreError."""
    if url is None:
        return URL.create("sqlite", database=str(made(home()) / FILE))
    try:
        found = make_url(url)
    except (ArgumentError, ValueError) as error:
        raise StoreError("that is not a database URL", "write one like postgresql://user@host/cribboard") from error
    if found.drivername == "sqlite" and found.database and found.database != ":memory:" and not found.query:
        return found.set(database=str(Path(found.database).absolute()))
    if found.drivername in ("postgresql", "postgresql+psycopg"):
        return found.set(drivername="postgresql+psycopg")
    raise StoreError(
        f"{found.render_as_string()} is neither a file of SQLite nor a PostgreSQL server",
        "write sqlite:////folder/kiosk.db or postgresql://user@host/cribboard",
    )


class Database:
    """The engine and its two kinds of transactions. `dbapi` stands in for SQLite's own module."""

    def __init__(self, url: URL, dbapi: Any = None) -> None:
        self.path = Path(url.database or "") if url.drivername == "sqlite" else None
        self.name = str(self.path or url.render_as_string())
        self.engine = _engine(url, dbapi)
        self._reading = self.engine.execution_options(begin="DEFERRED")

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A read transaction: it sees the history as it is at one moment."""
        with self.told(), self._reading.connect() as connection:
            if self.path is None:
                connection.execution_options(isolation_level="REPEATABLE READ")
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A write transaction: everything is on the disk when it ends, or nothing if it fails."""
        with self.told(), self.engine.begin() as connection:
            if self.path is None:
                connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": LOCK})
            yield connection

    @contextmanager
    def told(self) -> Iterator[None]:
        """Turn the database's errors into StoreError."""
        try:
            yield
        except SQLAlchemyError as error:
            raise in_words(error, self.name) from error
        except (ValueError, TypeError, LookupError, OverflowError, WrongBoard) as error:
            raise StoreError(f"the history in {self.name} has impossible contents: {quote(error)}", BACKUP) from error

    def close(self) -> None:
        """Close the connections."""
        self.engine.dispose()

    def forget(self) -> None:
        """Empty SQLite's log of writes, so that nothing deleted stays in it; not while somebody is reading."""
        if self.path is not None:
            with self.told(), self.engine.connect() as connection:
                connection.connection.cursor().execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def sync_folder(self) -> None:
        """Sync the folder, so that a new file's name is on the disk too."""
        if self.path is None or os.name == "nt":
            return
        try:
            descriptor = os.open(self.path.parent, os.O_RDONLY)
            try:
                os.fsync(descriptor)
            finally:
                os.close(descriptor)
        except OSError as error:
            raise StoreError(f"the disk fails in the history in {self.name} ({error.strerror})", GOES_ON) from error


def _engine(url: URL, dbapi: Any) -> Engine:
    if url.drivername != "sqlite":
        try:
            return create_engine(url, pool_pre_ping=True, connect_args={"connect_timeout": PATIENCE_S})
        except ModuleNotFoundError as error:
            raise StoreError(
                "PostgreSQL needs a driver that is not installed",
                "in the project's folder: pip install -e '.[kiosk,postgresql]'",
            ) from error
    engine = create_engine(url, module=dbapi, connect_args={"timeout": PATIENCE_S}, pool_size=4, max_overflow=-1)

    @event.listens_for(engine, "connect")
    def connected(connection: Any, record: Any) -> None:
        connection.isolation_level = None  # so that BEGIN is ours to say
        cursor = connection.cursor()
        for setting in SETTINGS:
            cursor.execute(f"PRAGMA {setting}")
        cursor.close()

    @event.listens_for(engine, "begin")
    def begun(connection: Connection) -> None:
        connection.exec_driver_sql(f"BEGIN {connection.get_execution_options().get('begin', 'IMMEDIATE')}")

    return engine
