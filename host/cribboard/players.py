"""Simple automatic players: they keep what counts most on average, and play the card that scores most."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations

from cribboard_core.cards import pips, rank_of
from cribboard_core.play import pile_points
from cribboard_core.show import count

PACK = range(52)


def discard(dealt: list[int], to_crib: int, own_crib: bool) -> list[int]:
    """The cards to lay away: those whose loss leaves the best average hand, the crib weighed in by a rule of thumb."""
    if not to_crib:
        return []
    unseen = [card for card in PACK if card not in dealt]

    def worth(thrown: Iterable[int]) -> float:
        away = list(thrown)
        kept = [card for card in dealt if card not in away]
        hand = sum(count(kept, starter).points for starter in unseen) / len(unseen)
        crib = _crib_worth(away)
        return hand + crib if own_crib else hand - crib

    return list(max(map(list, combinations(dealt, to_crib)), key=worth))


def choose(pile: list[int], legal: list[int]) -> int:
    """The card to play on a pile: most points, then none that offers a fifteen or 31, then the highest."""
    total = sum(pips(card) for card in pile)

    def worth(card: int) -> tuple[int, bool, int, int]:
        after = total + pips(card)
        return pile_points([*pile, card])[0], after not in (5, 21), pips(card), card

    return max(legal, key=worth)


def _crib_worth(thrown: Sequence[int]) -> float:
    fives = sum(rank_of(card) == 4 for card in thrown)
    if len(thrown) < 2:
        return float(fives)
    one, other = thrown
    apart = abs(rank_of(one) - rank_of(other))
    return fives + 2.0 * (apart == 0) + 2.0 * (pips(one) + pips(other) == 15) + 0.7 * (apart == 1) + 0.4 * (apart == 2)
