"""Who sits where in a new game: as before where nothing else was said."""

from __future__ import annotations

from collections.abc import Sequence

from cribboard.errors import ArgumentError
from cribboard_core.match import Match
from cribboard_core.sizes import side_count
from cribboard_core.variants import VariantError


def seated(match: Match, players: int, teams: int | None) -> tuple[tuple[int, ...], int]:
    """The places that play, and how many sides they are: as before where nothing else was said."""
    players = players or len(match.seats)
    as_before = players == len(match.seats)
    seats = match.seats if as_before else tuple(range(players))
    try:
        return seats, side_count(players, teams if teams is not None else teams_of(match) if as_before else 0)
    except VariantError as error:
        raise ArgumentError(str(error)) from error


def teams_of(match: Match) -> int:
    """The number of teams, 0 for singles."""
    return 0 if len(match.sides) == len(match.seats) else len(match.sides)


def called(given: Sequence[str], seats: Sequence[int], sides: int) -> dict[int, str]:
    """Names by place: one for each player, or one for each side."""
    if len(given) not in (len(seats), sides):
        raise ArgumentError(
            f"{len(given)} names are given for {len(seats)} players", "give each player a name, or leave all out"
        )
    return {seat: name for seat, name in zip(seats, given, strict=False) if name}
