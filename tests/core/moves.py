"""Moves on a match, for the tests of it."""

from __future__ import annotations

import pytest

from cribboard_core.events import DEAL, PEG, SET, Refused, new_event
from cribboard_core.match import Match

Event = tuple[int, ...]


def do(match: Match, *events: Event) -> Match:
    for event in events:
        match.check(event)
        match.apply(match.rev + 1, event)
    return match


def peg(side: int, points: int) -> Event:
    return (PEG, side, points, 0, 0)


def put(side: int, front: int, back: int = 0) -> Event:
    return (SET, side, front, back, 0)


def deal(place: int) -> Event:
    return (DEAL, place, 0, 0, 0)


def undo(match: Match, times: int = 1) -> Match:
    for _ in range(times):
        do(match, match.undo_event())
    return match


def redo(match: Match, times: int = 1) -> Match:
    for _ in range(times):
        do(match, match.redo_event())
    return match


def new(match: Match, dealer: int = 0) -> Match:
    mask = sum(1 << place for place in match.seats)
    return do(match, new_event(match.target, mask, len(match.sides), dealer, match.skunk, match.double))


def pegs(match: Match) -> list[tuple[int, int]]:
    return [(match.front(side), match.back(side)) for side in match.sides]


def state(match: Match) -> tuple[object, ...]:
    return (match.game, match.play.pack(), match.play.kind)


def refused(match: Match, event: Event) -> tuple[str, str]:
    before = state(match)
    with pytest.raises(Refused) as error:
        match.check(event)
    assert state(match) == before
    return error.value.code, error.value.text


def won_by_first() -> Match:
    return do(Match(), peg(1, 30), put(0, 110, 100), peg(0, 11))
