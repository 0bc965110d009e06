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
from typing import TYPE_CHECKING

from sqlalchemy import (
    URL,
    Column,
    Connection,
    Engine,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
    create_engine,
    event,
    inspect,
    make_url,
    select,
    text,
)
from sqlalchemy.exc import ArgumentError, DBAPIError, SQLAlchemyError

from cribboard.errors import CribboardError, WrongBoard
from cribboard.files import ensure_folder, home, sync
from cribboard.installed import how_to_add
from cribboard.store import contest_tables  # noqa: F401 (its tables belong to the schema, too)
from cribboard.store.schema import metadata
from cribboard_core.cards import quote

if TYPE_CHECKING:
    from alembic.config import Config


# The errors of a database, in words for the people who run the house.

_FULL = ("there is no room on the disk for the history in {name}", "make room")
_CLOSED = ("the history in {name} cannot be written", "give yourself permission to write there")
_BUSY = ("another program is using the history in {name}", "close it, or try again")
_BROKEN = (
    "the history in {name} is damaged",
    "start again: the damaged one is then set aside and a new one is started",
)
_SQLITE = {
    "SQLITE_FULL": _FULL,
    "SQLITE_IOERR_SHMSIZE": _FULL,
    "SQLITE_READONLY": _CLOSED,
    "SQLITE_PERM": _CLOSED,
    "SQLITE_CANTOPEN": (
        "the history in {name} cannot be opened",
        "check that its folder exists and that you may write there",
    ),
    "SQLITE_BUSY": _BUSY,
    "SQLITE_LOCKED": _BUSY,
    "SQLITE_NOTADB": _BROKEN,
    "SQLITE_CORRUPT": _BROKEN,
    "SQLITE_IOERR": ("the disk fails in the history in {name}", "check the disk"),
}
DAMAGED = ("SQLITE_NOTADB", "SQLITE_CORRUPT")
PASSES = ("SQLITE_FULL", "SQLITE_IOERR", "SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_BUSY", "SQLITE_LOCKED", "away")


class StoreError(CribboardError):
    """The history cannot be read or written, and nothing was changed. `code` is the database's error code."""

    def __init__(self, message: str, hint: str = "", code: str = "") -> None:
        super().__init__(message, hint)
        if code:
            self.code = code

    @property
    def damaged(self) -> bool:
        """Whether the database is damaged."""
        return self.code.startswith(DAMAGED)

    @property
    def passes(self) -> bool:
        """Whether it may pass by itself, or when somebody makes room: the database was not wrong, but away."""
        return self.code.startswith(PASSES)


def in_words(error: Exception, name: str) -> StoreError:
    """The StoreError for an error of the database `name`."""
    cause = error.orig if isinstance(error, DBAPIError) else error
    code = str(getattr(cause, "sqlite_errorname", None) or getattr(cause, "sqlstate", None) or "")
    for known, (message, hint) in _SQLITE.items():
        if code.startswith(known):
            return StoreError(message.format(name=name), hint, code)
    said = " ".join(str(cause).split())[:200]
    if code.startswith("53"):  # PostgreSQL: insufficient resources
        return StoreError(f"the database {name} has no room: {said}", "make room", "away")
    if isinstance(cause, sqlite3.Error):
        return StoreError(f"the history in {name} refuses: {said}", "nothing was changed", code)
    if isinstance(error, DBAPIError) and (error.connection_invalidated or not code or code.startswith(("08", "57"))):
        return StoreError(f"the database {name} does not answer: {said}", "check that it is running", "away")
    return StoreError(f"the database {name} refuses: {said}", "nothing was changed", code)


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


# Migrates a database to the newest schema in one transaction, so a power cut leaves the old one or the new.

NEWEST = "0009"  # the last of the migrations
# as Alembic makes it
version = Table(
    "alembic_version",
    MetaData(),
    Column("version_num", String(32), nullable=False),
    PrimaryKeyConstraint("version_num", name="alembic_version_pkc"),
)


def config(connection: Connection | None = None) -> Config:
    """The configuration of the migrations, which work on `connection`."""
    from alembic.config import Config

    settings = Config()
    settings.set_main_option("script_location", "cribboard.store:migrations")
    settings.set_main_option("path_separator", "os")
    settings.attributes["connection"] = connection
    return settings


def migrate(connection: Connection, name: str, to: str = NEWEST) -> bool:
    """Migrate to a revision; returns whether there was anything to do. Raises StoreError for an unknown schema."""
    tables = set(inspect(connection).get_table_names())
    stands = connection.execute(select(version.c.version_num)).scalar() if version.name in tables else None
    if stands == to:
        return False
    if stands is None and (present := tables & set(metadata.tables)):
        raise StoreError(
            f"the history in {name} does not say which schema it has: there are tables ({', '.join(sorted(present))}) "
            "and no row in alembic_version",
            "put a backup in its place, or name another database; nothing was changed",
            "schema",
        )
    if stands is None and to == NEWEST:
        metadata.create_all(connection)
        version.create(connection, checkfirst=True)
        connection.execute(version.insert().values(version_num=NEWEST))
        return True
    return _upgrade(connection, name, stands, to)


def _upgrade(connection: Connection, name: str, stands: str | None, to: str) -> bool:
    from alembic import command
    from alembic.script import ScriptDirectory

    scripts = ScriptDirectory.from_config(config())
    if stands is not None and stands not in [script.revision for script in scripts.walk_revisions()]:
        who, then = "an unreleased", "export it with that version, move it away and import the export"
        if stands > NEWEST:
            who, then = "a newer", "install that version"
        raise StoreError(
            f"the history in {name} was written by {who} cribboard (its schema is {stands})",
            f"{then}, or name another database; nothing was changed",
            "newer",
        )
    command.upgrade(config(connection), to)
    return True
