"""The keeper with a flash that fails, is full, or loses its power at any byte."""

from __future__ import annotations

import random
from contextlib import suppress

import pytest
from firmware.keeping import RESTORED, Board, finished, no

from cribboard.sim.flash import Cut, Flash, PowerCut
from cribboard_core.events import PEG, Refused
from cribboard_core.journal import Journal
from cribboard_fw.keeper import Keeper


class Broken(bytearray):
    """A flash that takes nothing while it is `broken`."""

    broken = False

    def __setitem__(self, index: object, value: object) -> None:
        if not self.broken:
            super().__setitem__(index, value)  # type: ignore[call-overload]


def test_what_the_flash_does_not_take_is_refused_and_changes_nothing(board: Board) -> None:
    flash = Broken(b"\xff" * 4096)
    journal = Journal(flash)
    journal.mount(board.match, 1)
    keeper = Keeper(board.match, journal, lambda *what: board.events.append(what))
    keeper.command(["peg", 7, 1, 0, 5])
    before = board.state()
    flash.broken = True
    answer = keeper.command(["peg", 7, 2, 0, 5])
    assert answer == ["no", 7, 2, "journal", "the flash did not take a record in slot 47"]
    assert keeper.command(["peg", 7, 2, 0, 5]) == answer
    assert finished(keeper, ["restore", 7, 3, 1, *RESTORED])[3] == "journal"
    with pytest.raises(Refused) as refused:
        keeper.do((PEG, 0, 1, 0, 0))
    assert refused.value.code == "journal"
    assert (board.state(), len(board.events)) == (before, 1)
    flash.broken = False
    assert keeper.command(["peg", 7, 4, 0, 5])[0] == "ok"


def full(journal: Journal) -> None:
    """No slot is left to be written."""
    journal.log.next = journal.log.slots


def test_a_flash_that_fails_while_it_is_erased_refuses_and_keeps_the_score(board: Board) -> None:
    flash = Broken(b"\xff" * 4096)
    journal = Journal(flash)
    journal.mount(board.match, 1)
    keeper = Keeper(board.match, journal)
    keeper.command(["peg", 7, 1, 0, 5])
    full(journal)
    flash.broken = True
    assert finished(keeper, ["peg", 7, 2, 0, 5])[3] == "journal"
    assert finished(keeper, ["restore", 7, 3, 1, *RESTORED])[3] == "journal"
    assert board.match.front(0) == 5
    flash.broken = False
    assert finished(keeper, ["peg", 7, 4, 0, 5])[0] == "ok"
    assert board.match.front(0) == 10


def test_a_full_sector_is_erased_for_a_command_and_for_a_restore() -> None:
    flash = Flash()
    board = Board(flash)
    board.send("peg", 0, 5)
    full(board.keeper.journal)
    assert board.send("peg", 0, 6)[0] == "ok"
    full(board.keeper.journal)
    assert board.send("restore", 2, *RESTORED)[0] == "ok"
    assert flash.erases == 2
    assert board.match.won(1) == 999


def test_a_redo_that_the_erase_let_go_is_refused(board: Board) -> None:
    board.send("peg", 0, 5)
    board.send("undo", 1)
    full(board.keeper.journal)
    assert no(board.send("redo", 1)) == ("nothing", "there is nothing to redo")
    assert board.match.rev == 2


def script(seed: int) -> list[tuple[str, tuple[object, ...]]]:
    """Commands of a game in which each acts on what the one before left."""
    rng = random.Random(seed)
    commands: list[tuple[str, tuple[object, ...]]] = []
    for rev in range(40):
        choice = rng.random()
        if rev == 20:
            commands.append(("restore", (rev, 121, 3, 2, 1, 91, 61, "28200a05", [3, 4])))
        elif rev == 30:
            commands.append(("new", (rev, 121, 3, 2, -1, -1, -1)))
        elif choice < 0.2 and commands and commands[-1][0] in ("peg", "hand", "penalty", "restore", "new"):
            commands.append(("undo", (rev,)))
        elif choice < 0.3:
            commands.append(("hand", (rev % 2, "5H5C5SJD", "KD", rev % 2, 21)))
        elif choice < 0.4:
            commands.append(("penalty", (rev % 2, 2, 1)))
        elif choice < 0.5:
            commands.append(("set", (rev % 2, rev, rev // 2)))
        else:
            commands.append(("peg", (rev % 2, rng.randrange(3))))
    return commands


@pytest.mark.unmeasured
@pytest.mark.parametrize("seed", [None, 5])
def test_a_command_cut_off_at_any_byte_and_sent_again_is_applied_once(seed: int | None) -> None:
    board = Board(Flash())
    applied = 0
    for op, args in script(3):
        assert isinstance(board.nvm, Flash)
        before = bytes(board.nvm.memory)
        answer = board.send(op, *args)
        assert answer[0] == "ok", (op, args, answer)
        at = 0
        while True:
            flash = Flash(bytearray(before), cut=Cut(at, None if seed is None else random.Random(seed + at)))
            cut = Board(flash)
            cut.id = board.id
            with suppress(PowerCut):
                cut.resend(op, *args)
                break
            again = Board(Flash(flash.memory))
            again.id = board.id
            assert again.mounted
            assert again.match.rev in (board.match.rev - 1, board.match.rev)
            for _ in range(2):
                assert again.resend(op, *args) == answer
                assert again.state() == board.state()
            assert Board(Flash(flash.memory)).state() == board.state()
            at += 1
        applied += 1
        assert at > 5
    assert applied == board.match.rev == 40
