"""What a controller's pins are and can do: as CircuitPython's own board definitions say, and its chip's data sheet.

The definitions come with the package circuitpython-stubs. They name every pin and the chip's pin behind it, the modules
that are built in, and the bytes that outlast the power. Which pins lie on the header they do not say: a pin is taken
to be free when none of its names tells of another job.
"""

from __future__ import annotations

import difflib
import importlib.util
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from cribboard.errors import CribboardError
from cribboard_core.cards import quote

NEEDED = {  # that the firmware imports, itself or by way of Adafruit's neopixel
    *("adafruit_pixelbuf", "array", "binascii", "board", "collections", "digitalio", "json", "keypad", "keypad.Keys"),
    *("microcontroller", "neopixel_write", "nvm", "os", "pwmio", "struct", "supervisor", "sys", "usb_cdc", "usb_hid"),
    *("usb_midi", "watchdog"),
}
PROMISED_PORT = "raspberrypi"  # whose flash the journal is made for

NAME = re.compile(r"\w[\w.-]{0,99}")
PIN = re.compile(r"^(\w+): microcontroller\.Pin\s+# (\S+)", re.MULTILINE)
FACT = re.compile(r"^ - ([\w ]+): *(.*)$", re.MULTILINE)
OWN_JOB = re.compile(
    r"L|.*LED.*|.*NEOPIXEL.*|DOTSTAR.*|.*POWER.*|BUTTON.*|BOOT\d*|SWITCH|SPEAKER.*|AREF|BATTERY|(VBUS|VOLTAGE|SMPS)_.*"
    r"|(TFT|LCD|DISPLAY|EPD|SD|WIFI|ESP|FLASH)_.*"
)
BUS = {"SDA", "SCL"}

FITTING = (
    "raspberry_pi_pico",
    "raspberry_pi_pico2",
    "adafruit_qtpy_rp2040",
    "feather_nrf52840_express",
    "adafruit_feather_esp32s3_4mbflash_2mbpsram",
)

# Pins that the chip itself wants.
# ESP32-S3 data sheet, "Strapping Pins"; nRF52840 product specification, "Pin assignments" and "NFCT".
ESP32_S3_START = {"GPIO0", "GPIO3", "GPIO45", "GPIO46"}
ESP32_S3_USB = {"GPIO19", "GPIO20"}
NRF52840_NFC = {"P0_09", "P0_10"}
NRF52840_SLOW = {"P0_02", "P0_03", "P0_28", "P0_29", "P0_30", "P0_31"} | {
    f"P1_{n:02}" for n in (*range(1, 8), *range(10, 16))
}

# Where boards carry USB's 5 V, and the Pico's header from pin 1 to 40: their makers' drawings.
USB_5V = {"raspberry_pi_pico": "VBUS", "adafruit_qtpy": "5V", "feather": "USB", "adafruit_feather": "USB"}
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
    def promises(self) -> bool:
        """Whether the journal's promise about power cuts holds for its flash."""
        return self.port == PROMISED_PORT and self.nvm_bytes == 4096

    @property
    def is_pico(self) -> bool:
        """Whether it has the Pico's header."""
        return is_pico(self.name)

    @property
    def usb_pin(self) -> str:
        """The pin that carries USB's 5 V; empty when it is not known."""
        return next((pin for start, pin in USB_5V.items() if self.name.startswith(start)), "")

    def names(self, pin: str) -> list[str]:
        """All names of the same pin of the chip."""
        return [name for name, chip in self.pins.items() if chip == self.pins[pin]]

    def numbers(self, pins: list[str]) -> tuple[int, ...]:
        """The numbers of pins on a Pico's header; empty on other boards."""
        if not self.is_pico or any(pin not in PICO_HEADER for pin in pins):
            return ()
        return tuple(PICO_HEADER.index(pin) + 1 for pin in pins)

    def fault(self, pin: str, button: bool) -> str:
        """Why a pin that exists cannot do the job of a button, or of a strip or a piezo; empty when it can."""
        chip = self.pins[pin]
        own = [name for name in self.names(pin) if OWN_JOB.fullmatch(name)]
        if own:
            return f"it is the board's own {own[0]}"
        if self._is_esp32_s3 and chip in ESP32_S3_USB:
            return "it is USB's own"
        if self._is_esp32_s3 and chip in ESP32_S3_START and button:
            return "the chip looks at it when it starts, and a pressed button changes what it does then"
        return ""

    def doubt(self, pin: str, button: bool) -> str:
        """What may make a pin that exists do its job badly; empty when nothing is known against it."""
        chip = self.pins[pin]
        if self._is_esp32_s3 and chip in ESP32_S3_START:
            return "the chip looks at it when it starts"
        if self._is_nrf52840 and chip in NRF52840_NFC:
            return "it is an antenna's pin until the start-up code makes it another"
        if self._is_nrf52840 and chip in NRF52840_SLOW and not button:
            return "its maker wants only slow signals on it, because it lies beside the radio"
        if BUS.intersection(name.rstrip("01") for name in self.names(pin)):
            return "some boards have resistors on it, for the I2C bus"
        if self.port not in ("raspberrypi", "nordic", "espressif") or (
            self.port == "espressif" and not self._is_esp32_s3
        ):
            return "nothing is known here of this chip's special pins; look into its data sheet"
        return ""

    def free(self, button: bool) -> list[str]:
        """One name for every pin that can do this job, those without a doubt first, as the definition has them."""
        good: dict[str, str] = {}
        for pin, chip in self.pins.items():
            if not self.fault(pin, button) and "_" in good.get(chip, "_"):
                good[chip] = pin
        return sorted(good.values(), key=lambda pin: bool(self.doubt(pin, button)))

    @property
    def _is_esp32_s3(self) -> bool:
        return "esp32s3" in self.name.lower().replace("_", "").replace("-", "")

    @property
    def _is_nrf52840(self) -> bool:
        return "nrf52840" in self.name.lower()


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
            "in the project's folder: pip install -e '.[hardware]'",
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


def _near(name: str) -> str:
    said = name[:100].lower().replace("-", "_").replace(" ", "_")
    names = sorted(file.parent.name for file in definitions().glob("*/__init__.pyi"))
    near = [board for board in FITTING if said in board] or difflib.get_close_matches(said, names, 3, 0.5)
    return f"do you mean {', '.join(near)}?" if near else "its boards are listed by circuitpython_setboard -l"
