"""The errors of a database, in words for the people who run the house."""

from __future__ import annotations

import sqlite3

from sqlalchemy.exc import DBAPIError

from cribboard.errors import CribboardError

GOES_ON = "play goes on, and what the board still keeps is written as soon as that works again"

_SQLITE = {
    "SQLITE_FULL": ("there is no room on the disk for the history in {name}", f"make room; {GOES_ON}"),
    "SQLITE_IOERR_SHMSIZE": ("there is no room on the disk for the history in {name}", f"make room; {GOES_ON}"),
    "SQLITE_READONLY": ("the history in {name} cannot be written", "give yourself permission to write there"),
    "SQLITE_PERM": ("the history in {name} cannot be written", "give yourself permission to write there"),
    "SQLITE_CANTOPEN": (
        "the history in {name} cannot be opened",
        "check that its folder exists and that you may write there",
    ),
    "SQLITE_BUSY": ("another program is using the history in {name}", "close it, or try again"),
    "SQLITE_LOCKED": ("another program is using the history in {name}", "close it, or try again"),
    "SQLITE_NOTADB": (
        "the history in {name} is damaged",
        "start again: the damaged one is then set aside and a new one is started",
    ),
    "SQLITE_CORRUPT": (
        "the history in {name} is damaged",
        "start again: the damaged one is then set aside and a new one is started",
    ),
    "SQLITE_IOERR": ("the disk fails in the history in {name}", f"check the disk; {GOES_ON}"),
}
DAMAGED = ("SQLITE_NOTADB", "SQLITE_CORRUPT")


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


def in_words(error: Exception, name: str) -> StoreError:
    """The StoreError for an error of the database `name`."""
    cause = error.orig if isinstance(error, DBAPIError) else error
    code = str(getattr(cause, "sqlite_errorname", None) or getattr(cause, "sqlstate", None) or "")
    for known, (message, hint) in _SQLITE.items():
        if code.startswith(known):
            return StoreError(message.format(name=name), hint, code)
    said = " ".join(str(cause).split())[:200]
    if code.startswith("53"):  # PostgreSQL: insufficient resources
        return StoreError(f"the database {name} has no room: {said}", f"make room; {GOES_ON}", code)
    if isinstance(cause, sqlite3.Error):
        return StoreError(f"the history in {name} refuses: {said}", "nothing was changed", code)
    if isinstance(error, DBAPIError) and (error.connection_invalidated or not code or code.startswith(("08", "57"))):
        return StoreError(f"the database {name} does not answer: {said}", f"check that it is running; {GOES_ON}", code)
    return StoreError(f"the database {name} refuses: {said}", "nothing was changed", code)
