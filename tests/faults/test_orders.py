"""A kiosk that is killed in the middle of an order leaves the table as it was before, or as it is after."""

from __future__ import annotations

from pathlib import Path

import pytest
from faults.orders import SCENES, Search


@pytest.mark.parametrize("name", SCENES)
@pytest.mark.long
def test_a_kill_at_any_moment_of_an_order_carries_it_out_wholly_or_not_at_all(tmp_path: Path, name: str) -> None:
    search = Search(tmp_path)
    search.scene(name, full=False, pressed=False, chosen=lambda number: number % 6 == len(name) % 3)
    assert search.figures["kills"]
    assert search.wrong == []


@pytest.mark.parametrize("name", ["a hand", "a card with points", "a claim too high", "a new game with handicaps"])
@pytest.mark.parametrize("pressed", [False, True])
def test_so_it_is_on_a_full_disk_and_when_somebody_presses_meanwhile(tmp_path: Path, name: str, pressed: bool) -> None:
    search = Search(tmp_path)
    search.scene(name, full=True, pressed=pressed, chosen=lambda number: number % 4 == 1)
    assert search.figures["kills"]
    assert search.wrong == []
