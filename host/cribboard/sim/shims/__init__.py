"""The CircuitPython modules that Blinka lacks, put where `import` finds them, on top of Blinka's own."""

from __future__ import annotations

import importlib
import os
import sys
from types import ModuleType, SimpleNamespace
from typing import Any

from cribboard.sim.bench import Bench, SteppedClock
from cribboard.sim.flash import Flash
from cribboard.sim.idle import REST_MS, Idle
from cribboard.sim.port import Port
from cribboard.sim.shims import gpio, keys, pins, serial
from cribboard.sim.shims.chip import Machine, Processor, ResetReason, RunReason, Runtime, WatchDogMode, WatchDogTimer
from cribboard.sim.shims.tone import pwm_out

BLINKA = "adafruit_blinka.microcontroller.generic_agnostic_board"


class Shims:
    """All shims of one chip, joined to its bench, its port and its flash."""

    def __init__(
        self,
        machine: Machine,
        bench: Bench,
        port: Port,
        flash: Flash,
        uid: bytes,
        reset_reason: str,
        real_pins: bool = False,
    ) -> None:
        self.bench = bench
        self._real_pins = real_pins
        self.watchdog = WatchDogTimer(bench.tell)
        self._machine = machine
        self._port = port
        self._idle = Idle(port, 0 if isinstance(bench.clock, SteppedClock) else REST_MS)
        self._claims = pins.Claims()
        self._flash = flash
        self._processor = Processor(uid, ResetReason.named(reset_reason))
        self._runtime = Runtime(port, RunReason.STARTUP)
        self._data = serial.Serial(port, self._idle)
        self._usb = serial.UsbCdc(self._data, serial.Console(bench))

    def install(self) -> None:
        """Import Blinka, for a board that it knows nothing of or for this computer, and put the shims in place."""
        bench, idle, claims = self.bench, self._idle, self._claims
        key_class = keys.keys_class(bench, idle, claims)
        if self._real_pins:
            key_class = self._pins(key_class)
        else:
            os.environ["BLINKA_OS_AGNOSTIC"] = "1"
            self._strips()
        self._microcontroller()
        keys.Event.clock = self.bench.clock
        _module("keypad", Event=keys.Event, EventQueue=keys.EventQueue, Keys=key_class)
        _module("watchdog", WatchDogMode=WatchDogMode, WatchDogTimer=WatchDogTimer)
        _module("pwmio", PWMOut=pwm_out(bench, claims))
        _module(
            "supervisor",
            ticks_ms=self._ticks_ms,
            runtime=self._runtime,
            RunReason=RunReason,
            reload=self._machine.reset,
            set_usb_identification=_nothing,
            status_bar=SimpleNamespace(console=True, display=True),
        )
        _module("usb_hid", enable=_nothing, disable=_nothing, set_interface_name=_nothing, devices=())
        _module("usb_midi", enable=_nothing, disable=_nothing, set_names=_nothing, ports=())
        _module(
            "storage", remount=_nothing, enable_usb_drive=_nothing, disable_usb_drive=_nothing, getmount=_drive_mount
        )
        sys.modules["usb_cdc"] = self._usb

    def _ticks_ms(self) -> int:
        self._idle.clock_read()
        self.bench.clock.looked_at()
        return self.bench.clock.ticks_ms()

    def booted(self) -> None:
        """boot.py is over: what it chose for USB holds from now on."""
        self._usb.settle()

    def _pins(self, key_class: type) -> type:
        """Strips and buttons on this computer's pins, by the real libraries; gives the class for buttons."""
        gpio.put_on(gpio.require())
        digitalio: Any = importlib.import_module("digitalio")
        neopixel: Any = importlib.import_module("neopixel")
        strips = gpio.Strips(self.bench, self._idle, neopixel.neopixel_write)
        neopixel.neopixel_write = strips.show
        plain = digitalio.DigitalInOut
        digitalio.DigitalInOut = gpio.digital_in_out(plain, self._claims, strips)
        return gpio.keys_class(key_class, self.bench, digitalio, plain)

    def _strips(self) -> None:
        """Replace Blinka's lowest layer, which would do nothing, and load the real library on top of it."""
        pins.put_on(importlib.import_module("board"), importlib.import_module(f"{BLINKA}.pin").Pin)
        digitalio: Any = importlib.import_module("digitalio")
        digitalio.DigitalInOut = pins.digital_in_out(digitalio.DigitalInOut, self._claims)
        bench, idle = self.bench, self._idle

        def neopixel_write(gpio: Any, data: bytes | bytearray) -> None:
            idle.busy()
            bench.show(f"GP{gpio._pin.id}", bytes(data))

        _module(f"{BLINKA}.neopixel", neopixel_write=neopixel_write)
        importlib.import_module("neopixel")

    def _microcontroller(self) -> None:
        module: Any = importlib.import_module("microcontroller")
        module.nvm = self._flash
        module.watchdog = self.watchdog
        module.cpu = self._processor
        module.ResetReason = ResetReason
        module.reset = self._machine.reset


def _module(name: str, **names: object) -> None:
    module = ModuleType(name, "A part of CircuitPython, played by the virtual board.")
    module.__dict__.update(names)
    sys.modules[name] = module
    package, _, last = name.rpartition(".")
    if package in sys.modules:
        setattr(sys.modules[package], last, module)


def _nothing(*args: object, **options: object) -> None:
    """A choice that makes no difference here."""


def _drive_mount(path: str) -> SimpleNamespace:
    return SimpleNamespace(readonly=True, label="CIRCUITPY")
