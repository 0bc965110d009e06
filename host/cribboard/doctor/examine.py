"""The examination: the drive, then the ports, then what the board itself says, until something explains the trouble."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from serial.tools.list_ports import comports

from cribboard.board.find import BY_ID, Found, Port, attached, consoles, look
from cribboard.board.link import NoAnswer
from cribboard.board.messages import Hello, Standing
from cribboard.board.transport import SerialTransport, Transport
from cribboard.doctor import bring_up, checks
from cribboard.doctor.checks import (
    INSTALL,
    MODEM_MANAGER,
    POWER,
    PROC,
    RESET,
    UPDATE,
    Finding,
    Held,
    holders,
    judge,
    known,
    listen,
    modem_manager,
    wanted_ma,
)
from cribboard.errors import Busy, Echo, TransportError, WrongBoard
from cribboard.install import circuitpy
from cribboard.install.circuitpy import LABEL, Folder, InstallError, mounted
from cribboard_core.journal import MANY
from cribboard_fw.app import VERSION
from cribboard_fw.power import carried_ma
from cribboard_fw.settings import Settings

ASIDE = (
    "wait half a minute and try again. To keep it off for good: sudo apt remove modemmanager, or a udev rule for the\n"
    'board\'s vendor with ENV{ID_MM_DEVICE_IGNORE}="1"'
)


@dataclass(frozen=True)
class World:
    """Where the doctor looks; tests have one of their own."""

    ports: Callable[[], Iterable[Port]] = comports
    by_id: Path = BY_ID
    places: Callable[[], Sequence[Path]] = mounted
    proc: Path = PROC
    reach: Callable[[str], Transport] = SerialTransport
    virtual: Callable[[], list[Found]] = list
    kiosk: Callable[[str], Held | None] = lambda port: None
    clock: Callable[[], float] = time.monotonic


def examine(world: World, port: str | None = None, named: str | None = None) -> list[Finding]:
    """All that is wrong, and what was seen."""
    found, settings = _drive(world, named)
    dumb = consoles(world.ports, world.by_id)
    boards = attached(world.ports, world.by_id) or ([] if dumb else [*world.virtual()])
    if port:
        boards = [board for board in boards if board.port == port] or [Found(port, "", "attached")]
    for board in boards:
        own = [console for console, uid in dumb.items() if not board.uid or uid == board.uid]
        found += _board(world, board.port, own, settings)
    if not boards:
        found += [_no_data_channel(world, console) for console in dumb] or _nobody(found)
    return found


def _drive(world: World, named: str | None) -> tuple[list[Finding], Settings | None]:
    try:
        board = circuitpy.find(named, world.places)
        seen = checks.look_at(board, Folder(board.folder))
    except InstallError as error:
        if named or "boot loader" in error.message:
            return [Finding.of("drive", error)], None
        return [known("no-drive", f"{error.message}: its files were not checked")], None
    return [*seen.findings], seen.settings


def _board(world: World, port: str, dumb: list[str], settings: Settings | None) -> list[Finding]:
    try:
        hello, standing = look(port, world.reach, world.clock)
    except Busy as error:
        kiosk = world.kiosk(port)
        return [_busy(world, port, error)] if kiosk is None else _held(world, port, kiosk, dumb, settings)
    except Echo as error:
        return [Finding.of("echo", error)]
    except WrongBoard as error:
        return [Finding("old-firmware", error.message, f"install the firmware of this version: {INSTALL}")]
    except NoAnswer:
        return [known("silent", f"{port}: no answer"), _heard(world, dumb)]
    except TransportError as error:
        return [Finding.of("permission" if "no permission to open" in error.message else "port", error)]
    found = [known("board", f"{port}: board {hello.uid} with firmware {hello.version} answers")]
    if modem_manager(world.proc):
        found.append(
            known("modem-manager", f"{MODEM_MANAGER} runs here: it may use a board's port after you plug the board in")
        )
    report = bring_up.kept(hello.uid)
    found += [known("bring-up", report)] if report else []
    return found + _told(hello) + (_dimmed(settings, standing) if settings else [])


def _heard(world: World, dumb: list[str]) -> Finding:
    return judge("".join(listen(console, world.reach, world.clock) for console in dumb))


def _held(world: World, port: str, kiosk: Held, dumb: list[str], settings: Settings | None) -> list[Finding]:
    uses = f"{port}: a kiosk uses board {kiosk.uid}"
    if isinstance(kiosk.answer, TransportError):
        away = Finding("away", f"the kiosk cannot reach it: {kiosk.answer.message}", kiosk.answer.hint)
        return [known("kiosk", uses), away, *([_heard(world, dumb)] if dumb else [])]
    hello, standing = kiosk.answer
    found = [known("kiosk", f"{uses} with firmware {hello.version}")]
    return found + _told(hello) + (_dimmed(settings, standing) if settings else [])


def _busy(world: World, port: str, error: Busy) -> Finding:
    names = holders(port, world.proc)
    if MODEM_MANAGER in names:
        return Finding(
            "modem-manager", f"{MODEM_MANAGER} is using {port}: it tests whether the board is a modem", ASIDE
        )
    who = f" ({', '.join(names)})" if names else ""
    return Finding("busy", f"{error.message}{who}", error.hint)


def _told(hello: Hello) -> list[Finding]:
    found = []
    if hello.version != VERSION:
        todo = f"{UPDATE}. If that is done, the new firmware has failed three times, and the board runs the one before"
        what = f"the board has firmware {hello.version}, this program comes with {VERSION}"
        found.append(Finding("old-firmware", what, todo))
    if hello.brown_out:
        found.append(Finding("brown-out", "the board's supply dipped, and the board restarted (a brown-out)", POWER))
    if hello.bitten:
        todo = "the game goes on. If it happens again, send us what the console says"
        found.append(Finding("watchdog", "the board's program failed or hung, and was restarted", todo))
    if hello.torn:
        todo = "look at the score, and set it if it is wrong"
        found.append(Finding("torn", "the board could not read its newest event when it started", todo))
    if hello.missing:
        events = f"{hello.missing} events" if hello.missing < MANY else "many or all events"
        todo = "look at the score. If it happens again, the board's flash is wearing out: use another controller"
        found.append(Finding("missing", f"the board's flash has lost {events} of its journal", todo))
    if not hello.promise:
        found.append(known("promise", "on this chip a power cut may lose the score (firmware/README.md)"))
    return found


def _dimmed(settings: Settings, standing: Standing) -> list[Finding]:
    wanted = wanted_ma(standing.match(), settings)
    if wanted <= settings.limit_ma:
        return [known("current", f"the lights need {wanted} mA now, and may use {settings.limit_ma}")]
    what = f"the lights are dimmed: this picture needs {wanted} mA, and CURRENT_LIMIT_MA is {settings.limit_ma}"
    most = carried_ma(settings.supply_ma or settings.usb_ma, settings.fuse_ma)
    todo = "lower BRIGHTNESS in settings.toml, or use a stronger supply and fuse (hardware/README.md)"
    if most > settings.limit_ma:
        todo = f"raise CURRENT_LIMIT_MA in settings.toml, to {most} at the most, or lower BRIGHTNESS"
    return [Finding("current-limit", what, todo)]


def _no_data_channel(world: World, console: str) -> Finding:
    heard = judge(listen(console, world.reach, world.clock))
    if heard.code not in ("hangs", "not-running"):
        return heard
    return Finding(
        "no-data-channel",
        f"the board on {console} has only its console and no second serial port: boot.py has not run",
        f"{RESET}; boot.py runs only then. If it does not help, {INSTALL}",
    )


def _nobody(found: list[Finding]) -> list[Finding]:
    if any(finding.code == "drive" and finding.wrong for finding in found):
        return []
    if any(finding.code == "drive" for finding in found):
        return [Finding("no-port", f"the board shows its {LABEL} drive but no serial port", RESET)]
    todo = "plug the board in, with a cable that carries data; try another cable and another port"
    return [Finding("no-board", "no board is attached, and no virtual board is running", todo)]
