"""A night of a kiosk, hour after hour: python -m faults.kiosk_night --orders 20000

(in the folder tests). One phone plays game after game on a virtual board, two pages listen, one of them coming and
going, and a guest of the local door hears it all. Memory has to be flat once all that is bounded has filled up.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import itertools
import os
import random
import secrets
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from faults.ends import SCRATCH

from cribboard.connect import hold_board, open_board
from cribboard.service.orders import OrderError
from cribboard.service.service import Service
from cribboard.sim.board import VirtualBoard
from cribboard.sim.registry import Registration, Running
from cribboard.store import open_store

WARM_ORDERS = 1200  # after which all that keeps the newest is full
MOST_GROWTH = 4000  # blocks of memory, of some 60 bytes each; an order that left one behind would show
PATIENCE_S = 30.0
HANDS = (["5H", "5C", "5S", "JD"], ["2C", "3D", "4H", "KS"], ["7C", "8D", "8H", "9S"])


@dataclass
class Night:
    """What it came to."""

    orders: int = 0
    refused: int = 0
    games: int = 0
    news: int = 0
    grown: int = 0
    right: bool = False

    @property
    def well(self) -> bool:
        """Whether the board stands as told, and memory is flat."""
        return self.right and self.grown <= MOST_GROWTH


def orders(service: Service, chance: random.Random) -> Iterator[dict[str, Any]]:
    """What a phone orders as the game goes on."""
    for number in itertools.count():
        entry = service.view.entry()
        side = chance.randint(1, 2)
        if entry["winner"] is not None:
            yield {"do": "new", "names": ["Ann", "Bob"]}
        elif number % 12 == 0:
            yield {"do": "deal"}
            yield {"do": "starter", "card": "5D"}
        elif number % 12 in (6, 9):
            yield {"do": "hand", "side": side, "cards": chance.choice(HANDS), "starter": "5D", "again": True}
        elif number % 12 == 7 and entry["undo"]:
            yield {"do": "undo", "rev": entry["undo"]["rev"]}
        elif number % 12 < 5:
            due = entry["table"]["next"] or side
            yield {"do": "play", "side": due, "card": "A23456789TJQK"[number % 13] + "CDHS"[number % 4]}
        else:
            yield {"do": "peg", "side": side, "points": chance.randint(1, 8)}


def run(most: int, seed: int, warm: int = WARM_ORDERS) -> Night:
    """So many orders after the warm ones."""
    night = Night()
    chance = random.Random(seed)
    with contextlib.ExitStack() as stack:
        virtual = stack.enter_context(VirtualBoard(name="night"))
        stack.enter_context(Registration(Running(virtual.port, virtual.uid, os.getpid(), virtual.name)))
        store = open_store()
        service = Service(1, lambda say: hold_board(virtual.port, say=say), store, virtual=True)
        heard = [0]

        def page(news: object) -> None:
            heard[0] += 1

        service.listen(page)
        service.start()
        try:
            while service.view.away:
                time.sleep(0.01)
            with open_board(virtual.port) as guest:
                began = 0
                leave = service.listen(page)
                for order in itertools.islice(orders(service, chance), warm + most):
                    if night.orders == warm:
                        began = blocks()
                    try:
                        service.order({"key": secrets.token_urlsafe(16), **order}, "phone").result(PATIENCE_S)
                    except OrderError:
                        night.refused += 1
                    night.orders += 1
                    night.games += order["do"] == "new"
                    guest.poll()
                    if night.orders % 50 == 0:
                        leave()
                        leave = service.listen(page)
                night.grown = blocks() - began
                night.news = heard[0]
                service.submit(lambda table: None).result(PATIENCE_S)
                night.right = guest.check() and guest.standing == service.view.standing
        finally:
            service.stop()
            store.close()
    return night


def blocks() -> int:
    """Blocks of memory in use."""
    gc.collect()
    return sys.getallocatedblocks()


def main() -> int:
    """Play, and say how it went."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--orders", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=SCRATCH) as folder:
        os.environ["CRIBBOARD_HOME"] = str(Path(folder))
        began = time.monotonic()
        night = run(options.orders, options.seed)
    print(night, f"{time.monotonic() - began:.0f} s")
    return 0 if night.well else 1


if __name__ == "__main__":
    sys.exit(main())
