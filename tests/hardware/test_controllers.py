"""Pins are what CircuitPython's board definitions say, and no pin is given a job that it cannot do."""

from __future__ import annotations

import ast
import importlib.util
from pathlib import Path

import pytest

from cribboard.drive import WITH_RADIO, drive_files
from cribboard.hardware import controllers
from cribboard.hardware.controllers import (
    FITTING,
    IN_ENDPOINTS,
    NEEDED,
    PICO_HEADER,
    PORTS,
    ControllerError,
    load,
    port_of,
    port_problem,
)
from cribboard.hardware.feed import UNKNOWN_USB, USB_5V, usb

UNFIT = {
    "adafruit_feather_esp32s3_4mbflash_2mbpsram": "its USB has 5 IN endpoints and boot.py needs 6",
    "feather_nrf52840_express": "130 times a game, and survives 10000: it is worn out after 76 games",
    "feather_m4_express": "130 times a game, and survives 25000: it is worn out after 192 games",
    "adafruit_qtpy_esp32c3": "its CircuitPython has no usb_cdc",
    "teensy41": "its CircuitPython has no",
}


def imports(source: Path) -> set[str]:
    """The modules that a file imports at all, those for type checkers apart."""
    names = set()
    for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module.split(".")[0])
    return names


def test_every_module_that_the_firmware_imports_is_asked_for():
    drive = drive_files()
    trouble = drive.code.with_name("trouble.py")
    sources = [
        drive.boot,
        drive.code,
        trouble,
        *(file for package in drive.packages() for file in package.glob("*.py") if file.stem not in WITH_RADIO),
    ]
    library = importlib.util.find_spec("neopixel")
    assert library and library.origin
    used = set().union(*map(imports, [*sources, Path(library.origin)]))
    ours = {"cribboard_core", "cribboard_fw", "neopixel", "trouble", "typing", "types", "__future__"}
    everywhere = {"gc", "time"}  # that the definitions do not list, or that only other boards use
    optional = {"rp2pio", "adafruit_pypixelbuf", "circuitpython_typing"}
    assert used - ours - everywhere - optional <= {module.split(".")[0] for module in NEEDED}


@pytest.mark.parametrize("name", FITTING)
def test_the_boards_that_are_meant_to_fit_have_all_the_firmware_needs(name):
    controller = load(name)
    assert controller.missing == []
    assert controller.problem == ""
    assert controller.nvm_bytes == 4096
    assert usb(name).pin
    assert len(controller.free()) >= 10  # two tracks, two players, UNDO and DEAL


@pytest.mark.parametrize("name", UNFIT)
def test_a_board_that_cannot_run_or_wears_out_is_said_to_with_the_reason(name):
    assert load(name).problem.startswith("its ") and UNFIT[name] in load(name).problem


def test_of_all_boards_those_with_the_picos_chips_alone_fit():
    boards = [load(path.parent.name) for path in controllers.definitions().glob("*/__init__.pyi")]
    fitting = [board for board in boards if not board.problem]
    assert len(fitting) > 100 and {board.port for board in fitting} == {"raspberrypi"}
    assert {board.port for board in boards if board.nvm_bytes and not board.missing} == set(PORTS)


def test_a_chip_is_known_by_its_name_in_boot_out():
    names = {"rp2040": "", "rp2350a": "", "nRF52840": "worn out", "ESP32S3": "endpoints", "samd51j19": "worn out"}
    for chip, why in names.items():
        assert why in port_problem(port_of(chip)) and bool(why) == bool(port_problem(port_of(chip)))
    assert "nobody has checked" in port_problem(port_of("STM32F405RG"))


def test_boot_py_wants_as_many_endpoints_as_the_table_says():
    said = (drive_files().boot).read_text(encoding="utf-8")
    assert "usb_hid.disable()" in said and "usb_midi.disable()" in said
    assert "usb_cdc.enable(console=True, data=True)" in said
    assert IN_ENDPOINTS == 1 + 1 + 2 + 2  # USB's own, the drive's, a notification's and the data's of each port


def test_every_fitting_board_has_a_row_for_its_usb_and_what_is_not_known_gets_the_least():
    assert all(usb(name) is not UNKNOWN_USB for name in FITTING)
    assert usb("raspberry_pi_pico2_w") == usb("raspberry_pi_pico")
    assert usb("board_of_mine") == usb("") == UNKNOWN_USB
    for row in (*USB_5V.values(), UNKNOWN_USB):
        assert UNKNOWN_USB.pin_a <= row.pin_a <= row.socket_a <= 3
        assert row.socket_a <= {"Micro-USB": 1.8, "USB-C": 3.0, "unknown USB": 0.5}[row.socket]


def test_a_board_without_a_module_is_found_out():
    assert "usb_cdc" in load("adafruit_qtpy_esp32c3").missing  # its chip has no USB of its own


@pytest.mark.parametrize(
    ("name", "pin", "why"),
    [
        ("raspberry_pi_pico", "LED", "the board's own LED"),
        ("raspberry_pi_pico", "GP25", "the board's own LED"),
        ("raspberry_pi_pico", "A3", "the board's own VOLTAGE_MONITOR"),
        ("raspberry_pi_pico_w", "LED", "the board's own LED"),
        ("adafruit_qtpy_rp2040", "NEOPIXEL", "the board's own NEOPIXEL"),
        ("adafruit_qtpy_rp2040", "BUTTON", "the board's own BUTTON"),
        ("adafruit_feather_rp2040", "D13", "the board's own LED"),
    ],
)
def test_a_pin_with_another_job_cannot_be_used(name, pin, why):
    assert why in load(name).fault(pin)
    assert pin not in load(name).free()


def test_what_is_known_against_a_pin_is_said():
    assert "I2C" in load("adafruit_qtpy_rp2040").doubt("SDA")
    assert not load("raspberry_pi_pico").doubt("GP2")


def test_a_chips_pin_is_offered_once_by_its_shortest_name_and_doubtful_ones_last():
    pico = load("raspberry_pi_pico").free()
    assert pico == [f"GP{number}" for number in (*range(23), 26, 27, 28)]
    assert load("adafruit_qtpy_rp2040").free()[-4:] == ["SDA", "SCL", "SDA1", "SCL1"]


def test_every_free_pin_of_a_pico_has_its_number_on_the_header():
    pico = load("raspberry_pi_pico2")
    assert len(PICO_HEADER) == 40 and PICO_HEADER.count("GND") == 7
    assert pico.numbers(["VBUS", "GP0", "GP15", "GP16", "GP28"]) == (40, 1, 20, 21, 34)
    assert pico.numbers(pico.free())
    assert load("adafruit_qtpy_rp2040").numbers(["A0"]) == ()


def test_every_definition_there_is_can_be_read():
    names = [path.parent.name for path in controllers.definitions().glob("*/__init__.pyi")]
    assert len(names) > 500
    assert all(load(name).title and load(name).pins is not None for name in names)


def test_a_name_that_circuitpython_does_not_know_is_told_with_near_ones():
    with pytest.raises(
        ControllerError, match="no board of this name; do you mean raspberry_pi_pico, raspberry_pi_pico2"
    ):
        load("Pico")
    with pytest.raises(ControllerError, match="do you mean feather_nrf52840"):
        load("feather_nrf52480_expres")
    with pytest.raises(ControllerError, match="listed by circuitpython_setboard -l"):
        load("???")


def test_without_the_definitions_it_is_said_what_to_install(monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(ControllerError, match=r"project's folder: pip install -e '\.\[hardware\]'"):
        load("raspberry_pi_pico")
