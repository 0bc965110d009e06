"""Opens the history: makes or migrates it, and sets a damaged file aside."""

from __future__ import annotations

import errno
import os
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, nullcontext
from datetime import datetime, tzinfo
from pathlib import Path

from sqlalchemy import select

from cribboard.files import home, locked, only_owners, unused
from cribboard.store.copying import backup, restore
from cribboard.store.database import FILE, PATIENCE_S, VARIABLE, Database, located
from cribboard.store.errors import StoreError, in_words
from cribboard.store.games import Games
from cribboard.store.jumps import Steady
from cribboard.store.migrate import migrate
from cribboard.store.schema import games
from cribboard.store.store import Now, Store, now
from cribboard.store.sums import SUMS

AT_A_TIME = 200  # games, so that others may write between
ALONGSIDE = ("-wal", "-shm")  # what SQLite keeps beside its file


def open_store(
    url: str | None = None,
    *,
    clock: Now = now,
    zone: tzinfo | None = None,
    steady: Steady | None = None,
    dbapi: object | None = None,
    wait: bool = False,
) -> Store:
    """Open the history at a database URL, by default this host's.

    Raises StoreError when it cannot be read and written; to `wait` for one that is only away, each use of the store
    tries to open it. A damaged file is kept under another name and a new history begun, which `notices` of the store
    say.
    """
    where = located(url)
    if where.drivername != "sqlite":
        return _opened(Database(where), clock, zone, steady, wait=wait)
    path = Path(where.database or "")
    with _only_one(path):
        try:
            return _opened(Database(where, dbapi), clock, zone, steady, wait=wait and path.exists())
        except StoreError as error:
            if not error.damaged:
                raise
            aside = _set_aside(path, clock())
            notice = (
                f"the history in {path} is damaged; it is now {aside}, and a new one is started. "
                "To get the games back, import an export or restore a backup"
            )
            return _opened(Database(where, dbapi), clock, zone, steady, (notice,))


def is_begun() -> bool:
    """Whether this host has a history."""
    return bool(os.environ.get(VARIABLE)) or os.path.exists(home() / FILE)  # noqa: PTH110 (the folder may be forbidden)


def restore_backup(file: Path, url: str | None = None, *, clock: Now = now) -> Path:
    """Restore a backup over the history in an SQLite file; returns the copy of the old history.

    Raises StoreError when the backup is damaged or of a newer program; then nothing is changed.
    """
    where = located(url)
    if where.drivername != "sqlite":
        raise StoreError("that history is on a server", "import the backup with `cribboard history import`")
    path = Path(where.database or "")
    if not file.is_file() or (path.exists() and file.samefile(path)):
        raise StoreError(f"{file} is not a backup", "name a file that was made by the nightly backup or by `backup`")
    trial = path.with_name(f"{path.name}.restoring")
    aside = path.with_name(f"{path.name}.before-{clock():%Y%m%d-%H%M%S}")
    with closing(open_store(where.render_as_string(hide_password=False), clock=clock)) as store:
        try:
            _check(file.absolute(), str(file))
            # Tried on a copy, which is also migrated: whether it can be used shows before anything is replaced.
            backup(Database(where.set(database=str(file.absolute()))), trial)
            with closing(_opened(Database(where.set(database=str(trial))), clock, None, None)) as tried:
                tried.games(1)
            store.backup(aside)
            restore(Database(where), trial)
        finally:
            for end in ("", *ALONGSIDE):
                trial.with_name(trial.name + end).unlink(missing_ok=True)
    open_store(url, clock=clock).close()
    return aside


def _opened(
    database: Database,
    clock: Now,
    zone: tzinfo | None,
    steady: Steady | None,
    notices: tuple[str, ...] = (),
    *,
    wait: bool = False,
) -> Store:
    def late() -> None:
        with _only_one(database.path) if database.path is not None else nullcontext():
            _prepare(database, clock())

    try:
        try:
            _prepare(database, clock())
        except StoreError as error:
            if not (wait and error.passes):
                raise
            database.opening = late
            notices = (*notices, f"{error}; play goes on, and what happens is added to the history later")
        return Store(database, clock, notices, zone, steady)
    except BaseException:
        database.close()
        raise


def _prepare(database: Database, at: datetime) -> None:
    """Make or migrate the history."""
    if database.path is not None:
        _keep_from_others(database.path)
        _check(database.path, database.name)
    with database.writing() as connection:
        new = migrate(connection, database.name)
    if new:
        database.sync_folder()
    _add_up(database, at)


def _add_up(database: Database, at: datetime) -> None:
    """Add up again the games whose sums an earlier version made, or a migration has reset."""
    while True:
        with database.writing() as connection:
            stale = games.c.winner.is_not(None) & (games.c.summed != SUMS)
            batch = connection.execute(select(games.c.id, games.c.board).where(stale).limit(AT_A_TIME)).all()
            for row in batch:
                Games(connection, row.board, 0, at).add_up(row.id)
        if not batch:
            return


def _keep_from_others(path: Path) -> None:
    """Give the files that SQLite makes beside its own the same permissions."""
    try:
        only_owners(path)
        for end in ALONGSIDE:
            if (beside := path.with_name(path.name + end)).exists():
                beside.chmod(0o600)
    except FileNotFoundError:
        pass  # another program has just put away what lay beside
    except OSError as error:
        if error.errno == errno.EROFS:
            raise StoreError(
                f"the history in {path} cannot be written ({error.strerror})",
                "make the disk writable, or copy this file and its -wal file to another and name the copy as database",
                "away",
            ) from error
        raise StoreError(
            f"the history in {path} cannot be made private ({error.strerror})",
            "check that the file is yours, or name another database",
            "away",
        ) from error


def _check(path: Path, name: str) -> None:
    """Raise StoreError if the file is damaged; does not change it."""
    if not path.exists():
        return
    if not path.is_file():  # to open a pipe would wait for ever
        raise StoreError(f"the history in {name} is not a file", "name another database")
    try:
        with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True, timeout=PATIENCE_S)) as connection:
            connection.text_factory = lambda raw: raw.decode("utf-8", "replace")  # it quotes what is damaged
            (said,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    except sqlite3.Error as error:
        raise in_words(error, name) from error
    except UnicodeDecodeError as error:
        raise StoreError(f"the history in {name} is damaged: {error}", "", "SQLITE_CORRUPT") from error
    if said != "ok":
        raise StoreError(f"the history in {name} is damaged: {said}", "", "SQLITE_CORRUPT")


def _set_aside(path: Path, at: datetime) -> Path:
    aside = unused(path.with_name(f"{path.name}.broken-{at:%Y%m%d-%H%M%S}"))
    try:
        for end in ("", *ALONGSIDE):
            beside = path.with_name(path.name + end)
            if beside.exists():
                beside.rename(aside.with_name(aside.name + end))
    except OSError as error:
        raise StoreError(
            f"the history in {path} is damaged and cannot be set aside ({error.strerror})",
            "give yourself permission to write in its folder",
        ) from error
    return aside


@contextmanager
def _only_one(path: Path) -> Iterator[None]:
    """Let one program open the file at a time, so that none sets aside what another has just made."""
    with ExitStack() as stack:
        try:
            stack.enter_context(locked(path.with_name(path.name + ".lock")))
        except OSError as error:
            raise StoreError(
                f"the history in {path} cannot be opened ({error.strerror})",
                "check that its folder exists and that you may write there, or name another database",
            ) from error
        yield
