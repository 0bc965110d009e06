"""What a command says: sentences for people, or one JSON object a line for programs."""

from __future__ import annotations

import io
import json
import re
import shutil
import sys
from collections.abc import Mapping
from textwrap import wrap
from typing import IO, TYPE_CHECKING

import click

from cribboard.errors import CribboardError
from cribboard.json_types import versioned

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table as Grid

WIDE = 240  # columns in a pipe, where nothing should be folded
INDENT = re.compile(r"\s*(\S+( \S+)*\s{2,}(?=\S))?")  # blanks, and a first column when there is a second


def say(text: str) -> None:
    """A line of the answer, out at once (echo flushes)."""
    click.echo(fitted(text, sys.stdout))


def note(text: str) -> None:
    """A remark beside the answer."""
    click.echo(fitted(text, sys.stderr), err=True)


def put(text: str) -> None:
    """What programs read, or what is drawn: never folded."""
    click.echo(text)


def qr_code(text: str, error: str) -> str:
    """A code to scan, drawn with blocks; empty where they would not fit side by side, or be something else."""
    import segno

    drawn = io.StringIO()
    segno.make(text, error=error, micro=False).terminal(drawn, border=2, compact=True)
    code = drawn.getvalue()
    narrow = is_terminal(sys.stdout) and shutil.get_terminal_size().columns < code.index("\n")
    try:
        code.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        return ""
    return "" if narrow else code


def emit(entry: Mapping[str, object]) -> None:
    """An object as a line of JSON with the version of its shape, in ASCII whatever the names are."""
    emit_bare(versioned(entry))


def emit_bare(entry: Mapping[str, object]) -> None:
    """An object as a line of JSON without a version: the answer to a line of a batch."""
    put(json.dumps(entry, separators=(",", ":")))


def answer(entry: Mapping[str, object], text: str, as_json: bool) -> None:
    """The whole answer of a command, for programs or for people."""
    emit(entry) if as_json else say(text)


def is_terminal(stream: IO[str] | None) -> bool:
    """Whether a person is at a standard stream, which may be closed."""
    return stream is not None and stream.isatty()


def fitted(text: str, stream: IO[str] | None) -> str:
    """The text as it fits on a stream: on a terminal folded between words."""
    return folded(text, shutil.get_terminal_size().columns - 1) if is_terminal(stream) else text


def folded(text: str, width: int) -> str:
    """The text in lines of so many characters where words allow; a second column stays one when there is room."""
    lines = []
    for line in text.split("\n"):
        indent = INDENT.match(line)
        column = min(indent.end() if indent else 0, width // 2)
        options = {"break_long_words": False, "break_on_hyphens": False}
        lines += wrap(line, max(width, 1), subsequent_indent=" " * column, **options) or [""]  # type: ignore[arg-type]
    return "\n".join(lines)


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
        put(line.rstrip())


def refuse(error: CribboardError, as_json: bool) -> int:
    """Say what is wrong and what to do: as an object on standard output, or in words beside it; gives the exit status.

    When standard output cannot be written, the words tell programs too.
    """
    if as_json:
        try:
            emit(error.entry())
            return error.exit_code
        except OSError:
            pass
    note(f"Error: {error.message}")
    for line in error.hint.splitlines():
        note(f"  {line}")
    return error.exit_code
