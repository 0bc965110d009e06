"""Pins are what CircuitPython's board definitions say, and no pin is given a job that it cannot do."""

from __future__ import annotations

import ast
import importlib.util
from pathlib import Path

import pytest

from cribboard.drive import drive_files
from cribboard.hardware import controllers
from cribboard.hardware.controllers import FITTING, NEEDED, PICO_HEADER, ControllerError, load

ESP32_S3 = "adafruit_feather_esp32s3_4mbflash_2mbpsram"


def imports(source: Path) -> set[str]:
    """The modules that a file imports at all, those for type checkers apart."""
    found = set()
    for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module.split(".")[0])
    return found


def test_every_module_that_the_firmware_imports_is_asked_for():
    drive = drive_files()
    sources = [drive.boot, drive.code, *(file for package in drive.packages() for file in package.glob("*.py"))]
    library = importlib.util.find_spec("neopixel")
    assert library and library.origin
    used = set().union(*map(imports, [*sources, Path(library.origin)]))
    ours = {"cribboard_core", "cribboard_fw", "neopixel", "typing", "types", "__future__"}
    everywhere = {"gc", "time"}  # that the definitions do not list, or that only other boards use
    optional = {"rp2pio", "adafruit_pypixelbuf", "circuitpython_typing"}
    assert used - ours - everywhere - optional <= {module.split(".")[0] for module in NEEDED}


@pytest.mark.parametrize("name", FITTING)
def test_the_boards_that_are_meant_to_fit_have_all_the_firmware_needs(name):
    controller = load(name)
    assert controller.missing == []
    assert controller.nvm_bytes >= 4096
    assert controller.usb_pin
    assert len(controller.free(button=True)) >= 10  # two tracks, two players, UNDO and DEAL


def test_the_promise_about_power_cuts_is_the_rp2_chips_alone():
    assert [load(name).promises for name in FITTING] == [True, True, True, False, False]


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
        ("feather_nrf52840_express", "D3", "the board's own L"),
        (ESP32_S3, "D7", "the board's own I2C_POWER"),
        (ESP32_S3, "D0", "the board's own BUTTON"),
        (ESP32_S3, "D3", "when it starts"),
        ("espressif_esp32s3_devkitc_1_n8", "IO19", "USB's own"),
    ],
)
def test_a_pin_with_another_job_cannot_be_a_buttons(name, pin, why):
    assert why in load(name).fault(pin, button=True)
    assert pin not in load(name).free(button=True)


def test_what_is_known_against_a_pin_is_said_and_what_is_not_known_too():
    feather, s3 = load("feather_nrf52840_express"), load(ESP32_S3)
    assert "radio" in feather.doubt("A2", button=False) and not feather.doubt("A2", button=True)
    assert "antenna" in feather.doubt("D2", button=True)
    assert "starts" in s3.doubt("D3", button=False) and not s3.fault("D3", button=False)
    assert "I2C" in load("adafruit_qtpy_rp2040").doubt("SDA", button=True)
    assert "nothing is known" in load("qtpy_m0").doubt("A0", button=True)
    assert not load("raspberry_pi_pico").doubt("GP2", button=False)


def test_a_chips_pin_is_offered_once_by_its_shortest_name_and_doubtful_ones_last():
    pico = load("raspberry_pi_pico").free(button=False)
    assert pico == [f"GP{number}" for number in (*range(23), 26, 27, 28)]
    assert load("adafruit_qtpy_rp2040").free(button=True)[-4:] == ["SDA", "SCL", "SDA1", "SCL1"]


def test_every_free_pin_of_a_pico_has_its_number_on_the_header():
    pico = load("raspberry_pi_pico2")
    assert len(PICO_HEADER) == 40 and PICO_HEADER.count("GND") == 7
    assert pico.numbers(["VBUS", "GP0", "GP15", "GP16", "GP28"]) == (40, 1, 20, 21, 34)
    assert pico.numbers(pico.free(button=True))
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
