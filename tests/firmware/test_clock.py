"""The clock: milliseconds that wrap."""

from __future__ import annotations

import pytest

from cribboard_fw.clock import WRAP, elapsed


def test_the_clock_wraps_as_circuitpythons_ticks_do() -> None:
    assert WRAP == 2**29
    assert elapsed(0, 2**29 - 1) == 1


@pytest.mark.parametrize(
    ("now", "then", "ms"),
    [
        (1000, 1000, 0),
        (1250, 1000, 250),
        (5, WRAP - 5, 10),
        (0, WRAP - 1, 1),
        (WRAP - 1, 0, 0),
        (WRAP // 2 - 1, 0, WRAP // 2 - 1),
        (100, WRAP // 2 + 101, WRAP // 2 - 1),
    ],
)
def test_the_time_between_is_right_across_the_wrap(now: int, then: int, ms: int) -> None:
    assert elapsed(now, then) == ms


@pytest.mark.parametrize(("now", "then"), [(1000, 1001), (WRAP - 3, 2), (0, 1), (0, WRAP // 2)])
def test_a_time_that_lies_ahead_has_not_been_for_any_time(now: int, then: int) -> None:
    assert elapsed(now, then) == 0
