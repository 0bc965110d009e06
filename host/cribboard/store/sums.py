"""The sums of each side of a won game: score, ACC points, hands, cribs and pegging, as far as they are known.

A hand is known when it was counted as one. What a side pegged in the play is known when nothing of the game is missing,
its hands were counted as hands, and none of its points came from buttons, which do not say what they are for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

from cribboard.errors import ArgumentError
from cribboard.matches.points import standings
from cribboard.matches.result import SKUNKED, Result
from cribboard.store.fold import Kept, Setup, Stood
from cribboard_core.events import DEAL, GO, HAND, PEG

SUMS = 2  # which way of adding up this is; games that were added up another way are added up again


@dataclass(frozen=True)
class Sums:
    """The sums of one side; None for what is not known."""

    side: int
    front: int
    won: int
    lost: int
    skunks: int
    points: int
    spread: int
    hands: int
    hand_points: int
    dealer_hands: int
    dealer_points: int
    pone_hands: int
    pone_points: int
    best_hand: int | None
    cribs: int
    crib_points: int
    pegged: int | None
    best_deal: int | None

    def row(self) -> dict[str, int | None]:
        """The sums by column."""
        return asdict(self)


def sums(
    setup: Setup, stood: Stood, survivors: Sequence[Kept], whole: bool, dealers: Mapping[tuple[int, int], int]
) -> list[Sums]:
    """The sums of a game that ended in this state, from the events that still count; empty if nobody has won.

    `dealers` are the sides that dealt, by epoch and rev of each event, as far as they are known.
    """
    names = tuple(str(side) for side in setup.sides)
    try:
        result = Result(names, stood.fronts, setup.target, setup.skunk, setup.double)
    except ArgumentError:
        return []
    places = {standing.name: standing for standing in standings([result], "acc")}
    found = []
    for index, side in enumerate(setup.sides):
        standing, lost = places[names[index]], result.lost(index)
        skunks = sum(result.lost(other) >= SKUNKED for other in range(setup.count)) if index == result.winner else 0
        own = [kept for kept in survivors if kept.row.kind == HAND and kept.row.side == side]
        counted = [kept.row.a for kept in own if not kept.row.b]
        cribs = [kept.row.a for kept in own if kept.row.b]
        known = [(dealers.get((kept.epoch, kept.row.rev), -1), kept.row.a) for kept in own if not kept.row.b]
        dealt = [points for dealer, points in known if dealer == side]
        pone = [points for dealer, points in known if dealer not in (side, -1)]
        deals = _pegged(side, survivors) if whole and counted else None
        found.append(
            Sums(
                side=side,
                front=stood.fronts[index],
                won=standing.won,
                lost=lost,
                skunks=skunks,
                points=standing.points,
                spread=standing.spread,
                hands=len(counted),
                hand_points=sum(counted),
                dealer_hands=len(dealt),
                dealer_points=sum(dealt),
                pone_hands=len(pone),
                pone_points=sum(pone),
                best_hand=max(counted, default=None),
                cribs=len(cribs),
                crib_points=sum(cribs),
                pegged=None if deals is None else sum(deals),
                best_deal=max(deals) if deals and len(deals) > 1 else None,
            )
        )
    return found


def _pegged(side: int, survivors: Sequence[Kept]) -> list[int] | None:
    """The points that a side pegged in the play of each deal; None if buttons pegged for it, too."""
    deals = [0]
    for kept in survivors:
        row = kept.row
        if row.kind == DEAL:
            deals.append(0)
        elif row.side == side and row.kind in (PEG, GO):
            if not row.session:
                return None
            deals[-1] += row.a
    return deals
