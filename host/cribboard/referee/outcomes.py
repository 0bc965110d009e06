"""What an act leads to, bit by bit: a sentence, and the points that fall with it as an event and as its command."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from cribboard_core.events import COMMANDS, HAND, KINDS

Act = list[Any]  # its name, then what the table in cards.py says
Command = tuple[int | str, ...]  # to the board, its name first


class RefereeError(ValueError):
    """An act that the rules or the house's options do not allow now; the message names the rule."""


@dataclass(frozen=True)
class Fall:
    """A sentence, and the event (kind, side, a, b, c) and the board's command if something is pegged with it.

    `scores` are those of all sides after it; `aside` tells what the act has ended rather than the act.
    """

    text: str
    event: tuple[int, ...] = ()
    command: Command = ()
    scores: tuple[int, ...] = ()
    aside: bool = False


def fall(text: str, kind: int, side: int, a: int = 0, b: int = 0) -> Fall:
    """A fall whose command says no more than its event."""
    arguments = len(COMMANDS[KINDS[kind]].split())
    return Fall(text, (kind, side, a, b, 0), (KINDS[kind], *(side, a, b)[:arguments]))


def hand(text: str, side: int, cards: str, starter: str, crib: bool, points: int) -> Fall:
    """A counted hand; the board counts its cards as well."""
    command: Command = ("hand", side, cards.replace(" ", ""), starter, int(crib), points)
    return Fall(text, (HAND, side, points, int(crib), 0), command)
