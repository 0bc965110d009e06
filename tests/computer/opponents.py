"""Players that a duel can be between; each decides from what its seat knows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from cribboard.analyst.discard import best_first
from cribboard.computer import discarding, playing
from cribboard.computer.playing import Seen
from cribboard_core.cards import PIPS
from cribboard_core.pile import LIMIT, pile_points

Discarding = Callable[[list[int], int, tuple[int, int]], tuple[int, ...]]  # six cards, role, (my need, the other's)
Playing = Callable[[Seen, list[int]], int]  # what is seen, the cards of the count

HELD = 1 - 48 * 47 * 46 * 45 / (52 * 51 * 50 * 49)  # a rank is in four cards at random


@dataclass(frozen=True)
class Opponent:
    """How it discards, and how it plays a card."""

    discard: Discarding
    play: Playing


def by_average(dealt: list[int], role: int, needs: tuple[int, int]) -> tuple[int, ...]:
    """The best average of hand and crib, against a crib of cards at random."""
    return best_first(dealt, role == 1)[0].thrown


def most_points(seen: Seen, pile: list[int]) -> int:
    """Most points, then no fifteen or 31 for a ten-card, then the highest: the greedy player."""
    total = sum([PIPS[card >> 2] for card in pile])

    def worth(card: int) -> tuple[int, bool, int, int]:
        pips = PIPS[card >> 2]
        return pile_points([*pile, card])[0], total + pips not in (5, 21), pips, card

    return max(seen.legal, key=worth)


def one_reply(seen: Seen, pile: list[int]) -> int:
    """Most points less what the best reply is expected to make, from a hand at random."""
    out = {card for _, card in seen.played} | {*seen.hand, *seen.thrown, seen.starter}

    def worth(card: int) -> tuple[float, int, int]:
        laid = [*pile, card]
        total = sum([PIPS[each >> 2] for each in laid])
        made = pile_points(laid)[0]
        replies = []
        for rank in range(13):
            free = [each for each in range(4 * rank, 4 * rank + 4) if each not in out]
            if free and total < LIMIT and total + PIPS[rank] <= LIMIT:
                replies.append((pile_points([*laid, free[0]])[0], 1 - (1 - len(free) / 45) ** 4))
        expected, rest = 0.0, 1.0
        for points, chance in sorted(replies, reverse=True):
            expected += rest * chance * points
            rest *= 1 - chance
        return made - expected, PIPS[card >> 2], card

    return max(seen.legal, key=worth)


def expert(hands: int = playing.HANDS) -> Opponent:
    """The computer at its best, trying so many hands."""

    def discard(dealt: list[int], role: int, needs: tuple[int, int]) -> tuple[int, ...]:
        both = (needs[1], needs[0]) if role == 1 else needs
        return discarding.discards(dealt, role, both)[0].thrown

    return Opponent(discard, lambda seen, pile: playing.choose(seen, hands))


OPPONENTS = {
    "expert": expert(),
    "analysis": expert(160),
    "greedy": Opponent(by_average, most_points),
    "one-reply": Opponent(by_average, one_reply),
    "expert-discards": Opponent(expert().discard, most_points),
    "expert-discards-one-reply": Opponent(expert().discard, one_reply),
    "expert-play": Opponent(by_average, expert().play),
}
