"""A board that lost its journal is given back what it lost, unless it has gone on."""

from __future__ import annotations

import pytest
from rigs.wired import Table, silence

from cribboard.errors import CribboardError, TransportError
from cribboard_core.events import PEG
from cribboard_core.records import SLOT, place


@pytest.fixture
def table(tmp_path):
    return Table(tmp_path)


def test_a_board_that_lost_its_journal_is_given_its_state_back(table):
    with table.board() as board:
        board.new(121, 7, 3)
        board.peg(0, 12)
        board.peg(1, 7)
        before = board.standing
    table.firmware.wipe()
    with table.board() as board:
        assert board.standing.same(before)
        assert board.check()
        board.peg(2, 1)
    assert table.notes == ["the board had lost its memory; its last score has been restored"]
    assert table.firmware.scores == [12, 7, 1]


def test_a_journal_lost_in_mid_command_is_given_back_and_the_command_follows(table):
    with table.board() as board:
        board.peg(0, 12)
        table.wire.script = [table.firmware.wipe, lambda: setattr(table.wire, "cut_in", 0)]
        board.peg(1, 3)
        assert board.check()
    assert table.firmware.scores == [12, 3]


def test_events_read_before_the_journal_was_lost_are_not_told_as_its_own(table):
    with table.board() as board:
        for number in range(30):
            board.peg(number % 2, 1)
        table.wire.script = [lambda: None, table.firmware.wipe, lambda: setattr(table.wire, "cut_in", 0)]
        rows = board.events()
        assert [row.rev for row in rows] == [row.rev for row in board.events()] == [board.standing.rev]
        assert table.wire.script == []


def test_undo_stops_at_a_state_that_was_given_back(table):
    with table.board() as board:
        board.peg(0, 12)
        board.peg(1, 3)
    table.firmware.wipe()
    with table.board() as board:
        with pytest.raises(CribboardError, match="there is nothing to undo"):
            board.undo()
        assert board.last() is None
        assert board.standing.fronts == (12, 3)
        board.peg(1, 4)
        board.undo()
        assert board.standing.fronts == (12, 3)


def test_an_undo_on_its_way_is_not_sent_to_a_restored_state(table):
    with table.board() as board:
        board.peg(0, 12)
        board.peg(1, 3)
        table.wire.toward = silence
        with pytest.raises(TransportError):
            board.command("undo", board.standing.rev)
    table.firmware.wipe()
    with table.board() as board:
        assert board.standing.fronts == (12, 3)
    assert table.notes[-1] == "the last command, `undo`, was forgotten; repeat it if it is still right"


def test_a_command_left_over_follows_a_restored_state(table):
    with table.board() as board:
        board.peg(0, 12)
        table.wire.toward = silence
        with pytest.raises(TransportError):
            board.peg(1, 3)
    table.firmware.wipe()
    with table.board() as board:
        assert board.standing.fronts == (12, 3)
    assert table.firmware.scores == [12, 3]


def test_a_board_that_lost_its_journal_and_went_on_is_left_alone(table):
    with table.board() as board:
        board.peg(0, 12)
        table.wire.toward = silence
        with pytest.raises(TransportError):
            board.peg(1, 3)
    table.firmware.wipe()
    table.firmware.keeper.do((PEG, 0, 2, 0, 0))
    with table.board() as board:
        assert board.standing.fronts == (2, 0)
    assert "lost its memory and has continued since; before: side 1 12, side 2 0" in table.notes[0]
    assert table.notes[1].startswith("the last command, `peg 2 3`, was forgotten")


def test_a_copy_that_comes_while_a_command_is_forgotten_counts_and_is_found(table):
    with table.board() as board:
        board.peg(0, 12)
        table.wire.toward = silence
        with pytest.raises(TransportError):
            board.peg(1, 3)
        copy = table.wire.sent[-1]
    table.firmware.wipe()
    table.firmware.keeper.do((PEG, 0, 2, 0, 0))
    table.options["toward"] = lambda data: copy + data if b'"peg"' in data else data
    with table.board() as board:
        assert board.standing.fronts == (2, 3)
    assert table.notes[1:] == ["the last command, `peg 2 3`, had reached the board, and counts"]


def test_a_board_that_went_on_to_the_same_number_of_events_and_keeps_none_is_left_alone(table):
    with table.board() as board:
        board.peg(0, 12)
        board.peg(1, 7)
    table.firmware.wipe()
    keeper = table.firmware.keeper
    for _ in range(2):
        keeper.do((PEG, 0, 2, 0, 0))
    keeper.journal.roll(keeper.match, 0)
    with table.board() as board:
        assert (board.standing.rev, board.standing.fronts) == (2, (4, 0))
    assert "lost its memory and has continued since; before: side 1 12, side 2 7" in table.notes[0]


def test_a_lost_journal_is_told_once(table):
    with table.board() as board:
        board.peg(0, 12)
    table.firmware.wipe()
    for _ in range(3):
        with table.board():
            pass
    assert len(table.notes) == 1


def test_a_lost_journal_of_a_match_without_a_score_needs_nothing(table):
    with table.board():
        pass
    table.firmware.wipe()
    with table.board() as board:
        board.peg(0, 1)
    assert table.notes == []


def test_a_state_that_the_board_does_not_take_back_is_told(table, monkeypatch):
    with table.board() as board:
        board.peg(0, 12)
    table.firmware.wipe()
    command = table.firmware.keeper.command
    monkeypatch.setattr(
        table.firmware.keeper,
        "command",
        lambda message: ["no", *message[1:3], "journal", "worn out"] if message[0] == "restore" else command(message),
    )
    with table.board() as board:
        assert board.standing.fronts == (0, 0)
    assert table.notes == ["the board had lost its memory and refuses the last score: worn out"]


def test_a_command_is_not_sent_again_to_a_board_that_lost_its_journal_and_has_gone_on(table):
    def forget() -> None:
        table.firmware.wipe()
        table.firmware.keeper.do((PEG, 0, 2, 0, 0))

    with table.board() as board:
        board.peg(0, 12)
        table.wire.script = [forget, lambda: setattr(table.wire, "cut_in", 0)]
        with pytest.raises(CribboardError, match="had lost events, so `peg 2 3` was not sent again; look at the score"):
            board.peg(1, 3)
        assert table.firmware.scores == [2, 0]
        assert table.notes[2] == "the last command, `peg 2 3`, was forgotten; repeat it if it is still right"
        board.peg(1, 3)
        assert board.check()
    assert table.firmware.scores == [2, 3]


def test_a_state_is_not_given_back_under_a_tag_that_is_taken(table):
    """The board would answer that it has carried this tag's command out, and nothing would come back."""
    with table.board() as board:
        board.peg(0, 12)
        for points in (2, 3):
            table.firmware.keeper.do((PEG, 1, points, 0, 0))
        board.poll()
        table.wire.toward = silence
        with pytest.raises(TransportError):
            board.peg(1, 4)
    for slot in table.firmware.keeper.journal.log.kept[
        1:
    ]:  # what was before begins a new journal, with the tag of its peg
        at = place(slot)
        table.firmware.nvm[at : at + SLOT] = bytes(SLOT)
    table.firmware.epoch += 1
    table.firmware.boot()
    assert table.firmware.scores == [12, 0]
    with table.board() as board:
        assert board.standing.fronts == (12, 0)
        assert board.check()
    assert "lost its memory and has continued since; before: side 1 12, side 2 5" in table.notes[0]
    assert table.notes[1].startswith("the last command, `peg 2 4`, was forgotten")


def test_names_outlive_a_lost_journal(table):
    with table.board() as board:
        board.new(121, 3, 2, names={0: "Cleo", 1: "Dev"})
        board.peg(0, 12)
        board.new(121, 3, 2, names={0: "Ann", 1: "Bob"})
        board.peg(0, 12)
    table.firmware.wipe()
    for _ in range(2):
        with table.board() as board:
            assert board.names == {0: "Ann", 1: "Bob"}
