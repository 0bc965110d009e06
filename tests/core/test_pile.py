"""The points of one card: fifteen, thirty-one, pairs and runs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from core.plays import slow_points
from hypothesis import given
from hypothesis import strategies as st

from cribboard_core.cards import CardError, cards_text, parse_cards, pips
from cribboard_core.pile import PlayError, pile_points

VECTORS = Path(__file__).parent / "vectors"
PILES = json.loads((VECTORS / "piles.json").read_text("utf-8"))


def points_of(text: str) -> int:
    return pile_points(parse_cards(text))[0]


@pytest.mark.parametrize("case", PILES, ids=lambda case: f"{case['why']}: {case['in']}")
def test_the_last_card_of_a_count_pegs_as_the_vectors_say(case: dict[str, Any]) -> None:
    points, parts = pile_points(parse_cards(case["in"]))
    assert points == case["out"]["points"]
    assert [[kind, some, cards_text(cards)] for kind, some, cards in parts] == case["out"]["parts"]


@given(st.permutations(range(52)), st.integers(0, 9))
def test_any_count_pegs_as_the_slow_count_does(pack: list[int], first_rank: int) -> None:
    """Ranks near each other make runs and sets likely."""
    pile: list[int] = []
    for card in [card for card in pack if first_rank <= card // 4 < first_rank + 4]:
        if sum(pips(other) for other in pile) + pips(card) <= 31:
            pile.append(card)
            points, parts = pile_points(pile)
            assert points == slow_points(pile) == sum(part[1] for part in parts)


def test_a_repeated_rank_breaks_a_run() -> None:
    assert points_of("5H 4C 6S") == 5
    assert points_of("5H 4C 6S 6D") == 2


def test_a_later_card_can_make_a_shorter_run() -> None:
    assert [points_of(text) for text in ("2C 3D 5H 4S", "2C 3D 5H 4S 3C")] == [4, 3]


def test_the_longest_run_only_counts() -> None:
    assert [points_of(text) for text in ("8C 6D 4H 5S", "8C 6D 4H 5S 7C")] == [3, 5]


def test_a_run_of_seven_is_possible() -> None:
    assert points_of("AC 2D 3H 4S 5C 6D 7H") == 7
    assert points_of("7C AD 6H 2S 5C 3D 4H") == 7


def test_a_count_past_31_and_an_empty_one_are_refused() -> None:
    with pytest.raises(PlayError, match="KC QD JH 2S come to 32; the count stops at 31"):
        points_of("KC QD JH 2S")
    with pytest.raises(PlayError, match="no card has been played"):
        points_of("")
    with pytest.raises(CardError, match="the count has 5H twice"):
        pile_points([18, 18])
