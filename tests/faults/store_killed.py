"""A kiosk that is killed while it writes its history, or makes a new one.

    python -m faults.store_killed --kills 1000 --seed 1

(in the folder tests). A process keeps one event after the other and says ahead of each, and after it; signal 9 meets it
in the middle of one, so many times. What it had said to be done is there, in order, and the next process goes on.
"""

from __future__ import annotations

import argparse
import os
import random
import select
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from contextlib import closing
from pathlib import Path

from faults.ends import SCRATCH
from sqlalchemy import event
from store.house import UID, Table

from cribboard.board.messages import Event
from cribboard.store import open_store
from cribboard.store.database import Database
from cribboard.store.report import Report

EPOCH = 7
GAMES = 12  # before a new file is begun


class Killed:
    """Figures of one run."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.figures: Counter[str] = Counter()
        self.wrong: list[str] = []
        self.lasted = 0.005  # an event, in seconds: what the moment of a kill is drawn from

    def url(self, house: Path) -> str:
        """The history of a house."""
        return f"sqlite:///{house}/kiosk.db"

    def commits(self, kills: int, folder: Path) -> None:
        """Kill so many processes in the middle of an event."""
        house, number = folder / "0", 0
        house.mkdir()
        rows = self.evening()
        while self.figures["killed in an event"] < kills:
            came = self.one(house, rows)
            if came == rows[-1].rev:
                self.whole(house, rows)
                shutil.rmtree(house)
                house, number, rows = folder / str(number + 1), number + 1, self.evening()
                house.mkdir()

    def evening(self) -> list[Event]:
        table = Table()
        table.play([(2, 0)] * GAMES, seed=self.chance.randrange(1 << 20))
        return table.away()

    def one(self, house: Path, rows: list[Event]) -> int:
        """Let a process begin, kill it, and look; gives the newest event that is there."""
        read, write = os.pipe()
        child = os.fork()
        if not child:
            try:
                os.close(read)
                keep(self.url(house), rows, write)
            finally:
                os._exit(0)
        os.close(write)
        began, done, alive = self.kill(child, read)
        os.waitpid(child, 0)
        with closing(open_store(self.url(house))) as store:
            came = store.heard(UID, EPOCH)
            if store.notices:
                self.wrong.append(f"after {done}: {store.notices}")
        if not done <= came <= max(began, done):
            self.wrong.append(f"{done} was done and {began} begun, but {came} is there")
        if alive:
            self.figures["killed in an event" if began > done else "killed between events"] += 1
            self.figures["the event was there, unsaid"] += came > done > -1
        return came

    def kill(self, child: int, read: int) -> tuple[int, int, bool]:
        """Kill the process some time after it has begun to write; gives the newest event begun and done."""
        said, counts, ends = b"", [-1, -1], 0.0
        alive = True
        while True:
            wait = max(0.0, ends - time.monotonic()) if ends else 30
            if select.select([read], [], [], wait)[0]:
                some = os.read(read, 65536)
                if not some:
                    break
                said += some
                if not ends:
                    ends = time.monotonic() + self.chance.random() * 12 * self.lasted
            else:
                os.kill(child, signal.SIGKILL)
                ends = time.monotonic() + 60
        os.close(read)
        lines = said.split(b"\n")[:-1]
        for line in lines:
            counts[line[:1] == b"d"] = int(line[1:])
        alive = b"e0" not in lines
        return counts[0], counts[1], alive

    def whole(self, house: Path, rows: list[Event]) -> None:
        """The whole evening is there, every event once, and every game as it was played."""
        self.figures["evenings that were whole"] += 1
        with closing(open_store(self.url(house))) as store:
            games = store.games()
            kept = [replay.events for game in games if (replay := store.game(game.id))]
            if sum(map(len, kept)) != len(rows) or not all(game.whole for game in games):
                self.wrong.append(f"{sum(map(len, kept))} events in {len(games)} games, and not {len(rows)}")

    def beginnings(self, folder: Path, stride: int) -> None:
        """Kill the making of a history ahead of every so many of its statements, and after them."""
        for late in (False, True):
            number = 1
            while self.beginning(folder, number, late):
                number += stride

    def beginning(self, folder: Path, number: int, late: bool) -> bool:
        house = folder / f"{number}-{late}"
        house.mkdir()
        url = f"sqlite:///{house}/kiosk.db"
        child = os.fork()
        if not child:
            try:
                at_statement(number, late)
                open_store(url).close()
            finally:
                os._exit(0)
        _, status = os.waitpid(child, 0)
        with closing(open_store(url)) as store:
            Table(store).new()
            if len(store.games()) != 1 or store.notices:
                self.wrong.append(f"killed at statement {number} of a new history: {store.games()}, {store.notices}")
        shutil.rmtree(house)
        killed = os.WIFSIGNALED(status)
        self.figures["killed while it is made"] += killed
        return killed


def keep(url: str, rows: list[Event], write: int) -> None:
    """Go on with an evening where the history ends."""
    store = open_store(url)
    table = Table()
    after = store.heard(UID, EPOCH)
    for row in rows:
        table.keeper.do(row.as_folded, row.session, row.id)
        if row.rev > after:
            os.write(write, b"b%d\n" % row.rev)
            store.keep(Report(UID, EPOCH, [row], table.standing, table.names))
            os.write(write, b"d%d\n" % row.rev)
    os.write(write, b"e0\n")


def at_statement(number: int, late: bool) -> None:
    """Let this process die ahead of its so many'th statement, or after it."""
    count = 0
    real = Database.__init__

    def died(*_: object) -> None:
        nonlocal count
        count += 1
        if count == number:
            os.kill(os.getpid(), signal.SIGKILL)

    def opened(database: Database, *arguments: object) -> None:
        real(database, *arguments)  # type: ignore[arg-type]
        event.listen(database.engine, "after_cursor_execute" if late else "before_cursor_execute", died)

    Database.__init__ = opened  # type: ignore[method-assign, assignment]


def main() -> int:
    parser = argparse.ArgumentParser(description="A kiosk that is killed while it writes its history.")
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--stride", type=int, default=1, help="try every so many statements of a new history only")
    asked = parser.parse_args()
    began = time.monotonic()
    killed = Killed(asked.seed)
    with tempfile.TemporaryDirectory(prefix="history", dir=SCRATCH) as folder:
        killed.beginnings(Path(folder), asked.stride)
        killed.commits(asked.kills, Path(folder))
    for what, count in sorted(killed.figures.items()):
        print(f"{count:>7} {what}")
    print(f"wrong: {len(killed.wrong)}, in {time.monotonic() - began:.0f} s")
    print(*killed.wrong[:10], sep="\n")
    return 1 if killed.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
