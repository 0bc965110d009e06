"""What an order shows, as JSON: read as it was written, and each number within what there can be."""

from __future__ import annotations

import json
from copy import deepcopy
from dataclasses import asdict
from typing import Any

import pytest
from rigs.hostile import places

from cribboard.referee.shown import (
    Shown,
    a_card,
    a_card_back,
    a_claim_back,
    a_correction,
    a_hand,
    a_starter,
    as_record,
    as_shown,
    cards_of,
    correction_in,
    hand_in,
    more_of,
    no_cards,
    other_cards,
    to_json,
)
from cribboard.referee.watched import Cards, Claim, Correction, Counted, PlayedCard
from cribboard.typed import DAMAGE, WORD, Unfit

LAID = PlayedCard(51, 5, 2, "a pair for two", 9, 31, "card", Claim(1, 1, True), 8, "a pair")
HAND = Counted(7, 4, True, (0, 1, 2, 51), 3, "hand", Claim(6, 2, False), 6, 8)
CARDS = Cards(
    starter=4,
    pile=(LAID,),
    played=(LAID, PlayedCard(12, 0)),
    counted=(HAND, Counted(5, 1, False)),
    nibs=3,
    begun=2,
    last=HAND,
    points=20,
    open=HAND,
    before=(LAID, HAND),
    pegged=(0, 5),
)
CORRECTION = Correction(7, "hand", 4, 1, 8, 6, (("phone 1", 5), ("staff", -1)))
SIDE, CARD, NUMBER, ANY = (0, 5), (0, 51), (0, WORD), (-1, WORD)
LIMITS = {"card": CARD, "cards": CARD, "starter": (-1, 51), "side": SIDE, "pegged": SIDE, "right": ANY}
SHOWN: list[tuple[Shown, dict[int, tuple[int, int]]]] = [  # with the limits of its numbers that are not NUMBER
    (a_card(LAID), {2: SIDE}),
    (a_hand(HAND), {1: SIDE}),
    (a_starter(4), {}),
    (a_starter(-1), {}),
    (a_card_back(4, "k"), {}),
    (a_claim_back(HAND, "k"), {}),
    (no_cards("k"), {}),
    (other_cards(CARDS), {}),
    (a_correction(CORRECTION), {3: SIDE, 7: (-1, 5)}),
    (more_of("k"), {}),
]


def holds(value: Any, read: Any) -> bool:
    try:
        read(value)
    except DAMAGE:
        return False
    return True


def numbers_held(value: Any, read: Any, limits: Any) -> int:
    """How many numbers the value has, each of which can be its least and its most, and no other beyond these."""
    count = 0
    for path in places(value):
        changed = inner = deepcopy(value)
        for step in path[:-1]:
            inner = inner[step]
        if type(inner[path[-1]]) is int:
            count += 1
            least, most = limits(path)
            for number in (least - 1, least, most, most + 1):
                inner[path[-1]] = number
                assert holds(changed, read) == (least <= number <= most), (path, number)
    return count


def named(path: tuple[Any, ...]) -> tuple[int, int]:
    return LIMITS.get(next((step for step in reversed(path) if isinstance(step, str)), ""), NUMBER)


def test_cards_are_read_as_they_were_written() -> None:
    assert cards_of(json.loads(json.dumps(to_json(asdict(CARDS))))) == CARDS
    assert cards_of(to_json(asdict(Cards()))) == Cards()


def test_each_number_of_cards_is_within_what_there_can_be() -> None:
    assert numbers_held(to_json(asdict(CARDS)), cards_of, named) > 60


@pytest.mark.parametrize(("shown", "others"), SHOWN)
def test_whatever_an_order_shows_is_read_as_it_was_written_within_its_limits(shown: Shown, others: Any) -> None:
    assert as_shown(json.loads(json.dumps(shown))) == shown
    numbers_held(shown, as_shown, lambda path: others.get(path[0], named(path)))
    for wrong in ([*shown, 5], [shown[0], *shown[2:]]) if shown[1:] and shown[0] != "starter" else ():
        with pytest.raises(Unfit, match=f"it has {len(wrong) - 1} values instead of {len(shown) - 1}"):
            as_shown(wrong)
    for record in (["event", 9, "hand", 5, 6, -1, shown, shown], ["shown", 9, shown, shown]):
        assert as_record(record) == record
        for at in range(len(record) - 2, len(record)):
            assert not holds([*record[:at], [*shown, 5], *record[at + 1 :]], as_record)
    assert not holds(["missed", shown], as_record)


def test_an_error_says_which_value_is_wrong() -> None:
    with pytest.raises(Unfit, match=r"^card 2: 6 is not a number from 0 to 5$"):
        as_shown(["card", "4C", 6, 0, "k", None])


def test_each_number_of_a_record_is_within_what_there_can_be() -> None:
    assert numbers_held(["event", 9, "hand", 5, 6, 0], as_record, lambda path: NUMBER if path == (1,) else ANY) == 4
    assert numbers_held(["shown", 9], as_record, lambda path: NUMBER) == 1
    assert holds(["missed"], as_record)
    assert not holds(["event", 9, "hnad", 5, 6, 0], as_record)


def test_what_is_shown_together_is_found_by_what_it_is() -> None:
    shown = [one for one, _ in SHOWN]
    assert correction_in(shown) == CORRECTION
    assert hand_in(shown) == Counted(0, 4, True, (0, 1, 2, 51), 3, "hand", Claim(6, 2, False))
    assert correction_in([]) is hand_in([]) is None
    assert [a_starter(card) for card in (-1, 0)] == [["starter"], ["starter", "AC"]]
