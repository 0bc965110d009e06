"""What the house keeps of one board: its games in the history, its winners in the record of results."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from cribboard.board.answers import Row
from cribboard.board.client import Board
from cribboard.errors import TransportError
from cribboard.files import home
from cribboard.results import Results
from cribboard.service.batch import Batch
from cribboard.service.history import History, Store, Trouble
from cribboard.service.table import Table, Told


class Record:
    """The records of one board: `start`, then `open` each time the board opens. `on_notice` gets texts for the user.

    While the history cannot be written, a file among the user's data keeps it, or else one in the folder `second`.
    """

    def __init__(self, store: Store | None, on_notice: Callable[[str], None], second: Path | None = None) -> None:
        self._store = store
        self._second = second
        self._on_notice = on_notice
        self._history: History | None = None
        self._results: Results | None = None

    def start(self) -> None:
        """Start writing, if there is a store."""
        if self._store is not None:
            self._history = History(self._store, [home(), *([self._second] if self._second else [])])

    def close(self) -> None:
        """Write what is left, for at most a few seconds."""
        if self._history is not None:
            self._history.close()
            self._history = None

    def open(self, table: Table) -> None:
        """Record the events that an opened board has kept."""
        self._results = Results(table.board, self._on_notice)
        self._keep(table.board, table.rows, {}, lost=table.board.losses > 0)

    def add(self, table: Table, fresh: Sequence[Told], anew: bool, now: datetime) -> None:
        """Record what has happened; with `anew` the board has lost events."""
        self._look_at_results(table.board, anew)
        heard = [(told, told.happened.row) for told in fresh if told.happened.row is not None]
        lost = anew or len(heard) < len(fresh)
        notes = {row.rev: _note(table, told, now) for told, row in heard} if self._history is not None else {}
        self._keep(table.board, table.board.events() if lost else [row for _, row in heard], notes, lost=anew)

    def pass_on(self) -> None:
        """Pass on the notices of the history's thread."""
        while self._history is not None and not self._history.notices.empty():
            self._on_notice(self._history.notices.get())

    @property
    def trouble(self) -> Trouble | None:
        """Why the history cannot be written, or None; also None without a history."""
        return None if self._history is None else self._history.trouble

    def written(self) -> bool | None:
        """Whether everything is on the disk, None without a history; waits a little for it."""
        return None if self._history is None else self._history.written()

    def _keep(self, board: Board, rows: Sequence[Row], notes: Mapping[int, Any], *, lost: bool) -> None:
        if self._history is not None:
            self._history.keep(
                Batch(board.hello.uid, board.hello.epoch, tuple(rows), board.standing, board.names, notes, lost)
            )

    def _look_at_results(self, board: Board, anew: bool) -> None:
        assert self._results is not None  # noqa: S101 (the board is open)
        with contextlib.suppress(TransportError):
            if anew:
                self._results = Results(board, self._on_notice)
            self._results.look()


def _note(table: Table, told: Told, now: datetime) -> Any:
    from cribboard.store import Note

    cards, starter = table.note(told)
    return Note(cards=cards, starter=starter, by=told.by, text=told.entry["text"].removesuffix(told.asked), at=now)
