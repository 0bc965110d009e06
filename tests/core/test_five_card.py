"""Five-card cribbage for two: five cards dealt, hands of three, a crib of four, and a play that ends with its count.

Encyclopaedia Britannica, 9th edition, volume 6, "Cribbage"; Hoyle's Games, "Mode of playing five-card cribbage".
"""

from __future__ import annotations

import pytest

from cribboard_core.cards import CardError, parse_card, parse_cards
from cribboard_core.deal import Deal, DealError
from cribboard_core.play import NOBODY, UNSEEN, Play
from cribboard_core.show import count
from cribboard_core.sizes import FIVE_CARD_SIZES, deal_sizes
from cribboard_core.variants import VariantError


def points(hand: str, starter: str, crib: bool = False) -> int:
    return count(parse_cards(hand), parse_card(starter), crib, FIVE_CARD_SIZES).points


@pytest.mark.parametrize(
    ("hand", "starter", "crib", "expected"),
    [
        ("2H 4H 9H", "KS", False, 5),  # fifteen two (2 4 9), a flush of three
        ("2H 4H 8H", "KH", False, 4),  # a flush of four with the starter
        ("5H 5C 5S", "5D", False, 20),
        ("JD 5C 5S", "5D", False, 15),  # six of the jack, two of the fives, pair royal, nobs
        ("6C 7D 8S", "8D", False, 12),
        ("2H 4H 8H TH", "KS", True, 0),  # the crib's flush needs all five
        ("2H 4H 8H TH", "KH", True, 5),
    ],
)
def test_a_hand_of_three_counts_with_the_starter(hand: str, starter: str, crib: bool, expected: int) -> None:
    assert points(hand, starter, crib) == expected


def test_the_best_hand_is_twenty() -> None:
    assert max(points(hand, "5D") for hand in ("5H 5C 5S", "JD 5C 5S", "4H 5C 6S", "6C 4D 5S")) == 20


def test_the_usual_count_still_refuses_three_cards() -> None:
    with pytest.raises(CardError, match="only 5H 5C 5S; a hand is four or five different cards"):
        count(parse_cards("5H 5C 5S"), parse_card("5D"))


def test_it_is_for_two() -> None:
    sizes = deal_sizes(2, True)
    assert (sizes.dealt, sizes.dealer_dealt, sizes.to_crib, sizes.hand, sizes.crib) == (5, 5, 2, 3, 4)
    with pytest.raises(VariantError, match="five-card cribbage is for 2 players, not 3"):
        deal_sizes(3, True)


@pytest.mark.parametrize(
    ("cards", "scored", "left"),
    [
        ("KH JD QH", [(0, 0), (0, 0), (3, 1)], 1),  # 30 and nobody fits: a run, and one for the go
        ("KH JD QH AS", [(0, 0), (0, 0), (3, 0), (2, 0)], 1),  # 31, and no go
        ("2H 2C AH AC 3H 3C", [(0, 0), (2, 0), (0, 0), (2, 0), (0, 0), (2, 1)], 0),  # the last card of all
    ],
)
def test_the_play_ends_when_nobody_can_play_on(cards: str, scored: list[tuple[int, int]], left: int) -> None:
    played = parse_cards(cards)
    rest = [card for card in parse_cards("KS KC KD TS TC TD") if card not in played]
    hands = [
        [card for at, card in enumerate(played) if at % 2 == seat] + [rest.pop() for _ in range(3)] for seat in (0, 1)
    ]
    play = Play(1, [hand[:3] for hand in hands], (), True)
    rows = [play.play(at % 2, card) for at, card in enumerate(played)]
    assert [(row[1], row[2]) for row in rows] == scored
    assert (play.turn, rows[-1][3]) == (NOBODY, left)


def test_unseen_hands_end_it_with_a_go() -> None:
    play = Play(1, [[UNSEEN] * 3, [UNSEEN] * 3], (), True)
    for seat, card in enumerate(parse_cards("KH JD QH")):
        play.play(seat % 2, card)
    assert (play.go(1), play.turn) == (NOBODY, 0)
    assert (play.go(0), play.turn, play.pegged) == (0, NOBODY, [4, 0])


def test_a_dealt_deal_goes_from_five_cards_to_the_crib() -> None:
    deal = Deal(2, 0, list(range(52)), 0, True)
    assert [len(hand) for hand in deal.hands] == [5, 5]
    for seat in (0, 1):
        deal.discard(seat, deal.hands[seat][3:])
    assert (len(deal.crib), deal.phase) == (4, "cut")
    deal.cut(20)
    while deal.phase == "play":
        assert deal.game is not None
        deal.play(deal.turn, deal.game.legal(deal.turn)[0])
    assert (deal.phase, deal.not_named) == ("show", 0)
    assert [deal.show()[0][:2] for _ in range(3)] == [(1, "hand"), (0, "hand"), (0, "crib")]


def test_the_cards_that_were_not_played_are_named_before_their_hand_counts() -> None:
    deal = Deal(2, 1, None, 0, True)
    deal.turn_up(parse_card("5H"))
    for seat, card in enumerate(parse_cards("KH JD QH")):
        deal.play(seat % 2, card)
    deal.go(1)
    assert deal.go(0) == [(0, "go", 1, parse_card("QH"))]
    assert (deal.phase, deal.turn, deal.not_named) == ("show", 0, 1)
    with pytest.raises(DealError, match="name the rest of seat 0's hand first"):
        deal.show()
    with pytest.raises(DealError, match="JD is in the hand of seat 1; a pack has each card once"):
        deal.name_rest(parse_cards("JD"))
    with pytest.raises(DealError, match="5H is the starter"):
        deal.name_rest(parse_cards("5H"))
    with pytest.raises(CardError, match="9D is one too many"):
        deal.name_rest(parse_cards("8D 9D"))
    deal.name_rest(parse_cards("9D"))
    assert deal.game is not None
    assert deal.game.reneges == []
    assert deal.show()[0][:3] == (0, "hand", 4)
    assert (deal.turn, deal.not_named) == (1, 2)
    deal.name_rest(parse_cards("AC QS"))
    assert deal.game.reneges == [(1, parse_card("AC"), 30)]
    with pytest.raises(DealError, match="what is shown next is known"):
        deal.name_rest(parse_cards("8D QS"))
    assert deal.show()[0][:3] == (1, "hand", 4)
