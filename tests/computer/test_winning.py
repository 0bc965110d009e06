"""The chance to win: what must be so whatever the cards, and a sample of the tables derived again."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

from cribboard.computer.derive import _left, crib_counts, deals, induced, late_deals, one_deal
from cribboard.computer.tables import NEED, SHARE, ScoreError, chance_to_win, tables, through_deal

SAMPLE = 100  # deals


@pytest.mark.parametrize("target", [61, 91, 121, 241])
def test_one_of_both_wins(target):
    for mine, theirs in ((0, 0), (target // 2, target // 3), (target - 1, target - 9)):
        ours = chance_to_win(mine, theirs, True, target)
        assert ours + chance_to_win(theirs, mine, False, target) == pytest.approx(1)
        assert 0 < ours < 1


def test_a_hole_more_is_never_worse():
    for dealing in (True, False):
        for theirs in range(0, 121, 10):
            row = [chance_to_win(mine, theirs, dealing) for mine in range(121)]
            assert all(after >= before - 0.004 for before, after in pairwise(row)), theirs
            assert row[-1] > row[0]


def test_the_first_dealer_has_the_edge_that_all_know():
    assert 0.55 <= chance_to_win(0, 0, True) <= 0.57


def test_only_what_is_needed_matters():
    assert chance_to_win(50, 40, True, 61) == chance_to_win(110, 100, True, 121)


def test_what_a_crib_counts_is_that_of_what_both_throw():
    assert tables().crib == crib_counts(tables())


def test_pone_counts_first():
    """Both need what both hands surely count: without a peg pone is out before the dealer counts."""
    nothing, six = (1.0,), (0.0,) * 6 + (1.0,)
    assert through_deal((6, 6), (nothing, nothing), six, six) == 0
    assert through_deal((7, 6), (nothing, nothing), six, six) == 1


@pytest.mark.parametrize(
    ("scores", "target", "why"),
    [
        ((121, 0), 121, "a score of 121 is not one of a running game to 121; it is 0 to 120"),
        ((0, -1), 121, "a score of -1"),
        ((0, 0), NEED + 1, "a game to 242 is not in the tables; the target is 1 to 241"),
    ],
)
def test_scores_that_cannot_be_are_refused(scores, target, why):
    with pytest.raises(ScoreError) as refused:
        chance_to_win(*scores, True, target)
    assert why in str(refused.value)


@pytest.mark.unmeasured
def test_a_sample_of_the_table_comes_out_again():
    """From so few deals within four in a hundred, near the end within fifteen; dealer for pone is ten off at 0 to 0."""
    early = deals(SAMPLE, 7)
    again = induced(early, 121, late_deals(SAMPLE, 7, len(early)))
    stored = tables().win
    for dealer, pone in ((121, 121), (61, 61), (40, 60), (90, 70), (31, 25), (12, 10), (5, 5)):
        at = (dealer - 1) * NEED + pone - 1
        off = abs(again[dealer, pone] - stored[at] / SHARE)
        assert off < (0.04 if min(dealer, pone) > 30 else 0.15), (dealer, pone)


@pytest.mark.unmeasured
@pytest.mark.long
def test_near_the_end_the_table_is_what_deals_come_to():
    """Who pegs first wins, and both know it. Deals at the beginning of a game would say six in a hundred less."""
    for dealer, pone in ((1, 1), (2, 1)):
        played = [
            one_deal(random.Random(f"{seed}").sample(range(52), 13), (pone, dealer)) for seed in range(SAMPLE * 3)
        ]
        won = sum(_left(deal, (dealer, pone))[0] == 0 for deal in played) / len(played)
        assert abs(won - tables().chances[dealer][pone]) < 0.045, (dealer, pone, won)
