"""Reads a game's events in the order in which they happened, and finds what is missing among them."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import replace
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, and_, func, or_, select

from cribboard.store.fold import Fold, GameChange, Position, Setup, StoredEvent, corrected_lines
from cribboard.store.schema import OF_SPAN, GameRow, events, spans
from cribboard_core.events import RESTORE

Missing = dict[tuple[int, int], int]  # how many events are missing before an (epoch, rev)


def setup_of(game: GameRow) -> Setup:
    """The setup in a game's row."""
    return Setup(game.target, game.mask, game.sides, game.skunk, game.double_skunk)


def kept_events(connection: Connection, game: int, setup: Setup) -> list[StoredEvent]:
    """All events of a game, in order over all its journals."""
    stored = kept_of(connection, spans.c.game == game)
    begins: dict[int, datetime] = {}
    for kept in stored:
        begins.setdefault(kept.epoch, kept.since)
    stored.sort(key=lambda kept: (begins[kept.epoch], kept.epoch, kept.rev))
    unfit = [kept.position is not None and not kept.position.fits(setup) for kept in stored]
    return [replace(kept, position=None) if bad else kept for kept, bad in zip(stored, unfit, strict=True)]


def kept_where(connection: Connection, *where: ColumnElement[bool]) -> list[StoredEvent]:
    """The events for which this is true, in the order of their journals and numbers; a disk may have changed them."""
    return _kept(connection, select(events).where(*where))


def kept_of(connection: Connection, game: ColumnElement[bool]) -> list[StoredEvent]:
    """The events of the spans, and so of the games, for which this is true, in the same order."""
    return _kept(connection, select(events).join(spans, OF_SPAN).where(game))


def _kept(connection: Connection, wanted: Select[Any]) -> list[StoredEvent]:
    rows = connection.execute(wanted.order_by(events.c.board, events.c.epoch, events.c.rev))
    return [read_event(row) for row in rows]


def read_event(row: Any) -> StoredEvent:
    """The event of a row of `events` or `lost`."""
    kind = row.kind if 0 <= row.kind <= RESTORE else 0
    return StoredEvent(
        *(row.rev, kind, row.side, row.a, row.b, row.c, row.session, row.command, row.number or 0),
        board=row.board,
        epoch=row.epoch,
        cards=row.cards,
        starter=row.starter,
        by=row.who,
        text=row.text,
        at=row.at,
        position=None if row.pegs is None else Position(row.pegs, row.dealer, row.winner),
        since=row.since,
        seen=row.seen,
        said=row.stood,
    )


def missing(connection: Connection, board: str, game: int, kept: list[StoredEvent]) -> tuple[Missing, int]:
    """How many events are missing before each event of a game, and how many after the last one."""
    gaps: Missing = {}
    after = 0
    begins = connection.execute(select(spans.c.epoch, spans.c.number).where(spans.c.game == game)).all()
    for epoch in {each.epoch for each in kept}:
        revs = [each.rev for each in kept if each.epoch == epoch]
        before = max(1, min([number for at, number in begins if at == epoch], default=revs[0])) - 1
        last = _end(connection, board, epoch, revs[-1])
        if last - before == len(revs):
            continue
        here = and_(events.c.board == board, events.c.epoch == epoch, events.c.rev.between(before + 1, last))
        heard = sorted(connection.execute(select(events.c.rev).where(here)).scalars())
        for rev in revs:
            lost = rev - before - 1 - (bisect_left(heard, rev) - bisect_right(heard, before))
            if lost:
                gaps[epoch, rev] = lost
            before = rev
        after += last - before - (len(heard) - bisect_right(heard, before))
    return gaps, after


def _end(connection: Connection, board: str, epoch: int, newest: int) -> int:
    """The last rev that can belong to a game, whether it was heard or not, behind its newest event."""
    here = and_(events.c.board == board, events.c.epoch == epoch, events.c.rev > newest)
    following = connection.execute(select(func.min(events.c.rev)).where(here)).scalar()
    return newest if following is None else int(following) - 1


def _others(connection: Connection, row: GameRow, kept: list[StoredEvent]) -> tuple[set[tuple[int, int]], bool]:
    """The games that started on the board during this one, and whether this one started with a new board."""
    others, first = set(), False
    for epoch in {each.epoch for each in kept}:
        revs = [each.rev for each in kept if each.epoch == epoch]
        here = and_(spans.c.board == row.board, spans.c.epoch == epoch)
        meanwhile = or_(spans.c.number.between(revs[0], revs[-1]), spans.c.game == row.id)
        for span in connection.execute(select(spans).where(here, meanwhile)):
            if span.game != row.id:
                others.add((epoch, span.number & 0xFFFF))
            first = first or (span.game == row.id and span.number == 0)
    return others, first


def changes(connection: Connection, row: GameRow) -> tuple[Fold, list[GameChange], int]:
    """A game's fold, what each event has changed, and how many events are missing after the last."""
    setup = setup_of(row)
    kept = kept_events(connection, row.id, setup)
    lost, after = missing(connection, row.board, row.id, kept)
    others, first = _others(connection, row, kept)
    fold = Fold(setup, others, first=first)
    game_changes = list(fold.changes(kept, lost))
    fold.correct(corrected_lines(connection, {each.epoch for each in kept}))
    return fold, game_changes, after
