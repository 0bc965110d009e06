"""The lines of the game that is on, newest first, and what a correction of one makes of the pegs.

A line is an event by which a side has pegged points, and still counts. To correct one, the game is folded again with
the right points; the board is told of one side's pegs, so that side is all that may change.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from cribboard.board.messages import Event, Standing
from cribboard.referee.watched import Correction
from cribboard.service.orders import OrderError
from cribboard_core.events import FALSE, NEW, PEG, RESTORE, SCORES, SET, Refused, setup_word
from cribboard_core.match import Match


@dataclass(frozen=True, kw_only=True)
class PeggedEvent(Event):
    """An event that has pegged, with its points as they are corrected."""

    points: int
    front: int  # the side's, after it
    set_by: int = 0  # the event that corrected it, 0 if none has


class Lines:
    """Follows the board from these events on; no line is known of a game whose beginning is not among them."""

    def __init__(self, events: Sequence[Event], standing: Standing) -> None:
        self._match: Match | None = None
        if not standing.game and (not events or events[0].rev == 1):
            self._match = Match(standing.target, standing.mask, standing.count, lines=(standing.skunk, standing.double))
        for event in events:
            self.heard(event)

    def heard(self, event: Event | None) -> None:
        """Follow an event; None when it is not known what happened."""
        if event is None or event.kind == RESTORE:
            self._match = None
        elif event.kind == NEW and self._match is None:
            target, mask, sides = setup_word(event.b)
            self._match = Match(target, mask, sides, event.side, (event.a, event.c))
        elif self._match is not None:
            try:
                self._match.check(event.as_folded)
                self._match.apply(event.rev, event.as_folded)
            except Refused:
                self._match = None

    def all(self, corrections: Mapping[int, Correction]) -> list[PeggedEvent]:
        """The lines; `corrections` are by the event that set the score for each, undone or not."""
        made = self._made(corrections)
        return [self._line(at, made) for at in reversed(range(self._depth)) if self._event(at)[0][0] in SCORES]

    def find(self, rev: int, corrections: Mapping[int, Correction]) -> PeggedEvent | None:
        """The line of this event, None if it does not count."""
        return next((line for line in self.all(corrections) if line.rev == rev), None)

    def pegs(self, line: PeggedEvent, points: int, corrections: Mapping[int, Correction]) -> tuple[int, int]:
        """The front and back peg of a line's side, had it had these points; raises OrderError if more would change."""
        match = self._match
        assert match is not None  # noqa: S101 (the line is known)
        self._check_set_since(line, corrections)
        right = self._folded({**self._made(corrections), line.rev: (0, points)}, corrections)
        others = [side for side in match.sides if side != line.side]
        if any((right.front(side), right.back(side)) != (match.front(side), match.back(side)) for side in others):
            said = "with these points the game would have ended before others pegged"
            raise OrderError("over", said, "undo as far as that, or set the scores", 409)
        return right.front(line.side), right.back(line.side)

    @property
    def _depth(self) -> int:
        return self._match.play.depth if self._match is not None else 0

    def _event(self, at: int) -> tuple[tuple[int, ...], int]:
        assert self._match is not None  # noqa: S101 (it has events)
        return self._match.play.entry(at)

    def _events(self) -> Iterator[tuple[tuple[int, ...], int]]:
        return (self._event(at) for at in range(self._depth))

    def _made(self, corrections: Mapping[int, Correction]) -> dict[int, tuple[int, int]]:
        """The corrected lines, each with the newest event that set its score and its points."""
        newest = [(rev, corrections[rev]) for _, rev in self._events() if rev in corrections]
        return {one.rev: (rev, one.points) for rev, one in newest}

    def _line(self, at: int, made: Mapping[int, tuple[int, int]]) -> PeggedEvent:
        match = self._match
        assert match is not None  # noqa: S101 (it has lines)
        event, rev = self._event(at)
        _, side, pegged, *_ = event
        after = match.play.before(at + 1) if at + 1 < self._depth else bytes(match.play.now)
        set_by, points = made.get(rev, (0, pegged))
        return PeggedEvent(rev, *event, points=points, front=after[2 * match.index(side)], set_by=set_by)

    def _check_set_since(self, line: PeggedEvent, corrections: Mapping[int, Correction]) -> None:
        for (kind, side, *_), rev in self._events():
            if rev > line.rev and side == line.side and kind in (SET, FALSE) and rev not in corrections:
                raise OrderError("set", "the score was set since, and no longer depends on that", "set it again", 409)

    def _folded(self, made: Mapping[int, tuple[int, int]], corrections: Mapping[int, Correction]) -> Match:
        """The game with other points; what came after its win does not count."""
        assert self._match is not None  # noqa: S101 (it has lines)
        play = self._match.play
        match = Match(play.target, play.mask, len(play.sides), play.seats[0], (play.skunk, play.double))
        for event, rev in self._events():
            if rev in corrections:
                continue
            points = made[rev][1] if rev in made else event[2]
            changed = (PEG if rev in made else event[0], event[1], points, *event[3:])  # nibs may be none
            try:
                match.check(changed)
                match.apply(rev, changed)
            except Refused:
                continue
        return match
