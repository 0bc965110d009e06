"""What a check finds, in words, and as an error."""

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


def wrongs(findings: Iterable[Finding]) -> list[str]:
    """What of it is wrong, a line each."""
    return [f"{each.where}: {each.said}; {each.advice}" for each in findings if each.wrong]


def refuse(board: str, findings: Iterable[Finding]) -> None:
    """Raise DescriptionError when any of it is wrong."""
    problems = wrongs(findings)
    if problems:
        raise DescriptionError(f"{board} cannot be made", "\n".join(problems))
