"""The cards of a deal, and the seats of a table."""

from __future__ import annotations

import pytest

from cribboard_core.sizes import deal_sizes, side_count, side_of_seat
from cribboard_core.variants import VariantError


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


@pytest.mark.parametrize(
    ("players", "teams", "layout"), [(4, 2, "ABAB"), (6, 2, "ABABAB"), (6, 3, "ABCABC"), (6, 0, "ABCDEF"), (2, 0, "AB")]
)
def test_partners_sit_alternately(players: int, teams: int, layout: str) -> None:
    sides = side_count(players, teams)
    assert "".join("ABCDEF"[side_of_seat(seat, sides)] for seat in range(players)) == layout
