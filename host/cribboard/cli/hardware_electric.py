"""The electric side of `cribboard hardware`: check, power, parts, wiring."""

from __future__ import annotations

from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cribboard.cli.hardware_files import INTO, say_file, slow
from cribboard.cli.options import DESCRIBED, JSON
from cribboard.cli.output import emit, new_grid, print_grid, say

if TYPE_CHECKING:
    from cribboard.hardware.budget import Budget
    from cribboard.hardware.circuit import Circuit
    from cribboard.hardware.description import Description
    from cribboard.hardware.findings import Finding

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
