"""Writing the history in a thread of its own, so that a slow or broken store never keeps a board waiting.

What could not be written goes into a second file, or stays here if that cannot be written either, and is tried again
until the store has it.
"""

from __future__ import annotations

import queue
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from cribboard.amounts import amount
from cribboard.board.client import Board
from cribboard.board.messages import Event
from cribboard.errors import CribboardError, Notice
from cribboard.files import home
from cribboard.service.spill import Spill, boards
from cribboard.service.table import Table, TableEvent
from cribboard.store import Store
from cribboard.store.report import MOST_EVENTS, Report

AGAIN_S = 5.0
WAIT_S = 0.5  # for an event to be on the disk, before it is acknowledged without
FLUSH_S = 5.0  # at the end
KEPT = "a second file keeps what happens until it can"
KEEPS = "the history is not being written; play goes on, and what happens is added to it later"
FORGETS = "the kiosk cannot save what happens; play goes on, but a restart would forget it"


@dataclass(frozen=True)
class Trouble:
    """Why and since when the history cannot be written; `no_file`: why no second file can, empty if one can."""

    why: str
    since: datetime
    no_file: str = ""


class History:
    """Hands reports to a store in a thread of its own; `notices` are texts for the user.

    The second file lies in one of the `places`, folders of which the first may be made.
    """

    def __init__(self, store: Store, places: Sequence[Path] = (), again_s: float = AGAIN_S) -> None:
        self.notices: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._store = store
        self._places = places
        self._again_s = again_s
        self._news = threading.Condition()
        self._waiting: deque[Report] = deque()
        self._spills: dict[str, Spill] = {}  # by board
        self._writing = False
        self._trouble: Trouble | None = None
        self._dropped = 0  # events, since all was written last
        self._late = False  # the last one took too long, so nobody waits until all is written
        self._ending = False
        self._thread = threading.Thread(target=self._run, name="history", daemon=True)
        self._thread.start()

    def keep(self, report: Report) -> None:
        """Queue a report for writing."""
        with self._news:
            self._put(report)
            self._news.notify_all()

    @property
    def trouble(self) -> Trouble | None:
        """Why the history cannot be written, None when it can."""
        return self._trouble

    def written(self, wait_s: float) -> bool:
        """Whether everything is on the disk; waits up to `wait_s` for it, unless the history is in trouble or late."""
        with self._news:
            if not self._late:
                self._news.wait_for(lambda: self._trouble or self._done, wait_s)
            self._late = not self._done
            return self._done

    def close(self) -> None:
        """Write what is left, for at most FLUSH_S seconds."""
        with self._news:
            self._ending = True
            self._news.notify_all()
        self._thread.join(FLUSH_S)

    @property
    def _done(self) -> bool:
        return not (self._waiting or self._writing or self._trouble)

    def _put(self, report: Report, *, first: bool = False) -> None:
        """Queue a report, joined with a neighbour of the same game; drop the oldest events above MOST_EVENTS."""
        beside = self._waiting[0 if first else -1] if self._waiting else None
        if beside is not None and beside.game == report.game:
            if first:
                self._waiting[0] = report.then(beside)
            else:
                self._waiting[-1] = beside.then(report)
        elif first:
            self._waiting.appendleft(report)
        else:
            self._waiting.append(report)
        while len(self._waiting) > 1 and sum(len(each.events) for each in self._waiting) > MOST_EVENTS:
            gone = self._waiting.popleft()
            dropped = self._waiting[0].dropped + gone.dropped + len(gone.events)
            self._waiting[0] = replace(self._waiting[0], dropped=dropped)

    def _run(self) -> None:
        while True:
            with self._news:
                self._news.wait_for(lambda: self._waiting or self._trouble or self._ending)
                if not (self._waiting or self._trouble):
                    return
                report = self._waiting.popleft() if self._waiting else None
                self._writing = True
            try:
                dropped = self._write(report)
            except Exception as error:
                if not self._fail(report, error):
                    return
            else:
                self._succeed(dropped)

    def _write(self, report: Report | None) -> int:
        """Write the second files to the store, then this report; returns how many events were dropped."""
        if report is not None:
            self._spill(report.uid)
        dropped = sum(_write_back(self._store, spill, self.notices) or 0 for spill in self._spills.values())
        return dropped + (_keep(self._store, report) if report is not None else 0)

    def _spill(self, uid: str) -> Spill:
        return self._spills.setdefault(uid, Spill(self._places, uid))

    def _succeed(self, dropped: int) -> None:
        with self._news:
            self._writing = False
            self._dropped += dropped
            if not self._waiting:
                if self._trouble or self._dropped:
                    self.notices.put(f"the history is written again, with what was missed{_missing(self._dropped)}")
                self._trouble, self._dropped = None, 0
            self._news.notify_all()

    def _fail(self, report: Report | None, error: Exception) -> bool:
        """Write reports to the second file until the next try; False at the end."""
        ends = time.monotonic() + self._again_s
        while True:
            no_file = self._set_aside(report) if report is not None else ""
            with self._news:
                self._writing = False
                self._tell(_words(error), no_file)
                self._news.notify_all()
                while not (self._ending or (self._waiting and not no_file)):
                    if not self._news.wait(max(0.0, ends - time.monotonic())):
                        return True
                if no_file or not self._waiting:
                    return False
                report = self._waiting.popleft()

    def _set_aside(self, report: Report) -> str:
        """Write a report to the second file; returns why that failed, empty if it did not."""
        try:
            self._spill(report.uid).append(report)
        except Exception as error:
            with self._news:
                self._put(report, first=True)
            return _words(error)
        return ""

    def _tell(self, why: str, no_file: str) -> None:
        before = self._trouble
        self._trouble = Trouble(why, before.since if before else datetime.now(UTC), no_file)
        if before is None or bool(before.no_file) != bool(no_file):
            then = f"nor can a second file: {no_file}; the board keeps the newest events" if no_file else KEPT
            self.notices.put(Notice(f"the history cannot be written: {why}; {then}", FORGETS if no_file else KEEPS))


def write_left(store: Store, places: Sequence[Path]) -> list[str]:
    """Write what an earlier run left in second files; returns texts for the user."""
    notices: queue.SimpleQueue[str] = queue.SimpleQueue()
    for uid in boards(places):
        try:
            dropped = _write_back(store, Spill(places, uid), notices)
            if dropped is not None:
                notices.put(f"the history has what was missed of the board {uid}{_missing(dropped)}")
        except CribboardError as error:
            notices.put(f"what was missed of the board {uid} still has to go into the history: {error.message}")
    return [notices.get() for _ in range(notices.qsize())]


def _write_back(store: Store, spill: Spill, notices: queue.SimpleQueue[str]) -> int | None:
    """Write the second files of a board to the store; returns how many events had been dropped, None if none waited."""
    dropped = None
    for file in spill.files():
        report, damaged = spill.read(file)
        if report is not None:
            dropped = (dropped or 0) + _keep(store, report)
        if said := spill.remove(file, empty=report is None and not damaged, damaged=damaged):
            notices.put(Notice(said))
    return dropped


def _keep(store: Store, report: Report) -> int:
    store.keep(report)
    return report.dropped


def _missing(dropped: int) -> str:
    return f"; {amount(dropped, 'event')} found no room anywhere, and will be missing" if dropped else ""


def _words(error: Exception) -> str:
    return getattr(error, "message", "") or f"{type(error).__name__}: {error}"


class Record:
    """Has one board's games written: `start`, then `open` each time the board opens.

    `on_notice` gets texts for the user. While the history cannot be written, a file among the user's data keeps it, or
    else one in the folder `second`.
    """

    def __init__(self, store: Store | None, on_notice: Callable[[str], None], second: Path | None = None) -> None:
        self._store = store
        self._second = second
        self._on_notice = on_notice
        self._history: History | None = None

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
        self._keep(table.board, table.kept_events(), lost=table.board.losses > 0)

    def add(self, table: Table, fresh: Sequence[TableEvent], lost: bool, now: datetime) -> None:
        """Record what has happened; with `lost` the board has lost events."""
        if self._history is None:
            return
        heard = [replace(event, at=now) for event, _ in fresh if event is not None]
        if lost or len(heard) < len(fresh):
            # Something was not heard. The board may still keep it, so the history gets all that the board has: it takes
            # each event once.
            known = {event: event for event in heard}
            heard = [known.get(event, event) for event in table.board.events()]
        self._keep(table.board, heard, lost=lost)

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
        return None if self._history is None else self._history.written(WAIT_S)

    def _keep(self, board: Board, events: Sequence[Event], *, lost: bool) -> None:
        if self._history is not None:
            hello = board.hello
            self._history.keep(Report(hello.uid, hello.epoch, tuple(events), board.standing, board.names, lost))
