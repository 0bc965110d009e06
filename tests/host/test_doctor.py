"""Each thing that the doctor can find, on a board, a port or a folder that has it."""

from __future__ import annotations

import os
import re
import shutil
import signal
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
from host.circuitpy import not_measured, plug_in
from host.test_find import Usb
from host.wired import Firmware, Time, Wire

from cribboard.board.transport import Transport
from cribboard.cli import doctor as command
from cribboard.cli.main import cli
from cribboard.doctor.console import listen
from cribboard.doctor.examine import World, examine
from cribboard.doctor.finding import Finding
from cribboard.doctor.holders import holders, modem_manager
from cribboard.drive import drive_files
from cribboard.errors import Busy, TransportError
from cribboard.install import installer
from cribboard.install.disk import Folder
from cribboard.install.plan import planned
from cribboard.sim.board import VirtualBoard
from cribboard_core.events import PEG

CONSOLE = Usb("/dev/ttyACM0", interface="CircuitPython CDC control")
DATA = Usb("/dev/ttyACM1", interface="CircuitPython CDC2 control")
SPOKEN_S = 0.5


class Speaker:
    """A console that says something, then nothing, then is pulled out when it is told to be."""

    def __init__(self, time: Time, text: str, gone: bool = False) -> None:
        self.name = "console"
        self.time = time
        self.text = text
        self.gone = gone

    def read(self) -> bytes:
        self.time.pause(SPOKEN_S)
        if not self.text and self.gone:
            raise TransportError("gone")
        said, self.text = self.text[:7], self.text[7:]
        return said.encode()

    def write(self, data: bytes) -> None:
        """Nobody answers."""

    def close(self) -> None:
        """Nothing to let go."""


class Bench:
    """A computer with a board at its ports; `answers` and `says` are what the two ports do."""

    def __init__(self, tmp_path: Path) -> None:
        self.time = Time()
        self.proc = tmp_path / "proc"
        self.by_id = tmp_path / "by-id"
        self.drives: list[Path] = []
        self.ports: list[Usb] = [CONSOLE, DATA]
        self.says: dict[str, str] = {}
        self.fails: dict[str, Exception] = {}
        self.firmware: Firmware | None = Firmware()

    def world(self, **others: Any) -> World:
        return World(
            ports=lambda: self.ports,
            by_id=self.by_id,
            places=lambda: self.drives,
            proc=self.proc,
            reach=self._reach,
            clock=self.time,
            **others,
        )

    def findings(self, port: str | None = None, drive: str | None = None) -> list[Finding]:
        return examine(self.world(), port, drive)

    def wrong(self, drive: str | None = None) -> list[str]:
        return [finding.code for finding in self.findings(drive=drive) if finding.wrong]

    def process(self, number: int, name: str, *opened: str) -> None:
        (self.proc / str(number) / "fd").mkdir(parents=True)
        (self.proc / str(number) / "comm").write_text(name + "\n")
        for descriptor, path in enumerate(opened):
            (self.proc / str(number) / "fd" / str(descriptor)).symlink_to(path)

    def _reach(self, port: str) -> Transport:
        if port in self.fails:
            self.time.pause(SPOKEN_S)
            raise self.fails[port]
        if port == DATA.device and self.firmware:
            return Wire(self.firmware, self.time)
        return Speaker(self.time, self.says.get(port, ""))


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


@pytest.fixture
def drive(tmp_path: Path) -> Path:
    folder = plug_in(tmp_path / "CIRCUITPY")
    disk = Folder(folder)
    installer.carry_out(disk, planned(disk, drive_files().contents()))
    return folder


def test_a_board_that_is_well(bench: Bench, drive: Path) -> None:
    bench.drives = [drive]
    assert [(finding.code, finding.wrong) for finding in bench.findings()] == [
        ("drive", False),
        ("board", False),
        ("current", False),
    ]


def test_no_board(bench: Bench) -> None:
    bench.ports = []
    assert bench.wrong() == ["no-board"]


def test_a_drive_without_a_port(bench: Bench, drive: Path) -> None:
    bench.ports, bench.drives = [], [drive]
    assert bench.wrong() == ["no-port"]


def test_a_board_in_its_boot_loader(bench: Bench, tmp_path: Path) -> None:
    (tmp_path / "INFO_UF2.TXT").touch()
    bench.ports, bench.drives = [], [tmp_path]
    assert bench.wrong() == ["drive"]


def test_a_drive_that_was_named_and_is_none(bench: Bench, tmp_path: Path) -> None:
    assert bench.wrong(str(tmp_path)) == ["drive"]


def test_no_data_channel(bench: Bench) -> None:
    bench.ports = [CONSOLE]
    bench.says = {"/dev/ttyACM0": "Press any key to enter the REPL.\r\n"}
    (finding,) = [finding for finding in bench.findings() if finding.wrong]
    assert finding.code == "no-data-channel"
    assert "boot.py has not run" in finding.what
    assert "pull the USB cable" in finding.todo


def test_without_a_data_channel_the_console_may_know_more(bench: Bench) -> None:
    bench.ports = [CONSOLE]
    bench.says = {"/dev/ttyACM0": "the firmware on this drive is not whole; give `cribboard install` again\r\n"}
    assert bench.wrong() == ["not-whole"]


def test_a_port_that_may_not_be_opened(bench: Bench) -> None:
    error = TransportError("you may not open /dev/ttyACM1", "join the group dialout")
    bench.fails = {DATA.device: error}
    (finding,) = [finding for finding in bench.findings() if finding.wrong]
    assert (finding.code, finding.what, finding.todo) == ("permission", error.message, error.hint)


def test_a_port_that_goes_while_it_is_looked_at(bench: Bench) -> None:
    bench.fails = {DATA.device: TransportError("the board is gone")}
    assert bench.wrong() == ["port"]


def test_a_port_that_modem_manager_has(bench: Bench) -> None:
    bench.fails = {DATA.device: Busy("another program has /dev/ttyACM1")}
    bench.process(12, "ModemManager", "/dev/null", DATA.device)
    (finding,) = [finding for finding in examine(bench.world(), DATA.device) if finding.wrong]
    assert finding.code == "modem-manager"
    assert "half a minute" in finding.todo


def test_a_port_that_another_program_has(bench: Bench) -> None:
    bench.fails = {DATA.device: Busy("another program has /dev/ttyACM1", "end it")}
    bench.process(12, "cribboard", DATA.device)
    (finding,) = [finding for finding in bench.findings() if finding.wrong]
    assert (finding.code, finding.what) == ("busy", "another program has /dev/ttyACM1 (cribboard)")


def test_modem_manager_that_only_runs_is_remarked(bench: Bench) -> None:
    bench.process(12, "ModemManager")
    assert [finding.code for finding in bench.findings() if not finding.wrong][-1] == "modem-manager"


def test_processes_that_end_or_hide_are_passed_over(tmp_path: Path) -> None:
    (tmp_path / "7").mkdir()
    (tmp_path / "8").mkdir()
    (tmp_path / "8" / "comm").write_text("hidden\n")
    assert holders("/dev/ttyACM1", tmp_path) == []
    assert not modem_manager(tmp_path)


def test_firmware_of_another_version(bench: Bench) -> None:
    assert bench.firmware
    bench.firmware.link._about[0] = "0.9.0"
    assert bench.wrong() == ["old-firmware"]


def test_firmware_of_another_protocol(bench: Bench) -> None:
    assert bench.firmware
    bench.firmware.link._hello = lambda q, args: ["no", 0, q, "version", "this board speaks protocol 0"]  # type: ignore[method-assign]
    assert bench.wrong() == ["old-firmware"]


@pytest.mark.parametrize(("flags", "codes"), [(3, ["brown-out"]), (5, ["watchdog"]), (7, ["brown-out", "watchdog"])])
def test_how_the_board_was_started(bench: Bench, flags: int, codes: list[str]) -> None:
    assert bench.firmware
    bench.firmware.link._about[-1] = flags
    assert bench.wrong() == codes


def test_a_chip_without_the_promise_is_remarked(bench: Bench) -> None:
    assert bench.firmware
    bench.firmware.link._about[-1] = 0
    assert "promise" in [finding.code for finding in bench.findings() if not finding.wrong]


def test_the_current_limit(bench: Bench, drive: Path) -> None:
    bench.drives = [drive]
    settings = drive / "settings.toml"
    settings.write_text(settings.read_text().replace("BRIGHTNESS = 30", "BRIGHTNESS = 100").replace("450", "392"))
    bench.firmware = Firmware(players=6)
    for side in range(6):
        for points in (3 + side, 7):
            bench.firmware.keeper.do((PEG, side, points, 0, 0))
    found = [finding for finding in bench.findings() if finding.code == "current-limit"]
    assert "CURRENT_LIMIT_MA is 392" in found[0].what


SAID = [
    ("", "hangs"),
    ("settings.toml: BRIGHTNESS = 200: it is 1 to 100\r\nTARGET = 5: a game is to 61\r\n", "settings"),
    ("three faults in a row; cut the power and switch it on again\r\n", "faults"),
    ("You are in safe mode because:\r\nPower dipped. Make sure you are providing enough power.\r\n", "brown-out"),
    ("You are in safe mode because:\r\nYou pressed the BOOT button at start up\r\n", "safe-mode"),
    ("Traceback (most recent call last):\r\nImportError: no module named 'neopixel'\r\n", "program"),
    (
        "\x1b]0;code\x1b\\\r\nCode done running.\r\nPress any key to enter the REPL. Use CTRL-D to reload.\r\n",
        "not-running",
    ),
    (">>> ", "not-running"),
]


@pytest.mark.parametrize(("said", "code"), SAID, ids=[code for _, code in SAID])
def test_a_silent_board_is_judged_by_its_console(bench: Bench, said: str, code: str) -> None:
    bench.firmware = None
    bench.says = {CONSOLE.device: said}
    assert bench.wrong() == [code]


def test_what_a_console_repeats_is_told_once(bench: Bench) -> None:
    bench.firmware = None
    bench.says = {CONSOLE.device: "settings.toml: A\r\nB\r\n"}
    (finding,) = [finding for finding in bench.findings() if finding.wrong]
    assert finding.what == "a setting is wrong: A\nB"


def test_another_boards_console_is_not_listened_to(bench: Bench) -> None:
    bench.firmware = None
    other = Usb("/dev/ttyACM7", interface="CircuitPython CDC control", serial_number="0123")
    bench.ports = [CONSOLE, DATA, other]
    bench.says = {other.device: ">>> "}
    assert bench.wrong() == ["hangs"]


def test_a_console_that_cannot_be_opened_or_goes_says_what_it_said() -> None:
    def refuses(port: str) -> Transport:
        raise TransportError("no")

    time = Time()
    assert listen("x", refuses, time) == ""
    assert listen("x", lambda port: Speaker(time, "hello", gone=True), time) == "hello"


def empty(drive: Path) -> Path:
    shutil.rmtree(drive)
    return drive


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda drive: (drive / "code.py").write_bytes(installer.NOT_WHOLE), "not-whole"),
        (lambda drive: (drive / "code.py").write_text("print(1)\n"), "other-firmware"),
        (lambda drive: (drive / "lib" / "cribboard_fw").rename(drive / "elsewhere"), "no-firmware"),
        (lambda drive: plug_in(empty(drive)), "no-firmware"),
        (lambda drive: (drive / "settings.toml").write_text("BRIGHTNESS = 999\n"), "settings"),
        (lambda drive: (drive / "settings.toml").write_bytes(b"\xff"), "settings"),
        (lambda drive: (drive / "settings.toml").unlink(), "settings"),
        (lambda drive: (drive / "boot_out.txt").write_text("CircuitPython 8.0.1"), "old-circuitpython"),
        (
            lambda drive: (drive / "boot_out.txt").write_text("CircuitPython 9.2.1\nTraceback:\nImportError: x\n"),
            "boot",
        ),
    ],
)
def test_what_is_wrong_on_the_drive(bench: Bench, drive: Path, change: Callable[[Path], object], code: str) -> None:
    change(drive)
    bench.drives = [drive]
    assert set(bench.wrong()) == {code}


# as it is typed, with real ports


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., tuple[int, str]]:
    from click.testing import CliRunner

    def type_in(*words: str) -> tuple[int, str]:
        result = CliRunner().invoke(cli, ["doctor", *words], catch_exceptions=False)
        return result.exit_code, result.stdout

    return type_in


def test_a_virtual_board_that_is_well(typed: Callable[..., tuple[int, str]], tmp_path: Path) -> None:
    with VirtualBoard(tmp_path / "board") as board:
        status, said = typed("--port", board.port)
    assert (status, said.splitlines()[-1]) == (0, "All is well.")
    assert f"ok    {board.port}: board {board.uid} with firmware" in said


def test_a_virtual_board_that_hangs(typed: Callable[..., tuple[int, str]], tmp_path: Path) -> None:
    with VirtualBoard(tmp_path / "board") as board:
        assert typed("--port", board.port)[0] == 0
        os.kill(board.pid, signal.SIGSTOP)
        try:
            status, said = typed("--port", board.port)
        finally:
            os.kill(board.pid, signal.SIGCONT)
    assert status == 1
    assert "WRONG the board is there and says nothing: its processor hangs" in said
    assert "      pull the USB cable and plug it in again" in said


HANGS_ONCE = """
import microcontroller
if microcontroller.cpu.reset_reason is not microcontroller.ResetReason.WATCHDOG:
    from watchdog import WatchDogMode
    microcontroller.watchdog.timeout = 0.5
    microcontroller.watchdog.mode = WatchDogMode.RESET
    while True:
        pass
from cribboard_fw.hardware import main
main()
"""


def test_a_virtual_board_whose_program_hung(typed: Callable[..., tuple[int, str]], tmp_path: Path) -> None:
    (tmp_path / "board").mkdir()
    (tmp_path / "board" / "code.py").write_text(HANGS_ONCE)
    with VirtualBoard(tmp_path / "board") as board:
        assert board.wait_for(lambda board: board.resets == 1 and bool(board.last_strips()), 20)
        status, said = typed("--port", board.port, "--json")
    assert status == 1
    assert '"code":"watchdog"' in said


def test_the_running_virtual_board_is_found_and_its_drive_can_be_named(
    typed: Callable[..., tuple[int, str]], monkeypatch: pytest.MonkeyPatch, drive: Path
) -> None:
    from cribboard import connect
    from cribboard.board.find import Found

    def boards() -> Iterable[Found]:
        return [Found(board.port, board.uid, "sim")]

    not_measured(monkeypatch)
    monkeypatch.setattr(connect, "list_boards", boards)
    with VirtualBoard(drive) as board:
        status, said = typed(str(drive))
    assert (status, said.count("ok   ")) == (0, 3)
    assert command.WRONG == 1


def test_no_virtual_board(typed: Callable[..., tuple[int, str]]) -> None:
    status, said = typed()
    assert status == 1
    assert "WRONG no board is attached" in said


def test_every_finding_is_in_the_page_about_it() -> None:
    root = Path(__file__).parents[2]
    sources = [path.read_text(encoding="utf-8") for path in (root / "host" / "cribboard" / "doctor").glob("*.py")]
    codes = {code for text in sources for code in re.findall(r'Finding(?:\.of)?\(\s*"([a-z-]+)"', text)}
    page = (root / "hardware" / "install.md").read_text(encoding="utf-8")
    assert len(codes) > 15
    assert {code for code in codes if f"`{code}`" not in page} == set()
