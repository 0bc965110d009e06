"""A board that is unplugged or hangs while nothing happens: noticed, told, and followed again when it is back."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from faults.away import Figures, measure
from faults.cable import Cable
from faults.ends import SCRATCH, Firmware, Host, seated
from faults.pipes import Rates

from cribboard.errors import TransportError
from cribboard_core.events import PEG

NOTICE_S, HANG_S, BACK_S = 1.0, 5.0, 3.0


class Bench:
    """A host that listens to a board on the fake clock; `notices` has each with its time."""

    def __init__(self, cable: Cable, firmware: Firmware, host: Host) -> None:
        self.cable, self.firmware, self.board = cable, firmware, host.board
        self.notices: list[tuple[float, str]] = []
        self.board.on_notice = lambda text: self.notices.append((cable.clock(), text))

    def unplug(self, away_s: float, name: str = "wire") -> float:
        """Pull the cable, and put it in again after a while, at a port of this name; gives when it was pulled."""
        self.cable.away_ms = round(1000 * away_s)
        self.cable.name = name
        self.cable.strike("unplug")
        return self.cable.clock()

    def listen(self, seconds: float) -> None:
        """Hear what happens for so long, as `watch` does."""
        ends = self.cable.clock() + seconds
        while self.cable.clock() < ends:
            self.board.poll(1.0)


@pytest.fixture
def bench() -> Iterator[Bench]:
    with tempfile.TemporaryDirectory(dir=SCRATCH) as folder:
        cable, firmware, host = seated(Rates(), 1, Path(folder))
        yield Bench(cable, firmware, host)
        host.board.close()


@pytest.mark.parametrize("quiet_s", [0.0, 0.35, 0.99, 1.0, 2.51])
def test_an_unplugged_board_is_told_within_a_second_and_followed_again_three_after_it_is_back(
    bench: Bench, quiet_s: float
) -> None:
    bench.listen(quiet_s)
    pulled = bench.unplug(30, "wire-2")
    bench.listen(29)
    bench.firmware.keeper.do((PEG, 1, 4, 0, 0))
    bench.listen(4)
    assert [text for _, text in bench.notices] == [
        "the board on wire is gone; waiting for it to come back",
        "the board is back on wire-2",
    ]
    assert bench.notices[0][0] - pulled <= NOTICE_S
    assert bench.notices[1][0] - (pulled + 30) <= BACK_S
    assert bench.board.match.front(1) == 4
    assert bench.board.check()


def test_a_board_that_leaves_somebody_without_an_answer_is_away_for_the_next_one(bench: Bench) -> None:
    bench.cable.hangs = True
    hung = bench.cable.clock()
    with pytest.raises(TransportError, match="does not answer"):
        bench.board.pend(0, 4)
    assert not bench.notices
    bench.board.poll()
    ((told, text),) = bench.notices
    assert text == "the board on wire does not answer; waiting for it to come back"
    assert told - hung <= HANG_S
    assert bench.board.away


@pytest.mark.parametrize("quiet_s", [0.0, 0.35, 0.99, 1.0, 2.51])
def test_a_board_that_hangs_is_told_within_five_seconds_and_followed_again_when_it_goes_on(
    bench: Bench, quiet_s: float
) -> None:
    bench.listen(quiet_s)
    port = bench.cable.host
    bench.cable.hangs = True
    hung = bench.cable.clock()
    bench.listen(20)
    assert [text for _, text in bench.notices] == ["the board on wire does not answer; waiting for it to come back"]
    assert bench.notices[0][0] - hung <= HANG_S
    bench.firmware.unheard((PEG, 1, 4, 0, 0))
    bench.cable.hangs = False
    goes_on = bench.cable.clock()
    bench.listen(1)
    assert [text for _, text in bench.notices][1:] == ["the board is back on wire"]
    assert bench.cable.host is port
    assert bench.notices[1][0] - goes_on <= BACK_S
    assert bench.board.match.front(1) == 4
    assert bench.board.check()


def test_a_board_that_hangs_before_a_command_is_told_within_five_seconds_and_the_command_is_kept(bench: Bench) -> None:
    bench.cable.hangs = True
    began = bench.cable.clock()
    with pytest.raises(TransportError, match=r"does not answer; .*`peg 1 5` is noted"):
        bench.board.peg(0, 5)
    assert bench.cable.clock() - began <= HANG_S
    bench.cable.hangs = False
    bench.board.peg(0, 1)
    assert [event[1][2] for event in bench.firmware.applied] == [5, 1]


def test_a_hung_board_that_is_unplugged_and_plugged_in_elsewhere_is_followed_again(bench: Bench) -> None:
    bench.cable.hangs = True
    bench.listen(8)
    bench.unplug(1, "wire-2")
    bench.cable.hangs = False
    back = bench.cable.clock() + 1
    bench.listen(5)
    assert bench.notices[-1][1] == "the board is back on wire-2"
    assert bench.notices[-1][0] - back <= BACK_S
    assert len(bench.notices) == 2


def test_the_word_of_a_press_that_was_lost_is_asked_for_within_a_second_of_quiet(bench: Bench) -> None:
    for points in range(1, 5):
        bench.listen(0.3 * points)
        bench.firmware.unheard((PEG, 1, points, 0, 0))
        began = bench.cable.clock()
        assert [row[:4] for row in bench.board.poll(2.0)] == [[points, "peg", 1, points]]
        assert bench.cable.clock() - began <= 1.1
    assert bench.notices == []


def test_a_listener_asks_no_more_than_once_a_second(bench: Bench) -> None:
    sent = bench.cable.sent
    bench.listen(60)
    assert 50 <= bench.cable.sent - sent <= 60


@pytest.fixture(scope="module")
def figures() -> Figures:
    return measure()


def test_a_real_port_that_goes_away_is_noticed_and_found_again_under_another_name(figures: Figures) -> None:
    assert figures.unplug_noticed
    assert figures.back


def test_a_process_that_is_stopped_is_noticed_and_followed_again_when_it_goes_on(figures: Figures) -> None:
    assert figures.hang_noticed
    assert figures.goes_on


def test_a_terminal_that_took_the_ports_old_name_is_not_written_to(figures: Figures) -> None:
    if not figures.taken:
        pytest.skip("another program took the name before")
    assert figures.strayed == b""
