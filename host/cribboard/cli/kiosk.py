"""The command that serves phones and the bar's screen."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cribboard.cli.options import JSON, PORT, BoardChoice, IntRange
from cribboard.cli.output import answer, emit, note, put, qr_code, say
from cribboard.errors import CribboardError
from cribboard.files import STARTING, ensure_folder, home, locked, take_lock
from cribboard.installed import how_to_add

if TYPE_CHECKING:
    from cribboard.hardware.description import Description
    from cribboard.web.kiosk import Kiosk
    from cribboard.web.pub import Pub

WEB_PORT = 8121
EXTRA = ("starlette", "uvicorn", "segno", "itsdangerous")
ALL = "0.0.0.0"  # noqa: S104 (the phones of the house; strangers' addresses are refused)


@click.command()
@PORT
@click.option("--virtual", metavar="NAME", multiple=True, help="Serve this virtual board; repeat for several.")
@click.option(
    "--board",
    "files",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    multiple=True,
    help="A board.toml: draw boards that it fits as it describes them; repeat for several.",
)
@click.option("--database", metavar="URL", help="Where the history is (default: a file in your data folder).")
@click.option(
    "--backup-to",
    metavar="FOLDER",
    type=click.Path(path_type=Path),
    help="Back up the history to this folder every night, best on another disk (default: in your data folder).",
)
@click.option("--web-port", metavar="N", type=IntRange(0, 65535), default=WEB_PORT, help="Default: 8121.")
@click.option("--host", metavar="ADDRESS", default=ALL, help="Listen only on this address (default: all).")
@click.option("--address", metavar="NAME", default="", help="The address for phones (default: found).")
@click.option("--pub", metavar="NAME", default="", help="Show the name of your pub on the screens.")
@click.option(
    "--logo", metavar="FILE", type=click.Path(path_type=Path), help="Show your logo on the screens: PNG, JPEG or SVG."
)
@click.option("--light", is_flag=True, help="Make the screens light, for a bright room.")
@click.option("--odds", is_flag=True, help="Show each side's chance to win, until staff choose.")
@click.option("--open", "browser", is_flag=True, help="Open the first page in the browser of this computer.")
@click.option("--new-pin", is_flag=True, help="Make a new staff PIN, print it, and exit.")
@click.option("--forget", metavar="TABLE", type=int, help="Forget the board of a table, and exit.")
@JSON
@click.pass_context
def kiosk(
    context: click.Context,
    port: str | None,
    virtual: Sequence[str],
    files: Sequence[Path],
    database: str | None,
    backup_to: Path | None,
    web_port: int,
    host: str,
    address: str,
    pub: str,
    logo: Path | None,
    light: bool,
    odds: bool,
    browser: bool,
    new_pin: bool,
    forget: int | None,
    as_json: bool,
) -> None:
    """Serve phones and the bar's screen.

    The kiosk serves pages for a screen at the table and for the players' phones, which join with a QR code. It shows
    the attached boards or, without any, a virtual one. It keeps the history of all games and backs it up every night.
    Press Ctrl-C to stop it.

    It serves only devices on your network. With the staff PIN you can change names, correct games and send
    phones away. The PIN is printed once, at the first start on a terminal; --new-pin makes a new one, even while the
    kiosk is running.

    If the board, or the --port that you name, is not there yet, the kiosk waits for it; the first page says so.

    With --json: one object at the start, with local and network (the addresses), and pin if a new one was made. With
    --new-pin: pin. With --forget: table.
    """
    require_extra()
    folder = ensure_folder(home())
    if new_pin:
        from cribboard.web.secrets import Keys

        keys = Keys(folder)
        pin = keys.new_pin()
        if keys.slots.unwritten is not None:
            raise keys.slots.unwritten
        answer({"pin": pin}, f"Staff PIN: {pin}", as_json)
        return
    drawn = _described(files)
    held = take_lock(folder / "kiosk.lock", "a kiosk with these tables is already running")
    try:
        if forget is not None:
            from cribboard.web.tables import Tables

            Tables(folder).forget(forget)
            answer({"table": forget}, f"Table {forget} is forgotten.", as_json)
            return
        port = port or (context.find_object(BoardChoice) or BoardChoice()).port
        with ExitStack() as starting:
            with suppress(OSError):  # no room even for the lock
                starting.enter_context(locked(folder / STARTING))
            from cribboard.web.pub import Pub, kept_odds, pub_name, read_logo

            shown = Pub(pub_name(pub), read_logo(logo) if logo else None, light, kept_odds(folder, odds))
            _serve(
                starting, port, virtual, drawn, database, backup_to, web_port, host, address, shown, browser, as_json
            )
    finally:
        held.release()


def _described(files: Sequence[Path]) -> list[Description]:
    """The boards that files describe; raises CribboardError."""
    if not files:
        return []  # a start takes its locks before it imports what takes long
    from cribboard.hardware.description import load

    return [load(file) for file in files]


def _serve(
    starting: ExitStack,
    port: str | None,
    virtual: Sequence[str],
    described: Sequence[Description],
    database: str | None,
    backup_to: Path | None,
    web_port: int,
    host: str,
    address: str,
    pub: Pub,
    browser: bool,
    as_json: bool,
) -> None:
    import logging

    from cribboard.service.writer import write_left
    from cribboard.store import Backups, open_store
    from cribboard.store.jumps import uptime
    from cribboard.web.finder import Finder, add_virtual
    from cribboard.web.kiosk import Kiosk
    from cribboard.web.run import run
    from cribboard.web.secrets import Keys
    from cribboard.web.server import open_socket
    from cribboard.web.tables import Tables, TableServices

    keys = Keys(home())
    second = backup_to and backup_to.absolute()
    logging.basicConfig(level=logging.WARNING, format="%(message)s", stream=sys.stderr)
    with open_socket(host, web_port) as listening:
        store = open_store(database, steady=uptime, wait=True)
        for text in [*store.notices, *write_left(store, [home(), *([second] if second else [])])]:
            note(text)
        backups = Backups(store, second or home() / "backups", named=second is not None)
        tables = TableServices(Tables(home()), store, second)
        finder = None
        try:
            for name in virtual or (["sim"] if port == "sim" else []):
                add_virtual(tables, name)
            if (port and port != "sim") or not tables.services:
                finder = Finder(tables, "" if port == "sim" else port or "")
                finder.begin()
            tables.wait_for_virtual()
            starting.close()
            at = listening.getsockname()
            kiosk = Kiosk(
                tables, keys, at, address=address, described=described, backups=backups, pub=pub, site=_site()
            )
            run(kiosk, listening, finder, lambda: _tell(kiosk, browser, as_json))
        finally:
            tables.stop()
            store.close()


def _site() -> Path | None:
    """The folder that `cribboard site --open` has written, if it has."""
    folder = home() / "site"
    return folder if (folder / "index.html").is_file() else None


def _tell(kiosk: Kiosk, browser: bool, as_json: bool) -> None:
    """Say where the kiosk is; the first time on a terminal, also the staff PIN."""
    local, network = kiosk.local, kiosk.url()
    terminal = sys.stdout.isatty()
    pin = "" if kiosk.keys.now.pin or not (terminal or as_json) else kiosk.keys.new_pin()
    if as_json:
        emit({"local": local, "network": network, **({"pin": pin} if pin else {})})
        return
    say(f"On this computer: {local}/")
    if kiosk.is_alone(network):
        note("This computer is not on a network: phones cannot reach it. Connect it to the pub's Wi-Fi.")
    elif kiosk.is_closed:
        note("Phones cannot reach it: with this --host, only this computer can. Leave out --host to let them in.")
    else:
        say(f"On the network:   {network}/")
    if pin:
        say(f"Staff PIN:        {pin}   (write it down: it is not shown again; --new-pin makes another)")
    elif not kiosk.keys.now.pin:
        note("There is no staff PIN yet: `cribboard kiosk --new-pin` makes one.")
    if terminal and len(kiosk.tables.services) == 1 and not kiosk.is_closed:
        (number,) = kiosk.tables.services
        code = qr_code(kiosk.invitation(number)[0], "l")
        if code:
            say(f"\nScan this to join in the next few minutes; {local}/table/{number} always shows a fresh code.")
            put(code)
        else:
            say(f"\n{local}/table/{number} shows a code to scan, with which phones join.")
    if browser:
        click.launch(f"{local}/")


def require_extra() -> None:
    """Raise CribboardError if a library that the kiosk needs is missing."""
    from importlib.util import find_spec

    missing = [name for name in EXTRA if not find_spec(name)]
    if missing:
        raise CribboardError(f"the kiosk also needs {', '.join(missing)}", how_to_add("kiosk"))
