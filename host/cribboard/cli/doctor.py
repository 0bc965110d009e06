"""The command that finds out what is wrong with a board."""

from __future__ import annotations

import os
import sys
from dataclasses import replace

import click

from cribboard.cli.options import JSON, PORT, Where
from cribboard.cli.output import emit, say

WRONG = 1


@click.command()
@click.argument("drive", required=False)
@PORT
@JSON
@click.pass_context
def doctor(context: click.Context, drive: str | None, port: str | None, as_json: bool) -> None:
    """Find out why a board does not play, and what to do.

    Checks the folder of your data, the CIRCUITPY drive (DRIVE, or the one that it finds), the ports, and what the board
    says. It changes nothing and types nothing on the board, so the game goes on. It listens to a silent board for some
    seconds; if a kiosk uses the board, it asks the kiosk. Exit status: 0 all is well, 1 something is wrong.

    On an RP2040 (the Pico) a dip of the supply looks like unplugging; a board that restarts by itself has had one.

    With --json: code, what, todo and wrong (false for a remark) of each finding.
    """
    from cribboard import connect
    from cribboard.doctor.checks import World, examine, held, unwritable
    from cribboard.files import home

    port = port or (context.find_object(Where) or Where()).port or os.environ.get(connect.PORT_VARIABLE) or None
    running = [board for board in connect.list_boards() if board.kind == connect.VIRTUAL]
    world = World(virtual=lambda: running, kiosk=lambda port: held(port, home() / "boards"))
    if port == connect.VIRTUAL:
        port, world = None, replace(world, ports=list)
    findings = [*unwritable(), *examine(world, port, drive)]
    for finding in findings:
        if as_json:
            emit({"code": finding.code, "what": finding.what, "todo": finding.todo, "wrong": finding.wrong})
            continue
        say(f"{'WRONG' if finding.wrong else 'ok   '} {finding.what.replace(chr(10), chr(10) + '      ')}")
        for line in finding.todo.splitlines():
            say(f"      {line}")
    wrong = [finding for finding in findings if finding.wrong]
    if not wrong and not as_json:
        say("All is well.")
    sys.exit(WRONG if wrong else 0)
