"""The history's results as plain values. `entry` is each as an object for JSON, where sides and places count from 1."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

Entry = dict[str, Any]


def moment(at: datetime | None) -> str | None:
    """A moment as ISO text, in UTC."""
    return None if at is None else at.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


@dataclass(frozen=True)
class Seat:
    """Who sat at a place; a guest if there is no player."""

    place: int
    side: int
    player: int | None
    name: str | None

    def entry(self) -> Entry:
        return {"place": self.place + 1, "side": self.side + 1, "player": self.player, "name": self.name}


@dataclass(frozen=True)
class Side:
    """A side at the end of a game; `lost` is 0 not, 1 lost, 2 skunked, 3 double-skunked."""

    side: int
    name: str | None
    front: int
    back: int
    lost: int

    def entry(self) -> Entry:
        pegs = {"front": self.front, "back": self.back}
        return {"side": self.side + 1, "name": self.name, **pegs, "lost": self.lost}


@dataclass(frozen=True)
class Game:
    """A game; `state` is won, open, abandoned or withdrawn. Without `whole` some of its events are missing."""

    id: int
    board: str
    state: str
    target: int
    skunk: int
    double: int
    began: datetime
    heard: datetime
    ended: datetime | None
    winner: int | None
    whole: bool
    seats: tuple[Seat, ...]
    sides: tuple[Side, ...]
    line: tuple[tuple[int, ...], ...] = ()  # the fronts after each event that counts, where they were asked for

    def entry(self) -> Entry:
        line = {"line": [list(fronts) for fronts in self.line]} if self.line else {}
        return {
            **line,
            "id": self.id,
            "board": self.board,
            "state": self.state,
            "target": self.target,
            "skunk": self.skunk,
            "double": self.double,
            "began": moment(self.began),
            "heard": moment(self.heard),
            "ended": moment(self.ended),
            "winner": None if self.winner is None else self.winner + 1,
            "whole": self.whole,
            "seats": [seat.entry() for seat in self.seats],
            "sides": [side.entry() for side in self.sides],
        }


@dataclass(frozen=True)
class Happening:
    """An event of a game and the pegs after it, by side; None where they are unknown.

    The `kind` gap stands for `missing` events. `gone` says that the event was taken back later.
    """

    kind: str
    rev: int
    at: datetime | None
    side: int | None
    points: int | None
    text: str
    fronts: tuple[int, ...] | None
    backs: tuple[int, ...] | None
    dealer: int | None
    winner: int | None
    gone: bool = False
    missing: int = 0
    cards: str = ""
    starter: str = ""
    by: str = ""

    def entry(self) -> Entry:
        known = {"fronts": self.fronts and list(self.fronts), "backs": self.backs and list(self.backs)}
        more = {"gone": self.gone, "missing": self.missing, "cards": self.cards, "starter": self.starter, "by": self.by}
        return {
            "kind": self.kind,
            "rev": self.rev,
            "at": moment(self.at),
            "side": _one(self.side),
            "points": self.points,
            "text": self.text,
            **known,
            "dealer": _one(self.dealer),
            "winner": _one(self.winner),
            **{name: value for name, value in more.items() if value},
        }


@dataclass(frozen=True)
class Correction:
    """A correction: when, who, what, and what was there before and after."""

    at: datetime
    who: str
    what: str
    game: int | None
    before: Any
    after: Any

    def entry(self) -> Entry:
        told = {"at": moment(self.at), "who": self.who, "what": self.what, "game": self.game}
        return {**told, "before": self.before, "after": self.after}


@dataclass(frozen=True)
class Replay:
    """A game event by event, with its corrections."""

    game: Game
    events: Sequence[Happening]
    corrections: Sequence[Correction]

    def entry(self) -> Entry:
        return {
            **self.game.entry(),
            "events": [event.entry() for event in self.events],
            "corrections": [correction.entry() for correction in self.corrections],
        }


def _one(place: int | None) -> int | None:
    return None if place is None or place < 0 else place + 1
