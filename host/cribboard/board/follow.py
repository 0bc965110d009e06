"""Following the match: what is heard is folded into the copy, and what was not heard is asked for."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from cribboard.board.answers import SAME_VERSION, Row, Standing
from cribboard.board.mirror import Mirror
from cribboard.board.talk import Talk
from cribboard.errors import WrongBoard
from cribboard_core.events import REDO, UNDO

RECENT = 64
KNOWN = 512  # events; more than a journal keeps, so more than undo can name
MOST_ASKED = 64  # questions about events of which each answer brings more


@dataclass(frozen=True)
class Happened:
    """An event, and the match before and after it. `about` is the event that an undo or redo acted on, if known.

    Without a `row` something happened that was not heard and that the board does not keep.
    """

    row: Row | None
    before: Standing
    after: Standing
    about: tuple[int, ...] | None = None


def whole(rows: list[Row], after: int, newest: int) -> bool:
    """Whether these are all the events after one up to another."""
    return [row.rev for row in rows] == list(range(after + 1, newest + 1))


class Follow:
    """Keeps `mirror` as the board's match is; `on_event` is called with everything that happens, in order."""

    def __init__(self, talk: Talk, standing: Standing, on_event: Callable[[Happened], None]) -> None:
        self.mirror = Mirror(standing)
        self.recent: deque[Happened] = deque(maxlen=RECENT)
        self.told = 0  # how much has happened
        self.changed = True  # something is not noted yet
        self._talk = talk
        self._on_event = on_event
        self._news: deque[Row] = deque(maxlen=KNOWN)
        self._asked = 0  # since all was known last
        self._revs: dict[int, tuple[int, ...]] = {}  # events heard, by the low half of their rev

    @property
    def standing(self) -> Standing:
        """How the copy stands."""
        return self.mirror.standing()

    def heard(self, row: Row) -> None:
        """Take an event in; `catch_up` folds it."""
        self._know([row])
        self._news.append(row)

    def moved_on(self, standing: Standing) -> None:
        """The board is known to stand like this, however it came there."""
        if standing.rev > self.standing.rev:
            self._news.append(Row(standing.rev, 0, 0, 0, 0, 0))

    def start_over(self, standing: Standing) -> None:
        """The board has begun a new journal: nothing heard before counts."""
        self.mirror.take(standing)
        self._news.clear()
        self._revs.clear()
        self.changed = True

    def catch_up(self) -> None:
        """Fold what was heard, and ask for what was not."""
        while self._news:
            row = self._news.popleft()
            before = self.standing
            if row.rev <= before.rev:
                continue
            if self.mirror.fold(row):
                self._tell(row, before)
            elif row.rev == before.rev + 1 and row.kind:
                self._jump(row)
            else:
                self.learn(row.rev)
        self._asked = 0

    def learn(self, rev: int) -> None:
        """Hear of everything up to a rev from the board's journal."""
        self._count()
        before = self.standing.rev
        newest, rows = self._talk.events(before)
        self._know(rows)
        if newest >= rev and whole(rows, before, newest):
            self._news.extendleft(reversed(rows))
            self.catch_up()
        else:
            self._jump(None)

    def sync(self, *, anew: bool = False) -> Standing:
        """Ask the board how the match stands, and make the copy stand so; with `anew` over the link as it is."""
        standing = self._talk.standing(anew=anew)
        self.catch_up()
        if standing.rev > self.standing.rev:
            self.learn(standing.rev)
        elif standing.rev == self.standing.rev and standing != self.standing:
            self.mirror.take(standing)
            self.changed = True
        return self.standing

    def at_hand(self) -> tuple[Row | None, Row | None]:
        """The event that undo would take back and the one that redo would bring back, None for nothing."""
        found = self._talk.last()
        self._know([row for row in found if row is not None])
        return found

    def what_made(self, rev: int) -> Happened:
        """What the event `rev` did, which the board says it has made."""
        self.catch_up()
        if self.standing.rev < rev:
            self.learn(rev)
        for happened in reversed(self.recent):
            if happened.row is not None and happened.row.rev == rev:
                return happened
        return Happened(None, self.standing, self.standing)

    def _jump(self, row: Row | None) -> None:
        """Take over the board's state, after an event that cannot be folded alone or was not heard."""
        self._count()
        before = self.standing
        standing = self._talk.standing()
        self.mirror.take(standing)
        self._tell(row, before)
        if row is not None and standing.rev > row.rev:
            _, rows = self._talk.events(row.rev)
            rows = [later for later in rows if later.rev <= standing.rev]
            self._know(rows)
            for later in rows if whole(rows, row.rev, standing.rev) else [None]:
                self._tell(later, standing)

    def _count(self) -> None:
        self._asked += 1
        if self._asked > MOST_ASKED:
            self._asked = 0
            self._news.clear()
            raise WrongBoard("the board's events do not come to an end", SAME_VERSION)

    def _tell(self, row: Row | None, before: Standing) -> None:
        about = self._revs.get(row.b) if row is not None and row.kind in (UNDO, REDO) else None
        happened = Happened(row, before, self.standing, about)
        self.changed = True
        self.told += 1
        self.recent.append(happened)
        self._on_event(happened)

    def _know(self, rows: list[Row]) -> None:
        for row in rows:
            self._revs.pop(row.rev & 0xFFFF, None)
            self._revs[row.rev & 0xFFFF] = row.event
            if len(self._revs) > KNOWN:
                del self._revs[next(iter(self._revs))]
