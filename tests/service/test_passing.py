"""The deal passes after the crib, and nobody is called the dealer whom nobody can know."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from service.room import CRIB, HAND, Room

from cribboard.referee.shown import a_starter
from cribboard.service.orders import read_order
from cribboard_core.cards import card_name
from cribboard_core.events import DEAL

LATE: dict[str, Any] = {"cards": ["2H", "3H", "8H", "KC"]}


@pytest.fixture
def room(tmp_path: Path) -> Room:
    """Ann deals, Bob leads."""
    room = Room(tmp_path)
    room.do("new", names=["Ann", "Bob"], dealer=1)
    return room


@pytest.fixture
def counted(room: Room) -> Room:
    """A deal whose crib was counted, but not Ann's hand."""
    room.do("play", side=2, card="7H")
    room.do("hand", side=2, **HAND, again=True)
    room.do("hand", side=1, **CRIB)
    return room


def dealer(room: Room) -> Any:
    return room.entry()["dealer"]["name"]


def asked(room: Room) -> Any:
    return room.entry()["deal"]["asked"]


def starter(room: Room) -> Any:
    return room.entry()["table"]["starter"]


def test_after_the_crib_the_next_deal_is_asked_for(room: Room) -> None:
    room.do("hand", side=2, **HAND)
    ann, bob = seats = [
        {"place": 1, "side": 1, "colour": "orange", "name": "Ann"},
        {"place": 2, "side": 2, "colour": "blue", "name": "Bob"},
    ]
    assert room.entry()["deal"] == {"asked": None, "text": "", "next": bob, "seats": seats}
    _, said = room.do("hand", side=1, **CRIB)
    assert said == "Ann counts 12 in the crib, now at 12. Next deal: Bob deals."
    deal = room.entry()["deal"]
    assert (deal["asked"], deal["text"]) == ("next", "Next deal: Bob deals.")
    room.do("deal")
    assert (room.entry()["deal"]["next"], asked(room), starter(room)) == (ann, None, None)


def test_a_dealer_without_a_name_is_called_by_a_colour(tmp_path: Path) -> None:
    assert Room(tmp_path).do("hand", side=1, **HAND, crib=True)[1].endswith("Next deal: Blue deals.")


def test_the_next_deals_starter_passes_the_deal(counted: Room) -> None:
    said = counted.do("starter", card="9S")[1]
    assert (said, dealer(counted), starter(counted), asked(counted)) == (
        "The starter is the nine of spades.",
        "Bob",
        "9S",
        None,
    )
    counted.do("starter", card="TD")
    assert (dealer(counted), starter(counted)) == ("Bob", "TD")
    assert counted.table.marks[-1].by == "phone 1"


def test_the_next_deals_first_card_passes_the_deal(counted: Room) -> None:
    assert counted.entry()["table"]["next"] == 1
    assert counted.refused("play", side=2, card="5H").code == "turn"  # Bob deals next, so Ann leads
    assert dealer(counted) == "Ann", "what is refused changes nothing"
    assert counted.do("play", side=1, card="5H")[1] == "Ann plays the five of hearts: five."
    assert (dealer(counted), starter(counted)) == ("Bob", None)
    assert [card["card"] for card in counted.entry()["table"]["pile"]] == ["5H"]


def test_a_late_hand_does_not_pass_the_deal_nor_does_its_starter(counted: Room) -> None:
    counted.do("starter", card="5D")
    counted.do("starter", card=None)
    assert dealer(counted) == "Ann"
    counted.table.deal.showed(a_starter(17))
    counted.do("hand", side=1, starter="5D", **LATE)
    assert (dealer(counted), asked(counted)) == ("Ann", "next")
    counted.do("starter", card="5D")  # nobody can need it in this deal any more
    assert (dealer(counted), starter(counted)) == ("Bob", "5D")


def test_a_hand_with_another_starter_passes_the_deal_when_its_sides_was_counted(counted: Room) -> None:
    counted.do("hand", side=2, starter="9S", **LATE)
    assert (dealer(counted), starter(counted)) == ("Bob", "9S")
    assert counted.refused("hand", side=2, starter="9S", **LATE).code == "counted"
    assert counted.refused("hand", side=2, starter="9C", **LATE).code == "counted"


@pytest.mark.parametrize("restarted", [False, True])
def test_a_first_card_sent_again_passes_the_deal_once(counted: Room, restarted: bool) -> None:
    order = read_order({"do": "play", "side": 1, "card": "5H", "key": "k" * 40, "seen": counted.rev})
    answer = counted.carrier.do(order, "phone 1")
    if restarted:
        counted.restart(killed=True)
    assert counted.carrier.do(order, "phone 1") == answer
    assert (dealer(counted), counted.rev) == ("Bob", answer[0])


@pytest.mark.parametrize("restarted", [False, True])
def test_a_kiosk_that_ends_between_the_deal_and_its_first_card_goes_on_from_there(
    counted: Room, restarted: bool
) -> None:
    order = read_order({"do": "play", "side": 1, "card": "5H", "key": "k" * 20, "seen": counted.rev})
    counted.table.command("deal", -1, by="phone 1", key=order.key + "+deal")
    if restarted:
        counted.restart(killed=True)
    rev = counted.rev
    counted.carrier.do(order, "phone 1")
    assert (dealer(counted), counted.rev) == ("Bob", rev)
    assert [card["card"] for card in counted.entry()["table"]["pile"]] == ["5H"]


def test_a_deal_that_was_taken_back_is_not_passed_again_by_the_same_order(counted: Room) -> None:
    order = read_order({"do": "play", "side": 1, "card": "5H", "key": "k" * 20})
    counted.table.command("deal", -1, by="phone 1", key=order.key + "+deal")
    counted.do("undo", rev=counted.rev)
    assert counted.refused("play", side=1, card="5H", key=order.key).code == "seen"
    assert (dealer(counted), counted.entry()["table"]["pile"]) == ("Ann", [])


def test_undo_of_the_deal_brings_the_whole_deal_back_and_redo_the_next(counted: Room) -> None:
    before = counted.table.deal.now
    counted.do("starter", card="9S")
    counted.do("play", side=1, card="5H")
    after = counted.table.deal.now
    counted.do("undo", rev=counted.rev)
    assert (dealer(counted), counted.table.deal.now) == ("Ann", before)
    counted.do("redo", rev=counted.rev - 1)
    assert (dealer(counted), counted.table.deal.now) == ("Bob", after)
    counted.restart()
    assert counted.table.deal.now == after


def test_undo_of_the_crib_takes_the_question_back(counted: Room) -> None:
    counted.do("undo", rev=counted.rev)
    assert asked(counted) is None
    counted.do("redo", rev=counted.rev - 1)
    assert asked(counted) == "next"
    counted.restart()
    assert asked(counted) == "next"


def test_a_won_game_has_no_next_deal(counted: Room) -> None:
    counted.do("set", side=1, front=121)
    assert asked(counted) is None
    counted.do("starter", card="9S")
    assert dealer(counted) == "Ann"


def test_two_phones_that_pass_one_deal_pass_it_once_but_not_after_an_undo(counted: Room) -> None:
    seen = counted.rev
    counted.do("deal", "phone 1", seen=seen)
    counted.do("deal", "phone 2", seen=seen)
    assert dealer(counted) == "Bob"
    counted.do("undo", "phone 1", rev=counted.rev)
    assert counted.refused("deal", "phone 2", seen=seen).code == "seen"
    counted.do("deal", "phone 1", seen=seen)
    counted.do("deal", "phone 1", seen=seen)  # one's own are known
    assert dealer(counted) == "Ann"


def test_the_boards_button_and_a_phone_pass_one_deal_once(counted: Room) -> None:
    seen = counted.rev
    counted.firmware.keeper.do((DEAL, 1, 0, 0, 0))
    counted.board.poll(0.1)
    counted.do("deal", seen=seen)
    assert dealer(counted) == "Bob"


def test_when_two_deals_points_were_pegged_without_a_pass_it_is_asked_who_deals(room: Room) -> None:
    for _ in range(4):
        room.do("peg", side=1, points=10)
    room.do("set", side=1, front=70)  # is nothing that a deal brings
    room.do("penalty", side=1, points=20)
    room.do("peg", side=2, points=11)
    assert asked(room) is None
    assert room.do("peg", side=2, points=1)[1] == "Bob pegs 1, now at 32. Who deals?"
    assert asked(room) == "who"
    assert room.do("peg", side=2, points=1)[1] == "Bob pegs 1, now at 33."
    room.restart()
    assert asked(room) == "who"
    room.do("starter", card="9S")
    for _ in range(2):
        room.do("undo", rev=room.entry()["undo"]["rev"])
    assert asked(room) is None
    room.do("redo", rev=room.entry()["redo"]["rev"])
    assert asked(room) == "who"
    room.do("set", side=1, front=121)
    assert asked(room) is None
    room.do("undo", rev=room.entry()["undo"]["rev"])
    room.do("peg", side=2, points=2)
    room.do("deal", place=1)
    assert (dealer(room), asked(room)) == ("Ann", None)
    room.do("peg", side=2, points=30)
    assert asked(room) is None


def test_a_deal_counted_by_its_cards_is_never_in_doubt_but_what_follows_may_be(room: Room) -> None:
    room.do("peg", side=1, points=22)
    room.do("hand", side=2, **HAND)
    room.do("hand", side=1, **CRIB)
    assert asked(room) == "next"
    for _ in range(2):
        room.do("peg", side=2, points=26)
    assert asked(room) == "who"


def test_clearing_the_cards_keeps_the_points(room: Room) -> None:
    room.do("peg", side=1, points=46)
    room.do("clear")
    room.do("peg", side=1, points=6)
    assert asked(room) == "who"


@pytest.mark.parametrize(
    ("order", "said"),
    [
        ({"side": 1, **HAND}, "the five of hearts is in Bob's hand, which was counted in this deal"),
        (
            {"side": 1, "cards": ["2C", "3H", "8H", "JD"]},
            "the jack of diamonds is in Bob's hand, which was counted in this deal",
        ),
        (
            {"side": 1, "cards": ["2C", "3H", "8H", "JD"], "again": True},
            "the jack of diamonds is in Bob's hand, which was counted in",
        ),
        (
            {"side": 1, "cards": ["2C", "3H", "8H", "JD"], "crib": True},
            "the jack of diamonds is in Bob's hand, which was counted in",
        ),
        ({"side": 1, "cards": ["2C", "3H", "8H", "4C"]}, "Bob has played the four of clubs"),
        ({"side": 1, "cards": ["2C", "3H", "8H", "6C"], "crib": True}, "Ann has played the six of clubs"),
        ({"side": 2, "cards": ["2C", "3H", "8H", "JD"], "crib": True}, "the jack of diamonds is in Bob's hand"),
        ({"side": 1, "cards": ["2C", "3H", "8H", "5D"]}, "the five of diamonds is the starter and in the hand as well"),
        (
            {"side": 1, "cards": ["2C", "3H", "8H", "9H"], "starter": "4C", "again": True},
            "Bob has played the four of clubs",
        ),
    ],
)
def test_a_hand_with_a_card_that_is_elsewhere_is_refused(room: Room, order: dict[str, Any], said: str) -> None:
    room.do("play", side=2, card="4C")
    room.do("play", side=1, card="6C")
    room.do("hand", side=2, **HAND, again=True)
    rev = room.rev
    error = room.refused("hand", **order)
    assert str(error.message).startswith(said)
    assert room.rev == rev
    room.do("hand", side=1, cards=["6C", "2C", "3H", "8H"])


def test_a_hand_counted_again_may_have_its_own_cards(room: Room) -> None:
    room.do("hand", side=2, **HAND)
    room.do("hand", side=2, again=True, **HAND)
    room.restart()
    assert room.refused("hand", side=1, **HAND).code == "cards"
    assert card_name(room.table.deal.now.starter) == "5D"


def test_the_history_is_told_what_happened_and_not_what_was_asked(counted: Room) -> None:
    event, news = counted.table.fresh[-1]
    assert event is not None
    assert (news["text"], event.text) == (
        "Ann counts 12 in the crib, now at 12. Next deal: Bob deals.",
        "Ann counts 12 in the crib, now at 12.",
    )
