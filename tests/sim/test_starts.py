"""The firmware's start and its faults, as the unmodified code.py shows them on the virtual board."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
import serial

from cribboard.board.transport import SerialTransport
from cribboard.drive import drive_files
from cribboard.sim.board import PATIENCE_S, VirtualBoard
from cribboard.sim.scores import read_match
from cribboard_core.wire import Lines, encode

SETTINGS = drive_files().settings.read_text(encoding="utf-8")
RED = [led for led in range(121) if led % 10 == 0]
PAIRS = [led for led in range(121) if led % 10 < 2]
CODE = drive_files().code.read_text("utf-8")
FAILING = """
import cribboard_fw.app as app
def step(self, now):
    raise RuntimeError("a planted fault")
app.App.step = step
"""


FAILING_ONCE = """
import cribboard_fw.app as app
import microcontroller
again = microcontroller.cpu.reset_reason == microcontroller.ResetReason.WATCHDOG
old = app.App.step
def step(self, now):
    old(self, now)
    if self.match.front(0) >= 9 and not again:
        raise RuntimeError("a planted fault")
app.App.step = step
"""


@pytest.fixture(autouse=True)
def _home(tmp_path, monkeypatch):
    monkeypatch.setenv("CRIBBOARD_HOME", str(tmp_path))


def records_of(flash: bytes) -> list[bytes]:
    """The pages without the bytes where faults are marked."""
    return [flash[page : page + 252] for page in range(0, 4096, 256)]


@contextmanager
def asking(port: str) -> Iterator[Callable[..., list[object]]]:
    """Asks the board over its serial port."""
    lines = Lines()
    transport = SerialTransport(port)

    def ask(*message: object) -> list[object]:
        deadline = time.monotonic() + PATIENCE_S
        transport.write(encode(list(message)))
        while time.monotonic() < deadline:
            for answer in lines.feed(transport.read()):
                if answer[0] in (message[0], "ok"):
                    return answer
        raise AssertionError("no answer")

    try:
        yield ask
    finally:
        transport.close()


def lit(board: VirtualBoard, pin: str) -> list[int]:
    strip = board.strips().get(pin)
    return [led for led, light in enumerate(strip.pixels) if any(light)] if strip else []


def front(board: VirtualBoard) -> int:
    """The first side's score, as the flash has it."""
    match = read_match(bytes.fromhex(str(board.flash()["hex"])))
    return match.front(0) if match else 0


def is_red(board: VirtualBoard, pin: str) -> bool:
    return all(green == blue == 0 for _, green, blue in board.strips()[pin].pixels)


@pytest.mark.parametrize(
    ("change", "to", "pin", "said"),
    [
        ("BRIGHTNESS = 30", "BRIGHTNESS = 300", "GP2", "BRIGHTNESS = 300: choose from 1 to 100"),
        ('DEAL_PIN = "GP13"', 'DEAL_PIN = "GP77"', "GP2", "this board has no pin GP77"),
        ('STRIP_PINS = "GP2 GP3"', 'STRIP_PINS = "GP16"\nPLAYRES = 2', "GP16", "do you mean PLAYERS?"),
        ('STRIP_PINS = "GP2 GP3"', 'STRIP_PINS = "GP2 GP66"', "GP2", "this board has no pin GP66"),
    ],
)
def test_a_wrong_setting_is_said_on_the_console_and_shown_in_steady_red(change, to, pin, said):
    assert change in SETTINGS
    with VirtualBoard(settings=SETTINGS.replace(change, to)) as board:
        assert board.wait_for(lambda board: said in board.console())
        assert board.wait_for(lambda board: lit(board, pin) == RED)
        assert is_red(board, pin)


def test_settings_that_are_no_text_are_said_too():
    with VirtualBoard() as board:
        folder = board.folder
    (folder / "settings.toml").write_bytes(b"\xff\xfe\x00BRIGHTNESS")
    with VirtualBoard() as board:
        assert board.wait_for(lambda board: "settings.toml: " in board.console())
        assert board.wait_for(lambda board: lit(board, "GP2") == RED)


def test_without_its_second_serial_port_the_board_says_so_and_plays_by_itself():
    with VirtualBoard() as board:
        folder = board.folder
    (folder / "boot.py").write_text("")
    with VirtualBoard() as board:
        assert board.wait_for(lambda board: "no second serial port" in board.console() and bool(lit(board, "GP2")))
        board.tap("GP7")
        board.tap("GP8")
        assert board.wait_for(lambda board: 4 in lit(board, "GP2"))


def test_a_fault_restarts_the_board_and_after_three_it_stops_with_its_journal_untouched():
    with VirtualBoard() as board:
        assert board.wait_for(lambda board: "a new journal" in board.console())
        folder, nvm = board.folder, board.nvm
    before = records_of(nvm.read_bytes())
    (folder / "code.py").write_text(FAILING + CODE)
    with VirtualBoard() as board:
        assert board.wait_for(lambda board: "a planted fault" in board.console())
        assert board.wait_for(lambda board: "three faults in a row" in board.console())
        assert board.resets == 3
        assert board.wait_for(lambda board: lit(board, "GP2") == PAIRS)
        assert is_red(board, "GP2")
    assert records_of(nvm.read_bytes()) == before


def test_a_host_that_never_reads_does_not_hold_the_board_up():
    with VirtualBoard() as board:
        assert board.wait_for(lambda board: bool(lit(board, "GP2")))  # else nobody is there yet who sees the taps
        with serial.Serial(board.port, timeout=1, write_timeout=0.3, exclusive=True) as host:
            with pytest.raises(serial.SerialTimeoutException):
                for number in range(100_000):
                    host.write(encode(["state", 1 + number % 255]))
            board.tap("GP7")
            board.tap("GP8")
            deadline = time.monotonic() + PATIENCE_S
            while front(board) != 5 and time.monotonic() < deadline:  # of a flash that is written nobody hears
                time.sleep(0.02)
            lines = Lines()
            states = []
            while (not states or states[-1][11] != "05000000") and time.monotonic() < deadline:
                states += [answer for answer in lines.feed(host.read(64)) if answer[0] == "state"]
            assert states[0][11] == "00000000"
            assert states[-1][11] == "05000000"
            while host.read(64):  # until all has been answered: a board that is slow takes nothing more before
                pass
        with asking(board.port) as ask:
            assert ask("peg", 3, 1, 1, 9)[0] == "ok"
        assert board.resets == 0


def test_the_game_is_there_again_after_a_fault():
    with VirtualBoard() as board:
        folder = board.folder
    (folder / "code.py").write_text(FAILING_ONCE + CODE)
    with VirtualBoard() as board, asking(board.port) as ask:
        assert ask("peg", 3, 1, 0, 9)[0] == "ok"
        assert board.wait_for(lambda board: board.resets == 1)
        assert ask("state", 1)[11] == "09000000"
