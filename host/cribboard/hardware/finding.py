"""What a check has found, in words, and as an error."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from cribboard.hardware.description import DescriptionError


@dataclass(frozen=True)
class Finding:
    """What is wrong (or, when `wrong` is False, worth knowing), where in the description, and what to do."""

    wrong: bool
    where: str
    said: str
    advice: str


def wrongs(found: Iterable[Finding]) -> list[str]:
    """What of it is wrong, a line each."""
    return [f"{each.where}: {each.said}; {each.advice}" for each in found if each.wrong]


def refuse(board: str, found: Iterable[Finding]) -> None:
    """Raise DescriptionError when any of it is wrong."""
    told = wrongs(found)
    if told:
        raise DescriptionError(f"{board} cannot be made", "\n".join(told))
