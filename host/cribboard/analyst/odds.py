"""The chances of a hand or crib before the starter is turned up: every unseen card is as likely as any other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from cribboard.analyst.points import points
from cribboard_core.cards import PACK_SIZE, CardError, card_name, check_cards
from cribboard_core.show import HAND_SIZES


@dataclass(frozen=True)
class Odds:
    """What each starter makes of a hand: `starters` has, by points from the fewest up, the cards that make them."""

    hand: tuple[int, ...]
    crib: bool
    starters: dict[int, tuple[int, ...]]

    @property
    def unseen(self) -> int:
        """How many starters there may be."""
        return sum(map(len, self.starters.values()))

    @property
    def average(self) -> float:
        """The points to be expected."""
        return sum([number * len(cards) for number, cards in self.starters.items()]) / self.unseen

    def ways(self, least: int) -> int:
        """How many starters make at least so many points."""
        return sum([len(cards) for number, cards in self.starters.items() if number >= least])


def odds(hand: Sequence[int], seen: Sequence[int] = (), crib: bool = False) -> Odds:
    """The chances of four or five cards; `seen` are other cards that cannot be turned up. Raises CardError."""
    what = "crib" if crib else "hand"
    check_cards(list(hand), what, HAND_SIZES)
    check_cards(list(seen), "seen cards")
    for card in seen:
        if card in hand:
            raise CardError(f"{card_name(card)} is in the {what} and among the seen cards; a pack has each card once")
    starters: dict[int, list[int]] = {}
    for card in range(PACK_SIZE):
        if card not in hand and card not in seen:
            starters.setdefault(points(hand, card, crib), []).append(card)
    if not starters:
        raise CardError("no card is left to be the starter; give fewer seen cards")
    return Odds(tuple(hand), crib, {number: tuple(starters[number]) for number in sorted(starters)})
