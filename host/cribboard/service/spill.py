"""Files that keep what the history cannot take now, until it can, even after the program has ended."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from functools import reduce
from pathlib import Path

from cribboard.errors import CribboardError
from cribboard.files import append_line, parse_line, read_file
from cribboard.store.losses import TICK
from cribboard.store.report import MOST_EVENTS, Report
from cribboard.store.schema import BEGIN
from cribboard.typed import DAMAGE

NAME = "unwritten"  # a folder of each place
MOST_BYTES = 16 << 20  # a file of ours has 2 MB at most


def boards(places: Sequence[Path]) -> list[str]:
    """The uids of the boards that have such files."""
    return sorted({file.parent.name for place in places for file in (place / NAME).glob("*/*.jsonl")})


class Spill:
    """The files of one board, in the first of the places that can be written; only the first place may be made."""

    def __init__(self, places: Sequence[Path], uid: str) -> None:
        self._folders = [place / NAME / uid for place in places]
        self._places = places
        self._uid = uid
        self._file: Path | None = None  # the newest, while it can go on
        self._game: object = None  # whose events that one has
        self._events = 0
        self._left: set[Path] = set()  # written, but could not be removed
        self._heard = BEGIN  # the newest line

    def append(self, report: Report) -> None:
        """Write a report to a file; raises CribboardError when no place can be written."""
        if self._game != report.game or self._events + len(report.events) > MOST_EVENTS:
            self._file = None
        refused: CribboardError | None = None
        self._heard = max(datetime.now(UTC), self._heard + TICK)  # else nobody knew which came first
        for file in self._candidates():
            try:
                append_line(file, replace(report, heard=self._heard).to_json())
            except CribboardError as error:
                refused = refused or error
                self._file = None  # its last line may be torn
            else:
                self._events = len(report.events) + (self._events if file == self._file else 0)
                self._file, self._game = file, report.game
                return
        raise refused or CribboardError("there is no place for a second file")

    def _candidates(self) -> Iterator[Path]:
        if self._file is not None:
            yield self._file
        for place, folder in zip(self._places, self._folders, strict=True):
            if place == self._places[0] or place.is_dir():  # else a medium that was taken out
                yield folder / f"{self._next():08}.jsonl"

    def files(self) -> Iterator[Path]:
        """The files that wait, oldest first."""
        yield from sorted({*self._files()} - self._left, key=lambda file: file.name)

    def read(self, file: Path) -> tuple[Report | None, bool]:
        """A file's events as one report, None for none; and whether the file is damaged."""
        data = b"?\n"
        with suppress(OSError):
            if file.stat().st_size <= MOST_BYTES:
                data = read_file(file)
        # A last line without its end was cut off by a kill or a full disk.
        lines = [line for line in data[: data.rfind(b"\n") + 1].split(b"\n") if line]
        reports = [report for line in lines if (report := self._report(line)) is not None]
        fitting = [report for report in reports if report.game == reports[0].game]
        return reduce(Report.then, fitting) if fitting else None, len(fitting) < len(lines)

    def remove(self, file: Path, *, empty: bool = False, damaged: bool = False) -> str:
        """Remove a file that the history has, or rename a damaged one; returns a text for the user, if any.

        An `empty` one had nothing for the history: the disk was full.
        """
        if file == self._file:
            self._file = None
        renamed = file.with_suffix(".damaged")
        try:
            file.rename(renamed) if damaged else file.unlink()
        except OSError as error:
            self._left.add(file)
            if empty:
                return ""
            return f"{file} is in the history, but cannot be removed ({error.strerror}): remove it"
        return f"{renamed} is damaged: what could be read of it is in the history" if damaged else ""

    def _next(self) -> int:
        """A number above those of all files."""
        names = [file.stem for file in self._files()]
        return max((int(name) for name in names if name.isdecimal()), default=0) + 1

    def _files(self) -> Iterator[Path]:
        for folder in self._folders:
            with suppress(OSError):  # a medium that is broken must not keep the history from the others
                yield from [*folder.glob("*.jsonl")]

    def _report(self, line: bytes) -> Report | None:
        with suppress(*DAMAGE):
            report = Report.from_json(parse_line(line) or {})
            return report if report.uid == self._uid else None
        return None
