"""Following the match: the client's copy is always the board's, whatever was not heard."""

from __future__ import annotations

import random

import pytest
from rigs.wired import Table, lossy

from cribboard.errors import CommandError
from cribboard_core.events import DEAL, NEW, PEG, UNDO


@pytest.fixture
def table(tmp_path):
    return Table(tmp_path)


def test_presses_of_buttons_are_followed(table):
    with table.board() as board:
        table.wire.sent.clear()
        table.firmware.keeper.do((PEG, 1, 4, 0, 0))
        assert board.poll() == [[1, "peg", 1, 4, 0, 0, 0, 0, 0]]
        assert board.match.front(1) == 4
        assert table.wire.sent == [], "what is heard is not asked for"


def test_poll_waits_no_longer_than_it_is_told(table):
    with table.board() as board:
        before = table.time.now
        assert board.poll(1.0) == []
        assert 1.0 <= table.time.now - before < 1.1


def test_a_lost_push_is_asked_for(table):
    with table.board() as board:
        table.firmware.unheard(PEG, 1, 4, 0, 0)
        table.firmware.keeper.do((PEG, 0, 2, 0, 0))
        assert [row[:3] for row in board.poll()] == [[1, "peg", 1], [2, "peg", 0]]
        assert board.check()


def test_sync_learns_what_was_not_heard(table):
    with table.board() as board:
        seen = []
        board.on_event = seen.append
        table.firmware.unheard(PEG, 1, 4, 0, 0)
        assert board.sync().fronts == (0, 4)
        assert [happened.event.rev for happened in seen] == [1]


def test_an_undo_below_what_is_known_is_asked_for(table):
    table.firmware.keeper.do((PEG, 0, 5, 0, 0))
    with table.board() as board:
        table.firmware.keeper.do((UNDO, 0, 0, 1, 0))
        board.poll()
        assert board.match.front(0) == 0
        assert board.check()


def test_two_undos_below_what_is_known_are_both_told(table):
    for points in (5, 4, 3):
        table.firmware.keeper.do((PEG, 0, points, 0, 0))
    seen = []
    with table.board() as board:
        board.on_event = seen.append
        table.firmware.unheard(*table.firmware.match.undo_event())
        table.firmware.keeper.do(table.firmware.match.undo_event())
        board.poll()
        assert board.match.front(0) == 5
        assert board.check()
    assert [(happened.event.kind, happened.event.b) for happened in seen] == [(UNDO, 3), (UNDO, 2)]


def test_a_redo_below_what_is_known_is_asked_for(table):
    table.firmware.keeper.do((PEG, 0, 5, 0, 0))
    table.firmware.keeper.do((UNDO, 0, 0, 1, 0))
    with table.board() as board:
        table.firmware.keeper.do(table.firmware.match.redo_event())
        board.poll()
        assert board.match.front(0) == 5
        assert board.check()


def test_an_event_that_does_not_fit_the_copy_is_asked_for(table):
    with table.board() as board:
        board.match.play.now[-1] = 1
        table.firmware.keeper.do((PEG, 0, 5, 0, 0))
        board.poll()
        assert board.check()


def test_games_won_are_right_after_a_game_that_nobody_scored_in(table):
    keeper = table.firmware.keeper
    for _ in range(3):
        keeper.do((PEG, 0, 46, 0, 0))
    keeper.do(keeper.new([121, 7, 3, -1, -1, -1]))
    with table.board() as board:
        board.new(121, 3, 2)
        assert board.match.won(0) == 1
        assert board.check()


def test_events_that_the_board_has_let_go_are_a_gap(table):
    seen = []
    table.firmware.keeper.do((PEG, 0, 5, 0, 0))
    with table.board() as board:
        board.on_event = seen.append
        for _ in range(3):
            table.firmware.unheard(*table.firmware.match.undo_event())
            table.firmware.unheard(PEG, 0, 1, 0, 0)
        table.firmware.keeper.journal.roll(table.firmware.match)
        board.sync()
        assert board.check()
    assert [happened.event for happened in seen] == [None]


def test_what_came_after_a_jump_is_known_when_it_is_undone(table):
    seen = []
    with table.board() as board:
        board.on_event = seen.append
        keeper = table.firmware.keeper
        keeper.do(keeper.new([121, 3, 2, -1, -1, -1]))  # the state is asked for after it
        table.firmware.unheard(PEG, 0, 5, 0, 0)
        board.poll()
        keeper.do(table.firmware.match.undo_event())
        board.poll()
    assert [(change.event.kind, change.about and change.about.as_folded) for change in seen] == [
        (NEW, None),
        (PEG, None),
        (UNDO, (PEG, 0, 5, 0, 0)),
    ]


def test_what_is_not_kept_after_a_jump_is_told_as_a_gap(table):
    for points in (5, 4, 3):
        table.firmware.keeper.do((PEG, 0, points, 0, 0))
    seen = []
    with table.board() as board:
        board.on_event = seen.append
        table.firmware.keeper.do(table.firmware.match.undo_event())  # below what is known, so the state is asked for
        table.firmware.unheard(PEG, 0, 1, 0, 0)
        table.firmware.unheard(*table.firmware.match.undo_event())
        table.firmware.keeper.journal.roll(table.firmware.match)  # which keeps none of these
        board.poll()
        assert board.match.front(0) == 9
        assert board.check()
    assert [happened.event and happened.event.kind for happened in seen] == [UNDO, None]
    assert [happened.after.rev for happened in seen] == [6, 6]


def test_check_sees_a_copy_that_is_wrong(table):
    with table.board() as board:
        board.match.play.now[0] = 9
        assert not board.check()
        board.sync()
        assert board.check()


def test_events_gives_all_that_the_board_keeps(table):
    with table.board() as board:
        for points in range(1, 8):
            board.peg(0, points)
        assert [row.a for row in board.events()] == [1, 2, 3, 4, 5, 6, 7]


def test_a_log_line_of_the_board_is_passed_on(table):
    with table.board() as board:
        table.firmware.link.say("a key is stuck")
        board.poll()
    assert table.notes == ["the board says: a key is stuck"]


def test_random_play_by_host_and_buttons_stays_equal(tmp_path):
    rng = random.Random(7)
    table = Table(tmp_path, back=lossy(rng, 0.3))
    with table.board() as board:
        for _ in range(300):
            match, keeper = table.firmware.match, table.firmware.keeper
            choice = rng.random()
            try:
                if choice < 0.35:
                    board.peg(rng.choice(board.match.sides), rng.randrange(20))
                elif choice < 0.5:
                    board.undo()
                elif choice < 0.6:
                    board.redo()
                elif choice < 0.65:
                    board.new(rng.choice((61, 121)), rng.choice((3, 7, 15)), 2 if rng.random() < 0.3 else 3)
                elif choice < 0.8 and match.winner < 0:
                    keeper.do((PEG, rng.choice(match.sides), rng.randrange(20), 0, 0))
                elif choice < 0.9 and match.can_undo:
                    keeper.do(match.undo_event())
                elif match.winner < 0:
                    keeper.do((DEAL, match.next_seat(), 0, 0, 0))
            except CommandError:
                pass
            if rng.random() < 0.3:
                board.sync()
                assert board.check()
        board.sync()
        assert board.check()
