"""The sums of each side of a won game: score, ACC points, hands, cribs and pegging, as far as they are known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cribboard.errors import ArgumentError
from cribboard.league.rules import preset
from cribboard.league.standings import Game, standings
from cribboard.matches import SKUNKED, Result
from cribboard.store.stored import Position, Setup, StoredEvent
from cribboard_core.events import DEAL, GO, HAND, PEG, SET

ACC = preset("club").read  # the points of the leaderboard
SUMS = 4  # which way of adding up this is; games that were added up another way are added up again


Sums = dict[str, int | bool | None]  # the columns of `scores` without the game; None for what is not known


def sums(
    setup: Setup, end: Position, survivors: Sequence[StoredEvent], whole: bool, dealers: Mapping[tuple[int, int], int]
) -> list[Sums]:
    """The sums of a game that ended in this state, from the events that still count; empty if nobody has won.

    `dealers` are the sides that dealt, by epoch and rev of each event, as far as they are known.
    """
    names = tuple(str(side) for side in setup.sides)
    try:
        result = Result(names, end.fronts, setup.target, setup.skunk, setup.double)
    except ArgumentError:
        return []
    game = Game(tuple((name,) for name in names), result.scores, lines=(result.skunk, result.double))
    places = {row.who: row for row in standings(ACC, names, [game])}
    corrected = _is_corrected(setup, survivors)
    by_side = []
    for index, side in enumerate(setup.sides):
        standing, lost = places[names[index]], result.lost(index)
        skunks = sum(result.lost(other) >= SKUNKED for other in range(setup.count)) if index == result.winner else 0
        own = [kept for kept in survivors if kept.kind == HAND and kept.side == side]
        counted = [kept.a for kept in own if not kept.b]
        cribs = [kept.a for kept in own if kept.b]
        known = [(dealers.get((kept.epoch, kept.rev), -1), kept.a) for kept in own if not kept.b]
        dealt = [points for dealer, points in known if dealer == side]
        pone = [points for dealer, points in known if dealer not in (side, -1)]
        deals = _pegged(side, survivors, dealers) if whole and counted else None
        by_side.append(
            {
                "side": side,
                "front": end.fronts[index],
                "won": standing.won,
                "lost": lost,
                "skunks": skunks,
                "points": standing.points // 100,
                "spread": standing.spread,
                "hands": len(counted),
                "hand_points": sum(counted),
                "dealer_hands": len(dealt),
                "dealer_points": sum(dealt),
                "pone_hands": len(pone),
                "pone_points": sum(pone),
                "best_hand": max(counted, default=None),
                "cribs": len(cribs),
                "crib_points": sum(cribs),
                "pegged": None if deals is None else sum(deals),
                "best_deal": max(deals) if deals and len(deals) > 1 else None,
                "corrected": corrected,
            }
        )
    return by_side


def _is_corrected(setup: Setup, survivors: Sequence[StoredEvent]) -> bool:
    """Whether a score was set in a game, other than at its start, where up to half of the target is a handicap."""
    scored = False
    for kept in survivors:
        if kept.kind == SET and (scored or 2 * kept.a > setup.target):
            return True
        scored = scored or kept.kind not in (SET, DEAL)
    return False


def _pegged(side: int, survivors: Sequence[StoredEvent], dealers: Mapping[tuple[int, int], int]) -> list[int] | None:
    """The points that a side pegged in the play of each deal; None if some of its points may be others.

    They may if buttons pegged for it, or if a hand or crib of a deal that has passed was not counted as one.
    """
    deals: list[list[StoredEvent]] = [[]]
    for kept in survivors:
        if kept.kind == DEAL:
            deals.append([])
        else:
            deals[-1].append(kept)
    points = []
    for deal in deals:
        own = [kept for kept in deal if kept.side == side]
        pegged = [kept for kept in own if kept.kind in (PEG, GO)]
        counted = {bool(kept.b) for kept in own if kept.kind == HAND}
        scored = [kept for kept in deal if kept.kind in (PEG, GO, HAND)]
        if not all(row.session for row in pegged):
            return None
        if scored and deal is not deals[-1]:
            dealt = any(dealers.get((kept.epoch, kept.rev)) == side for kept in scored)
            if not counted >= ({False, True} if dealt else {False}):
                return None
        points.append(sum(row.a for row in pegged))
    return points
