"""Writes down what a board says: its events, how it stands, who plays. What is missing is a gap until it is heard."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, and_, func, insert, select, update

from cribboard.board.answers import Row, Standing
from cribboard.errors import WrongBoard
from cribboard.store.fold import Note, Stood
from cribboard.store.games import Games
from cribboard.store.schema import boards, events
from cribboard.store.thread import Thread, Told

JOURNAL = 400  # events, more than one holds
FOLLOWED = ("rev", "number", "earlier", "undone", "kind")  # of a thread
MOST_TEXT = {"cards": 12, "starter": 2, "who": 60, "text": 500}


class Keeping:
    """One transaction's worth of what the board `uid`, whose journal is `epoch`, has said by `now`."""

    def __init__(self, connection: Connection, uid: str, epoch: int, now: datetime) -> None:
        self.connection = connection
        self.uid = uid
        self.epoch = epoch
        self.now = now
        self.known = connection.execute(select(boards).where(boards.c.uid == uid)).one_or_none()
        self.games = Games(connection, uid, epoch, now)
        self._here = and_(events.c.board == uid, events.c.epoch == epoch)

    def keep(
        self,
        newest: int,
        rows: Sequence[Row],
        standing: Standing,
        names: Mapping[int, str],
        notes: Mapping[int, Note],
    ) -> None:
        """Take all of it in."""
        known: Any = self.known
        same = known is not None and known.epoch == self.epoch
        live = not same or newest >= known.rev
        new = self._write(rows, notes)
        unheard = self._tell(newest, standing, notes.get(newest))
        new |= {newest} if unheard else set()
        first = min(new, default=0)
        plain = same and first in (0, known.rev + 1)
        thread = Thread(*(getattr(known, name) for name in FOLLOWED)) if plain else self._thread(first, standing)
        whole = plain and len(new) == max(new, default=known.rev) - known.rev and not unheard
        self.games.was = _was(known) if known else None
        touched = self._place(thread, new, standing)
        game = self.games.of(standing.game, standing)
        if not live:
            self.games.over(touched, known.game)
        elif game is not None:
            if touched - {game} or known is None or known.game != game:
                self.games.over(touched, game)
            self.games.stands(game, standing, names, played=bool(new))
            self._note(thread, game, standing)
        on = game if live else known.game
        if not whole and on is not None:
            self.games.add_up(on)

    def _write(self, rows: Iterable[Row], notes: Mapping[int, Note]) -> set[int]:
        """Write the events that are new; gives their revs."""
        given = {row.rev: row for row in rows}
        if not given:
            return set()
        between = events.c.rev.between(min(given), max(given))
        had = dict(self.connection.execute(select(events.c.rev, events.c.kind).where(self._here, between)).all())
        for rev, row in given.items():
            values = event_values(row, notes.get(rev, Note()), self.now)
            if rev not in had:
                self.connection.execute(insert(events).values(board=self.uid, epoch=self.epoch, rev=rev, **values))
            elif not had[rev]:
                self.connection.execute(update(events).where(self._here, events.c.rev == rev).values(**values))
            elif rev in notes:
                more = {name: values[name] for name in MOST_TEXT}
                self.connection.execute(update(events).where(self._here, events.c.rev == rev).values(**more))
        return {rev for rev in given if not had.get(rev)}

    def _tell(self, newest: int, standing: Standing, note: Note | None) -> bool:
        """Write how the board stood after its newest event; gives whether that event is not known itself."""
        stood = Stood.of(standing)
        values = {"number": standing.game, "pegs": stood.pegs, "dealer": stood.dealer, "winner": stood.winner}
        done = self.connection.execute(update(events).where(self._here, events.c.rev == newest).values(**values))
        if done.rowcount or not newest:
            return False
        unheard = event_values(Row(newest, 0, 0, 0, 0, 0), note or Note(), self.now)
        row = {"board": self.uid, "epoch": self.epoch, "rev": newest}
        self.connection.execute(insert(events).values(**row, **unheard, **values))
        return True

    def _thread(self, first: int, standing: Standing) -> Thread:
        """Where to follow the games from so that the first new event is among them."""
        if not first:
            return Thread(standing.rev, standing.game)
        begin = self.games.begun_before(first + 1)
        return Thread(begin - 1) if begin else Thread(0, 0)

    def _place(self, thread: Thread, new: set[int], standing: Standing) -> set[int]:
        """Put the events into their games; gives the games that have changed."""
        if not new:
            return set()
        told = and_(self._here, events.c.rev > max(new), events.c.number.is_not(None))
        last = self.connection.execute(select(func.min(events.c.rev)).where(told)).scalar()
        span = events.c.rev.between(thread.rev + 1, max(new) if last is None else last)
        order = select(events).where(self._here, span).order_by(events.c.rev)
        found = {row.rev: row for row in self.connection.execute(order)}
        touched = set()
        followed = [Told(row.rev, row.kind, row.b, row.number) for row in found.values()]
        for rev, number in sorted(thread.follow(followed)):
            row = found[rev]
            begin = row if number == rev else found.get(number or -1)
            game = None if number is None else self.games.of(number, standing, begin)
            if game is not None and (row.game != game or rev in new):
                touched.add(game)
            if row.game is not None and row.game != game:
                touched.add(row.game)
            if row.game != game:
                self.connection.execute(update(events).where(self._here, events.c.rev == rev).values(game=game))
        return touched

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
    """The text without what cannot be seen, which databases refuse and terminals obey."""
    return "".join([char for char in text if char.isprintable()])


def _was(known: Any) -> tuple[int | None, Standing] | None:
    try:
        return known.game, Standing.read(json.loads(known.standing))
    except (ValueError, TypeError, WrongBoard):
        return None  # a disk may have changed it


def heard(connection: Connection, uid: str, epoch: int) -> int:
    """The event up to which nothing is missing of what a journal may still hold; -1 when nothing of it is here."""
    here = and_(events.c.board == uid, events.c.epoch == epoch)
    newest = connection.execute(select(func.max(events.c.rev)).where(here)).scalar()
    if newest is None:
        return -1
    oldest = max(1, newest - JOURNAL)
    known = set(
        connection.execute(select(events.c.rev).where(here, events.c.rev >= oldest, events.c.kind > 0)).scalars()
    )
    return next((rev - 1 for rev in range(oldest, newest + 1) if rev not in known), int(newest))
