"""What the doctor makes of a console's words."""

from __future__ import annotations

from pathlib import Path

import pytest
from doctor.doctored import CONSOLE, DATA, Bench, Speaker
from rigs.usb import Usb
from rigs.wired import Time

from cribboard.board.transport import Transport
from cribboard.doctor.checks import listen
from cribboard.errors import TransportError


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


def test_no_data_channel(bench: Bench) -> None:
    bench.ports = [CONSOLE]
    bench.says = {"/dev/ttyACM0": "Press any key to enter the REPL.\r\n"}
    (finding,) = [finding for finding in bench.findings() if finding.wrong]
    assert finding.code == "no-data-channel"
    assert "boot.py has not run" in finding.what
    assert "pull the USB cable" in finding.todo


def test_without_a_data_channel_the_console_may_know_more(bench: Bench) -> None:
    bench.ports = [CONSOLE]
    bench.says = {"/dev/ttyACM0": "the firmware on this drive is not whole; run `cribboard install` again\r\n"}
    assert bench.wrong() == ["not-whole"]


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
