"""What the commands of a maker share: the described board, where files go, how they are said."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from cribboard.cli.output import answer
from cribboard.cli.progress import progress
from cribboard.errors import CribboardError
from cribboard.files import ELSEWHERE, write_errors, write_file
from cribboard.installed import how_to_add

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cribboard.hardware.shape import Layout

Command = TypeVar("Command", bound=Callable[..., object])

INTO = click.option(
    "--into",
    metavar="FOLDER",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path(),
    help="Where the files go (default: here).",
)
PAPER = click.option(
    "--paper", type=click.Choice(["a4", "letter"]), default="a4", show_default=True, help="The paper size."
)

WORK = "cribboard.work"  # where a command has the progress that it shows


def slow(command: Command) -> Callable[..., object]:
    """Have a command show that it works, until it says what it has made."""

    @click.pass_context
    @functools.wraps(command)
    def wrapped(context: click.Context, /, **given: object) -> object:
        context.meta[WORK] = context.with_resource(ExitStack())
        context.meta[WORK].enter_context(progress("Working"))
        return command(**given)

    return wrapped


def _made() -> None:
    """End what shows that the command works."""
    work = click.get_current_context().meta.get(WORK)
    if work is not None:
        work.close()


class NotInstalled(CribboardError):
    """The libraries of the extra `hardware` are not there."""


def say_file(made: Path, as_json: bool) -> None:
    """Say which file was made."""
    _made()
    answer({"file": str(made)}, str(made), as_json)


def sound(described: Path | None) -> Layout:
    """The laid-out board, after all checks."""
    from cribboard.hardware.checks import mistakes
    from cribboard.hardware.description import load
    from cribboard.hardware.findings import refuse
    from cribboard.hardware.shape import Layout

    layout = Layout(load(described))
    refuse(layout.description.name, mistakes(layout))
    return layout


def write(into: Path, files: Mapping[str, bytes], as_json: bool) -> None:
    """Write files into a folder, and say each."""
    _made()
    for name, contents in files.items():
        with write_errors(into / name, ELSEWHERE):
            into.mkdir(parents=True, exist_ok=True)
            write_file(into / name, contents)
        say_file(into / name, as_json)


@contextmanager
def libraries(extra: str = "hardware") -> Iterator[None]:
    """Say what to install when a library is missing."""
    try:
        yield
    except ImportError as error:
        raise NotInstalled(
            f"{error.name}, which makes this file, is not installed",
            how_to_add(extra),
        ) from error
