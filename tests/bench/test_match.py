"""A match of 280 events: its fold, and undo, which never folds again."""

from __future__ import annotations

import random

import pytest
from bench import plain
from bench.table import OURS

from cribboard_core.events import PEG
from cribboard_core.match import Match

TARGET = 241
AGAIN = "fold the 299 others again"


def events() -> list[tuple[int, ...]]:
    rng = random.Random(1)
    return [(PEG, rng.randrange(2), rng.choice((0, 0, 1)), 0, 0) for _ in range(280)]


def folded(events: list[tuple[int, ...]]) -> Match:
    match = Match(TARGET)
    for rev, event in enumerate(events, 1):
        match.check(event)
        match.apply(rev, event)
    return match


def scores(match: Match) -> list[int]:
    return [match.front(side) for side in match.sides]


@pytest.mark.parametrize("who", ["a list of scores, nothing checked", OURS])
def test_the_fold_of_280_events(timed, who):
    pegs = events()
    work = (lambda: scores(folded(pegs))) if who == OURS else (lambda: plain.fold(pegs, TARGET))
    assert timed("fold 280 events, an event", who, work, each=len(pegs)) == plain.fold(pegs, TARGET)


@pytest.mark.parametrize("who", [AGAIN, OURS])
def test_undo_after_280_events(timed, who):
    pegs = events()
    match = folded(pegs)

    def there_and_back() -> None:
        match.apply(match.rev + 1, match.undo_event())
        match.apply(match.rev + 1, match.redo_event())

    what = "undo or redo after 280 events"
    if who == OURS:
        timed(what, who, there_and_back, each=2, least={AGAIN: 10})
    else:
        timed(what, who, lambda: folded(pegs[:-1]))
    assert scores(match) == plain.fold(pegs, TARGET)
