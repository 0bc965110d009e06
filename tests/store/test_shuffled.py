"""Reports of two boards that come late and in any order give the rows of a host that heard each in its time."""

from __future__ import annotations

import random
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest
from sqlalchemy import select
from store.house import UID, Clock, Table
from store.test_any_order import act

from cribboard.board.messages import Row, Standing
from cribboard.store import Note, Store, open_store
from cribboard.store.schema import events, games, scores, seats, spans

NAMES = ("Ann", "Bob", "Cid", "Dee", "")


@dataclass(frozen=True)
class Report:
    """What a host says of a board after an event."""

    uid: str
    epoch: int
    row: Row
    standing: Standing
    names: dict[int, str]
    note: Note

    def tell(self, store: Store) -> None:
        notes = {self.row.rev: self.note}
        store.keep(self.uid, self.epoch, self.row.rev, [self.row], self.standing, self.names, notes)


def evening(chance: random.Random, clock: Clock, many: int = 24) -> list[Report]:
    """What two boards report, at which the players change."""
    tables = [Table(uid=UID), Table(uid="bb")]
    found: list[Report] = []
    for _ in range(many):
        table = chance.choice(tables)
        if chance.random() < 0.15:
            table.names = dict(enumerate(chance.sample(NAMES, 2)))
        act(table, chance)
        for row in table.away():
            clock.go(seconds=20)
            note = Note(by=chance.choice(("phone 1", "")), at=clock())
            found.append(Report(table.uid, table.epoch, row, table.standing, dict(table.names), note))
    return found


def rows(store: Store) -> list[object]:
    """The rows of games, seats, scores and events, each with its game's numbers; without ids and when it was heard."""
    with store._database.reading() as connection:
        ids: dict[int, tuple[object, ...]] = {}
        for span in connection.execute(select(spans).order_by(spans.c.board, spans.c.epoch, spans.c.number)):
            ids[span.game] = (*ids.get(span.game, ()), tuple(span[:3]))
        known = dict(store.players())
        found: list[object] = []
        for table, without in ((games, {"id", "heard", "began", "ended", "summed"}), (seats, set()), (scores, set())):
            for row in connection.execute(select(table)):
                values = {name: value for name, value in row._asdict().items() if name not in without}
                game = row.id if table is games else values.pop("game")
                if "player" in values:
                    values["player"] = known.get(values["player"])
                found.append((table.name, ids.get(game), sorted(values.items())))
        for row in connection.execute(select(events)):
            values = row._asdict()
            game = values.pop("game", None)
            found.append(("events", ids.get(game), sorted(values.items(), key=str)))
    return sorted(found, key=str)


@pytest.mark.parametrize("seed", range(6))
def test_reports_that_come_in_another_order_give_the_same_rows(seed: int, folder: Path) -> None:
    chance, clock = random.Random(seed), Clock()
    told = evening(chance, clock)
    last = {report.uid: report for report in told}
    shuffled = told[:]
    chance.shuffle(shuffled)
    with (
        closing(open_store(f"sqlite:///{folder}/one.db", clock=clock)) as one,
        closing(open_store(f"sqlite:///{folder}/other.db", clock=clock)) as other,
    ):
        for store, order in ((one, told), (other, shuffled)):
            for report in [*order, *last.values()]:
                report.tell(store)
        assert rows(other) == rows(one)
