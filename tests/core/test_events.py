"""Events: the kinds, the set-up of a game in one event, and who may sit where."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cribboard_core import events
from cribboard_core.events import COMMANDS, KINDS, NEW, SCORES, Refused, check_setup, new_event, seats_of, setup_word


def test_every_kind_has_its_name_at_its_number() -> None:
    for number, name in enumerate(KINDS):
        assert not name or getattr(events, name.upper()) == number
    assert len(KINDS) == events.RESTORE + 1


def test_a_host_has_a_command_for_every_kind_of_event_and_names_the_side_of_a_score_first() -> None:
    assert set(COMMANDS) == set(KINDS[1:])
    assert {COMMANDS[KINDS[kind]].split()[0] for kind in SCORES} == {"side"}


def test_a_refusal_has_a_code_and_a_text() -> None:
    refused = Refused("over", "the game is won")
    assert (refused.code, refused.text, str(refused)) == ("over", "the game is won", "the game is won")
    assert isinstance(refused, ValueError)


@pytest.mark.parametrize(("mask", "seats"), [(0b11, (0, 1)), (0b101010, (1, 3, 5)), (63, (0, 1, 2, 3, 4, 5)), (0, ())])
def test_the_seats_of_a_mask_are_in_the_order_of_the_table(mask: int, seats: tuple[int, ...]) -> None:
    assert seats_of(mask) == seats


def test_the_event_of_a_new_game_carries_the_whole_set_up() -> None:
    assert new_event(121, 0b001111, 2, 3, 91, 61) == (NEW, 3, 91, 15 | 2 << 6 | 2 << 9, 61)


@given(st.sampled_from([61, 91, 121, 241]), st.integers(1, 63), st.integers(2, 6))
def test_the_set_up_comes_back_out_of_the_event(target: int, mask: int, sides: int) -> None:
    seats = seats_of(mask)
    try:
        event = new_event(target, mask, sides, seats[-1], 0, 0)
    except Refused:
        return
    assert setup_word(event[3]) == (target, mask, sides)
    assert event[3] <= 0xFFFF


@pytest.mark.parametrize(("players", "sides"), [(2, 2), (3, 3), (4, 4), (4, 2), (5, 5), (6, 6), (6, 3), (6, 2)])
def test_these_numbers_of_seats_make_these_numbers_of_sides(players: int, sides: int) -> None:
    check_setup(121, (1 << players) - 1, sides, 0, 0, 0)


@pytest.mark.parametrize(
    ("players", "sides"),
    [
        (1, 1),
        (1, 2),
        (2, 1),
        (2, 3),
        (2, 4),
        (3, 2),
        (3, 1),
        (4, 3),
        (4, 1),
        (5, 2),
        (6, 4),
        (6, 5),
        (6, 1),
        (6, 7),
        (4, 0),
    ],
)
def test_other_numbers_of_sides_are_refused(players: int, sides: int) -> None:
    with pytest.raises(Refused, match=f"{players} seats cannot be {sides} sides") as refused:
        check_setup(121, (1 << players) - 1, sides, 0, 0, 0)
    assert refused.value.code == "seats"


@pytest.mark.parametrize(
    ("setup", "code", "said"),
    [
        ((120, 3, 2, 0, 0, 0), "args", "61, 91, 121 or 241, not 120"),
        (("121", 3, 2, 0, 0, 0), "args", "not 121"),
        ((121, 0, 2, 0, 0, 0), "seats", "seat mask 0; it has one bit"),
        ((121, 64, 2, 0, 0, 0), "seats", "seat mask 64"),
        ((121, -1, 2, 0, 0, 0), "seats", "seat mask -1"),
        ((121, "3", 2, 0, 0, 0), "seats", "seat mask 3"),
        ((121, 3, "2", 0, 0, 0), "seats", "2 seats cannot be 2 sides"),
        ((121, 3, 2, 2, 0, 0), "seats", "place 2 has no seat, so it cannot deal"),
        ((121, 3, 2, -1, 0, 0), "seats", "place -1 has no seat"),
        ((121, 3, 2, 0, 122, 0), "args", "skunk line 122; it lies from 0"),
        ((121, 3, 2, 0, 0, 122), "args", "skunk line 122"),
        ((121, 3, 2, 0, -1, 0), "args", "skunk line -1"),
        ((121, 3, 2, 0, 0, "61"), "args", "skunk line 61"),
        ((121, 3, 2, 0, 50, 100), "args", "double skunk line 100 is above the skunk line 50"),
    ],
)
def test_a_set_up_that_cannot_be_is_refused_with_its_value(setup: tuple[int, ...], code: str, said: str) -> None:
    with pytest.raises(Refused, match=said) as refused:
        new_event(*setup)
    assert refused.value.code == code


@pytest.mark.parametrize("lines", [(121, 121), (0, 0), (91, 0)])
def test_skunk_lines_from_none_to_the_target_are_taken(lines: tuple[int, int]) -> None:
    check_setup(121, 3, 2, 0, *lines)
    assert new_event(121, 3, 2, 0, *lines)[2] == lines[0]
