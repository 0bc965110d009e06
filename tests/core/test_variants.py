"""Variants: the table of players, teams, targets and skunk lines."""

from __future__ import annotations

import pytest

from cribboard_core.sizes import side_count
from cribboard_core.variants import (
    COLOURS,
    TARGETS,
    VariantError,
    skunk_lines,
    team_choices,
)


def test_only_four_and_six_players_make_teams() -> None:
    assert [team_choices(players) for players in range(2, 7)] == [(0,), (0,), (0, 2), (0,), (0, 2, 3)]


def test_with_singles_every_player_is_a_side() -> None:
    assert [side_count(players) for players in range(2, 7)] == [2, 3, 4, 5, 6]


@pytest.mark.parametrize(
    ("players", "teams", "choices"), [(5, 2, "0"), (2, 2, "0"), (4, 3, "0 or 2"), (6, 4, "0 or 2 or 3")]
)
def test_teams_that_do_not_come_out_even_are_refused(players: int, teams: int, choices: str) -> None:
    with pytest.raises(VariantError) as refused:
        side_count(players, teams)
    assert str(refused.value) == f"{players} players cannot make {teams} teams; choose {choices} (0 is singles)"


@pytest.mark.parametrize(("target", "skunk", "double"), [(61, 31, 0), (91, 0, 0), (121, 91, 61), (241, 0, 0)])
def test_the_skunk_lines_are_the_first_safe_scores(target: int, skunk: int, double: int) -> None:
    assert skunk_lines(target) == (skunk, double)


@pytest.mark.parametrize("target", [0, 60, 120, 122, None, "121", [121]])
def test_other_targets_are_refused(target: object) -> None:
    with pytest.raises(VariantError, match="is not a target; choose one of 61, 91, 121, 241"):
        skunk_lines(target)  # type: ignore[arg-type]


def test_every_target_has_lines_and_every_place_a_colour() -> None:
    assert [len(skunk_lines(target)) for target in TARGETS] == [2, 2, 2, 2]
    assert COLOURS == ("orange", "blue", "green", "yellow", "red", "purple")
