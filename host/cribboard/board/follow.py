"""Following the match: what is heard is folded into the copy, and what was not heard is asked for."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from cribboard.board.change import Change
from cribboard.board.messages import SAME_VERSION, Event, Known, Standing
from cribboard.board.queries import Queries
from cribboard.errors import WrongBoard
from cribboard_core.events import NEW, REDO, RESTORE, UNDO, Refused


class Mirror:
    """`match` equals the board's, but knows only the events heard since the last full state."""

    def __init__(self, standing: Standing) -> None:
        self.match = standing.match()

    def take(self, standing: Standing) -> None:
        """Take over what the board says."""
        self.match = standing.match()

    def standing(self) -> Standing:
        """How the copy stands."""
        return Standing.of(self.match)

    def fold(self, event: Event) -> bool:
        """Fold the next event; False (and nothing done) when the board must be asked how it stands after it."""
        match = self.match
        if event.rev != match.rev + 1 or event.kind in (NEW, RESTORE):
            return False  # games won go on from a game that may be unknown here
        # The copy has no history from before its last full state, so it cannot tell what these name.
        if event.kind == UNDO and not match.play.depth:
            return False
        if event.kind == REDO and match.play.depth == match.play.top:
            return False
        try:
            match.check(event.as_folded)
        except Refused:
            return False
        match.apply(event.rev, event.as_folded)
        return True


RECENT = 64
NEWEST = 8  # events, of which the board may lose some and make others in their place
KNOWN = 512  # events; more than a journal keeps, so more than undo can name
MOST_ASKED = 64  # questions about events of which each answer brings more


BoardChange = Change[Event | None, Standing]  # without an event: it was not heard, and the board does not keep it


def complete(events: list[Event], after: int, newest: int) -> bool:
    """Whether these are all the events after one up to another."""
    return [event.rev for event in events] == list(range(after + 1, newest + 1))


class Follow:
    """Keeps `mirror` as the board's match is; `on_event` is called with everything that happens, in order.

    `on_doubt` is called when the board says what does not follow from what is known of it, with whether the link may
    be opened again for it: it finds out what the board has lost, and has this `start_over`.
    """

    def __init__(
        self, talk: Queries, known: Known, on_event: Callable[[BoardChange], None], on_doubt: Callable[[bool], None]
    ) -> None:
        self.mirror = Mirror(known.standing)
        self.recent: deque[BoardChange] = deque(maxlen=RECENT)
        self.changes = 0  # how much has happened
        self.changed = True  # something is not noted yet
        self.doubted = False  # another event has come under a number that is known
        self._queries = talk
        self._on_event = on_event
        self._on_doubt = on_doubt
        self._newest = deque(known.events, maxlen=NEWEST)
        self._news: deque[Event] = deque(maxlen=KNOWN)
        self._asked = 0  # since all was known last
        self._revs: dict[int, Event] = {}  # events heard, by the low half of their rev

    @property
    def standing(self) -> Standing:
        """How the copy stands."""
        return self.mirror.standing()

    @property
    def known(self) -> Known:
        """How the copy stands, and its newest events."""
        return Known(self.standing, tuple(self._newest))

    def heard(self, event: Event) -> None:
        """Take an event in; `catch_up` folds it."""
        self.doubted = self.doubted or any(event.rev == known.rev and event != known for known in self._newest)
        self._know([event])
        self._news.append(event)

    def event(self, rev: int) -> Event | None:
        """The event of this number, heard or asked for, without folding it; None when the board does not keep it."""
        known = [event for event in (*self._news, *self._newest) if event.rev == rev and event.kind]
        return next((event for event in known or self._queries.events(rev - 1)[1] if event.rev == rev), None)

    def moved_on(self, standing: Standing) -> None:
        """The board is known to stand like this, however it came there."""
        if standing.rev > self.standing.rev:
            self._news.append(Event(standing.rev))

    def start_over(self, known: Known) -> None:
        """The board has lost events or begun another journal: nothing heard before counts."""
        before = self.standing
        self.mirror.take(known.standing)
        for kept in (self.recent, self._news, self._revs):
            kept.clear()
        self.doubted = False
        self._tell(None, before)
        self._newest = deque(known.events, maxlen=NEWEST)

    def catch_up(self) -> None:
        """Fold what was heard, and ask for what was not."""
        while self._news and not self.doubted:
            event = self._news.popleft()
            before = self.standing
            if event.rev <= before.rev:
                continue
            if self.mirror.fold(event):
                self._tell(event, before)
            elif event.rev == before.rev + 1 and event.kind:
                self._jump(event)
            else:
                self.learn(event.rev)
        self._asked = 0

    def learn(self, rev: int) -> None:
        """Hear of everything up to a rev from the board's journal."""
        self._count()
        before = self.standing.rev
        # One more than is missing, the newest that is known: if it is another one now, the board has lost events and
        # given their numbers away, and what follows must not be folded onto the old ones.
        newest, events = self._queries.events(max(-1, before - 1))
        if events and events[0].rev == before and events[0] != self.known.event(before) and self.known.event(before):
            self._on_doubt(True)
            return
        events = [event for event in events if event.rev > before]
        self._know(events)
        if newest >= rev and complete(events, before, newest):
            self._news.extendleft(reversed(events))
            self.catch_up()
        else:
            self._jump(None)

    def sync(self, *, reopen: bool = True) -> Standing:
        """Ask the board how the match stands, and make the copy stand so; `reopen` as for queries."""
        standing = self._queries.standing(reopen=reopen)
        self.catch_up()
        if self.doubted or standing.rev < self.standing.rev:
            self._on_doubt(reopen)
            self.doubted = False
            self.catch_up()
        elif standing.rev > self.standing.rev:
            self.learn(standing.rev)
        elif standing != self.standing:
            self._on_doubt(reopen)
        return self.standing

    def at_hand(self) -> tuple[Event | None, Event | None]:
        """The event that undo would take back and the one that redo would bring back, None for nothing.

        No host takes back what a board that had lost its events was given back.
        """
        undo, redo = self._queries.last()
        self._know([event for event in (undo, redo) if event is not None])
        return None if undo is not None and undo.kind == RESTORE else undo, redo

    def what_made(self, rev: int) -> BoardChange:
        """What the event `rev` did, which the board says it has made."""
        self.catch_up()
        if self.standing.rev < rev:
            self.learn(rev)
        for change in reversed(self.recent):
            if change.event is not None and change.event.rev == rev:
                return change
        return Change(None, self.standing, self.standing)

    def _jump(self, event: Event | None) -> None:
        """Take over the board's state, after an event that cannot be folded alone or was not heard."""
        self._count()
        before = self.standing
        standing = self._queries.standing()
        self.mirror.take(standing)
        self._tell(event, before)
        # More has happened before the board answered. The state has it already, so it is reported and not folded.
        if event is not None and standing.rev > event.rev:
            _, events = self._queries.events(event.rev)
            events = [later for later in events if later.rev <= standing.rev]
            self._know(events)
            for later in events if complete(events, event.rev, standing.rev) else [None]:
                self._tell(later, standing)

    def _count(self) -> None:
        self._asked += 1
        if self._asked > MOST_ASKED:
            self._asked = 0
            self._news.clear()
            raise WrongBoard("the board sends events without end", SAME_VERSION)

    def _tell(self, event: Event | None, before: Standing) -> None:
        about = self._revs.get(event.b) if event is not None and event.kind in (UNDO, REDO) else None
        change: BoardChange = Change(event, before, self.standing, about)
        self.changed = True
        self.changes += 1
        if event is None or (self._newest and self._newest[-1].rev != event.rev - 1):
            self._newest.clear()
        if event is not None:
            self._newest.append(event)
        self.recent.append(change)
        self._on_event(change)

    def _know(self, events: list[Event]) -> None:
        for event in events:
            self._revs[event.rev & 0xFFFF] = event
            if len(self._revs) > KNOWN:
                del self._revs[next(iter(self._revs))]
