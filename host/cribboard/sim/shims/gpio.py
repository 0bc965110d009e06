"""The pins of a Raspberry Pi under the virtual board: Blinka's own, named as on a Pico, GP18 for GPIO 18.

Blinka drives one strip, so all tracks hang on one data pin, one behind the other: GP18B is the strip behind that of
GP18, GP18C the one behind that. Buttons are looked at as often as CircuitPython's keypad does it.
"""

from __future__ import annotations

import importlib
import threading
import time
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Protocol

from cribboard.sim.bench import PINS, Bench
from cribboard.sim.port import Idle
from cribboard.sim.registry import SimError
from cribboard.sim.shims.pins import Claims, Pin

DATA_PINS = (10, 12, 18, 21)  # SPI, PWM, PWM and PCM, as rpi_ws281x has them
BEHIND = "BCD"
SETTINGS = """\
STRIP_PINS = "GP18 GP18B"
BUTTONS_1 = "GP5 GP6 GP13"
BUTTONS_2 = "GP16 GP20 GP21"
UNDO_PIN = "GP26"
DEAL_PIN = "GP19"
"""  # on a Raspberry Pi's first start: free of its I2C, SPI and UART


class Output(Protocol):
    """Blinka's DigitalInOut at the pin of a strip."""

    @property
    def _pin(self) -> Pin: ...


class Button(Protocol):
    """Blinka's DigitalInOut at the pin of a button."""

    @property
    def value(self) -> bool:
        """False while it joins its pin to ground."""

    def switch_to_input(self, pull: object = None) -> None:
        """Read the pin from now on."""


Write = Callable[[Output, bytearray], None]


class Behind:
    """A strip that hangs behind another one, and has no pin of its own."""

    def __init__(self, name: str) -> None:
        self.id = name

    def init(self, mode: object = None, pull: object = None) -> None:
        """There is nothing to be set."""

    def value(self, value: object = None) -> int:
        """There is nothing to be read."""
        return 0


def require() -> ModuleType:
    """Blinka's pins of this computer; raises SimError where there are none."""
    try:
        board: ModuleType = importlib.import_module("board")
        importlib.import_module("neopixel")
    except Exception as error:  # Blinka has many ways to say it
        raise SimError(
            f"Blinka finds no pins that can drive a strip here: {error}",
            "this is for a Raspberry Pi; hardware/raspberry-pi.md says what to install on it",
        ) from error
    if not hasattr(board, "D18"):
        raise SimError("Blinka's pins here are not those of a Raspberry Pi", "take a Raspberry Pi, or leave --pins out")
    return board


def put_on(board: ModuleType) -> None:
    """Give Blinka's board the names that settings.toml uses."""
    for number, name in enumerate(PINS):
        if hasattr(board, f"D{number}"):
            setattr(board, name, getattr(board, f"D{number}"))
    for number in DATA_PINS:
        for letter in BEHIND:
            setattr(board, f"GP{number}{letter}", Behind(f"{number}{letter}"))


class Strips:
    """All strips of one data pin are sent together, in the order of their names."""

    def __init__(self, bench: Bench, idle: Idle, write: Write) -> None:
        self._bench = bench
        self._idle = idle
        self._write = write
        self._parts: dict[str, bytes | None] = {}
        self._heads: dict[str, Output] = {}
        self._sent: dict[str, bytearray] = {}

    def made(self, output: Output, pin: Pin) -> None:
        """An output was made for a strip, or for what is behind one."""
        self._parts[str(pin.id)] = None
        if not isinstance(pin, Behind):
            self._heads[str(pin.id)] = output

    def show(self, output: Output, data: bytes | bytearray) -> None:
        """Send what hangs on the pin, once every strip there has been shown."""
        self._idle.busy()
        name = str(output._pin.id)
        self._bench.show(f"GP{name}", bytes(data))
        self._parts[name] = bytes(data)
        head = name.rstrip(BEHIND)
        parts = [self._parts[part] for part in sorted(self._parts) if part.rstrip(BEHIND) == head]
        if head in self._heads and None not in parts:
            chain = b"".join(part for part in parts if part)
            sent = self._sent.get(head)
            if sent is None or len(sent) != len(chain):
                sent = self._sent[head] = bytearray(len(chain))  # Blinka starts over with every other buffer
            sent[:] = chain
            self._write(self._heads[head], sent)


def digital_in_out(blinkas: type, claims: Claims, strips: Strips) -> type:
    """Blinka's DigitalInOut, with claims, and for strips without a pin."""

    class DigitalInOut(blinkas):  # type: ignore[misc]
        def __init__(self, pin: Pin) -> None:
            claims.claim(pin)
            self._claimed = pin
            if isinstance(pin, Behind):
                self._pin = pin
            else:
                super().__init__(pin)
            strips.made(self, pin)

    return DigitalInOut


def keys_class(keys: type, bench: Bench, pull: object, plain: Callable[[Pin], Button]) -> type:
    """The virtual board's Keys, with fingers on real pins."""

    class Keys(keys):  # type: ignore[misc]
        def __init__(self, pins: Sequence[Pin], *, interval: float = 0.020, **options: int) -> None:
            super().__init__(pins, interval=interval, **options)
            inputs = [(f"GP{pin.id}", _input(plain(pin), pull)) for pin in pins]
            threading.Thread(target=_scan, args=(bench, inputs, interval), name="fingers", daemon=True).start()

    return Keys


def _input(button: Button, pull: object) -> Button:
    button.switch_to_input(pull=pull)
    return button


def _scan(bench: Bench, inputs: list[tuple[str, Button]], interval: float) -> None:
    while True:
        for name, button in inputs:
            bench.finger(name, not button.value)  # a button joins its pin to ground
        time.sleep(interval)
