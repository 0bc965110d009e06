"""A real `cribboard kiosk` in a process of its own, with a virtual board, and a player without a browser."""

from __future__ import annotations

import contextlib
import http.cookiejar
import json
import os
import secrets
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from typing import Any

ENDS_S = 20
PATIENCE_S = 40.0  # how long these tests wait for what they expect, on a busy computer, too


class House:
    """The kiosk with its boards; what it keeps is in a folder, so that it can be stopped and started again."""

    def __init__(self, folder: Path, boards: tuple[str, ...] = ("first",), options: tuple[str, ...] = ()) -> None:
        self.folder = folder
        self.boards = boards
        self.options = options
        self.port = free_port()
        self.pin = ""
        self._process: subprocess.Popen[str] | None = None

    @property
    def address(self) -> str:
        """Where it serves."""
        return f"http://127.0.0.1:{self.port}"

    def __enter__(self) -> House:
        self.start()
        self.ready()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(self) -> None:
        """Begin to serve, at the same address as before."""
        command = [
            sys.executable,
            "-m",
            "cribboard",
            "kiosk",
            "--json",
            "--host",
            "127.0.0.1",
            "--web-port",
            str(self.port),
            *self.options,
        ]
        for name in self.boards:
            command += ["--virtual", name]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=self._environment())
        assert self._process.stdout is not None
        started = json.loads(self._process.stdout.readline())
        self.pin = started.get("pin", self.pin)

    def stop(self) -> None:
        """End it as a service manager does."""
        if self._process is None:
            return
        self._process.send_signal(signal.SIGTERM)
        self._process.wait(ENDS_S)
        assert self._process.stdout is not None
        self._process.stdout.close()
        self._process = None

    def ready(self) -> None:
        """Wait until every board is heard."""
        wait_for(lambda: all(not one["board"]["away"] for one in self.get("/api/boards")["boards"]))

    def get(self, path: str) -> Any:
        """What an address answers."""
        with urllib.request.urlopen(self.address + path, timeout=10) as answer:
            return json.load(answer)

    def board_process(self, name: str = "first") -> subprocess.Popen[str]:
        """A virtual board that runs beside the kiosk, which finds it; for whoever wants to pull its plug."""
        command = [sys.executable, "-m", "cribboard", "sim", "--plain", "--name", name]
        return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=self._environment())

    def stop_board(self, board: subprocess.Popen[str], how: signal.Signals) -> None:
        """Send a signal to a virtual board's processes: it hangs, goes on, or is gone."""
        children = Path(f"/proc/{board.pid}/task/{board.pid}/children").read_text().split()
        for process in (board.pid, *map(int, children)):
            os.kill(process, how)

    def _environment(self) -> dict[str, str]:
        """Without coverage, which would double the time; the server's own tests measure it."""
        given = {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE")}
        return {**given, "CRIBBOARD_HOME": str(self.folder)}


class Player:
    """Somebody who has joined a table and gives orders, without a browser."""

    def __init__(self, house: House, number: int = 1) -> None:
        self.house = house
        self.number = number
        self._opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()))
        self.post("/api/pair", {"token": invitation(house, number).split("#t=")[1]})

    @property
    def state(self) -> dict[str, Any]:
        """How the table stands."""
        return self.house.get(f"/api/boards/{self.number}")

    def post(self, path: str, body: dict[str, Any]) -> Any:
        """Send JSON as a page does."""
        headers = {"Content-Type": "application/json", "Origin": self.house.address}
        request = urllib.request.Request(self.house.address + path, json.dumps(body).encode(), headers, method="POST")
        with self._opener.open(request, timeout=20) as answer:
            return json.load(answer)

    def do(self, do: str, **more: Any) -> Any:
        """Give an order that has seen all there is."""
        order = {"do": do, "key": secrets.token_urlsafe(18), "seen": self.state["rev"], **more}
        return self.post(f"/api/boards/{self.number}/orders", order)

    def begin(self, *names: str, **more: Any) -> None:
        """A new game, in which the first side leads, without house rules."""
        self.do("new", names=list(names), target=121, **{"dealer": 2, "rules": {}, **more})


def night(house: House) -> None:
    """Ann skunks Bob, Bob beats Ann, and a game between them runs."""
    player = Player(house)
    for winner, low in ((1, 80), (2, 100)):
        player.begin("Ann", "Bob")
        player.do("hand", side=1, cards=["5H", "5C", "5S", "JD"], starter="5D")
        for side, front in ((3 - winner, low), (winner, 121)):
            while (left := front - player.state["sides"][side - 1]["front"]) > 0:
                player.do("peg", side=side, points=min(left, 40))
    player.begin("Ann", "Bob")
    player.do("peg", side=2, points=3)


def game(house: House, number: int) -> int:
    """The id of the first, second or third of these games."""
    return sorted(one["id"] for one in house.get("/api/games")["games"] if one["seats"][0]["name"])[number]


def invitation(house: House, number: int = 1) -> str:
    """The address that the QR code on the screen holds."""
    url = house.get(f"/api/boards/{number}/invite")["url"]
    return f"{house.address}/score/{number}#{url.split('#')[1]}"


def free_port() -> int:
    """A port of this computer that nobody uses."""
    with contextlib.closing(socket.socket()) as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def wait_for(true: Any) -> None:
    """Until something is so."""
    end = time.monotonic() + PATIENCE_S
    while not true():
        assert time.monotonic() < end, "it has not come true"
        time.sleep(0.05)
