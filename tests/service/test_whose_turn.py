"""Whose card comes next, and that a card is not taken for one of somebody else's unseen."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from service.room import Room

COLOURS = ["Ann", "Bob", "Cid", "Dee", "Eve", "Fay"]


@pytest.fixture
def room(tmp_path: Path) -> Room:
    return Room(tmp_path)


def begun(room: Room, players: int = 2, **more: Any) -> Room:
    """A new game that the first player deals."""
    room.do("new", names=COLOURS[:players], dealer=1, **more)
    return room


def next_one(room: Room) -> int | None:
    told = room.entry()["table"]["next"]
    assert told is None or isinstance(told, int)
    return told


def lay(room: Room, *cards: tuple[int, str]) -> None:
    for side, card in cards:
        room.do("play", side=side, card=card)


def test_the_dealers_left_leads_and_sides_follow_each_other(room: Room) -> None:
    begun(room)
    assert next_one(room) == 2
    refused = room.refused("play", side=1, card="7H")
    assert (refused.code, refused.status, str(refused.message)) == ("turn", 409, "it is Bob's turn")
    lay(room, (2, "7H"))
    assert next_one(room) == 1
    assert room.refused("play", side=2, card="9S").code == "turn"
    assert room.fronts == (0, 0)
    lay(room, (1, "9S"))
    assert next_one(room) == 2


def test_it_is_played_out_of_turn_when_somebody_insists(room: Room) -> None:
    begun(room).do("play", side=1, card="7H", again=True)
    assert next_one(room) == 2


def test_who_may_have_said_go_is_not_asked(room: Room) -> None:
    lay(begun(room), (2, "KH"), (1, "QS"))
    assert room.refused("play", side=1, card="AD").code == "turn"  # whatever Bob has fits at 20
    lay(room, (2, "2D"), (1, "4C"), (1, "3S"))  # Bob has nothing to lay at 26
    assert next_one(room) == 2


def test_after_thirty_one_and_after_a_go_the_next_side_leads(room: Room) -> None:
    lay(begun(room), (2, "KH"), (1, "QS"), (2, "AD"), (1, "TC"))
    assert room.entry()["table"]["running"] == 31
    assert next_one(room) == 2
    assert room.refused("play", side=1, card="3C").code == "turn"
    lay(room, (2, "KD"), (1, "JS"))
    room.do("go", side=1)
    assert next_one(room) == 2
    assert room.refused("play", side=1, card="4D").code == "turn"


def test_who_has_no_card_left_is_passed_over(room: Room) -> None:
    lay(begun(room), (2, "2H"), (1, "2S"), (2, "4D"), (1, "7C"), (2, "6H"), (1, "9S"))
    room.do("go", side=1)
    lay(room, (2, "AD"))
    assert next_one(room) == 1
    lay(room, (1, "AC"))
    assert next_one(room) is None
    assert room.refused("play", side=1, card="5D").code == "played"


def test_partners_sides_follow_each_other_while_each_partner_has_a_card(room: Room) -> None:
    begun(room, 4, teams=2)
    assert next_one(room) == 2
    assert room.refused("play", side=1, card="AH").code == "turn"
    cards = [f"{rank}{suit}" for rank in "A2" for suit in "CDHS"]
    for at, card in enumerate([*cards, "3C"]):
        room.do("play", side=2 - at % 2, card=card)
    assert next_one(room) == 1
    lay(room, (2, "3D"))  # four of theirs were played: who comes next may have none


def test_three_go_round(room: Room) -> None:
    begun(room, 3)
    lay(room, (2, "2H"))
    assert next_one(room) == 3
    assert room.refused("play", side=1, card="5D").code == "turn"
    lay(room, (3, "3S"))
    assert next_one(room) == 1


def test_a_game_that_is_won_has_no_turn(room: Room) -> None:
    begun(room).do("peg", side=1, points=29)
    room.do("set", side=1, front=121)
    assert room.refused("play", side=1, card="5D").code == "over"
