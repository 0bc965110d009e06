"""A hand, and a card of the play. Ours checks the cards and gives every part; the others give what they give."""

from __future__ import annotations

import random

import pytest
from bench import peers, plain
from bench.table import OURS

from cribboard_core.cards import cards_text, parse_cards
from cribboard_core.pile import pile_points
from cribboard_core.show import count

DEALS = [random.Random(seed).sample(range(52), 5) for seed in range(100)]
TEXTS = [(cards_text(cards[:4]).replace(" ", ""), cards_text(cards[4:])) for cards in DEALS]
POINTS = [count(cards[:4], cards[4]).points for cards in DEALS]
PILE = parse_cards("8H6D4C5S7H")

# who: the cards as he takes them, and how he counts them
SHOWS = {
    plain.LOOP: (list, plain.show),
    peers.PYCRIBBAGE: (peers.pycribbage_cards, peers.pycribbage_show),
    peers.SCORER: (peers.scorer_cards, peers.scorer_show),
    OURS: (lambda cards: (cards[:4], cards[4]), lambda hand: count(*hand).points),
}
TEXT_SHOWS = {
    peers.SCORER: lambda hand, starter: peers.scorer_show(peers.scorer_read(hand + starter)),
    OURS: lambda hand, starter: count(parse_cards(hand), parse_cards(starter)[0]).points,
}
PLAYS = {
    "a loop over tails, points only": (list, plain.play),
    peers.PYCRIBBAGE: (peers.pycribbage_cards, peers.pycribbage_play),
    peers.SCORER: (peers.scorer_cards, peers.scorer_play),
    OURS: (list, lambda cards: pile_points(cards)[0]),
}


@pytest.mark.parametrize("who", SHOWS)
def test_a_hand(timed, who):
    name = peers.named(who)
    convert, show = SHOWS[who]
    hands = [convert(cards) for cards in DEALS]
    points = timed(
        "count a hand", name, lambda: [show(hand) for hand in hands], each=len(hands), least={plain.LOOP: 1.5}
    )
    assert points == POINTS


@pytest.mark.parametrize("who", TEXT_SHOWS)
def test_a_hand_as_text(timed, who):
    name, show = peers.named(who), TEXT_SHOWS[who]
    points = timed("count a hand, from text", name, lambda: [show(*texts) for texts in TEXTS], each=len(TEXTS))
    assert points == POINTS


@pytest.mark.parametrize("who", PLAYS)
def test_a_card_of_the_play(timed, who):
    name = peers.named(who)
    convert, play = PLAYS[who]
    pile = convert(PILE)
    assert timed("count the fifth card of a count", name, lambda: play(pile)) == 5
