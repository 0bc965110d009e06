"""Commands over a wire with every fault: none lost or doubled, the order kept. CI sends many more."""

from __future__ import annotations

import os
import subprocess
import sys
from array import array
from dataclasses import replace
from pathlib import Path

import pytest
from faults import exactly_once
from faults.exactly_once import MOST_P99_MS, PLACES, Figures, Judge, run

from cribboard_core.events import SET

TESTS = Path(__file__).parents[1]
COMMANDS = 2_000


@pytest.mark.parametrize("percent", [10, 1])
@pytest.mark.long
def test_commands_over_a_faulty_wire_count_once_in_order_and_soon(percent: int) -> None:
    # a process of its own, without coverage, which would make it three times as long
    apart = {name: value for name, value in os.environ.items() if not name.startswith(("COV", "COVERAGE"))}
    command = [sys.executable, "-m", "faults.exactly_once", "--quiet", "--commands", str(COMMANDS)]
    done = subprocess.run(
        [*command, "--percent", str(percent)], cwd=TESTS, env=apart, capture_output=True, text=True, timeout=600
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{COMMANDS} commands, 0 lost, 0 doubled, 0 out of order, 0 unknown" in done.stdout


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


@pytest.mark.parametrize(
    ("wrong", "status"),
    [
        ({}, 0),
        ({"lost": 1}, 1),
        ({"doubled": 1}, 1),
        ({"out_of_order": 1}, 1),
        ({"unknown": 1}, 1),
        ({"times": array("d", [MOST_P99_MS + 1])}, 1),
        ({"times": array("d", [MOST_P99_MS + 1]), "rate": 0.1}, 0),
    ],
)
def test_the_exit_status_says_whether_all_was_well(
    wrong: dict[str, object], status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    well = Figures(0.01, 1, 0, 0, 0, 0, array("d", [MOST_P99_MS]), {}, 0, 0, 0.0)
    monkeypatch.setattr(exactly_once, "run", lambda *asked: replace(well, **wrong))
    monkeypatch.setattr(sys, "argv", ["exactly_once", "--percent", "1", "--quiet"])
    assert exactly_once.main() == status
