"""The table's own lines."""

from __future__ import annotations

from itertools import groupby

from bench.table import OURS, Table, quickest_by_turns


def test_each_figure_stands_beside_ours_with_its_ratio() -> None:
    table = Table()
    table.add("count", "a loop", 58e-6)
    table.add("count", "a guess", 1e-9)
    table.add("count", OURS, 29e-6)
    table.add("step", OURS, 1.5)
    rows = [line.split() for line in table.lines()[1:]]
    assert rows == [
        ["count", "29", "µs", "a", "loop", "58", "µs", "2"],
        ["a", "guess", "1", "ns", "3.45e-05"],
        ["step", "1.5", "s"],
    ]


def test_what_was_not_measured_has_no_ratio() -> None:
    table = Table()
    table.add("count", "a loop", 58e-6)
    assert table.ratio("count", "a loop") is None
    assert table.ratio("count", OURS) is None
    assert table.lines()[1].split() == ["count", "a", "loop", "58", "µs"]


def test_those_who_are_measured_again_take_turns() -> None:
    done: list[str] = []
    works = {
        "another": (lambda: done.append("another") or sum(range(20_000)), 2.0),
        OURS: (lambda: done.append(OURS), 1),
    }
    quickest = quickest_by_turns(works, seconds=0.05)
    turns = [who for who, _ in groupby(done)]
    assert turns == ["another", OURS] * (len(turns) // 2)
    assert done.count(OURS) > 10 * done.count("another")  # a look at the clock takes as long as many of ours
    assert list(quickest) == ["another", OURS]
    assert 0 < quickest[OURS] < quickest["another"] < 0.05
