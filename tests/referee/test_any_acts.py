"""Any acts in any order: what is refused changes nothing, what is done can be replayed and taken back."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from referee.tables import NAMES, Table, fingerprint

from cribboard.referee.answers import LETTERS, answer
from cribboard.referee.cards import ACTS
from cribboard.referee.outcomes import Act
from cribboard.referee.referee import Referee
from cribboard.referee.setup import Setup
from cribboard.referee.state import may, state
from cribboard_core.cards import cards_text

pytestmark = pytest.mark.unmeasured  # what it runs is measured elsewhere, and it takes long

MORE: list[Any] = ["5H 6C 7D 8S", "79030202", [[0] * 6], [[1, 2, 0, 2, 0, 0]], [[0, "x"]], [[[]] * 6]]
ODD: list[Any] = [
    *MORE,
    None,
    -1,
    0,
    1,
    7,
    46,
    47,
    255,
    256,
    1.0,
    True,
    "",
    "5H",
    "5H 5H",
    "xx",
    "🂱",
    [],
    {},
    [1],
]
OPTIONS = (
    "",
    "exact=on",
    "playroom=on time_limit=30",
    "five_card=on cut_each_game=on",
    "five_card=on counting=manual muggins=on",
    "counting=manual muggins=on overcount=on time_limit=30 renege=on steal=on misdeal=2",
)


def likely(table: Table, chance: random.Random) -> Act:
    """An act of those that may be done, with parts that often fit."""
    name = chance.choice(may(table.referee))
    if name == "undo":
        return ["undo"]
    shown = state(table.referee)
    seat = shown["turn"] if shown["turn"] is not None and chance.random() < 0.9 else chance.randrange(len(NAMES))
    seat = chance.randrange(2) if name in ("muggins", "steal", "new") else seat
    cards = chance.sample(range(52), {"cut": 2, "crib": 4, "hand": chance.randint(1, 3)}.get(name, 1))
    parts = {
        "seat": seat,
        "cards": cards_text(cards),
        "points": chance.randrange(4),
        "hole": chance.randrange(62),
        "back": 0,
        "pack": None,
    }
    act = [name, *[parts[kind] for kind in ACTS[name]]]
    return act[:-1] if name == "play" and not table.setup.options.manual else act


@pytest.mark.parametrize(
    "options", [*OPTIONS[::2], *(pytest.param(each, marks=pytest.mark.long) for each in OPTIONS[1::2])]
)
@settings(max_examples=30)
@given(chance=st.randoms(use_true_random=False))
def test_whatever_is_done_can_be_replayed_and_taken_back(options: str, chance: random.Random) -> None:
    table = Table(options, target=61)
    for _ in range(60):
        before = fingerprint(table.referee)
        try:
            table.referee.act(likely(table, chance))
        except ValueError:
            assert fingerprint(table.referee) == before
        assert all(answer(table.referee, letter) for letter in LETTERS)
    assert fingerprint(table.replayed()) == fingerprint(table.referee)
    while table.referee.newest():
        table.act("undo")
    assert (table.referee.phase, set(table.referee.pegs.scores)) == ("cut", {0})


@settings(max_examples=400)
@given(
    st.sampled_from([*ACTS, "undo", "board", "order", "base", "dance", 5, None]),
    st.lists(st.sampled_from(ODD), max_size=5),
    st.integers(0, 2),
)
def test_whatever_nonsense_comes_is_refused_with_a_reason_and_changes_nothing(
    name: Any, args: list[Any], far: int
) -> None:
    table = Table()
    if far:
        table.deal()
    if far == 2:
        table.lay("5C", "TD")
    before = fingerprint(table.referee)
    try:
        table.referee.act([name, *args])
    except ValueError as error:
        assert str(error)
        assert fingerprint(table.referee) == before


def test_a_setup_that_cannot_be_is_refused() -> None:
    with pytest.raises(ValueError, match="2 names for the places"):
        Setup(("Ann", "Bob"), (0, 1, 2))
    with pytest.raises(ValueError, match="cribbage is for 2 to 6 players"):
        Setup(("Ann",), (0,))
    assert Referee
