"""Aloud: the sentence of every sort of hand, its steps, and the shapes that have a name."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cribboard_core.aloud import number_word, sentence, shapes, steps
from cribboard_core.cards import cards_text, parse_card, parse_cards
from cribboard_core.show import Show, count

CASES = json.loads((Path(__file__).parent / "vectors" / "aloud.json").read_text("utf-8"))


def shown(hand: str, starter: str, crib: bool = False) -> Show:
    return count(parse_cards(hand), parse_card(starter), crib)


def shapes_of(hand: str, starter: str) -> list[str]:
    parts = [part for part in shapes(shown(hand, starter)) if part[0] != "fifteen"]
    return [f"{name} {points}: {cards_text(cards)}" for name, points, cards in parts]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['in']['hand']}+{case['in']['starter']}")
def test_hands_are_said_as_the_vectors_say(case: dict[str, Any]) -> None:
    assert sentence(shown(**case["in"])) == case["out"]


def test_the_best_hand_is_said_in_the_traditional_order() -> None:
    assert sentence(shown("5H 5C 5S JD", "5D")) == (
        "fifteen two, fifteen four, fifteen six, fifteen eight, fifteen ten, fifteen twelve, fifteen fourteen, "
        "fifteen sixteen, a double pair royal is twenty-eight, and nobs for twenty-nine"
    )


def test_a_zero_hand_is_nothing_and_nineteen_is_the_joke() -> None:
    nothing = shown("2C 4D 6H 8S", "TD")
    assert sentence(nothing) == "nothing"
    assert sentence(nothing, nineteen=True) == "nineteen"
    assert steps(nothing, nineteen=True) == [("nineteen", 0, ())]
    assert sentence(shown("2C 2D 6H 8S", "QD"), nineteen=True) == "a pair for two"


@pytest.mark.parametrize(
    ("hand", "starter", "named"),
    [
        ("9C TD TH JS", "2D", "double run of three 8: 9C TD TH JS"),
        ("9C TD TH JS", "QD", "double run of four 10: 9C TD TH JS QD"),
        ("JC QD QH QS", "KD", "triple run 15: JC QD QH QS KD"),
        ("QC QD KH KS", "JD", "double double run 16: JD QC QD KH KS"),
        ("JC JD QH QS KC", "2C", "double double run 16: JC JD QH QS KC"),
        ("9C TD JH QS QC", "2D", "double run of four 10: 9C TD JH QC QS"),
    ],
)
def test_the_named_shapes_take_their_pairs_along(hand: str, starter: str, named: str) -> None:
    assert named in shapes_of(hand, starter)
    assert len([part for part in shapes(shown(hand, starter)) if part[0] not in ("fifteen", "nobs")]) == 1


def test_a_pair_outside_the_run_stays_a_pair_and_comes_first() -> None:
    assert shapes_of("JC QD QH KS 2C", "2D") == ["pair 2: 2C 2D", "double run of three 8: JC QD QH KS"]


def test_a_shape_without_a_name_is_its_runs_and_then_its_sets() -> None:
    assert shapes_of("9C TD JH QS KC", "KD") == ["run 5: 9C TD JH QS KC", "run 5: 9C TD JH QS KD", "pair 2: KC KD"]
    assert sentence(shown("9C TD JH QS KC", "KD")) == "two runs of five are ten, and a pair for twelve"


def test_a_run_and_a_set_apart_keep_the_order_of_the_rules() -> None:
    assert shapes_of("9C TD JH 2S", "2D") == ["pair 2: 2D 2S", "run 3: 9C TD JH"]


def test_every_step_has_its_cards_and_the_total_so_far() -> None:
    said = steps(shown("2C 3D 3H 4S", "TD"))
    assert [(words, total, cards_text(cards)) for words, total, cards in said] == [
        ("fifteen two", 2, "2C 3H TD"),
        ("fifteen four", 4, "2C 3D TD"),
        ("and a double run of three for twelve", 12, "2C 3D 3H 4S"),
    ]
    assert [(step[0], cards_text(step[2])) for step in steps(shown("9C 9D QH QS", "2D"))] == [
        ("two pairs for four", "9C 9D QH QS")
    ]


@given(st.permutations(range(52)), st.sampled_from((4, 5)), st.booleans())
def test_shapes_and_steps_add_up_to_the_count(pack: list[int], size: int, crib: bool) -> None:
    show = count(pack[:size], pack[size], crib)
    assert sum(points for _, points, _ in shapes(show)) == show.points
    totals = [total for _, total, _ in steps(show)]
    assert totals == sorted(totals)
    assert totals[-1] == show.points
    assert sentence(show).endswith(number_word(show.points))


def test_numbers_are_said_in_words() -> None:
    assert [number_word(n) for n in (0, 1, 12, 19, 20, 21, 29, 30, 40, 46, 99, 100)] == [
        "nothing",
        "one",
        "twelve",
        "nineteen",
        "twenty",
        "twenty-one",
        "twenty-nine",
        "thirty",
        "forty",
        "forty-six",
        "ninety-nine",
        "100",
    ]
