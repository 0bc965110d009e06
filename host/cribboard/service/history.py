"""Writing the history in a thread of its own, so that a slow or broken store never keeps a board waiting.

What could not be written stays here, and is tried again until it is.
"""

from __future__ import annotations

import queue
import threading
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from cribboard.board.answers import Row, Standing

AGAIN_S = 5.0
WAIT_S = 0.5  # for an event to be on the disk, before it is acknowledged without
FLUSH_S = 5.0  # at the end
MOST_ROWS = 1000  # kept unwritten; the board's journal has the newest 300 anyway


class Store(Protocol):
    """What keeps the history."""

    def keep(
        self,
        board: str,
        epoch: int,
        newest: int,
        rows: Sequence[Row],
        standing: Standing,
        names: Mapping[int, str],
        notes: Mapping[int, Any] = ...,
        *,
        lost: bool = ...,
    ) -> None:
        """Put events on the disk."""


@dataclass(frozen=True)
class Batch:
    """Events of one journal, and how the match stands after the newest; `lost` if the board has lost some since."""

    uid: str
    epoch: int
    rows: tuple[Row, ...]
    standing: Standing
    names: Mapping[int, str]
    notes: Mapping[int, Any]
    lost: bool = False

    def then(self, later: Batch) -> Batch:
        """Both as one."""
        ends = min((row.rev for row in later.rows), default=later.standing.rev + 1) if later.lost else None
        mine = self.rows if ends is None else tuple(row for row in self.rows if row.rev < ends)
        rows = (*mine, *later.rows)[-MOST_ROWS:]
        kept = {row.rev for row in rows}
        notes = {rev: note for rev, note in {**self.notes, **later.notes}.items() if rev in kept}
        return Batch(self.uid, self.epoch, rows, later.standing, later.names, notes, self.lost or later.lost)


class History:
    """Hands batches to a store; `notices` is what a user should be told about it."""

    def __init__(self, store: Store, again_s: float = AGAIN_S) -> None:
        self.notices: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._store = store
        self._again_s = again_s
        self._news = threading.Condition()
        self._waiting: deque[Batch] = deque()
        self._writing = False
        self._failed = False
        self._late = False  # the last one took too long, so nobody waits until all is written
        self._ending = False
        self._thread = threading.Thread(target=self._run, name="history", daemon=True)
        self._thread.start()

    def keep(self, batch: Batch) -> None:
        """Have it written."""
        with self._news:
            last = self._waiting[-1] if self._waiting else None
            if last is not None and (last.uid, last.epoch) == (batch.uid, batch.epoch):
                self._waiting[-1] = last.then(batch)
            else:
                self._waiting.append(batch)
            self._news.notify_all()

    def written(self, wait_s: float = WAIT_S) -> bool:
        """Whether all is on the disk; waits a little for it, unless there is no hope."""
        with self._news:
            if not self._late:
                self._news.wait_for(lambda: self._failed or self._done, wait_s)
            self._late = not self._done
            return self._done

    def close(self) -> None:
        """Write what is left, if that can be done soon."""
        with self._news:
            self._ending = True
            self._news.notify_all()
        self._thread.join(FLUSH_S)

    @property
    def _done(self) -> bool:
        return not self._waiting and not self._writing

    def _run(self) -> None:
        while True:
            with self._news:
                self._news.wait_for(lambda: self._waiting or self._ending)
                if not self._waiting:
                    return
                batch = self._waiting.popleft()
                self._writing = True
            try:
                told = (batch.rows, batch.standing, batch.names, batch.notes)
                self._store.keep(batch.uid, batch.epoch, batch.standing.rev, *told, lost=batch.lost)
            except Exception as error:
                if not self._fail(batch, error):
                    return
            else:
                self._succeed()

    def _succeed(self) -> None:
        with self._news:
            self._writing = False
            if self._failed:
                self.notices.put("the history is written again, with what was missed")
            self._failed = False
            self._news.notify_all()

    def _fail(self, batch: Batch, error: Exception) -> bool:
        """Put it back and wait before the next try; False at the end."""
        with self._news:
            self._writing = False
            then = self._waiting[0] if self._waiting else None
            if then is not None and (then.uid, then.epoch) == (batch.uid, batch.epoch):
                batch = batch.then(self._waiting.popleft())
            self._waiting.appendleft(batch)
            if not self._failed:
                said = getattr(error, "message", "") or f"{type(error).__name__}: {error}"
                self.notices.put(f"the history cannot be written: {said}; the board keeps the game")
            self._failed = True
            self._news.notify_all()
            return not self._news.wait_for(lambda: self._ending, self._again_s)
