"""The keeper: every command once, whatever is sent again or cut off, and refused with its reason or not at all."""

from __future__ import annotations

import pytest
from firmware.keeping import RESTORED, Board, Event, no

from cribboard_core.events import DEAL, FALSE, GO, HAND, MUGGINS, NEW, NIBS, PEG, PENALTY, REDO, RESTORE, SET, UNDO
from cribboard_core.match import Match
from cribboard_fw.keeper import Keeper

# Tags


def test_a_command_is_applied_told_and_answered_with_its_rev(board: Board) -> None:
    assert board.send("peg", 0, 5) == ["ok", 7, 1, 1]
    assert board.events == [(1, (PEG, 0, 5, 0, 0), 7, 1)]
    assert board.match.front(0) == 5


def test_a_command_that_comes_again_is_answered_again_and_applied_once(board: Board) -> None:
    board.send("peg", 0, 5)
    for _ in range(3):
        assert board.resend("peg", 0, 5) == ["ok", 7, 1, 1]
    assert (board.match.front(0), len(board.events)) == (5, 1)


def test_the_tag_alone_says_that_a_command_comes_again(board: Board) -> None:
    board.send("peg", 0, 5)
    assert board.resend("undo", 1) == ["ok", 7, 1, 1]
    assert board.match.front(0) == 5


@pytest.mark.parametrize(("command_id", "applied"), [(99, False), (1, False), (101, True), (228, True), (255, True)])
def test_a_higher_id_is_new_and_a_lower_one_is_not(command_id: int, applied: bool, board: Board) -> None:
    board.id = 99
    board.send("peg", 0, 5)
    answer = board.keeper.command(["peg", 7, command_id, 0, 5])
    assert answer[0] == "ok" if applied else answer[3] == "stale"
    assert board.match.front(0) == (10 if applied else 5)


def test_an_older_id_is_refused_as_stale_and_does_not_become_the_last(board: Board) -> None:
    board.send("peg", 0, 5)
    board.send("peg", 0, 6)
    assert board.keeper.command(["peg", 7, 1, 0, 5]) == ["no", 7, 1, "stale", "command 1 is older than 2"]
    assert board.resend("peg", 0, 6) == ["ok", 7, 2, 2]


def test_after_id_255_only_another_session_is_taken(board: Board) -> None:
    board.id = 254
    assert board.send("go", 0)[0] == "ok"
    assert [board.keeper.command(["go", 7, number, 0])[3] for number in (1, 254)] == ["stale", "stale"]
    assert board.keeper.command(["go", 8, 1, 0])[0] == "ok"


@pytest.mark.parametrize("refused", [1, 127, 128, 200, 253])
def test_after_many_refusals_and_a_restart_the_next_id_is_new(refused: int, board: Board) -> None:
    board.send("peg", 0, 5)
    for _ in range(refused):
        assert board.send("peg", 0, 99)[0] == "no"
    again = board.restarted()
    assert again.send("peg", 0, 6) == ["ok", 7, refused + 2, 2]
    assert again.match.front(0) == 11


def test_a_refused_command_is_judged_again_after_a_restart(board: Board) -> None:
    board.send("peg", 0, 5)
    board.send("set", 1, 121, 0)
    assert no(board.send("peg", 0, 6))[0] == "over"
    board.keeper.do(board.match.undo_event())
    assert board.restarted().resend("peg", 0, 6) == ["ok", 7, 3, 4]


@pytest.mark.parametrize("ahead", [1, 500, 0x7FFF])
def test_a_newer_session_takes_over_with_any_id(ahead: int, board: Board) -> None:
    board.send("peg", 0, 5)
    assert board.keeper.command(["peg", 7 + ahead, 1, 0, 5]) == ["ok", 7 + ahead, 1, 2]
    assert no(board.send("peg", 0, 5)) == ("session", f"session 7 is over; this is {7 + ahead}")
    assert board.match.front(0) == 10


@pytest.mark.parametrize("ahead", [0x8000, 0x8001])
def test_a_session_too_far_ahead_is_an_older_one(ahead: int, board: Board) -> None:
    board.send("peg", 0, 5)
    assert board.keeper.command(["peg", 7 + ahead, 1, 0, 5])[3] == "session"
    assert board.match.front(0) == 5


def test_sessions_go_on_from_65535_to_1(board: Board) -> None:
    board.session = 65535
    board.send("peg", 0, 5)
    assert board.keeper.command(["peg", 1, 9, 0, 5])[:3] == ["ok", 1, 9]
    assert board.keeper.command(["peg", 65535, 2, 0, 5])[3] == "session"


@pytest.mark.parametrize("session", [1, 0x7FFF, 0x8000, 65535])
@pytest.mark.parametrize("command_id", [1, 255])
def test_a_new_board_takes_any_session(session: int, command_id: int, board: Board) -> None:
    assert board.keeper.command(["go", session, command_id, 0]) == ["ok", session, command_id, 1]


def test_a_refused_command_uses_up_its_id(board: Board) -> None:
    refused = board.send("peg", 0, 47)
    assert no(refused)[0] == "points"
    assert board.resend("peg", 0, 4) == refused
    assert board.match.front(0) == 0
    assert board.send("peg", 0, 4)[0] == "ok"


def test_a_refused_command_takes_a_session_over(board: Board) -> None:
    board.send("peg", 0, 5)
    board.keeper.command(["peg", 8, 1, 0, 99])
    assert no(board.send("peg", 0, 5))[0] == "session"


@pytest.mark.parametrize("tag", [(0, 1), (65536, 1), (-1, 1), (True, 1), ("7", 1), (7.0, 1), (None, 1), ([7], 1)])
def test_a_session_that_is_none_is_refused(tag: tuple[object, object], board: Board) -> None:
    assert board.keeper.command(["go", *tag, 0])[:4] == ["no", 0, 0, "args"]


@pytest.mark.parametrize("command_id", [-1, 0, 256, True, "1", 1.0, None, [1], {}])
def test_an_id_that_is_none_is_refused(command_id: object, board: Board) -> None:
    assert board.keeper.command(["go", 7, command_id, 0])[:4] == ["no", 0, 0, "args"]
    assert board.match.rev == 0


def test_after_a_restart_the_last_command_is_answered_as_before(board: Board) -> None:
    board.send("peg", 0, 5)
    answer = board.send("peg", 1, 6)
    board.keeper.do((PEG, 0, 1, 0, 0))
    again = board.restarted()
    assert again.resend("peg", 1, 6) == answer == ["ok", 7, 2, 2]
    assert again.match.front(1) == 6
    assert again.keeper.command(["peg", 7, 1, 0, 5])[3] == "stale"
    assert again.keeper.command(["peg", 6, 9, 0, 5])[3] == "session"


def test_what_the_buttons_do_leaves_the_hosts_tag(board: Board) -> None:
    board.send("peg", 0, 5)
    assert board.keeper.do((PEG, 1, 4, 0, 0)) == 2
    assert board.events[-1] == (2, (PEG, 1, 4, 0, 0), 0, 0)
    assert board.resend("peg", 0, 5) == ["ok", 7, 1, 1]


def test_a_command_whose_event_was_taken_back_is_not_applied_again_after_an_erase_and_a_restart(board: Board) -> None:
    board.send("peg", 0, 5)
    board.send("peg", 0, 6)
    board.keeper.do((UNDO, 0, 0, 2, 0))
    board.keeper.do((PEG, 0, 1, 0, 0))
    board.keeper.journal.roll(board.match)
    again = board.restarted()
    assert again.resend("peg", 0, 6) == ["ok", 7, 2, 2]
    assert again.match.front(0) == 6


def test_a_keeper_needs_nobody_to_tell() -> None:
    board = Board()
    keeper = Keeper(board.match, board.keeper.journal)
    assert keeper.do((PEG, 0, 3, 0, 0)) == 1


# What the commands do


@pytest.mark.parametrize(
    ("op", "args", "event"),
    [
        ("peg", (1, 46), (PEG, 1, 46, 0, 0)),
        ("peg", (0, 0), (PEG, 0, 0, 0, 0)),
        ("hand", (0, "5H5C5SJD", "5D", 0, 29), (HAND, 0, 29, 0, 0)),
        ("hand", (1, "2h,3h 4h 5h", "KS", 1, 8), (HAND, 1, 8, 1, 0)),
        ("hand", (1, "2h,3h 4h 5h", "KS", 0, 12), (HAND, 1, 12, 0, 0)),
        ("nibs", (0,), (NIBS, 0, 2, 0, 0)),
        ("go", (1,), (GO, 1, 1, 0, 0)),
        ("penalty", (0, 3, 0), (PENALTY, 0, 3, 0, 0)),
        ("penalty", (0, 3, 1), (PENALTY, 0, 3, 1, 0)),
        ("muggins", (1, 4, 0), (MUGGINS, 1, 4, 0, 0)),
        ("false", (0, 3), (FALSE, 0, 3, 0, 0)),
        ("set", (0, 60, 50), (SET, 0, 60, 50, 0)),
        ("deal", (1,), (DEAL, 1, 0, 0, 0)),
        ("deal", (-1,), (DEAL, 1, 0, 0, 0)),
        ("undo", (1,), (UNDO, 0, 0, 1, 0)),
        ("new", (1, 61, 7, 3, 2, 31, 0), (NEW, 2, 31, 7 | 3 << 6, 0)),
        ("new", (1, 121, 3, 2, -1, -1, -1), (NEW, 1, 91, 3 | 2 << 6 | 2 << 9, 61)),
        ("new", (1, 121, 3, 2, 0, 0, 0), (NEW, 0, 0, 3 | 2 << 6 | 2 << 9, 0)),
        ("new", (1, 121, 3, 2, 0, 91, 0), (NEW, 0, 91, 3 | 2 << 6 | 2 << 9, 0)),
        ("new", (1, 91, 3, 2, 0, 40, 20), (NEW, 0, 40, 3 | 2 << 6 | 1 << 9, 20)),
        ("new", (1, 121, 3, 2, 0, 0, -1), (NEW, 0, 0, 3 | 2 << 6 | 2 << 9, 0)),
    ],
)
def test_each_command_makes_its_event(op: str, args: tuple[object, ...], event: Event, board: Board) -> None:
    board.send("peg", 0, 8)
    assert board.send(op, *args) == ["ok", 7, 2, 2]
    assert board.events[-1] == (2, event, 7, 2)
    assert board.restarted().state() == board.state()


def test_redo_names_the_rev_that_was_taken_back(board: Board) -> None:
    board.send("peg", 0, 8)
    board.send("undo", 1)
    assert no(board.send("redo", 2))[0] == "rev"
    assert board.send("redo", 1) == ["ok", 7, 4, 3]
    assert board.events[-1][1] == (REDO, 0, 0, 1, 0)


def test_two_who_undo_one_mistake_undo_it_once(board: Board) -> None:
    board.send("peg", 0, 8)
    board.send("peg", 1, 9)
    assert board.send("undo", 2)[0] == "ok"
    assert no(board.send("undo", 2)) == ("rev", "undo names event 2, but the one at hand is 1")
    assert board.match.front(0) == 8


def test_a_dealer_that_the_rules_name_and_who_plays_no_more_gives_way_to_the_first_seat(board: Board) -> None:
    board.send("peg", 0, 8)
    assert board.send("new", 1, 121, 0b101100, 3, -1, -1, -1)[0] == "ok"
    assert board.match.dealer == 2


def test_the_settings_skunk_lines_stand_for_their_target(board: Board) -> None:
    board.keeper.own_lines = (61, 40, 20)
    board.send("new", 0, 61, 3, 2, 0, -1, -1)
    assert (board.match.skunk, board.match.double) == (40, 20)
    board.send("new", 1, 121, 3, 2, 0, -1, -1)
    assert (board.match.skunk, board.match.double) == (91, 61)
    board.send("new", 2, 61, 3, 2, 0, 31, -1)
    assert (board.match.skunk, board.match.double) == (31, 20)


def test_a_restored_state_is_taken_over_whole(board: Board) -> None:
    board.send("peg", 0, 8)
    assert board.send("restore", 1, *RESTORED) == ["ok", 7, 2, 2]
    match = board.match
    assert (match.target, match.sides, match.dealer, match.skunk, match.double) == (61, (0, 1, 2), 2, 31, 0)
    assert [(match.front(side), match.back(side), match.won(side)) for side in match.sides] == [
        (40, 32, 3),
        (10, 5, 999),
        (61, 60, 1),
    ]
    assert match.winner == 2
    assert board.events[-1] == (2, (RESTORE, 0, 0, 0, 0), 7, 2)
    assert board.resend("restore", 1, *RESTORED) == ["ok", 7, 2, 2]
    assert board.restarted().state() == board.state()
    assert board.send("undo", 2)[0] == "ok"
    assert match.front(0) == 8


def test_a_state_goes_over_and_comes_back_the_same(board: Board) -> None:
    assert board.send("restore", 0, 121, 3, 2, 0, 91, 61, "00000000", [0, 0])[0] == "ok"
    assert board.match.play.pack() == Match().play.pack()


def test_six_players_count_hands_of_five_and_none_of_four(board: Board) -> None:
    assert board.send("new", 0, 121, 63, 6, 0, -1, -1)[0] == "ok"
    assert board.send("hand", 0, "4H4C5H5C6H", "6C", 0, 46)[0] == "ok"
    assert board.send("hand", 0, "5H5C5SJD", "5D", 0, 29)[3:] == ["args", "a hand of 4 cards, but 6 play with 5"]
