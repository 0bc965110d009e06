"""How long the flash lives: what the README states, computed from the real journal."""

from __future__ import annotations

from functools import cache

import pytest
from faults import wear
from faults.wear import A_YEAR, TABLES, YEARS, run


@pytest.mark.parametrize(("table", "years"), YEARS.items())
@pytest.mark.long
def test_the_flash_outlives_so_many_years_of_a_pubs_forty_games_a_night(table: str, years: int) -> None:
    worn = run(TABLES[table], 24, 1, 0.05)
    assert worn.erases >= 6
    assert worn.in_a_game == 0
    assert worn.life >= years * A_YEAR, worn


def test_the_exit_status_says_whether_it_lasts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wear, "TABLES", {"three": (*TABLES["three"],)})
    monkeypatch.setattr(wear, "run", cache(run))
    monkeypatch.setattr("sys.argv", ["wear", "--games", "24"])
    for years, status in ((13, 0), (15, 1)):
        monkeypatch.setattr(wear, "YEARS", {"three": years})
        assert wear.main() == status
