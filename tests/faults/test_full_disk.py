"""A kiosk whose disk is full or has become read-only: play goes on, and guests read nothing of the computer."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
from rigs import wired
from rigs.disk import Disk, can_mount, limited, mounted
from web.rig import PATIENCE_S, new_key, wait_until

from cribboard.board.client import Board
from cribboard.service.table import Table
from cribboard.service.writer import FORGETS, KEEPS
from cribboard.sim.board import VirtualBoard

SCRIPT = Path(sys.executable).with_name("cribboard")
MARK = "secret-folder"  # in the path of everything that the kiosk keeps
PAGES = ("/api/boards", "/api/boards/1", "/api/pub", "/api/tonight", "/api/games", "/api/boards/1/game", "/api/me")


class House:
    """A kiosk as a program, at a board that is no part of its disk."""

    def __init__(self, home: Path, port: str, *options: str) -> None:
        self.home = home
        self.said: list[str] = []  # all that guests were told
        command = [str(SCRIPT), "kiosk", "--json", "--web-port", "0", "--host", "127.0.0.1", "--port", port, *options]
        environment = {**os.environ, "CRIBBOARD_HOME": str(home)}
        self.process = subprocess.Popen(
            command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        assert self.process.stdout is not None
        assert self.process.stderr is not None
        line = self.process.stdout.readline()
        assert line, self.process.stderr.read()
        self.started = json.loads(line)
        self._clients: list[httpx2.Client] = []
        self.staff = self.client("127.0.0.1")
        wait_until(lambda: any(one["board"]["away"] is None for one in self.get("/api/boards")["boards"]))

    def client(self, address: str) -> httpx2.Client:
        """A device at an address of its own."""
        transport = httpx2.HTTPTransport(local_address=address)
        headers = {"Origin": self.started["local"]}
        made = httpx2.Client(transport=transport, base_url=self.started["local"], headers=headers, timeout=PATIENCE_S)
        self._clients.append(made)
        return made

    def newcomer(self, address: str) -> httpx2.Client:
        """A phone that joins now, by the code on the screen."""
        phone = self.client(address)
        token = self.get("/api/boards/1/invite")["url"].partition("#t=")[2]
        assert phone.post("/api/pair", json={"token": token}).json() == {"role": "player", "board": 1}
        return phone

    def get(self, path: str, client: httpx2.Client | None = None) -> Any:
        return (client or self.staff).get(path).json()

    def order(self, client: httpx2.Client, **order: Any) -> httpx2.Response:
        """What a phone orders; the answer is kept for `hear`."""
        fields = {"key": new_key(), "do": "peg", "side": 1, "points": 3, **order}
        fields = {name: value for name, value in fields.items() if value is not None}
        answer = client.post("/api/boards/1/orders", json=fields)
        self.said.append(answer.text)
        return answer

    def look(self, client: httpx2.Client) -> None:
        """Keep all that a guest may ask for, as JSON and as pages."""
        for path in PAGES:
            for accept in ("application/json", "text/html"):
                self.said.append(client.get(path, headers={"Accept": accept}).text)

    @contextmanager
    def heard(self, client: httpx2.Client) -> Iterator[Iterator[str]]:
        """The lines of a stream, which are kept too."""
        with client.stream("GET", "/api/boards/1/live") as stream:

            def lines() -> Iterator[str]:
                for line in stream.iter_lines():
                    self.said.append(line)
                    yield line

            yield lines()

    def enter(self) -> None:
        """The staff's PIN is entered."""
        assert self.staff.post("/api/staff", json={"pin": PIN}).status_code == 200

    def kill(self) -> None:
        """As a power cut ends it."""
        self.process.kill()
        self.process.communicate()
        for client in self._clients:
            client.close()

    @property
    def front(self) -> int:
        return int(self.get("/api/boards/1")["sides"][0]["front"])


PIN = ""


@pytest.fixture
def board(tmp_path_factory: pytest.TempPathFactory) -> Iterator[VirtualBoard]:
    """A board of its own for each test: its game must not end."""
    with VirtualBoard(folder=tmp_path_factory.mktemp("board")) as board:
        yield board


@pytest.fixture
def starts(board: VirtualBoard) -> Iterator[Callable[..., House]]:
    """Starts kiosks, one after the other, in a folder."""
    with ExitStack() as stack:

        def start(home: Path, *options: str) -> House:
            global PIN
            house = House(home, board.port, *options)
            stack.callback(house.kill)
            PIN = house.started.get("pin", PIN)
            house.enter()
            return house

        yield start


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Disk]:
    if not can_mount():
        pytest.skip("only root may mount a disk; the tests with a limit stand in for it")
    with mounted(tmp_path / MARK) as disk:
        yield disk


def check_guests(house: House) -> None:
    """Nothing that a guest was told says where the kiosk keeps its files, or how it reaches its board."""
    shown = "\n".join(house.said)
    assert len(shown) > 1000
    for private in (MARK, str(house.home), "/dev/", "/tmp", "kiosk.db", ".json", "sqlite", "Errno", "CRIBBOARD_HOME"):
        assert private not in shown, shown[max(0, shown.find(private) - 300) :][:600]


def test_on_a_full_disk_play_goes_on_and_a_kill_and_a_restart_lose_no_order(disk: Disk, starts: Any) -> None:
    house = starts(disk.folder / "home")
    phone = house.newcomer("127.0.0.2")
    assert house.order(phone).status_code == 200
    with house.heard(phone) as lines:
        disk.fill()
        before, keys = house.front, [new_key() for _ in range(6)]
        answers = [house.order(phone, key=key, points=1) for key in keys]
        assert [answer.status_code for answer in answers] == [200] * 6
        assert house.front == before + 6
        other = house.newcomer("127.0.0.3")
        assert other.post("/api/me", json={"name": "Zoë", "side": 2}).status_code == 200
        assert house.order(other, side=2, points=1).status_code == 200
        for card in ("5H", "TD"):
            house.order(phone, do="play", card=card, points=None)
        next(line for line in lines if "event: notice" in line)
    wait_until(lambda: house.get("/api/pub")["notice"] == {"text": FORGETS, "hint": "tell the staff"})
    house.look(phone)
    check_guests(house)
    status = house.get("/api/house")
    assert str(disk.folder) in json.dumps(status["unsaved"] + status["unwritten"])
    for path, chosen in (("/api/quiet", {"begins": "22:00", "ends": "09:00"}), ("/api/pub", {"odds": True})):
        before = house.get(path)
        refused = house.staff.post(path, json=chosen)
        assert (refused.status_code, house.get(path)) == (409, before)
        assert str(disk.folder) in refused.json()["error"]["message"]
        assert "make room" in refused.json()["error"]["hint"]
    before = house.front
    last = new_key()
    rev = house.order(phone, key=last, points=2).json()["rev"]
    cookies = dict(phone.cookies)
    house.kill()

    again = starts(disk.folder / "home")
    assert again.front == before + 2
    phone = again.client("127.0.0.2")
    phone.cookies.update(cookies)
    assert again.order(phone, key=last, points=2).json()["rev"] == rev
    assert again.front == before + 2
    for key, answer in zip(keys, answers, strict=True):
        assert again.order(phone, key=key, points=1).json()["rev"] == answer.json()["rev"]
    assert again.order(phone, points=1).status_code == 200
    assert again.order(again.newcomer("127.0.0.4"), side=2, points=4).status_code == 200
    assert again.front == before + 3
    begun = phone.post("/api/boards/1/computer", json={"begin": "learner"})
    assert (begun.status_code, begun.json()["mine"]) == (200, True)
    assert phone.post("/api/boards/1/computer", json={"stop": True}).status_code == 200
    again.look(phone)
    check_guests(again)

    disk.empty()
    wait_until(lambda: again.order(phone, do="peg", side=2, points=1).json()["kept"])
    wait_until(lambda: again.get("/api/pub")["notice"] is None)
    assert again.get("/api/house")["unsaved"] == []


def test_on_a_read_only_disk_play_goes_on_from_memory_and_a_kiosk_starts(disk: Disk, starts: Any) -> None:
    house = starts(disk.folder / "home")
    phone = house.newcomer("127.0.0.2")
    assert house.order(phone).status_code == 200
    cookies = dict(phone.cookies)
    house.kill()
    disk.read_only()
    again = starts(disk.folder / "home")
    phone = again.client("127.0.0.2")
    phone.cookies.update(cookies)
    before, key = again.front, new_key()
    assert again.order(phone, key=key, points=1).status_code == 200
    assert again.order(phone, key=key, points=1).status_code == 200
    assert again.order(again.newcomer("127.0.0.3"), points=2).status_code == 200
    assert again.front == before + 3
    wait_until(lambda: again.get("/api/pub")["notice"] == {"text": FORGETS, "hint": "tell the staff"})
    assert any("Read-only file system" in one["text"] for one in again.get("/api/house")["unsaved"])
    again.look(phone)
    check_guests(again)
    disk.read_only(now=False)
    wait_until(lambda: again.order(phone, do="peg", side=2, points=1).json()["kept"])
    wait_until(lambda: again.get("/api/pub")["notice"] is None)


def test_where_nothing_can_be_written_play_goes_on_from_memory(tmp_path: Path, starts: Any) -> None:
    """Without a disk of its own: a limit of nought bytes on every file that the kiosk writes."""
    home = tmp_path / MARK
    starts(home).kill()
    with limited():
        house = starts(home)
    phone = house.newcomer("127.0.0.2")
    before, key = house.front, new_key()
    for _ in range(2):
        assert house.order(phone, key=key, points=1).status_code == 200
    assert house.front == before + 1
    wait_until(lambda: house.get("/api/pub")["notice"] == {"text": FORGETS, "hint": "tell the staff"})
    assert any(MARK in one["text"] for one in house.get("/api/house")["unsaved"])
    house.look(phone)
    check_guests(house)


def test_a_kiosk_whose_database_is_away_starts_and_writes_what_happened_later(tmp_path: Path, starts: Any) -> None:
    nowhere = "postgresql://landlord:hush@127.0.0.1:9/cribboard"
    house = starts(tmp_path / MARK, "--database", nowhere)
    phone = house.newcomer("127.0.0.2")
    answer = house.order(phone)
    assert (answer.status_code, answer.json()["kept"]) == (200, False)
    wait_until(lambda: house.get("/api/pub")["notice"] == {"text": KEEPS, "hint": "tell the staff"})
    assert "127.0.0.1:9" in json.dumps(house.get("/api/house")["unwritten"])
    house.look(phone)
    check_guests(house)
    for private in ("landlord", "hush", "127.0.0.1:9", "postgresql"):
        assert private not in "\n".join(house.said)
    assert [*(tmp_path / MARK / "unwritten").rglob("*.jsonl")]


def test_a_board_that_is_new_on_a_read_only_disk_is_played_from_memory(disk: Disk) -> None:
    disk.read_only()
    wires = wired.Table(disk.folder / "boards")
    with Board(wires.reach, wires.folder, clock=wires.time, pause=wires.time.pause, must_keep=False) as board:
        table = Table(board)
        assert table.command("peg", 0, 5, by="phone 1", key="key").after.fronts == (5, 0)
        assert table.command("peg", 0, 5, by="phone 1", key="key").after.fronts == (5, 0)
        assert "Read-only file system" in str(board.unwritten)
        disk.read_only(now=False)
        wires.time.now += 10
        board.poll()
        table.keep_again()
        assert table.unwritten is None
    with Board(wires.reach, wires.folder, clock=wires.time, pause=wires.time.pause) as board:
        assert board.answer("key") == (1, "")
