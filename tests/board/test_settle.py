"""What became of a command whose answer was not heard: it is found out, and told truly."""

from __future__ import annotations

import pytest
from rigs.wired import Table, ledger, pegs, silence, take_over

from cribboard.board.commands import can_have_made
from cribboard.errors import TransportError
from cribboard_core.events import (
    DEAL,
    FALSE,
    GO,
    HAND,
    MUGGINS,
    NIBS,
    PEG,
    PENALTY,
    REDO,
    RESTORE,
    SET,
    UNDO,
    new_event,
)
from cribboard_core.wire import decode


@pytest.fixture
def table(tmp_path):
    return Table(tmp_path)


def test_the_user_is_told_that_a_command_without_an_answer_is_noted(table):
    with table.board() as board:
        table.wire.toward = silence
        with pytest.raises(TransportError, match="`peg 1 5` is noted; the next command finds out"):
            board.peg(0, 5)
    assert ledger(table)["pending"]["op"] == "peg"


def test_a_command_whose_answer_was_lost_is_not_applied_again_by_the_next_run(table):
    with table.board() as board:
        table.wire.back = silence
        with pytest.raises(TransportError):
            board.peg(0, 5)
    with table.board() as board:
        assert board.standing.fronts == (5, 0)
        board.peg(0, 1)
    assert table.notes == ["the last command, `peg 1 5`, had reached the board, and counts"]
    assert table.notes[0].public == "", "guests hear of the score itself"
    assert pegs(table.firmware) == [5, 1]


def test_a_command_that_never_arrived_is_applied_by_the_next_run(table):
    with table.board() as board:
        table.wire.toward = silence
        with pytest.raises(TransportError):
            board.peg(0, 5)
    with table.board() as board:
        assert board.standing.fronts == (5, 0)
    assert table.notes == ["the last command, `peg 1 5`, reached the board only now, and counts"]
    assert pegs(table.firmware) == [5]


def test_a_command_that_never_arrived_is_forgotten_when_the_board_has_gone_on(table):
    with table.board() as board:
        table.wire.toward = silence
        with pytest.raises(TransportError):
            board.peg(0, 5)
    table.firmware.keeper.do((PEG, 1, 2, 0, 0))
    with table.board() as board:
        assert board.standing.fronts == (0, 2)
    assert "did not count, and the game has gone on" in table.notes[0]
    said = "the last entry did not count, and the game has gone on; repeat it if it is still right"
    assert table.notes[0].public == said, "without what is sent to a board"


def test_the_next_command_of_the_same_run_settles_the_last_one(table):
    with table.board() as board:
        table.wire.back = silence
        with pytest.raises(TransportError):
            board.peg(0, 5)
        table.wire.back = bytes
        board.peg(1, 3)
    assert pegs(table.firmware) == [5, 3]
    assert table.notes == ["the last command, `peg 1 5`, had reached the board, and counts"]


def test_a_refusal_that_was_not_heard_is_told_by_the_next_run(table):
    with table.board() as board:
        table.wire.back = silence
        with pytest.raises(TransportError):
            board.peg(0, 47)
    with table.board():
        pass
    assert table.notes[0].startswith("the last command, `peg 1 47`, was refused: 47 points")


def test_a_power_cut_between_journal_and_answer_counts_once(table):
    with table.board() as board:
        table.wire.back = silence
        with pytest.raises(TransportError):
            board.peg(0, 5)
        table.firmware.boot()
    with table.board():
        pass
    assert pegs(table.firmware) == [5]


def test_after_another_program_took_over_the_journal_tells_that_a_command_was_applied(table):
    with table.board() as board:
        table.wire.back = silence
        with pytest.raises(TransportError):
            board.peg(0, 5)
    take_over(table)
    with table.board():
        pass
    assert table.notes == ["the last command, `peg 1 5`, had reached the board, and counts"]
    assert pegs(table.firmware) == [5, 9]


def test_a_copy_that_comes_while_a_command_is_given_up_counts_and_is_found(table):
    with table.board() as board:
        table.wire.toward = silence
        with pytest.raises(TransportError):
            board.peg(0, 5)
        copy = table.wire.sent[-1]
    table.firmware.keeper.do((PEG, 1, 2, 0, 0))
    table.options["toward"] = lambda data: copy + data if b'"peg"' in data else data
    with table.board() as board:
        assert board.standing.fronts == (5, 2)
    assert table.notes == ["the last command, `peg 1 5`, had reached the board, and counts"]


@pytest.mark.parametrize("counts", [True, False])
def test_a_program_that_takes_over_while_a_command_is_settled_does_not_have_it_refused(table, counts):
    with table.board() as board:
        table.wire.toward = silence
        with pytest.raises(TransportError):
            board.peg(0, 5)
    pending = ledger(table)["pending"]

    def others_come_first(data):
        if b'"peg"' in data and table.firmware.match.rev == 0:
            if counts:
                table.firmware.keeper.command(["peg", pending["session"], pending["id"], 0, 5])
            table.firmware.keeper.command(["peg", pending["session"] + 1, 1, 1, 2])
        return data

    table.options["toward"] = others_come_first
    with table.board() as board:
        assert board.standing.fronts == (5 if counts else 0, 2)
    outcome = "reached the board only now, and counts" if counts else "did not count, and the game has gone on"
    assert table.notes[0].startswith(f"the last command, `peg 1 5`, {outcome}")


def test_when_the_journal_has_let_it_go_nobody_knows(table):
    table.firmware.keeper.do((PEG, 0, 1, 0, 0))
    with table.board() as board:
        table.wire.toward = silence
        with pytest.raises(TransportError):
            board.peg(0, 5)
    for _ in range(2):
        table.firmware.keeper.do(table.firmware.match.undo_event())
        table.firmware.keeper.do((PEG, 1, 2, 0, 0))
    table.firmware.keeper.journal.roll(table.firmware.match)
    with table.board():
        pass
    assert "may or may not have counted" in table.notes[0]


def left_over(table: Table, side: int, points: int, *, heard: bool) -> None:
    """A program that sends a peg and never hears its answer; the board has heard it or not."""
    with table.board() as board:
        if heard:
            table.wire.back = silence
        else:
            table.wire.toward = silence
        with pytest.raises(TransportError):
            board.peg(side, points)


def test_a_command_that_was_undone_and_let_go_meanwhile_is_not_said_to_have_been_lost(table, tmp_path):
    with table.board() as board:
        board.peg(0, 1)
    left_over(table, 0, 5, heard=True)
    table.firmware.keeper.do(table.firmware.match.undo_event())
    take_over(table)
    journal = table.firmware.keeper.journal
    journal.roll(table.firmware.match)
    assert journal.oldest() == 1
    with table.board():
        pass
    assert table.notes == [
        "the last command, `peg 1 5`, may or may not have counted, and the board no longer knows; look at the score"
    ]


def test_the_command_of_another_program_that_drew_the_same_session_is_not_taken_for_ones_own(table, tmp_path):
    left_over(table, 0, 5, heard=False)
    other = Table(tmp_path / "other")
    other.firmware = table.firmware
    with other.board() as board:
        board.peg(1, 3)
        assert board.hello.session == ledger(table)["pending"]["session"]
    with table.board() as board:
        board.peg(0, 2)
        assert board.check()
    assert table.notes == [
        "the last command, `peg 1 5`, did not count, and the game has gone on; repeat it if it is still right"
    ]
    assert pegs(table.firmware) == [3, 2]


def test_a_program_numbers_its_queries_apart_from_those_of_one_that_was_killed_while_it_settled(table):
    left_over(table, 0, 5, heard=False)
    table.firmware.keeper.do((PEG, 1, 2, 0, 0))
    numbers = []
    for _ in range(3):
        board = table.board()
        table.options["toward"] = lambda data: b"" if b'"events"' in data else data
        with pytest.raises(TransportError):
            board.open()
        asked = [decode(frame) for frame in table.wire.sent]
        numbers.append({message[1] for message in asked if message[0] == "events"})
    assert [len(one) for one in numbers] == [1, 1, 1]
    assert len(set.union(*numbers)) == 3


def test_ctrl_c_while_waiting_for_the_answer_says_that_the_command_is_noted(table):
    def interrupt() -> None:
        raise KeyboardInterrupt

    with table.board() as board:
        table.wire.script = [lambda: None, interrupt]
        table.wire.back = silence
        with pytest.raises(KeyboardInterrupt):
            board.peg(0, 5)
    assert table.notes == ["`peg 1 5` is noted; the next command finds out whether it counted"]
    with table.board():
        pass
    assert pegs(table.firmware) == [5]


COMMANDS = [
    ("peg", [0, 5], (PEG, 0, 5, 0, 0), (PEG, 0, 6, 0, 0)),
    ("hand", [0, "5H5C5SJD", "5D", 1, 29], (HAND, 0, 29, 1, 0), (HAND, 0, 29, 0, 0)),
    ("nibs", [1], (NIBS, 1, 2, 0, 0), (NIBS, 0, 2, 0, 0)),
    ("go", [1], (GO, 1, 1, 0, 0), (PEG, 1, 1, 0, 0)),
    ("penalty", [1, 2, 1], (PENALTY, 1, 2, 1, 0), (PENALTY, 1, 2, 0, 0)),
    ("muggins", [0, 3, 1], (MUGGINS, 0, 3, 1, 0), (MUGGINS, 0, 3, 2, 0)),
    ("false", [0, 99], (FALSE, 0, 99, 0, 0), (FALSE, 0, 98, 0, 0)),
    ("set", [0, 40, 30], (SET, 0, 40, 30, 0), (SET, 0, 40, 31, 0)),
    ("deal", [1], (DEAL, 1, 0, 0, 0), (DEAL, 0, 0, 0, 0)),
    ("deal", [-1], (DEAL, 0, 0, 0, 0), (SET, 0, 0, 0, 0)),
    ("undo", [70000], (UNDO, 0, 0, 70000 & 0xFFFF, 0), (UNDO, 0, 0, 7, 0)),
    ("redo", [7], (REDO, 0, 0, 7, 0), (UNDO, 0, 0, 7, 0)),
    ("new", [7, 121, 3, 2, -1, -1, -1], new_event(121, 3, 2, 1, 91, 61), new_event(121, 7, 3, 1, 91, 61)),
    ("restore", [0, 121, 3, 2, 0, 91, 61, "00000000", [0, 0]], (RESTORE, 0, 0, 0, 0), (PEG, 0, 0, 0, 0)),
]


@pytest.mark.parametrize(("op", "args", "its", "another"), COMMANDS)
def test_a_commands_event_is_told_from_others(op, args, its, another):
    assert can_have_made(op, args, its)
    assert not can_have_made(op, args, another)
    assert not can_have_made(op, args[1:], its)
