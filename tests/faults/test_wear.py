"""How long the flash lives: what the README states, computed from the real journal."""

from __future__ import annotations

import pytest
from faults.wear import A_YEAR, TABLES, run


@pytest.mark.parametrize(("table", "years"), [("two", 20), ("four, as pairs", 20), ("by turns", 20), ("three", 13)])
def test_the_flash_outlives_so_many_years_of_a_pubs_forty_games_a_night(table: str, years: int) -> None:
    worn = run(TABLES[table], 24, 1, 0.05)
    assert worn.erases >= 6
    assert worn.in_a_game == 0
    assert worn.life >= years * A_YEAR, worn
