"""The commands that put the firmware on a board's drive, and take it off again."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cribboard.cli.options import JSON
from cribboard.cli.output import emit, note, say

if TYPE_CHECKING:
    from cribboard.install.installer import Step


DRIVE = click.argument("drive", required=False)
DRY = click.option("--dry-run", is_flag=True, help="Only show what would be done.")
FILE = click.Path(dir_okay=False, path_type=Path)
WRONG = 1
NEXT = """\
Now eject the drive, pull the USB cable and plug it in again: boot.py, which gives the board its port, runs only then.
`cribboard doctor` checks that all is well."""


@click.command()
@DRIVE
@click.option("--board", "file", metavar="FILE", type=FILE, help="The board.toml that says how the board is wired.")
@click.option("--source", is_flag=True, help="Copy the modules as source, to read or change on the drive.")
@DRY
@JSON
def install(drive: str | None, file: Path | None, source: bool, dry_run: bool, as_json: bool) -> None:
    """Put the firmware on the CIRCUITPY drive of a board.

    DRIVE is the folder or letter of the drive; if you leave it out, the command finds the drive. Your files stay there.
    Another program's files are renamed, not lost: code.py becomes code.py.before. settings.toml keeps your values and
    lines; with --board it takes the values that FILE describes. Pins that are described for another controller are
    refused.

    The modules are compiled (.mpy), so that the board starts two seconds sooner and has more memory; with --source
    they are copied as they are (.py). Modules in the other form are removed from the drive.

    If a copy is cut short (the drive is pulled out, or full), run the same command again; it continues.

    Exit status: 0 the firmware is installed and the board can play, 1 it is not installed, or a mistake in
    settings.toml keeps the board from playing.

    With --json: drive, board, circuitpython, firmware, compiled, write, remove and rename (files), remarks, mistakes
    (in settings.toml), and done.
    """
    from cribboard.install import installer

    wanted = None
    if file is not None:
        from cribboard.hardware.board_toml import load

        wanted = load(file)
    step = installer.prepare(drive, wanted, source=source)
    step.check()
    _announce(step, dry_run, as_json)
    if not dry_run:
        installer.carry_out(step.disk, step.plan)
        _report(step, f"The firmware {step.firmware} is on {step.disk.name}.", NEXT, as_json)
        if not step.plan and not as_json:
            say("It was already complete; nothing had to be written.")
    if step.mistakes:
        if not as_json:
            _will_not_play(step)
        sys.exit(WRONG)


@click.command()
@DRIVE
@DRY
@JSON
def uninstall(drive: str | None, dry_run: bool, as_json: bool) -> None:
    """Remove the firmware from the CIRCUITPY drive of a board.

    Files that `install` renamed get their names back. Your own lines in settings.toml stay. The score in the board's
    flash stays, too.

    With --json: as in install.
    """
    from cribboard.install import installer

    step = installer.prepare_removal(drive)
    _announce(step, dry_run, as_json)
    if not dry_run:
        installer.take_off(step.disk, step.plan)
        said = (
            f"The firmware is removed from {step.disk.name}."
            if step.plan
            else f"There is no cribboard firmware on {step.disk.name}."
        )
        _report(step, said, "Eject the drive before you unplug the board.", as_json)


def _announce(step: Step, dry_run: bool, as_json: bool) -> None:
    board, plan = step.board, step.plan
    if not as_json:
        say(f"{board.folder}: {board.board_id or 'a board'} with CircuitPython {board.release}")
        for remark in step.remarks:
            note(remark)
    if dry_run:
        _report(step, "Nothing was changed.", "", as_json)
        for path in [] if as_json else plan.removes:
            say(f"would remove {path}")
        for path in [] if as_json else plan.writes:
            say(f"would write {path} ({len(plan.wanted[path])} bytes)")
    elif plan.writes and not as_json:
        files = "1 file" if len(plan.writes) == 1 else f"{len(plan.writes)} files"
        say(f"writing {files}, {-(-plan.size // 1024)} KB")


def _will_not_play(step: Step) -> None:
    """The last words, so that nobody overlooks them."""
    lines = "these lines" if len(step.mistakes) > 1 else "this line"
    say(f"The board will not play until you correct or remove {lines} of settings.toml:")
    for mistake in step.mistakes:
        say(f"  {mistake}")


def _report(step: Step, said: str, hint: str, as_json: bool) -> None:
    board, plan = step.board, step.plan
    if as_json:
        emit(
            {
                "drive": str(board.folder),
                "board": board.board_id,
                "circuitpython": board.release,
                "firmware": step.firmware,
                "compiled": step.compiled,
                "write": list(plan.writes),
                "remove": list(plan.removes),
                "rename": dict(plan.asides),
                "remarks": list(step.remarks),
                "mistakes": list(step.mistakes),
                "done": bool(hint),
            }
        )
        return
    say(said)
    if hint and plan:
        say(hint)
