"""Any order of commands and faults leaves each command counted once; bugs planted in board and wire are noticed."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from faults.cable import Cable
from faults.ends import SCRATCH, Firmware, Host, seated
from faults.pipes import LINE_FAULTS, Rates
from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from cribboard.sim.flash import Cut, Flash
from cribboard_core import wire
from cribboard_core.events import PEG
from cribboard_core.journal import Journal
from cribboard_core.match import Match
from cribboard_fw.keeper import Keeper

STEPS = 30  # of at most 3 points each, so that no game ends
AT_WHICH_FRAME = st.sets(st.sampled_from(["unplug", "restart", "kill"]), max_size=2)


class Table(RuleBasedStateMachine):
    """Two hosts that take turns at one board, its buttons, and a cable with all faults."""

    firmware_type = Firmware

    @initialize(session=st.sampled_from([1, 0x7F00, 0xFE00, 0xFF80]), seed=st.integers(0, 2**32))
    def begin(self, session: int, seed: int) -> None:
        self.folder = Path(tempfile.mkdtemp(dir=SCRATCH))
        self.cable: Cable
        firmware = self.firmware_type()
        self.fronts, self.rev = [0, 0], 0
        self.cable, self.firmware, self.host = seated(Rates(), seed, self.folder / "0", firmware)
        self.host.board.close()
        firmware.keeper.command(["peg", session, 1, 0, 1])  # where the sessions of the hosts go on
        self.counts(0, 1)
        self.frames: list[bytes] = []  # of commands
        send = self.cable.toward.send

        def noted(frame: bytes, now_ms: int) -> None:
            if b'["peg"' in frame:
                self.frames.append(frame)
            send(frame, now_ms)

        self.cable.toward.send = noted  # type: ignore[method-assign]
        self.turn = 0
        self.host.open()

    def teardown(self) -> None:
        if hasattr(self, "folder"):
            self.host.board.close()
            shutil.rmtree(self.folder)

    def counts(self, side: int, points: int) -> None:
        self.fronts[side] += points
        self.rev += 1

    @rule(side=st.integers(0, 1), points=st.integers(1, 3))
    def a_host_pegs(self, side: int, points: int) -> None:
        self.host.do("peg", side, points)
        self.counts(side, points)

    @rule(
        side=st.integers(0, 1),
        points=st.integers(1, 3),
        line=st.sets(st.sampled_from(LINE_FAULTS)),
        share=st.sampled_from([0.1, 0.3, 0.5]),
        ends=AT_WHICH_FRAME,
        cut=st.none() | st.integers(0, 12),
    )
    def a_host_pegs_with_faults(
        self, side: int, points: int, line: set[str], share: float, ends: set[str], cut: int | None
    ) -> None:
        each = min(share, 1 / max(1, len(line)))  # else a host may have to try a thousand times
        self.cable.expect(Rates(**dict.fromkeys(line, each), **dict.fromkeys(ends, 1.0)))
        flash = self.firmware.flash
        flash.cut = None if cut is None else Cut(flash.changed + cut)
        self.host.do("peg", side, points)
        flash.cut = None
        self.cable.expect(Rates())
        self.counts(side, points)

    @rule(side=st.integers(0, 1), points=st.integers(1, 3))
    def buttons_peg(self, side: int, points: int) -> None:
        self.firmware.keeper.do((PEG, side, points, 0, 0))
        self.counts(side, points)

    @rule(ago=st.integers(1, 10))
    def a_frame_comes_again_late(self, ago: int) -> None:
        if ago <= len(self.frames):
            self.cable.toward.put(self.frames[-ago], self.cable.now_ms + 1)
            self.cable.pause(0.1)

    @rule()
    def the_other_host_takes_over(self) -> None:
        self.host.board.close()
        self.turn = 1 - self.turn
        self.host = Host(self.cable, self.folder / str(self.turn), self.turn)

    @rule()
    def the_board_restarts(self) -> None:
        self.cable.strike("restart")

    @invariant()
    def every_command_has_counted_once(self) -> None:
        if not hasattr(self, "host"):
            return
        match = self.firmware.match
        assert ([match.front(0), match.front(1)], match.rev) == (self.fronts, self.rev)
        again = Match()
        Journal(Flash(self.firmware.flash.memory[:])).mount(again, 0)  # type: ignore[arg-type]
        assert ([again.front(0), again.front(1)], again.rev) == (self.fronts, self.rev)

    @invariant()
    def the_hosts_copy_is_the_boards_match(self) -> None:
        if hasattr(self, "host"):
            self.host.board.sync()
            assert self.host.board.check()
            assert list(self.host.board.standing.fronts) == self.fronts


EASY = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]
Table.TestCase.settings = settings(max_examples=60, stateful_step_count=STEPS, suppress_health_check=EASY)
TestTable = Table.TestCase


# Planted bugs


class NoDeduplication(Keeper):
    """Applies a command as often as it comes."""

    def command(self, message: list[Any]) -> list[Any]:
        if message[1:3] == [self.session, self.last_id]:
            self.last_id = self.last_id - 1 & 255
        return super().command(message)


class NothingIsStale(Keeper):
    """Applies any command but the last one again."""

    def command(self, message: list[Any]) -> list[Any]:
        if message[1] == self.session and message[2] != self.last_id:
            self.last_id = message[2] - 1 & 255
        return super().command(message)


class NoSessionIsOver(Keeper):
    """Takes the commands of a session that another has ended."""

    def command(self, message: list[Any]) -> list[Any]:
        if message[1] - self.session & 0xFFFF >= 0x8000:
            self.session, self.last_id = message[1], message[2] - 1 & 255
        return super().command(message)


class SessionsDoNotRollOver(Keeper):
    """Compares sessions as if they never went round."""

    def command(self, message: list[Any]) -> list[Any]:
        if message[1] < self.session:
            return ["no", message[1], message[2], "session", "this session is over"]
        return super().command(message)


class NoTagInTheJournal(Journal):
    """Forgets over a restart which command came last."""

    def append(self, match: Match, event: tuple[int, ...], session: int = 0, last_id: int = 0) -> int:
        return super().append(match, event)


class TagAfterTheEvent(Keeper):
    """Answers, and only with the next command puts its tag where a restart finds it."""

    def command(self, message: list[Any]) -> list[Any]:
        answer = super().command(message)
        if self.journal.log.last_rev < self.match.rev:
            self.journal.log.tag(self.match.rev, self.session, self.last_id, self.match.game)
        return answer

    def do(self, event: tuple[int, ...], session: int = 0, command_id: int = 0) -> int:
        return super().do(event, self.journal.log.session, self.journal.log.last_id)


@contextmanager
def no_crc() -> Iterator[None]:
    def unchecked(line: bytes) -> list[object] | None:
        line = bytes(line).strip()
        return wire_decode(line[:-9] + b"*%08x" % wire.crc32(line[:-9])) if line[-9:-8] == b"*" else None

    with pytest.MonkeyPatch.context() as planted:
        wire_decode = wire.decode
        planted.setattr(wire, "decode", unchecked)
        yield


def with_keeper(keeper: type[Keeper]) -> type[Firmware]:
    return type(keeper.__name__, (Firmware,), {"keeper_type": keeper})


BUGS: dict[str, type[Firmware]] = {
    "no de-duplication": with_keeper(NoDeduplication),
    "nothing is stale": with_keeper(NothingIsStale),
    "no session is over": with_keeper(NoSessionIsOver),
    "sessions do not roll over": with_keeper(SessionsDoNotRollOver),
    "the tag comes after the event": with_keeper(TagAfterTheEvent),
    "no tag in the journal": type("Untagged", (Firmware,), {"journal_type": NoTagInTheJournal}),
}


def hunt(firmware_type: type[Firmware], first: int = 0) -> None:
    """Run the machine on such a board until it finds something, at most ten times as long as on a right one.

    `first` is a seed with which it finds it soon.
    """
    machine: Callable[[], Table] = seed(first)(type("Planted", (Table,), {"firmware_type": firmware_type}))
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=600,
            stateful_step_count=STEPS,
            derandomize=True,
            database=None,
            phases=[Phase.generate],
            suppress_health_check=EASY,
        ),
    )


@pytest.mark.parametrize("bug", BUGS)
def test_a_bug_in_the_board_is_noticed(bug: str) -> None:
    with pytest.raises(AssertionError):
        hunt(BUGS[bug])


def test_a_wire_without_a_crc_is_noticed() -> None:
    with no_crc(), pytest.raises((AssertionError, ValueError, TypeError)):
        hunt(Firmware, 2)
