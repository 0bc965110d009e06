"""Orders as anybody may send them: JSON objects, checked strictly before they reach the board."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypedDict, cast

from cribboard.errors import ArgumentError, CribboardError
from cribboard.names import check_names
from cribboard.referee.wording import in_words
from cribboard_core.cards import CardError, parse_card, parse_cards, quote
from cribboard_core.events import MOST_POINTS, PLACES
from cribboard_core.show import HAND_SIZES
from cribboard_core.variants import TARGETS

KEY = re.compile("[A-Za-z0-9_-]{16,40}")
MOST_REV = 0xFFFFFFFF
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
        "names": list[str],
        "teams": int,
        "dealer": int,
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
    seen = None if data.get("seen") is None else _whole(data["seen"], 0, MOST_REV, "seen")
    again, own = _flag(data.get("again", False), "again"), data.get("own")
    own = -1 if own is None else _place(own, "own")
    return Order(do, _values(do, fields, data), _key(data, keyed), seen, again, _page(data.get("page", "")), own)


def _values(do: str, fields: Mapping[str, Reader], data: Mapping[str, object]) -> Values:
    values: dict[str, object] = {}
    for field, read in fields.items():
        name = field.removesuffix("?")
        if data.get(name) is None and field.endswith("?"):
            continue
        if name not in data:
            raise _wrong(f"the order {do} lacks {name}", f"it has {_named(fields)}")
        values[name] = read(data[name], name)
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


Reader = Callable[[object, str], object]


def _whole(value: object, least: int, most: int, name: str) -> int:
    if type(value) is not int or not least <= value <= most:
        raise _wrong(f"{name} is a whole number from {least} to {most}, not {quote(value)}")
    return value


def _place(value: object, name: str) -> int:
    return _whole(value, 1, PLACES, name) - 1


def _number(least: int, most: int) -> Reader:
    return lambda value, name: _whole(value, least, most, name)


def _flag(value: object, name: str) -> bool:
    if not isinstance(value, bool):
        raise _wrong(f"{name} is true or false, not {quote(value)}")
    return value


def _card(value: object, name: str) -> int:
    try:
        return parse_card(cast("str", value))  # which refuses whatever else it is
    except CardError as error:
        raise _wrong(f"{name}: {in_words(str(error), ())}") from error


def _card_or_none(value: object, name: str) -> int:
    return -1 if value is None else _card(value, name)


def _cards(value: object, name: str) -> list[int]:
    if not isinstance(value, list) or not all(isinstance(card, str) for card in value) or len(value) > 52:
        raise _wrong(f"{name} is a list of cards like ['5H', '5C', '5S', 'JD'], not {quote(value)}")
    try:
        return parse_cards(" ".join(value), "hand", HAND_SIZES)
    except CardError as error:
        raise _wrong(f"{name}: {in_words(str(error), ())}") from error


def _names(value: object, name: str) -> list[str]:
    """Names by place; empty for a player without one."""
    if not isinstance(value, list) or not all(isinstance(one, str | None) for one in value) or len(value) > PLACES:
        raise _wrong(f"{name} is a list of up to {PLACES} names, not {quote(value)}")
    known = [one or "" for one in value]
    try:
        tidy = iter(check_names([one for one in known if one.strip()]))
    except ArgumentError as error:
        raise _wrong(error.message, error.hint) from error
    return [next(tidy) if one.strip() else "" for one in known]


def _target(value: object, name: str) -> int:
    if type(value) is not int or value not in TARGETS:
        raise _wrong(f"{name} is one of {', '.join(map(str, TARGETS))}, not {quote(value)}")
    return value


def _starts(value: object, name: str) -> list[int]:
    if not isinstance(value, list) or len(value) > PLACES:
        raise _wrong(f"{name} is a list of points, one for each side, not {quote(value)}")
    return [_whole(points, 0, TARGETS[-1] - 1, name) for points in value]


def _rules(value: object, name: str) -> dict[str, object]:
    """House rules by name; which make sense is looked at with the game."""
    if not isinstance(value, dict):
        raise _wrong(f"{name} is an object like {{'muggins': true}}, not {quote(value)}")
    return value


def _wrong(message: str, hint: str = "") -> OrderError:
    return OrderError("order", message, hint)


def _named(fields: Mapping[str, Reader]) -> str:
    return ", ".join(name.removesuffix("?") for name in fields) or "nothing more"


_SIDE: dict[str, Reader] = {"side": _place}
_FIELDS: dict[str, dict[str, Reader]] = {
    "peg": {**_SIDE, "points": _number(1, MOST_POINTS)},
    "hand": {**_SIDE, "cards": _cards, "starter?": _card, "crib?": _flag, "claim?": _number(0, MOST_POINTS)},
    "nibs": _SIDE,
    "go": _SIDE,
    "penalty": {**_SIDE, "points": _number(1, MOST_POINTS), "back?": _flag},
    "muggins": {**_SIDE, "points": _number(1, MOST_POINTS), "from": _place},
    "false": {**_SIDE, "score": _number(0, TARGETS[-1] - 1)},
    "set": {**_SIDE, "front": _number(0, TARGETS[-1]), "back?": _number(0, TARGETS[-1])},
    "deal": {"place?": _place},
    "undo": {"rev": _number(0, MOST_REV)},
    "redo": {"rev": _number(0, MOST_REV)},
    "correct": {"rev": _number(1, MOST_REV), "points": _number(0, MOST_POINTS)},
    "allow": {"rev": _number(0, MOST_REV), "yes": _flag, "points?": _number(0, MOST_POINTS)},
    "new": {
        "target?": _target,
        "names?": _names,
        "teams?": _number(0, 3),
        "dealer?": _place,
        "start?": _starts,
        "rules?": _rules,
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
