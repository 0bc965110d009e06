"""What a check has found."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Finding:
    """What is wrong (or, when `wrong` is False, worth knowing), where in the description, and what to do."""

    wrong: bool
    where: str
    said: str
    advice: str
