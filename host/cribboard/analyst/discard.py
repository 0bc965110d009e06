"""What each discard is worth: the exact averages of the hand that you keep and of the crib.

All starters are equally likely, and so is every choice of the crib's other cards among those unseen. What the ranks
count is summed over all of them at once, from sums over the whole pack: for each card that is not in it, the generating
function of the pack's choices is divided by 1 + card. Flush and nobs follow from the numbers of unseen suits.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, combinations_with_replacement
from math import comb
from typing import NamedTuple

from cribboard.analyst.table import KEYS, SUITS, pack_sums
from cribboard_core.cards import JACK, PACK_SIZE, check_cards

KEPT = 4
DEALT = (6, 5)  # to two players, of which two cards go to the crib; to three, four or five, of which one goes


class Discard(NamedTuple):
    """Cards to throw, cards to keep, and the average of the hand and of the crib then."""

    thrown: tuple[int, ...]
    kept: tuple[int, ...]
    hand: float
    crib: float

    def worth(self, own_crib: bool) -> float:
        """Hand and crib together, the crib as a loss when it is an opponent's."""
        return self.hand + self.crib if own_crib else self.hand - self.crib


def discards(dealt: Sequence[int]) -> list[Discard]:
    """All discards of six cards (or of five), in the order of the cards; raises CardError for what is no deal."""
    check_cards(list(dealt), "deal", DEALT)
    unseen = _Unseen(dealt)
    found = []
    for thrown in combinations(dealt, len(dealt) - KEPT):
        kept = tuple([card for card in dealt if card not in thrown])
        found.append(Discard(thrown, kept, unseen.hand_average(kept), unseen.crib_average(thrown)))
    return found


def best_first(dealt: Sequence[int], own_crib: bool) -> list[Discard]:
    """The discards from the best down."""
    return sorted(discards(dealt), key=lambda discard: discard.worth(own_crib), reverse=True)


class _Unseen:
    """The pack without the cards that were dealt."""

    def __init__(self, dealt: Sequence[int]) -> None:
        self.number = PACK_SIZE - len(dealt)
        self.of_suit = [13 - [card & 3 for card in dealt].count(suit) for suit in SUITS]
        self.jack_suits = [suit for suit in SUITS if JACK * 4 + suit not in dealt]
        keys = [KEYS[card >> 2] for card in dealt]
        most = KEPT + 1 - (len(dealt) - KEPT)  # unseen cards that a crib and its starter have
        # The keys of all multisets of so many of the dealt cards: the terms of 1 / (1 + card), for all of them.
        self.dealt_keys = [list(map(sum, combinations_with_replacement(keys, number))) for number in range(most + 1)]

    def hand_average(self, kept: tuple[int, ...]) -> float:
        """Of four cards with every starter."""
        total = self._rank_points(kept, 1) + sum([self.of_suit[card & 3] for card in kept if card >> 2 == JACK])
        if _one_suit(kept):
            total += 4 * self.number + self.of_suit[kept[0] & 3]
        return total / self.number

    def crib_average(self, thrown: tuple[int, ...]) -> float:
        """Of these cards with every choice of the others and every starter."""
        others = KEPT - len(thrown)
        total = (others + 1) * self._rank_points(thrown, others + 1)  # each of them may be the starter
        starters = sum([self.of_suit[card & 3] for card in thrown if card >> 2 == JACK])
        total += starters * comb(self.number - 1, others)
        with_jack = sum([self.of_suit[suit] - 1 for suit in self.jack_suits])
        total += with_jack * comb(self.number - 2, others - 1)
        if _one_suit(thrown):
            total += 5 * (others + 1) * comb(self.of_suit[thrown[0] & 3], others + 1)
        return total / (self.number * comb(self.number - 1, others))

    def _rank_points(self, cards: tuple[int, ...], more: int) -> int:
        """The points by rank of these and `more` unseen cards, summed over all choices of the unseen."""
        key = sum([KEYS[card >> 2] for card in cards])
        total = 0
        for out in range(more + 1):
            sums = pack_sums()[more - out]
            found = sum(map(sums.__getitem__, [key + dealt_key for dealt_key in self.dealt_keys[out]]))
            total += -found if out % 2 else found
        return total


def _one_suit(cards: tuple[int, ...]) -> bool:
    return len({card & 3 for card in cards}) == 1
