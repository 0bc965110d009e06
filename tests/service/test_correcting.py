"""A score of some time ago is corrected where it stands: by staff, or by both sides together."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from service.room import Room

from cribboard.board.messages import Corrected
from cribboard.service.lines import Lines
from cribboard.service.orders import OrderError
from cribboard.service.restraint import ASKED_S
from cribboard_core.events import RESTORE

ANN, BOB, STAFF = "phone 1", "phone 2", "staff ab12"
MUGGINS = {"counting": "manual", "muggins": True}


@pytest.fixture
def room(tmp_path: Path) -> Room:
    return begun(tmp_path)


def begun(folder: Path, **fields: Any) -> Room:
    room = Room(folder)
    room.do("new", names=["Ann", "Bob"], dealer=2, **fields)
    return room


def pegged(room: Room, *scores: tuple[int, int]) -> list[int]:
    """Scores of sides, one a minute; gives their events."""
    revs = []
    for side, points in scores:
        revs.append(room.do("peg", f"phone {side}", side=side, points=points)[0])
        room.now += 60
    return revs


def correct(room: Room, rev: int, points: int, by: str = STAFF, **fields: Any) -> str:
    return room.do("correct", by, rev=rev, points=points, **fields)[1]


def lines(room: Room) -> list[tuple[int, str]]:
    return [(line["points"], line["text"]) for line in room.table.lines()["lines"]]


def test_staff_correct_a_score_where_it_stands(room: Room) -> None:
    first, *_ = pegged(room, (1, 10), (2, 8), (1, 3), (2, 2))
    before = room.rev
    assert correct(room, first, 12) == "Ann pegs 12, corrected from 10 by staff, now at 15."
    assert (room.rev, room.fronts, room.board.standing.backs) == (before + 1, (15, 10), (12, 8))
    assert lines(room) == [
        (2, "Bob pegs 2, now at 10"),
        (3, "Ann pegs 3, now at 13"),
        (8, "Bob pegs 8, now at 8"),
        (12, "Ann pegs 12, corrected from 10 by staff, now at 10"),
    ]
    assert room.table.fresh[-1].event.line == Corrected(first, 10, 12, "staff")
    entry = room.entry()
    assert entry["last"]["text"] == "Ann pegs 12, corrected from 10 by staff, now at 15."
    assert entry["undo"] == {"rev": before + 1, "text": "Ann pegs 12, corrected from 10 by staff"}
    assert room.do("undo", rev=room.rev)[1] == "Undid: Ann pegs 12, corrected from 10 by staff. Ann 13."
    assert (room.fronts, lines(room)[-1]) == ((13, 10), (10, "Ann pegs 10, now at 10"))
    assert room.do("redo", rev=before + 1)[1] == "Redid: Ann pegs 12, corrected from 10 by staff. Ann 15."
    assert lines(room)[-1][0] == 12


def test_a_question_about_what_has_gone_keeps_nobody_from_another_one(room: Room) -> None:
    [first] = pegged(room, (1, 10))
    with pytest.raises(OrderError, match="both sides together"):
        correct(room, first, 12, ANN, own=1)
    with pytest.raises(OrderError, match="another phone waits"):
        correct(room, first, 9, BOB, own=2)
    room.do("new", names=["Ann", "Bob"], dealer=2)
    [other] = pegged(room, (2, 5))
    with pytest.raises(OrderError, match="both sides together"):
        correct(room, other, 6, BOB, own=2)
    assert correct(room, other, 6, ANN, own=1) == "Bob pegs 6, corrected from 5 by Bob and Ann, now at 6."


def test_several_corrections_add_up_and_the_newest_of_a_line_counts(room: Room) -> None:
    first, other, third = pegged(room, (1, 10), (1, 4), (1, 3))
    correct(room, first, 12)
    correct(room, third, 1)
    assert (room.fronts, room.board.standing.backs) == ((17, 0), (16, 0))
    assert correct(room, first, 11) == "Ann pegs 11, corrected from 12 by staff, now at 16."
    assert lines(room)[-1] == (11, "Ann pegs 11, corrected from 10 by staff, now at 10")
    correct(room, other, 0)
    assert room.fronts == (12, 0)
    nibs = room.do("nibs", side=2)[0]
    correct(room, nibs, 1)
    assert room.fronts == (12, 1)
    correct(room, nibs, 0)
    assert room.fronts == (12, 0)
    error = room.refused("correct", STAFF, rev=first, points=11)
    assert (error.code, error.message) == ("same", "that score has 11 points")


def test_both_sides_correct_it_together(room: Room) -> None:
    first, _ = pegged(room, (1, 10), (2, 8))
    wanted = {"rev": first, "points": 12, "own": 1}
    assert room.refused("correct", ANN, **wanted).code == "asked"
    assert room.fronts == (10, 8)
    assert room.entry()["asked"] == {
        "phone": ANN,
        "name": "Ann",
        "side": 1,
        "rev": first,
        "text": "Ann pegs 10",
        "points": 12,
    }
    assert room.refused("allow", ANN, rev=first, points=12, yes=True, own=1).code == "own"
    assert room.refused("allow", "phone 9", rev=first, points=12, yes=True, own=1).code == "own"
    assert room.refused("allow", BOB, rev=first, yes=True, own=2).code == "late"  # that would be an undo
    assert room.refused("allow", BOB, rev=first, points=11, yes=True, own=2).code == "late"
    pegged(room, (1, 5))  # play goes on meanwhile
    said = room.do("allow", BOB, rev=first, points=12, yes=True, own=2)[1]
    assert said == "Ann pegs 12, corrected from 10 by Ann and Bob, now at 17."
    assert room.fronts == (17, 8)
    assert room.entry()["asked"] is None
    assert room.refused("allow", BOB, rev=first, points=12, yes=True, own=2).code == "late"


def test_a_no_leaves_the_score_and_is_not_asked_about_again(room: Room) -> None:
    (first,) = pegged(room, (1, 10))
    room.refused("correct", ANN, rev=first, points=12, own=1)
    said = room.do("allow", BOB, rev=first, points=12, yes=False, own=2)[1]
    assert said == "No: the score stays, which Ann wanted to correct."
    assert room.refused("correct", ANN, rev=first, points=12, own=1).code == "no"
    assert room.fronts == (10, 0)


def test_whoever_wants_the_same_says_yes_and_another_wish_waits(room: Room) -> None:
    first, second = pegged(room, (1, 10), (2, 8))
    room.refused("correct", ANN, rev=first, points=12, own=1)
    error = room.refused("correct", BOB, rev=first, points=11, own=2)
    assert (error.code, error.hint) == ("asked", "answer that first")
    assert room.refused("correct", BOB, rev=second, points=9, own=2).code == "asked"
    correct(room, first, 12, BOB, own=2)
    assert room.fronts == (12, 8)
    room.refused("correct", BOB, rev=second, points=9, own=2)
    room.now += ASKED_S
    assert room.entry()["asked"] is None
    assert room.refused("correct", ANN, rev=second, points=9, own=1).code == "asked"  # the wish of before is over


def test_who_has_not_seen_a_correction_does_not_correct_it_unseen(room: Room) -> None:
    (first,) = pegged(room, (1, 10))
    seen = room.rev
    said = correct(room, first, 12, seen=seen)
    assert correct(room, first, 12, "staff other", seen=seen) == said  # the same, once
    error = room.refused("correct", "staff other", rev=first, points=11, seen=seen)
    assert error.message == "meanwhile: Ann pegs 12, corrected from 10 by staff"
    assert room.fronts == (12, 0)
    correct(room, first, 11, "staff other", seen=room.rev)
    assert room.fronts == (11, 0)


def test_what_was_taken_back_or_is_of_another_game_is_not_corrected(room: Room) -> None:
    first, second = pegged(room, (1, 10), (1, 8))
    room.do("undo", rev=second)
    assert room.refused("correct", STAFF, rev=second, points=9).code == "line"
    correct(room, first, 12)  # a line before an undo
    assert room.fronts == (12, 0)
    room.do("undo", rev=room.rev)
    room.do("redo", rev=second + 2)
    assert room.fronts == (12, 0)
    room.do("new")
    error = room.refused("correct", STAFF, rev=first, points=9)
    assert (error.code, error.message) == ("line", "that score cannot be corrected any more")
    pegged(room, (2, 4))
    assert lines(room) == [(4, "Bob pegs 4, now at 4")]


def test_a_yes_that_comes_too_late_changes_nothing(room: Room) -> None:
    (first,) = pegged(room, (1, 10))
    room.refused("correct", ANN, rev=first, points=12, own=1)
    room.do("undo", ANN, rev=first)
    assert room.entry()["asked"] is None
    assert room.refused("allow", BOB, rev=first, points=12, yes=True, own=2).code == "line"
    assert room.fronts == (0, 0)


def test_a_score_that_was_set_since_does_not_depend_on_the_line(room: Room) -> None:
    (first,) = pegged(room, (1, 10))
    room.do("set", side=1, front=12, back=0)
    assert room.refused("correct", STAFF, rev=first, points=12).code == "set"
    (later,) = pegged(room, (1, 3))
    correct(room, later, 4)
    assert room.fronts == (16, 0)


@pytest.fixture
def near(tmp_path: Path) -> Room:
    """A game to 61 that is nearly over."""
    room = begun(tmp_path, target=61)
    pegged(room, (1, 10), (2, 10), (1, 20), (2, 20), (1, 20), (2, 20))
    return room


def test_a_correction_that_reaches_the_last_hole_wins(near: Room) -> None:
    first = near.table.lines()["lines"][-1]["rev"]
    assert near.refused("correct", STAFF, rev=first, points=21).message == (
        "with these points the game would have ended before others pegged"
    )
    second = near.table.lines()["lines"][0]["rev"]
    correct(near, second, 31)
    assert near.board.match.winner == 1
    assert near.entry()["win"]["side"] == 2


def test_a_correction_takes_back_a_win_or_leaves_it(near: Room) -> None:
    (win,) = pegged(near, (1, 12))  # 61, and 62 if there were holes
    first = near.table.lines()["lines"][-1]["rev"]
    correct(near, first, 9)
    assert (near.fronts, near.board.standing.backs, near.board.match.winner) == ((61, 50), (49, 30), 0)
    correct(near, win, 10)
    assert (near.fronts, near.board.match.winner) == ((59, 50), -1)
    correct(near, win, 12)
    assert near.board.match.winner == 0
    loser = near.table.lines()["lines"][-2]["rev"]
    correct(near, loser, 5)
    assert (near.fronts, near.board.match.winner) == ((61, 45), 0)
    error = near.refused("correct", STAFF, rev=loser, points=40)
    assert error.code == "over"


def test_corrections_outlive_the_kiosk(room: Room) -> None:
    first, _ = pegged(room, (1, 10), (1, 3))
    correct(room, first, 12)
    for killed in (True, False):
        room.restart(killed=killed)
        assert lines(room)[-1] == (12, "Ann pegs 12, corrected from 10 by staff, now at 10")
        assert room.table.kept_events()[-1].line == Corrected(first, 10, 12, "staff")
    correct(room, first, 11)
    assert room.fronts == (14, 0)
    for _ in range(210):  # more than the lines that are kept
        room.table.deal.showed(["clear", "k"])
        room.table.deal.showed(["starter"])
    room.restart()
    assert correct(room, first, 10) == "Ann pegs 10, corrected from 11 by staff, now at 13."


def test_the_table_shows_a_corrected_card_and_hand(room: Room) -> None:
    room.do("starter", card="9H")
    room.do("play", side=1, card="7C")
    card = room.do("play", side=2, card="8S")[0]
    hand = room.do("hand", side=1, cards=["4C", "5D", "6H", "6S"], again=True)[0]
    correct(room, card, 0)
    assert room.entry()["table"]["played"][1]["points"] == 0
    for right in (12, 0):
        correct(room, hand, right)
        shown = room.entry()["count"]
        assert (shown["pegged"], shown["remark"]) == (right, f"corrected to {right}")
        assert room.fronts == (right, 0)
        room.do("undo", rev=room.rev)
        assert room.entry()["count"]["remark"] == ""


def test_what_was_missed_in_a_corrected_claim_cannot_be_called(tmp_path: Path) -> None:
    room = begun(tmp_path, rules=MUGGINS)
    room.do("starter", card="9H")
    rev = room.do("hand", side=1, cards=["4C", "5D", "6H", "6S"], claim=12, again=True)[0]
    assert room.entry()["open"] == 1
    correct(room, rev, 16)
    assert (room.entry()["open"], room.fronts) == (None, (16, 0))
    room.do("undo", rev=room.rev)
    assert room.entry()["open"] == 1
    assert lines(room) == [(12, "Ann pegs 12, now at 12")]  # nobody learns what the cards were worth


def test_in_a_tournament_staff_alone_correct(tmp_path: Path) -> None:
    room = begun(tmp_path, rules={"counting": "manual", "tournament": True})
    (first,) = pegged(room, (1, 10))
    assert room.refused("correct", ANN, rev=first, points=12, own=1).code == "stands"
    correct(room, first, 12)
    assert room.fronts == (12, 0)


def test_no_line_is_known_of_a_game_whose_beginning_is_not(room: Room) -> None:
    (first,) = pegged(room, (1, 10))
    standing = room.board.standing
    room.board.command("restore", standing.rev, *standing.setup(), standing.pegs(), list(standing.won))
    assert room.board.events()[-1].kind == RESTORE
    pegged(room, (1, 2))
    assert lines(room) == []
    assert room.refused("correct", STAFF, rev=first, points=12).code == "line"


def test_the_lines_of_a_boards_first_game_are_known_from_its_first_event_on(tmp_path: Path) -> None:
    room = Room(tmp_path)
    pegged(room, (1, 10), (2, 3))
    events, standing = room.board.events(), room.board.standing
    assert [line.points for line in Lines(events, standing).all({})] == [3, 10]
    assert Lines(events[1:], standing).all({}) == []
