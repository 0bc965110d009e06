"""Writes what a board reports: events, standing, players. What is missing is a gap until it comes."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from types import SimpleNamespace
from typing import Any

from sqlalchemy import ColumnElement, Connection, and_, delete, func, insert, select, update

from cribboard.board.messages import Row, Standing
from cribboard.errors import WrongBoard
from cribboard.store.fold import Note, Stood
from cribboard.store.games import Games
from cribboard.store.schema import boards, corrections, events, spans
from cribboard_core.events import KINDS, NEW, RESTORE

BOARD, LOST = "the board", "event lost"  # whose correction it is, and what
JOURNAL = 400  # events, more than one holds
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
        self.games.was = _was(known) if known else None
        new, mended = self._take(newest, rows, standing, notes, lost)
        told = new | mended
        plain = same and not lost and not self._hit and not mended and min(new, default=known.rev + 1) == known.rev + 1
        touched = self._place(new, mended, standing)
        if not plain and told:
            touched |= self._hit | self._around(min(told), max(told))  # a gap of theirs may have been filled
        game = self.games.of(standing.game, standing)
        if not live:
            self.games.over(touched, known.game)
        elif game is not None:
            if touched - {game} or known is None or known.game != game:
                self.games.over(touched, game)
            self.games.stands(game, standing, names, played=bool(told))
            self._note(max(standing.rev, *told, known.rev if same and not lost else 0), game, standing)
        on = game if live else known.game
        heard = sum(1 for row in new.values() if row["kind"])
        if on is not None and not (plain and heard == max(new, default=known.rev) - known.rev):
            self.games.add_up(on)

    def _take(
        self, newest: int, rows: Iterable[Row], standing: Standing, notes: Mapping[int, Note], lost: bool
    ) -> tuple[dict[int, Values], dict[int, Values]]:
        """The new events, and those that are known better now, by rev."""
        given = {row.rev: row for row in rows}
        if newest:
            given.setdefault(newest, Row(newest, 0, 0, 0, 0, 0))
        if not given:
            return {}, {}
        had = self._had(given)
        given = {rev: row for rev, row in given.items() if not (rev in had and _is_replaced(row, had[rev]))}
        if self._lose_unsaid(given, standing) | self._lose_line(given, had, lost):
            had = self._had(given)
        stood = Stood.of(standing)
        told = {"pegs": stood.pegs, "dealer": stood.dealer, "winner": stood.winner}
        untold: Values = dict.fromkeys(told)
        new, mended = {}, {}
        for rev, row in given.items():
            values = event_values(row, notes.get(rev, Note()), self.now)
            number = standing.game if rev == newest else row.game
            if rev not in had:
                after = told if rev == newest else untold
                new[rev] = {"board": self.uid, "epoch": self.epoch, "rev": rev, **values, "number": number, **after}
                continue
            more = dict(told) if rev == newest else {}
            if row.kind and not had[rev].kind:
                more |= values
            elif rev in notes:
                more |= {name: values[name] for name in MOST_TEXT}
            if had[rev].number != number or (row.kind and not had[rev].kind):
                more["number"] = number
                mended[rev] = values | {"number": number}
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
        self.connection.execute(stale.values(pegs=None, dealer=None, winner=None))
        return True

    def _lose_unsaid(self, given: Mapping[int, Row], standing: Standing) -> bool:
        """Remove events whose loss nobody could tell here; returns whether there were any.

        A game's number is that of the event that began it, so another event of this number, and what followed it
        outside of this game, was lost before the game was given back.
        """
        unsaid: list[int] = []
        known = self.games.was[1].game if self.games.was else 0
        for number in {*(row.game for row in given.values()), standing.game} - {known}:
            since = select(events).where(self._here, events.c.rev >= number).order_by(events.c.rev)
            for due, row in enumerate(self.connection.execute(since), start=number):
                if row.rev != due or row.kind in (0, NEW, RESTORE) or row.number == number:
                    break
                unsaid.append(row.rev)
        self._lose(self._here & events.c.rev.in_(unsaid), {})
        return bool(unsaid)

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

    def _place(self, new: Mapping[int, Values], mended: Mapping[int, Values], standing: Standing) -> set[int]:
        """Write the new events, each with its game; returns the games that have gained or lost an event."""
        told = {**new, **mended}
        touched: set[int] = set()
        for number in sorted({values["number"] for values in told.values()}):
            begin = told.get(number) or self._begin(number)
            game = self.games.of(number, standing, None if begin is None else SimpleNamespace(**begin))
            rows = [{**values, "game": game} for values in new.values() if values["number"] == number]
            if rows:
                self.connection.execute(insert(events), rows)
            if game is not None:
                touched.add(game)
                if mended or number in self.games.begun:
                    touched |= self._gather(number, game)
        return touched

    def _begin(self, number: int) -> Values | None:
        """The event that began a game, if it was heard."""
        found = self.connection.execute(select(events).where(self._here, events.c.rev == number)).mappings().first()
        return None if found is None else dict(found)

    def _gather(self, number: int, game: int) -> set[int]:
        """Give all events of a number its game; returns the games that had them."""
        wrong = and_(self._here, events.c.number == number, events.c.game.is_distinct_from(game))
        had = set(self.connection.execute(select(events.c.game).where(wrong)).scalars())
        if had:
            self.connection.execute(update(events).where(wrong).values(game=game))
        return had - {None}

    def _around(self, first: int, last: int) -> set[int]:
        """The games of these events and of those next to them."""
        before = select(func.max(events.c.rev)).where(self._here, events.c.rev < first).scalar_subquery()
        behind = select(func.min(events.c.rev)).where(self._here, events.c.rev > last).scalar_subquery()
        span = events.c.rev.between(func.coalesce(before, first), func.coalesce(behind, last))
        found = select(events.c.game).where(self._here, span, events.c.game.is_not(None)).distinct()
        return set(self.connection.execute(found).scalars())

    def _note(self, rev: int, game: int, standing: Standing) -> None:
        values: dict[str, Any] = {
            "epoch": self.epoch,
            "rev": rev,
            "game": game,
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


def _is_replaced(row: Row, was: Any) -> bool:
    """Whether a stored event came after this one of its number: the board had lost this one, and reads it again."""
    return row.session > 0 and row.session == was.session and row.id < was.command


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
