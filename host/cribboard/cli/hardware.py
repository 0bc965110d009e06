"""The commands of a maker: drawings, template, light guide, card and settings, all from one description."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from cribboard.cli.options import JSON, Group, read_text
from cribboard.cli.output import answer, emit
from cribboard.errors import CribboardError
from cribboard.files import ELSEWHERE, writing

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cribboard.hardware.layout import Layout

Command = TypeVar("Command", bound=Callable[..., Any])

DESCRIBED = click.option(
    "--board",
    "described",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="The description of the board (default: the project's board.toml).",
)
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


class NotInstalled(CribboardError):
    """The libraries of the extra `hardware` are not there."""


@click.group(cls=Group)
def hardware() -> None:
    """Make the drawings, lists and settings for building a board.

    Everything comes from a description of the board: its tracks, holes, buttons, pins and supply. The project has three
    descriptions; to make your own, copy one. These commands need an extra. Install it in the project's folder:

    \b
      pip install -e '.[hardware]'
    """


@hardware.command()
@DESCRIBED
@INTO
@JSON
def draw(described: Path | None, into: Path, as_json: bool) -> None:
    """Draw the board for saw and laser, as DXF and SVG.

    Each kind of work has its layer: OUTLINE, HOLES and CUT_OUTS are cut; STREETS, START, SKUNK, GAME and TEXT are
    engraved. board-picture.svg is the same in broad lines, to look at.

    With --json: file, for each, then width_mm and height_mm.
    """
    layout = _sound(described)
    with _libraries():
        from cribboard.hardware.dxf import dxf
    from cribboard.hardware.drawing import drawing
    from cribboard.hardware.svg import SEEN_MM, svg

    pieces, name = drawing(layout), layout.description.name
    texts = {
        "board.dxf": dxf(pieces),
        "board.svg": svg(pieces, layout.size, name),
        "board-picture.svg": svg(pieces, layout.size, name, SEEN_MM),
    }
    _write(into, {path: text.encode() for path, text in texts.items()}, as_json)
    width, height = layout.size
    answer({"width_mm": width, "height_mm": height}, f"The board is {width:.1f} mm by {height:.1f} mm.", as_json)


@hardware.command()
@DESCRIBED
@INTO
@PAPER
@JSON
def template(described: Path | None, into: Path, paper: str, as_json: bool) -> None:
    """Draw the board 1:1 on pages to print and glue on.

    With --json: file, then columns and rows (of pages).
    """
    layout = _sound(described)
    with _libraries():
        from cribboard.hardware.template import pages
        from cribboard.hardware.template import template as on_paper
    from cribboard.hardware.drawing import drawing

    _write(into, {f"template-{paper}.pdf": on_paper(layout, drawing(layout), paper)}, as_json)
    columns, rows = pages(layout.size, paper)
    text = f"{columns} pages wide, {rows} pages high; the bar on each must measure 100 mm."
    answer({"columns": columns, "rows": rows}, text, as_json)


@hardware.command()
@DESCRIBED
@INTO
@JSON
def grid(described: Path | None, into: Path, as_json: bool) -> None:
    """Make the light guide for a 3D printer, as STL.

    With --json: file, for each.
    """
    layout = _sound(described)
    with _libraries():
        from cribboard.hardware.grid import files
    _write(into, files(layout), as_json)


@hardware.command()
@DESCRIBED
@INTO
@PAPER
@JSON
def card(described: Path | None, into: Path, paper: str, as_json: bool) -> None:
    """Make the quick card for the table, as PDF.

    With --json: file.
    """
    layout = _sound(described)
    with _libraries():
        from cribboard.hardware.card import card as on_paper
    _write(into, {f"card-{paper}.pdf": on_paper(layout.description, paper)}, as_json)


@hardware.command()
@DESCRIBED
@click.argument("file", required=False, type=click.Path(dir_okay=False, path_type=Path))
@JSON
def settings(described: Path | None, file: Path | None, as_json: bool) -> None:
    """Print the settings.toml of the board, if `cribboard hardware check` finds nothing wrong with its wiring.

    The pins are checked when the extra is installed.

    With FILE, an existing settings.toml, only the values change; all other lines stay as they are.

    With --json: settings (its text).
    """
    from cribboard.hardware.board_toml import load
    from cribboard.hardware.settings import settings_toml

    board = load(described)
    text = None if file is None else read_text(file)
    made = settings_toml(board, text)
    emit({"settings": made}) if as_json else click.echo(made, nl=False)


def say_file(made: Path, as_json: bool) -> None:
    """Say which file was made."""
    answer({"file": str(made)}, str(made), as_json)


def _sound(described: Path | None) -> Layout:
    """The laid-out board, after all checks."""
    from cribboard.hardware.board_toml import load
    from cribboard.hardware.checks import mistakes
    from cribboard.hardware.finding import refuse
    from cribboard.hardware.layout import Layout

    layout = Layout(load(described))
    refuse(layout.description.name, mistakes(layout))
    return layout


def _write(into: Path, files: Mapping[str, bytes], as_json: bool) -> None:
    for name, contents in files.items():
        with writing(into / name, ELSEWHERE):
            into.mkdir(parents=True, exist_ok=True)
            (into / name).write_bytes(contents)
        say_file(into / name, as_json)


@contextmanager
def _libraries() -> Iterator[None]:
    try:
        yield
    except ImportError as error:
        raise NotInstalled(
            f"{error.name}, which makes this file, is not installed",
            "in the project's folder: pip install -e '.[hardware]'",
        ) from error
