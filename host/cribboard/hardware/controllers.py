"""What a controller's pins are and can do: as CircuitPython's own board definitions say, and its chip's data sheet.

The definitions come with the package circuitpython-stubs. They name every pin and the chip's pin behind it, the modules
that are built in, and the bytes that outlast the power. Which pins lie on the header they do not say: a pin is taken
to be free when none of its names tells of another job. What a board's USB socket carries, and what CircuitPython gives
on its chip, stands in tables here.
"""

from __future__ import annotations

import difflib
import importlib.util
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from cribboard.errors import CribboardError
from cribboard.installed import how_to_add
from cribboard_core.cards import quote

NEEDED = {  # that the firmware imports, itself or by way of Adafruit's neopixel
    *("adafruit_pixelbuf", "array", "binascii", "board", "collections", "digitalio", "json", "keypad", "keypad.Keys"),
    *("microcontroller", "neopixel_write", "nvm", "os", "pwmio", "struct", "supervisor", "sys", "usb_cdc", "usb_hid"),
    *("traceback", "usb_midi", "watchdog"),
}
NAME = re.compile(r"\w[\w.-]{0,99}")
PIN = re.compile(r"^(\w+): microcontroller\.Pin\s+# (\S+)", re.MULTILINE)
FACT = re.compile(r"^ - ([\w ]+): *(.*)$", re.MULTILINE)
OWN_JOB = re.compile(
    r"L|.*LED.*|.*NEOPIXEL.*|DOTSTAR.*|.*POWER.*|BUTTON.*|BOOT\d*|SWITCH|SPEAKER.*|AREF|BATTERY|(VBUS|VOLTAGE|SMPS)_.*"
    r"|(TFT|LCD|DISPLAY|EPD|SD|WIFI|ESP|FLASH)_.*"
)
BUS = {"SDA", "SCL"}

FITTING = ("raspberry_pi_pico", "raspberry_pi_pico2", "adafruit_qtpy_rp2040", "adafruit_feather_rp2040")
TAKE = f"use a board with an RP2040 or RP2350, such as {FITTING[0]} or {FITTING[-1]}"


@dataclass(frozen=True)
class Port:
    """What CircuitPython gives on the chips of one family."""

    chips: tuple[str, ...]  # how their names begin in boot_out.txt
    in_endpoints: int  # of USB, with the one that every device has
    erases: int  # that its flash lasts, if each assignment to nvm erases; 0 if writing onto erased bytes does not


# Read in CircuitPython's source, in 9.2.1 and 10.2.1 alike: ports/*/mpconfigport.mk (USB_NUM_IN_ENDPOINTS, or else
# USB_NUM_ENDPOINT_PAIRS) and ports/*/common-hal/nvm/ByteArray.c. How often flash may be erased: nRF52840 product
# specification, "NVMC"; SAM D21 and D5x data sheets, "NVM cycling endurance"; flash chips beside an ESP32.
PORTS = {
    "raspberrypi": Port(("rp2",), 8, 0),
    "nordic": Port(("nrf",), 8, 10_000),
    "atmel-samd": Port(("samd", "same"), 8, 25_000),
    "espressif": Port(("esp32",), 5, 100_000),
}
IN_ENDPOINTS = 6  # that boot.py wants: USB's own, the drive's, and two of each serial port
ERASES_A_GAME = 130  # 65 events, each written in two steps


# The Pico's header from pin 1 to 40: its maker's drawing.
PICO_HEADER = (
    *("GP0", "GP1", "GND", "GP2", "GP3", "GP4", "GP5", "GND", "GP6", "GP7"),
    *("GP8", "GP9", "GND", "GP10", "GP11", "GP12", "GP13", "GND", "GP14", "GP15"),
    *("GP16", "GP17", "GND", "GP18", "GP19", "GP20", "GP21", "GND", "GP22", "RUN"),
    *("GP26", "GP27", "AGND", "GP28", "ADC_VREF", "3V3", "3V3_EN", "GND", "VSYS", "VBUS"),
)


class ControllerError(CribboardError):
    """A controller that nothing is known of."""


@dataclass(frozen=True)
class Controller:
    """A board that runs CircuitPython; `pins` has the chip's pin for every name."""

    name: str
    title: str
    port: str
    nvm_bytes: int
    modules: frozenset[str]
    pins: Mapping[str, str]

    @property
    def missing(self) -> list[str]:
        """Modules that the firmware imports and this board has not."""
        return sorted(NEEDED - self.modules)

    @property
    def is_pico(self) -> bool:
        """Whether it has the Pico's header."""
        return is_pico(self.name)

    @property
    def problem(self) -> str:
        """Why the firmware cannot run on its chip for long; empty when it can."""
        if self.missing:
            return f"its CircuitPython has no {', '.join(self.missing)}, which the firmware needs"
        if not self.nvm_bytes:
            return "it has no memory for the score"
        return port_problem(PORTS.get(self.port))

    def names(self, pin: str) -> list[str]:
        """All names of the same pin of the chip."""
        return [name for name, chip in self.pins.items() if chip == self.pins[pin]]

    def numbers(self, pins: list[str]) -> tuple[int, ...]:
        """The numbers of pins on a Pico's header; empty on other boards."""
        if not self.is_pico or any(pin not in PICO_HEADER for pin in pins):
            return ()
        return tuple(PICO_HEADER.index(pin) + 1 for pin in pins)

    def fault(self, pin: str) -> str:
        """Why a pin that exists cannot be used; empty when it can."""
        own = [name for name in self.names(pin) if OWN_JOB.fullmatch(name)]
        return f"it is the board's own {own[0]}" if own else ""

    def doubt(self, pin: str) -> str:
        """What may make a pin that exists do its job badly; empty when nothing is known against it."""
        if BUS.intersection(name.rstrip("01") for name in self.names(pin)):
            return "some boards have resistors on it, for the I2C bus"
        return ""

    def free(self) -> list[str]:
        """One name for every pin that can be used, those without a doubt first, as the definition has them."""
        good: dict[str, str] = {}
        for pin, chip in self.pins.items():
            if not self.fault(pin) and "_" in good.get(chip, "_"):
                good[chip] = pin
        return sorted(good.values(), key=lambda pin: bool(self.doubt(pin)))


def port_of(chip: str) -> Port | None:
    """What CircuitPython gives on the chip of this name, as boot_out.txt has it; None when it is not known."""
    return next((port for port in PORTS.values() if chip.lower().startswith(port.chips)), None)


def port_problem(port: Port | None) -> str:
    """Why the firmware cannot run for long on such chips; empty when it can."""
    if port is None:
        return "nobody has checked its chip's USB and flash"
    if port.in_endpoints < IN_ENDPOINTS:
        return (
            f"its USB has {port.in_endpoints} IN endpoints and boot.py needs {IN_ENDPOINTS}, "
            "so CircuitPython stops in safe mode"
        )
    if port.erases:
        games = port.erases // ERASES_A_GAME
        return (
            f"its flash is erased at every write, {ERASES_A_GAME} times a game, "
            f"and survives {port.erases}: it is worn out after {games} games"
        )
    return ""


def is_pico(name: str) -> bool:
    """Whether this is CircuitPython's name of a Pico: all of them have the same pins on the same header."""
    return name.startswith("raspberry_pi_pico")


def definitions() -> Path:
    """The folder of CircuitPython's board definitions; raises ControllerError when it is not installed."""
    spec = importlib.util.find_spec("board_definitions")
    folders = list(spec.submodule_search_locations or []) if spec else []
    if not folders:
        raise ControllerError(
            "CircuitPython's board definitions, which know every board's pins, are not installed",
            how_to_add("hardware"),
        )
    return Path(folders[0])


def load(name: str) -> Controller:
    """The controller that CircuitPython calls so; raises ControllerError."""
    file = definitions() / name / "__init__.pyi"
    if not NAME.fullmatch(name) or not file.is_file():
        raise ControllerError(
            f"[controller] board = {quote(name)}: CircuitPython has no board of this name", _near(name)
        )
    text = file.read_text(encoding="utf-8")
    facts = dict(FACT.findall(text))
    return Controller(
        name=name,
        title=text.split("Board stub for ", 1)[1].split("\n", 1)[0].strip(),
        port=facts["port"],
        nvm_bytes=int(facts["NVM size"]) if facts["NVM size"].isdigit() else 0,
        modules=frozenset(module.split(" (")[0] for module in facts["Included modules"].split(", ")),
        pins=dict(PIN.findall(text)),
    )


def known(name: str) -> Controller | None:
    """The controller, when the definitions are installed and have it."""
    try:
        return load(name)
    except ControllerError:
        return None


def refuse_unknown(name: str) -> None:
    """Raise ControllerError for a name that no board has, where the definitions are installed."""
    try:
        there = any(definitions().glob("*/__init__.pyi"))
    except ControllerError:
        return
    if there:
        load(name)


def _near(name: str) -> str:
    said = name[:100].lower().replace("-", "_").replace(" ", "_")
    names = sorted(file.parent.name for file in definitions().glob("*/__init__.pyi"))
    near = [board for board in FITTING if said in board] or difflib.get_close_matches(said, names, 3, 0.5)
    return f"do you mean {', '.join(near)}?" if near else "its boards are listed by circuitpython_setboard -l"
