"""A history on a PostgreSQL server, under the same attacks as one in a file.

    python -m faults.store_postgres --kills 200 --seed 1

(in the folder tests; the server is the tests' own, in a temporary folder). The program is killed in the middle of an
event, the server is stopped and crashes at any moment, and its disk is full. What was acknowledged is there afterwards,
an event that could not be kept is refused in words with nothing changed, and is kept when the server is well again.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import threading
import time
from contextlib import closing
from pathlib import Path

import psycopg
from faults.ends import SCRATCH
from faults.store_killed import EPOCH, Killed
from store.house import UID, Table
from store.postgres import Server, server

from cribboard.board.messages import Event
from cribboard.store import Store, open_store
from cribboard.store.errors import StoreError
from cribboard.store.report import Report

SYNCED = "-c synchronous_commit=on"  # what a crash of the server alone must not cost; the computer's is not tried here
FILL = """
INSERT INTO events (board, epoch, rev, kind, side, a, b, c, session, command, at, cards, starter, who, text)
SELECT board, 99, n, kind, side, a, b, c, session, command, at, cards, starter, who, repeat('x', 200)
FROM (SELECT * FROM events LIMIT 1) AS one, generate_series(1, %s) AS n
"""
FILLED = 70_000  # events: their table is larger than a file of the server's log, which the limit must not hit
ROOM = 3 * 8192  # bytes that still fit


class OnServer(Killed):
    """The trials of one run; `wrong` says what was not as it should be."""

    def __init__(self, running: Server, seed: int) -> None:
        super().__init__(seed)
        self.server = running
        self.urls: dict[Path, str] = {}

    def url(self, house: Path) -> str:
        if house not in self.urls:
            self.urls[house] = self.server.database()
        return self.urls[house]

    def one(self, house: Path, rows: list[Event]) -> int:
        self.url(house)  # the process that is killed shall not make it
        return super().one(house, rows)

    def stops(self, stops: int) -> None:
        """Stop the server so many times, while an event is kept or between two."""
        url, rows, table = self.server.database(), self.evening(), Table()
        store = open_store(url)
        acknowledged = -1
        for number, row in enumerate(rows[:stops]):
            table.keeper.do(row.as_folded, row.session, row.id)
            crash = threading.Timer(self.chance.random() * 0.01, self.server.stop, ["immediate"])
            if number % 2:
                self.server.stop("fast")
            else:
                crash.start()
            kept = self.tried(store, row, table)
            if not number % 2:
                crash.join()
            acknowledged = row.rev if kept else acknowledged
            self.server.start()
            with closing(open_store(url)) as other:
                came = other.heard(UID, EPOCH)
                if came < acknowledged:
                    self.wrong.append(f"{acknowledged} was acknowledged, and {came} is there")
            if not kept and not self.tried(store, row, table) and not self.tried(store, row, table):
                self.wrong.append(f"event {row.rev} is not kept although the server is back")
            acknowledged = row.rev
            self.figures["server stopped between events" if number % 2 else "server crashed in an event"] += 1
            self.figures["the event was refused in words"] += not kept
        store.close()
        self.holds(url, rows[:stops])

    def full(self, times: int) -> None:
        """Fill the server's disk so many times: its files may not grow any more."""
        for _ in range(times):
            url, rows, table = self.server.database(), self.evening(), Table()
            with closing(open_store(url)) as store:
                table.keeper.do(rows[0].as_folded, rows[0].session, rows[0].id)
                self.tried(store, rows[0], table)
            with psycopg.connect(url, autocommit=True) as direct:
                direct.execute(FILL, [FILLED])
                direct.execute("CHECKPOINT")
                size = direct.execute("SELECT pg_relation_size('events')").fetchone()
            self.server.limit_files(str(size[0] + ROOM if size else ROOM))
            with closing(open_store(url)) as store:
                refused = next(row for row in rows[1:] if not self.next(store, row, table))
            self.server.limit_files("unlimited")
            with closing(open_store(url)) as store:
                came = store.heard(UID, EPOCH)
                if came != refused.rev - 1:
                    self.wrong.append(f"event {refused.rev} found no room, and {came} is there")
                if not self.tried(store, refused, table):
                    self.wrong.append(f"event {refused.rev} is not kept although there is room again")
            self.figures["disk full, refused in words"] += 1
            self.holds(url, rows[: refused.rev])

    def next(self, store: Store, row: Event, table: Table) -> bool:
        """Let something happen, and keep it."""
        table.keeper.do(row.as_folded, row.session, row.id)
        return self.tried(store, row, table)

    def tried(self, store: Store, row: Event, table: Table) -> bool:
        """Keep an event; gives whether it was, or was refused in words."""
        try:
            store.keep(Report(UID, EPOCH, [row], table.standing, table.names))
        except StoreError as error:
            if "Traceback" in str(error) or not error.message:
                self.wrong.append(f"refused without words: {error!r}")
            return False
        return True

    def holds(self, url: str, rows: list[Event]) -> None:
        """Every one of these events is there once, as it was."""
        with psycopg.connect(url) as direct:
            stored = direct.execute(
                "SELECT rev, kind, side, a, b, c, session, command FROM events WHERE epoch = %s ORDER BY rev", [EPOCH]
            ).fetchall()
        if [tuple(row) for row in stored] != [(row.rev, *row.as_folded, row.session, row.id) for row in rows]:
            self.wrong.append(f"{len(stored)} events are there, and not {len(rows)} as they were")


def run(kills: int, stops: int, full: int, seed: int) -> OnServer:
    """All trials on a server of their own."""
    with server(SYNCED) as running, tempfile.TemporaryDirectory(prefix="history", dir=SCRATCH) as folder:
        trial = OnServer(running, seed)
        trial.commits(kills, Path(folder))
        trial.stops(stops)
        trial.full(full)
    return trial


def main() -> int:
    parser = argparse.ArgumentParser(description="A history on a PostgreSQL server, attacked.")
    parser.add_argument("--kills", type=int, default=200, help="of the program")
    parser.add_argument("--stops", type=int, default=40, help="of the server")
    parser.add_argument("--full", type=int, default=2, help="times that its disk is full")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    began = time.monotonic()
    trial = run(asked.kills, asked.stops, asked.full, asked.seed)
    for what, count in sorted(trial.figures.items()):
        print(f"{count:>7} {what}")
    print(f"wrong: {len(trial.wrong)}, in {time.monotonic() - began:.0f} s")
    print(*trial.wrong[:10], sep="\n")
    return 1 if trial.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
