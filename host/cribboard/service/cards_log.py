"""A deal that outlives the program: the lines of which it is the fold are in a file beside the board's ledger.

It is appended and not forced to the disk: the points are the board's and the ledger's, and a power cut of the host can
cost no more than the newest cards. What an order shows is in the ledger until its event is known; so a kill costs none.
A file that cannot be read is set aside, and a new one is started.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from cribboard.board.messages import Event
from cribboard.errors import CribboardError, Notice
from cribboard.files import atomic_write, from_json, only_owners, read_file, write_errors
from cribboard.json_types import Json
from cribboard.referee.shown import Record, Shown, as_record
from cribboard.service.cards import Deal
from cribboard.typed import DAMAGE, Unfit, as_list, placed

NAME = "cards.jsonl"
FORMAT = 3


class KeptDeal(Deal):
    """The deal at one board; `epoch` is its journal's, `events` are its newest, `rev` the newest of all.

    `shown` gives what the order has shown that made an event. If the board has `lost` events, what was noted by their
    numbers does not count. A program that only looks does not `keep` what happens, since the file is that of the
    program which has the board.
    """

    def __init__(
        self,
        folder: Path,
        epoch: int,
        rev: int,
        events: Sequence[Event],
        *,
        shown: Callable[[Event], Sequence[Shown]] = lambda event: (),
        lost: bool = False,
        keep: bool = True,
    ) -> None:
        super().__init__()
        self._path = folder / NAME
        self._keep = keep
        self._epoch = epoch
        self._count = 0  # lines in the file
        self.unwritten: CribboardError | None = None  # why the newest lines are not in the file
        self.broken: Notice | None = None  # why the file was not read
        missed = None if lost else self._read(rev, events)
        if missed is None:
            super().__init__()
            self.start_journal(epoch)
        for event in events if missed is None else missed:
            self.heard(event, shown(event))

    def heard(self, event: Event | None, shown: Sequence[Shown] = ()) -> None:
        """Follow an event of the board, None when it is not known what happened; one that comes again is ignored."""
        if event is None:
            self.missed()
        elif event.rev > self.rev:
            self.happened(event.rev, event.as_folded, shown)

    def take(self, line: Record) -> None:
        """Take in a line, and append it to the file."""
        super().take(line)
        if self._count >= len(self.lines) or self.unwritten is not None:
            self._write()  # the file is to be shorter; or has a gap, since something failed
        else:
            self._try(lambda: self._put(self._path, "a", [line]))

    def start_journal(self, epoch: int) -> None:
        """Forget what was noted by rev: the board has started another journal."""
        self.begin()
        self._epoch = epoch
        self._write()

    def _read(self, rev: int, events: Sequence[Event]) -> list[Event] | None:
        """The events since the last line of the file; None without one, or one that does not lead up to them.

        One that cannot be read is set aside, unless it is another program's.
        """
        try:
            return self._missed(rev, events)
        except FileNotFoundError:
            return None
        except (OSError, *DAMAGE) as error:
            what = error if isinstance(error, OSError) else placed(error)
            aside = self._path.with_name("cards.broken")
            kept = ""
            if self._keep:
                with suppress(OSError):
                    self._path.replace(aside)
                    kept = f"; it is now {aside}"
            again = "so cards that were shown in this deal may be asked for again"
            self.broken = Notice(
                f"the file of the cards, {self._path}, cannot be read ({what}){kept}, {again}",
                f"the kiosk's note of this deal's cards cannot be read, {again}",
            )
            return None

    def _missed(self, rev: int, events: Sequence[Event]) -> list[Event] | None:
        """The events since the last line of the file; None when the file does not lead up to them."""
        text = read_file(self._path).decode("utf-8-sig")
        head, *lines = _numbered(text[: text.rfind("\n") + 1])
        if as_list(head)[:2] != [FORMAT, self._epoch]:
            return None
        _, _, base = as_list(head)
        self.start(base)
        for number, line in enumerate(lines, 2):
            try:
                super().take(as_record(line))
            except DAMAGE as error:
                raise placed(error, f"line {number}") from error
        missed = [event for event in events if event.rev > self.rev]
        # The journal keeps too little: between the file and its oldest event something happened that nobody saw.
        if rev != self.rev and (not missed or missed[0].rev != self.rev + 1):
            return None
        self._count = len(lines)
        # A kill has cut the last line off: written again, the next one does not run into it.
        if not text.endswith("\n"):
            self._write()
        return missed

    def _write(self) -> None:
        def write() -> None:
            with atomic_write(self._path) as fresh:
                self._put(fresh, "w", [[FORMAT, self._epoch, self.base], *self.lines])

        self._try(write)

    def keep_again(self) -> None:
        """Write what could not be written, if there is anything."""
        if self.unwritten is not None:
            self._write()

    def _put(self, path: Path, how: str, lines: Sequence[Record]) -> None:
        only_owners(path)
        with path.open(how, encoding="utf-8") as file:
            file.write("".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines))

    def _try(self, write: Callable[[], None]) -> None:
        if not self._keep:
            return
        try:
            with write_errors(self._path):
                write()
        except CribboardError as error:
            self.unwritten = error
        else:
            self.unwritten = None
            self._count = len(self.lines)


def _numbered(text: str) -> list[Json]:
    """The values of lines of JSON; an error names the line that cannot be read."""
    values: list[Json] = []
    for number, line in enumerate(text.splitlines(), 1):
        try:
            values.append(from_json(line))
        except DAMAGE as error:
            raise Unfit("it is not JSON", f"line {number}") from error
    return values
