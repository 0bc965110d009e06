"""Collects what pytest-benchmark measures into one table, and prints it at the end."""

from __future__ import annotations

from collections.abc import Callable
from statistics import quantiles
from typing import Any

import pytest
from bench.table import FOOT, OURS, Table, Works, quickest_by_turns

TABLE = pytest.StashKey[Table]()
WORKS = pytest.StashKey[Works]()


def pytest_configure(config: pytest.Config) -> None:
    config.stash[TABLE] = Table()
    config.stash[WORKS] = {}


@pytest.fixture
def timed(benchmark: Any, request: pytest.FixtureRequest) -> Callable[..., Any]:
    """`timed(what, who, work)` puts the time of `work` into the table's row `what`, and returns what it returns.

    `each` is how many of them one call does. `fresh` makes the argument of each call, which is not timed. `limits` are
    times that physics sets, by name. `least` are the ratios that ours must reach, by who; so ours is measured last.
    Of what `waits` for others the table has the median, of what only computes the quickest round, as timeit advises;
    `p99` puts the time beside it that one in a hundred rounds exceeds.
    """
    table = request.config.stash[TABLE]
    works = request.config.stash[WORKS]

    def timed(
        what: str,
        who: str,
        work: Callable[..., Any],
        *,
        each: float = 1,
        fresh: Callable[[], Any] | None = None,
        rounds: int = 0,
        waits: bool = False,
        p99: bool = False,
        limits: dict[str, float] | None = None,
        least: dict[str, float] | None = None,
    ) -> Any:
        def falls_short() -> bool:
            return any((table.ratio(what, other) or ratio) < ratio for other, ratio in (least or {}).items())

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
        if not fresh:
            works[what, who] = (work, each)
        if who == OURS and not fresh and falls_short():
            # somebody else on this machine can slow all rounds of half a second; of more rounds the quickest tell
            known = {other: works[what, other] for other in (*(least or {}), who) if (what, other) in works}
            for other, seconds in quickest_by_turns(known).items():
                table.add(what, other, seconds)
        for other, ratio in (least or {}).items() if who == OURS else ():
            times = table.ratio(what, other)
            assert times is None or times >= ratio, f"{what}: {other} takes only {times:.2f} times as long"
        return result

    return timed


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    if config.stash[TABLE].rows:
        terminalreporter.write_line("")
        for line in [*config.stash[TABLE].lines(), FOOT]:
            terminalreporter.write_line(line)
