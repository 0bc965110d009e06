"""A table of a house: the real keeper and journal play games, and what they say goes into the history."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from faults import evening
from firmware.keeping import finished

from cribboard.board.messages import Event, Standing
from cribboard.sim.flash import Flash
from cribboard.store import Store
from cribboard.store.report import Report
from cribboard_core.events import PEG, RESTORE
from cribboard_core.journal import Journal
from cribboard_core.match import Match
from cribboard_fw.keeper import Keeper

UID = "e6614c311b4f2a2f"
ANN_AND_BOB = {0: "Ann", 1: "Bob"}


class Clock:
    """A clock that tests move."""

    def __init__(self, at: datetime = datetime(2026, 3, 2, 20, 0, tzinfo=UTC)) -> None:
        self.at = at

    def __call__(self) -> datetime:
        return self.at

    def go(self, **time: float) -> None:
        self.at += timedelta(**time)


class Table:
    """A board with its journal, its history, and what has happened there that the history was not told yet."""

    def __init__(
        self, store: Store | None = None, names: Mapping[int, str] = ANN_AND_BOB, uid: str = UID, epoch: int = 7
    ) -> None:
        self.store = store
        self.names = dict(names)
        self.uid = uid
        self.session, self.id = 1, 0
        self.news: list[Event] = []
        self.begin(epoch)

    def begin(self, epoch: int) -> None:
        """A board whose journal is empty."""
        self.epoch = epoch
        self.match = Match()
        journal = Journal(Flash())  # type: ignore[arg-type]
        journal.mount(self.match, epoch)
        self.keeper = Keeper(self.match, journal, self._happened)

    def _happened(self, rev: int, event: tuple[int, ...], session: int, command: int) -> None:
        self.news.append(Event(rev, *event, session, command, self.match.game))

    @property
    def standing(self) -> Standing:
        return Standing.of(self.match)

    def do(self, op: str, *args: object) -> Event:
        """A host's command, told to the history at once."""
        self.session, self.id = (self.session, self.id + 1) if self.id < 255 else (self.session + 1, 1)
        answer = finished(self.keeper, [op, self.session, self.id, *args])
        assert answer[0] == "ok", (op, args, answer)
        event = self.news[-1]
        self.tell()
        return event

    def press(self, side: int, points: int) -> Event:
        """A score by buttons, told to the history at once."""
        self.keeper.do((PEG, side, points, 0, 0))
        event = self.news[-1]
        self.tell()
        return event

    def new(self, target: int = 121, mask: int = 3, sides: int = 2, dealer: int = 0) -> int:
        """A new game; gives its number."""
        return self.do("new", self.match.rev, target, mask, sides, dealer, -1, -1).rev

    def undo(self) -> Event:
        return self.do("undo", self.match.undo_event()[3])

    def redo(self) -> Event:
        return self.do("redo", self.match.redo_event()[3])

    def restore(self, standing: Standing) -> Event:
        """The board is given a state."""
        event = self.do("restore", self.match.rev, *standing.setup(), standing.pegs(), list(standing.won))
        assert event.kind == RESTORE
        return event

    def win(self, side: int, other: int = 0, loser: int = 1) -> None:
        """A game begins, and is won over a side with so many points."""
        self.new()
        if other:
            self.do("set", 1 - side if loser == 1 else loser, other, 0)
        self.do("set", side, 121, 100)

    def play(self, games: list[tuple[int, int]], seed: int = 1, slips: float = 0.1) -> None:
        """Whole games with real cards; each is (players, teams)."""
        for op, *args in evening.games(self.match, games, seed, slips):
            self.do(str(op), *args)

    def tell(self, **known: Any) -> None:
        """Tell the history what it has not heard, and what the host knows of the newest of it."""
        if self.store is not None:
            news, self.news = self.news, []
            news[-1:] = [replace(event, **known) for event in news[-1:]]
            self.store.keep(Report(self.uid, self.epoch, news, self.standing, self.names))

    def away(self) -> list[Event]:
        """What happened while no history listened, from here on."""
        news, self.news = self.news, []
        return news

    def journal(self, after: int = -1) -> list[Event]:
        """What the journal still holds."""
        records = self.keeper.journal.records(after)
        return [Event(rev, *event, session, command, game) for rev, event, session, command, game in records]


def joined(table: Table, clock: Clock) -> Event:
    """The beginning of a board's second game, not told yet, so that its points seem to belong to the first one."""
    store = table.store
    table.new()
    table.do("peg", 0, 5)
    table.begin(8)
    table.store = None
    table.new()
    (begin,) = table.away()
    clock.go(minutes=1)
    table.store = store
    table.do("peg", 1, 3)
    return begin
