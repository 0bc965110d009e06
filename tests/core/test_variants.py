"""Variants: the table of players, teams, targets and skunk lines."""

from __future__ import annotations

import pytest

from cribboard_core.variants import (
    COLOURS,
    TARGETS,
    VariantError,
    deal_sizes,
    side_count,
    side_of_seat,
    skunk_lines,
    team_choices,
)


@pytest.mark.parametrize(
    ("players", "dealt", "dealer_dealt", "to_crib", "dealer_to_crib", "from_pack", "hand", "crib"),
    [
        (2, 6, 6, 2, 2, 0, 4, 4),
        (3, 5, 5, 1, 1, 1, 4, 4),
        (4, 5, 5, 1, 1, 0, 4, 4),
        (5, 5, 4, 1, 0, 0, 4, 4),
        (6, 6, 5, 1, 0, 0, 5, 5),
    ],
)
def test_the_deal_for_each_number_of_players(
    players: int, dealt: int, dealer_dealt: int, to_crib: int, dealer_to_crib: int, from_pack: int, hand: int, crib: int
) -> None:
    sizes = deal_sizes(players)
    assert (sizes.players, sizes.dealt, sizes.dealer_dealt) == (players, dealt, dealer_dealt)
    assert (sizes.to_crib, sizes.dealer_to_crib, sizes.from_pack) == (to_crib, dealer_to_crib, from_pack)
    assert (sizes.hand, sizes.crib) == (hand, crib)


@pytest.mark.parametrize("players", range(2, 7))
def test_the_dealers_hand_is_as_large_as_the_others(players: int) -> None:
    sizes = deal_sizes(players)
    assert sizes.dealer_dealt - sizes.dealer_to_crib == sizes.hand


@pytest.mark.parametrize("players", [-1, 0, 1, 7, 2.0, "2", None, True])
def test_other_numbers_of_players_are_refused(players: object) -> None:
    with pytest.raises(VariantError, match="cribbage is for 2 to 6 players, not "):
        deal_sizes(players)  # type: ignore[arg-type]


def test_only_four_and_six_players_make_teams() -> None:
    assert [team_choices(players) for players in range(2, 7)] == [(0,), (0,), (0, 2), (0,), (0, 2, 3)]


def test_with_singles_every_player_is_a_side() -> None:
    assert [side_count(players) for players in range(2, 7)] == [2, 3, 4, 5, 6]


@pytest.mark.parametrize(
    ("players", "teams", "layout"), [(4, 2, "ABAB"), (6, 2, "ABABAB"), (6, 3, "ABCABC"), (6, 0, "ABCDEF"), (2, 0, "AB")]
)
def test_partners_sit_alternately(players: int, teams: int, layout: str) -> None:
    sides = side_count(players, teams)
    assert "".join("ABCDEF"[side_of_seat(seat, sides)] for seat in range(players)) == layout


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
