"""One score that two phones peg is asked about."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from service.room import HAND, Room

from cribboard.service import double_scores
from cribboard.service.orders import OrderError, read_order

ONE, OTHER = "p" * 16, "q" * 16


@pytest.fixture
def room(tmp_path: Path) -> Room:
    room = Room(tmp_path)
    room.do("new", names=["Ann", "Bob"], dealer=1)
    return room


def test_the_same_points_for_the_same_side_from_another_phone_are_asked_about(room: Room) -> None:
    room.do("peg", "phone 2", side=1, points=6, own=2)
    room.now += 3.9
    error = room.refused("peg", "phone 1", side=1, points=6, own=1)
    assert (error.code, error.status, str(error)) == (
        "doubled",
        409,
        "Bob's phone pegged 6 for Ann 4 seconds ago; Peg 6 more?",
    )
    assert room.fronts == (6, 0)
    room.do("peg", "phone 1", side=1, points=6, again=True)
    assert room.fronts == (12, 0)


@pytest.mark.parametrize(
    ("seconds", "said"), [(0.03, "just now"), (0.9, "1 second ago"), (2.4, "2 seconds ago"), (4, "4 seconds ago")]
)
def test_it_is_said_how_long_ago(room: Room, seconds: float, said: str) -> None:
    room.do("peg", "phone 2", side=1, points=6)
    room.now += seconds
    assert room.refused("peg", "phone 1", side=1, points=6).message == f"Another phone pegged 6 for Ann {said}"


def test_two_pages_of_one_phone_are_compared(room: Room) -> None:
    room.do("peg", side=1, points=2, page=ONE, own=1)
    error = room.refused("peg", side=1, points=2, page=OTHER, own=1)
    assert error.message == "Another page of this phone pegged 2 for Ann just now"


def test_one_page_pegs_two_and_then_two(room: Room) -> None:
    for _ in range(3):
        room.do("peg", side=1, points=2, page=ONE)
    assert room.fronts == (6, 0)


@pytest.mark.parametrize(
    "other",
    [{"side": 1, "points": 5}, {"side": 2, "points": 6}],
)
def test_other_points_and_other_sides_are_not_asked_about(room: Room, other: dict[str, Any]) -> None:
    room.do("peg", "phone 2", side=1, points=6)
    room.do("peg", "phone 1", **other)


def test_after_four_seconds_it_is_another_score(room: Room) -> None:
    room.do("peg", "phone 2", side=1, points=6)
    room.now += 4.1
    room.do("peg", "phone 1", side=1, points=6)
    assert room.fronts == (12, 0)


def test_what_was_undone_since_is_pegged_without_a_question(room: Room) -> None:
    room.do("peg", "phone 2", side=1, points=6)
    room.do("undo", "phone 2", rev=room.rev)
    room.do("peg", "phone 1", side=1, points=6)
    assert room.fronts == (6, 0)


def test_a_score_of_the_game_before_is_not_compared(room: Room) -> None:
    room.do("peg", "phone 2", side=1, points=6)
    room.do("new", "phone 2")
    room.do("peg", "phone 2", side=1, points=9)
    room.do("peg", "phone 1", side=1, points=6)
    assert room.fronts == (15, 0)


def test_buttons_and_commands_are_not_compared(room: Room) -> None:
    room.firmware.keeper.do((2, 0, 6, 0, 0))
    room.board.poll(0.1)
    room.do("peg", side=1, points=6)
    assert room.fronts == (12, 0)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ({"do": "hand", "side": 1, **HAND}, {"do": "peg", "side": 1, "points": 29}),
        ({"do": "peg", "side": 1, "points": 29}, {"do": "hand", "side": 1, **HAND}),
        ({"do": "go", "side": 1}, {"do": "go", "side": 1}),
        ({"do": "nibs", "side": 1}, {"do": "nibs", "side": 1}),
        ({"do": "peg", "side": 1, "points": 4}, {"do": "muggins", "side": 1, "points": 4, "from": 2}),
    ],
)
def test_a_score_is_compared_whatever_it_was_pegged_for(
    room: Room, first: dict[str, Any], second: dict[str, Any]
) -> None:
    room.do("new", rules={"counting": "manual", "muggins": True} if second["do"] == "muggins" else {})
    room.do(by="phone 1", **first)
    stands = room.fronts
    assert room.refused(by="phone 2", **second).code == "doubled"
    assert room.fronts == stands


def test_points_that_a_card_has_made_are_compared(room: Room) -> None:
    room.do("play", "phone 1", side=2, card="7H")
    room.do("play", "phone 2", side=1, card="8H")
    assert room.refused("peg", "phone 1", side=1, points=2).code == "doubled"


def test_points_that_were_claimed_with_a_card_are_compared(room: Room) -> None:
    room.do("new", dealer=1, rules={"counting": "manual"})
    room.do("play", "phone 1", side=2, card="7H")
    room.do("play", "phone 2", side=1, card="8H", claim=2)
    assert room.refused("peg", "phone 1", side=1, points=2).code == "doubled"


@pytest.mark.parametrize("restarted", [False, True])
def test_an_order_that_has_counted_is_never_asked_about(room: Room, restarted: bool) -> None:
    order = read_order({"do": "peg", "side": 1, "points": 6, "key": "k" * 20, "page": ONE})
    room.do("peg", "phone 2", side=1, points=6)
    room.now += 5
    answer = room.carrier.do(order, "phone 1")
    room.do("peg", "phone 2", side=1, points=6, again=True)
    if restarted:
        room.restart(killed=True)
    assert room.carrier.do(order, "phone 1") == answer
    assert room.fronts == (18, 0)


def test_an_order_that_was_asked_about_stays_refused_under_its_key(room: Room) -> None:
    order = read_order({"do": "peg", "side": 1, "points": 6, "key": "k" * 20})
    room.do("peg", "phone 2", side=1, points=6)
    for _ in range(3):
        with pytest.raises(OrderError, match="pegged 6 for Ann just now"):
            room.carrier.do(order, "phone 1")
        room.now += 60
    assert room.fronts == (6, 0)


def test_only_so_many_questions_are_kept(room: Room) -> None:
    room.do("peg", "phone 2", side=1, points=6)
    for _ in range(double_scores.SCORES_KEPT + 3):
        room.refused("peg", "phone 1", side=1, points=6)
    assert len(room.carrier._duplicates._asked) == double_scores.SCORES_KEPT


def test_another_phones_score_that_was_not_seen_is_asked_about_in_the_same_words(room: Room) -> None:
    seen = room.rev
    room.do("peg", "phone 2", side=1, points=6, own=2, seen=seen)
    assert room.refused("peg", "phone 1", side=1, points=6, seen=seen).code == "doubled"
