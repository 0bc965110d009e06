"""Reads a game's events in the order in which they happened, and finds what is missing among them."""

from __future__ import annotations

import json
from bisect import bisect_left, bisect_right
from collections.abc import Collection
from dataclasses import replace
from datetime import datetime

from sqlalchemy import Connection, and_, func, or_, select

from cribboard.board.messages import Corrected
from cribboard.store.fold import Fold, GameChange
from cribboard.store.schema import GameRow, corrections, events, spans
from cribboard.store.stored import Setup, StoredEvent, kept_of, setup_of
from cribboard.typed import DAMAGE, WORD, as_field, as_object, as_whole

Missing = dict[tuple[int, int], int]  # how many events are missing before an (epoch, rev)


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


def kept_events(connection: Connection, game: int, setup: Setup) -> list[StoredEvent]:
    """All events of a game, in order over all its journals."""
    stored = kept_of(connection, spans.c.game == game)
    begins: dict[int, datetime] = {}
    for kept in stored:
        begins.setdefault(kept.epoch, kept.since)
    stored.sort(key=lambda kept: (begins[kept.epoch], kept.epoch, kept.rev))
    unfit = [kept.position is not None and not kept.position.fits(setup) for kept in stored]
    return [replace(kept, position=None) if bad else kept for kept, bad in zip(stored, unfit, strict=True)]


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
