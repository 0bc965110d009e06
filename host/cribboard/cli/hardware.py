"""The commands of a maker: drawings, settings, check, power, parts and wiring, all from one description."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, TypeVar

import click

from cribboard.cli.options import DESCRIBED, JSON, Group, IntRange, read_text
from cribboard.cli.output import answer, emit, new_grid, print_grid, say
from cribboard.cli.progress import progress
from cribboard.errors import ArgumentError, CribboardError
from cribboard.files import ELSEWHERE, write_errors, write_file
from cribboard.installed import how_to_add
from cribboard_core.sizes import side_count

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cribboard.hardware.budget import Budget
    from cribboard.hardware.circuit import Circuit
    from cribboard.hardware.description import Description
    from cribboard.hardware.findings import Finding
    from cribboard.hardware.shape import Layout


# The commands of a maker: drawings, template, light guide, card and settings, all from one description.

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
    text = f"{columns} pages wide, {rows} pages high; the bar on each must measure 100 mm."
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


@click.command()
@click.option(
    "--paper", type=click.Choice(["a4", "letter", "pocket"]), default="a4", show_default=True, help="The paper size."
)
@click.option(
    "--sheet",
    type=click.Choice(["rules", "card", "score", "exercises"]),
    default="rules",
    show_default=True,
    help="The rules and lights; a quick card for your board; a score card; or hands to count with their answers.",
)
@click.option("--large", is_flag=True, help="Large print.")
@click.option("--seed", metavar="N", type=IntRange(0), help="With exercises: the hands of this number (1).")
@click.option("--hands", metavar="N", type=IntRange(1, 200), help="With exercises: number of hands (16).")
@DESCRIBED
@INTO
@JSON
@slow
def cheatsheet(
    paper: str,
    sheet: str,
    large: bool,
    seed: int | None,
    hands: int | None,
    described: Path | None,
    into: Path,
    as_json: bool,
) -> None:
    """Make a page to print for those at the table, as PDF and SVG.

    It has the count, a deal, the points in the play, skunks, and the board's buttons and lights. With --paper pocket it
    is a book of eight pages on one sheet of A4: fold it to eighths, cut the line in the middle, fold it to a book.

    \b
      cribboard cheatsheet --large
      cribboard cheatsheet --sheet card --board my-board.toml
      cribboard cheatsheet --sheet exercises --seed 7

    It needs the libraries of `pip install -e '.[hardware]'`. With --json: file, for each.
    """
    if sheet != "exercises" and (seed is not None or hands is not None):
        raise click.UsageError("--seed and --hands go with --sheet exercises.")
    if described is not None and sheet != "card":
        raise click.UsageError("--board goes with --sheet card.")
    if sheet == "card" and (large or paper == "pocket"):
        raise ArgumentError("the quick card has one size of print", "leave --large and --paper pocket out")
    seed = 1 if seed is None else seed
    if paper == "pocket" and (large or sheet != "rules"):
        raise ArgumentError("the pocket book has the rules in small print only", "leave --large or --sheet out")
    with libraries():
        from cribboard.hardware import paper as printed
    if sheet == "card":
        write(into, {f"card-{paper}.pdf": printed.card(sound(described).description, paper)}, as_json)
        return
    if sheet == "rules":
        pages = printed.cheat_sheet(paper, large)
    elif sheet == "score":
        pages = printed.score_card(paper, large)
    else:
        pages = printed.exercises(paper, seed, hands or 16, large)
    name = "-".join([sheet, paper, *(["large"] if large else []), *([str(seed)] if sheet == "exercises" else [])])
    files = {f"{name}.pdf": printed.pdf(pages, f"Cribbage, {sheet}")}
    for number, page in enumerate(pages, 1):
        files[f"{name}-{number}.svg"] = printed.svg(page, f"Cribbage, {sheet}, page {number}").encode()
    write(into, files, as_json)


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


# The electric side of `cribboard hardware`: check, power, parts, wiring.

TEXT_FILE = click.Path(dir_okay=False, path_type=Path)
MARKS = {True: "wrong", False: "note"}


@click.command()
@DESCRIBED
@click.option("--controller", metavar="NAME", help="Check with another controller, named as CircuitPython does.")
@click.option("--settings", metavar="FILE", type=TEXT_FILE, help="Check the pins in a drive's settings.toml instead.")
@JSON
@click.pass_context
def check(
    context: click.Context, described: Path | None, controller: str | None, settings: Path | None, as_json: bool
) -> None:
    """Check that a board can be made, seen and used safely.

    Checks that enough material is left between the holes and at the edge, and that board and light guide fit the
    machines; that the light comes through face and holes to those who sit; that case, screws, feet, buttons and what
    lies inside fit; that the controller has every pin and the pin can do its job; that the parts between pins and
    strips are right; that no source is stronger than is safe; and that each fuse carries the worst current, is blown by
    its source, and protects what lies behind it. A note says why there can be no carrier board, or (where
    the libraries are installed) that no way was found for its copper.

    Exit status 1 when something is wrong. With --json: wrong, where, said and advice of each finding.
    """
    from cribboard.hardware import controllers
    from cribboard.hardware.checks import mistakes
    from cribboard.hardware.circuit import circuit
    from cribboard.hardware.description import load
    from cribboard.hardware.electricity import check as checked
    from cribboard.hardware.findings import wrongs
    from cribboard.hardware.settings import as_set
    from cribboard.hardware.shape import Layout

    board = load(described)
    shape = mistakes(Layout(board))  # as it is cut, whatever a drive is set to
    if controller:
        board = replace(board, controller=controller)
    if settings:
        board = as_set(board, settings)
    chip = controllers.load(board.controller)
    electric = checked(board, chip)
    findings = sorted([*shape, *electric], key=lambda each: not each.wrong)
    no_carrier = [] if wrongs(findings) else _no_carrier(board, circuit(board, chip))
    findings += [replace(each, wrong=False) for each in no_carrier]
    for finding in findings:
        if as_json:
            emit(asdict(finding))
        else:
            _tell(finding)
    wrong = sum(finding.wrong for finding in findings)
    if not as_json:
        well = "it can be built, but not on a carrier board" if no_carrier else "nothing is wrong"
        places = f"wrong in {wrong} place{'s' if wrong > 1 else ''}" if wrong else well
        say(f"{board.name}: {places}.")
    context.exit(1 if wrong else 0)


def _no_carrier(board: Description, circuit: Circuit) -> list[Finding]:
    """Why there can be no carrier board; its copper is tried only where the libraries for that are installed."""
    from cribboard.hardware.carrier import carrier, carrier_problems

    findings = [*carrier_problems(board, circuit)]
    if findings:
        return findings
    try:
        from cribboard.hardware.routing import problems
    except ImportError:
        return []
    return problems(carrier(circuit))


@click.command()
@DESCRIBED
@JSON
def power(described: Path | None, as_json: bool) -> None:
    """Show what a board draws, and which limit to set.

    It uses the same estimate as the firmware's current limit. With --json: one object, in milliamperes:
    idle_ma, game_ma, show_ma (a win), limit_ma, worst_ma, white_ma, least_limit_ma, best_limit_ma and branch_ma (in
    one of the fuses); drop_mv (of wires, a metre), strip_drop_mv, reach_m (of a track fed at one end) and ports (which
    carry it).
    """
    from cribboard.hardware.budget import budget
    from cribboard.hardware.description import load
    from cribboard.hardware.feed import PORTS

    board = load(described)
    figures = budget(board)
    if as_json:
        emit({**asdict(figures), "ports": {name: figures.fits(ma) for name, ma in PORTS}})
        return
    source = "USB" if board.on_usb else "a supply of its own"
    supply = board.supply
    say(f"{board.name}: {board.pixels} pixels on {source}, {supply.current_a:g} A, at {supply.brightness} %.")
    _currents(figures)
    for line in _advice(board, figures):
        say(line)


@click.command()
@DESCRIBED
@click.option("--csv", "as_csv", is_flag=True, help="Print comma-separated values for a spreadsheet.")
@JSON
def parts(described: Path | None, as_csv: bool, as_json: bool) -> None:
    """List the electronic parts to buy, with quantities, as Markdown.

    With --json: part, quantity, unit, use, instead, low and high (a rough unit cost) of every line.
    """
    from cribboard.hardware import parts as listing
    from cribboard.hardware.description import load
    from cribboard.hardware.wire_lengths import lengths

    board = load(described)
    items = listing.parts(board, wired(board), lengths(board))
    if as_json:
        for item in items:
            emit(asdict(item))
    else:
        click.echo(listing.as_csv(items) if as_csv else listing.as_markdown(board, items), nl=False)


@click.command()
@DESCRIBED
@INTO
@JSON
@slow
def wiring(described: Path | None, into: Path, as_json: bool) -> None:
    """Draw the wiring and list the cables.

    Makes wiring-power.svg, wiring-data.svg and wiring-buttons.svg (each fits a page), wiring.html (all in one),
    wiring.bom.tsv (what to cut) and wires.csv (every wire).
    Graphviz must be installed, too: apt install graphviz, or similar.

    With --json: file, for each.
    """
    from cribboard.hardware.description import load
    from cribboard.hardware.wire_lengths import lengths
    from cribboard.hardware.wiring import draw

    board = load(described)
    for made in draw(wired(board), board.name, lengths(board), into):
        say_file(made, as_json)


def wired(board: Description) -> Circuit:
    """The wired board, after all checks."""
    from cribboard.hardware import controllers
    from cribboard.hardware.circuit import circuit
    from cribboard.hardware.electricity import check
    from cribboard.hardware.findings import refuse

    controller = controllers.load(board.controller)
    refuse(board.name, check(board, controller))
    return circuit(board, controller)


def _tell(finding: Finding) -> None:
    say(f"{MARKS[finding.wrong]}: {finding.where}: {finding.said}")
    for line in finding.advice.splitlines():
        say(f"  {line}")


def _currents(figures: Budget) -> None:
    grid = new_grid()
    grid.add_column("")
    grid.add_column("mA", justify="right")
    for name, ma in (
        ("All lights dark", figures.idle_ma),
        ("In the middle of a game", figures.game_ma),
        ("The brightest moment of a win", figures.show_ma),
        ("The limit that the firmware keeps", figures.limit_ma),
        ("All white, which only a fault can show", figures.white_ma),
    ):
        grid.add_row(name, str(ma))
    print_grid(grid)


def _advice(board: Description, figures: Budget) -> list[str]:
    from cribboard.hardware import ratings
    from cribboard.hardware.budget import both_ends, phone_limit_ma
    from cribboard.hardware.feed import PHONE_MA, PORTS, STRIP_A, usb

    supply, row, worst = board.supply, usb(board.controller), figures.branch_ma
    ports = [name for name, ma in PORTS if figures.fits(ma) and ma <= row.socket_a * 1000]
    lines = []
    if board.on_usb:
        pin = f"its {row.socket} socket carries {row.socket_a:g} A, its {row.pin or '5 V'} pin {row.pin_a:g} A"
        lines.append(f"Ports that carry {figures.worst_ma} mA: {'; '.join(ports) or 'none'}.")
        lines.append(f"The {board.controller}: {pin}.")
        least = phone_limit_ma(board)
        said = f"limit_ma = {least}, as `cribboard setup --phone` sets it" if least else "too little for this board"
        lines.append(f"A phone gives {PHONE_MA} mA or less: {said}.")
    if figures.best_limit_ma:
        lines.append(f"The limit to set, by supply and fuse: limit_ma = {figures.best_limit_ma}.")
    else:
        lines.append(
            f"Supply and fuse are too weak: the firmware needs a limit of {figures.least_limit_ma} mA or more."
        )
    if figures.show_ma > figures.limit_ma:
        lines.append("A win is shown dimmer than it could be, to stay within the limit.")
    enough = ratings.fuse_for(worst / 1000)
    said = f"{enough:g} A is enough" if enough * ratings.FUSE_LOAD * 1000 >= worst else "no fuse here carries that"
    lines.append(f"Fuses: {figures.fuses} of {supply.fuse_a:g} A. Up to {worst} mA flow through each; {said}.")
    if not board.on_usb:
        carried, gives = ratings.ampacity(supply.main_wire_mm2), ratings.in_a_fault(supply.current_a)
        lines.append(
            f"Before them {supply.main_wire_mm2:g} mm² carries {carried:g} A; in a fault up to {gives:g} A flow."
        )
        lines.append(f"Controller and shifter: a fuse of {ratings.CONTROLLER_FUSE_A:g} A of their own.")
    lines.append(
        f"Wire: {supply.wire_mm2:g} mm² carries {ratings.ampacity(supply.wire_mm2):g} A "
        f"and loses {figures.drop_mv} mV a metre at {worst} mA."
    )
    fed, reach = "both its ends" if both_ends(board) else "its beginning", figures.reach_m
    lines.append(f"A track of {board.track_m:.2f} m, fed at {fed}, loses up to {figures.strip_drop_mv} mV.")
    copper = f"its copper carries {STRIP_A:g} A; " if board.shape.strip_mm else ""
    far = f"one end is enough up to {reach:g} m, both ends up to {ratings.FED_BETWEEN * reach:g} m"
    return [*lines, f"Where to feed it: {copper}{far}."]


# The commands for a whole build: what to order, the case, the carrier board, the pictures of the steps.


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
        from cribboard.hardware.routing import route
    from cribboard.hardware.placement import on_carrier

    made = carrier.carrier(circuit)
    placed = {"carrier-placement.svg": on_carrier(board.name, made).svg().encode()}
    copper = route(made)
    fabricated = files(made, copper, board.name)
    fabricated["carrier-jlcpcb.zip"] = jlcpcb(fabricated, made)
    write(into, fabricated | kicad.files(made, copper, board.name) | placed, as_json)


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


for command in (check, power, parts, wiring, order, case, sheets, model, step, render, form, carrier_board, pictures):
    hardware.add_command(command)
