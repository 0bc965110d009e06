"""However events arrive, late, twice, or many at once, in the end the history is the one of a host that heard each."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from store.house import UID, Clock, Table

from cribboard.board.messages import Event
from cribboard.store import Store, open_store
from cribboard.store.report import Report


def act(table: Table, chance: random.Random) -> None:
    """Something that the match allows, often what leads to another game or back."""
    match = table.match
    ways = ["new"] * 2 + (["undo"] * 4 if match.can_undo else []) + (["redo"] * 3 if match.can_redo else [])
    if match.winner < 0:
        ways += ["peg"] * 8 + ["deal"] * 2 + ["win"]
    way = chance.choice(ways)
    if way == "new":
        table.new(dealer=chance.randrange(2))
    elif way in ("undo", "redo"):
        getattr(table, way)()
    elif way == "peg":
        table.do("peg", chance.randrange(2), chance.randrange(30))
    elif way == "deal":
        table.do("deal", -1)
    else:
        table.do("set", chance.randrange(2), 121, 90)


def shown(store: Store) -> list[object]:
    games = []
    for game in store.games():
        replay = store.game(game.id)
        assert replay is not None
        events = [(event.rev, event.kind, event.fronts, event.backs, event.gone) for event in replay.events]
        games.append((events, game.state, game.whole, game.sides, game.winner))
    return sorted(games, key=lambda each: str(each[0]))


@pytest.mark.parametrize("seed", [0, 1, 2, *(pytest.param(seed, marks=pytest.mark.long) for seed in (3, 4, 5))])
def test_the_order_in_which_events_arrive_makes_no_difference(seed: int, folder: Path, clock: Clock) -> None:
    chance = random.Random(seed)
    heard = open_store(f"sqlite:///{folder}/heard.db", clock=clock)
    late = open_store(f"sqlite:///{folder}/late.db", clock=clock)
    table = Table()
    for store in (heard, late):
        store.keep(Report(UID, 7, [], table.standing, table.names))
    rows: list[Event] = []
    behind: list[Event] = []
    for _ in range(50):
        act(table, chance)
        (row,) = table.away()
        rows.append(row)
        heard.keep(Report(UID, 7, [row], table.standing, table.names))
        if chance.random() < 0.5:
            behind.append(row)
        else:
            chance.shuffle(behind)
            some, behind = behind[: chance.randrange(4)], behind[4:]
            late.keep(Report(UID, 7, [*some, row][chance.randrange(2) :], table.standing, table.names))
    chance.shuffle(rows)
    for start in range(0, len(rows), 9):
        late.keep(Report(UID, 7, rows[start : start + 9], table.standing, table.names))
    assert shown(late) == shown(heard)
    assert all(game.whole for game in late.games())
    assert late.heard(UID, 7) == table.match.rev
    heard.close()
    late.close()
