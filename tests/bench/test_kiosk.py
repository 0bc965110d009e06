"""What a house waits for: a tap until every phone shows it, an event on the disk, sixteen boards on one host."""

from __future__ import annotations

import json
import select
import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import quantiles

import pytest
from bench.table import OURS
from web.rig import Served, new_key, wait_until

from cribboard.board.answers import Row, Standing
from cribboard.service.news import News
from cribboard.store import open_store
from cribboard.web.finding import add_virtual
from cribboard.web.house import House, Tables
from cribboard.web.limits import Limits
from cribboard_core.events import PEG
from cribboard_core.match import Match

PHONES = 100
TAPS = 200
BOARDS = 16
P99_S = 0.05
GOAL = {"the goal for the p99": P99_S}
OPEN = Limits(writes=1e6, write_burst=1e6, reads=1e6, read_burst=1e6)
TAP = f"a tap, until all of {PHONES} phones have it"
EVENT = f"an event, told to {PHONES} streams"
COMMIT = "an event in the history, on the disk"
MANY = f"a tap with {BOARDS} boards busy, until its phone has it"


@dataclass
class Phones:
    """Streams read by one thread, so that what is measured is the kiosk and not a hundred threads here."""

    served: Served
    board: int = 1
    count: int = PHONES
    heard: dict[int, int] = field(default_factory=dict)  # phones by rev

    def __post_init__(self) -> None:
        self._sockets = [self._open(number) for number in range(self.count)]
        self._rest = {one.fileno(): b"" for one in self._sockets}
        self._all = threading.Condition()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._read)
        self._thread.start()

    def _open(self, number: int) -> socket.socket:
        one = socket.socket()
        one.bind((f"127.1.{self.board}.{1 + number}", 0))
        one.connect(("127.0.0.1", self.served.port))
        head = f"GET /api/boards/{self.board}/live HTTP/1.1\r\nHost: 127.0.0.1:{self.served.port}\r\n\r\n"
        one.sendall(head.encode())
        assert b"event: state" in one.recv(65536) + one.recv(65536)
        return one

    def _read(self) -> None:
        found = select.epoll()
        for one in self._sockets:
            found.register(one, select.EPOLLIN)
        by_number = {one.fileno(): one for one in self._sockets}
        while not self._over.is_set():
            for number, _ in found.poll(0.1):
                *events, self._rest[number] = (self._rest[number] + by_number[number].recv(65536)).split(b"\n\n")
                for event in events:
                    if b"event: happened" in event:
                        rev = json.loads(event.partition(b"data: ")[2].partition(b"\n")[0])["rev"]
                        with self._all:
                            self.heard[rev] = self.heard.get(rev, 0) + 1
                            self._all.notify()
        found.close()

    def wait(self, rev: int) -> None:
        """Until all have heard of an event."""
        with self._all:
            assert self._all.wait_for(lambda: self.heard.get(rev, 0) >= self.count, 10)

    def close(self) -> None:
        self._over.set()
        self._thread.join()
        for one in self._sockets:
            one.close()


@contextmanager
def serving(folder: Path, boards: int) -> Iterator[Served]:
    """A kiosk with so many virtual boards, at games to 241 that no tap here wins."""
    store = open_store(f"sqlite:///{folder}/kiosk.db")
    house = House(Tables(folder), store)
    try:
        for number in range(1, boards + 1):
            add_virtual(house, f"bench-{number}")
        wait_until(lambda: all(service.view.standing for service in house.services.values()))
        with Served(house, folder, OPEN) as served:
            yield served
    finally:
        house.stop()
        store.close()


class Tapper:
    """A phone's finger: its order goes over HTTP, by turns for the two sides, back to the start when near home."""

    def __init__(self, served: Served, stack: ExitStack, board: int = 1) -> None:
        self.client = stack.enter_context(served.client())
        self.path = f"/api/boards/{board}"
        token = served.kiosk.invites.newest(board).token
        assert self.client.post("/api/pair", json={"token": token}).status_code == 200
        self.order(do="new", target=241, names=[])
        self.taps = 0

    def order(self, **order: object) -> int:
        """An order; gives its rev."""
        answer = self.client.post(f"{self.path}/orders", json={"key": new_key(), **order})
        assert answer.status_code == 200, answer.text
        return int(answer.json()["rev"])

    def tap(self) -> int:
        """A point."""
        self.taps += 1
        if self.taps % 400 == 0:
            self.order(do="new", target=241, names=[])
        return self.order(do="peg", side=1 + self.taps % 2, points=1)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CRIBBOARD_HOME", str(tmp_path))
    return tmp_path


def test_a_tap(timed, benchmark, home):
    with serving(home, 1) as served, ExitStack() as stack:
        tapper = Tapper(served, stack)
        phones = Phones(served)
        stack.callback(phones.close)
        timed(TAP, OURS, lambda: phones.wait(tapper.tap()), rounds=TAPS, waits=True, p99=True, limits=GOAL)
        if benchmark.enabled:
            assert quantiles(benchmark.stats.stats.data, n=100)[98] < 5 * P99_S  # more is broken on any machine


def test_an_event(timed, home):
    with serving(home, 1) as served, ExitStack() as stack:
        phones = Phones(served)
        stack.callback(phones.close)
        channel = served.live.channels[1]
        revs = iter(range(10**6, 10**7))

        def tell() -> None:
            rev = next(revs)
            data = {"rev": rev, "kind": "peg", "side": 1, "points": 1, "text": "Ann pegs 1: 9."}
            channel.tell(News(rev, "happened", data))
            phones.wait(rev)

        timed(EVENT, OURS, tell, rounds=TAPS, waits=True, p99=True)


def test_a_commit(timed, home):
    store = open_store(f"sqlite:///{home}/kiosk.db")
    standing = Standing.of(Match(241, 3, 2, 0, (91, 61)))
    revs = iter(range(1, 10**6))

    def keep() -> None:
        rev = next(revs)
        store.keep("e6", 1, rev, [Row(rev, PEG, rev % 2, 1, 0, 0)], replace(standing, rev=rev), {0: "Ann", 1: "Bob"})

    try:
        timed(COMMIT, OURS, keep, rounds=TAPS, waits=True, p99=True)
    finally:
        store.close()


def test_many_boards(timed, benchmark, home):
    with serving(home, BOARDS if benchmark.enabled else 2) as served, ExitStack() as stack:
        numbers = sorted(served.kiosk.house.services)
        tappers = [Tapper(served, stack, number) for number in numbers]
        phones = [Phones(served, number, 1) for number in numbers]
        for one in phones:
            stack.callback(one.close)
        over = threading.Event()
        busy = [threading.Thread(target=_tap_on, args=(tapper, over)) for tapper in tappers[1:]]
        for thread in busy:
            thread.start()
        try:
            timed(MANY, OURS, lambda: phones[0].wait(tappers[0].tap()), rounds=TAPS, waits=True, p99=True)
        finally:
            over.set()
            for thread in busy:
                thread.join()


def _tap_on(tapper: Tapper, over: threading.Event) -> None:
    """One tap a second, more than a table of quick players makes."""
    while not over.wait(1):
        tapper.tap()
