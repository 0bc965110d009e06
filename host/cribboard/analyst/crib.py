"""What a crib may count with these discards: the ways to each score, over all starters and all opponents' discards.

Most ways are counted by rank, many at once; then those are moved up that have nobs or a flush.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import combinations
from math import comb

from cribboard.analyst.discard import DEALT, KEPT
from cribboard.analyst.table import KEYS, RANKS, rank_points
from cribboard_core.cards import JACK, PACK_SIZE, CardError, cards_text, check_cards


class Cribs:
    """The cribs that a deal of six cards (or of five) may feed."""

    def __init__(self, dealt: Sequence[int]) -> None:
        check_cards(list(dealt), "deal", DEALT)
        self._dealt = dealt
        self._unseen = [card for card in range(PACK_SIZE) if card not in dealt]
        self._thrown = len(dealt) - KEPT
        self._others = KEPT - self._thrown
        self._ways_without = cache(self._count_ways_without)

    def ways(self, thrown: Sequence[int]) -> dict[int, int]:
        """By points, from the fewest up, in how many ways the starter and the other cards make them of this discard."""
        check_cards(list(thrown), "discard", (self._thrown,))
        if not set(thrown) <= set(self._dealt):
            raise CardError(f"the discard {cards_text(list(thrown))} is not among {cards_text(list(self._dealt))}")
        key = _key(thrown)
        ways: Counter[int] = Counter()
        for more, number in self._ways_without((), self._others + 1).items():
            ways[rank_points()[key + more]] += number * (self._others + 1)  # any of them may be the starter
        for starter in self._unseen:
            self._move_nobs(ways, thrown, starter)
        if len({card & 3 for card in thrown}) == 1:
            self._move_flushes(ways, thrown)
        return {points: ways[points] for points in sorted(ways) if ways[points]}

    def _move_nobs(self, ways: Counter[int], thrown: Sequence[int], starter: int) -> None:
        jack = JACK * 4 + (starter & 3)
        if starter == jack or (jack in self._dealt and jack not in thrown):
            return
        fixed = (starter,) if jack in thrown else (starter, jack)
        key = _key(thrown) + _key(fixed)
        for more, number in self._ways_without(fixed, self._others + 1 - len(fixed)).items():
            points = rank_points()[key + more]
            ways[points] -= number
            ways[points + 1] += number

    def _move_flushes(self, ways: Counter[int], thrown: Sequence[int]) -> None:
        suit = thrown[0] & 3
        jack = JACK * 4 + suit
        for cards in combinations([card for card in self._unseen if card & 3 == suit], self._others + 1):
            points = rank_points()[_key(thrown) + _key(cards)]
            for starter in cards:
                nobs = starter != jack and (jack in thrown or jack in cards)
                ways[points + nobs] -= 1
                ways[points + nobs + 5] += 1

    def _count_ways_without(self, out: tuple[int, ...], number: int) -> dict[int, int]:
        """By the key of their ranks, how many choices there are of so many unseen cards, these left out."""
        held = Counter([card >> 2 for card in self._unseen if card not in out])
        found: list[Counter[int]] = [Counter({0: 1})] + [Counter() for _ in range(number)]
        for rank in RANKS:
            for total in range(number, 0, -1):
                for alike in range(1, min(held[rank], total) + 1):
                    for key, ways in found[total - alike].items():
                        found[total][key + alike * KEYS[rank]] += ways * comb(held[rank], alike)
        return found[number]


def _key(cards: Sequence[int]) -> int:
    return sum([KEYS[card >> 2] for card in cards])
