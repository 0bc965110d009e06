"""The examination: the drive, then the ports, then what the board itself says, until something explains the trouble.

A finding is one thing that is wrong, and what to do about it.
"""

from __future__ import annotations

import os
import re
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from serial.tools.list_ports import comports

from cribboard.amounts import amount
from cribboard.board.find import BY_ID, Found, Port, attached, consoles, look
from cribboard.board.link import NoAnswer, Nobody
from cribboard.board.messages import NEWER_BOARD, Hello, Standing
from cribboard.board.share import Endpoint, Guest, doors
from cribboard.board.transport import SerialTransport, Transport
from cribboard.doctor import bring_up
from cribboard.doctor.findings import Finding, known
from cribboard.doctor.processes import MODEM_MANAGER, PROC, holders, modem_manager
from cribboard.drive import PACKAGES, drive_files
from cribboard.errors import Busy, CribboardError, Echo, InBringUp, TransportError, WrongBoard
from cribboard.files import ensure_folder, home, write_errors
from cribboard.hardware.controllers import TAKE
from cribboard.install import circuitpy
from cribboard.install.circuitpy import LABEL, Circuitpy, InstallError, mounted
from cribboard.install.compiled import CompilerError, compiled, is_module, other_form
from cribboard.install.disk import Disk, Folder, drive_errors
from cribboard.install.fitting import judged, problem_of
from cribboard.install.plans import CODE, FOLDERS, INSTEAD, LIB, SETTINGS, stands_in, updates
from cribboard_core.match import Match
from cribboard_core.records import MANY
from cribboard_fw.app import VERSION
from cribboard_fw.entry import Entry
from cribboard_fw.lights import Lights
from cribboard_fw.scene import GamePicture
from cribboard_fw.settings import Settings, carried_ma, drawn_ma

ASIDE = (
    "wait half a minute and try again. To keep it off for good: sudo apt remove modemmanager, or a udev rule for the\n"
    'board\'s vendor with ENV{ID_MM_DEVICE_IGNORE}="1"'
)


LISTEN_S = 11.0  # a board that has stopped says why every ten seconds
TELLING = re.compile(
    r"(settings\.toml: |not whole|three faults|safe mode because|no second serial|REPL|\w+Error: ).*\n"
)
RESET = "pull the USB cable and plug it in again (a supply of its own, too)"
INSTALL = f"run `cribboard install`, then {RESET}"
UPDATE = INSTALL.replace("install", "update")
POWER = (
    "use a shorter, thicker USB cable and another port, not a hub without a supply of its own; lower BRIGHTNESS and\n"
    "CURRENT_LIMIT_MA in settings.toml; feed the strips from a supply of their own (hardware/README.md)"
)


def listen(
    port: str, reach: Callable[[str], Transport] = SerialTransport, clock: Callable[[], float] = time.monotonic
) -> str:
    """What the console prints within some seconds, or until that is enough. Types nothing: a key could stop a game."""
    try:
        console = reach(port)
    except TransportError:
        return ""
    heard = b""
    ends = clock() + LISTEN_S
    try:
        data = b"?"
        while clock() < ends and (data or not TELLING.search(_text(heard))):
            data = console.read()
            heard += data
    except TransportError:
        pass  # it went away: what was said until then counts
    finally:
        console.close()
    return _text(heard)


def judge(said: str) -> Finding:
    """The findings from a console's words."""
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    if "not whole" in said:
        return Finding("not-whole", "the firmware was not copied completely", INSTALL)
    if "Power dipped" in said:
        return Finding("brown-out", "the board's supply dipped, and CircuitPython stopped in safe mode", POWER)
    if "safe mode because" in said:
        why = lines[next(n for n, line in enumerate(lines) if "safe mode because" in line) + 1 :]
        return Finding("safe-mode", f"CircuitPython is in safe mode: {' '.join(why[:1])}", RESET)
    for number, line in enumerate(lines):
        if line.startswith("settings.toml: "):
            more = [rest for rest in lines[number + 1 :] if rest not in lines[: number + 1]]
            mistakes = "\n".join([line.removeprefix("settings.toml: "), *more])
            todo = "correct settings.toml on the CIRCUITPY drive and save it; the board then restarts"
            return Finding("settings", f"a setting is wrong: {mistakes}", todo)
    if "three faults" in said:
        return Finding(
            "faults", "the program failed three times in a row, and the board has stopped", f"{RESET}; {INSTALL}"
        )
    errors = [line for line in lines if re.match(r"\w+(Error|Exception)\b", line)]
    if errors:
        return Finding("program", f"the program failed: {errors[-1]}", INSTALL)
    if "REPL" in said or lines[-1:] == [">>>"]:
        return Finding(
            "not-running", "the board is not running a program; somebody may have typed on its console", RESET
        )
    return Finding("hangs", "the board is connected but silent: its processor hangs or has not started", RESET)


def _text(heard: bytes) -> str:
    return re.sub(r"\x1b[\]\[][^\x07\\A-Za-z]*(\x07|\x1b\\|[A-Za-z])?", "", heard.decode("utf-8", "replace"))


A_GAME = 1 << 16  # bytes: more than a game's notes


def unwritable() -> list[Finding]:
    """What keeps this program from writing there; a file is tried that is gone afterwards."""
    try:
        folder = ensure_folder(home())
        with write_errors(folder), tempfile.TemporaryFile(dir=folder) as file:
            file.write(bytes(A_GAME))
            file.flush()
            os.fsync(file.fileno())
    except CribboardError as error:
        return [Finding.of("data", error)]
    return []


# Names that an editor or Windows, which hides endings, may have given to a file.
MISNAMED = {
    "code.txt": ("CircuitPython runs code.txt instead of code.py", INSTALL),
    "settings.toml.txt": (
        "settings.toml.txt is on the drive, but the board only reads settings.toml",
        "show file name extensions, and take .txt off its name; or delete it if settings.toml is right",
    ),
}


@dataclass(frozen=True)
class Drive:
    """What was found on it; `settings` is None when they cannot be read."""

    findings: tuple[Finding, ...]
    settings: Settings | None = None


def look_at(board: Circuitpy, disk: Disk) -> Drive:
    """Judge a drive; raises InstallError when it fails."""
    findings = [known("drive", f"{board.folder}: {board.board_id or 'a board'} with CircuitPython {board.release}")]
    if board.too_old:
        todo = "install CircuitPython 9.2.1 or newer from circuitpython.org/downloads; your files stay"
        findings.append(Finding("old-circuitpython", f"CircuitPython {board.release} is too old", todo))
    if problem_of(board):
        findings.append(
            Finding("controller", f"the {board.board_id or 'board'} does not fit: {problem_of(board)}", TAKE)
        )
    if "Traceback" in board.said:
        todo = f"{INSTALL}; if it is your own boot.py, boot_out.txt says what failed"
        findings.append(Finding("boot", f"boot.py failed: {board.said.strip().splitlines()[-1]}", todo))
    with drive_errors(disk, "reading it"):
        code = disk.read(CODE)
        newest = [LIB, *updates(disk)][-1]
        files = _files(board, disk, newest)
        text = disk.read(SETTINGS)
        findings += [
            Finding("ending", MISNAMED[name][0], MISNAMED[name][1])
            for name in map(str.lower, disk.names(""))
            if name in MISNAMED
        ]
    if code is not None and stands_in(code):  # the settings may not have been written yet
        return Drive((*findings, Finding("not-whole", "the firmware was not copied completely", INSTALL)))
    if not disk.is_folder(f"{newest}/{PACKAGES[1]}"):  # any settings there are not ours
        return Drive((*findings, Finding("no-firmware", "the firmware is not on the drive", INSTALL)))
    settings, mistakes = _settings(text, board.board_id)
    return Drive((*findings, *files, *mistakes), settings)


def _files(board: Circuitpy, disk: Disk, newest: str) -> list[Finding]:
    """Whether the files that the board starts are this program's, its modules in the one form or the other."""

    def at(path: str) -> str:
        if path.startswith(LIB):
            return newest + path.removeprefix(LIB)
        instead = INSTEAD.get(path, path)
        return instead if disk.read(path) is None and disk.read(instead) is not None else path

    wanted = {path: data for path, data in drive_files().contents(radio=board.radio).items() if path != SETTINGS}
    there = {path for path in wanted if disk.read(at(path)) is not None}
    twice = {path: wanted[path] for path in there if is_module(path) and disk.read(at(other_form(path))) is not None}
    findings = []
    if twice:
        what = f"CircuitPython runs {_some(map(at, twice))} instead of the compiled module of the same name"
        findings.append(Finding("two-forms", what, INSTALL))
    if any(path.startswith(FOLDERS) and disk.read(at(other_form(path))) is not None for path in wanted):
        try:
            wanted = compiled(wanted) | twice
        except CompilerError as error:
            what = f"cannot tell whether the compiled modules on the drive are this program's: {error.message}"
            return [*findings, known("drive", what)]
    different = [at(path) for path, data in wanted.items() if disk.read(at(path)) != data]
    if different:
        what = f"the drive's files are not this program's: {_some(different)}"
        findings.append(Finding("other-firmware", what, UPDATE))
    return findings


def _some(paths: Iterable[str]) -> str:
    named = sorted(paths)
    return ", ".join(named[:3]) + (", …" if len(named) > 3 else "")


def _settings(text: bytes | None, board_id: str) -> tuple[Settings | None, list[Finding]]:
    if text is None:
        return None, [Finding("settings", "there is no settings.toml on the drive", INSTALL)]
    todo = "correct settings.toml on the CIRCUITPY drive and save it"
    try:
        settings, mistakes = judged(text.decode(), board_id)
    except UnicodeDecodeError:
        return None, [Finding("settings", "settings.toml is not text in UTF-8", todo)]
    return settings, [Finding("settings", f"a setting is wrong: {line}", todo) for line in mistakes]


@dataclass(frozen=True)
class Held:
    """The board behind a door and how it stands, or why the kiosk cannot hear it just now."""

    uid: str
    answer: tuple[Hello, Standing] | TransportError


def held(port: str, folder: Path) -> Held | None:
    """The board at this port, through the program that holds it and says so below the folder."""
    for sign in doors(folder):
        if Path(sign.port).resolve() == Path(port).resolve():
            try:
                return Held(sign.uid, look(sign.port, partial(_visit, sign)))
            except Nobody:  # there is nobody any more, or not yet
                continue
            except TransportError as error:
                return Held(sign.uid, error)
    return None


def _visit(sign: Endpoint, port: str) -> Transport:
    return Guest(sign)


NO_LIMIT_MA = 20_000
SETTLED_MS = 10_000  # shows at the start are over
LOOKED_MS = 2_000  # pegs blink with this period
TICK_MS = 25


def wanted_ma(match: Match, settings: Settings) -> int:
    """What the picture of a match would draw at its brightest moment, without the limit."""
    tracks = len(settings.strip_pins)
    lights = Lights(tracks, settings.leds, settings.brightness, NO_LIMIT_MA, 0, settings.strong_pegs)
    lights.update(match, GamePicture(match, Entry(match, None)))
    now = most = 0
    frames = [0] * tracks
    while now < SETTLED_MS + LOOKED_MS:
        track = lights.step(now)
        if track >= 0:
            frames[track] = sum(sum(colour.to_bytes(3, "big")) for colour in lights.frame(track))
        else:
            now += TICK_MS
        if now >= SETTLED_MS:
            most = max(most, sum(frames))
    return drawn_ma(most, tracks * settings.leds)


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
    findings, settings = _drive(world, named)
    dumb = consoles(world.ports, world.by_id)
    boards = attached(world.ports, world.by_id) or ([] if dumb else [*world.virtual()])
    if port:
        boards = [board for board in boards if board.port == port] or [Found(port, "", "attached")]
    for board in boards:
        own = [console for console, uid in dumb.items() if not board.uid or uid == board.uid]
        findings += _board(world, board.port, own, settings)
    if not boards:
        findings += [_no_data_channel(world, console) for console in dumb] or _nobody(findings)
    return findings


def _drive(world: World, named: str | None) -> tuple[list[Finding], Settings | None]:
    try:
        board = circuitpy.find(named, world.places)
        seen = look_at(board, Folder(board.folder))
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
    except InBringUp as error:
        return [Finding.of("in-bring-up", error)]
    except WrongBoard as error:
        newer = error.hint == NEWER_BOARD
        return [Finding.of("new-firmware", error) if newer else Finding("old-firmware", error.message, INSTALL)]
    except NoAnswer:
        return [known("silent", f"{port}: no answer"), _heard(world, dumb)]
    except TransportError as error:
        return [Finding.of("permission" if "no permission to open" in error.message else "port", error)]
    findings = [known("board", f"{port}: board {hello.uid} with firmware {hello.version} answers")]
    if modem_manager(world.proc):
        findings.append(
            known("modem-manager", f"{MODEM_MANAGER} runs here: it may use a board's port after you plug the board in")
        )
    report = bring_up.kept(hello.uid)
    findings += [known("bring-up", report)] if report else []
    return findings + _hello_findings(hello, standing) + (_dimmed(settings, standing) if settings else [])


def _heard(world: World, dumb: list[str]) -> Finding:
    return judge("".join(listen(console, world.reach, world.clock) for console in dumb))


def _held(world: World, port: str, kiosk: Held, dumb: list[str], settings: Settings | None) -> list[Finding]:
    uses = f"{port}: a kiosk uses board {kiosk.uid}"
    if isinstance(kiosk.answer, TransportError):
        away = Finding("away", f"the kiosk cannot reach it: {kiosk.answer.message}", kiosk.answer.hint)
        return [known("kiosk", uses), away, *([_heard(world, dumb)] if dumb else [])]
    hello, standing = kiosk.answer
    findings = [known("kiosk", f"{uses} with firmware {hello.version}")]
    return findings + _hello_findings(hello, standing) + (_dimmed(settings, standing) if settings else [])


def _busy(world: World, port: str, error: Busy) -> Finding:
    names = holders(port, world.proc)
    if MODEM_MANAGER in names:
        return Finding(
            "modem-manager", f"{MODEM_MANAGER} is using {port}: it tests whether the board is a modem", ASIDE
        )
    who = f" ({', '.join(names)})" if names else ""
    return Finding("busy", f"{error.message}{who}", error.hint)


def _ordered(version: str) -> list[int]:
    """What sorts versions."""
    return [int(part) for part in re.findall(r"\d+", version)]


def _hello_findings(hello: Hello, standing: Standing) -> list[Finding]:
    findings = []
    what = f"the board has firmware {hello.version}, this program comes with {VERSION}"
    if _ordered(hello.version) > _ordered(VERSION):
        findings.append(Finding("new-firmware", what, NEWER_BOARD))
    elif hello.version != VERSION:
        todo = f"{UPDATE}. If that is done, the new firmware has failed three times, and the board runs the one before"
        findings.append(Finding("old-firmware", what, todo))
    if hello.brown_out:
        findings.append(Finding("brown-out", "the board's supply dipped, and the board restarted (a brown-out)", POWER))
    if hello.bitten:
        todo = "the game goes on. If it happens again, send us what the console says"
        findings.append(Finding("watchdog", "the board's program failed or hung, and was restarted", todo))
    if hello.torn:
        todo = "look at the score, and set it if it is wrong"
        findings.append(Finding("torn", "the board could not read its newest event when it started", todo))
    if hello.missing == MANY and not standing.rev:
        todo = (
            "if another version of the firmware may have written it, install that one again to keep its games"
            " (firmware/README.md). Otherwise just play: the first point erases it"
        )
        findings.append(Finding("unreadable", "the board can't read the journal in its flash", todo))
    elif hello.missing:
        events = amount(hello.missing, "event") if hello.missing < MANY else "many or all events"
        todo = "look at the score. If it happens again, the board's flash is wearing out: use another controller"
        findings.append(Finding("missing", f"the board's flash has lost {events} of its journal", todo))
    if not hello.promise:
        findings.append(known("promise", "on this chip a power cut may lose the score (firmware/README.md)"))
    return findings


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


def _nobody(findings: list[Finding]) -> list[Finding]:
    if any(finding.code == "drive" and finding.wrong for finding in findings):
        return []
    if any(finding.code == "drive" for finding in findings):
        return [Finding("no-port", f"the board shows its {LABEL} drive but no serial port", RESET)]
    todo = "plug the board in, with a cable that carries data; try another cable and another port"
    return [Finding("no-board", "no board is attached, and no virtual board is running", todo)]
