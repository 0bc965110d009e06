"""Whose card comes next, and that a card is not taken for one of somebody else's unseen."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from service.room import Room

from cribboard.service.cards import Cards, PlayedCard, Turns
from cribboard_core.cards import PIPS
from cribboard_core.deal import PLAY, Deal
from cribboard_core.match import Match

COLOURS = ["Ann", "Bob", "Cid", "Dee", "Eve", "Fay"]


@pytest.fixture
def room(tmp_path: Path) -> Room:
    return Room(tmp_path)


def begun(room: Room, players: int = 2, **more: Any) -> Room:
    """A new game that the first player deals."""
    room.do("new", names=COLOURS[:players], dealer=1, **more)
    return room


def next_one(room: Room) -> int | None:
    seat = room.entry()["table"]["next"]
    assert seat is None or isinstance(seat, int)
    return seat


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


def test_a_go_is_said_for_the_last_card_and_as_often_as_it_may(room: Room) -> None:
    begun(room, 3)
    lay(room, (2, "TH"), (3, "6S"))
    assert room.do("say_go", card="6S", goes=1)[1] == "Nobody can say go now."  # every card fits
    lay(room, (1, "9D"))
    assert room.entry()["table"]["goes"] == 0
    for _ in range(2):  # from two tablets
        room.do("say_go", card="9D", goes=1)
        assert room.entry()["table"]["goes"] == 1
    assert [news["text"] for news in room.table.notices if news["kind"] == "say_go"] == ["Bob says go. Cid to play."]
    room.do("say_go", card="6S", goes=2)  # seen too late
    assert room.entry()["table"]["goes"] == 1
    first = room.rev
    room.do("penalty", side=2, points=2)
    room.do("say_go", card="9D", goes=1)  # from the other tablet, late
    assert room.entry()["table"]["go_at"] == first < room.rev
    room.do("say_go", card="9D", goes=5)
    assert (room.entry()["table"]["goes"], room.entry()["table"]["go_at"]) == (2, room.rev)
    room.do("say_go", card="9D", goes=1)
    assert room.entry()["table"]["go_at"] == first, "what Bob's go was said after"
    assert room.do("say_go", card="9D", goes=0)[1] == "Go taken back. Bob to play."
    room.do("say_go", card="9D", goes=1)
    lay(room, (3, "AS"))
    assert room.entry()["table"]["goes"] == 0
    assert room.entry()["table"]["pile"][-1]["at"] == room.rev


def test_after_a_go_those_follow_who_may_still_play_at_this_count(room: Room) -> None:
    begun(room, 3)
    lay(room, (2, "TH"), (3, "6S"))
    assert room.entry()["table"]["after_go"] == [], "every card fits"
    lay(room, (1, "9D"))
    assert room.entry()["table"]["after_go"] == [3, 1]
    lay(room, (3, "AS"))  # Bob said go
    assert (next_one(room), room.entry()["table"]["after_go"]) == (1, [3])
    lay(room, (1, "5S"))
    assert room.entry()["table"]["after_go"] == [], "a new count"


def test_of_partners_each_may_say_go(room: Room) -> None:
    begun(room, 4, teams=2)
    lay(room, (2, "TH"), (1, "6S"), (2, "9D"))
    assert (next_one(room), room.entry()["table"]["after_go"]) == (1, [2, 1, 2])


def test_it_is_played_out_of_turn_when_somebody_insists(room: Room) -> None:
    begun(room).do("play", side=1, card="7H", again=True)
    assert next_one(room) == 2


def test_who_may_have_said_go_is_not_asked(room: Room) -> None:
    lay(begun(room), (2, "KH"), (1, "QS"))
    assert room.refused("play", side=1, card="AD").code == "turn"  # whatever Bob has fits at 20
    lay(room, (2, "2D"), (1, "4C"), (1, "3S"))  # Bob has said go at 26
    assert next_one(room) == 1
    lay(room, (2, "2S"))  # or has he?
    assert next_one(room) == 1


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
    assert room.refused("play", side=2, card="3D").code == "turn"  # Cid has two cards left
    room.do("play", side=2, card="3D", again=True)
    assert next_one(room) == 1


def test_which_partner_made_thirty_one_is_not_known_when_one_may_have_said_go(room: Room) -> None:
    begun(room, 4, teams=2)
    lay(room, (2, "KH"), (1, "QS"), (2, "5D"), (1, "6C"), (2, "AC"), (1, "AD"), (2, "AH"), (1, "AS"))
    assert next_one(room) == 2
    room.do("play", side=1, card="2C")


def test_three_go_round(room: Room) -> None:
    begun(room, 3)
    lay(room, (2, "2H"))
    assert next_one(room) == 3
    assert room.refused("play", side=1, card="5D").code == "turn"
    lay(room, (3, "3S"))
    assert next_one(room) == 1


@pytest.mark.parametrize(("players", "teams"), [(2, 0), (3, 0), (4, 0), (4, 2), (5, 0), (6, 2), (6, 3)])
def test_whoever_plays_and_counts_by_the_rules_is_never_out_of_turn(players: int, teams: int) -> None:
    chance = random.Random(players + teams)
    match = Match(121, (1 << players) - 1, teams or players, players - 1)
    for _ in range(40):
        deal = Deal(players, players - 1, chance.sample(range(52), 52), teams)
        for seat in range(players):
            if deal.to_discard(seat):
                deal.discard(seat, deal.hands[seat][: deal.to_discard(seat)])
        deal.cut()
        cards, total = Cards(starter=deal.starter), 0
        while deal.phase == PLAY:
            assert deal.game is not None
            seat, side = deal.game.turn, deal.side(deal.game.turn)
            course = Turns(match, cards)
            assert (course.is_out_of_turn(side), course.left(side) > 0) == (False, True)
            last = len(deal.game.hands[seat]) == 1
            assert course.may_be_last(side) in {last, last or bool(teams)}
            if not cards.pile and not teams:  # who leads is known
                assert [one for one in match.sides if not course.is_out_of_turn(one)] == [course.turn] == [side]
            card = chance.choice(deal.game.legal(seat))
            total = deal.game.count + PIPS[card >> 2]
            go = any(kind == "go" for _, kind, _, _ in deal.play(seat, card))
            laid = PlayedCard(card, side, total=total)
            cards = replace(cards, played=(*cards.played, laid), pile=() if go else (*cards.pile, laid))
        course = Turns(match, cards)
        assert [course.turn, *map(course.left, match.sides)] == [-1] + [0] * len(match.sides)
        if not teams:
            order = [course.counts_next(range(done)) for done in range(players + 1)]
            assert order == [*((deal.side(seat), False) for seat in range(players)), (players - 1, True)]


def test_cards_that_nobody_named_stop_nobody() -> None:
    match = Match(121, 0b11, 2, 1)
    many = tuple(PlayedCard(card, 0, total=PIPS[card >> 2]) for card in range(5))
    course = Turns(match, Cards(played=many, pile=many))
    assert (course.left(0), course.left(1), course.turn) == (0, 4, 1)
    tens = tuple(PlayedCard(36 + card, card % 2, total=99) for card in range(4))
    assert Turns(match, Cards(played=tens, pile=tens)).left(0) == 2


def test_a_game_that_is_won_has_no_turn(room: Room) -> None:
    begun(room).do("peg", side=1, points=29)
    room.do("set", side=1, front=121)
    assert room.refused("play", side=1, card="5D").code == "over"
