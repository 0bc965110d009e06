"""The database: an SQLite file or a PostgreSQL server, with one writer at a time; commits are on the disk.

A write transaction takes the writer's place at once (SQLite: BEGIN IMMEDIATE; PostgreSQL: an advisory lock), so what it
reads cannot change before it writes.
"""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url, text
from sqlalchemy.exc import ArgumentError, SQLAlchemyError

from cribboard.errors import WrongBoard
from cribboard.files import ensure_folder, home, sync
from cribboard.installed import how_to_add
from cribboard.store.errors import StoreError, in_words
from cribboard_core.cards import quote

FILE = "kiosk.db"
VARIABLE = "CRIBBOARD_DATABASE"
BACKUP = "the rest can be used; a backup in its place brings all of it back"
PATIENCE_S = 10  # for another writer
AGAIN_S = 2.0  # until a database that was away is asked again
SETTINGS = (
    "journal_mode = WAL",
    "synchronous = FULL",
    "foreign_keys = ON",
    "secure_delete = ON",  # who is erased is not left in free pages
)
LOCK = 0x63726962  # "crib": whose turn it is to write


def located(url: str | None) -> URL:
    """The URL of the history, checked; by default what CRIBBOARD_DATABASE says, else a file in the user's data folder.

    Raises StoreError.
    """
    url = url or os.environ.get(VARIABLE) or None
    if url is None:
        return URL.create("sqlite", database=os.path.realpath(ensure_folder(home()) / FILE))
    try:
        parsed = make_url(url)
    except (ArgumentError, ValueError) as error:
        raise StoreError("that is not a database URL", "write one like postgresql://user@host/cribboard") from error
    if parsed.drivername == "sqlite" and parsed.database and parsed.database != ":memory:" and not parsed.query:
        return parsed.set(database=os.path.realpath(parsed.database))  # what SQLite writes beside it is there, too
    if parsed.drivername in ("postgresql", "postgresql+psycopg"):
        return parsed.set(drivername="postgresql+psycopg")
    raise StoreError(
        f"{parsed.render_as_string()} is neither a file of SQLite nor a PostgreSQL server",
        "write sqlite:////folder/kiosk.db or postgresql://user@host/cribboard",
    )


class Database:
    """The engine and its two kinds of transactions. `dbapi` stands in for SQLite's own module.

    `opening` is what has to be done before the first of them, and is tried again until it succeeds.
    """

    def __init__(self, url: URL, dbapi: object | None = None) -> None:
        self.opening: Callable[[], None] | None = None
        self._opens = threading.RLock()
        self._refused: StoreError | None = None
        self._again_s = 0.0
        self.path = Path(url.database or "") if url.drivername == "sqlite" else None
        self.name = str(self.path or url.render_as_string())
        self.engine = _engine(url, dbapi)
        self._reading = self.engine.execution_options(begin="DEFERRED")

    def open(self) -> None:
        """Do what has to be done first, unless it was tried a moment ago; raises StoreError."""
        with self._opens:
            opening, refused = self.opening, self._refused
            if opening is None:
                return
            if refused is not None and time.monotonic() < self._again_s:
                raise StoreError(refused.message, refused.hint, refused.code)
            self.opening = None  # its own transactions need none
            try:
                opening()
            except BaseException as error:
                self.opening = opening
                if isinstance(error, StoreError):
                    self._refused, self._again_s = error, time.monotonic() + AGAIN_S
                raise

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A read transaction: it sees the history as it is at one moment."""
        self.open()
        with self.store_errors(), self._reading.connect() as connection:
            if self.path is None:
                connection.execution_options(isolation_level="REPEATABLE READ")
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A write transaction: everything is on the disk when it ends, or nothing if it fails."""
        self.open()
        with self.store_errors(), self.engine.begin() as connection:
            if self.path is None:
                # SQLite lets one write at a time; here the lock does. Ids of games and acts are given in that order.
                connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": LOCK})
            yield connection

    @contextmanager
    def store_errors(self) -> Iterator[None]:
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
            with self.store_errors(), self.engine.connect() as connection:
                connection.connection.cursor().execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def sync_folder(self) -> None:
        """Sync the folder, so that a new file's name is on the disk too."""
        if self.path is None or os.name == "nt":
            return
        try:
            sync(self.path.parent)
        except OSError as error:
            said = f"the disk fails in the history in {self.name} ({error.strerror})"
            raise StoreError(said, "check the disk") from error


def _engine(url: URL, dbapi: object | None) -> Engine:
    if url.drivername != "sqlite":
        try:
            return create_engine(url, pool_pre_ping=True, connect_args={"connect_timeout": PATIENCE_S})
        except ModuleNotFoundError as error:
            raise StoreError(
                "PostgreSQL needs a driver that is not installed",
                how_to_add("postgresql"),
            ) from error
    engine = create_engine(url, module=dbapi, connect_args={"timeout": PATIENCE_S}, pool_size=4, max_overflow=-1)

    @event.listens_for(engine, "connect")
    def connected(connection: sqlite3.Connection, record: object) -> None:
        connection.isolation_level = None  # so that BEGIN is ours to say
        cursor = connection.cursor()
        for setting in SETTINGS:
            cursor.execute(f"PRAGMA {setting}")
        cursor.close()

    @event.listens_for(engine, "begin")
    def begun(connection: Connection) -> None:
        # A write begins as one: a transaction that reads first and then writes is refused as busy, without any wait, if
        # another has written in between.
        connection.exec_driver_sql(f"BEGIN {connection.get_execution_options().get('begin', 'IMMEDIATE')}")

    return engine
