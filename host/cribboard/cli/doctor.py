"""The commands that try a new board together with its builder, and that find out what is wrong with one."""

from __future__ import annotations

import os
import random
import sys
from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cribboard.cli.options import DESCRIBED, JSON, PORT, Amount, BoardChoice
from cribboard.cli.output import emit, say
from cribboard.errors import ArgumentError, CribboardError

if TYPE_CHECKING:
    from cribboard.doctor.bring_up import Step
    from cribboard.doctor.findings import Finding

WRONG = 1
WAIT_S = 180.0


class AtTerminal:
    """The person at the terminal. With --json the questions go to standard error."""

    def __init__(self, as_json: bool) -> None:
        self._err = as_json

    def ask(self, question: str, answers: Sequence[str]) -> str:
        """One of the answers; its first letters are enough."""
        while True:
            typed = click.prompt(f"{question} ({', '.join(answers)})", err=self._err, prompt_suffix=" ").strip().lower()
            meant = [answer for answer in answers if answer.startswith(typed)]
            if typed in answers or len(meant) == 1:
                return typed if typed in answers else meant[0]
            click.echo(f"{typed!r} is none of: {', '.join(answers)}", err=True)

    def tell(self, text: str) -> None:
        """A line for them to read."""
        click.echo(text, err=self._err)


@click.command("bringup")
@PORT
@DESCRIBED
@click.option("--wait", "seconds", type=Amount(0, 3600), default=WAIT_S, help="Seconds to wait for it.")
@click.option("--faults", type=click.IntRange(0, 5), help="With --port sim: number of planted faults (2).")
@click.option("--seed", type=int, help="With --port sim: which faults, the same for the same number.")
@JSON
@click.pass_context
def bring_up(
    context: click.Context,
    port: str | None,
    described: Path | None,
    seconds: float,
    faults: int | None,
    seed: int | None,
    as_json: bool,
) -> None:
    """Try every light, button and tone of a board that is new.

    Hold +1 of any player and UNDO while you plug the board in, count slowly to six, and let go. Without a computer the
    board walks red, green, blue and white over its tracks, and lights a pixel for every button that you press. This
    command asks what you see, finds a dark light by halving and names its street and hole (as --board has them), tries
    every button, shows the current limit at work, and plays the piezo. It keeps a report, which `cribboard doctor`
    reads later. Then the board goes on to its game.

    With --port sim you rehearse on a virtual board with planted faults: what you would see is printed in letters (r, g,
    b, w; a dot is dark), buttons are pressed for you, and at the end you read what was planted. No report is kept.

    Exit status: 0 all is well, 1 something is wrong.

    With --json: report (the file) and steps, with name, good, what and todo of each; of a rehearsal planted and steps.
    """
    from cribboard import connect
    from cribboard.doctor.bring_up import HOW, find, keep, report_file, try_all
    from cribboard.hardware.description import load
    from cribboard.hardware.shape import Layout

    if sys.stdin is None:
        raise ArgumentError("standard input is closed", "it asks what you see: run it in a terminal")
    named = port or (context.find_object(BoardChoice) or BoardChoice()).port
    people = AtTerminal(as_json)

    if named == connect.VIRTUAL:
        _rehearse(described, people, 2 if faults is None else faults, seed, as_json)
        return
    if faults is not None or seed is not None:
        raise click.UsageError("faults are planted on a virtual board only; add --port sim")

    def ports() -> list[str]:
        return [named] if named else [board.port for board in connect.list_boards()]

    layout = Layout(load(described))
    people.tell(f"To start the bring-up, {HOW}.\nIt waits up to {seconds:g} seconds for the board; Ctrl-C ends that.")
    with closing(find(ports, seconds)) as board:
        about = board.about
        if about.leds == layout.description.tracks.leds:
            *streets, last = layout.streets
            board.streets = [*streets, range(last.start, about.leds)]
        tracks = "1 track" if about.tracks == 1 else f"{about.tracks} tracks"
        people.tell(f"Board {about.uid}: {tracks} of {about.leds} lights, {about.keys} buttons, {about.limit_ma} mA.")
        steps = []
        for step in try_all(board, people):
            steps.append(step)
            if not as_json:
                _say_step(step)
        board.end()
    if as_json:
        emit({"report": str(report_file(about.uid)), "steps": [asdict(step) for step in steps]})
    report = keep(about, steps)
    if not as_json:
        say(f"The report is {report}.")
    sys.exit(0 if all(step.good for step in steps) else WRONG)


def _rehearse(described: Path | None, people: AtTerminal, faults: int, seed: int | None, as_json: bool) -> None:
    """Try a virtual board with planted faults."""
    from cribboard.cli.rehearsal import KINDS, PATIENCE_S, Rehearsal, started
    from cribboard.doctor.bring_up import find, try_all
    from cribboard.hardware.description import load
    from cribboard.hardware.settings import settings_toml
    from cribboard.hardware.shape import Layout

    described_board, chance = load(described), random.Random(seed)  # noqa: S311 (faults to find, no secrets)
    layout = Layout(described_board)
    *streets, last = layout.streets
    streets.append(range(last.start, described_board.tracks.leds))
    people.tell("A virtual board starts its bring-up, which takes some seconds.")
    with started(described_board, settings_toml(described_board)) as virtual:
        kinds = chance.sample(KINDS, faults)
        before = Rehearsal(virtual, described_board, people, kinds, chance, streets)
        with closing(find(lambda: [virtual.port], PATIENCE_S)) as board:
            board.streets = streets
            steps = []
            for step in try_all(board, before):
                steps.append(step)
                if not as_json:
                    _say_step(step)
    if as_json:
        emit({"planted": before.planted, "steps": [asdict(step) for step in steps]})
    else:
        say(f"Planted: {'; '.join(before.planted) or 'nothing'}.")
    sys.exit(0 if all(step.good for step in steps) else WRONG)


def _say_step(step: Step) -> None:
    say(f"{'ok   ' if step.good else 'WRONG'} {step.what}")
    if step.todo:
        say(f"      {step.todo}")


@click.command()
@click.argument("drive", required=False)
@PORT
@click.option("--wifi", metavar="ADDRESS", is_flag=False, flag_value="", help="Try a board's Wi-Fi instead.")
@click.option("--minutes", type=Amount(0, 600), default=30, help="How long --wifi tries whether it lasts (30).")
@JSON
@click.pass_context
def doctor(
    context: click.Context, drive: str | None, port: str | None, wifi: str | None, minutes: float, as_json: bool
) -> None:
    """Find out why a board does not play, and what to do.

    Checks the folder of your data, the CIRCUITPY drive (DRIVE, or the one that it finds), the ports, and what the board
    says. It changes nothing and types nothing on the board, so the game goes on. It listens to a silent board for some
    seconds; if a kiosk uses the board, it asks the kiosk. Exit status: 0 all is well, 1 something is wrong.

    With --wifi it comes to the board's page as a phone does: it loads the page, measures two hundred round trips, and
    goes on for half an hour. The address, such as cribboard.local, and the key are the drive's; without a drive give
    the address, and hold DEAL at the board when it asks you to.

    On an RP2040 (the Pico) a dip of the supply looks like unplugging; a board that restarts unasked has had one.

    With --json: code, what, todo and wrong (false for a remark) of each finding.
    """
    from cribboard import connect
    from cribboard.doctor.checks import World, examine, held, unwritable
    from cribboard.files import home

    port = (
        port
        or (context.find_object(BoardChoice) or BoardChoice()).port
        or os.environ.get(connect.PORT_VARIABLE)
        or None
    )
    running = [board for board in connect.list_boards() if board.kind == connect.VIRTUAL]
    world = World(virtual=lambda: running, kiosk=lambda port: held(port, home() / "boards"))
    if port == connect.VIRTUAL:
        port, world = None, replace(world, ports=list)
    findings = [*unwritable(), *examine(world, port, drive)] if wifi is None else _network(drive, wifi, minutes)
    wrong = False
    for finding in findings:
        wrong = wrong or finding.wrong
        if as_json:
            emit({"code": finding.code, "what": finding.what, "todo": finding.todo, "wrong": finding.wrong})
            continue
        say(f"{'WRONG' if finding.wrong else 'ok   '} {finding.what.replace(chr(10), chr(10) + '      ')}")
        for line in finding.todo.splitlines():
            say(f"      {line}")
    if not wrong and not as_json:
        say("All is well.")
    sys.exit(WRONG if wrong else 0)


def _network(drive: str | None, address: str, minutes: float) -> Iterable[Finding]:
    """What there is to say of the Wi-Fi of the board at this address, or with this drive."""
    from cribboard.doctor.network import examine
    from cribboard.install import circuitpy, network

    key = ""
    try:
        board = circuitpy.find(drive)
        key = network.key_of(board)
        address = address or network.address(board)
    except circuitpy.InstallError as error:
        if drive:
            raise
        if not address:
            raise CribboardError(
                error.message, "or name the board's address: cribboard doctor --wifi cribboard.local"
            ) from error
    return examine(address, key, minutes, lambda words: click.echo(words, err=True))
