"""The errors of a database, in words for the people who run the house."""

from __future__ import annotations

import sqlite3

from sqlalchemy.exc import DBAPIError

from cribboard.errors import CribboardError

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
    def full(self) -> bool:
        """Whether the database's disk is full."""
        return self.code.startswith(("SQLITE_FULL", "SQLITE_IOERR_SHMSIZE"))

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
