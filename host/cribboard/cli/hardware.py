"""The commands of a maker: drawings, template, card and settings, and all others, from one description."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from cribboard.amounts import amount
from cribboard.cli.hardware_build import carrier_board, case, form, model, order, pictures, render, sheets, step
from cribboard.cli.hardware_electric import check, parts, power, wiring
from cribboard.cli.hardware_files import INTO, PAPER, libraries, slow, sound, write
from cribboard.cli.options import DESCRIBED, JSON, Group, read_text
from cribboard.cli.output import answer, emit
from cribboard.errors import ArgumentError


@click.group(cls=Group)
def hardware() -> None:
    """Make the drawings, lists and settings for building a board.

    Everything comes from a description of the board: its tracks, holes, buttons, pins and supply. The project has six
    descriptions; to make your own, copy one. These commands need an extra. Install it in the project's folder:

    \b
      pip install -e '.[hardware]'
    """


@hardware.command()
@DESCRIBED
@INTO
@JSON
@slow
def draw(described: Path | None, into: Path, as_json: bool) -> None:
    """Draw face, paper and light sheet for saw and laser.

    Each kind of work has its layer: OUTLINE, HOLES, CUT_OUTS and DOTS are cut; PAINT, STREETS, START, SKUNK, GAME and
    TEXT are engraved. board-picture.svg is the face in broad lines, to look at. With `face_mm = 0` the face is
    face-print.pdf, a page to print 1:1, and with a `cover_mm` there is a clear cover. What is larger than `bed_mm` is
    also drawn in parts that are joined with dovetails. With `face_kerf_mm` and `kerf_mm` in the description the cuts
    are the beam's path.

    With --json: file, for each, then width_mm and height_mm.
    """
    layout = sound(described)
    with libraries():
        from cribboard.hardware.laser import beam, dxf, layers, parts, size_of
        from cribboard.hardware.paper import face
    from cribboard.hardware.drawing import drawing
    from cribboard.hardware.svg import SEEN_MM, svg

    name, files = layout.description.name, dict[str, bytes]()
    files["board-picture.svg"] = svg(drawing(layout), layout.size, name, SEEN_MM).encode()
    if not layout.description.shape.face_mm:
        files["face-print.pdf"] = face(layout)
    for layer, (pieces, joints, kerf) in layers(layout).items():
        cut = parts(pieces, joints) if joints else []
        drawn = {f"{layer}-part-{number}-of-{len(cut)}": part for number, part in enumerate(cut, 1)}
        for file, some in {layer: pieces, **drawn}.items():
            files[f"{file}.dxf"] = dxf(beam(some, kerf)).encode()
            files[f"{file}.svg"] = svg(beam(some, kerf), size_of(some) if file in drawn else layout.size, name).encode()
    write(into, files, as_json)
    width, height = layout.size
    answer({"width_mm": width, "height_mm": height}, f"The board is {width:.1f} mm by {height:.1f} mm.", as_json)


@hardware.command()
@DESCRIBED
@INTO
@PAPER
@JSON
@slow
def template(described: Path | None, into: Path, paper: str, as_json: bool) -> None:
    """Draw face and light sheet 1:1 on pages to print and glue on.

    With --json: file, then columns and rows (of pages).
    """
    layout = sound(described)
    with libraries():
        from cribboard.hardware.paper import pages
        from cribboard.hardware.paper import template as on_paper
    from cribboard.hardware.drawing import drawing
    from cribboard.hardware.light_sheet import light_sheet

    made = {f"template-{paper}.pdf": drawing(layout), f"template-light-sheet-{paper}.pdf": light_sheet(layout)}
    write(into, {file: on_paper(layout, pieces, paper) for file, pieces in made.items()}, as_json)
    columns, rows = pages(layout.size, paper)
    text = f"{amount(columns, 'page')} wide, {amount(rows, 'page')} high; the bar on each must measure 100 mm."
    answer({"columns": columns, "rows": rows}, text, as_json)


@hardware.command()
@DESCRIBED
@INTO
@JSON
@slow
def grid(described: Path | None, into: Path, as_json: bool) -> None:
    """Make light guides and bars for a 3D printer: STL and 3MF.

    It says which goes behind which holes. With --json: file, for each.
    """
    layout = sound(described)
    with libraries():
        from cribboard.hardware.printing import files, where
        from cribboard.hardware.three_mf import beside
    write(into, beside(files(layout)), as_json)
    for line in [] if as_json else where(layout):
        click.echo(line)


@hardware.command(hidden=True, context_settings={"ignore_unknown_options": True})
@click.argument("words", nargs=-1, type=click.UNPROCESSED)
@JSON
def card(words: Sequence[str], as_json: bool) -> None:
    """Say where the quick card is made now."""
    raise ArgumentError("the quick card is a cheat sheet now", "type: cribboard cheatsheet --sheet card")


@hardware.command()
@DESCRIBED
@click.argument("file", required=False, type=click.Path(dir_okay=False, path_type=Path))
@JSON
def settings(described: Path | None, file: Path | None, as_json: bool) -> None:
    """Print the settings.toml of the board.

    It does so if `cribboard hardware check` finds nothing wrong with the board.

    The pins are checked when the extra is installed.

    With FILE, an existing settings.toml, only the values change; all other lines stay as they are.

    With --json: settings (its text).
    """
    from cribboard.hardware import controllers
    from cribboard.hardware.settings import settings_toml

    board = sound(described).description
    controllers.refuse_unknown(board.controller)
    text = None if file is None else read_text(file)
    made = settings_toml(board, text)
    emit({"settings": made}) if as_json else click.echo(made, nl=False)


for command in (check, power, parts, wiring, order, case, sheets, model, step, render, form, carrier_board, pictures):
    hardware.add_command(command)
