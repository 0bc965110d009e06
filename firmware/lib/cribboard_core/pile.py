"""What the newest card of a count pegs: fifteen, thirty-one, pairs and runs."""

from __future__ import annotations

from cribboard_core.pack import PIPS, cards_text, check_cards
from cribboard_core.show import SET_NAMES

LIMIT = 31


class PlayError(ValueError):
    """A card or a seat that the rules of the play do not allow; the message says which rule."""


def pile_points(cards: list[int] | tuple[int, ...]) -> tuple[int, list[tuple[str, int, tuple[int, ...]]]]:
    """The points that the last of these cards makes, and their parts (kind, points, cards in the order played).

    `cards` are those of the current count. Go and the last card are not among the points: they hang on the hands.
    """
    check_cards(cards, "count")
    if not cards:
        raise PlayError("no card has been played; the count needs one to score")
    total = sum([PIPS[card >> 2] for card in cards])
    if total > LIMIT:
        raise PlayError(f"{cards_text(cards)} come to {total}; the count stops at {LIMIT}")
    parts: list[tuple[str, int, tuple[int, ...]]] = []
    if total == 15 or total == LIMIT:
        parts.append(("fifteen" if total == 15 else "thirty-one", 2, tuple(cards)))
    alike = _alike(cards)
    if alike > 1:
        parts.append((SET_NAMES[alike], alike * (alike - 1), tuple(cards[-alike:])))
    run = _run(cards)
    if run:
        parts.append(("run", run, tuple(cards[-run:])))
    return sum([part[1] for part in parts]), parts


def _alike(cards: list[int] | tuple[int, ...]) -> int:
    """How many cards at the end are of one rank."""
    number = 1
    while number < len(cards) and cards[-number - 1] >> 2 == cards[-1] >> 2:
        number += 1
    return number


def _run(cards: list[int] | tuple[int, ...]) -> int:
    """The length of the longest run that the last cards make in any order, 0 for none."""
    longest = 0
    low = high = cards[-1] >> 2
    seen: list[int] = []
    for number in range(1, len(cards) + 1):
        rank = cards[-number] >> 2
        if rank in seen:
            break
        seen.append(rank)
        low, high = min(low, rank), max(high, rank)
        if number >= 3 and high - low == number - 1:
            longest = number
    return longest
