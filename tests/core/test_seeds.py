"""Claims about cribbage that are often printed and are wrong, and worked examples that are right."""

from __future__ import annotations

import pytest

from cribboard_core.aloud import sentence, shapes, steps
from cribboard_core.cards import CardError, parse_card, parse_cards
from cribboard_core.deal import Deal, first_dealer
from cribboard_core.events import PEG, SET
from cribboard_core.match import Match
from cribboard_core.pile import pile_points
from cribboard_core.play import Play, replay
from cribboard_core.show import Show, count
from cribboard_core.variants import TARGETS, skunk_lines


def shown(hand: str, starter: str, crib: bool = False) -> Show:
    return count(parse_cards(hand), parse_card(starter), crib)


def pegs(pile: str) -> list[int]:
    """The points of each card of a count."""
    cards = parse_cards(pile)
    return [pile_points(cards[: number + 1])[0] for number in range(len(cards))]


# Wrong claims


def test_not_so_that_seven_six_and_three_aces_are_only_three_of_a_kind() -> None:
    show = shown("7C 6H AS AD", "AC")
    assert (show.points, show.fifteens, show.pairs) == (12, 6, 6)


def test_not_so_that_the_crib_six_king_ten_eight_with_an_ace_has_no_combinations() -> None:
    assert shown("6H KH TD 8C", "AC", crib=True).points == 2


def test_not_so_that_a_play_can_end_without_a_point_for_its_last_card() -> None:
    hands = ["3S 3D AD 5S", "7C AC AH 6C"]
    order = ["1 AC", "0 AD", "1 AH", "0 3S", "1 6C", "0 3D", "1 7C", "0 5S"]
    plays = [[int(move[0]), move[2:]] for move in order]
    counted = replay({"players": 2, "dealer": 0, "hands": hands, "plays": plays})
    assert counted["plays"][-1] == [0, "5S", 27, 0, 1, 0]
    assert counted["pegged"] == [5, 6]


def test_not_so_that_the_card_turned_up_can_be_played_as_well() -> None:
    with pytest.raises(CardError, match="AC is the starter and in the hand as well"):
        shown("7C AC AH 6C", "AC")


def test_not_so_that_four_fives_and_any_jack_are_29() -> None:
    assert shown("5H 5C 5S JD", "5D").points == 29
    assert shown("5H 5C 5S JC", "5D").points == 28
    assert shown("5H 5C 5S 5D", "JD").points == 28


def test_not_so_that_three_of_a_kind_counts_seven() -> None:
    """Seven may be the total so far when a point was counted before; the three alike are six."""
    assert shown("8C 8D 8H 2S", "QD").pairs == 6
    assert pegs("8C 8D 8H")[-1] == 6


def test_not_so_that_the_lowest_card_plays_first() -> None:
    dealer = first_dealer(parse_cards("2H 9C"))
    assert dealer == 0
    assert Play(dealer, [[0, 1, 2, 3], [4, 5, 6, 7]]).turn == 1


def test_not_so_that_39_is_the_best_hand_of_six_players() -> None:
    assert shown("5C 5D 5H JS JD", "5S").points == 39
    assert shown("4C 4D 5C 5D 6C", "6D").points == 46


def test_not_so_that_121_is_the_highest_score_of_every_game() -> None:
    """A game is to its target, 121 as a rule, and a score stops there."""
    for target in TARGETS:
        match = Match(target)
        match.apply(1, (SET, 0, target - 1, 0, 0))
        match.apply(2, (PEG, 0, 29, 0, 0))
        assert (match.front(0), match.winner) == (target, 0)


@pytest.mark.parametrize(("last", "row"), [("8S", (15, 2, 1, 0)), ("9S", (16, 0, 1, 0))])
def test_not_so_that_a_last_card_at_fifteen_pegs_two(last: str, row: tuple[int, ...]) -> None:
    play = Play(0, [parse_cards("KH QD QH " + last), parse_cards("KC KD QC 7C")])
    for move in ("1 KC", "0 KH", "1 KD", "0 QD", "1 QC", "0 QH", "1 7C"):
        play.play(int(move[0]), parse_card(move[2:]))
    assert play.play(0, parse_card(last)) == row


def test_and_so_that_a_last_card_at_31_pegs_two_and_no_more() -> None:
    play = Play(0, [parse_cards("KC QD 9C 3S"), parse_cards("KH TD 9S AS")])
    for move in ("1 KH", "0 KC", "1 TD", "1 AS", "0 QD", "1 9S", "0 9C"):
        play.play(int(move[0]), parse_card(move[2:]))
    assert play.play(0, parse_card("3S")) == (31, 2, 0, 0)


def test_not_so_that_a_skunk_is_a_difference_of_31_whatever_the_target() -> None:
    """At 121 the line 91 and a difference of 31 say the same; elsewhere the line decides."""
    assert skunk_lines(121)[0] == 121 - 31 + 1
    assert skunk_lines(61) == (31, 0)
    assert skunk_lines(91) == skunk_lines(241) == (0, 0)


def test_not_so_that_two_double_runs_come_to_fifteen() -> None:
    assert [part[:2] for part in shapes(shown("QC QD KH KS", "JD"))] == [("double double run", 16)]
    assert [part[:2] for part in shapes(shown("JC QD QH QS", "KD"))] == [("triple run", 15)]


def test_not_so_that_a_jack_turned_up_pays_the_player_who_cuts() -> None:
    pack = [card for card in range(52) if card != 40]
    deal = Deal(2, 0, [*pack[:12], 40, *pack[12:]])
    deal.discard(0, deal.hands[0][:2])
    deal.discard(1, deal.hands[1][:2])
    assert deal.cut() == [(0, "nibs", 2, 40)]


def test_not_so_that_nobs_are_counted_before_the_flush() -> None:
    assert sentence(shown("2D 4D 6D JD", "KD")) == "a flush of five is five, and nobs for six"


def test_not_so_that_fifteen_and_pairs_need_the_same_ten_cards() -> None:
    """Court cards all count ten, but only equal ranks pair."""
    assert shown("KC JD 5H 5S", "2C").fifteens == 8
    assert shown("KC QD 2H 4S", "7D").pairs == 0


# Worked examples that are right


@pytest.mark.parametrize(
    ("hand", "starter", "points"),
    [
        ("9C 6D 6H 2S", "QD", 6),
        ("KC JD 5H 5S", "2C", 10),
        ("6C 7D 7H 8S", "KD", 12),
        ("9C TD JH QS", "2D", 4),
        ("4C 5S 6D JH", "4H", 15),
        ("5C 5D 5H JS", "5S", 29),
        ("8S 7H 6C AD", "AC", 13),
        ("8C 8S 6C 6H", "AD", 12),
        ("2H 3S 4D 9S", "2C", 12),
        ("2C 3D 3H 4S", "TD", 12),
        ("8C 7D 7H 6S", "AD", 16),
        ("KC QD JH JS", "2D", 8),
        ("KC QD JH JS", "TD", 10),
        ("KC QD QH QS", "JC", 15),
        ("KC QD QH JS", "JD", 16),
        ("JC 5D 5H 5S", "2H", 14),
    ],
)
def test_worked_hands_count_as_printed(hand: str, starter: str, points: int) -> None:
    assert shown(hand, starter).points == points


def test_the_printed_sentences_are_said_so() -> None:
    assert sentence(shown("2C 3D 3H 4S", "TD")) == "fifteen two, fifteen four, and a double run of three for twelve"
    assert sentence(shown("8C 7D 7H 6S", "AD")) == (
        "fifteen two, fifteen four, fifteen six, fifteen eight, and a double run of three for sixteen"
    )
    assert sentence(shown("2C 4D 6H 8S", "TD"), nineteen=True) == "nineteen"
    assert [total for _, total, _ in steps(shown("8C 7D 7H 6S", "AD"))] == [2, 4, 6, 8, 16]


@pytest.mark.parametrize(
    ("pile", "points"),
    [
        ("AC AD AH 3S 6C 3D", [0, 2, 6, 0, 0, 2]),
        ("7C 9D 6H 8S", [0, 0, 0, 4]),
        ("2C 3D 4H 5S 3C", [0, 0, 3, 4, 3]),
        ("2C 3D 5H 4S 3C", [0, 0, 0, 4, 3]),
        ("3C 5D 6H 7S 4C", [0, 0, 0, 3, 5]),
        ("8C 6D 4H 5S 7C", [0, 0, 0, 3, 5]),
        ("5C 4D 6H 6S", [0, 0, 5, 2]),
        ("3C 4D 5H 6S", [0, 0, 3, 4]),
        ("8C TD 9H", [0, 0, 3]),
        ("JC 5D", [0, 2]),
        ("8C 6D 7H", [0, 0, 3]),
        ("KC QD", [0, 0]),
    ],
)
def test_worked_plays_peg_as_printed(pile: str, points: list[int]) -> None:
    assert pegs(pile) == points


def test_the_printed_notation_with_the_suit_first_is_read() -> None:
    assert parse_cards("DJ S0") == parse_cards("JD TS")
    assert parse_cards("♣2 ♥5 ♠10") == parse_cards("2C 5H TS")
