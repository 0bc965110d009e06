"""A hundred thousand commands over a wire with every fault: none lost, none doubled, the order kept."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from faults.exactly_once import PLACES, Judge, run

from cribboard_core.events import SET

TESTS = Path(__file__).parents[1]
BOUNDS = {10: 90_000, 1: 10_000}  # per cent of each fault: commands


@pytest.mark.parametrize("percent", BOUNDS)
def test_commands_over_a_faulty_wire_count_once_in_order_and_soon(percent: int) -> None:
    # a process of its own, without coverage, which would make it three times as long
    apart = {name: value for name, value in os.environ.items() if not name.startswith(("COV", "COVERAGE"))}
    command = [sys.executable, "-m", "faults.exactly_once", "--quiet", "--commands", str(BOUNDS[percent])]
    told = subprocess.run(
        [*command, "--percent", str(percent)], cwd=TESTS, env=apart, capture_output=True, text=True, timeout=600
    )
    assert told.returncode == 0, told.stdout + told.stderr
    assert f"{BOUNDS[percent]} commands, 0 lost, 0 doubled, 0 out of order, 0 unknown" in told.stdout
    p99 = re.search(r"(\d+) ms \(p99\)", told.stdout)
    assert p99 is not None
    assert percent > 1 or int(p99[1]) <= 100


def test_the_same_seed_does_the_same_again() -> None:
    first, second = (run(300, 0.1, 4) for _ in range(2))
    assert (first.times, first.struck, first.resent) == (second.times, second.struck, second.resent)
    assert first.clean
    assert all(first.struck.values())


def heard(*numbers: int, revs: list[int] | None = None) -> Judge:
    judge = Judge()
    for rev, number in zip(revs or range(1, len(numbers) + 1), numbers, strict=True):
        judge.hear((rev, (SET, *PLACES[number], 0), 1, 1))
    return judge


def test_the_judge_counts_what_is_wrong() -> None:
    right, twice, late, gap = heard(0, 1, 2), heard(0, 1, 1, 2), heard(0, 2, 1), heard(0, 1, revs=[1, 3])
    assert [(judge.next, judge.doubled, judge.out_of_order) for judge in (right, twice, late, gap)] == [
        (3, 0, 0),
        (3, 1, 0),
        (2, 0, 1),
        (2, 0, 1),
    ]
