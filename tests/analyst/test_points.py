"""The quick counts are the core's, errors included."""

from __future__ import annotations

from collections import Counter
from itertools import combinations_with_replacement

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cribboard.analyst import points as quick
from cribboard.analyst.points import KEYS, RANKS, pack_sums, play_points, points, points_of_text, rank_points
from cribboard_core.cards import PACK_SIZE, CardError, card_name, cards_text, parse_cards
from cribboard_core.pile import PlayError, pile_points
from cribboard_core.show import count

CARD = st.integers(0, PACK_SIZE - 1)


def deal(least, most):
    return st.lists(CARD, min_size=least, max_size=most, unique=True)


def outcome(function, *args):
    """What came of it: a number, or the error's class and text."""
    try:
        return function(*args)
    except ValueError as error:
        return type(error), str(error)


def core_points(hand, starter, crib=False):
    return count(hand, starter, crib).points


def core_play_points(pile):
    return pile_points(pile)[0]


@given(deal(5, 6), st.booleans())
def test_every_hand_counts_as_in_the_core(cards, crib):
    *hand, starter = cards
    assert points(hand, starter, crib) == core_points(hand, starter, crib)
    assert points(tuple(hand), starter, crib) == core_points(hand, starter, crib)


@given(st.integers(0, 3), st.sets(st.integers(0, 12), min_size=4, max_size=4), CARD, st.booleans())
def test_a_flush_counts_as_in_the_core(suit, ranks, starter, crib):
    hand = [rank * 4 + suit for rank in ranks]
    assert outcome(points, hand, starter, crib) == outcome(core_points, hand, starter, crib)


@given(st.lists(st.integers(-60, 60), min_size=3, max_size=6), st.integers(-60, 60), st.booleans())
def test_what_is_no_hand_is_refused_in_the_cores_words(hand, starter, crib):
    assert outcome(points, hand, starter, crib) == outcome(core_points, hand, starter, crib)


@given(st.integers(40, 43), st.lists(st.integers(40, 43), min_size=4, max_size=4))
def test_cards_that_are_there_twice_are_refused(starter, hand):
    assert outcome(points, hand, starter) == outcome(core_points, hand, starter)


@pytest.mark.parametrize("wrong", [None, "5H", 5.0, [5], -1, 52, 1 << 80, -(1 << 80)])
def test_a_thing_that_is_no_card_is_refused(wrong):
    with pytest.raises(CardError, match="which is no card"):
        points([wrong, 1, 2, 3], 9)
    with pytest.raises(CardError, match="which is no card"):
        points([1, 2, 3, 9], wrong)


def test_the_first_count_of_all_fills_the_tables(monkeypatch):
    for table in ("_in_hand", "_as_starter", "_rank_points", "_suit_points", "_crib_suit_points", "_in_play"):
        monkeypatch.setattr(quick, table, [])
    monkeypatch.setattr(quick, "_made_at_end", {})
    assert points(parse_cards("5H5C5SJD"), parse_cards("5D")[0]) == 29
    assert play_points(parse_cards("5H5C5S")) == 8
    assert quick._in_hand
    assert quick._in_play


@given(deal(5, 6), st.booleans())
def test_names_count_like_numbers(cards, crib):
    *hand, starter = cards
    wanted = core_points(hand, starter, crib)
    names = [card_name(card) for card in hand]
    for text in (names, cards_text(hand), "".join(names), cards_text(hand).lower().replace("t", "10")):
        assert points_of_text(text, card_name(starter), crib) == wanted


@pytest.mark.parametrize(
    ("hand", "starter", "why"),
    [
        ("5H 5C 5S", "5D", "the hand has only 5H 5C 5S"),
        ("5H5C5SJD", "JD", "JD is the starter and in the hand as well"),
        ("5H 5H 5S JD", "5D", "the hand has 5H twice"),
        (["5H", "H5", "5S", "JD"], "5D", "the hand has 5H twice"),
        (["5H", "5C", "5S", 7], "5D", "7 is not text"),
        ("5H 5C 5S XX", "5D", "'XX' is not a card"),
        ("5H 5C 5S JD", "", "'' is not a card"),
    ],
)
def test_names_that_are_no_hand_are_refused(hand, starter, why):
    with pytest.raises(CardError, match=why):
        points_of_text(hand, starter)


@given(st.lists(st.integers(0, 27), max_size=8, unique=True))
def test_every_card_of_the_play_counts_as_in_the_core(pile):
    assert outcome(play_points, pile) == outcome(core_play_points, pile)


@pytest.mark.unmeasured
def test_every_end_of_the_play_of_up_to_six_low_cards_counts_as_in_the_core():
    """All orders of ranks that can lie on a pile: what is alike, runs and what only looks like them by its sum."""

    def lay(pile, total):
        if pile:
            assert play_points(pile) == core_play_points(pile), cards_text(pile)
        for rank in range(7):
            suit = sum(card >> 2 == rank for card in pile)
            if suit < 4 and len(pile) < 6 and total + rank + 1 <= 31:
                lay([*pile, rank * 4 + suit], total + rank + 1)

    lay([], 0)


@pytest.mark.parametrize("pile", [[], [5, 5], [52], [-1], [5.0], ["5H"], [48, 49, 50, 51], [36, 40, 44, 0, 1]])
def test_what_is_no_pile_is_refused_in_the_cores_words(pile):
    with pytest.raises((CardError, PlayError)) as core:
        pile_points(pile)
    with pytest.raises(type(core.value)) as raised:
        play_points(pile)
    assert str(raised.value) == str(core.value)


def test_sums_of_five_keys_tell_the_ranks():
    assert len(rank_points()) == 6188
    smaller = {sum(KEYS[rank] for rank in ranks) for ranks in combinations_with_replacement(RANKS, 4)}
    assert len(smaller) == 1820


def test_the_sums_over_the_pack_are_those_of_choosing_the_cards_one_by_one():
    key = KEYS[4] + KEYS[10]
    by_hand = Counter()
    for a in range(PACK_SIZE):
        for b in range(a + 1, PACK_SIZE):
            by_hand[KEYS[a >> 2] + KEYS[b >> 2]] += 1
    for third in (KEYS[0], KEYS[4], KEYS[9]):
        wanted = sum(rank_points()[key + third + two] * ways for two, ways in by_hand.items())
        assert pack_sums()[2][key + third] == wanted
