"""Writes what a board reports: events, standing, players. What is missing is a gap until it comes."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import datetime
from types import SimpleNamespace
from typing import Any

from sqlalchemy import ColumnElement, Connection, and_, delete, func, insert, select, update

from cribboard.board.messages import Row, Standing
from cribboard.errors import WrongBoard
from cribboard.store.fold import Note, Stood
from cribboard.store.games import Games
from cribboard.store.schema import boards, corrections, events, spans
from cribboard_core.events import DEAL, KINDS, NEW, REDO, RESTORE, SET, UNDO

# Which game each event of a board belongs to, following new games and undo and redo between them.


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


BOARD, LOST = "the board", "event lost"  # whose correction it is, and what
JOURNAL = 400  # events, more than one holds
ELSEWHERE = (NEW, RESTORE, UNDO, REDO, DEAL)  # what a game can begin with, or what leaves it unscored
FOLLOWED = ("rev", "number", "earlier", "undone", "kind")  # of a thread
EVENT = ("kind", "side", "a", "b", "c", "session", "command")  # what tells one from another of its number
MOST_TEXT = {"cards": 12, "starter": 2, "who": 60, "text": 500}
Values = dict[str, Any]


class Keeping:
    """One transaction with the reports of the board `uid` from its journal `epoch`, at `now`."""

    def __init__(self, connection: Connection, uid: str, epoch: int, now: datetime) -> None:
        self.connection = connection
        self.uid = uid
        self.epoch = epoch
        self.now = now
        self.known = connection.execute(select(boards).where(boards.c.uid == uid)).one_or_none()
        self.games = Games(connection, uid, epoch, now)
        self._belongs: dict[int, int | None] = {}  # the events whose game is another than was written, by rev
        self._hit: set[int] = set()  # games that have lost events
        self._here = and_(events.c.board == uid, events.c.epoch == epoch)

    def keep(
        self,
        newest: int,
        rows: Sequence[Row],
        standing: Standing,
        names: Mapping[int, str],
        notes: Mapping[int, Note],
        lost: bool,
    ) -> None:
        """Write everything that a board has reported."""
        known: Any = self.known
        same = known is not None and known.epoch == self.epoch
        live = lost or not same or newest >= known.rev
        if lost:
            self._lose(self._here & (events.c.rev > newest), {})
        new, mended = self._take(newest, rows, standing, notes, lost)
        plain = same and not lost and not self._hit and not mended and min(new, default=known.rev + 1) == known.rev + 1
        self.games.was = _was(known) if known else None
        if plain:
            thread = Thread(*(getattr(known, name) for name in FOLLOWED))
            touched = self._place(thread, {rev: SimpleNamespace(**row) for rev, row in new.items()}, standing)
            self._write([{**row, "game": self._belongs.get(rev)} for rev, row in new.items()])
        else:
            self._write([{**row, "game": None} for row in new.values()])
            thread, around = self._thread(min(new.keys() | mended, default=0), standing)
            window = self._window(thread, new.keys() | mended)
            touched = self._place(thread, window, standing)
            around |= {row.game for row in window.values() if row.game is not None}
            touched |= around | self._hit  # a gap of theirs may have been filled
            self._move()
        game = self.games.of(standing.game, standing)
        if not live:
            self.games.over(touched, known.game)
        elif game is not None:
            if touched - {game} or known is None or known.game != game:
                self.games.over(touched, game)
            self.games.stands(game, standing, names, played=bool(new or mended))
            self._note(thread, game, standing)
        on = game if live else known.game
        heard = sum(1 for row in new.values() if row["kind"])
        if on is not None and not (plain and heard == max(new, default=known.rev) - known.rev):
            self.games.add_up(on)

    def _take(
        self, newest: int, rows: Iterable[Row], standing: Standing, notes: Mapping[int, Note], lost: bool
    ) -> tuple[dict[int, Values], set[int]]:
        """The new events, by rev, and the revs of gaps that are now filled."""
        given = {row.rev: row for row in rows}
        if newest:
            given.setdefault(newest, Row(newest, 0, 0, 0, 0, 0))
        if not given:
            return {}, set()
        had = self._had(given)
        if self._lose_line(given, had, lost):
            had = self._had(given)
        stood = Stood.of(standing)
        told = {"number": standing.game, "pegs": stood.pegs, "dealer": stood.dealer, "winner": stood.winner}
        untold: Values = dict.fromkeys(told)
        new, mended = {}, set()
        for rev, row in given.items():
            values = event_values(row, notes.get(rev, Note()), self.now)
            after = told if rev == newest else untold
            if rev not in had:
                new[rev] = {"board": self.uid, "epoch": self.epoch, "rev": rev, **values, **after}
                continue
            more = dict(told) if rev == newest else {}
            if row.kind and not had[rev].kind:
                mended.add(rev)
                more |= values
            elif rev in notes:
                more |= {name: values[name] for name in MOST_TEXT}
            if more:
                self.connection.execute(update(events).where(self._here, events.c.rev == rev).values(**more))
        return new, mended

    def _had(self, given: Mapping[int, Row]) -> dict[int, Any]:
        """The stored events, by rev."""
        between = events.c.rev.between(min(given), max(given))
        return {row.rev: row for row in self.connection.execute(select(events).where(self._here, between))}

    def _lose_line(self, given: Mapping[int, Row], had: Mapping[int, Any], lost: bool) -> bool:
        """Remove what followed an event that the board has lost, and the states; returns whether one was lost.

        The first stored event that differs from the given one was lost, and all after it that does not come again.
        """
        both = [(had[rev], row) for rev, row in sorted(given.items()) if row.kind and rev in had]
        first = next((row.rev for was, row in both if (was.kind or lost) and not _is_same(was, row)), None)
        if first is None:
            return False
        same = {row.rev for was, row in both if _is_same(was, row)}
        for rev in self.connection.execute(select(events.c.rev).where(self._here, events.c.rev >= first)).scalars():
            if rev not in same:
                instead = _event(_of(given[rev])) if rev in given and given[rev].kind else {}
                self._lose(self._here & (events.c.rev == rev), instead)
        stale = update(events).where(self._here, events.c.rev >= first)
        self.connection.execute(stale.values(number=None, pegs=None, dealer=None, winner=None))
        return True

    def _lose(self, which: ColumnElement[bool], instead: Values) -> None:
        """Remove events that the board no longer has, with a correction; `instead` is the event that replaces them."""
        for row in self.connection.execute(select(events).where(which)).all():
            if row.game is not None:
                self._hit.add(row.game)
            if row.kind:
                before = _event([getattr(row, name) for name in EVENT])
                said = {"before": json.dumps(before), "after": json.dumps(instead)}
                trace = insert(corrections).values(at=self.now, who=BOARD, what=LOST, game=row.game, **said)
                self.connection.execute(trace)
            begun = and_(spans.c.board == self.uid, spans.c.epoch == self.epoch, spans.c.number == row.rev)
            self.connection.execute(delete(spans).where(begun))
        self.connection.execute(delete(events).where(which))

    def _write(self, rows: list[Values]) -> None:
        if rows:
            self.connection.execute(insert(events), rows)

    def _thread(self, first: int, standing: Standing) -> tuple[Thread, set[int]]:
        """The thread from the last score before the event `first`, and the games that are on there.

        After a score no undo or redo can lead to another game.
        """
        if not first:
            return Thread(standing.rev, standing.game), set()
        score = and_(events.c.rev < first, events.c.kind.not_in((0, *ELSEWHERE)))
        found = select(events.c.rev, events.c.game).where(self._here, score).order_by(events.c.rev.desc()).limit(1)
        row = self.connection.execute(found).one_or_none()
        if row is None:
            return Thread(0, 0), set()
        if row.game is None:
            return Thread(row.rev), set()
        return Thread(row.rev, self.games.number(row.game, row.rev)), {row.game}

    def _window(self, thread: Thread, new: Set[int]) -> dict[int, Any]:
        """The events after the thread's start, up to the first one that no new event can affect."""
        if not new:
            return {}
        told = and_(self._here, events.c.rev > max(new), events.c.number.is_not(None))
        last = self.connection.execute(select(func.min(events.c.rev)).where(told)).scalar()
        span = events.c.rev.between(thread.rev + 1, max(new) if last is None else last)
        order = select(events).where(self._here, span).order_by(events.c.rev)
        return {row.rev: row for row in self.connection.execute(order)}

    def _place(self, thread: Thread, found: Mapping[int, Any], standing: Standing) -> set[int]:
        """Find the game of each event; returns the games that have gained or lost an event."""
        touched = set()
        self._belongs = {}
        followed = [Told(rev, row.kind, row.b, row.number) for rev, row in sorted(found.items())]
        for rev, number in sorted(thread.follow(followed)):
            begin = None if number is None else found.get(number)
            game = None if number is None else self.games.of(number, standing, begin)
            had = getattr(found[rev], "game", None)
            if game != had:
                self._belongs[rev] = game
                touched |= {each for each in (game, had) if each is not None}
        return touched

    def _move(self) -> None:
        """Write the games that were found for events."""
        for rev, game in self._belongs.items():
            self.connection.execute(update(events).where(self._here, events.c.rev == rev).values(game=game))

    def _note(self, thread: Thread, game: int | None, standing: Standing) -> None:
        values: dict[str, Any] = {
            "epoch": self.epoch,
            "rev": max(standing.rev, thread.rev),
            "game": game,
            "number": thread.number,
            "earlier": thread.earlier,
            "undone": thread.undone,
            "kind": thread.kind,
            "standing": json.dumps(standing.told()),
            "heard": self.now,
        }
        if self.known is None:
            self.connection.execute(insert(boards).values(uid=self.uid, **values))
        else:
            self.connection.execute(update(boards).where(boards.c.uid == self.uid).values(**values))


def _event(values: Sequence[Any]) -> Values:
    """An event for a correction."""
    return {**dict(zip(EVENT, values, strict=True)), "kind": KINDS[values[0]]}


def _of(row: Row) -> tuple[int, ...]:
    """The values that tell an event from another of the same rev."""
    return (*row.event, row.session, row.id)


def _is_same(was: Any, row: Row) -> bool:
    """Whether a stored event is the one that the board reports."""
    return tuple(getattr(was, name) for name in EVENT) == _of(row)


def event_values(row: Row, note: Note, now: datetime) -> dict[str, Any]:
    """An event as columns."""
    said = {"cards": note.cards, "starter": note.starter, "who": note.by, "text": note.text}
    return {
        "kind": row.kind,
        "side": row.side,
        "a": row.a,
        "b": row.b,
        "c": row.c,
        "session": row.session,
        "command": row.id,
        "at": note.at or now,
        **{name: visible(text)[: MOST_TEXT[name]] for name, text in said.items()},
    }


def visible(text: str) -> str:
    """The text without control and other invisible characters, which databases refuse and terminals obey."""
    return "".join([char for char in text if char.isprintable()])


def _was(known: Any) -> tuple[int | None, Standing] | None:
    try:
        return known.game, Standing.read(json.loads(known.standing))
    except (ValueError, TypeError, WrongBoard):
        return None  # a disk may have changed it


def heard(connection: Connection, uid: str, epoch: int) -> int:
    """The rev up to which nothing is missing of what a journal may still hold; -1 if no event is here."""
    here = and_(events.c.board == uid, events.c.epoch == epoch)
    newest = connection.execute(select(func.max(events.c.rev)).where(here)).scalar()
    if newest is None:
        return -1
    oldest = max(1, newest - JOURNAL)
    known = set(
        connection.execute(select(events.c.rev).where(here, events.c.rev >= oldest, events.c.kind > 0)).scalars()
    )
    return next((rev - 1 for rev in range(oldest, newest + 1) if rev not in known), int(newest))
