"""The show: every combination, with its points and its cards."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cribboard_core.cards import CardError, cards_text, parse_card, parse_cards
from cribboard_core.show import Show, count

CASES = json.loads((Path(__file__).parent / "vectors" / "hands.json").read_text("utf-8"))
SORTS = ("fifteens", "pairs", "runs", "flush", "nobs")


def shown(hand: str, starter: str, crib: bool = False) -> Show:
    return count(parse_cards(hand), parse_card(starter), crib)


def parts_of(show: Show, kind: str = "") -> list[str]:
    return [f"{name} {points} {cards_text(cards)}" for name, points, cards in show.parts if kind in ("", name)]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['why']}: {case['in']['hand']}+{case['in']['starter']}")
def test_hands_count_as_the_vectors_say(case: dict[str, Any]) -> None:
    show = shown(**case["in"])
    assert {sort: getattr(show, sort) for sort in ("points", *SORTS)} == case["out"]


def slow_count(hand: tuple[int, ...], starter: int, crib: bool) -> dict[str, list[tuple[int, ...]]]:
    """The same from the words of the rules, over all sets of cards: slow, and with nothing shared with count()."""
    cards = sorted((*hand, starter))
    ranks = [card // 4 for card in cards]
    sets = [some for size in range(1, len(cards) + 1) for some in itertools.combinations(cards, size)]

    def is_run(some: tuple[int, ...]) -> bool:
        low, high = some[0] // 4, some[-1] // 4
        in_row = [card // 4 for card in some] == list(range(low, high + 1))
        return len(some) >= 3 and in_row and low - 1 not in ranks and high + 1 not in ranks

    flush = len({card % 4 for card in hand}) == 1
    flush_too = flush and hand[0] % 4 == starter % 4
    return {
        "fifteens": [some for some in sets if sum(min(card // 4 + 1, 10) for card in some) == 15],
        "pairs": [some for some in sets if len(some) == 2 and some[0] // 4 == some[1] // 4],
        "runs": [some for some in sets if is_run(some)],
        "flush": [tuple(cards)] if flush_too else [tuple(sorted(hand))] if flush and not crib else [],
        "nobs": [(card,) for card in hand if card // 4 == 10 and card % 4 == starter % 4],
    }


@given(st.lists(st.integers(0, 51), min_size=5, max_size=6, unique=True), st.booleans())
def test_any_hand_counts_as_the_slow_count_does(cards: list[int], crib: bool) -> None:
    *hand, starter = cards
    show = count(hand, starter, crib)
    slow = slow_count(tuple(hand), starter, crib)
    assert show.fifteens == 2 * len(slow["fifteens"])
    assert show.pairs == 2 * len(slow["pairs"])
    assert show.runs == sum(len(run) for run in slow["runs"])
    assert show.flush == sum(len(flush) for flush in slow["flush"])
    assert show.nobs == len(slow["nobs"])
    for kind, sort in (("fifteen", "fifteens"), ("run", "runs"), ("flush", "flush"), ("nobs", "nobs")):
        assert sorted(part[2] for part in show.parts if part[0] == kind) == sorted(slow[sort])


@given(st.permutations(range(52)), st.sampled_from((4, 5)), st.booleans())
def test_the_parts_add_up_and_stand_in_the_traditional_order(pack: list[int], size: int, crib: bool) -> None:
    show = count(pack[:size], pack[size], crib)
    order = ("fifteen", "pair", "pair royal", "double pair royal", "run", "flush", "nobs")
    groups = [
        min(max(order.index(kind), 1), 4) if "pair" not in kind else 1 for kind, _, _ in show.parts if kind != "fifteen"
    ]
    assert [kind for kind, _, _ in show.parts][: show.fifteens // 2] == ["fifteen"] * (show.fifteens // 2)
    assert groups == sorted(groups)
    assert show.points == sum(points for _, points, _ in show.parts) == sum(getattr(show, sort) for sort in SORTS)
    assert all(list(cards) == sorted(cards) for _, _, cards in show.parts)


@given(st.permutations(range(52)), st.sampled_from((4, 5)), st.booleans(), st.randoms())
def test_the_order_of_the_hand_changes_nothing(pack: list[int], size: int, crib: bool, random: Any) -> None:
    hand, starter = pack[:size], pack[size]
    mixed = random.sample(hand, size)
    assert count(mixed, starter, crib) == count(hand, starter, crib)
    assert count(mixed, starter, crib).parts == count(hand, starter, crib).parts


def test_every_part_has_its_cards() -> None:
    assert parts_of(shown("5H 5C 5S JD", "5D")) == [
        "fifteen 2 5S JD",
        "fifteen 2 5H JD",
        "fifteen 2 5D JD",
        "fifteen 2 5C JD",
        "fifteen 2 5D 5H 5S",
        "fifteen 2 5C 5H 5S",
        "fifteen 2 5C 5D 5S",
        "fifteen 2 5C 5D 5H",
        "double pair royal 12 5C 5D 5H 5S",
        "nobs 1 JD",
    ]


def test_fifteens_start_from_the_highest_card() -> None:
    assert parts_of(shown("7C 7D 6H AS", "8C"), "fifteen") == [
        "fifteen 2 7D 8C",
        "fifteen 2 7C 8C",
        "fifteen 2 AS 6H 8C",
        "fifteen 2 AS 7C 7D",
    ]


def test_each_distinct_run_is_a_part_and_only_the_longest_counts() -> None:
    assert parts_of(shown("2C 3D 3H 4S", "TD"), "run") == ["run 3 2C 3D 4S", "run 3 2C 3H 4S"]
    assert parts_of(shown("9C TD JH QS", "2D"), "run") == ["run 4 9C TD JH QS"]


def test_six_cards_can_hold_two_separate_runs() -> None:
    assert parts_of(shown("AC 2D 3H 9C TD", "JS"), "run") == ["run 3 AC 2D 3H", "run 3 9C TD JS"]


def test_the_ace_is_low_only() -> None:
    assert parts_of(shown("QC KD AH 9S", "7C"), "run") == []
    assert shown("QC KD AH 2S", "8C").runs == 0


def test_a_flush_of_the_hand_leaves_out_the_starter_unless_it_matches() -> None:
    assert parts_of(shown("2C 4C 6C QC", "KD"), "flush") == ["flush 4 2C 4C 6C QC"]
    assert parts_of(shown("2C 4C 6C QC", "3C"), "flush") == ["flush 5 2C 3C 4C 6C QC"]
    assert shown("2C 4C 6C QD", "KC").flush == 0


def test_the_crib_needs_the_starter_for_its_flush() -> None:
    assert shown("2C 4C 6C QC", "KD", crib=True).flush == 0
    assert shown("2C 4C 6C QC", "KC", crib=True).flush == 5
    assert shown("2C 4C 6C 8C QC", "KD", crib=True).flush == 0
    assert shown("2C 4C 6C 8C QC", "KC", crib=True).flush == 6


def test_nobs_is_the_jack_of_the_starters_suit_in_hand_or_crib() -> None:
    assert parts_of(shown("JD 2C 4H 9S", "QD"), "nobs") == ["nobs 1 JD"]
    assert shown("JD 2C 4H 9S", "QC").nobs == 0
    assert shown("QD 2C 4H 9S", "JD").nobs == 0
    assert shown("JD 2C 4H 9S", "QD", crib=True).nobs == 1


@pytest.mark.parametrize(
    ("hand", "starter", "message"),
    [
        ("5H 5C 5S", "5D", "the hand has only 5H 5C 5S; a hand is four or five different cards"),
        ("5H 5C 5S JD 5D KC", "KD", "the hand has 6 cards, KC is one too many; a hand is four or five different cards"),
        ("5H 5C 5S JD", "5C", "5C is the starter and in the hand as well; a pack has each card once"),
    ],
)
def test_wrong_cards_are_refused_by_name(hand: str, starter: str, message: str) -> None:
    with pytest.raises(CardError) as refused:
        shown(hand, starter)
    assert str(refused.value) == message


def test_a_repeated_card_is_refused_by_name() -> None:
    with pytest.raises(CardError, match="the hand has 5H twice; a hand is four different cards"):
        count([18, 18, 16, 41], 0)
    with pytest.raises(CardError, match="the crib has 5H twice; a crib is four different cards"):
        count([18, 18, 16, 41], 0, crib=True)
    with pytest.raises(CardError, match="5H is the starter and in the crib as well"):
        count([18, 19, 16, 41], 18, crib=True)


@pytest.mark.parametrize("bad", [-1, 52, 5.0, "5H", None, True])
def test_numbers_that_are_no_cards_are_refused(bad: Any) -> None:
    with pytest.raises(CardError, match=r"the hand has .* which is no card"):
        count([0, 4, 8, bad], 20)
    with pytest.raises(CardError, match=r"the starter has .* which is no card"):
        count([0, 4, 8, 12], bad)


def test_the_cards_handed_in_are_left_alone() -> None:
    hand = [41, 16, 18, 19]
    show = count(hand, 17)
    assert hand == [41, 16, 18, 19]
    assert show.hand == (41, 16, 18, 19)


def test_shows_are_equal_when_their_cards_are() -> None:
    show = shown("5H 5C 5S JD", "5D")
    assert show == shown("JD 5S 5C 5H", "5D")
    assert hash(show) == hash(shown("JD 5S 5C 5H", "5D"))
    assert show != shown("5H 5C 5S JD", "5D", crib=True)
    assert show != shown("5H 5C 5D JD", "5S")
    assert show != 29


def test_the_repr_says_what_it_counts() -> None:
    assert repr(shown("5H 5C 5S JD", "5D")) == "<Show hand 5H 5C 5S JD with 5D: 29>"
    assert repr(shown("2C 4C 6C QC", "KD", crib=True)) == "<Show crib 2C 4C 6C QC with KD: 0>"
