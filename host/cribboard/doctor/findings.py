"""What the doctor says: one thing that is wrong, and what to do about it."""

from __future__ import annotations

from dataclasses import dataclass

from cribboard.errors import CribboardError


@dataclass(frozen=True)
class Finding:
    """`code` is for programs; `wrong` is False for what is only worth knowing."""

    code: str
    what: str
    todo: str = ""
    wrong: bool = True

    @classmethod
    def of(cls, code: str, error: CribboardError) -> Finding:
        """An error as a finding."""
        return cls(code, error.message, error.hint)


def known(code: str, what: str) -> Finding:
    """What is well, or only worth knowing."""
    return Finding(code, what, wrong=False)
