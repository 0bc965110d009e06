"""A tap, until a television has it, with a league night on beside without: python -m bench.night

(in the folder tests). A kiosk as a process of its own with three boards. Fourteen people are in the middle of their
evening: their phones and two televisions look at the night as the pages do. By turns the same taps come without it. The
exit status is 1 if the ratio of the medians or of the means is above its bound.
"""

from __future__ import annotations

import argparse
import http.client
import secrets
import socket
import sys
import tempfile
import threading
import time
from multiprocessing import Event, Process, Value
from pathlib import Path
from statistics import mean, median, quantiles
from typing import Any

from browser.house import House, Player

BOUND = 1.2
BLOCKS, TAPS = 10, 40  # with and without by turns, and taps of each
BETWEEN_S = 0.13  # two taps: people are slower, and the kiosk takes eight a second from an address
PHONES, SCREENS = 14, 2
PHONE_S, SCREEN_S = 4.0, 2.0  # how often their pages look
NAMES = [f"Player {letter}" for letter in "ABCDEFGHIJKLMN"]
ROUNDS, PLAYED = 9, 30


class Television:
    """A table's screen: when it heard of an event."""

    def __init__(self, house: House) -> None:
        self._socket = socket.create_connection(("127.0.0.1", house.port))
        self._socket.sendall(f"GET /api/boards/1/live HTTP/1.1\r\nHost: 127.0.0.1:{house.port}\r\n\r\n".encode())
        self._rest = b""
        self.read(b"event: state")

    def read(self, what: bytes) -> float:
        """Wait for an event; the time when it came."""
        while what not in self._rest:
            self._rest += self._socket.recv(65536)
        self._rest = b""
        return time.perf_counter()


class Lookers:
    """Pages that look at the night, in a process beside the one that measures; they pause when `on` is not set."""

    def __init__(self, port: int) -> None:
        self.on, self._end, self._looks = Event(), Event(), Value("i", 0)
        self._process = Process(target=self._look_all, args=(port,))
        self._process.start()

    @property
    def looks(self) -> int:
        """How often they have looked."""
        return int(self._looks.value)

    def _look_all(self, port: int) -> None:
        every = [PHONE_S] * PHONES + [SCREEN_S] * SCREENS
        threads = [threading.Thread(target=self._look, args=(port, at, each_s)) for at, each_s in enumerate(every)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def _look(self, port: int, number: int, each_s: float) -> None:
        tag, wait_s = "", each_s * (number + 1) / (PHONES + SCREENS)
        while not self._end.wait(wait_s):
            wait_s = each_s
            if self.on.is_set():  # a connection of its own each time, since one that waits is closed
                one = http.client.HTTPConnection("127.0.0.1", port, source_address=(f"127.4.0.{1 + number}", 0))
                one.request("GET", "/api/night", headers={"If-None-Match": tag} if tag else {})
                answer = one.getresponse()
                answer.read()
                one.close()
                tag = answer.headers.get("ETag", "")
                with self._looks.get_lock():
                    self._looks.value += 1

    def close(self) -> None:
        self._end.set()
        self._process.join()


def begin(staff: Player) -> int:
    """A night in its middle: results of thirty matches."""
    wish = {"names": NAMES, "preset": "club", "boards": [1, 2, 3], "wooden": 4, "rounds": ROUNDS}
    night = staff.post("/api/night", wish)
    number = int(night["night"])
    for at in range(PLAYED):
        match = next(each for each in night["matches"] if each["called"] and not each["over"] and not each["bye"])
        order = {"do": "settle", "key": secrets.token_hex(16), "match": match["match"], "scores": [121, 60 + at]}
        night = staff.post(f"/api/nights/{number}/orders", order)
        time.sleep(BETWEEN_S)
    return number


def taps(player: Player, television: Television, names: list[str]) -> list[float]:
    """The times of a block of taps, in a game that nobody wins."""
    player.do("new", names=names, target=241, again=True)
    television.read(b"event: state")
    seconds = []
    for at in range(TAPS):
        time.sleep(BETWEEN_S)
        began = time.perf_counter()
        order: dict[str, Any] = {"do": "peg", "side": 1 + at % 2, "points": 1, "key": secrets.token_urlsafe(18)}
        thread = threading.Thread(target=player.post, args=("/api/boards/1/orders", order))
        thread.start()
        seconds.append(television.read(b"event: happened") - began)
        thread.join()
    return seconds


def main() -> int:
    """Measure and print; 1 if it takes too much longer."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--blocks", type=int, default=BLOCKS)
    blocks = parser.parse_args().blocks
    seconds: dict[bool, list[float]] = {False: [], True: []}
    with tempfile.TemporaryDirectory() as folder, House(Path(folder), ("first", "second", "third")) as house:
        staff = Player(house)
        staff.post("/api/staff", {"pin": house.pin})
        player, television, lookers = Player(house), Television(house), Lookers(house.port)
        number = begin(staff)
        try:
            for at in range(blocks):
                on = at % 2 == 1
                what = {"do": "reopen", "text": "goes on"} if on else {"do": "close"}
                night = staff.post(f"/api/nights/{number}/orders", {**what, "key": secrets.token_hex(16)})
                (lookers.on.set if on else lookers.on.clear)()
                called = (each for each in night["matches"] if each["called"] and not each["over"])
                names = next((each["names"] for each in called if each["table"] == 1), NAMES[:2])
                seconds[on] += taps(player, television, names)
        finally:
            lookers.close()
    for on, words in ((False, "without a night"), (True, "with a night on")):
        times = sorted(seconds[on])
        tail = quantiles(times, n=20)[18]
        print(
            f"{words:16} {len(times)} taps: median {1e3 * median(times):.1f} ms, mean {1e3 * mean(times):.1f} ms,"
            f" 95th of a hundred {1e3 * tail:.1f} ms"
        )
    ratios = [
        how(seconds[True]) / how(seconds[False]) for how in (median, mean, lambda all_: quantiles(all_, n=20)[18])
    ]
    print(f"with / without: median {ratios[0]:.2f}, mean {ratios[1]:.2f} (both at most {BOUND}), 95th {ratios[2]:.2f}")
    print(f"the night was looked at {lookers.looks} times")
    return int(max(ratios[:2]) > BOUND)


if __name__ == "__main__":
    sys.exit(main())
