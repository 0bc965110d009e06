"""The acts of a refereed game in a file, a line each, on the disk before they count; nothing in it is ever changed."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import IO, BinaryIO

from cribboard.errors import CribboardError
from cribboard.files import atomic_write, ensure_folder, from_json, opened, read_file, write_errors
from cribboard.referee.outcomes import Act
from cribboard.referee.pegs import Base
from cribboard.referee.referee import Referee
from cribboard.referee.setup import Setup
from cribboard.typed import DAMAGE, WORD, as_field, as_list, as_object, as_string, as_whole, placed

NAME = "play.jsonl"
BEFORE = NAME + ".before"
MOST_HEAD = 65536  # bytes
EARLIER = "games"  # the folder of those before it whose cards are known


class Log:
    """The open log of one game; `read` and `begin` make it.

    Unless it `must_keep`, what the disk refuses waits here for the next act, and `unwritten` is why.
    """

    def __init__(self, path: Path, file: BinaryIO | None, *, must_keep: bool = True) -> None:
        self.path = path
        self.unwritten: CribboardError | None = None
        self._file = file
        self._must_keep = must_keep
        self._left: list[object] = []  # lines that are not in the file
        if file is not None:
            file.seek(0, os.SEEK_END)

    def append(self, act: object) -> None:
        """Put an act on the disk; when this returns nothing can lose it."""
        self._left.append(act)
        self.keep_again()
        if self.unwritten is not None and self._must_keep:
            self._left.pop()
            raise self.unwritten

    def keep_again(self) -> None:
        """Write what is not in the file."""
        try:
            if self._file is None:
                self._file = self._begun()
            else:
                self._add(self._file)
        except CribboardError as error:
            self.unwritten = error
        else:
            self.unwritten = None
            self._left.clear()

    def close(self) -> None:
        """Let go of the file."""
        if self._file is not None:
            self._file.close()

    def _begun(self) -> BinaryIO:
        """The file, in place of that of the game before, which is kept beside it."""
        path, before = self.path, self.path.with_name(BEFORE)
        ensure_folder(path.parent)
        with write_errors(path):
            with atomic_write(path) as fresh:
                with fresh.open("wb") as file:
                    self._write(file)
                if path.exists():
                    _put_away(before)
                    path.replace(before)
            begun = path.open("r+b", buffering=0)
            begun.seek(0, os.SEEK_END)
            return begun

    def _add(self, file: BinaryIO) -> None:
        end = file.tell()
        try:
            self._write(file)
        except OSError as error:
            file.truncate(end)
            file.seek(end)
            raise CribboardError(
                f"{self.path} cannot be written ({error.strerror}), so nothing was done", "make room, and do it again"
            ) from error

    def _write(self, file: IO[bytes]) -> None:
        for entry in self._left:
            _write(file, entry)


def begin(folder: Path, setup: Setup, base: Base, *, must_keep: bool = True) -> Log:
    """Begin the log of a game in place of the one before, which is kept beside it."""
    log = Log(folder / NAME, None, must_keep=must_keep)
    log.append({"setup": setup.to_json(), "base": list(base)})
    return log


def _put_away(path: Path) -> None:
    """Keep a game whose cards are known for `cribboard review --all`; another one is not needed any more."""
    try:
        dealt = _read(_whole_lines(read_file(path)))[0].dealt
    except (OSError, *DAMAGE):
        return
    if dealt:
        earlier = ensure_folder(path.parent / EARLIER)
        newest = max((int(one.stem) for one in earlier.glob("*.jsonl") if one.stem.isdecimal()), default=0)
        path.replace(earlier / f"{newest + 1:05}.jsonl")


def read(folder: Path, *, must_keep: bool = True) -> tuple[Log, Referee] | None:
    """The log in the folder, and the referee after its acts, or None. A last act that was cut off does not count."""
    path = folder / NAME
    with write_errors(path):
        try:
            file = path.open("r+b", buffering=0)
        except FileNotFoundError:
            return None
    whole = _whole_lines(file.readall())
    try:
        referee = _replayed(whole)
    except DAMAGE as error:
        file.close()
        renamed = path.with_name("play.broken")
        path.replace(renamed)
        raise CribboardError(
            f"the log of the game cannot be read ({_what(error)}); it is now {renamed}",
            "the board has its score; start with `cribboard play` and names, and correct the pegs with `set`",
        ) from error
    file.truncate(len(whole))
    return Log(path, file, must_keep=must_keep), referee


def look(folder: Path, name: str = NAME) -> Referee | None:
    """The referee after the acts of the log that is there, if it can be read; nothing is changed."""
    try:
        return _replayed(_whole_lines(read_file(folder / name)))
    except (OSError, *DAMAGE):
        return None


def acts(path: Path) -> tuple[Setup, Base, list[Act]]:
    """What a log holds; raises CribboardError for what is no log, or for acts that cannot have happened."""
    try:
        content = _read(_whole_lines(read_file(path)))
        Referee.replay(*content)
    except OSError as error:
        raise CribboardError(f"{path} cannot be read ({error.strerror})", "name the log of a game") from error
    except DAMAGE as error:
        raise CribboardError(f"{path} is not the log of a game ({_what(error)})", "name one like play.jsonl") from error
    return content


def head(path: Path) -> tuple[Setup, Base]:
    """Who plays in the game of a log, and from where; raises CribboardError for what is no log."""
    try:
        with opened(path) as file:
            setup, base, _ = _read(_whole_lines(file.readline(MOST_HEAD)))
    except (OSError, *DAMAGE) as error:
        raise CribboardError(f"{path} is not the log of a game ({_what(error)})", "name one like play.jsonl") from error
    return setup, base


def bring_back(folder: Path) -> None:
    """Let the game before and the newest one, which are closed, change places."""
    renamed = folder / (NAME + ".aside")
    (folder / NAME).replace(renamed)
    (folder / BEFORE).replace(folder / NAME)
    renamed.replace(folder / BEFORE)


def _whole_lines(data: bytes) -> bytes:
    return data[: data.rfind(b"\n") + 1]


def _replayed(lines: bytes) -> Referee:
    return Referee.replay(*_read(lines))


def _read(lines: bytes) -> tuple[Setup, Base, list[Act]]:
    head, *acts = [from_json(line) for line in lines.splitlines()] or [{}]
    if not isinstance(head, dict) or not head.keys() >= {"setup", "base"}:
        raise ValueError("it does not begin with the setup and the base of a game")
    return Setup.from_json(as_field(head, "setup", as_object)), as_field(head, "base", _base), acts


def _base(value: object) -> Base:
    rev, game, packed, journal = as_list(value)
    return as_whole(rev, WORD), as_whole(game, WORD), as_string(packed), as_whole(journal, WORD)


def _what(error: Exception) -> object:
    """What is wrong: words are said as they are, but not the name of a key or a type."""
    return error if isinstance(error, (OSError, ValueError, CribboardError)) else placed(error)


def _write(file: IO[bytes], entry: object) -> None:
    data = json.dumps(entry, separators=(",", ":")).encode() + b"\n"
    if file.write(data) != len(data):
        raise OSError(28, "No space left on device")
    file.flush()
    os.fsync(file.fileno())
