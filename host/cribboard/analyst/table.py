"""What five cards count by their ranks, filled in by the core's count, and the sums of it that exact averages need.

A rank has a key, and the sum of five keys tells the five ranks, in whatever order: so a count is an addition and a look
into a table. There are 6188 multisets of five ranks; five alike cannot be held, and count 0 to keep sums simple.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations_with_replacement

from cribboard_core.show import count

RANKS = range(13)
SUITS = range(4)

# Each is the smallest number that leaves all sums of up to five keys, with repetition, apart from each other.
KEYS = (0, 1, 6, 31, 108, 366, 926, 2286, 5733, 12905, 27316, 44676, 94545)
HIGHEST_KEY = 5 * KEYS[-1]


@cache
def rank_points() -> dict[int, int]:
    """By the key of five ranks, the points of their fifteens, sets and runs: one call of the core's count for each."""
    return {sum([KEYS[rank] for rank in ranks]): _count(ranks) for ranks in combinations_with_replacement(RANKS, 5)}


@cache
def pack_sums() -> list[dict[int, int]]:
    """pack_sums()[n] has, by the key of 5 - n ranks, the points that these make with n cards, added up over all choices
    of n different cards of a whole pack.

    These are the elementary symmetric functions of the 52 cards; Newton's identities give each from those before.
    """
    sums = [rank_points()]
    for number in range(1, 5):
        keys = [sum([KEYS[rank] for rank in ranks]) for ranks in combinations_with_replacement(RANKS, 5 - number)]
        sums.append({key: _newton(sums, number, key) // number for key in keys})
    return sums


def _newton(sums: list[dict[int, int]], number: int, key: int) -> int:
    total = 0
    for alike in range(1, number + 1):
        fewer = sums[number - alike]
        total -= (-1) ** alike * len(SUITS) * sum([fewer[key + alike * rank_key] for rank_key in KEYS])
    return total


def _count(ranks: tuple[int, ...]) -> int:
    """The count of five cards of these ranks, in suits that make neither a flush nor nobs."""
    if ranks[0] == ranks[4]:
        return 0
    # Equal ranks are neighbours, so their suits differ; the starter is alone in its suit, and the hand has three suits.
    cards = [rank * 4 + at % 4 for at, rank in enumerate(ranks)]
    starter = cards.pop(1)
    return count(cards, starter).points
