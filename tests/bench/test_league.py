"""Planning an evening, a Swiss round of many, and adding up a night."""

from __future__ import annotations

from contextlib import closing
from random import Random

from league.test_fold import RULES, night

from cribboard.league.acts import Act
from cribboard.league.plan import plan
from cribboard.league.state import fold
from cribboard.league.swiss import swiss
from cribboard.store import open_store
from cribboard.store.contests import Contest

PLAN_S, SWISS_S, NIGHT_S, SEASON_S = 1.0, 3.0, 0.005, 0.05  # at most


def test_twenty_players_are_planned_within_a_second(benchmark):
    tables = range(1, 8)
    assert len(benchmark(lambda: plan(range(20), tables, 12, Random(1), boards=(1, 2, 3)))) == 12
    if benchmark.enabled:
        assert benchmark.stats["max"] < PLAN_S


def test_the_ninth_swiss_round_of_two_hundred_takes_seconds_at_most(benchmark):
    chance, met = Random(1), set()
    for _ in range(8):
        order = chance.sample(range(200), 200)
        met |= set(map(frozenset, swiss(order, met, {})[0]))
    assert len(benchmark(lambda: swiss(range(200), met, {}))[0]) == 100
    if benchmark.enabled:
        assert benchmark.stats["max"] < SWISS_S


def test_a_night_of_twenty_is_added_up(benchmark):
    acts = night(rounds=9, players=range(1, 21), tables=range(1, 11))
    begun = [act for act in acts if act.kind == "match"]
    acts += [
        Act(number=900 + at, kind="settle", match=act.number, score=121, other_score=90) for at, act in enumerate(begun)
    ]
    state = fold(acts, {})
    assert len(benchmark(lambda: state.standings(RULES))) == 20
    if benchmark.enabled:
        assert sorted(benchmark.stats.stats.data)[int(0.95 * len(benchmark.stats.stats.data))] < NIGHT_S


def test_fifty_nights_of_two_hundred_are_added_up(benchmark, tmp_path):
    """What a season's page waits for."""
    with closing(open_store(f"sqlite:///{tmp_path}/kiosk.db")) as store:
        number = store.begin_contest(Contest(kind="season", name="Winter", rules='{"best": 30}'))
        names = [f"Player {chr(65 + at // 26)}{chr(65 + at % 26)}" for at in range(200)]
        for _ in range(50 if benchmark.enabled else 1):
            one = store.begin_contest(Contest(rules='{"game": {"win": 2}}', season=number), names)
            store.act(one, lambda night, state: [Act(number=0, kind="close")])
        assert len(benchmark(lambda: store.season(number)).rows) == 200
        if benchmark.enabled:
            assert sorted(benchmark.stats.stats.data)[int(0.95 * len(benchmark.stats.stats.data))] < SEASON_S
