"""A game folded from its events, with the core: the pegs after each event, and which events still count.

Where events are missing the pegs are not known until the board has said how it stood; nothing is made up.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime

from sqlalchemy import Connection, select

from cribboard.board.change import Change
from cribboard.board.messages import Corrected, Event, Standing
from cribboard.errors import WrongBoard
from cribboard.store.schema import BEGIN, GameRow, corrections
from cribboard.typed import DAMAGE, WORD, as_field, as_object, as_whole
from cribboard_core.events import NEW, PEG, REDO, RESTORE, UNDO, Refused, seats_of
from cribboard_core.match import Match


@dataclass(frozen=True)
class Setup:
    """A game's target, places, sides and skunk lines."""

    target: int
    mask: int
    count: int
    skunk: int
    double: int

    @property
    def seats(self) -> tuple[int, ...]:
        """The places that play."""
        return seats_of(self.mask)

    @property
    def sides(self) -> tuple[int, ...]:
        """The first place of each side, which is the side's number."""
        return self.seats[: self.count]

    def side_of(self, place: int) -> int:
        """The side for which a place plays."""
        return self.sides[self.seats.index(place) % self.count]

    def game(self, board: str, dealer: int | None, began: datetime) -> GameRow:
        """The row of a game that begins."""
        return GameRow(
            board=board,
            target=self.target,
            mask=self.mask,
            sides=self.count,
            skunk=self.skunk,
            double_skunk=self.double,
            dealer=dealer,
            began=began,
            heard=began,
            pegs="0000" * self.count,
        )


POSITION = ("pegs", "dealer", "winner")


@dataclass(frozen=True)
class Position:
    """The pegs (front and back of each side in hex), the dealer and the winner after an event."""

    pegs: str
    dealer: int
    winner: int

    @classmethod
    def of(cls, standing: Standing) -> Position:
        return cls(standing.pegs(), standing.dealer, standing.winner)

    @property
    def fronts(self) -> tuple[int, ...]:
        return tuple(bytes.fromhex(self.pegs)[0::2])

    @property
    def backs(self) -> tuple[int, ...]:
        return tuple(bytes.fromhex(self.pegs)[1::2])

    def fits(self, setup: Setup) -> bool:
        """Whether a game with this setup can have this state."""
        state = [setup.target, setup.mask, setup.count, self.dealer, setup.skunk, setup.double, self.winner]
        try:
            Standing.read([0, 0, *state, self.pegs, [0] * setup.count])
        except WrongBoard:
            return False
        return True

    def standing(self, setup: Setup, rev: int = 0) -> Standing:
        """The state as a board reports it, with no games won."""
        state = (setup.target, setup.mask, setup.count, self.dealer, setup.skunk, setup.double, self.winner)
        return Standing(rev, 0, *state, self.fronts, self.backs, (0,) * setup.count)


@dataclass(frozen=True, kw_only=True)
class StoredEvent(Event):
    """An event as stored, of `kind` 0 if it was not heard. `position` is what the board reported after it."""

    board: str
    epoch: int
    position: Position | None = field(default=None, compare=False)
    since: datetime = field(default=BEGIN, compare=False)  # when the board was first heard to have it
    seen: datetime = field(default=BEGIN, compare=False)  # and when last
    said: datetime | None = field(default=None, compare=False)  # when the board said its `position` last

    @classmethod
    def of(cls, event: Event, board: str, epoch: int, heard: datetime) -> StoredEvent:
        """An event that a board was heard to have at a moment."""
        return cls(**vars(event), board=board, epoch=epoch, since=heard, seen=heard)

    def columns(self) -> dict[str, object]:
        """Its columns in `events`."""
        heard = {"since": self.since, "seen": self.seen, "stood": self.said if self.position else None}
        where = {"board": self.board, "epoch": self.epoch, "rev": self.rev, "number": self.game}
        event = dict(zip(("kind", "side", "a", "b", "c"), self.as_folded, strict=True))
        said = {"cards": self.cards, "starter": self.starter, "who": self.by, "text": self.text, "at": self.at}
        position = vars(self.position) if self.position else dict.fromkeys(POSITION)
        return {**where, **event, "session": self.session, "command": self.id, **said, **position, **heard}


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
            if kept.position is not None and kept.position != position:
                # What the board said outweighs the fold. Other pegs mean that something is missing; with the same pegs
                # only the dealer or the winner was not known. What an undo leads to may not be known at all.
                expected = position or (None if about else before) or kept.position
                self.whole = self.whole and expected.pegs == kept.position.pegs
                self._match = kept.position.standing(self.setup, kept.rev).match()
                position = kept.position
            change = self._known[kept.rev & 0xFFFF] = Change(kept, None if gap else last, position, about)
            before, last = position or before, position
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


# Scores that were corrected where they stand: a correction names the event, its points before and after, and the event
# by which the board was set to them, 0 for a game that was over.
SCORE = "score"


def line_entries(epoch: int, line: Corrected, set_by: int) -> dict[str, str]:
    """The `before` and `after` of a correction."""
    before = {"epoch": epoch, "rev": line.rev, "points": line.was}
    return {"before": json.dumps(before), "after": json.dumps({"points": line.points, "set": set_by})}


def corrected_lines(connection: Connection, epochs: Collection[int]) -> list[tuple[int, int, Corrected]]:
    """The corrected lines of these journals, oldest first, each with its epoch and the event that set the score."""
    lines: list[tuple[int, int, Corrected]] = []
    rows = select(corrections).where(corrections.c.what == SCORE).order_by(corrections.c.at, corrections.c.id)
    for row in connection.execute(rows):
        try:
            before, after = as_object(json.loads(row.before)), as_object(json.loads(row.after))
            epoch, rev, was = (as_field(before, name, as_whole, WORD) for name in ("epoch", "rev", "points"))
            set_by, points = (as_field(after, name, as_whole, WORD) for name in ("set", "points"))
        except DAMAGE:
            continue  # a disk may have changed it
        if epoch in epochs:
            lines.append((epoch, set_by, Corrected(rev, was, points, row.who)))
    return sorted(lines, key=lambda one: one[1] or 1 << 32)  # a clock may have been put right meanwhile
