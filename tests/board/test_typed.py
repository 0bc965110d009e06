"""JSON from outside: what each reader takes, what it refuses, and where it says that the fault is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from cribboard.errors import CribboardError
from cribboard.typed import (
    DAMAGE,
    LONGEST_NAME,
    Unfit,
    as_field,
    as_list,
    as_list_of,
    as_name,
    as_named,
    as_number,
    as_numbered,
    as_object,
    as_real,
    as_string,
    as_text,
    as_truth,
    as_whole,
    optional,
    placed,
)
from cribboard_core.events import Refused

Reader = Callable[[Any], object]


def whole(value: object) -> int:
    return as_whole(value, 9, -2)


@pytest.mark.parametrize(
    ("read", "taken", "refused"),
    [
        (whole, [-2, 0, 9], [-3, 10, 5.0, True, "5", None]),
        (lambda value: as_whole(value, 9), [0, 9], [-1]),
        (lambda value: as_real(value, 2.5), [0, 2, 2.4], [-0.1, 2.5, float("nan"), True, "1"]),
        (as_truth, [True, False], [0, 1, "true", None]),
        (as_string, ["", "\n"], [5, None, ["a"]]),
        (lambda value: as_text(value, 3), ["", "a é"], ["a\n", "abcd", 5, None]),
        (as_list, [[], [1]], [{}, "a", None, (1,)]),
        (as_object, [{}, {"a": 1}], [[], "a", None]),
        (as_number, ["0", "f" * 32], ["", "f" * 33, "F", "g", 5, None]),
        (as_name, ["Ann"], ["", "a\n", 5, "a" * (LONGEST_NAME + 1)]),
        (lambda value: optional(value, as_whole, 9), [None, 9], [10, "a"]),
        (lambda value: as_list_of("item", value, whole), [[], [1, 2]], [[1, 10], {}]),
        (lambda value: as_named(value, whole), [{}, {"a": 1}], [{"a": 10}, [1]]),
    ],
)
def test_what_fits_is_taken_as_it_is_and_all_else_refused(read: Reader, taken: list[Any], refused: list[Any]) -> None:
    for value in taken:
        assert read(value) == value
    for value in refused:
        with pytest.raises(DAMAGE):
            read(value)


def test_the_names_of_fields_are_numbers_up_to_the_most() -> None:
    assert as_numbered({"0": 1, "7": 2}, 7, whole) == {0: 1, 7: 2}
    for wrong in ({"8": 1}, {"-1": 1}, {"a": 1}, {"1": 10}):
        with pytest.raises(DAMAGE):
            as_numbered(wrong, 7, whole)


def test_an_error_says_where_from_the_outermost_part_in() -> None:
    def rows(value: object) -> list[int]:
        return as_list_of("row", value, lambda row: as_field(as_object(row), "points", as_whole, 9, 1))

    assert as_field({"rows": [{"points": 1}, {"points": 9}]}, "rows", rows) == [1, 9]
    for row, where, what in (
        ({"points": 0}, ("rows", "row 2", "points"), "0 is not a number from 1 to 9"),
        ({}, ("rows", "row 2", "points"), "it is missing"),
        (5, ("rows", "row 2"), "5 is not an object"),
    ):
        with pytest.raises(Unfit) as unfit:
            as_field({"rows": [{"points": 1}, row]}, "rows", rows)
        assert (unfit.value.where, unfit.value.what) == (where, what)
        assert str(unfit.value) == f"{', '.join(where)}: {what}"
    assert str(Unfit("it is missing")) == "it is missing"


def test_what_went_wrong_is_said_if_it_was_said_for_people() -> None:
    for error in (Refused("args", "no such side"), CribboardError("no such side")):
        assert str(placed(error, "row 1")) == "row 1: no such side"
    for other in (KeyError("side"), TypeError("int"), IndexError()):
        assert str(placed(other, "row 1")) == "row 1: it is damaged or of another kind"
