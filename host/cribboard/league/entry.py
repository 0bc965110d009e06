"""Checks what somebody types as the result of a game, and says what is wrong with which value."""

from __future__ import annotations

from dataclasses import dataclass

from cribboard.errors import ArgumentError
from cribboard_core.cards import quote

MOST_PAST = 28  # points past the target: a hand of 29 with one hole to go


@dataclass(frozen=True)
class Entry:
    """The scores of a game, and what was read otherwise than it was typed."""

    scores: tuple[int, int]
    note: str = ""


def by_scores(scores: object, target: int) -> Entry:
    """The result that both scores are; points past the target are not counted. Raises ArgumentError."""
    if not isinstance(scores, (list, tuple)) or len(scores) != 2:
        raise ArgumentError(f"{quote(scores)} is not a result", "give both sides' scores")
    for score in scores:
        if type(score) is not int or not 0 <= score <= target + MOST_PAST:
            raise ArgumentError(f"{quote(score)} is not a score", f"use a whole number from 0 to {target}")
    best, least = max(scores), min(scores)
    if least >= target:
        raise ArgumentError(f"both have {target}: {scores[0]} and {scores[1]}", "only one side wins")
    if best < target:
        raise ArgumentError(f"nobody has won: the highest score is {best}", f"the winner has {target}")
    note = f"pegged past the end: {target}" if best > target else ""
    return Entry((min(scores[0], target), min(scores[1], target)), note)


def by_margin(winner: object, margin: object, target: int) -> Entry:
    """The result by who won (0 or 1) and by how much; raises ArgumentError."""
    if type(winner) is not int or winner not in (0, 1):
        raise ArgumentError(f"{quote(winner)} is no side", "say who won")
    if type(margin) is not int or not 1 <= margin <= target:
        raise ArgumentError(f"{quote(margin)} is not what a game was won by", f"use a whole number from 1 to {target}")
    rest = target - margin
    return Entry((target, rest) if winner == 0 else (rest, target))


def in_words(names: tuple[str, str], scores: tuple[int, int], lines: tuple[int, int]) -> str:
    """The result as people say it, like `Ann by 33, a skunk`; by the `lines` that its rules name."""
    winner = int(scores[1] > scores[0])
    rest = min(scores)
    kind = ", a double skunk" if rest < lines[1] else ", a skunk" if rest < lines[0] else ""
    return f"{names[winner]} by {abs(scores[0] - scores[1])}{kind}"
