"""Reads a game's events in the order in which they happened, and finds what is missing among them."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable
from typing import Any

from sqlalchemy import Connection, and_, func, or_, select

from cribboard.board.answers import Row
from cribboard.store.fold import Fold, Kept, Note, Setup, Step, Stood
from cribboard.store.schema import events, spans
from cribboard_core.events import NEW, RESTORE

Missing = dict[tuple[int, int], int]  # how many events are missing before an (epoch, rev)


def setup_of(game: Any) -> Setup:
    """The setup in a game's row."""
    return Setup(game.target, game.mask, game.sides, game.skunk, game.double_skunk)


def kept_events(connection: Connection, game: int, setup: Setup) -> list[Kept]:
    """All events of a game, in order over all its journals."""
    found = connection.execute(select(events).where(events.c.game == game)).all()
    first = {row.epoch: row.at for row in sorted(found, key=lambda row: row.rev, reverse=True)}
    return [_kept(row, setup) for row in sorted(found, key=lambda row: (first[row.epoch], row.epoch, row.rev))]


def _kept(row: Any, setup: Setup) -> Kept:
    known = row.kind if 0 <= row.kind <= RESTORE else 0
    event = Row(row.rev, known, row.side, row.a, row.b, row.c, row.session, row.command)
    stood = Stood(row.pegs, row.dealer, row.winner) if row.pegs is not None else None
    if stood is not None and not stood.fits(setup):
        stood = None  # a disk may have changed it
    return Kept(row.epoch, event, Note(row.cards, row.starter, row.who, row.text, row.at), stood)


def missing(connection: Connection, board: str, game: int, kept: list[Kept]) -> tuple[Missing, int]:
    """How many events are missing before each event of a game, and how many after the last one."""
    found: Missing = {}
    after = 0
    begins = connection.execute(select(spans.c.epoch, spans.c.number).where(spans.c.game == game)).all()
    for epoch in {each.epoch for each in kept}:
        revs = [each.row.rev for each in kept if each.epoch == epoch]
        before = max(1, min([number for at, number in begins if at == epoch], default=revs[0])) - 1
        last = _end(connection, board, epoch, game, revs[-1])
        if last - before == len(revs):
            continue
        here = and_(events.c.board == board, events.c.epoch == epoch, events.c.rev.between(before + 1, last))
        heard = sorted(connection.execute(select(events.c.rev).where(here)).scalars())
        for rev in revs:
            lost = rev - before - 1 - (bisect_left(heard, rev) - bisect_right(heard, before))
            if lost:
                found[epoch, rev] = lost
            before = rev
        after += last - before - (len(heard) - bisect_right(heard, before))
    return found, after


def _end(connection: Connection, board: str, epoch: int, game: int, newest: int) -> int:
    """The last rev that can belong to a game, whether it was heard or not."""
    here = and_(events.c.board == board, events.c.epoch == epoch, events.c.rev > newest)
    another = or_(events.c.game != game, events.c.game.is_(None), events.c.kind == NEW)
    found = connection.execute(select(func.min(events.c.rev)).where(here, another)).scalar()
    return newest if found is None else int(found) - 1


def _begins(connection: Connection, row: Any, kept: list[Kept]) -> tuple[set[tuple[int, int]], bool]:
    """The games that started on the board during this one, and whether this one started with a new board."""
    others, first = set(), False
    for epoch in {each.epoch for each in kept}:
        revs = [each.row.rev for each in kept if each.epoch == epoch]
        here = and_(spans.c.board == row.board, spans.c.epoch == epoch)
        meanwhile = or_(spans.c.number.between(revs[0], revs[-1]), spans.c.game == row.id)
        for span in connection.execute(select(spans).where(here, meanwhile)):
            if span.game != row.id:
                others.add((epoch, span.number & 0xFFFF))
            first = first or (span.game == row.id and span.number == 0)
    return others, first


def steps(connection: Connection, row: Any, each: Callable[[Step], None] | None = None) -> tuple[Fold, list[Step], int]:
    """A game's fold, its steps, and how many events are missing after the last; calls `each` with every step."""
    setup = setup_of(row)
    kept = kept_events(connection, row.id, setup)
    lost, after = missing(connection, row.board, row.id, kept)
    others, first = _begins(connection, row, kept)
    fold = Fold(setup, others, first=first)
    found = []
    for step in fold.steps(kept, lost):
        found.append(step)
        if each is not None:
            each(step)
    return fold, found, after
