"""Corrects times when the clock is set during games, so that no game seems to last a year."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import datetime, timedelta
from threading import Lock

from sqlalchemy import BigInteger, Connection, type_coerce, update

from cribboard.store.schema import Moment, boards, corrections, events, games, lost, spans

LEAST = timedelta(minutes=2)  # clocks drift less, and are put right by less, all the time
Steady = Callable[[], float]


def uptime() -> float:
    """Seconds of a clock that nobody can set; it runs on during sleep where the system has such a clock."""
    return time.clock_gettime(time.CLOCK_BOOTTIME) if hasattr(time, "CLOCK_BOOTTIME") else time.monotonic()


class SteadyTime:
    """Unix time as it was known at the start, and the seconds since by a clock that nobody can set."""

    def __init__(self, wall: Steady = time.time, steady: Steady = uptime) -> None:
        self._steady = steady
        self._started = wall() - steady()

    def __call__(self) -> float:
        return self._started + self._steady()


class Jumps:
    """Compares the clock with a steady one at each write, and corrects the times written since the start."""

    def __init__(self, steady: Steady, at: datetime) -> None:
        self._steady = steady
        self._since = self._last = at
        self._stood = steady()
        self._boards: set[str] = set()  # those of this program; others have clocks of their own
        self._lock = Lock()

    def look(self, connection: Connection, board: str, at: datetime) -> None:
        """Look at the clock, which says `at`, before something of a board is written."""
        with self._lock:
            stood = self._steady()
            jump = at - self._last - timedelta(seconds=stood - self._stood)
            since, until = self._since, self._last
            self._last, self._stood = at, stood
            self._boards.add(board)
            if abs(jump) < LEAST:
                return
            # What was written up to now moves below, and its beginning with it: the next jump has to find all of it.
            self._since += jump
            ours = sorted(self._boards)
        whole = (games, games.c.board), (events, events.c.board), (boards, boards.c.uid), (spans, spans.c.board)
        for table, whose in (*whole, (lost, lost.c.board), (corrections, corrections.c.board)):
            for column in (column for column in table.c if isinstance(column.type, Moment)):
                moved = type_coerce(column, BigInteger) + jump // timedelta(milliseconds=1)
                written = whose.in_(ours) & column.between(since, until)
                connection.execute(update(table).where(written).values({column: type_coerce(moved, Moment)}))
