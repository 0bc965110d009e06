"""Pages that come and go all night: `python -m faults.visits --visits 50000`, in the folder tests.

Streams are opened and closed, left without a word, or never read; orders and bad requests come between. Fails when
something of a page stays behind or memory grows.
"""

from __future__ import annotations

import argparse
import gc
import os
import random
import socket
import struct
import sys
import tempfile
import time
import tracemalloc
from pathlib import Path

from web.rig import Served, wait_until

from cribboard.store import open_store
from cribboard.web.finder import add_virtual
from cribboard.web.limits import Limits
from cribboard.web.tables import Tables, TableServices

MOST_GROWN = 150_000  # bytes that this process holds more after the first quarter
OPEN = Limits(reads=1e6, read_burst=1e6, writes=1e6, write_burst=1e6, stalled_s=2, head_s=2)


def main() -> int:
    parser = argparse.ArgumentParser(description="Have pages come and go.")
    parser.add_argument("--visits", type=int, default=20000)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["CRIBBOARD_HOME"] = folder
        grown, left = visits(Path(folder), asked.visits, asked.seed)
    print(f"{asked.visits} visits: {grown / 1000:.0f} KB more after the first quarter; left: {left or 'nothing'}")
    return 1 if left or grown > MOST_GROWN else 0


def visits(folder: Path, count: int, seed: int) -> tuple[int, str]:
    """Have so many; gives by how many bytes memory has grown, and what was left behind."""
    chance = random.Random(seed)
    store = open_store(f"sqlite:///{folder}/kiosk.db")
    house = TableServices(Tables(folder), store)
    try:
        add_virtual(house, "visits")
        wait_until(lambda: house.services[1].view.standing)
        with Served(house, folder, OPEN) as served:
            tracemalloc.start()
            for _ in range(count // 4):
                visit(served, chance)
            before = _settled(served)
            for _ in range(count - count // 4):
                visit(served, chance)
            grown = _settled(served) - before
            tracemalloc.stop()
            streams, channel = served.kiosk.streams, served.live.channels[1]
            if streams.open or channel.watching:
                return grown, f"{streams.open.total()} streams, {channel.watching} that watch"
            return grown, ""
    finally:
        house.stop()
        store.close()


def visit(served: Served, chance: random.Random) -> None:
    """One page, that does as pages do or worse."""
    with socket.socket() as page:
        page.bind((f"127.2.0.{chance.randrange(1, 40)}", 0))
        page.connect(("127.0.0.1", served.port))
        page.settimeout(10)
        path = chance.choice(["/api/boards/1/live", "/api/boards/1/live?frames=1", "/api/me", "/nothing", "/api/games"])
        head = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{served.port}\r\n\r\n".encode()
        if chance.random() < 0.1:
            head = head[: chance.randrange(len(head))]
        page.sendall(head)
        if chance.random() < 0.7 and head.endswith(b"\r\n\r\n"):
            page.recv(65536)
        if chance.random() < 0.01:  # the newest thousand news are kept, and would look like growth
            order = {"do": "pend", "side": 1, "points": chance.randrange(5)}
            served.kiosk.tables.services[1].order(order, "a test").result(10)
        if chance.random() < 0.5:  # gone without a word: a reset
            page.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


def _settled(served: Served) -> int:
    """Bytes that are held when all pages have gone, and the timers that knew them have run out."""
    wait_until(lambda: not served.kiosk.streams.open and not served.server.server_state.connections)
    time.sleep(max(OPEN.head_s, OPEN.stalled_s) + 0.5)
    gc.collect()
    return tracemalloc.get_traced_memory()[0]


if __name__ == "__main__":
    sys.exit(main())
