"""The time to claim a hand, by a clock of the test's own."""

from __future__ import annotations

from referee.tables import Table

from cribboard.referee.state import overdue
from cribboard.referee.timer import Timer


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def counted(options: str) -> Table:
    """A deal of two whose cards are all played; the pone counts first."""
    table = Table(options)
    table.deal()
    table.play_out("4C 5C 6C JC", "4D 5D 6D QH")
    return table


def test_another_count_has_all_its_time_and_so_has_the_same_after_a_stop() -> None:
    clock = Clock()
    timer = Timer(clock)
    assert timer.left_s("Ann", 30) == 30
    clock.now += 20
    assert timer.left_s("Ann", 30) == 10
    assert timer.left_s("Bob", 30) == 30
    clock.now += 40
    assert timer.left_s("Bob", 30) == 0
    timer.stop()
    assert timer.left_s("Bob", 30) == 30


def test_who_does_not_claim_in_time_has_none_left_and_the_next_one_has_all() -> None:
    table, clock = counted("counting=manual time_limit=30"), Clock()
    timer = Timer(clock)
    assert overdue(table.referee, timer) is None
    clock.now += 29.9
    assert overdue(table.referee, timer) is None
    clock.now += 0.1
    act = overdue(table.referee, timer)
    assert act is not None
    assert act[0] == "timeout"
    table.referee.act(act)
    assert overdue(table.referee, timer) is None


def test_nobody_hurries_without_a_limit() -> None:
    table, clock = counted("counting=manual"), Clock()
    timer = Timer(clock)
    overdue(table.referee, timer)
    clock.now += 1000
    assert overdue(table.referee, timer) is None
