"""The endless loop rests exactly once in each turn that did nothing."""

from __future__ import annotations

from cribboard.sim.port import MANY_READS, REST_MS, Idle


class Port:
    def __init__(self) -> None:
        self.waits: list[int] = []

    def wait(self, ms: int) -> None:
        self.waits.append(ms)


def idle() -> tuple[Idle, Port]:
    port = Port()
    return Idle(port), port  # type: ignore[arg-type]


def test_a_loop_that_finds_nothing_rests_once_a_turn() -> None:
    rest, port = idle()
    for _ in range(11):
        for source in ("serial", "keys", "more"):
            rest.in_vain(source)
    assert port.waits == [REST_MS] * 10


def test_the_rest_is_told_so_that_the_poll_can_look_again() -> None:
    rest, _ = idle()
    assert [rest.in_vain("keys") for _ in range(3)] == [False, True, True]


def test_a_turn_in_which_something_happened_does_not_rest() -> None:
    rest, port = idle()
    for _ in range(10):
        rest.in_vain("serial")
        rest.busy()
        rest.in_vain("keys")
        rest.busy()
    assert port.waits == []


def test_a_loop_that_only_watches_the_clock_rests_as_well() -> None:
    rest, port = idle()
    for _ in range(10 * (MANY_READS + 1)):
        rest.clock_read()
    assert port.waits == [REST_MS] * 10


def test_reading_the_clock_at_work_costs_no_rest() -> None:
    rest, port = idle()
    for turn in range(20):
        for _ in range(MANY_READS):
            rest.clock_read()
        rest.in_vain(str(turn))
    assert port.waits == []
