"""Which card to play with three players or more: every card is tried against hands that the others may hold.

The unseen cards are dealt to the others, and each then plays what makes most. A card is worth what the play from it on
brings its own side, partners included, less what it brings an average other side. The scores play no part.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from cribboard.computer.playing import card_points, pile_of
from cribboard_core.cards import PACK_SIZE, PIPS
from cribboard_core.pile import LIMIT

TRIED = 40  # ways to deal the unseen cards


@dataclass(frozen=True)
class Many:
    """What a player at a table of three or more knows in the play: `hand` are the cards that are left, `out` all other
    cards that were seen, `left` how many each seat holds, `pile` the cards of the count, `sides` how many score."""

    seat: int
    hand: tuple[int, ...]
    out: tuple[int, ...]
    left: tuple[int, ...]
    pile: tuple[int, ...]
    sides: int

    @property
    def legal(self) -> list[int]:
        """The cards that fit, in their order."""
        total = sum([PIPS[card >> 2] for card in self.pile])
        return sorted([card for card in self.hand if total + PIPS[card >> 2] <= LIMIT])


def choose(seen: Many, tried: int = TRIED) -> int:
    """The card to play; one must fit."""
    of_rank = {card >> 2: card for card in seen.legal}
    if len(of_rank) == 1:
        return seen.legal[-1]
    pile, total = pile_of([card >> 2 for card in seen.pile]), sum([PIPS[card >> 2] for card in seen.pile])
    worth = dict.fromkeys(of_rank, 0.0)
    for hands in _dealt(seen, tried):
        for rank in of_rank:
            pegs = play_on([list(hand) for hand in hands], pile, total, seen.seat, rank)
            sides = [sum(pegs[side :: seen.sides]) for side in range(seen.sides)]
            mine = sides[seen.seat % seen.sides]
            worth[rank] += mine - (sum(sides) - mine) / (seen.sides - 1)
    return of_rank[max(worth, key=lambda rank: (worth[rank], PIPS[rank], rank))]


def _dealt(seen: Many, tried: int) -> list[list[list[int]]]:
    """So many ways in which the ranks may lie, always the same for the same that is seen."""
    known = set(seen.hand + seen.out)
    unseen = [card >> 2 for card in range(PACK_SIZE) if card not in known]
    chance = Random(f"{seen.hand} {seen.out} {seen.pile}")  # noqa: S311 (a choice that repeats, not a secret)
    deals = []
    for _ in range(tried):
        ranks = chance.sample(unseen, sum(seen.left) - seen.left[seen.seat])
        hands = []
        for seat, number in enumerate(seen.left):
            own = seat == seen.seat
            hands.append([card >> 2 for card in seen.hand] if own else [ranks.pop() for _ in range(number)])
        deals.append(hands)
    return deals


def play_on(hands: list[list[int]], pile: int, total: int, turn: int, first: int) -> list[int]:
    """Lay `first` from the hand whose turn it is, and play all hands to their end; returns what each seat pegs."""
    pegs = [0] * len(hands)
    rank, left = first, sum([len(hand) for hand in hands])
    while True:
        hands[turn].remove(rank)
        left -= 1
        pile, total = pile << 4 | rank + 1, total + PIPS[rank]
        pegs[turn] += card_points(pile)
        after = _next(hands, turn, total) if left else -1
        if after < 0:
            pegs[turn] += total < LIMIT
            if not left:
                return pegs
            pile = total = 0
            after = _next(hands, turn, 0)
        turn = after
        rank = _most(hands[turn], pile, total)


def _next(hands: list[list[int]], after: int, total: int) -> int:
    """The next seat with a card that fits, the one that just played last; -1 for none."""
    room = LIMIT - total
    for step in range(1, len(hands) + 1):
        seat = (after + step) % len(hands)
        for rank in hands[seat]:
            if PIPS[rank] <= room:
                return seat
    return -1


def _most(hand: Sequence[int], pile: int, total: int) -> int:
    """What makes most, and of equals the highest that a ten-card does not bring to 15 or 31."""
    room, laid = LIMIT - total, pile << 4
    best, chosen = -1, -1
    for rank in hand:
        pips = PIPS[rank]
        if pips <= room:
            now = total + pips
            worth = card_points(laid + rank + 1) << 8 | (now not in (15 - 10, LIMIT - 10)) << 7 | rank
            if worth > best:
                best, chosen = worth, rank
    return chosen
