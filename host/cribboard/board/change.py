"""What an event does: the one shape for a board that is followed and for a game that is folded again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

from cribboard.board.messages import Event

Heard = TypeVar("Heard", bound=Event | None, covariant=True)
State = TypeVar("State", covariant=True)


@dataclass(frozen=True)
class Change(Generic[Heard, State]):
    """An event, and the state before and after it. `about` is the event that an undo or redo acted on, if known."""

    event: Heard
    before: State
    after: State
    about: Event | None = None
