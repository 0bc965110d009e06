"""A game folded from its events, with the core: the pegs after each event, and which events still count.

Where events are missing the pegs are not known until the board has said how it stood; nothing is made up.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace

from cribboard.board.change import Change
from cribboard.board.messages import Corrected, Event, Standing
from cribboard.store.stored import Position, Setup, StoredEvent
from cribboard_core.events import NEW, PEG, REDO, RESTORE, UNDO, Refused
from cribboard_core.match import Match

GameChange = Change[StoredEvent, Position | None]  # None where a state is not known


class Fold:
    """Folds the events of one game in order; `survivors` are those that were not taken back.

    `others` are the games that started meanwhile, each as epoch and low half of its number. `first`: the game is the
    one with which a new board starts, without an event.
    """

    def __init__(self, setup: Setup, others: Collection[tuple[int, int]] = (), *, first: bool = False) -> None:
        self.setup = setup
        self._others = others
        self._first = first
        self.survivors: list[StoredEvent] = []
        self.lines: dict[tuple[int, int], Corrected] = {}  # those that are corrected, by their epoch and rev
        self.sets: dict[tuple[int, int], Corrected] = {}  # by the event that set the score for it, undone or not
        self.late = False  # whether a line was corrected when the game was over
        self._restored = False
        self.whole = True  # nothing is missing, and the board said the same
        self._match: Match | None = None
        self._epoch = -1
        self._known: dict[int, GameChange] = {}  # by the low half of the rev
        self._gone: dict[int, StoredEvent] = {}  # taken back, and may come again

    def changes(self, events: Iterable[StoredEvent], missing: Collection[tuple[int, int]] = ()) -> Iterator[GameChange]:
        """What each event has changed; before each (epoch, rev) in `missing`, events were not heard."""
        before: Position | None = None  # as far as it was known last
        last: Position | None = None
        for kept in events:
            gap = (kept.epoch, kept.rev) in missing or not kept.kind
            if gap:
                # Behind a gap the match is not known until the board has said how it stands.
                self.whole, self._match = False, None
            about = self._fold(kept, gap)
            position = self._position()
            before = position or (None if about else before)  # what an undo leads to may not be known at all
            if kept.position is not None and kept.position != position:
                # What the board said outweighs the fold. Other pegs mean that something is missing; with the same pegs
                # only the dealer or the winner was not known.
                self.whole = self.whole and (before or kept.position).pegs == kept.position.pegs
                self._match = kept.position.standing(self.setup, kept.rev).match()
                before = position = kept.position
            change = self._known[kept.rev & 0xFFFF] = Change(kept, None if gap else last, position, about)
            last = position
            yield change

    def correct(self, corrected: Iterable[tuple[int, int, Corrected]]) -> None:
        """Take in corrected lines, oldest first: each with its epoch and the event that set the score for it, or 0.

        One whose event was taken back does not count.
        """
        standing = {(kept.epoch, kept.rev) for kept in self.survivors}
        for epoch, set_by, line in corrected:
            if set_by:
                self.sets[epoch, set_by] = line
            if (epoch, line.rev) in standing and (not set_by or (epoch, set_by) in standing):
                self.lines[epoch, line.rev] = line
                self.late = self.late or not set_by

    def counted(self) -> list[StoredEvent]:
        """The events that count, corrected lines with their points, without the scores that were set for them."""
        rows = [kept for kept in self.survivors if (kept.epoch, kept.rev) not in self.sets]
        lines = [self.lines.get((kept.epoch, kept.rev)) for kept in rows]
        return [replace(kept, a=line.points) if line else kept for kept, line in zip(rows, lines, strict=True)]

    def ended(self) -> Position | None:
        """How the game stands with corrected lines, had they been right at once; None if that cannot be known."""
        setup = self.setup
        match = Match(setup.target, setup.mask, setup.count, setup.seats[0], (setup.skunk, setup.double))
        if not self.whole or self._restored:
            return None
        for kept in self.counted():
            kind, *rest = kept.as_folded
            event = (PEG if (kept.epoch, kept.rev) in self.lines else kind, *rest)  # nibs may be none
            try:
                match.check(event)
            except Refused:
                continue  # it came after the win
            match.apply(kept.rev, event)
        return Position.of(Standing.of(match))

    def _fold(self, kept: StoredEvent, gap: bool) -> Event | None:
        # An undo names its event by the low half of a rev, and each journal numbers its own.
        if kept.epoch != self._epoch:
            self._epoch = kept.epoch
            self._known.clear()
            self._gone.clear()
        if kept.kind == NEW or (self._first and not gap):
            self._begin(kept)
        self._first = False
        if kept.kind == RESTORE:
            self._match, self._restored = None, True
        elif kept.kind in (UNDO, REDO):
            named = self._known.get(kept.b)
            about = named.event if named else None
            self._step(kept, about)
            if self._match is None and named is not None:  # nothing before a state that was given can be undone from it
                known = named.after if kept.kind == REDO else named.before
                self._match = known.standing(self.setup, kept.rev).match() if known else None
            return about
        elif kept.kind not in (0, NEW):
            self.survivors.append(kept)
            self._gone.clear()
            self._apply(kept)
        return None

    def _begin(self, event: Event) -> None:
        setup = self.setup
        dealer = event.side if event.kind == NEW else setup.seats[0]
        try:
            self._match = Match(setup.target, setup.mask, setup.count, dealer, (setup.skunk, setup.double))
        except Refused:
            return
        self._match.play.rev = event.rev

    def _step(self, kept: StoredEvent, about: StoredEvent | None) -> None:
        if about is not None and about.kind == NEW:
            return  # it led to the game before, and another led back
        if about is not None and about.kind == RESTORE:
            self._match = None
            return
        if kept.kind == UNDO and about in self.survivors:
            self.survivors.remove(about)
            self._gone[kept.b] = about
        elif kept.kind == REDO and kept.b in self._gone:
            self.survivors.append(self._gone.pop(kept.b))
        elif (kept.epoch, kept.b) in self._others:
            return  # it took back another game, or brought it back
        self._apply(kept)

    def _apply(self, event: Event) -> None:
        if self._match is None:
            return
        try:
            self._match.check(event.as_folded)
        except Refused:
            self._match = None
        else:
            self._match.apply(event.rev, event.as_folded)

    def _position(self) -> Position | None:
        return None if self._match is None else Position.of(Standing.of(self._match))
