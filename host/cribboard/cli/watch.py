"""The command that follows a board: a line for everything that happens, whoever does it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import click

from cribboard.cli.options import Where, Whole, on_board
from cribboard.cli.output import note
from cribboard.cli.table import Table, at_table

LOOK_S = 1.0
REMEMBERED = 500  # events, for saying what an undo took back


@click.command()
@click.option("--events", metavar="N", type=Whole(min=1), help="End after N events.")
@on_board
def watch(events: int | None, where: Where, as_json: bool) -> None:
    """Print a line for all that happens, until Ctrl-C.

    The board's port is in use meanwhile: play on with its buttons. A board that is unplugged or hangs is told, and
    followed again when it is back, on another port too. With --json each event is an object as the command
    for it prints; scores is null where the next event had come already.
    """
    with at_table(where, as_json) as table:
        note(f"Watching the board at {table.board.port}; Ctrl-C ends.")
        follow(table, table.board.poll, events)


def follow(table: Table, poll: Callable[[float], Sequence[Sequence[Any]]], most: int | None = None) -> None:
    """Tell what `poll(seconds)` brings, `most` events or for ever."""
    known: dict[int, Sequence[Any]] = {}
    _remember(known, table.board.last())
    left = most
    while left is None or left > 0:
        news = poll(LOOK_S)[:left]
        for event in news:
            rev, kind, undone = event[0], event[1], event[4]
            last = event is news[-1]
            if kind in ("undo", "redo"):
                table.tell_step(rev, kind, known.get(undone), last=last)
            else:
                _remember(known, event)
                table.tell(event, last=last)
        if left is not None:
            left -= len(news)


def _remember(known: dict[int, Sequence[Any]], event: Sequence[Any] | None) -> None:
    """Undo names an event by the low half of its number."""
    if event:
        known[event[0] & 0xFFFF] = event
        if len(known) > REMEMBERED:
            del known[next(iter(known))]
