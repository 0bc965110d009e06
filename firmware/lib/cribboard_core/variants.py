"""Who plays and for how much: players, teams, targets and skunk lines."""

from __future__ import annotations

TARGETS = (61, 91, 121, 241)
COLOURS = ("orange", "blue", "green", "yellow", "red", "purple")
MIN_PLAYERS, MAX_PLAYERS = 2, 6
NEAR_HOME = 30  # holes before the target from which a leader is warned of

# players: the numbers of teams that they can make, partners sitting apart
_TEAMS = {4: (2,), 6: (2, 3)}

# target: the first score that is safe from a skunk, and from a double skunk; 0 is none
_SKUNK_LINES = {61: (31, 0), 91: (0, 0), 121: (91, 61), 241: (0, 0)}


class VariantError(ValueError):
    """A number of players, of teams or of points that the game is not played with."""


def check_players(players: int) -> None:
    """Refuse a number of players that cribbage has no deal for."""
    if type(players) is not int or not MIN_PLAYERS <= players <= MAX_PLAYERS:
        raise VariantError(f"cribbage is for {MIN_PLAYERS} to {MAX_PLAYERS} players, not {players!r}")


def team_choices(players: int) -> tuple[int, ...]:
    """The numbers of teams that so many players can make, 0 (singles) first."""
    check_players(players)
    return (0,) + _TEAMS.get(players, ())


def skunk_lines(target: int) -> tuple[int, int]:
    """The first scores safe from a skunk and from a double skunk, 0 for none."""
    if target not in TARGETS:
        choices = ", ".join([str(known) for known in TARGETS])
        raise VariantError(f"{target!r} is not a target; choose one of {choices}")
    return _SKUNK_LINES[target]
