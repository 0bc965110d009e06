"""All deals at once, against the published distribution and the quick count."""

from __future__ import annotations

import random
from itertools import combinations, islice

import pytest

from cribboard.analyst.points import points

pytest.importorskip("numpy", reason="numpy is the extra `analyst`")

from core.test_distribution import DEALS, PUBLISHED

from cribboard.analyst.whole import HANDS, NO_DEAL, distribution, hands, points_of_all


def test_all_deals_of_a_hand_count_as_published():
    assert distribution() == PUBLISHED


def test_all_deals_of_a_crib_count_as_published():
    deals_by_points = distribution(crib=True)
    assert sum(deals_by_points.values()) == DEALS
    assert deals_by_points[0] == 1_022_208
    assert round(sum(number * deals for number, deals in deals_by_points.items()) / DEALS, 4) == 4.7348


@pytest.mark.parametrize("crib", [False, True])
def test_each_deal_counts_as_alone(crib):
    every, counted = hands(), points_of_all(crib)
    assert [tuple(hand) for hand in every.T[:100].tolist()] == list(islice(combinations(range(52), 4), 100))
    rng = random.Random(1)
    for _ in range(20_000):
        at, starter = rng.randrange(HANDS), rng.randrange(52)
        hand = every[:, at].tolist()
        wanted = NO_DEAL if starter in hand else points(hand, starter, crib)
        assert counted[starter, at] == wanted
