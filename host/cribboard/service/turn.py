"""Whose turn it is in the play, as far as the named cards show."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from cribboard.service.deal import Cards
from cribboard_core.cards import PIPS
from cribboard_core.events import PLACES
from cribboard_core.match import Match
from cribboard_core.pile import LIMIT

CARDS, FEWER_CARDS = 5, 4  # of a player in the play, when six play and when fewer do
ALL_FIT = LIMIT - max(PIPS)  # at this count nobody who has a card says go

Members = Callable[[int], Sequence[int]]  # the places of a side


def hand_size(match: Match) -> int:
    """How many cards each player has in the play."""
    return CARDS if len(match.seats) == PLACES else FEWER_CARDS


def left(match: Match, members: Members, cards: Cards, side: int) -> int:
    """How many cards a side has not played yet."""
    return hand_size(match) * len(members(side)) - sum(laid.side == side for laid in cards.played)


def next_side(match: Match, members: Members, cards: Cards) -> int:
    """The next side with cards, after the last card's side or, at first, the dealer's; -1 when all were played."""
    sides = list(match.sides)
    last = cards.played[-1].side if cards.played else match.crib_side
    at = sides.index(last) + 1
    return next((side for side in sides[at:] + sides[:at] if left(match, members, cards, side) > 0), -1)


def is_out_of_turn(match: Match, members: Members, cards: Cards, side: int) -> bool:
    """Whether another side is due and can certainly play: it has a card, and any card fits."""
    due = next_side(match, members, cards)
    count = 0 if cards.running == LIMIT else cards.running
    if due in (-1, side) or count > ALL_FIT:
        return False
    return left(match, members, cards, due) > hand_size(match) * (len(members(due)) - 1)  # so each partner has one
