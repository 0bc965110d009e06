"""What was played, written as JSON: what cannot be is refused with what is wrong."""

from __future__ import annotations

import json
from typing import Any

import pytest

from cribboard.errors import ArgumentError
from cribboard.league.reading import read_played
from cribboard.league.standings import Bye, Card, Game

ANN, BOB = ["Ann"], ["Bob"]


def test_a_walk_over_and_a_bye_are_read_as_the_guide_writes_them() -> None:
    read = [
        read_played(json.loads(line))
        for line in (
            '{"home": "Crown", "away": "Swan", "walkover": 0}',
            '{"round": 1, "sides": [["Ann"], ["Bob"]], "walkover": 1}',
            '{"round": 1, "bye": "Cid"}',
        )
    ]
    assert read == [
        Card(("Crown", "Swan"), walkover=0),
        Game((("Ann",), ("Bob",)), (), 1, walkover=1),
        Bye("Cid", 1),
    ]


@pytest.mark.parametrize(
    ("entry", "says"),
    [
        ({"sides": [ANN], "scores": [121]}, "a game of 1 side; it has 2 to 6"),
        ({"sides": [ANN, []], "scores": [121, 90]}, "each with its names"),
        ({"sides": [ANN, BOB], "walkover": 2}, "walkover is 2"),
        ({"sides": [ANN, BOB], "scores": [121, 121]}, "the scores are"),
        ({"sides": [ANN, BOB], "scores": [90, 7]}, "one of them has won"),
        ({"sides": [ANN, ["ann"]], "scores": [121, 90]}, "'ann' appears twice"),
        ({"sides": [["Ann", "Bob"], ["Cid", "Bob"]], "scores": [121, 90]}, "'Bob' appears twice"),
        ({"home": "Swan", "away": "SWAN", "walkover": 0}, "'SWAN' appears twice"),
        ({"home": "Swan", "away": "Crown", "tables": 5}, "tables is 5; it is a list in brackets"),
        ({"bye": " "}, "' ' is not a name"),
        ({"bye": ["Cid"]}, "is not a name"),
    ],
)
def test_what_cannot_have_been_played_is_refused(entry: dict[str, Any], says: str) -> None:
    with pytest.raises(ArgumentError) as refused:
        read_played(entry)
    assert says in f"{refused.value.message}; {refused.value.hint}"
