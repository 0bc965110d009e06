"""The command that follows a board: a line for everything that happens, from any source."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import click

from cribboard.cli.options import BoardChoice, IntRange, on_board
from cribboard.cli.output import note
from cribboard.cli.table import Event, Table, at_table

LOOK_S = 1.0
REMEMBERED = 500  # events, for saying what an undo took back


@click.command()
@click.option("--events", metavar="N", type=IntRange(min=1), help="Stop after N events.")
@on_board
def watch(events: int | None, where: BoardChoice, as_json: bool) -> None:
    """Print a line for everything that happens, until Ctrl-C.

    Without a kiosk the board's port is in use meanwhile: play with its buttons. If the board is unplugged or hangs,
    the command says so, and follows it again when it is back, even on another port. With --json each event is the
    object that its command prints; scores is null if the next event has already arrived.
    """
    with at_table(where, as_json) as table:
        note(f"Watching the board at {table.board.port}; press Ctrl-C to stop.")
        follow(table, table.board.poll, events)


def follow(table: Table, poll: Callable[[float], Sequence[Event]], most: int | None = None) -> None:
    """Print what `poll(seconds)` brings, `most` events or for ever."""
    known: dict[int, Event] = {}
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


def _remember(known: dict[int, Event], event: Event | None) -> None:
    """Undo names an event by the low half of its number."""
    if event:
        known[event[0] & 0xFFFF] = event
        if len(known) > REMEMBERED:
            del known[next(iter(known))]
