"""Orders as anybody may send them: JSON objects, checked strictly before they reach the board."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypedDict, cast

from cribboard.errors import CribboardError
from cribboard.json_types import Json
from cribboard.names import check_names
from cribboard.referee.wording import in_words
from cribboard.typed import WORD, Unfit, as_field, as_list_of, as_object, as_string, as_truth, as_whole, optional
from cribboard_core.cards import PACK_SIZE, CardError, parse_card, parse_cards, quote
from cribboard_core.events import MOST_POINTS, PLACES
from cribboard_core.show import HAND_SIZES
from cribboard_core.variants import TARGETS

KEY = re.compile("[A-Za-z0-9_-]{16,40}")
COMMON = ("do", "seen", "again", "key", "page", "own")


class OrderError(CribboardError):
    """An order that was refused; `code` is for programs, `status` that of HTTP."""

    def __init__(self, code: str, message: str, hint: str = "", status: int = 400) -> None:
        super().__init__(message, hint)
        self.code = code
        self.status = status


Values = TypedDict(
    "Values",
    {
        "side": int,
        "points": int,
        "from": int,
        "card": int,
        "cards": list[int],
        "starter": int,
        "crib": bool,
        "claim": int,
        "back": int,  # of a penalty whether it takes points back, of a set score the back peg
        "score": int,
        "front": int,
        "place": int,
        "rev": int,
        "target": int,
        "names": list[str | None],
        "teams": int,
        "dealer": int,
        "double": int,
        "start": list[int],
        "rules": dict[str, object],
        "yes": bool,
        "goes": int,
    },
    total=False,
)


@dataclass(frozen=True)
class Order:
    """A well-formed order: `values` are its fields, with sides and places counted from 0.

    `seen` is the newest rev that the sender saw, None to skip that check; `again` repeats it in spite of a question.
    `page` tells the pages of one phone apart, and `own` is the side that the phone plays for, -1 for none.
    """

    do: str
    values: Values
    key: str = ""
    seen: int | None = None
    again: bool = False
    page: str = ""
    own: int = -1


def read_order(data: object) -> Order:
    """Read an order; raises OrderError for anything else."""
    if not isinstance(data, dict):
        raise _wrong(f"an order is an object, not {quote(data)}", 'write it like {"do": "peg", "side": 1, "points": 2}')
    do = data.get("do")
    if not isinstance(do, str) or do not in _FIELDS:
        raise _wrong(f"there is no order {quote(do)}", f"the orders are {', '.join(_FIELDS)}")
    fields, keyed = _FIELDS[do], do not in KEYLESS
    for name in data:
        if name not in COMMON and name not in fields and f"{name}?" not in fields:
            raise _wrong(f"the order {do} has no {quote(name)}", f"it has {_named(fields)}")
    try:
        return Order(
            do,
            _values(do, fields, data),
            _key(data, keyed),
            None if data.get("seen") is None else as_field(data, "seen", _rev),
            "again" in data and as_field(data, "again", as_truth),
            _page(data.get("page", "")),
            -1 if data.get("own") is None else as_field(data, "own", _place),
        )
    except Unfit as error:
        raise _wrong(str(error), getattr(error.__cause__, "hint", "")) from error


def _values(do: str, fields: Mapping[str, Reader], data: Mapping[str, object]) -> Values:
    values: dict[str, object] = {}
    for field, read in fields.items():
        name = field.removesuffix("?")
        if data.get(name) is None and field.endswith("?"):
            continue
        if name not in data:
            raise _wrong(f"the order {do} lacks {name}", f"it has {_named(fields)}")
        values[name] = as_field(dict(data), name, read)
    return cast("Values", values)


def _key(data: Mapping[str, object], keyed: bool) -> str:
    key = data.get("key", None if keyed else "")
    if keyed and (not isinstance(key, str) or not KEY.fullmatch(key)):
        raise _wrong(f"the key {quote(key)} is not valid", "draw 16 to 40 new letters, digits, - and _ for each order")
    return key if keyed and isinstance(key, str) else ""


def _page(value: object) -> str:
    if not isinstance(value, str) or (value and not KEY.fullmatch(value)):
        raise _wrong(f"unknown page {quote(value)}", "draw 16 to 40 letters, digits, - and _ for each page")
    return value


Reader = Callable[[Json], object]


def _place(value: object) -> int:
    return as_whole(value, PLACES, 1) - 1


def _rev(value: object) -> int:
    return as_whole(value, WORD)


def _number(least: int, most: int) -> Reader:
    return lambda value: as_whole(value, most, least)


def _card(value: object) -> int:
    try:
        return parse_card(cast("str", value))  # which refuses whatever else it is
    except CardError as error:
        raise Unfit(in_words(str(error), ())) from error


def _card_or_none(value: object) -> int:
    return -1 if value is None else _card(value)


def _cards(value: object) -> list[int]:
    cards = _up_to(PACK_SIZE, "cards like ['5H', '5C', '5S', 'JD']", value)
    try:
        return parse_cards(" ".join(as_list_of("card", cards, as_string)), "hand", HAND_SIZES)
    except CardError as error:
        raise Unfit(in_words(str(error), ())) from error


def _names(value: object) -> list[str | None]:
    """Names by place; empty for a player without one, None where nothing is said."""
    known = as_list_of("name", _up_to(PLACES, "names", value), lambda name: optional(name, as_string))
    tidy = iter(check_names([name for name in known if name and name.strip()]))
    return [next(tidy) if name and name.strip() else name and "" for name in known]


def _target(value: object) -> int:
    if type(value) is not int or value not in TARGETS:
        raise Unfit(f"{quote(value)} is not one of {', '.join(map(str, TARGETS))}")
    return value


def _starts(value: object) -> list[int]:
    points = _up_to(PLACES, "points, one for each side", value)
    return as_list_of("side", points, lambda start: as_whole(start, TARGETS[-1] - 1))


def _up_to(most: int, what: str, value: object) -> list[Json]:
    if not isinstance(value, list) or len(value) > most:
        raise Unfit(f"{quote(value)} is not a list of up to {most} {what}")
    return value


def _wrong(message: str, hint: str = "") -> OrderError:
    return OrderError("order", message, hint)


def _named(fields: Mapping[str, Reader]) -> str:
    return ", ".join(name.removesuffix("?") for name in fields) or "nothing more"


_SIDE: dict[str, Reader] = {"side": _place}
_FIELDS: dict[str, dict[str, Reader]] = {
    "peg": {**_SIDE, "points": _number(1, MOST_POINTS)},
    "hand": {**_SIDE, "cards": _cards, "starter?": _card, "crib?": as_truth, "claim?": _number(0, MOST_POINTS)},
    "nibs": _SIDE,
    "go": _SIDE,
    "penalty": {**_SIDE, "points": _number(1, MOST_POINTS), "back?": as_truth},
    "muggins": {**_SIDE, "points": _number(1, MOST_POINTS), "from": _place},
    "false": {**_SIDE, "score": _number(0, TARGETS[-1] - 1)},
    "set": {**_SIDE, "front": _number(0, TARGETS[-1]), "back?": _number(0, TARGETS[-1])},
    "deal": {"place?": _place},
    "undo": {"rev": _rev},
    "redo": {"rev": _rev},
    "correct": {"rev": _number(1, WORD), "points": _number(0, MOST_POINTS)},
    "allow": {"rev": _rev, "yes": as_truth, "points?": _number(0, MOST_POINTS)},
    "new": {
        "target?": _target,
        "names?": _names,
        "teams?": _number(0, 3),
        "dealer?": _place,
        "double?": _number(0, TARGETS[-1]),
        "start?": _starts,
        "rules?": as_object,
    },
    "play": {**_SIDE, "card": _card, "claim?": _number(0, MOST_POINTS)},
    "names": {"names": _names},
    "pend": {**_SIDE, "points": _number(0, MOST_POINTS)},
    "starter": {"card": _card_or_none},
    "say_go": {"card": _card, "goes": _number(0, PLACES - 1)},
    "unplay": {"card": _card},
    "unclaim": _SIDE,
    "clear": {},
}
KEYLESS = ("names", "pend", "starter", "say_go")
REFUSED = {  # the board's refusals in a page's words
    "over": ("", "undo the last score, or start a new game"),
    "rev": ("somebody else was quicker", "look at the score, and do it again if it is still right"),
}
