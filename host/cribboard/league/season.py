"""A season adds up nights: all of them, the best of them, or what places are worth."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from cribboard.errors import ArgumentError
from cribboard.league.rules import as_list, as_object, as_whole, hundredths
from cribboard.league.standings import Who
from cribboard_core.cards import quote

ORDER = ("points", "nights_won", "best_night", "nights")
SHARES = ("mean", "best")


@dataclass(frozen=True)
class SeasonRules:
    """`best` nights of each count, 0 for all. With `award` a night is worth what its place is, in hundredths.

    Equals of a night share: `mean`, of the places that they take together, or `best`, each as the best of them.
    """

    best: int = 0
    award: tuple[int, ...] = ()
    share: str = "mean"
    order: tuple[str, ...] = ("points",)


class Stood(NamedTuple):
    """How somebody stood at the end of a night: the place, 0 without a game; how many shared it."""

    place: int
    equals: int
    points: int


@dataclass
class SeasonRow:
    """What somebody has from all nights; points are in hundredths."""

    who: Who
    place: int = 0
    points: int = 0
    nights: int = 0
    nights_won: int = 0
    best_night: int = 0


def read_season(entry: object) -> SeasonRules:
    """The rules of a season that a JSON object describes; raises ArgumentError."""
    entry = as_object(entry, "the season's rules", ("best", "award", "share", "order"))
    order = tuple(str(each) for each in as_list(entry.get("order", ["points"]), "order"))
    for name in order:
        if name not in ORDER:
            raise ArgumentError(f"a season cannot be ordered by {quote(name)}", f"choose among {', '.join(ORDER)}")
    share = str(entry.get("share", "mean"))
    if share not in SHARES:
        raise ArgumentError(f"equals cannot share by {quote(share)}", f"choose {' or '.join(SHARES)}")
    award = tuple(hundredths(each, "award") for each in as_list(entry.get("award", []), "award"))
    return SeasonRules(as_whole(entry.get("best", 0), "best", 0, 999), award, share, order)


def season(rules: SeasonRules, nights: Sequence[Mapping[Who, Stood]]) -> list[SeasonRow]:
    """Everybody of the nights, the best first, equals with the same place."""
    points: dict[Who, list[int]] = defaultdict(list)
    rows: dict[Who, SeasonRow] = {}
    for night in nights:
        for who, stood in night.items():
            row = rows.setdefault(who, SeasonRow(who))
            row.nights += 1
            row.nights_won += stood.place == 1
            points[who].append(_awarded(rules, stood) if rules.award else stood.points)
    for who, row in rows.items():
        counting = sorted(points[who], reverse=True)[: rules.best or None]
        row.points, row.best_night = sum(counting), max(points[who])
    ranked = sorted(rows.values(), key=lambda row: _rank(rules, row), reverse=True)
    for at, row in enumerate(ranked):
        same = at and _rank(rules, ranked[at - 1]) == _rank(rules, row)
        row.place = ranked[at - 1].place if same else at + 1
    return ranked


def _rank(rules: SeasonRules, row: SeasonRow) -> tuple[int, ...]:
    return tuple(getattr(row, name) for name in rules.order)


def _awarded(rules: SeasonRules, stood: Stood) -> int:
    """What a place of a night is worth; half a hundredth is rounded up."""
    if not stood.place:
        return 0
    first = stood.place - 1
    award = [rules.award[at] if at < len(rules.award) else 0 for at in range(first, first + stood.equals)]
    return award[0] if rules.share == "best" else (2 * sum(award) + len(award)) // (2 * len(award))
