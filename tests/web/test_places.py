"""Who has a place for a stream when all are taken."""

from __future__ import annotations

import pytest

from cribboard.web.limits import Limits, Place, Places
from cribboard.web.stream import BADGED, SCREEN

LIMITS = Limits()


def test_thirteen_addresses_that_take_all_keep_out_no_phone_and_no_screen() -> None:
    places = Places(LIMITS.streams, LIMITS.streams_each, LIMITS.streams_here)
    for number in range(13):
        for _ in range(LIMITS.streams_each):
            places.enter(Place(f"10.0.1.{number}", False))
    assert places.open.total() == LIMITS.streams - LIMITS.streams_here
    assert all(places.enter(Place(f"10.0.2.{number}", False, number, BADGED)) for number in range(1, 61))
    assert all(places.enter(Place(f"10.0.3.{number}", False, 0, SCREEN)) for number in range(4))
    assert all(places.enter(Place("127.0.0.1", True)) for _ in range(LIMITS.streams_here))
    assert places.open.total() == LIMITS.streams
    assert not places.enter(Place("10.0.1.0", False))
    assert max(places.open.values()) - min(places.open[f"10.0.1.{number}"] for number in range(13)) <= 1


@pytest.mark.parametrize(
    ("rank", "theirs", "free"), [(BADGED, 0, True), (BADGED, SCREEN, True), (SCREEN, 0, True), (BADGED, BADGED, False)]
)
def test_among_equals_a_phone_that_has_joined_goes_first_then_a_screen(rank: int, theirs: int, free: bool) -> None:
    places = Places(3, 2, 0)
    ended: list[str] = []
    for name in ("a", "b", "c"):
        assert places.enter(Place(name, False, 0, theirs, end=lambda name=name: ended.append(name)))
    assert not places.enter(Place("d", False, 0, theirs))
    assert places.enter(Place("d", False, 1, rank)) == free
    assert ended == ["c"] * free
    assert places.open.total() == 3


def test_who_is_displaced_comes_back_only_for_somebody_who_has_more() -> None:
    places = Places(4, 4, 0)
    for name in ("a", "a", "a", "b"):
        places.enter(Place(name, False))
    assert places.enter(Place("c", False))
    assert places.open == {"a": 2, "b": 1, "c": 1}
    assert not places.enter(Place("a", False))
    assert places.enter(Place("d", False))
    assert not any(places.enter(Place(name, False)) for name in "abcd")


def test_this_computer_is_neither_displaced_nor_displaces() -> None:
    places = Places(4, 4, 2)
    assert all(places.enter(Place("127.0.0.1", True)) for _ in range(4))
    assert not places.enter(Place("a", False, 1, BADGED))
    places = Places(4, 4, 2)
    assert [places.enter(Place(name, False)) for name in "aaa"] == [True, True, False]
    assert [places.enter(Place("127.0.0.1", True)) for _ in range(3)] == [True, True, False]


def test_a_phone_behind_a_router_takes_the_place_of_one_that_has_more() -> None:
    places = Places(100, 4, 0)
    for phone in (0, 0, 0, 0):
        places.enter(Place("router", False, phone))
    assert all(places.enter(Place("router", False, phone, BADGED)) for phone in (1, 2, 3))
    assert not places.enter(Place("router", False, 3, BADGED))
    assert places.enter(Place("router", False, 4, BADGED))
    assert not places.enter(Place("router", False, 5, BADGED))
    assert places.open == {"router": 4}


def test_a_place_is_left_once() -> None:
    places = Places(4, 4, 0)
    one = Place("a", False)
    places.enter(one)
    places.leave(one)
    places.leave(one)
    assert not places.open
