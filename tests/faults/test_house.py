"""A short life of some houses; each mistake that is put back is found soon, with a seed that finds it at once."""

from __future__ import annotations

import pytest
from faults.house import HOLES, run

SEEDS = {
    "ids wrap": 5,
    "any ok is taken": 3,
    "a lost newest event is not noticed": 2,
    "a wrong bit is not mended": 1,
    "an event that was misread once comes back": 12,
    "a command counts as often as it comes": 3,
    "keys are forgotten": 1,
    "the history keeps what the board has lost": 82,
}
SOON = 6000  # events, with other seeds if that one no longer does


@pytest.mark.long
def test_all_that_is_said_and_shown_is_so() -> None:
    figures = run(120, 5, 60)
    assert figures.wrong == ""
    assert figures.events >= 120
    assert min(figures.counts[what] for what in ("answered", "refused", "screens", "terminals", "kills", "guests")) > 0
    assert min(figures.struck[what] for what in ("drop", "flip", "delay", "junk")) > 0


def test_a_seed_is_one_run() -> None:
    one, other = run(40, 9, 40), run(40, 9, 40)
    assert (one.counts, one.struck, one.starts, one.hours) == (other.counts, other.struck, other.starts, other.hours)


@pytest.mark.parametrize("hole", HOLES)
def test_a_mistake_is_found(hole: str) -> None:
    assert run(SOON, SEEDS[hole], 60, hole=hole).wrong
