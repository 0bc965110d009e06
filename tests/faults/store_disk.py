"""A disk that is full, fails, may not be written, or holds rubbish: a clear word, nothing lost, and the board goes on.

    python -m faults.store_disk --files 1000 --seed 1

(in the folder tests). At everything that SQLite does to its files while an event is kept the disk is full, or fails;
when it is well again the same event is kept. And files that were damaged in many ways are opened.
"""

from __future__ import annotations

import argparse
import random
import shutil
import sys
import tempfile
import time
from collections import Counter
from contextlib import closing
from pathlib import Path

import apsw
from faults.ends import SCRATCH
from faults.forgetful import Dbapi, Disk
from store.house import UID, Table

from cribboard.store import Store, StoreError, open_store
from cribboard.store.opening import ALONGSIDE
from cribboard.store.report import Report

EPOCH = 7
WORDS = {apsw.FullError: "there is no room on the disk", apsw.IOError: "the disk fails"}


class Trial:
    """Figures of one run."""

    def __init__(self, seed: int, folder: Path) -> None:
        self.chance = random.Random(seed)
        self.folder = folder
        self.figures: Counter[str] = Counter()
        self.wrong: list[str] = []

    def fails(self, failure: type[apsw.Error]) -> None:
        """The disk fails at each of its dealings, for a new game, a score, a win and a score of a new player."""
        disk = Disk()
        place = self.folder / failure.__name__
        place.mkdir()
        with closing(open_store(f"sqlite:///{place}/kiosk.db", dbapi=Dbapi(disk))) as store:
            table = Table()
            for number, score in enumerate((0, 5, 121)):
                table.names = {0: f"P{number}", 1: "Bob"}
                if score:
                    table.do("set", 0, score, 0)
                else:
                    table.new()
                at = 1
                while self.fails_at(disk, failure, at, store, table):
                    at += 1
                table.news = []

    def fails_at(self, disk: Disk, failure: type[apsw.Error], number: int, store: Store, table: Table) -> bool:
        before, count = store.export_json(), 0

        def fail(what: str, file: str) -> None:
            nonlocal count
            count += 1
            if count >= number:
                raise failure("planted")

        disk.before = fail
        try:
            store.keep(Report(UID, EPOCH, table.news, table.standing, table.names))
        except StoreError as error:
            disk.before = lambda what, file: None
            self.figures[f"{failure.__name__} while an event is kept"] += 1
            if WORDS[failure] not in error.message or not error.hint:
                self.wrong.append(f"{failure.__name__} at {number}: {error}")
            if store.export_json() != before:
                self.wrong.append(f"{failure.__name__} at {number}: something has changed")
            return True
        finally:
            disk.before = lambda what, file: None
        if store.heard(UID, EPOCH) != table.match.rev:
            self.wrong.append(f"{failure.__name__} at {number}: not failed, and not kept")
        return False

    def damage(self, files: int) -> None:
        """Open so many damaged files: each is read as it was, set aside whole, or refused with words."""
        sound = self.folder / "sound"
        sound.mkdir()
        with closing(open_store(f"sqlite:///{sound}/kiosk.db")) as store:
            table = Table(store)
            table.play([(2, 0), (2, 0)])
            for path in list(sound.iterdir()):
                shutil.copy(path, self.folder / path.name)
        for number in range(files):
            self.damaged(number)

    def damaged(self, number: int) -> None:
        place = self.folder / f"damaged{number}"
        place.mkdir()
        held = {}
        for end in ("", *ALONGSIDE[:1]):
            data = bytearray((self.folder / f"kiosk.db{end}").read_bytes())
            if end == "" or self.chance.random() < 0.5:
                self.spoil(data)
            (place / f"kiosk.db{end}").write_bytes(data)
            held[end] = bytes(data)
        try:
            with closing(open_store(f"sqlite:///{place}/kiosk.db")) as store:
                aside = [path for path in place.glob("*.broken-*") if not path.name.endswith(ALONGSIDE)]
                came = "set aside, and a new one begun" if aside else "read all the same"
                if bool(aside) != bool(store.notices) or (aside and str(aside[0]) not in store.notices[0]):
                    self.wrong.append(f"file {number} was set aside as {aside}, told was {store.notices}")
                if aside and aside[0].read_bytes() != held[""]:
                    self.wrong.append(f"file {number} was changed before it was set aside")
                self.use(store, number)
        except StoreError as error:
            came = "refused in words"
            if not error.hint:
                self.wrong.append(f"file {number}: {error}")
        self.figures[f"damaged: {came}"] += 1
        shutil.rmtree(place)

    def use(self, store: Store, number: int) -> None:
        """What can be opened can be read and written, or says why not."""
        table = Table(uid="ab")
        table.new()
        try:
            store.keep(Report("ab", EPOCH, table.news, table.standing, table.names))
            for game in store.games():
                store.game(game.id)
            store.leaderboard()
        except StoreError as error:
            self.figures["damage that was met later, and told"] += 1
            if not error.hint:
                self.wrong.append(f"file {number}: {error}")

    def spoil(self, data: bytearray) -> None:
        """Damage some bytes."""
        way = self.chance.randrange(4)
        at = self.chance.randrange(len(data))
        if way == 0:
            del data[at:]
        elif way == 1:
            data[at : at + 512] = self.chance.randbytes(len(data[at : at + 512]))
        elif way == 2:
            data[at // 4096 * 4096 : at // 4096 * 4096 + 4096] = bytes(4096)
        else:
            for _ in range(self.chance.randrange(1, 9)):
                data[self.chance.randrange(len(data))] ^= 1 << self.chance.randrange(8)


def run(files: int, seed: int) -> Trial:
    """Try a disk that is full, one that fails, and so many damaged files."""
    with tempfile.TemporaryDirectory(prefix="history", dir=SCRATCH) as folder:
        trial = Trial(seed, Path(folder))
        trial.fails(apsw.FullError)
        trial.fails(apsw.IOError)
        trial.damage(files)
    return trial


def main() -> int:
    parser = argparse.ArgumentParser(description="A disk that is full or fails under the history, and damaged files.")
    parser.add_argument("--files", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    began = time.monotonic()
    trial = run(asked.files, asked.seed)
    for what, count in sorted(trial.figures.items()):
        print(f"{count:>7} {what}")
    print(f"wrong: {len(trial.wrong)}, in {time.monotonic() - began:.0f} s")
    print(*trial.wrong[:10], sep="\n")
    return 1 if trial.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
