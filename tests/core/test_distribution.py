"""The counts of all 12,994,800 deals of hand and starter, hand and crib, against the published distribution.

Suits matter only to the flush and to nobs, so one call of count() stands for all deals of the same ranks that are alike
in these two; how many there are is worked out.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterator

import pytest

from cribboard_core.cards import JACK
from cribboard_core.show import count

pytestmark = pytest.mark.unmeasured

PUBLISHED = {
    0: 1009008, 1: 99792, 2: 2813796, 3: 505008, 4: 2855676, 5: 697508, 6: 1800268, 7: 751324, 8: 1137236, 9: 361224,
    10: 388740, 11: 51680, 12: 317340, 13: 19656, 14: 90100, 15: 9168, 16: 58248, 17: 11196, 18: 2708, 20: 8068,
    21: 2496, 22: 444, 23: 356, 24: 3680, 28: 76, 29: 4,
}  # fmt: skip
DEALS = 12_994_800


def deals() -> Iterator[tuple[tuple[int, ...], int, int]]:
    """(hand, starter, how many deals are like it)."""
    for ranks in itertools.combinations_with_replacement(range(13), 4):
        held = Counter(ranks)
        for starter in range(13):
            if held[starter] == 4:
                continue
            ways = math.prod(math.comb(4, number) for number in held.values()) * (4 - held[starter])
            one_suit = len(held) == 4
            flush_with_starter = 4 if one_suit and not held[starter] else 0
            flush_of_hand = 12 if one_suit else 0
            nobs = 0
            if held[JACK] and starter != JACK:
                # With the starter's suit fixed: the jack of it is held, the starter's rank is held in other suits only.
                others = math.prod(math.comb(4, n) for rank, n in held.items() if rank not in (JACK, starter))
                nobs = 4 * math.comb(3, held[JACK] - 1) * math.comb(3, held[starter]) * others
            nobs_flush = flush_with_starter if nobs else 0
            cases = {
                (True, True, nobs > 0): flush_with_starter,
                (True, False, False): flush_of_hand,
                (False, False, True): nobs - nobs_flush,
                (False, False, False): ways - flush_with_starter - flush_of_hand - (nobs - nobs_flush),
            }
            for case, weight in cases.items():
                if weight:
                    yield *example(ranks, starter, case), weight


def example(ranks: tuple[int, ...], starter: int, case: tuple[bool, bool, bool]) -> tuple[tuple[int, ...], int]:
    """One deal of these ranks: (hand of one suit, starter of it too, jack of the starter's suit held)."""
    one_suit, starter_too, nobs = case
    for suits in itertools.product(range(4), repeat=5):
        hand = tuple(rank * 4 + suit for rank, suit in zip(ranks, suits, strict=False))
        turned = starter * 4 + suits[4]
        if len({*hand, turned}) < 5 or (len(set(suits[:4])) == 1) != one_suit:
            continue
        if (one_suit and suits[0] == suits[4]) == starter_too and (JACK * 4 + suits[4] in hand) == nobs:
            return hand, turned
    raise AssertionError(f"no deal of {ranks} and {starter} is {case}")


def test_all_deals_of_hand_and_starter_count_as_published() -> None:
    hands: Counter[int] = Counter()
    cribs: Counter[int] = Counter()
    for hand, starter, weight in deals():
        hands[count(hand, starter).points] += weight
        cribs[count(hand, starter, crib=True).points] += weight

    assert hands.total() == cribs.total() == DEALS
    assert hands == PUBLISHED
    assert round(sum(points * number for points, number in cribs.items()) / DEALS, 4) == 4.7348
    assert cribs[0] == 1_022_208
    assert not {19, 25, 26, 27} & (set(hands) | set(cribs))


def five_card_hands() -> Iterator[tuple[list[int], int]]:
    """A hand of five and a starter for all ranks, with and without a flush and nobs where these can be."""
    for ranks in itertools.combinations_with_replacement(range(13), 5):
        held = Counter(ranks)
        if max(held.values()) > 4:
            continue
        for starter in range(13):
            if held[starter] == 4:
                continue
            if held[JACK] < 4:
                yield spread(held, starter, first_jack=1), starter * 4
            if held[JACK] and starter != JACK:
                yield spread(held, starter, first_jack=0), starter * 4
            if len(held) == 5:
                yield [rank * 4 + 1 for rank in ranks], starter * 4
                if not held[starter]:
                    yield [rank * 4 for rank in ranks], starter * 4


def spread(held: Counter[int], starter: int, first_jack: int) -> list[int]:
    """Cards of these ranks in several suits, clubs left to the starter."""
    cards = []
    for at, (rank, number) in enumerate(sorted(held.items())):
        first = 1 if rank == starter else first_jack if rank == JACK else at
        cards += [rank * 4 + (first + more) % 4 for more in range(number)]
    return cards


def test_hands_of_five_count_at_most_46_and_never_35_or_41_to_45() -> None:
    totals = {count(hand, starter).points for hand, starter in five_card_hands()}
    assert sorted(set(range(47)) - totals) == [35, 41, 42, 43, 44, 45]
    assert max(totals) == 46
