"""Options that many commands share, and how to read them."""

from __future__ import annotations

import functools
import io
import math
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.shell_completion import CompletionItem

from cribboard.cli.output import note
from cribboard.errors import ArgumentError
from cribboard.files import read_all, read_file
from cribboard_core.cards import quote
from cribboard_core.variants import COLOURS

if TYPE_CHECKING:
    from cribboard.board.client import Board

Command = TypeVar("Command", bound=Callable[..., object])

PORT = click.option(
    "--port",
    metavar="PORT",
    help="The board's serial port, or sim for the virtual board (default: $CRIBBOARD_PORT, or found).",
)
BOARD = click.option("--board", "uid", metavar="UID", help="The board with this uid; the last digits are enough.")
JSON = click.option(
    "--json",
    "as_json",
    is_flag=True,
    help="Print one JSON object a line.",
    callback=lambda context, option, value: value or bool(context.find_root().params.get("as_json")),
)
DESCRIBED = click.option(
    "--board",
    "described",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="The description of the board (default: the project's board.toml).",
)


class Group(click.Group):
    """A group of commands that prints its help when it is typed alone, as an answer and not as a mistake."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Take nothing for --help."""
        return super().parse_args(ctx, args if args or ctx.resilient_parsing else ["--help"])


@dataclass
class BoardChoice:
    """Which board is meant."""

    port: str | None = None
    uid: str | None = None

    def open(self, on_settled: Callable[[str], None] | None = None) -> AbstractContextManager[Board]:
        """The board, open for a `with`; remarks go to standard error, `on_settled` is the board's."""
        from cribboard import connect

        return connect.open_board(self.port, self.uid, note, on_settled)


def on_board(command: Command) -> Callable[..., object]:
    """Give a command --port, --board and --json; it is passed `where` and `as_json`.

    Both may also stand before the command's name, for all commands alike; beside the command they go first.
    """

    @PORT
    @BOARD
    @JSON
    @click.pass_context
    @functools.wraps(command)
    def wrapped(context: click.Context, /, port: str | None, uid: str | None, **others: object) -> object:
        everywhere = context.find_object(BoardChoice) or BoardChoice()
        where = BoardChoice(port, uid) if port or uid else everywhere
        return command(where=where, **others)

    return wrapped


def colours(context: click.Context, argument: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """What the shell may complete a side to; names would need the board."""
    return [CompletionItem(colour) for colour in COLOURS if colour.startswith(incomplete.casefold())]


class IntRange(click.IntRange):
    """A whole number within bounds; another is refused in the words of all other errors."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """The number that was typed."""
        try:
            return int(super().convert(value, param, ctx))
        except click.BadParameter as error:
            bounds = f"of {self.min} or more" if self.max is None else f"from {self.min} to {self.max}"
            raise ArgumentError(f"{_called(param)} is a whole number {bounds}, not {quote(value)}") from error


class Amount(click.FloatRange):
    """A number within bounds, which "nan" is not."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """The number that was typed."""
        number = float(super().convert(value, param, ctx))
        if math.isnan(number):
            self.fail(f"{quote(value)} is no number.", param, ctx)
        return number


class Pace(Amount):
    """A number that is not negative."""

    def __init__(self) -> None:
        super().__init__(min=0)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """The number that was typed."""
        try:
            return float(super().convert(value, param, ctx))
        except click.BadParameter as error:
            raise ArgumentError(f"{_called(param)} is a number of 0 or more, not {quote(value)}") from error


STDIN = Path("-")


def read_text(path: Path, *, dash: bool = False) -> str:
    """The text of a file that was named, with `dash` of standard input for -; its lines end as everywhere."""
    name = "standard input" if dash and path == STDIN else str(path)
    try:
        if dash and path == STDIN and sys.stdin is None:
            raise ArgumentError("standard input is closed", "name a file")
        data = read_all(sys.stdin.buffer) if dash and path == STDIN else read_file(path)
        return io.StringIO(data.decode("utf-8-sig"), newline=None).read()
    except OSError as error:
        raise ArgumentError(f"{name} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise ArgumentError(f"{name} is not text in UTF-8") from error


def _called(param: click.Parameter | None) -> str:
    """What the help calls an argument or an option."""
    if isinstance(param, click.Argument):
        return param.human_readable_name
    return param.opts[0] if param else "this"


POINTS = IntRange(1, 46)
CODES = click.option(
    "--codes/--words",
    envvar="CRIBBOARD_CODES",
    help="Write cards as TD, for a braille display, or as the ten of diamonds (default; CRIBBOARD_CODES=1 turns it).",
)
