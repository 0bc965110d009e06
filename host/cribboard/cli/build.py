"""The commands for a whole build: what to order, the case, the carrier board, the pictures of the steps."""

from __future__ import annotations

from pathlib import Path

import click

from cribboard.cli.hardware import DESCRIBED, INTO, libraries, sound, wired, write
from cribboard.cli.options import JSON
from cribboard.cli.output import answer, emit


@click.command()
@DESCRIBED
@click.option("--csv", "as_csv", is_flag=True, help="Print comma-separated values for a spreadsheet.")
@click.option("--form", type=click.Choice(["digikey", "mouser"]), help="Print the CSV for this shop's upload form.")
@JSON
def order(described: Path | None, as_csv: bool, form: str | None, as_json: bool) -> None:
    """List what to order: part numbers, packages and prices.

    Each line has a maker's part number and another choice. A form has only the lines with a number; buy the others
    (strip, wire, screws) where you like.

    With --json: what, needed, unit, packages, first, other, package, low and high of every line.
    """
    from cribboard.hardware import parts as listing
    from cribboard.hardware.description import load
    from cribboard.hardware.shape import lengths

    board = load(described)
    lines = listing.order(board, listing.parts(board, wired(board), lengths(board)))
    if as_json:
        for line in lines:
            emit(listing.order_json(line))
    elif form:
        click.echo(listing.order_form(lines, form), nl=False)
    else:
        click.echo(listing.order_csv(lines) if as_csv else listing.order_markdown(board, lines), nl=False)


@click.command()
@DESCRIBED
@INTO
@JSON
def case(described: Path | None, into: Path, as_json: bool) -> None:
    """Draw the case for the laser, and a comb to test the beam.

    They are DXF and SVG.

    Makes a file for each plate of the case; its name says how many to cut. The corners are stacked from plates, or
    printed (STL). Cut case-comb first: it gives thickness_mm and kerf_mm for board.toml.

    With --json: file, for each, then part, count, hours and grams of each printed part, the light guides' too, then
    depth_mm and screw_mm.
    """
    layout = sound(described)
    with libraries():
        from cribboard.hardware import printing
        from cribboard.hardware.laser import cut, dxf
    from cribboard.hardware.case import Case
    from cribboard.hardware.checks import refuse
    from cribboard.hardware.drawing import svg

    name, made = layout.description.name, Case(layout)
    refuse(f"The case of {name}", made.mistakes())
    files: dict[str, bytes] = {}
    for plate in cut(made):
        files[f"case-{plate.name}-cut-{plate.count}.dxf"] = dxf(plate.pieces).encode()
        files[f"case-{plate.name}-cut-{plate.count}.svg"] = svg(plate.pieces, plate.size, name).encode()
    printed = printing.case_files(made)
    write(into, files | {file: contents for file, (contents, _) in printed.items()}, as_json)
    every = [*(part for _, part in printed.values()), *printing.guides(layout)]
    for part in every if as_json else ():
        emit({"part": part.name, "count": part.count, "hours": round(part.hours, 2), "grams": round(part.grams, 1)})
    width, height = layout.size
    text = f"{width:.0f} mm by {height:.0f} mm, {made.depth:g} mm deep inside; screws M3 x {made.screw_long}."
    words = "\n".join([*printing.table(every), f"The case is {text}"])
    answer({"depth_mm": made.depth, "screw_mm": made.screw_long}, words, as_json)


@click.command()
@DESCRIBED
@JSON
def form(described: Path | None, as_json: bool) -> None:
    """Print a form for what you measure on your board.

    It has what to measure, how, what the model expects of this board, and room for your figure, as Markdown.

    With --json: form (its text).
    """
    from cribboard.hardware.description import load
    from cribboard.hardware.guide import form as to_fill

    text = to_fill(load(described))
    emit({"form": text}) if as_json else click.echo(text, nl=False)


@click.command("carrier")
@DESCRIBED
@INTO
@JSON
def carrier_board(described: Path | None, into: Path, as_json: bool) -> None:
    """Make a carrier board: Gerbers, drills, parts and places.

    It has a socket for the Pico and the level shifter, the fuse, resistors and capacitors, terminals for the strips and
    connectors for the buttons: two layers, 80 by 60 mm, parts with wires only. carrier.zip is what a maker of boards
    takes. It is for boards that are fed by USB. Finding the way of its copper takes some seconds.

    With --json: file, for each.
    """
    from cribboard.hardware import carrier
    from cribboard.hardware.checks import refuse
    from cribboard.hardware.description import load

    board = load(described)
    circuit = wired(board)
    refuse(f"A carrier for {board.name}", carrier.unfit(board, circuit))
    with libraries():
        from cribboard.hardware.fabrication import files, route
    made = carrier.carrier(circuit)
    write(into, files(made, route(made), board.name), as_json)


@click.command()
@DESCRIBED
@INTO
@JSON
def pictures(described: Path | None, into: Path, as_json: bool) -> None:
    """Draw the pictures for the steps of the guide.

    Makes step-5-section.svg (through two holes), step-6-strips.svg (a track's strips, cut and joined; not for single
    pixels) and step-9-box.svg (the box, taken apart).

    With --json: file, for each.
    """
    from cribboard.hardware.guide import pictures as drawn

    write(into, {name: picture.svg().encode() for name, picture in drawn(sound(described)).items()}, as_json)
