"""A game folded from its events, with the core: the pegs after each event, and which events still count.

Where events are missing the pegs are not known until the board has said how it stood; nothing is made up.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime

from cribboard.board.answers import Row, Standing
from cribboard.errors import WrongBoard
from cribboard_core.events import NEW, REDO, RESTORE, UNDO, Refused, seats_of
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


@dataclass(frozen=True)
class Note:
    """What the host knows about an event and the board does not keep."""

    cards: str = ""
    starter: str = ""
    by: str = ""
    text: str = ""
    at: datetime | None = None


@dataclass(frozen=True)
class Stood:
    """The pegs (front and back of each side in hex), the dealer and the winner after an event."""

    pegs: str
    dealer: int
    winner: int

    @classmethod
    def of(cls, standing: Standing) -> Stood:
        return cls(standing.pegs(), standing.dealer, standing.winner)

    @property
    def fronts(self) -> tuple[int, ...]:
        return tuple(bytes.fromhex(self.pegs)[0::2])

    @property
    def backs(self) -> tuple[int, ...]:
        return tuple(bytes.fromhex(self.pegs)[1::2])

    def fits(self, setup: Setup) -> bool:
        """Whether a game with this setup can have this state."""
        told = [setup.target, setup.mask, setup.count, self.dealer, setup.skunk, setup.double, self.winner]
        try:
            Standing.read([0, 0, *told, self.pegs, [0] * setup.count])
        except WrongBoard:
            return False
        return True

    def standing(self, setup: Setup, rev: int = 0) -> Standing:
        """The state as a board reports it, with no games won."""
        told = (setup.target, setup.mask, setup.count, self.dealer, setup.skunk, setup.double, self.winner)
        return Standing(rev, 0, *told, self.fronts, self.backs, (0,) * setup.count)


@dataclass(frozen=True)
class Kept:
    """An event as stored, of `kind` 0 if it was not heard. `stood` is the state that the board reported after it."""

    epoch: int
    row: Row
    note: Note
    stood: Stood | None


@dataclass(frozen=True)
class Step:
    """An event and the state after it, None if unknown. `about` is the event that an undo or redo acted on."""

    kept: Kept
    stood: Stood | None
    match: Match | None  # which goes on with the next step
    about: Row | None
    gap: bool  # events are missing before it


class Fold:
    """Folds the events of one game in order; `survivors` are those that were not taken back.

    `others` are the games that started meanwhile, each as epoch and low half of its number. `first`: the game is the
    one with which a new board starts, without an event.
    """

    def __init__(self, setup: Setup, others: Collection[tuple[int, int]] = (), *, first: bool = False) -> None:
        self.setup = setup
        self._others = others
        self._first = first
        self.survivors: list[Kept] = []
        self.whole = True  # nothing is missing, and the board said the same
        self._match: Match | None = None
        self._epoch = -1
        self._known: dict[int, Kept] = {}  # by the low half of the rev
        self._gone: dict[int, Kept] = {}  # taken back, and may come again

    def steps(self, events: Iterable[Kept], missing: Collection[tuple[int, int]] = ()) -> Iterator[Step]:
        """The step of each event; before each (epoch, rev) in `missing`, events were not heard."""
        before: Stood | None = None
        for kept in events:
            gap = (kept.epoch, kept.row.rev) in missing or not kept.row.kind
            if gap:
                self.whole, self._match = False, None
            about = self._fold(kept, gap)
            stood = self._stood()
            if kept.stood is not None and kept.stood != stood:
                self.whole = self.whole and (stood or before or kept.stood).pegs == kept.stood.pegs
                self._match = kept.stood.standing(self.setup, kept.row.rev).match()
                stood = kept.stood
            before = stood or before
            yield Step(kept, stood, self._match, about, gap)

    def _fold(self, kept: Kept, gap: bool) -> Row | None:
        row = kept.row
        if kept.epoch != self._epoch:
            self._epoch = kept.epoch
            self._known.clear()
            self._gone.clear()
        self._known[row.rev & 0xFFFF] = kept
        if row.kind == NEW or (self._first and not gap):
            self._begin(row)
        self._first = False
        if row.kind == RESTORE:
            self._match = None
        elif row.kind in (UNDO, REDO):
            found = self._known.get(row.b)
            self._step(kept, found)
            return found.row if found else None
        elif row.kind not in (0, NEW):
            self.survivors.append(kept)
            self._gone.clear()
            self._apply(row)
        return None

    def _begin(self, row: Row) -> None:
        setup = self.setup
        dealer = row.side if row.kind == NEW else setup.seats[0]
        try:
            self._match = Match(setup.target, setup.mask, setup.count, dealer, (setup.skunk, setup.double))
        except Refused:
            return
        self._match.play.rev = row.rev

    def _step(self, kept: Kept, found: Kept | None) -> None:
        row = kept.row
        if found is not None and found.row.kind == NEW:
            return  # it led to the game before, and another led back
        if found is not None and found.row.kind == RESTORE:
            self._match = None
            return
        if row.kind == UNDO and found in self.survivors:
            self.survivors.remove(found)
            self._gone[row.b] = found
        elif row.kind == REDO and row.b in self._gone:
            self.survivors.append(self._gone.pop(row.b))
        elif (kept.epoch, row.b) in self._others:
            return  # it took back another game, or brought it back
        self._apply(row)

    def _apply(self, row: Row) -> None:
        if self._match is None:
            return
        try:
            self._match.check(row.event)
        except Refused:
            self._match = None
        else:
            self._match.apply(row.rev, row.event)

    def _stood(self) -> Stood | None:
        return None if self._match is None else Stood.of(Standing.of(self._match))
