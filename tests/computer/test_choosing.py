"""The computer's choices as programs ask for them: legal, sensible where it is clear, or refused in words."""

from __future__ import annotations

import random

import pytest
from computer.duel import Tally, play_game
from computer.opponents import Opponent, one_reply

from cribboard.computer import levels
from cribboard.computer.batch import chosen
from cribboard.computer.playing import GO
from cribboard_core.cards import card_name, parse_card, parse_cards

PLAY = {
    "hand": ["5H", "6C", "9D"],
    "played": [[0, "TC"], [1, "7S"]],
    "seat": 0,
    "dealer": 1,
    "starter": "5D",
    "thrown": ["KC", "2D"],
    "scores": [57, 63],
    "target": 121,
}


def discard_of(cards, **more):
    return chosen({"hand": cards.split(), "dealer": True, "scores": [0, 0], **more})


def card_of(**more):
    return chosen({**PLAY, **more})


def test_a_discard_has_two_of_the_six_cards_and_a_chance():
    choice = discard_of("5H 6C 7D 8S JH KC")
    assert set(choice["discard"]) < {"5H", "6C", "7D", "8S", "JH", "KC"}
    assert 0.5 < choice["win"] < 0.65


def test_fives_go_to_no_crib_of_the_others():
    for dealing, thrown in ((True, {"5H", "5C"}), (False, {"2D", "9C"})):
        choice = chosen({"hand": "5H 5C 2D 9C TS KD", "dealer": dealing, "scores": [0, 0]})
        assert dealing or "5H" not in choice["discard"]
        assert dealing or (choice["discard"] and not set(choice["discard"]) & {"5H", "5C"}), thrown


def test_of_five_cards_one_is_thrown():
    choice = discard_of("5H 5C 5D JS 2C")
    assert choice == {"discard": ["2C"], "win": None}


def test_who_needs_a_few_points_keeps_what_is_sure():
    """Pone with two to go, the dealer with one: only a hand that surely counts is of any use."""
    sure = chosen({"hand": "4H 4C 9D JS QC 2D", "dealer": False, "scores": [119, 120]})
    assert not {"4H", "4C"} & set(sure["discard"])


@pytest.mark.parametrize("level", levels.LEVELS)
def test_every_level_plays_whole_games_of_legal_cards(level):
    """The core refuses any other; each request goes through the plain objects that programs send."""
    game = Opponent(_asked_discard(level), _asked_card(level))
    for seed in range(2):
        assert play_game(
            (game, Opponent(_asked_discard(levels.CLUB), one_reply)), random.Random(seed), (0, 1), Tally()
        ) in (0, 1)


def _asked_discard(level):
    def discard(dealt, role, needs):
        scores = [121 - need for need in needs]
        choice = chosen({"hand": [card_name(card) for card in dealt], "dealer": bool(role), "scores": scores}, level)
        assert choice["win"] is None or 0 <= choice["win"] <= 1
        return tuple(map(parse_card, choice["discard"]))

    return discard


def _asked_card(level):
    def card(seen, pile):
        record = {
            "hand": [card_name(each) for each in seen.hand],
            "played": [[seat, None if each == GO else card_name(each)] for seat, each in seen.played],
            "seat": seen.seat,
            "dealer": seen.dealer,
            "starter": card_name(seen.starter),
            "thrown": [card_name(each) for each in seen.thrown],
            "scores": list(seen.scores),
            "target": seen.target,
        }
        choice = chosen(record, level)
        assert choice["card"] is not None and 0 <= choice["win"] <= 1
        return parse_card(choice["card"])

    return card


def test_fifteen_and_a_run_are_taken():
    assert card_of(played=[[0, "TC"], [1, "9S"]], hand=["JH", "2C", "3D"])["card"] == "JH"


STUCK = {"hand": ["TH", "QC"], "played": [[0, "2H"], [1, "KS"], [0, "JH"], [1, "7S"]], "thrown": ["KC", "2D"]}


def test_no_card_that_fits_is_a_go_and_says_what_would_be_led():
    choice = card_of(**STUCK)
    assert choice["card"] is None
    assert choice["restart"] in ("TH", "QC")


def test_behind_a_go_of_both_a_card_is_led():
    choice = card_of(**{**STUCK, "played": [*STUCK["played"], [0, None], [1, "go"]]})
    assert choice["card"] in ("TH", "QC")


@pytest.mark.parametrize("goes", [[[0, None]], [[1, None]], [[1, None], [0, None]], [[0, "go"], [1, None]]])
def test_the_go_that_ended_the_count_may_be_written_by_either(goes):
    both = card_of(**{**STUCK, "played": [*STUCK["played"], [0, None], [1, None]]})
    assert card_of(**{**STUCK, "played": [*STUCK["played"], *goes]}) == both


def test_a_go_of_mine_behind_which_the_other_played_ends_nothing():
    played = [*STUCK["played"], [0, None], [1, "2S"]]
    assert card_of(**{**STUCK, "played": played})["card"] in ("TH", "QC")


def test_who_laid_last_leads_nothing():
    """At 29 neither can play; the count starts again with the other."""
    choice = card_of(hand=["TH", "QC"], played=[[0, "9H"], [1, "KS"], [0, "JH"]])
    assert choice == {"card": None, "win": choice["win"]}


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ({"hand": []}, "the hand is empty"),
        ({"hand": ["5H", "6C"]}, "seat 0 holds 2 cards and has played 1; together they are four"),
        ({"hand": ["5H", "6C", "7S"]}, "7S is named twice"),
        ({"starter": "5H"}, "5H is named twice"),
        ({"starter": "5X"}, "5X"),
        ({"seat": 2}, "the seat is 0 or 1, not 2"),
        ({"dealer": True}, "the dealer is 0 or 1, not true"),
        ({"thrown": ["KC"]}, "the discard has only KC"),
        (
            {"played": [[1, "TC"]], "hand": ["5H", "6C", "9D", "8D"]},
            "card 1 of those played, TC by seat 1: it is seat 0's turn",
        ),
        ({"played": [[0, "TC"]]}, "it is seat 1's turn"),
        ({"played": [[0, "TC"], [1, "7S"], [0, None]]}, "seat 0 cannot say go at 17; every card fits"),
        (
            {"played": [[0, "TC"], [1, "7S"], [0, "9H"], [1, None], [0, None]], "hand": ["5H", "6C"]},
            "seat 0 cannot say go at 26; who can play must, here 5H",
        ),
        (
            {"played": [[0, "TC"], [1, "7S"], [0, "JH"], [0, None]], "hand": ["5H", "6C"]},
            "it is seat 1's turn at 0, where every card fits; ask for seat 1",
        ),
        ({"played": "TC"}, 'played is a list like [[1,"5H"],[0,"TC"]], not "TC"'),
        ({"hand": None}, 'hand is a list of cards like ["5H","6C"], not null'),
        ({"scores": [57, 121]}, "a score of 121 is not one of a running game to 121; it is 0 to 120"),
        ({"scores": [57]}, "scores are my score and the other's"),
        ({"target": 500}, "a game to 500 is not in the tables; the target is 1 to 241"),
    ],
)
def test_what_cannot_be_is_refused_in_words(wrong, why):
    with pytest.raises(ValueError) as refused:
        card_of(**wrong)
    assert why in str(refused.value)


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ({"hand": "5H 6C 7D 8S JH KC 2C"}, "the deal has 7 cards"),
        ({"hand": "5H 6C 7D 8S"}, "the deal has only"),
        ({"hand": "5H 6C 7D 8S JH JH"}, "JH twice"),
        ({"dealer": 1}, "dealer is true or false in a discard, not 1"),
        ({"scores": [-1, 3]}, "a score of -1"),
    ],
)
def test_a_discard_that_cannot_be_is_refused_in_words(wrong, why):
    with pytest.raises(ValueError) as refused:
        chosen({"hand": "5H 6C 7D 8S JH KC", "dealer": True, "scores": [0, 0], **wrong})
    assert why in str(refused.value)


def test_a_line_that_lacks_something_says_what_it_needs():
    with pytest.raises(ValueError, match="the line lacks 'starter'; it needs hand, played, seat"):
        chosen({name: value for name, value in PLAY.items() if name != "starter"})


def test_a_text_of_cards_is_as_good_as_a_list():
    assert chosen({"hand": "5H6C7D8SJHKC", "dealer": True, "scores": [0, 0]}) == discard_of("5H 6C 7D 8S JH KC")
    assert parse_cards("5H6C")
