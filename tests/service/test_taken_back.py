"""What moves no peg is taken back once, however often its order comes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from service.room import Room

MUGGINS = {"counting": "manual", "muggins": True}
HAND: dict[str, Any] = {"side": 2, "cards": ["2C", "4D", "6H", "8S"], "claim": 0, "again": True}
CRIB: dict[str, Any] = {"side": 2, "cards": ["TS", "QH", "6C", "KD"], "claim": 0, "again": True, "crib": True}
KEY = "k" * 20


@pytest.fixture
def room(tmp_path: Path) -> Room:
    room = Room(tmp_path)
    room.do("new", names=["Ann", "Bob"], dealer=2, rules=MUGGINS)
    room.do("starter", card="9H")
    return room


def test_a_claim_of_nothing_that_is_taken_back_twice_takes_no_other_with_it(room: Room) -> None:
    for hand in (HAND, CRIB):
        room.do("hand", **hand)
    said = room.do("unclaim", side=2, key=KEY)
    for restarts in (False, True):
        if restarts:
            room.restart(killed=True)
        assert room.do("unclaim", side=2, key=KEY)[1] == ("Done." if restarts else said[1])
        assert [hand.crib for hand in room.table.deal.now.counted] == [False]
    assert room.carrier.answer(KEY) is not None


def test_a_card_that_is_taken_back_and_laid_again_stays_when_the_order_comes_again(room: Room) -> None:
    room.do("play", side=1, card="7C")
    room.do("unplay", card="7C", key=KEY)
    room.do("play", "phone 2", side=1, card="7C")
    room.restart(killed=True)
    assert room.do("unplay", card="7C", key=KEY)[1] == "Done."
    assert len(room.table.deal.now.played) == 1


def test_cards_are_cleared_once(room: Room) -> None:
    room.do("play", side=1, card="7C")
    room.do("clear", key=KEY)
    room.do("play", "phone 2", side=1, card="8C", again=True)
    assert room.do("clear", key=KEY)[1] == "The cards are cleared."
    assert len(room.table.deal.now.played) == 1


def test_a_kiosk_that_is_killed_after_a_hand_tells_the_history_its_cards(tmp_path: Path) -> None:
    room = Room(tmp_path)
    room.do("new", names=["Ann", "Bob"], dealer=2)

    begun, ends = room.rev, room.board.end_act

    def dies() -> None:
        if room.rev > begun:
            raise KeyboardInterrupt
        ends()

    room.board.end_act = dies  # type: ignore[method-assign]
    with pytest.raises(KeyboardInterrupt):
        room.do("hand", side=1, cards=["5H", "5C", "5S", "JD"], starter="5D")
    room.restart(killed=True)
    row = room.table.kept_events()[-1]
    assert (row.rev, row.cards, row.starter) == (room.rev, "5H5C5SJD", "5D")
