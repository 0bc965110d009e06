"""The play by ranks: what a card makes, what the reply to it may make, and how a play goes on from here.

A pile is a number, a digit for each card of the current count: `pile << 4 | rank + 1` lays another card on it. What is
known of a pile is kept in dictionaries, so that most cards of a play cost one look.
"""

from __future__ import annotations

from collections.abc import Sequence

from cribboard_core.cards import PIPS
from cribboard_core.pile import LIMIT

RANKS = range(13)
MOST_PILES = 400_000  # kept; then they are forgotten, to bound the memory
REPLY = 0.85  # of the points that replies would make: he cannot make them all

# How likely one of two players' four cards include each rank, among hands that are kept.
HELD = (0.31, 0.31, 0.33, 0.34, 0.40, 0.33, 0.33, 0.33, 0.30, 0.30, 0.31, 0.28, 0.26)

_points: dict[int, int] = {}
_worth: tuple[dict[int, float], ...] = ({}, {}, {}, {}, {})  # by the number of cards that the opponent holds


def card_points(pile: int) -> int:
    """What the last card of a pile makes, go and the last card apart."""
    found = _points.get(pile)
    if found is None:
        found = _points[pile] = _count(pile)
    return found


def card_worth(pile: int, held: int) -> float:
    """The same less what the reply is worth, when the opponent has so many cards, any that are usual."""
    known = _worth[held]
    found = known.get(pile)
    if found is None:
        if len(known) > MOST_PILES:
            forget()
        found = known[pile] = card_points(pile) - (_danger(pile) * held / 4 if held else 0.0)
    return found


def forget() -> None:
    """Empty the dictionaries."""
    _points.clear()
    for known in _worth:
        known.clear()


def pile_of(ranks: Sequence[int]) -> int:
    """The pile of ranks laid one after the other."""
    pile = 0
    for rank in ranks:
        pile = pile << 4 | rank + 1
    return pile


def play_on(
    hands: tuple[list[int], list[int]], pile: int, total: int, turn: int, last: int, needs: tuple[int, int]
) -> tuple[int, int]:
    """Play the hands to their end, which empties them; returns what each seat pegs, up to the first that needs no more.

    Both play the card that makes most less what a reply may make. `total` is the count, `last` laid the last card.
    """
    pegs = [0, 0]
    passed = False
    while True:
        hand = hands[turn]
        other = 1 - turn
        room = LIMIT - total
        known = _worth[len(hands[other])]
        best, chosen, laid = -100.0, -1, pile << 4
        for rank in hand:
            if PIPS[rank] <= room:
                worth = known.get(laid + rank + 1)
                if worth is None:
                    worth = card_worth(laid + rank + 1, len(hands[other]))
                if worth > best:
                    best, chosen = worth, rank
        if chosen >= 0:
            hand.remove(chosen)
            pile = laid + chosen + 1
            total += PIPS[chosen]
            made = card_points(pile)
            over = not hand and not hands[other]
            if over and total < LIMIT:
                made += 1
            if made:
                pegs[turn] += made
                if pegs[turn] >= needs[turn]:
                    return pegs[0], pegs[1]
            if over:
                return pegs[0], pegs[1]
            last, passed, turn = turn, False, other
            if total == LIMIT:
                pile = total = 0
        elif passed and total:
            pegs[last] += 1
            if pegs[last] >= needs[last]:
                return pegs[0], pegs[1]
            pile = total = 0
            passed, turn = False, 1 - last
        else:
            passed, turn = True, other


def _danger(pile: int) -> float:
    """What the replies to a pile would make, each by its chance."""
    total = _total(pile)
    if total == LIMIT:
        return 0.0
    room = LIMIT - total
    found = sum([HELD[rank] * card_points(pile << 4 | rank + 1) for rank in RANKS if PIPS[rank] <= room])
    return found * REPLY


def _total(pile: int) -> int:
    total = 0
    while pile:
        total += PIPS[(pile & 15) - 1]
        pile >>= 4
    return total


def _count(pile: int) -> int:
    """The core's count of a pile, by ranks: fifteen and thirty-one, what is alike at the end, the longest run."""
    total, alike, made = 0, 0, 0
    number = longest = seen = 0
    first = low = high = pile & 15
    unbroken = distinct = True
    while pile:
        rank = pile & 15
        pile >>= 4
        total += PIPS[rank - 1]
        unbroken = unbroken and rank == first
        alike += unbroken
        distinct = distinct and not seen >> rank & 1
        if distinct:
            seen |= 1 << rank
            number += 1
            low, high = min(low, rank), max(high, rank)
            if number >= 3 and high - low == number - 1:
                longest = number
    made = alike * (alike - 1) + longest
    return made + 2 if total in (15, LIMIT) else made
