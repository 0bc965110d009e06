"""Plays for tests: short to set up, and a count of a pile from the words of the rules."""

from __future__ import annotations

import itertools

from cribboard_core.cards import parse_card, parse_cards
from cribboard_core.play import Play


def play_of(*hands: str, dealer: int = 0) -> Play:
    return Play(dealer, [parse_cards(hand) for hand in hands])


def lay(play: Play, *moves: str) -> list[tuple[int, int, int, int]]:
    """Play moves like `1 5C` and return their rows."""
    return [play.play(int(move[0]), parse_card(move[2:])) for move in moves]


def slow_points(cards: list[int]) -> int:
    """The same from the words of the rules."""
    ranks = [card // 4 for card in cards]
    alike = len(list(itertools.takewhile(lambda rank: rank == ranks[-1], reversed(ranks))))
    tails = [sorted(ranks[-length:]) for length in range(len(ranks), 2, -1)]
    run = next((len(tail) for tail in tails if tail == list(range(tail[0], tail[0] + len(tail)))), 0)
    total = sum(min(rank + 1, 10) for rank in ranks)
    return {15: 2, 31: 2}.get(total, 0) + {1: 0, 2: 2, 3: 6, 4: 12}[alike] + run
