"""Values of JSON that an editor, a disk or somebody else may have changed: each is checked, and an error says where.

Exports, what waits for the history, and the notes beside a board are read by it, with a deal's cards and the orders on
their way. Whatever is damaged raises one of `DAMAGE`, and `placed` says of it what is wrong and in which part. Who
reads sets the file aside, or passes that part over, with a notice; nothing is guessed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from cribboard.errors import CribboardError
from cribboard.files import Entry
from cribboard.json_types import Json
from cribboard.names import check_name
from cribboard_core.cards import quote
from cribboard_core.events import Refused

WORD = 0xFFFFFFFF  # the greatest number that a board has
LONGEST_NAME = 400  # bytes and letters of one that is not tidied yet
Item = TypeVar("Item")


class Unfit(ValueError):
    """What is wrong, and in which part of a file, the outermost first."""

    def __init__(self, what: str, *where: str) -> None:
        super().__init__(f"{', '.join(where)}: {what}" if where else what)
        self.what = what
        self.where = where


DAMAGE = (ValueError, LookupError, TypeError, AttributeError, RecursionError, OverflowError, Refused, CribboardError)


def placed(error: Exception, *where: str) -> Unfit:
    """Whatever went wrong in a part of the file, as what is wrong there."""
    if isinstance(error, Unfit):
        return Unfit(error.what, *where, *error.where)
    says = isinstance(error, (Refused, CribboardError))
    return Unfit(str(getattr(error, "message", error)) if says else "it is damaged or of another kind", *where)


def as_list_of(what: str, value: object, read: Callable[[Json], Item]) -> list[Item]:
    """The items of a list; an error says which of them is wrong."""
    items: list[Item] = []
    for number, item in enumerate(as_list(value), 1):
        try:
            items.append(read(item))
        except DAMAGE as error:
            raise placed(error, f"{what} {number}") from error
    return items


def as_field(data: Entry, name: str, read: Callable[..., Item], *args: object) -> Item:
    """A field of an object; an error says which."""
    if name not in data:
        raise Unfit("it is missing", name)
    try:
        return read(data[name], *args)
    except DAMAGE as error:
        raise placed(error, name) from error


def as_named(value: object, read: Callable[[Json], Item]) -> dict[str, Item]:
    """All fields of an object; an error says which is wrong."""
    data = as_object(value)
    return {name: as_field(data, name, read) for name in data}


def as_numbered(value: object, most: int, read: Callable[[Json], Item]) -> dict[int, Item]:
    """The fields of an object whose names are whole numbers up to `most`; an error says which is wrong."""
    return {as_whole(int(name), most): item for name, item in as_named(value, read).items()}


def optional(value: object, read: Callable[..., Item], *args: object) -> Item | None:
    """What `read` makes of a value; None for null."""
    return None if value is None else read(value, *args)


def as_object(value: object) -> Entry:
    """An object's fields."""
    if not isinstance(value, dict):
        raise Unfit(f"{quote(value)} is not an object")
    return value


def as_list(value: object) -> list[Json]:
    """A list."""
    if not isinstance(value, list):
        raise Unfit(f"{quote(value)} is not a list")
    return value


def as_whole(value: object, most: int, least: int = 0) -> int:
    """A whole number within bounds."""
    if type(value) is not int or not least <= value <= most:
        raise Unfit(f"{quote(value)} is not a number from {least} to {most}")
    return value


def as_real(value: object, below: float) -> float:
    """A number from 0 up to `below`, which need not be whole."""
    if type(value) not in (int, float) or not 0 <= value < below:  # type: ignore[operator]
        raise Unfit(f"{quote(value)} is not a number below {below}")
    return value  # type: ignore[return-value]


def as_truth(value: object) -> bool:
    """True or false."""
    if not isinstance(value, bool):
        raise Unfit(f"{quote(value)} is neither true nor false")
    return value


def as_string(value: object) -> str:
    """Any text."""
    if not isinstance(value, str):
        raise Unfit(f"{quote(value)} is not text")
    return value


def as_text(value: object, longest: int) -> str:
    """Text that can be shown."""
    if not isinstance(value, str) or len(value) > longest or not value.isprintable():
        raise Unfit(f"{quote(value)} is not text of at most {longest} visible characters")
    return value


def as_name(value: object) -> str:
    """A player's name."""
    return check_name(as_text(value, LONGEST_NAME))


def as_number(value: object, of: str = "a board") -> str:
    """The number that a board or a contest has for ever: hexadecimal digits."""
    digits = as_text(value, 32)
    if not digits or not set(digits) <= set("0123456789abcdef"):
        raise Unfit(f"{quote(value)} is not {of}'s number")
    return digits
