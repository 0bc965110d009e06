"""The commands that put the firmware on a board's drive, set it up, and take it off again."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cribboard.amounts import amount
from cribboard.board.messages import BRIGHTNESSES, MOST_COMMIT_S, SOUNDS, Chosen
from cribboard.cli.options import JSON, Amount, BoardChoice, on_board
from cribboard.cli.output import answer, emit, is_terminal, note, put, qr_code, say
from cribboard.errors import ArgumentError, CribboardError
from cribboard.installed import how_to_add

if TYPE_CHECKING:
    from collections.abc import Callable

    from cribboard.install.circuitpy import Circuitpy
    from cribboard.install.disk import Disk
    from cribboard.install.installer import Step
    from cribboard.install.plans import Plan


DRIVE = click.argument("drive", required=False)
DRY = click.option("--dry-run", is_flag=True, help="Only show what would be done.")
FILE = click.Path(dir_okay=False, path_type=Path)
WRONG = 1
AMPERES = Amount(0.1, 20)
COMMIT_S = click.IntRange(0, 60)
SAME = "same"  # a design's name in the questions of setup
NO_WIFI = "none"
NOW = ("brightness", "sound", "commit_after_s")  # what a running board takes
NOT_KEPT = "if the power goes before the first score of the next game, the board forgets this change"
ORDERS = ("GRB", "RGB", "RBG", "GBR", "BRG", "BGR")
NEXT = """\
Now eject the drive, pull the USB cable and plug it in again (a supply of its own, too).
boot.py, which gives the board its port, runs only then.
`cribboard doctor` checks that all is well."""

UPDATED = """\
Now eject the drive, pull the USB cable and plug it in again (a supply of its own, too).
`cribboard doctor` says which firmware runs."""


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
        from cribboard.hardware.checks import mistakes
        from cribboard.hardware.description import load
        from cribboard.hardware.findings import refuse
        from cribboard.hardware.shape import Layout

        wanted = load(file)
        refuse(wanted.name, mistakes(Layout(wanted)))
    _install(installer.prepare(drive, wanted, source=source), dry_run, as_json)


@click.command()
@DRIVE
@click.option("--design", metavar="NAME", help="A ready design by its name, or your own board.toml.")
@click.option("--usb", "usb_a", type=AMPERES, metavar="AMPERES", help="Feed the strips from USB: a port gives 0.5 A.")
@click.option("--supply", "supply_a", type=AMPERES, metavar="AMPERES", help="Feed them from a 5 V supply of their own.")
@click.option("--phone", is_flag=True, default=None, help="Feed them from a phone: the lowest current limit.")
@click.option("--fuse", "fuse_a", type=AMPERES, metavar="AMPERES", help="The fuse of the strips, if you have another.")
@click.option("--order", type=click.Choice(ORDERS, case_sensitive=False), help="The order of the strip's colours.")
@click.option("--brightness", type=click.IntRange(1, 100), help="Per cent: 10 in a dark pub, 100 in a bright kitchen.")
@click.option("--strong-pegs/--usual-pegs", default=None, help="Brighter pegs, for those who see badly, or not.")
@click.option("--players", type=click.IntRange(2, 6), help="How many play.")
@click.option("--teams", type=click.IntRange(0, 3), help="How many teams they form; 0 for none.")
@click.option("--target", type=click.Choice(["61", "91", "121", "241"]), help="The hole that wins.")
@click.option(
    "--commit",
    "commit_after_s",
    type=COMMIT_S,
    metavar="SECONDS",
    help="Peg points from buttons after this time; 0 waits for OK.",
)
@click.option("--piezo", metavar="PIN", help="The pin of a piezo, or none.")
@click.option("--wifi", metavar="NETWORK", help="Let phones come over this Wi-Fi (a Pico 2 W); asks for its password.")
@click.option("--wifi-name", metavar="NAME", help="The board's name there: phones open http://NAME.local.")
@click.option("--new-key", is_flag=True, default=None, help="Put out all phones: each has to join again.")
@click.option("--label", is_flag=True, default=None, help="Print what phones scan to find the board.")
@click.option("--source", is_flag=True, help="Copy the modules as source, to read or change on the drive.")
@DRY
@click.option("--now", is_flag=True, help="Change a running board, over its port: brightness, sound, commit.")
@click.option("--sound", type=click.Choice(SOUNDS), help="How loud a running board is (with --now).")
@on_board
def setup(
    drive: str | None, source: bool, dry_run: bool, where: BoardChoice, as_json: bool, now: bool, **options: Any
) -> None:
    """Set a board up: its design, supply, light and game.

    Typed alone in a terminal it asks. With options it changes these, and leaves what the drive says of everything else;
    so `cribboard setup --brightness 10` only dims a board. The pins come from the design or from the drive, the
    current limit from the supply, and everything is checked before anything is written. A game that is on goes on.

    With --now it changes a board that plays, at once, and writes nothing to the drive: --brightness 10, 30, 60 or 100,
    --sound off, quiet or on, and --commit 0 to 10. Typed alone it asks; in a script it prints what counts. The board
    keeps this without power, until the same setting changes in settings.toml. To undo all of it, hold any OK and UNDO
    while you switch the power on, and for three seconds more.

    With --wifi a Raspberry Pi Pico 2 W joins that network, and two phones keep score on the board's own page. The
    password is asked for, or read from a line of standard input; it stands on the drive, for whoever has the board in
    hand. `--wifi ""` takes the board off the network. --label prints a code with the board's address and changes
    nothing; in it is no secret.

    Exit status: 0 done, 1 refused, or a mistake in settings.toml keeps the board from playing; with --now as any
    command that needs a board.

    With --json: as in install; with --now brightness, sound and commit_s, as they count then, and kept (whether
    a power cut leaves them so); with --label address.
    """
    if now:
        given = {name for name, value in options.items() if value is not None}
        _set_now(where, options, bool(drive or source or dry_run or given - {*NOW}), as_json)
        return
    if options.pop("sound") is not None:
        raise ArgumentError("--sound is for a running board", "add --now")
    if where.port or where.uid:
        raise ArgumentError("without --now a board is set up through its drive", "add --now, or name the drive")
    from cribboard.hardware.feed import PHONE_MA
    from cribboard.install import circuitpy, installer, network
    from cribboard.install.fitting import Choices, chosen

    if sum(options[source] is not None for source in ("usb_a", "supply_a", "phone")) > 1:
        raise ArgumentError("--usb, --supply and --phone exclude each other", "name what feeds the strips")
    options["target"] = options["target"] and int(options["target"])
    board = circuitpy.find(drive)
    if options.pop("label"):
        if any(value is not None for value in options.values()):
            raise ArgumentError("--label changes nothing", "set the board up first, then print its label")
        _label(network.address(board), as_json)
        return
    if not as_json and is_terminal(sys.stdin) and all(value is None for value in options.values()):
        options |= _asked(board)
    wifi, name, new_key = (options.pop(key) for key in ("wifi", "wifi_name", "new_key"))
    if wifi is not None or new_key:
        network.require_radio(board)
    lines = network.with_new_key() if new_key else {}
    if wifi is None and name is not None:
        raise ArgumentError("--wifi-name needs a network", "name it, too: --wifi NETWORK")
    if wifi is not None:
        lines = network.chosen(board, wifi, _password() if wifi else "", name, new_key=bool(new_key))
    wanted = chosen(board, Choices(**options))
    step = installer.prepare(str(board.folder), wanted, source=source, network=lines)
    if not as_json:
        supply = wanted.supply
        fed = "USB" if wanted.on_usb else "a 5 V supply"
        say(f"{wanted.tracks.count} tracks of {wanted.tracks.leds} lights, fed by {fed} of {supply.current_a:g} A")
        say(f"fuse {supply.fuse_a:g} A, current limit {supply.limit_ma} mA, brightness {supply.brightness} %")
        if options["phone"]:
            say(f"a phone gives {PHONE_MA} mA or less: this is the lowest limit; bright pictures get dimmer")
            say("it does not charge meanwhile without a powered hub; a board with a supply of its own is better")
        if options["usb_a"] is not None or options["supply_a"] is not None:
            main = f"; {supply.main_wire_mm2:g} mm² from the supply to the fuses" if supply.main_wire_mm2 else ""
            say(f"wires: {supply.wire_mm2:g} mm² or more to the strips{main}")
        if options["supply_a"] is not None:
            say("the supply alone feeds the strips: take out the wire from the controller's USB 5 V (VBUS) to a fuse;")
            say("the controller gets its 5 V through a fuse of its own and a diode, as the wiring diagrams show")
    _install(step, dry_run, as_json)


def _password() -> str:
    """The password of a Wi-Fi, typed unseen, or a line of standard input."""
    from cribboard.install.network import check_password

    if sys.stdin is None:
        raise ArgumentError("standard input is closed", "send it the password of the Wi-Fi as a line")
    if not sys.stdin.isatty():
        return sys.stdin.readline().rstrip("\r\n")
    question = "Its password (nothing for a network without one)"
    while True:
        typed = str(click.prompt(question, default="", show_default=False, hide_input=True))
        try:
            check_password(typed)
            return typed
        except ArgumentError as error:  # what was answered before is not lost
            note(error.message)


def _label(address: str, as_json: bool) -> None:
    """A board's address, and a code to scan."""
    from importlib.util import find_spec

    if as_json:
        emit({"address": address})
        return
    if not find_spec("segno"):
        raise CribboardError("the code also needs segno", how_to_add("kiosk"))
    code = qr_code(address, "m")
    put(code) if code else note("This terminal is too narrow for the code, or has no blocks to draw it with.")
    say(address)


def _set_now(where: BoardChoice, options: dict[str, Any], others: bool, as_json: bool) -> None:
    """Change a running board, or ask what to change."""
    if others:
        raise ArgumentError(
            "--now takes --brightness, --sound and --commit alone", "set up the rest without --now; it needs no drive"
        )
    with where.open() as board:
        given = [options[name] for name in NOW]
        if given == [None] * 3 and not as_json and is_terminal(sys.stdin):
            given = _asked_now(board.choose())
        brightness, sound, commit_s = given
        chosen = board.choose(brightness, None if sound is None else SOUNDS.index(sound), commit_s)
    sound_now = SOUNDS[chosen.sound]
    entry = {"brightness": chosen.brightness, "sound": sound_now, "commit_s": chosen.commit_s, "kept": chosen.kept}
    wait = f"are pegged after {amount(chosen.commit_s, 'second')} without OK" if chosen.commit_s else "wait for OK"
    text = f"brightness {chosen.brightness} %, sound {entry['sound']}; points from buttons {wait}"
    answer(entry, text if chosen.kept else f"{text}\n{NOT_KEPT}", as_json)


def _asked_now(chosen: Chosen) -> list[Any]:
    """What somebody at the terminal answers; Enter leaves what there is, as None."""
    levels = [str(percent) for percent in sorted({*BRIGHTNESSES, chosen.brightness})]
    percent = click.prompt("How bright, in per cent?", default=str(chosen.brightness), type=click.Choice(levels))
    sound = click.prompt("Sound?", default=SOUNDS[chosen.sound], type=click.Choice(SOUNDS))
    commit_s = click.prompt(
        "After how many seconds are points from buttons pegged without OK? 0 waits for OK",
        default=chosen.commit_s,
        type=click.IntRange(0, max(MOST_COMMIT_S, chosen.commit_s)),
    )
    there = (chosen.brightness, SOUNDS[chosen.sound], chosen.commit_s)
    return [None if new == old else new for new, old in zip((int(percent), sound, commit_s), there, strict=True)]


def _asked(board: Circuitpy) -> dict[str, Any]:
    """What somebody at the terminal answers; Enter leaves what the drive says, or takes what is usual."""
    from cribboard.install.fitting import DEFAULT, Choices, chosen, described, designs, is_set_up

    there = is_set_up(board)
    for name in designs():
        say(f"  {name}: {described(name).name}")
    if there:
        say(f"  {SAME}: what this board is set up for now")
    names = [*designs(), *([SAME] if there else [])]
    design = click.prompt("Which design did you build?", default=SAME if there else DEFAULT, type=click.Choice(names))
    same = design == SAME
    usual = chosen(board, Choices(design=None if same else design))
    feeds = "usb" if usual.on_usb else "supply"
    fed = click.prompt("What feeds the strips?", default=feeds, type=click.Choice(["usb", "supply", "phone"]))
    amperes = usual.supply.current_a
    if fed != "phone":
        least = {"usb": 0.5, "supply": max(amperes, 4.0)}[fed]
        amperes = click.prompt(
            "How many amperes does it give? A computer's port gives 0.5; others have it on their label",
            default=amperes if same and fed == feeds else least,
            type=AMPERES,
        )
    brightness = click.prompt("How bright, in per cent?", default=usual.supply.brightness, type=click.IntRange(1, 100))
    strong = click.confirm("Does somebody see badly? Strong pegs are brighter", default=usual.supply.strong_pegs)
    players = click.prompt("How many play?", default=usual.game.players if same else 2, type=click.IntRange(2, 6))
    commit = click.prompt(
        "After how many seconds are points from buttons pegged without OK? 0 waits for OK",
        default=(same and usual.game.commit_after_s) or 0,
        type=COMMIT_S,
    )
    answers: dict[str, Any] = {"design": None if same else design, "brightness": brightness, "players": players}
    if strong != usual.supply.strong_pegs:
        answers["strong_pegs"] = strong
    if board.radio:
        from cribboard.install.network import network_of

        there_now = network_of(board)
        wifi = click.prompt(f"Which Wi-Fi do phones use, or {NO_WIFI}?", default=there_now or NO_WIFI)
        if wifi != (there_now or NO_WIFI):
            answers["wifi"] = "" if wifi == NO_WIFI else wifi
    if fed == "phone":
        answers["phone"] = True
    elif not same or (fed, amperes) != (feeds, usual.supply.current_a):  # else its fuse and limit stay, too
        answers["usb_a" if fed == "usb" else "supply_a"] = amperes
    return {**answers, "commit_after_s": commit}


@click.command()
@DRIVE
@click.option("--source", is_flag=True, help="Copy the modules as source, to read or change on the drive.")
@DRY
@JSON
def update(drive: str | None, source: bool, dry_run: bool, as_json: bool) -> None:
    """Put a new firmware on a board, beside the old one.

    It is written into a folder of its own and read back, and starts with the next power-on. If it cannot be read, or
    fails three times, the board starts the one before it. So the copy may be cut short, too: the
    board starts what it had, and the same command goes on. settings.toml stays as it is, and a game that is on goes on.

    The drive keeps two updates and the firmware of `install`.

    Exit status: 0 done, 1 refused.

    With --json: as in install.
    """
    from cribboard.install import update as updating

    _install(updating.prepare(drive, source=source), dry_run, as_json, updating.carry_out, UPDATED)


def _install(
    step: Step, dry_run: bool, as_json: bool, carry_out: Callable[[Disk, Plan], None] | None = None, hint: str = NEXT
) -> None:
    """Check, say and do it; exits with 1 when the board will not play."""
    from cribboard.install import plans

    step.check()
    _announce(step, dry_run, as_json)
    if not dry_run:
        (carry_out or plans.carry_out)(step.disk, step.plan)
        _report(step, f"The firmware {step.firmware} is on {step.disk.name}.", hint, as_json)
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
    from cribboard.install import installer, plans

    step = installer.prepare_removal(drive)
    _announce(step, dry_run, as_json)
    if not dry_run:
        plans.take_off(step.disk, step.plan)
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
        files = amount(len(plan.writes), "file")
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
                "rename": dict(plan.renames),
                "remarks": list(step.remarks),
                "mistakes": list(step.mistakes),
                "done": bool(hint),
            }
        )
        return
    say(said)
    if hint and plan:
        say(hint)
