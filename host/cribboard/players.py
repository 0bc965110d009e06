"""Simple automatic players: they throw what is best on average, and play the card that scores most."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

from cribboard.analyst.discard import KEPT, best_first
from cribboard.analyst.odds import odds
from cribboard_core.cards import pips
from cribboard_core.play import pile_points


def discard(dealt: list[int], to_crib: int, own_crib: bool) -> list[int]:
    """The cards to lay away: with four to keep the best of hand and crib, with five the best hand."""
    if not to_crib:
        return []
    if len(dealt) - to_crib == KEPT:
        return list(best_first(dealt, own_crib)[0].thrown)

    def average(thrown: Iterable[int]) -> float:
        away = list(thrown)
        return odds([card for card in dealt if card not in away], away).average

    return list(max(combinations(dealt, to_crib), key=average))


def choose(pile: list[int], legal: list[int]) -> int:
    """The card to play on a pile: most points, then none that offers a fifteen or 31, then the highest."""
    total = sum(pips(card) for card in pile)

    def worth(card: int) -> tuple[int, bool, int, int]:
        after = total + pips(card)
        return pile_points([*pile, card])[0], after not in (5, 21), pips(card), card

    return max(legal, key=worth)
