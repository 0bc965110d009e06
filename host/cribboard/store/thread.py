"""Which game each event of a board belongs to, following new games and undo and redo between them.

It follows the core's match, which alone decides, without its pegs. Where the board reports an event's game, that
counts; an unknown game stays unknown until then.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from cribboard_core.events import DEAL, NEW, REDO, RESTORE, SET, UNDO


@dataclass
class Thread:
    """The number of the game that is on after the event `rev`: the rev of the event that started it. None: unknown."""

    rev: int
    number: int | None = None
    earlier: int | None = None  # the game that undo would bring back, while this one has no score
    undone: int | None = None  # the new game that redo would bring back
    kind: int = NEW  # of the event that began it

    def follow(self, events: Iterable[Told]) -> Iterator[tuple[int, int | None]]:
        """The (rev, number) of events, given in order, perhaps with gaps; `number` is None where it is unknown."""
        waiting: list[int] = []
        for event in events:
            if event.rev != self.rev + 1:
                yield from ((rev, None) for rev in waiting)
                waiting = []
                self._lost()
            before = self.number
            self._fold(event)
            if event.number is not None and event.number != self.number:
                self._lost()
                self.number = event.number
            self.rev = event.rev
            if event.kind in (NEW, RESTORE) or (self.number is not None and before not in (None, self.number)):
                yield from ((rev, None) for rev in waiting)
                waiting = []
            waiting.append(event.rev)
            if self.number is not None:
                yield from ((rev, self.number) for rev in waiting)
                waiting = []
        yield from ((rev, None) for rev in waiting)

    def _fold(self, event: Told) -> None:
        if event.kind in (NEW, RESTORE):
            if self.earlier is None or self.kind != NEW:
                self.earlier = self.number
            self.number, self.undone, self.kind = event.rev, None, event.kind
        elif event.kind == UNDO:
            if self.number is not None and event.b == self.number & 0xFFFF:
                self.number, self.earlier, self.undone = self.earlier, None, self.number
        elif event.kind == REDO:
            if self.undone is not None and event.b == self.undone & 0xFFFF:
                self.number, self.earlier, self.undone = self.undone, self.number, None
        elif event.kind:
            self.undone = None
            if event.kind == SET:
                self.kind = SET  # pegs are set, so another game keeps this one
            elif event.kind != DEAL:
                self.earlier = None
        else:
            self._lost()

    def _lost(self) -> None:
        self.number = self.earlier = self.undone = None
        self.kind = NEW


@dataclass(frozen=True)
class Told:
    """The parts of an event that matter here, and the number of the game after it if the board has reported it."""

    rev: int
    kind: int
    b: int
    number: int | None
