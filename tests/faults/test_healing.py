"""A power cut inside an erase, with a host at the board: what was lost is given back, and the command counts once."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from faults.ends import SCRATCH, Firmware, Host, seated
from faults.pipes import Rates

from cribboard.sim.flash import SECTOR, Cut, Flash
from cribboard_core.events import PEG
from cribboard_core.journal import LONG_GAME, PAGE
from cribboard_core.records import SLOT

BACK = "the board had lost its memory; its last score has been restored"
RECORDS = 84  # bytes that change with the snapshot of two and the event behind it


@contextmanager
def before_an_erase(in_a_game: bool) -> Iterator[tuple[Firmware, Host, Flash]]:
    """A host at a board that will erase its sector for the next score."""
    with tempfile.TemporaryDirectory(dir=SCRATCH) as folder:
        _, firmware, host = seated(Rates(), 1, Path(folder))
        journal = firmware.keeper.journal
        host.do("set", 0, 121, 100)
        host.do("new", host.board.standing.rev, 121, 3, 2, 1, -1, -1)
        host.do("peg", 0, 12)
        while journal.free >= (4 if in_a_game else LONG_GAME):
            firmware.keeper.do((PEG, 0, 0, 0, 0))  # by the buttons, which is quicker
        host.restart()
        if not in_a_game:
            host.do("set", 1, 121, 100)
            host.do("new", host.board.standing.rev, 121, 3, 2, 0, -1, -1)
        yield firmware, host, firmware.flash
        host.board.close()


@pytest.mark.parametrize("in_a_game", [False, True])
def test_what_a_cut_inside_an_erase_loses_is_given_back_and_the_command_counts_once(in_a_game: bool) -> None:
    with before_an_erase(in_a_game) as (_, _, flash):
        programmed = SECTOR - flash.memory.count(0xFF)
    came: Counter[bool] = Counter()
    for at in [0, 1, programmed // 2, programmed - 1, *range(programmed, programmed + RECORDS, 3)]:
        with before_an_erase(in_a_game) as (firmware, host, flash):
            before = host.board.standing
            flash.cut = Cut(flash.changed + at)
            host.do("peg", 1, 7)
            assert firmware.boots == 2
            standing = host.board.sync()
            lost = firmware.keeper.journal.log.epoch != 1001
            came[lost] += 1
            assert host.notes.count(BACK) == lost, host.notes
            assert (standing.front(0), standing.front(1)) == (before.front(0), 7)
            assert standing.won == before.won
            assert host.board.check()
            host.do("peg", 0, 1)
            assert host.board.standing.front(0) == before.front(0) + 1
            again = Firmware(firmware.flash)
            again.boot(None)  # type: ignore[arg-type]
            assert again.match.play.pack() == firmware.match.play.pack()
    assert came[True] > 20


@contextmanager
def a_page_lost() -> Iterator[tuple[Firmware, Host]]:
    """A host at a board that has lost the last four of seven pegs with a page of its flash, and its power."""
    with tempfile.TemporaryDirectory(dir=SCRATCH) as folder:
        cable, firmware, host = seated(Rates(), 1, Path(folder))
        for points in range(1, 8):
            host.do("peg", 0, points)
        firmware.flash.memory[2 * PAGE + 4 * SLOT : 3 * PAGE] = bytes(PAGE - 4 * SLOT)
        cable.strike("restart")
        yield firmware, host
        host.board.close()


def test_events_that_are_lost_with_a_page_are_given_back_by_the_host() -> None:
    with a_page_lost() as (firmware, host):
        host.guard(host.board.sync)
        assert firmware.match.front(0) == 28
        assert host.board.check()
        assert host.notes.count(BACK) == 1
        host.do("peg", 1, 3)
        assert (firmware.match.front(0), firmware.match.front(1)) == (28, 3)


def test_a_board_that_has_gone_on_after_losing_a_page_is_left_alone_and_told_of() -> None:
    with a_page_lost() as (firmware, host):
        firmware.keeper.do((PEG, 1, 4, 0, 0))
        host.guard(host.board.sync)
        assert host.board.standing.fronts == (10, 4)
        assert BACK not in host.notes
        gone_on = "the board had lost its memory and has continued since; before: side 1 28, "
        assert any(note.startswith(gone_on) for note in host.notes)
