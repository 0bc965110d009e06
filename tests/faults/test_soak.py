"""Four games of a night at the pub; the whole night is played by a command."""

from __future__ import annotations

import sys

import pytest
from faults import soak
from faults.soak import MOST_GROWTH, Night, run


@pytest.mark.long
def test_games_over_a_bad_cable_end_as_the_cards_have_it_and_the_copy_never_drifts() -> None:
    night = run(4, 0.02, 1)
    assert (night.games, night.wrong, night.drifted) == (4, 0, 0)
    assert night.looks > 10
    assert min(night.by_host, night.by_buttons) > 100
    assert min(night.struck.values()) > 0
    assert max(night.grown_bytes) <= MOST_GROWTH
    assert night.well


@pytest.mark.parametrize(
    ("night", "status"),
    [
        (Night(grown_bytes=[5, MOST_GROWTH]), 0),
        (Night(grown_bytes=[MOST_GROWTH + 1, 5]), 1),
        (Night(drifted=1), 1),
        (Night(wrong=1), 1),
    ],
)
def test_the_exit_status_says_whether_all_was_well(night: Night, status: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(soak, "run", lambda *asked, **options: night)
    monkeypatch.setattr(sys, "argv", ["soak"])
    assert soak.main() == status
