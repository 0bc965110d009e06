"""How fast the analyst counts, beside cribbage-scorer and the plain loop over the 31 subsets of five cards.

What takes them too long to be waited for is one of their counts, times how many are needed.

The ratios of `LEAST` stand for bounds where cribbage-scorer takes 18 µs for a hand and 6.4 µs for a card of the play:
the discards of six cards in 0.6 ms, all deals in 0.3 s, a million cards of the play a second.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest
from bench import peers, plain
from bench.table import OURS

from cribboard.analyst.discard import discards
from cribboard.analyst.points import play_points, points, points_of_text
from cribboard.analyst.whole import distribution
from cribboard_core.cards import card_name, parse_cards

DEALS = [random.Random(seed).sample(range(52), 5) for seed in range(100)]  # few: a short round finds a quiet moment
SIXES = [random.Random(seed).sample(range(52), 6) for seed in range(20)]
ONE_BY_ONE = 15 * (46 + 46 * 990)  # hands and cribs that the discards of six cards come to
ALL_DEALS = 12_994_800
PILES = [parse_cards("8H6D4C5S7H")] * 20
DISCARDS, DEALT, PLAYED = (
    "exact averages of all discards",
    f"all {ALL_DEALS:,} deals",
    "points of the fifth card of a count",
)
LEAST = {DISCARDS: 19_500, DEALT: 780, PLAYED: 6.4}
NAMES = [[card_name(card) for card in cards] for cards in DEALS]

# who: the cards as he takes them, and a round of all of them with nothing around each count
WAYS: dict[str, tuple[list[Any], Callable[[Any], None]]] = {
    plain.LOOP: (DEALS, lambda deals: [plain.show(cards) for cards in deals]),
    peers.SCORER: ([peers.scorer_cards(cards) for cards in DEALS], lambda deals: peers.scorer_shows(deals)),
    OURS: (
        [(cards[:4], cards[4]) for cards in DEALS],
        lambda deals: [points(hand, starter) for hand, starter in deals],
    ),
}


@pytest.mark.parametrize("who", WAYS)
def test_the_points_of_a_hand(timed, who):
    name, (deals, run) = peers.named(who), WAYS[who]
    least = {peers.named(peers.SCORER): 70} if who == OURS else {}
    timed("points of a hand", name, lambda: run(deals), each=len(deals), least=least)


@pytest.mark.parametrize("who", [peers.SCORER, OURS])
def test_the_points_of_a_hand_from_names(timed, who):
    name, (deals, run) = peers.named(who), WAYS[who]
    least = {peers.named(peers.SCORER): 35} if who == OURS else {}
    if who == OURS:
        deals = [(names[:4], names[4]) for names in NAMES]
        run = lambda deals: [points_of_text(hand, starter) for hand, starter in deals]  # noqa: E731
    timed("points of a hand, from names of cards", name, lambda: run(deals), each=len(deals), least=least)


@pytest.mark.parametrize("who", [peers.SCORER, OURS])
def test_the_points_of_a_card_of_the_play(timed, who):
    piles = [peers.scorer_cards(pile) for pile in PILES] if who == peers.SCORER else PILES
    count = peers.scorer_play if who == peers.SCORER else play_points
    results = timed(
        PLAYED, peers.named(who), lambda: [count(pile) for pile in piles], each=len(piles), least=least(PLAYED, who)
    )
    assert set(results) == {5}


@pytest.mark.parametrize("who", WAYS)
def test_all_discards_of_six_cards_exactly(timed, who):
    if who == OURS:
        work = lambda: [discards(six) for six in SIXES]  # noqa: E731
        timed(DISCARDS, OURS, work, each=len(SIXES), least=least(DISCARDS, who))
    else:
        deals, run = WAYS[who]
        timed(DISCARDS, one_by_one(who), lambda: run(deals), each=len(deals) / ONE_BY_ONE)


@pytest.mark.parametrize("who", WAYS)
def test_all_deals(timed, who):
    if who == OURS:
        assert sum(timed(DEALT, OURS, distribution, least=least(DEALT, who)).values()) == ALL_DEALS
    else:
        deals, run = WAYS[who]
        timed(DEALT, one_by_one(who), lambda: run(deals), each=len(deals) / ALL_DEALS)


def one_by_one(who: str) -> str:
    return f"{peers.named(who)}, one by one"


def least(what: str, who: str) -> dict[str, float]:
    """The ratio that ours must reach beside cribbage-scorer."""
    other = peers.named(peers.SCORER) if what == PLAYED else one_by_one(peers.SCORER)
    return {other: LEAST[what]} if who == OURS else {}


def test_all_of_them_count_the_same():
    for cards, names in zip(DEALS, NAMES, strict=True):
        assert points(cards[:4], cards[4]) == points_of_text(names[:4], names[4]) == plain.show(cards)
