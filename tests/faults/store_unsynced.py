"""The power cut at every write and sync of an evening's history: what was acknowledged is there, and nothing is torn.

    python -m faults.store_unsynced --events 400 --seed 1

(in the folder tests). The history is kept on a disk that forgets what was not synced. Ahead of everything that SQLite
does to its files, and after every acknowledgement, the files are taken as a power cut may leave them, and opened.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections import Counter
from contextlib import closing
from pathlib import Path
from unittest import mock

from faults.ends import SCRATCH
from faults.forgetful import Dbapi, Disk, left
from store.house import UID, Table

from cribboard.store import StoreError, open_store
from cribboard.store.database import Database
from cribboard.store.report import Report

SHARES = (0.0, 0.5, 0.9)  # of what was not synced that comes through
EPOCH = 7


class Trial:
    """Keeps an evening's events, and looks at what cuts would leave."""

    def __init__(self, seed: int, folder: Path, stride: int) -> None:
        self.chance = random.Random(seed)
        self.figures: Counter[str] = Counter()
        self.wrong: list[str] = []
        self.stride = stride
        self.asked = self.acknowledged = self.deals = 0
        self.place, self.after = folder / "house", folder / "after"
        self.place.mkdir()
        self.after.mkdir()
        self.disk = Disk()

    def run(self, events: int) -> None:
        played = Table()
        played.play([(2, 0)] * (events // 70 + 1), seed=self.chance.randrange(1000))
        rows = played.away()[:events]
        with mock.patch.object(Database, "sync_folder", lambda database: self.disk.sync_folder()):
            store = open_store(f"sqlite:///{self.place}/kiosk.db", dbapi=Dbapi(self.disk))
            self.disk.before = self.dealing
            table = Table()
            for row in rows:
                self.asked = row.rev
                table.keeper.do(row.as_folded, row.session, row.id)
                store.keep(Report(UID, EPOCH, [row], table.standing, table.names))
                self.acknowledged = row.rev
                self.cut("acknowledged")
            self.disk.before = lambda what, file: None
            store.close()

    def dealing(self, what: str, file: str) -> None:
        self.deals += 1
        if self.deals % self.stride == 0:
            self.cut(f"ahead of a {what} of the {'log' if file.endswith('-wal') else 'database'}")

    def cut(self, when: str) -> None:
        for share in SHARES:
            path = left(self.after, self.disk.after_a_cut(self.chance, share))
            self.figures[f"cut {when}"] += 1
            try:
                with closing(open_store(f"sqlite:///{path}")) as store:
                    came = store.heard(UID, EPOCH)
                    if store.notices:
                        self.wrong.append(f"{when}, after {self.acknowledged}: {store.notices}")
            except StoreError as error:
                self.wrong.append(f"{when}, after {self.acknowledged}: {error}")
                continue
            if not max(self.acknowledged, -1) <= came <= self.asked and (self.acknowledged or came != -1):
                self.wrong.append(f"{when}: {self.acknowledged} was acknowledged, {came} is there")


def run(events: int, seed: int, stride: int = 1) -> Trial:
    """Try so many events, with a cut at every so many dealings with the files."""
    with tempfile.TemporaryDirectory(prefix="history", dir=SCRATCH) as folder:
        trial = Trial(seed, Path(folder), stride)
        trial.run(events)
    return trial


def main() -> int:
    parser = argparse.ArgumentParser(description="Power cuts while the history is written.")
    parser.add_argument("--events", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--stride", type=int, default=1, help="try every so many dealings with the files only")
    asked = parser.parse_args()
    began = time.monotonic()
    trial = run(asked.events, asked.seed, asked.stride)
    for what, number in sorted(trial.figures.items()):
        print(f"{number:>7} {what}")
    print(f"{sum(trial.figures.values()):>7} cuts in {time.monotonic() - began:.0f} s, wrong: {len(trial.wrong)}")
    print(*trial.wrong[:10], sep="\n")
    return 1 if trial.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
