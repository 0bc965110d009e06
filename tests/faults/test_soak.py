"""Ten games of a night at the pub; the whole night is played by a command."""

from __future__ import annotations

from faults.soak import run

MOST_GROWTH = 200_000  # bytes: what a host may know of the newest events, which it forgets when it is restarted


def test_games_over_a_bad_cable_end_as_the_cards_have_it_and_the_copy_never_drifts() -> None:
    night = run(10, 0.02, 1)
    assert (night.games, night.wrong, night.drifted) == (10, 0, 0)
    assert night.looks > 30
    assert min(night.by_host, night.by_buttons) > 100
    assert min(night.struck.values()) > 0
    assert max(night.grown_bytes) < MOST_GROWTH
