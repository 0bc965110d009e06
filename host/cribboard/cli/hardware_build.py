"""The commands for a whole build: what to order, the case, the carrier board, the pictures of the steps."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import click

from cribboard.cli.hardware_electric import wired
from cribboard.cli.hardware_files import INTO, libraries, slow, sound, write
from cribboard.cli.options import DESCRIBED, JSON, IntRange
from cribboard.cli.output import answer, emit
from cribboard_core.sizes import side_count

if TYPE_CHECKING:
    from cribboard.hardware.description import Description


@click.command()
@DESCRIBED
@click.option("--csv", "as_csv", is_flag=True, help="Print comma-separated values for a spreadsheet.")
@click.option("--form", type=click.Choice(["digikey", "mouser"]), help="Print the CSV for this shop's upload form.")
@JSON
def order(described: Path | None, as_csv: bool, form: str | None, as_json: bool) -> None:
    """List what to order: part numbers, packages and prices.

    Each line has a maker's part number, another choice, and the step of the build guide that first needs it. A form has
    only the lines with a number; buy the others (strip, wire, screws) where you like.

    With --json: what, step, needed, unit, packages, first, other, package, low and high of every line.
    """
    from cribboard.hardware import parts as listing
    from cribboard.hardware.description import load
    from cribboard.hardware.wire_lengths import lengths

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
@slow
def case(described: Path | None, into: Path, as_json: bool) -> None:
    """Draw the case for the laser, with a comb to test the beam.

    They are DXF and SVG.

    Makes a file for each plate of the case; its name says how many to cut. The corners' plates may be printed (STL,
    3MF), as the lever connectors' clips are. Cut case-comb first: it gives thickness_mm and kerf_mm for board.toml.

    With --json: file, for each, then part, count, hours and grams of each printed part, the light guides' too, then
    depth_mm, screw_mm (of the corners), clamp_screw_mm (of the light guides), foot_mm and sheet_m2.
    """
    layout = sound(described)
    with libraries():
        from cribboard.hardware import printing
        from cribboard.hardware.laser import cut, dxf
        from cribboard.hardware.three_mf import beside
    from cribboard.hardware.case import Case
    from cribboard.hardware.svg import svg

    name, made = layout.description.name, Case(layout)
    files: dict[str, bytes] = {}
    for plate in cut(made):
        files[f"case-{plate.name}-cut-{plate.count}.dxf"] = dxf(plate.pieces).encode()
        files[f"case-{plate.name}-cut-{plate.count}.svg"] = svg(plate.pieces, plate.size, name).encode()
    printed = printing.case_files(made)
    write(into, files | beside({file: contents for file, (contents, _) in printed.items()}), as_json)
    every = [*(part for _, part in printed.values()), *printing.guides(layout)]
    for part in every if as_json else ():
        emit({"part": part.name, "count": part.count, "hours": round(part.hours, 2), "grams": round(part.grams, 1)})
    width, height = layout.size
    count, clamp = sum(map(len, made.ears)), made.stack.clamp_long
    text = f"{width:.0f} mm by {height:.0f} mm, {made.depth:g} mm deep inside."
    screws = (
        f"Screws, countersunk: 4 of {made.screw} x {made.screw_long} in the corners, {count} of M3 x {clamp} at the"
    )
    sheet = f"Light sheet and case are cut from about {made.sheet_m2:.2f} m² of sheet, with no room between the parts."
    drawer = f", {len(made.drawer_screws)} more of these at the drawer and its legs" * bool(made.drawer_screws)
    feet = f"{screws} light guides{drawer}. Feet: {made.foot} mm high."
    words = "\n".join([*printing.table(every), f"The case is {text}", feet, sheet])
    figures = {"depth_mm": made.depth, "screw_mm": made.screw_long, "clamp_screw_mm": clamp, "foot_mm": made.foot}
    answer({**figures, "sheet_m2": round(made.sheet_m2, 3)}, words, as_json)


MID_GAME = 46  # points that the first player has pegged, before some more

SHEETS = ("400x300", "600x300", "600x400", "a3")  # hardware/nesting.py has them, which needs the extra


@click.command()
@DESCRIBED
@INTO
@click.option("--sheet", type=click.Choice(SHEETS), default=SHEETS[0], show_default=True, help="The sheet you buy.")
@JSON
@slow
def sheets(described: Path | None, into: Path, sheet: str, as_json: bool) -> None:
    """Lay light sheet and case onto sheets as they are sold.

    Makes a DXF and an SVG for each sheet, and one PDF with all, 1:1. The light sheet and every plate of `cribboard
    hardware case` are there as often as needed, but not the face, which is thinner, nor the comb, which you cut first:
    it says whether a corner is free for it. Small plates keep two bridges: break them off.

    With --json: file, for each, then sheets, used (the share of them that is covered) and comb (whether it has room).
    """
    layout = sound(described)
    with libraries():
        from cribboard.hardware import nesting
        from cribboard.hardware.laser import dxf
    from cribboard.hardware.svg import svg

    name = layout.description.name
    made = nesting.sheets(layout, sheet)
    files: dict[str, bytes] = {}
    for number, each in enumerate(made, 1):
        file = f"case-sheet-{number}-of-{len(made)}-{sheet}"
        files[f"{file}.dxf"] = dxf(each.pieces()).encode()
        files[f"{file}.svg"] = svg(each.pieces(), each.size, name).encode()
    files[f"case-sheets-{sheet}.pdf"] = nesting.pdf(made, f"{name}, light sheet and case")
    write(into, files, as_json)
    share = nesting.used(made)
    text = f"Sheets of {sheet}: {len(made)}, {share:.0%} of them covered."
    corner = "Cut the comb first, in the free lower left corner of sheet 1."
    text += f" {corner if made[0].comb else 'The comb has no room there: cut it from another piece of the same sheet.'}"
    answer({"sheets": len(made), "used": round(share, 3), "comb": made[0].comb}, text, as_json)


@click.command()
@DESCRIBED
@INTO
@JSON
@slow
def model(described: Path | None, into: Path, as_json: bool) -> None:
    """Make a 3D model of the board in its case.

    board.glb opens in any 3D viewer. board-3d.html is a page that needs nothing else: it turns the board and takes it
    apart, and says in words what there is.

    With --json: file, for each.
    """
    layout = sound(described)
    with libraries():
        from cribboard.hardware.model import glb, page, solids
    from cribboard.hardware.case import Case

    name, made = layout.description.name, Case(layout)
    bodies = solids(made)
    write(into, {"board.glb": glb(bodies), "board-3d.html": page(name, made, bodies).encode()}, as_json)


@click.command()
@DESCRIBED
@INTO
@JSON
@slow
def step(described: Path | None, into: Path, as_json: bool) -> None:
    """Write the board as STEP, for CAD programs.

    board.step is the whole, each part under its name; the other files are the plates of the case. Holes and rounded
    corners are true circles, all lengths millimetres.

    With --json: file, for each.
    """
    layout = sound(described)
    with libraries():
        from cribboard.hardware.step import files
    from cribboard.hardware.case import Case

    name = layout.description.name
    write(into, files(name, Case(layout)), as_json)


@click.command()
@DESCRIBED
@INTO
@click.option("--lux", metavar="N", type=IntRange(1, 20_000), default=100, show_default=True, help="The room's light.")
@click.option(
    "--samples", metavar="N", type=IntRange(1, 4096), default=64, show_default=True, help="More: slower, less noise."
)
@click.option("--width", metavar="PX", type=IntRange(16, 8000), default=1100, show_default=True, help="Of a picture.")
@JSON
@slow
def render(described: Path | None, into: Path, lux: int, samples: int, width: int, as_json: bool) -> None:
    """Show the board in a room, in the middle of a game.

    room-chair.jpg is what a player sees, room-above.jpg the board from above: its solids with the lights of the real
    firmware, traced through its own holes, with half of the room's light from a lamp. 100 lux are a living room in the
    evening, 300 to 500 an office. It takes minutes, and needs the extra `render`:

    \b
      pip install -e '.[render]'

    With --json: file, for each.
    """
    layout = sound(described)
    with libraries("render"):
        from cribboard.hardware.room import pictures
    from cribboard.hardware.case import Case

    write(into, pictures(Case(layout), _in_a_game(layout.description), lux, samples, width), as_json)


def _in_a_game(board: Description) -> list[list[tuple[int, int, int]]]:
    """What the firmware's strips show in the middle of a game, each light at its brightest."""
    from cribboard.connect import hold_board
    from cribboard.hardware.settings import settings_toml
    from cribboard.sim.board import VirtualBoard
    from cribboard.sim.picture import shown

    with TemporaryDirectory() as folder:
        with VirtualBoard(Path(folder), settings=settings_toml(board)) as running, hold_board(running.port) as held:
            for side in range(side_count(board.game.players, board.game.teams)):
                for points in (MID_GAME - 9 * side, 12 + 5 * side):
                    held.peg(side, points)
        return shown(VirtualBoard(Path(folder), stepped=True))[0]


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
@slow
def carrier_board(described: Path | None, into: Path, as_json: bool) -> None:
    """Make a carrier board: Gerbers, drills, parts, places, KiCad.

    It has a socket for the Pico and the level shifter, the fuse, resistors and capacitors, terminals for the strips and
    connectors for the buttons: two layers, 80 by 60 mm, parts with wires only. carrier.zip is what a maker of boards
    takes, carrier.kicad_pro the same board with a schematic for KiCad, carrier-placement.svg a page to tick its parts
    off. On a board with its own supply the strips keep wires and fuses of their own, and the carrier feeds the
    controller only. Finding the way of its copper takes some seconds.

    With --json: file, for each.
    """
    from cribboard.hardware import carrier
    from cribboard.hardware.description import load
    from cribboard.hardware.findings import refuse

    board = load(described)
    circuit = wired(board)
    refuse(f"A carrier for {board.name}", carrier.carrier_problems(board, circuit))
    with libraries():
        from cribboard.hardware import kicad
        from cribboard.hardware.fabrication import files
        from cribboard.hardware.fabs import jlcpcb
        from cribboard.hardware.pour import ground
        from cribboard.hardware.routing import route
    from cribboard.hardware.placement import on_carrier

    made = carrier.carrier(circuit)
    placed = {"carrier-placement.svg": on_carrier(board.name, made).svg().encode()}
    copper = route(made)
    poured = ground(made, copper)
    fabricated = files(made, copper, poured, board.name)
    fabricated["carrier-jlcpcb.zip"] = jlcpcb(fabricated, made)
    write(into, fabricated | kicad.files(made, copper, poured, board.name) | placed, as_json)


@click.command()
@DESCRIBED
@INTO
@JSON
@slow
def pictures(described: Path | None, into: Path, as_json: bool) -> None:
    """Draw the pictures for the steps of the guide.

    Its name says the step of each. step-3-placement.svg is a page to print: each part of the perfboard, to tick off;
    step-3-wires.svg and step-7-buttons.svg have the wires as they lie, each with a colour and a pattern, and
    step-3-below.svg those on the soldered side. step-5-guides.svg shows which light guide lies behind which holes.
    There is no step-6-strips.svg for single pixels.

    With --json: file, for each.
    """
    from cribboard.hardware.guide import pictures as drawn

    layout = sound(described)
    with libraries():
        from cribboard.hardware.section import pictures as cut
    steps = drawn(layout, wired(layout.description)) | cut(layout)
    write(into, {name: picture.svg().encode() for name, picture in steps.items()}, as_json)
