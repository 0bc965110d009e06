"""A disk that forgets what was not synced, or fails, under SQLite: a VFS of apsw, and apsw as a DBAPI for SQLAlchemy.

Files are real, so that everything works as usual while the power is on. Beside them it is noted what each sync has made
safe; `Disk.after_a_cut` is what a power cut may leave: of the writes since then any, in any order, torn at any sector.
"""

from __future__ import annotations

import os
import random
import sqlite3
from collections.abc import Callable, Iterable
from itertools import count
from pathlib import Path
from typing import Any

import apsw

SECTOR = 512
NUMBERS = count(1)
CODES = {name: getattr(apsw, f"SQLITE_{name}") for name in ("FULL", "IOERR", "BUSY", "CORRUPT", "NOTADB", "READONLY")}
NAMES = {type(apsw.exception_for(code)): f"SQLITE_{name}" for name, code in CODES.items()}
Op = tuple[int, bytes | None]  # an offset with data, or a size to which a file is cut


class File:
    """What is safe of a file, and what was written since. `named`: its folder's entry is safe, too."""

    def __init__(self) -> None:
        self.safe = b""
        self.pending: list[Op] = []
        self.named = False

    def sync(self) -> None:
        self.safe = _applied(self.safe, self.pending)
        self.pending = []


class Disk(apsw.VFS):
    """The VFS. `before` is called with (what, file) ahead of every write, cut, sync and deletion, and may raise."""

    def __init__(self) -> None:
        self.name = f"forgetful{next(NUMBERS)}"
        super().__init__(self.name, "")
        self.files: dict[str, File] = {}
        self.before: Callable[[str, str], None] = lambda what, file: None

    def xOpen(self, name: Any, flags: list[int]) -> OpenFile:  # noqa: N802
        path = name.filename() if isinstance(name, apsw.URIFilename) else name
        if path is not None and not os.path.exists(path):  # noqa: PTH110
            self.files[path] = File()
        elif path is not None and not os.path.getsize(path):  # noqa: PTH202
            self.files.setdefault(path, File())  # it was made for SQLite just now
        return OpenFile(self, path, name, flags)

    def xDelete(self, path: str, sync: bool) -> None:  # noqa: N802
        self.before("delete", path)
        super().xDelete(path, sync)
        self.files.pop(path, None)  # a file that comes back would only be more to recover from

    def sync_folder(self) -> None:
        for file in self.files.values():
            file.named = True

    def after_a_cut(self, chance: random.Random, kept: float) -> dict[str, bytes]:
        """What files may hold after a power cut now, when that share of what was not synced has come through."""
        files = {}
        for path, file in self.files.items():
            if file.named:
                files[path] = _applied(file.safe, _torn(file.pending, chance, kept))
        return files


class OpenFile(apsw.VFSFile):
    """An open file, whose writes its disk notes."""

    def __init__(self, disk: Disk, path: str | None, name: Any, flags: list[int]) -> None:
        super().__init__("", name, flags)
        self.disk = disk
        self.path = path or ""
        self.file = disk.files.get(self.path, File())
        # a log's name is made safe with its first sync, the database's own is left to whoever makes it
        self.names_itself = bool(flags[0] & (apsw.SQLITE_OPEN_WAL | apsw.SQLITE_OPEN_MAIN_JOURNAL))

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802
        self.disk.before("write", self.path)
        super().xWrite(data, offset)
        self.file.pending.append((offset, bytes(data)))

    def xTruncate(self, size: int) -> None:  # noqa: N802
        self.disk.before("cut", self.path)
        super().xTruncate(size)
        self.file.pending.append((size, None))

    def xSync(self, flags: int) -> None:  # noqa: N802
        self.disk.before("sync", self.path)
        self.file.sync()  # the real one is left out, it only takes time
        self.file.named = self.file.named or self.names_itself


def _applied(content: bytes, ops: Iterable[Op]) -> bytes:
    made = bytearray(content)
    for at, data in ops:
        if data is None:
            del made[at:]
        else:
            made.extend(bytes(max(0, at + len(data) - len(made))))
            made[at : at + len(data)] = data
    return bytes(made)


def _torn(ops: list[Op], chance: random.Random, kept: float) -> list[Op]:
    written: list[Op] = []
    for at, data in ops:
        if data is None:
            written += [(at, data)] if chance.random() < kept else []
            continue
        for start in range(0, len(data), SECTOR):
            if chance.random() < kept:
                written.append((at + start, data[start : start + SECTOR]))
    return written


class Dbapi:
    """apsw on a disk, as SQLAlchemy wants SQLite's module to be."""

    paramstyle = "qmark"
    sqlite_version_info = tuple(map(int, apsw.sqlite_lib_version().split(".")))
    Binary = bytes
    for _name in ("Error", "DatabaseError", "OperationalError", "IntegrityError", "ProgrammingError", "InterfaceError"):
        locals()[_name] = getattr(sqlite3, _name)
    PARSE_COLNAMES = PARSE_DECLTYPES = 0

    def __init__(self, disk: Disk) -> None:
        self.disk = disk

    def connect(self, path: str, timeout: float = 5, **_: object) -> Connection:
        with_words = _Telling()
        with with_words:
            return Connection(apsw.Connection(path, vfs=self.disk.name), timeout)
        raise AssertionError


class _Telling:
    """Says apsw's errors as the standard module does."""

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, apsw.Error):
            failure = sqlite3.OperationalError(str(error))
            failure.sqlite_errorname = NAMES.get(type(error), "SQLITE_ERROR")
            raise failure from error


class Connection:
    """A connection that stays in autocommit, as the history wants it."""

    def __init__(self, connection: apsw.Connection, timeout: float) -> None:
        self.apsw = connection
        self.isolation_level: str | None = None
        connection.set_busy_timeout(int(timeout * 1000))

    def cursor(self) -> Cursor:
        return Cursor(self.apsw)

    def create_function(self, *_: object, **__: object) -> None:
        pass

    def commit(self) -> None:
        self._end("COMMIT")

    def rollback(self) -> None:
        self._end("ROLLBACK")

    def close(self) -> None:
        self.apsw.close()

    def _end(self, how: str) -> None:
        if self.apsw.in_transaction:
            with _Telling():
                self.apsw.execute(how)


class Cursor:
    """A cursor that has fetched all."""

    arraysize = 1

    def __init__(self, connection: apsw.Connection) -> None:
        self._apsw = connection
        self.description: Any = None
        self.rowcount = -1
        self.lastrowid = 0
        self._rows: list[Any] = []

    def execute(self, sql: str, parameters: Any = ()) -> Cursor:
        cursor = self._apsw.cursor()
        self.description = None

        def seen(cursor: apsw.Cursor, sql: str, bindings: object) -> bool:
            columns = cursor.get_description()
            self.description = [(name, None, None, None, None, None, None) for name, _ in columns] or None
            return True

        cursor.exec_trace = seen
        with _Telling():
            self._rows = list(cursor.execute(sql, parameters))
        self.rowcount = -1 if self.description else self._apsw.changes()
        self.lastrowid = self._apsw.last_insert_rowid()
        return self

    def executemany(self, sql: str, many: Iterable[Any]) -> Cursor:
        for parameters in many:
            self.execute(sql, parameters)
        return self

    def fetchone(self) -> Any:
        return self._rows.pop(0) if self._rows else None

    def fetchmany(self, size: int = 1) -> list[Any]:
        rows, self._rows = self._rows[:size], self._rows[size:]
        return rows

    def fetchall(self) -> list[Any]:
        rows, self._rows = self._rows, []
        return rows

    def close(self) -> None:
        self._rows = []


def left(folder: Path, files: dict[str, bytes]) -> Path:
    """Put what a cut has left into a folder; gives the database's path there."""
    for old in folder.iterdir():
        old.unlink()
    for path, content in files.items():
        (folder / Path(path).name).write_bytes(content)
    return folder / "kiosk.db"
