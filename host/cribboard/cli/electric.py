"""The electric side of `cribboard hardware`: check, power, parts, wiring."""

from __future__ import annotations

from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cribboard.cli.hardware import DESCRIBED, INTO
from cribboard.cli.options import JSON
from cribboard.cli.output import emit, new_grid, print_grid, say

if TYPE_CHECKING:
    from cribboard.hardware.budget import Budget
    from cribboard.hardware.circuit import Circuit
    from cribboard.hardware.description import Description
    from cribboard.hardware.finding import Finding

TEXT_FILE = click.Path(dir_okay=False, path_type=Path)
MARKS = {True: "wrong", False: "note"}


@click.command()
@DESCRIBED
@click.option("--controller", metavar="NAME", help="Another controller than described, by CircuitPython's name.")
@click.option("--settings", metavar="FILE", type=TEXT_FILE, help="The settings.toml of a drive, in place of its pins.")
@JSON
@click.pass_context
def check(
    context: click.Context, described: Path | None, controller: str | None, settings: Path | None, as_json: bool
) -> None:
    """Check that a board can be made, and that its electricity works and cannot burn.

    Material is left between the holes and to the edge, and the board and its light guide fit the machines. Every pin
    is there on the controller and can do its job, what stands between it and the strips is right, and each fuse carries
    the worst current but less than its wire.

    Exit status 1 when something is wrong. With --json: wrong, where, said and advice of each finding.
    """
    from cribboard.hardware import controllers
    from cribboard.hardware.as_set import as_set
    from cribboard.hardware.board_toml import load
    from cribboard.hardware.checks import mistakes
    from cribboard.hardware.layout import Layout
    from cribboard.hardware.safety import check as checked

    board = load(described)
    shape = mistakes(Layout(board))  # as it is cut, whatever a drive is set to
    if controller:
        board = replace(board, controller=controller)
    if settings:
        board = as_set(board, settings)
    found = sorted([*shape, *checked(board, controllers.load(board.controller))], key=lambda each: not each.wrong)
    for finding in found:
        if as_json:
            emit(asdict(finding))
        else:
            _tell(finding)
    wrong = sum(finding.wrong for finding in found)
    if not as_json:
        places = f"wrong in {wrong} place{'s' if wrong > 1 else ''}" if wrong else "nothing is wrong"
        say(f"{board.name}: {places}.")
    context.exit(1 if wrong else 0)


@click.command()
@DESCRIBED
@JSON
def power(described: Path | None, as_json: bool) -> None:
    """Say what a board draws, what its source carries, and which limit to set.

    By the same estimate with which the firmware keeps its limit. With --json: one object, in milliamperes.
    """
    from cribboard.hardware.board_toml import load
    from cribboard.hardware.budget import budget
    from cribboard.hardware.ratings import PORTS

    board = load(described)
    found = budget(board)
    if as_json:
        emit({**asdict(found), "worst_ma": found.worst_ma, "ports": {name: found.fits(ma) for name, ma in PORTS}})
        return
    source = "USB" if board.supply.kind == "usb" else "a supply of its own"
    supply = board.supply
    say(f"{board.name}: {board.pixels} pixels on {source}, {supply.current_a:g} A, at {supply.brightness} %.")
    _currents(found)
    for line in _advice(board, found):
        say(line)


@click.command()
@DESCRIBED
@click.option("--csv", "as_csv", is_flag=True, help="For a spreadsheet.")
@JSON
def parts(described: Path | None, as_csv: bool, as_json: bool) -> None:
    """List the electric parts to buy, with quantities, as Markdown.

    With --json: part, quantity, unit, use, instead, low and high (a rough cost of each) of every line.
    """
    from cribboard.hardware import parts as listing
    from cribboard.hardware.board_toml import load
    from cribboard.hardware.lengths import lengths

    board = load(described)
    items = listing.parts(board, _circuit(board), lengths(board))
    if as_json:
        for item in items:
            emit(asdict(item))
    else:
        click.echo(listing.as_csv(items) if as_csv else listing.as_markdown(board, items), nl=False)


@click.command()
@DESCRIBED
@INTO
def wiring(described: Path | None, into: Path) -> None:
    """Draw the wiring and list the cables.

    Makes wiring-power.svg, wiring-data.svg and wiring-buttons.svg (each fits a page), wiring.html (all in one),
    wiring.bom.tsv (what to cut) and wires.csv (every wire).
    Graphviz must be installed, too: apt install graphviz, or the like.
    """
    from cribboard.hardware.board_toml import load
    from cribboard.hardware.lengths import lengths
    from cribboard.hardware.wiring import draw

    board = load(described)
    for made in draw(_circuit(board), board.name, lengths(board), into):
        say(str(made))


def _circuit(board: Description) -> Circuit:
    """The wired board, after all checks."""
    from cribboard.hardware import controllers
    from cribboard.hardware.circuit import circuit
    from cribboard.hardware.finding import refuse
    from cribboard.hardware.safety import check

    controller = controllers.load(board.controller)
    refuse(board.name, check(board, controller))
    return circuit(board, controller)


def _tell(finding: Finding) -> None:
    say(f"{MARKS[finding.wrong]}: {finding.where}: {finding.said}")
    for line in finding.advice.splitlines():
        say(f"  {line}")


def _currents(found: Budget) -> None:
    grid = new_grid()
    grid.add_column("")
    grid.add_column("mA", justify="right")
    for name, ma in (
        ("All lights dark", found.idle_ma),
        ("In the middle of a game", found.game_ma),
        ("The brightest moment of a win", found.show_ma),
        ("The limit that the firmware keeps", found.limit_ma),
        ("All white, which only a fault can show", found.white_ma),
    ):
        grid.add_row(name, str(ma))
    print_grid(grid)


def _advice(board: Description, found: Budget) -> list[str]:
    from cribboard.hardware.ratings import PORTS, ampacity, fuse_for

    ports = [name for name, ma in PORTS if found.fits(ma)]
    lines = []
    if board.supply.kind == "usb":
        lines.append(f"Ports that carry {found.worst_ma} mA: {'; '.join(ports) or 'none'}.")
    if found.best_limit_ma:
        lines.append(f"The limit to set, by supply and fuse: limit_ma = {found.best_limit_ma}.")
    else:
        lines.append(f"Supply and fuse are too weak: the firmware wants a limit of {found.least_limit_ma} mA or more.")
    if found.show_ma > found.limit_ma:
        lines.append("A win is shown darker than it could be, to keep the limit.")
    fuse, wire, worst = board.supply.fuse_a, board.supply.wire_mm2, found.branch_ma
    enough = fuse_for(worst / 1000)
    lines.append(
        f"Fuses: {found.fuses} of {fuse:g} A. Through one go up to {worst} mA; {enough:g} A are enough for that."
    )
    if board.supply.main_fuse_a:
        lines.append(f"Before them one of {board.supply.main_fuse_a:g} A, through which all {found.worst_ma} mA go.")
    carried = f"{ampacity(wire):g} A and loses {found.drop_mv} mV a metre at {worst} mA"
    return [*lines, f"Wire: {wire:g} mm² carries {carried}."]
