"""What a command says: sentences for people, or one JSON object a line for programs."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table as Grid

WIDE = 240  # columns in a pipe, where nothing should be folded


def say(text: str) -> None:
    """A line of the answer, out at once (echo flushes)."""
    click.echo(text)


def note(text: str) -> None:
    """A remark beside the answer."""
    click.echo(text, err=True)


def emit(entry: Mapping[str, object]) -> None:
    """An object as a line of JSON, in ASCII whatever the names are."""
    say(json.dumps(entry, separators=(",", ":")))


def console() -> Console:
    """For tables: coloured on a terminal that wants colours (NO_COLOR), never folded in a pipe."""
    from rich.console import Console

    screen = Console(highlight=False, markup=False, emoji=False)
    if not screen.is_terminal:
        screen.width = WIDE
    return screen


def new_grid() -> Grid:
    """A table with lines on a terminal, bare columns in a pipe."""
    from rich import box
    from rich.table import Table as Grid

    plain = not console().is_terminal
    return Grid(box=None if plain else box.SIMPLE, pad_edge=not plain, header_style="" if plain else "bold")


def print_grid(grid: Grid) -> None:
    """A table as lines without blanks at their ends."""
    screen = console()
    with screen.capture() as drawn:
        screen.print(grid)
    for line in drawn.get().splitlines():
        say(line.rstrip())


def complain(message: str, hint: str = "") -> None:
    """An error: what is wrong, and what to do."""
    click.echo(f"Error: {message}", err=True)
    for line in hint.splitlines():
        click.echo(f"  {line}", err=True)
