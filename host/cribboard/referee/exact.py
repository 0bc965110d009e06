"""The exact peg-out, a house rule: points that would pass the target are not pegged."""

from __future__ import annotations

from cribboard.referee.falls import Fall
from cribboard.referee.setup import Setup
from cribboard_core.events import DEAL, FALSE, MUGGINS, NEW, PENALTY, SET
from cribboard_core.match import Match


def exact(fall: Fall, setup: Setup, match: Match) -> list[Fall]:
    """What is left of a fall; a penalty goes to those whom it fits."""
    kind = fall.event[0] if fall.event else 0
    if kind in (0, NEW, DEAL, FALSE, SET):
        return [fall]
    side, points = fall.event[1], fall.event[2]
    if kind != PENALTY:
        return [fall] if _fits(match, side, points) else [Fall(fall.text), _past(setup, side)]
    others = [other for other in setup.sides if other != side]
    if fall.event[3] or all(_fits(match, other, points) for other in others):
        return [fall]
    falls = [Fall(fall.text)]
    for other in others:
        event = (MUGGINS, other, points, side, 0)
        fits = _fits(match, other, points)
        falls.append(Fall("", event, ("muggins", other, points, side)) if fits else _past(setup, other))
    return falls


def _fits(match: Match, side: int, points: int) -> bool:
    return bool(match.front(side) + points <= match.target)


def _past(setup: Setup, side: int) -> Fall:
    return Fall(f"That would pass {setup.target}: {setup.side_name(side)} pegs nothing.")
