"""A clock that is put right while a game is on, as a computer without a battery does when it finds the network."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from store.house import Clock, Table

from cribboard.store import Store, open_store
from cribboard.store.jumps import uptime
from cribboard.store.report import Report

BEFORE = datetime(2025, 1, 25, 20, 0, tzinfo=UTC)


class Bench:
    """A store with the clock that people see and one that nobody can change."""

    def __init__(self, url: str) -> None:
        self.clock = Clock(BEFORE)
        self.seconds = 0.0
        self.store: Store = open_store(url, clock=self.clock, zone=UTC, steady=lambda: self.seconds)

    def pass_by(self, minutes: float) -> None:
        self.clock.go(minutes=minutes)
        self.seconds += minutes * 60


@pytest.fixture
def bench(url: str) -> Bench:
    return Bench(url)


def play(bench: Bench, meanwhile: Callable[[], None]) -> timedelta:
    """How long a game lasts in the history, which has taken half an hour."""
    table = Table(bench.store)
    table.new(61)
    for points in (29, 29):
        bench.pass_by(10)
        table.do("peg", 0, points)
    meanwhile()
    bench.pass_by(10)
    table.do("peg", 0, 3)
    (game,) = bench.store.games()
    assert game.ended is not None
    times = [event.at for event in bench.store.game(game.id).events if event.at]  # type: ignore[union-attr]
    assert times == sorted(times)
    assert (times[0], times[-1]) == (game.began, game.ended)
    bench.store.close()
    return game.ended - game.began


@pytest.mark.parametrize("days", [400, -400])
def test_a_game_lasts_as_long_as_it_took_although_the_clock_jumps(bench: Bench, days: int) -> None:
    assert play(bench, lambda: bench.clock.go(days=days)) == timedelta(minutes=30)
    assert bench.clock.at == BEFORE + timedelta(days=days, minutes=30)


@pytest.mark.parametrize(("minutes", "lasted"), [(2, 30), (1.9, 31.9)])
def test_a_clock_that_is_put_right_by_less_than_two_minutes_has_not_jumped(
    bench: Bench, minutes: float, lasted: float
) -> None:
    assert play(bench, lambda: bench.clock.go(minutes=minutes)) == timedelta(minutes=lasted)


@pytest.mark.parametrize(("minutes", "again"), [(600_000, False), (-600_000, True), (-1, False)])
def test_an_abandoned_game_stays_so_unless_it_is_played_on(bench: Bench, minutes: int, again: bool) -> None:
    table = Table(bench.store)
    table.new(61)
    bench.pass_by(2)
    table.do("peg", 0, 5)
    jumps = [lambda: bench.store.abandon(1), lambda: bench.clock.go(minutes=minutes)]
    for jump in jumps if abs(minutes) > 1 else jumps[::-1]:
        jump()
    bench.pass_by(2)
    if again:
        table.do("peg", 0, 1)
    table.store = None
    table.new(61)
    table.do("peg", 0, 1)
    *_, newest = table.away()
    bench.store.keep(Report(table.uid, table.epoch, [newest], table.standing, table.names))
    asides = [game["aside"] for game in json.loads(bench.store.export_json())["games"]]
    assert asides == ["next" if again else "staff", None]
    bench.store.close()


def test_a_computer_that_slept_has_not_jumped(bench: Bench) -> None:
    assert play(bench, lambda: bench.pass_by(600)) == timedelta(minutes=630)


def test_what_was_there_before_the_program_stays(url: str, bench: Bench) -> None:
    other = Table(bench.store, uid="aa")
    other.new(61)
    other.do("peg", 0, 29)
    other.do("peg", 0, 29)
    other.do("peg", 0, 3)
    bench.store.close()
    bench.pass_by(60)
    bench.store = open_store(url, clock=bench.clock, zone=UTC, steady=lambda: bench.seconds)
    table = Table(bench.store, uid="bb")
    table.new(61)
    bench.clock.go(days=400)
    table.do("peg", 0, 1)
    new, old = bench.store.games()
    bench.store.close()
    assert (old.began, old.ended) == (BEFORE, BEFORE)
    assert new.began == BEFORE + timedelta(days=400, minutes=60)


def test_the_steady_clock_goes_on() -> None:
    assert uptime() <= uptime()
