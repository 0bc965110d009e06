"""Cards: every notation is read, and what is no card is refused by name."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cribboard_core.cards import (
    PACK_SIZE,
    RANKS,
    SUITS,
    CardError,
    card_name,
    cards_text,
    check_cards,
    parse_card,
    parse_cards,
    pips,
    rank_of,
    suit_of,
)
from cribboard_core.pack import named

CASES = json.loads((Path(__file__).parent / "vectors" / "cards.json").read_text("utf-8"))
PACK = list(range(PACK_SIZE))


@pytest.mark.parametrize("case", CASES, ids=lambda case: ascii(case["in"]))
def test_text_is_read_or_refused_as_the_vectors_say(case: dict[str, str]) -> None:
    if "error" in case:
        with pytest.raises(CardError) as refused:
            parse_cards(case["in"])
        assert str(refused.value) == case["error"]
    else:
        assert cards_text(parse_cards(case["in"])) == case["out"]


def test_a_card_is_its_rank_times_four_and_its_suit() -> None:
    assert [parse_card(name) for name in ("AC", "AD", "AH", "AS", "2C", "KS")] == [0, 1, 2, 3, 4, 51]
    assert [(rank_of(card), suit_of(card)) for card in (0, 18, 51)] == [(0, 0), (4, 2), (12, 3)]


def test_pips_are_one_for_the_ace_and_ten_for_the_court() -> None:
    assert [pips(rank * 4) for rank in range(13)] == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10]


def test_every_card_is_read_back_from_its_name() -> None:
    assert [parse_card(card_name(card)) for card in PACK] == PACK
    assert len({card_name(card) for card in PACK}) == PACK_SIZE


RANK_WORDS = [(sign,) if sign != "T" else ("T", "10", "0") for sign in RANKS]
SUIT_WORDS = [(letter, *signs) for letter, signs in zip(SUITS, ("♣♧", "♦♢", "♥♡", "♠♤"), strict=True)]


@given(st.lists(st.sampled_from(PACK), unique=True, max_size=52), st.data())
def test_cards_in_any_mixture_of_notations_are_read_in_order(cards: list[int], data: st.DataObject) -> None:
    text = ""
    for card in cards:
        rank = data.draw(st.sampled_from(RANK_WORDS[card // 4]))
        suit = data.draw(st.sampled_from(SUIT_WORDS[card % 4]))
        name = rank + suit if data.draw(st.booleans()) else suit + rank
        text += data.draw(st.sampled_from((name, name.lower()))) + data.draw(st.sampled_from(("", " ", ",", ", ")))
    assert parse_cards(text) == cards


@given(st.text(max_size=30))
def test_any_text_is_cards_or_a_card_error(text: str) -> None:
    try:
        cards = parse_cards(text)
    except CardError as refused:
        assert str(refused)
    else:
        assert parse_cards(cards_text(cards)) == cards


@pytest.mark.parametrize("text", ["5\u017f", "\u212aC", "\u0665H", "\uff15H", "\u00df5"])
def test_letters_that_only_look_like_signs_are_refused(text: str) -> None:
    with pytest.raises(CardError, match="is not a card"):
        parse_cards(text)


@pytest.mark.parametrize("text", ["5H" * 5_000_000, "1" * 10_000_000, " " * 10_000_000])
def test_long_text_is_refused_at_once(text: str) -> None:
    began = time.process_time()
    with pytest.raises(CardError, match=r"\d+ characters are too long for a hand; write at most 400"):
        parse_cards(text)
    assert time.process_time() - began < 0.1


@pytest.mark.parametrize("value", [None, 5, b"5H", ["5H"], 5.0])
def test_what_is_not_text_is_refused(value: object) -> None:
    with pytest.raises(CardError, match="is not text; write the cards of a hand like 5H 5C 5S JD"):
        parse_cards(value)  # type: ignore[arg-type]


def test_one_card_is_asked_for_and_one_is_given() -> None:
    with pytest.raises(CardError, match="'5H 5C' is 2 cards, 5C is one too many; write one card"):
        parse_card("5H 5C")
    with pytest.raises(CardError, match="'' is not a card; write a rank"):
        parse_card("")


@pytest.mark.parametrize(
    ("text", "sizes", "message"),
    [
        ("5H 5H 5C 5S", (4,), "the hand has 5H twice; a hand is four different cards"),
        ("5H 5C 5S JD 5C", (4, 5), "the hand has 5C twice; a hand is five different cards"),
        ("5H 5C 5H", (4, 5), "the hand has 5H twice; a hand is four or five different cards"),
        ("5H 5C 5S JD 5D", (4,), "the hand has 5 cards, 5D is one too many; a hand is four different cards"),
        (
            "5H 5C 5S JD 5D KD KC",
            (4, 5),
            "the hand has 7 cards, KD is one too many; a hand is four or five different cards",
        ),
        ("5H 5C 5S", (4, 5), "the hand has only 5H 5C 5S; a hand is four or five different cards"),
        ("", (4,), "the hand has no cards; a hand is four different cards"),
        ("5H 5C", (1,), "the hand has 2 cards, 5C is one too many; a hand is one card"),
        ("5H", (52,), "the hand has only 5H; a hand is 52 different cards"),
    ],
)
def test_a_wrong_number_of_cards_names_the_offending_card(text: str, sizes: tuple[int, ...], message: str) -> None:
    with pytest.raises(CardError) as refused:
        parse_cards(text, sizes=sizes)
    assert str(refused.value) == message


def test_the_message_says_what_the_cards_make_up() -> None:
    with pytest.raises(CardError, match="the crib has 5H twice; a crib is four different cards"):
        parse_cards("5H 5H 5C 5S", "crib", (4,))


@pytest.mark.parametrize("card", [-1, 52, 10**30, 3.0, True, "5H", None, [1]])
def test_numbers_outside_the_pack_are_no_cards(card: object) -> None:
    with pytest.raises(CardError, match=r"the hand has .*, which is no card; cards are numbered 0 to 51"):
        check_cards([0, card])  # type: ignore[list-item]


def test_a_message_quotes_little_of_a_lot_of_nonsense() -> None:
    with pytest.raises(CardError) as refused:
        check_cards(["x" * 100_000])  # type: ignore[list-item]
    assert len(str(refused.value)) < 120


@pytest.mark.parametrize("text", ["5H5C5SJD", "5h5c5sjd", "5H 5C, 5S JD", "10H5C5SJD", " th 5C,5S jd "])
def test_the_board_reads_cards_in_a_row_as_hosts_do(text: str) -> None:
    assert named(text) == parse_cards(text)


@pytest.mark.parametrize("text", ["5", "5H5", "H5", "5X", "XH", "1H", "5♥", "5H5H", "?" * 100])
def test_what_is_no_row_of_cards_is_refused_by_the_board(text: str) -> None:
    with pytest.raises(CardError):
        named(text)
