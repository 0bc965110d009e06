"""Collects what pytest-benchmark measures into one table, and prints it at the end."""

from __future__ import annotations

from collections.abc import Callable
from statistics import quantiles
from time import perf_counter
from typing import Any

import pytest
from bench.table import FOOT, OURS, Table

TABLE = pytest.StashKey[Table]()


def pytest_configure(config: pytest.Config) -> None:
    config.stash[TABLE] = Table()


@pytest.fixture
def timed(benchmark: Any, request: pytest.FixtureRequest) -> Callable[..., Any]:
    """`timed(what, who, work)` puts the time of `work` into the table's row `what`, and returns what it returns.

    `each` is how many of them one call does. `fresh` makes the argument of each call, which is not timed. `limits` are
    times that physics sets, by name. `least` are the ratios that ours must reach, by who; so ours is measured last.
    Of what `waits` for others the table has the median, of what only computes the quickest round, as timeit advises;
    `p99` puts the time beside it that one in a hundred rounds exceeds.
    """
    table = request.config.stash[TABLE]

    def timed(
        what: str,
        who: str,
        work: Callable[..., Any],
        *,
        each: int = 1,
        fresh: Callable[[], Any] | None = None,
        rounds: int = 0,
        waits: bool = False,
        p99: bool = False,
        limits: dict[str, float] | None = None,
        least: dict[str, float] | None = None,
    ) -> Any:
        benchmark.group = what
        if rounds:
            setup = (lambda: ((fresh(),), {})) if fresh else None
            result = benchmark.pedantic(work, setup=setup, rounds=rounds, warmup_rounds=1)
        else:
            result = benchmark(work)
        if not benchmark.enabled:
            return result
        stats = benchmark.stats.stats
        table.add(what, who, (stats.median if waits else stats.min) / each)
        if p99:
            table.add(what, "its own p99", quantiles(stats.data, n=100)[98] / each)
        for name, seconds in (limits or {}).items():
            table.add(what, f"limit: {name}", seconds)
        if (
            who == OURS
            and not fresh
            and any((table.ratio(what, other) or ratio) < ratio for other, ratio in (least or {}).items())
        ):
            # somebody else on this machine can slow all rounds of half a second; the quickest of more rounds tells
            table.add(what, who, min(stats.min, _quickest(work)) / each)
        for other, ratio in (least or {}).items() if who == OURS else ():
            found = table.ratio(what, other)
            assert found is None or found >= ratio, f"{what}: {other} takes only {found:.2f} times as long"
        return result

    return timed


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    if config.stash[TABLE].rows:
        terminalreporter.write_line("")
        for line in [*config.stash[TABLE].lines(), FOOT]:
            terminalreporter.write_line(line)


def _quickest(work: Callable[..., Any], seconds: float = 5.0) -> float:
    """The seconds of the quickest round of many."""
    rounds = []
    ends = perf_counter() + seconds
    while perf_counter() < ends:
        begun = perf_counter()
        work()
        rounds.append(perf_counter() - begun)
    return min(rounds)
