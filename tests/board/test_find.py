"""Finding boards by what USB says, and asking who is there."""

from __future__ import annotations

import contextlib
import os
import sys
import threading
import tty
from types import ModuleType, SimpleNamespace

import pytest
from rigs.usb import Usb
from rigs.wired import UID, Firmware, Time, Wire

from cribboard.board import find
from cribboard.board.find import Found, attached, probe
from cribboard.errors import Echo, TransportError


def list_boards(tmp_path, *ports: Usb) -> list[Found]:
    return attached(lambda: ports, tmp_path)


def test_the_data_port_is_found_by_its_interface(tmp_path):
    console = Usb("/dev/ttyACM0", interface="CircuitPython CDC control")
    data = Usb("/dev/ttyACM1", interface="CircuitPython CDC2 control")
    assert list_boards(tmp_path, data, console) == [Found("/dev/ttyACM1", UID, "attached", "Pico")]


def test_other_vendors_ports_are_passed_over(tmp_path):
    assert list_boards(tmp_path, Usb("/dev/ttyUSB0", vid=0x0403), Usb("/dev/ttyS0", vid=None)) == []


def test_a_pico_with_other_firmware_is_passed_over(tmp_path):
    assert list_boards(tmp_path, Usb("/dev/ttyACM0", vid=0x2E8A, interface="Board CDC")) == []


def test_the_data_port_is_found_by_its_link(tmp_path):
    for number in (0, 1):
        (tmp_path / f"ttyACM{number}").touch()
        (tmp_path / f"usb-Pico_E66-if0{2 * number}").symlink_to(tmp_path / f"ttyACM{number}")
    ports = [Usb(str(tmp_path / f"ttyACM{number}")) for number in (0, 1)]
    assert [board.port for board in list_boards(tmp_path, *ports)] == [str(tmp_path / "ttyACM1")]


def test_ports_that_cannot_be_told_apart_are_all_unsure(tmp_path):
    boards = list_boards(tmp_path / "nowhere", Usb("COM4", product=None, serial_number=None), Usb("COM3", vid=0x2E8A))
    assert [(board.port, board.sure, board.note) for board in boards] == [
        ("COM3", False, "Pico"),
        ("COM4", False, "Adafruit"),
    ]


def test_the_board_toolkit_tells_ports_apart(tmp_path, monkeypatch):
    toolkit = ModuleType("adafruit_board_toolkit.circuitpython_serial")
    toolkit.data_comports = lambda: [SimpleNamespace(device="COM4")]
    monkeypatch.setattr(find, "sys", SimpleNamespace(platform="win32"))
    monkeypatch.setitem(sys.modules, "adafruit_board_toolkit", ModuleType("adafruit_board_toolkit"))
    monkeypatch.setitem(sys.modules, toolkit.__name__, toolkit)
    assert [board.port for board in list_boards(tmp_path / "nowhere", Usb("COM3"), Usb("COM4"))] == ["COM4"]


def test_macos_gives_both_ports_one_name_and_the_toolkit_knows_better(tmp_path, monkeypatch):
    toolkit = ModuleType("adafruit_board_toolkit.circuitpython_serial")
    toolkit.data_comports = lambda: [SimpleNamespace(device="/dev/cu.usbmodem103")]
    monkeypatch.setattr(find, "sys", SimpleNamespace(platform="darwin"))
    monkeypatch.setitem(sys.modules, "adafruit_board_toolkit", ModuleType("adafruit_board_toolkit"))
    monkeypatch.setitem(sys.modules, toolkit.__name__, toolkit)
    for name in ("CircuitPython CDC control", "CircuitPython CDC2 control"):
        ports = [Usb(f"/dev/cu.usbmodem10{number}", interface=name) for number in (1, 3)]
        assert [(board.port, board.sure) for board in list_boards(tmp_path, *ports)] == [("/dev/cu.usbmodem103", True)]


def test_without_the_toolkit_ports_are_unsure(tmp_path, monkeypatch):
    monkeypatch.setattr(find, "sys", SimpleNamespace(platform="win32"))
    assert [board.sure for board in list_boards(tmp_path / "nowhere", Usb("COM3"))] == [False]


def test_a_probe_says_who_is_there():
    time = Time()
    assert probe("wire", lambda port: Wire(Firmware(), time), time).uid == UID


@pytest.fixture
def echo():
    """A real serial port at which something sends back what it is sent."""
    ours, theirs = os.openpty()
    tty.setraw(theirs)

    def send_back():
        with contextlib.suppress(OSError):
            while data := os.read(ours, 4096):
                os.write(ours, data)

    thread = threading.Thread(target=send_back)
    thread.start()
    yield os.ttyname(theirs)
    os.close(theirs)
    thread.join()
    os.close(ours)


def test_a_device_that_sends_back_what_it_is_sent_is_no_board(echo):
    with pytest.raises(Echo, match=rf"the device at {echo} only echoes what it receives; it is not a cribboard"):
        probe(echo)


def test_a_probe_of_a_silent_port_ends_after_a_second():
    time = Time()
    wire = Wire(Firmware(), time, toward=lambda data: b"")
    with pytest.raises(TransportError, match="does not answer"):
        probe("wire", lambda port: wire, time)
    assert time.now < 101.1
    assert wire.closed
