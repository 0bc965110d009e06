"""The history is written beside the game: a store that is slow or broken delays nothing and loses nothing."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from cribboard.board.messages import Event, Standing
from cribboard.errors import CribboardError
from cribboard.service.spill import Spill
from cribboard.service.writer import History
from cribboard.store.report import MOST_EVENTS, Report
from cribboard_core.match import Match

PATIENCE_S = 10.0
UID = "e6614c311b4f2a2f"


class Shelf:
    """A store that fails or hangs as a test wants."""

    def __init__(self) -> None:
        self.kept: list[tuple[str, int, int, list[int], dict[int, Any]]] = []
        self.error: Exception | None = None
        self.free = threading.Event()
        self.free.set()
        self.tried = threading.Semaphore(0)

    def keep(self, report: Report) -> None:
        self.free.wait(PATIENCE_S)
        self.tried.release()
        if self.error is not None:
            raise self.error
        revs = [event.rev for event in report.events]
        self.kept.append((report.uid, report.epoch, report.standing.rev, revs, known(report.events)))


def event(rev: int, points: int = 1) -> Event:
    known = {"by": f"phone {rev}", "text": f"Blue pegs {rev}."}
    return Event(rev, 2, 0, points, 0, 0, **known, at=datetime(2026, 3, 2, 20, tzinfo=UTC))


def known(events: Iterable[Event]) -> list[tuple[int, str, str]]:
    """What the host knows of events, by rev."""
    return [(event.rev, event.by, event.text) for event in events if event.by]


def report(*revs: int, epoch: int = 1) -> Report:
    match = Match()
    match.rev = revs[-1]
    return Report(UID, epoch, tuple(map(event, revs)), Standing.of(match), {0: "Ann"})


@contextmanager
def writing(shelf: Any, again_s: float = 0.01, places: Sequence[Path] = ()) -> Iterator[History]:
    history = History(shelf, places, again_s)
    try:
        yield history
    finally:
        getattr(shelf, "free", threading.Event()).set()
        history.close()
        assert not history._thread.is_alive()


def test_what_is_kept_is_on_the_disk_when_it_is_said_to_be() -> None:
    shelf = Shelf()
    with writing(shelf) as history:
        assert history.written(0)
        history.keep(report(1))
        assert history.written(PATIENCE_S)
        assert shelf.kept == [(UID, 1, 1, [1], [(1, "phone 1", "Blue pegs 1.")])]


def test_a_store_that_hangs_is_waited_for_once_and_gets_the_rest_at_once() -> None:
    shelf = Shelf()
    shelf.free.clear()
    with writing(shelf) as history:
        history.keep(report(1))
        assert not history.written(0.05)
        history.keep(report(2))
        history.keep(report(3))
        began = time.monotonic()
        assert not history.written(PATIENCE_S)  # at once
        assert time.monotonic() - began < PATIENCE_S / 2
        shelf.free.set()
        for _ in range(2):
            assert shelf.tried.acquire(timeout=PATIENCE_S)
    assert [kept[2:4] for kept in shelf.kept] == [(1, [1]), (3, [2, 3])]


def test_what_a_board_has_lost_before_it_was_written_is_not_written() -> None:
    both = report(1, 2, 3).then(replace(report(1, 2), lost=True))
    assert ([event.rev for event in both.events], both.standing.rev, both.lost) == ([1, 2], 2, True)
    assert [rev for rev, *_ in known(both.events)] == [1, 2]
    assert both.then(report(3)).lost
    for points, revs in ((9, [1]), (1, [1, 2])):
        again = replace(report(2), events=(Event(2, 2, 0, points, 0, 0),), lost=True)  # of which nothing else is known
        assert [rev for rev, *_ in known(report(1, 2, 3).then(again).events)] == revs
    gone = report(1, 2, 3).then(replace(report(1), events=(), lost=True))
    assert [event.rev for event in gone.events] == [1]


def test_a_store_that_fails_is_told_once_and_tried_again_until_all_is_written() -> None:
    shelf = Shelf()
    shelf.error = CribboardError("the disk is full", "make room")
    with writing(shelf) as history:
        history.keep(report(1))
        assert not history.written(PATIENCE_S)
        history.keep(report(2))
        history.keep(report(1, epoch=2))
        for _ in range(3):
            assert shelf.tried.acquire(timeout=PATIENCE_S)
        assert history.notices.get(timeout=PATIENCE_S) == (
            "the history cannot be written: the disk is full; nor can a second file: "
            "there is no place for a second file; the board keeps the newest events"
        )
        assert history.notices.empty()
        shelf.error = None
        assert history.notices.get(timeout=PATIENCE_S) == "the history is written again, with what was missed"
        history._late = False
        assert history.written(PATIENCE_S)
    assert [kept[1:4] for kept in shelf.kept] == [(1, 2, [1, 2]), (2, 1, [1])]


def test_a_mistake_of_the_store_is_told_too() -> None:
    shelf = Shelf()
    shelf.error = RuntimeError("boom")
    with writing(shelf, 60.0) as history:
        history.keep(report(1))
        assert "RuntimeError: boom" in history.notices.get(timeout=PATIENCE_S)


def test_a_store_that_fails_has_some_time_until_it_is_tried_again() -> None:
    shelf = Shelf()
    shelf.error = CribboardError("the disk is full", "make room")
    with writing(shelf, 60.0) as history:
        history.keep(report(1))
        assert shelf.tried.acquire(timeout=PATIENCE_S)
        history.notices.get(timeout=PATIENCE_S)
        assert not shelf.tried.acquire(timeout=0.1)


def test_a_second_file_has_no_more_events_than_can_be_read_at_once(tmp_path: Path) -> None:
    spill = Spill([tmp_path], UID)
    reports = [report(*range(1, 600)), report(*range(600, MOST_EVENTS + 1)), report(MOST_EVENTS + 1)]
    for one in reports:
        spill.append(one)
    read = [spill.read(file)[0] for file in spill.files()]
    assert [len(part.events) for part in read if part] == [MOST_EVENTS, 1]


def test_only_so_much_is_kept_unwritten_and_the_newest_of_it() -> None:
    all_of_it = report(*range(1, MOST_EVENTS)).then(report(MOST_EVENTS, MOST_EVENTS + 1))
    assert [all_of_it.events[0].rev, all_of_it.events[-1].rev] == [2, MOST_EVENTS + 1]
    assert len(known(all_of_it.events)) == MOST_EVENTS
    assert all_of_it.dropped == 1
    assert all_of_it.standing.rev == MOST_EVENTS + 1
