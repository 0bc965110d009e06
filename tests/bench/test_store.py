"""The history: an event that is on the disk, and the pages of a season of 10,000 games."""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from bench.table import OURS
from sqlalchemy import insert
from store.house import Table

from cribboard.store import Store, open_store
from cribboard.store.database import Database, located
from cribboard.store.schema import games, names, players, scores, seats

GAMES, PLAYERS = 10_000, 60
KEEP = "keep an event in the history"
BEGAN = datetime(2026, 1, 5, 18, tzinfo=UTC)


@pytest.fixture(scope="module")
def season(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """A season of a busy house, without the events of its games, of which these pages read none."""
    url = f"sqlite:///{tmp_path_factory.mktemp('season')}/kiosk.db"
    store = open_store(url, clock=lambda: BEGAN + timedelta(minutes=11 * GAMES))
    database = Database(located(url))
    chance = random.Random(1)
    of = {game: chance.sample(range(1, PLAYERS + 1), 2) for game in range(1, GAMES + 1)}
    every = [{"game": game, "side": side} for game in of for side in (0, 1)]
    ended = [BEGAN + timedelta(minutes=11 * number) for number in range(GAMES)]
    common = {"board": "e6", "target": 121, "mask": 3, "sides": 2, "skunk": 91, "double_skunk": 61, "whole": True}
    zero = {"hands": 9, "hand_points": 70, "cribs": 4, "crib_points": 19, "best_hand": 14, "pegged": 31, "best_deal": 8}
    with database.writing() as connection:
        who = range(1, PLAYERS + 1)
        connection.execute(insert(players), [{"id": at, "name": f"Player {at}", "since": BEGAN} for at in who])
        connection.execute(insert(names), [{"key": f"player {at}", "player": at} for at in who])
        played = {"pegs": "79745a50", "winner": 0, "withdrawn": False, "summed": 1, **common}
        times = [{"began": at, "heard": at, "ended": at} for at in ended]
        connection.execute(insert(games), [{"id": at, **time, **played} for at, time in enumerate(times, 1)])
        sat = [
            {**one, "place": one["side"], "player": of[one["game"]][one["side"]], "corrected": False} for one in every
        ]
        connection.execute(insert(seats), sat)
        paid = [
            {"front": 121, "won": 1, "lost": 0, "skunks": 1, "points": 3, "spread": 31, **zero},
            {"front": 90, "won": 0, "lost": 2, "skunks": 0, "points": 0, "spread": -31, **zero},
        ]
        connection.execute(insert(scores), [{**one, **paid[one["side"]]} for one in every])
    database.close()
    yield store
    store.close()


PAGES: dict[str, Callable[[Store], object]] = {
    f"the leaderboard of {GAMES:,} games": lambda season: season.leaderboard("season"),
    "the leaderboard of a night among them": lambda season: season.leaderboard("night"),
    "a player's page after them": lambda season: season.player(1),
    "two players against each other after them": lambda season: season.head_to_head(1, 2),
    "fifty games of the list after them": lambda season: season.games(50),
}


@pytest.mark.parametrize("what", PAGES)
def test_a_page_of_a_season(timed: Callable[..., Any], season: Store, what: str) -> None:
    assert timed(what, OURS, lambda: PAGES[what](season), rounds=5)


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    store = open_store(f"sqlite:///{tmp_path}/kiosk.db")
    table = Table(store)
    table.new(target=241)
    yield table
    store.close()


def test_a_record_forced_to_the_disk(timed: Callable[..., Any], tmp_path: Path) -> None:
    with (tmp_path / "note").open("wb", buffering=0) as note:

        def forced() -> None:
            note.write(b"[7,2,0,5,0,0]\n" * 8)
            os.fsync(note.fileno())

        timed(KEEP, "a record and fsync on this disk", forced, rounds=50, waits=True)


def test_an_event_that_is_kept(timed: Callable[..., Any], table: Table) -> None:
    side = iter(range(1_000_000))
    timed(KEEP, OURS, lambda: table.do("peg", next(side) % 2, 1), rounds=100, waits=True)


def test_a_game_event_by_event(timed: Callable[..., Any], table: Table) -> None:
    for number in range(69):
        table.do("peg", number % 2, 1)
    assert table.store is not None
    store = table.store
    timed("a game of 70 events, replayed", OURS, lambda: store.game(1), rounds=5)
