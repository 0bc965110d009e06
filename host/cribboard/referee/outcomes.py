"""What an act comes to, bit by bit: a sentence, and the points that fall with it as an event and as its command."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from cribboard.referee.setup import Setup
from cribboard_core.events import COMMANDS, DEAL, FALSE, HAND, KINDS, MUGGINS, NEW, PENALTY, SET
from cribboard_core.match import Match

Act = list[Any]  # its name, then what the table in cards.py says
Command = tuple[int | str, ...]  # to the board, its name first


class RefereeError(ValueError):
    """An act that the rules or the house's options do not allow now; the message names the rule."""


@dataclass(frozen=True)
class Outcome:
    """A sentence, and the event (kind, side, a, b, c) and the board's command if something is pegged with it.

    `scores` are those of all sides after it; a `notice` tells what the act has ended rather than the act.
    """

    text: str
    event: tuple[int, ...] = ()
    command: Command = ()
    scores: tuple[int, ...] = ()
    notice: bool = False


def outcome(text: str, kind: int, side: int, a: int = 0, b: int = 0) -> Outcome:
    """An outcome whose command says no more than its event."""
    arguments = len(COMMANDS[KINDS[kind]].split())
    return Outcome(text, (kind, side, a, b, 0), (KINDS[kind], *(side, a, b)[:arguments]))


def hand(text: str, side: int, cards: str, starter: str, crib: bool, points: int) -> Outcome:
    """A counted hand; the board counts its cards as well."""
    command: Command = ("hand", side, cards.replace(" ", ""), starter, int(crib), points)
    return Outcome(text, (HAND, side, points, int(crib), 0), command)


def gains(setup: Setup, made: Outcome) -> dict[int, int]:
    """The points that each side pegs by one outcome; going back as a penalty does not count."""
    if not made.event:
        return {}
    kind, side, points, back = made.event[:4]
    if kind != PENALTY:
        return {side: points}
    return {} if back else {other: points for other in setup.sides if other != side}


def exact(outcome: Outcome, setup: Setup, match: Match) -> list[Outcome]:
    """What is left of an outcome; a penalty goes to those whom it fits."""
    if not outcome.event or outcome.event[0] in (NEW, DEAL, FALSE, SET):
        return [outcome]
    kind, side, points = outcome.event[:3]
    if kind != PENALTY:
        return [outcome] if _fits(match, side, points) else [Outcome(outcome.text), _past(setup, side)]
    others = [other for other in setup.sides if other != side]
    if outcome.event[3] or all(_fits(match, other, points) for other in others):
        return [outcome]
    # A penalty gives all others the same, so each side gets an event of its own: only some of them can peg it.
    outcomes = [Outcome(outcome.text)]
    for other in others:
        event = (MUGGINS, other, points, side, 0)
        fits = _fits(match, other, points)
        outcomes.append(Outcome("", event, ("muggins", other, points, side)) if fits else _past(setup, other))
    return outcomes


def _fits(match: Match, side: int, points: int) -> bool:
    return bool(match.front(side) + points <= match.target)


def _past(setup: Setup, side: int) -> Outcome:
    return Outcome(f"That would pass {setup.target}: {setup.side_name(side)} pegs nothing.")
