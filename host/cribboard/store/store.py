"""The history of a house: what its boards say is kept, looked at, put right, and carried elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from types import MappingProxyType

from cribboard.board.answers import Row, Standing
from cribboard.store.database import Database
from cribboard.store.fold import Note
from cribboard.store.keep import Keeping

NOTHING: Mapping[int, Note] = MappingProxyType({})
Now = Callable[[], datetime]


def now() -> datetime:
    """The time."""
    return datetime.now(UTC)


class Store:
    """The history in a database; may be used by several threads, and by several programs at once.

    Whatever fails raises StoreError, and then nothing of what was asked for has been done. `notices` are what whoever
    runs the house must be told of how it was opened.
    """

    def __init__(self, database: Database, clock: Now = now, notices: Sequence[str] = ()) -> None:
        self.notices = tuple(notices)
        self._database = database
        self._now = clock

    def keep(
        self,
        board: str,
        epoch: int,
        newest: int,
        rows: Sequence[Row],
        standing: Standing,
        names: Mapping[int, str],
        notes: Mapping[int, Note] = NOTHING,
    ) -> None:
        """Write down what a board has said: it is on the disk when this returns, all of it.

        `board` and `epoch` are the board's uid and journal, `newest` the number of its newest event, `standing` how the
        match stands after that, `names` who plays it, by place. `rows` may repeat events, leave some out (a gap), and
        bring those that were left out before. `notes` are what the host knows of events, by their numbers.
        """
        with self._database.writing() as connection:
            Keeping(connection, board, epoch, self._now()).keep(newest, rows, standing, names, notes)

    def close(self) -> None:
        """Let go of the database."""
        self._database.close()
