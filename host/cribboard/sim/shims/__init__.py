"""The CircuitPython modules that Blinka lacks, put where `import` finds them, on top of Blinka's own."""

from __future__ import annotations

import importlib
import os
import sys
from types import ModuleType, SimpleNamespace

from cribboard.sim.bench import Bench, SteppedClock
from cribboard.sim.flash import Flash
from cribboard.sim.port import REST_MS, Idle, Port
from cribboard.sim.shims import gpio, pins
from cribboard.sim.shims.chip import (
    Console,
    Interrupts,
    Machine,
    Processor,
    ResetReason,
    RunReason,
    Runtime,
    Serial,
    UsbCdc,
    WatchDogMode,
    WatchDogTimer,
)

CHIP, CHIP_WITH_RADIO = "rp2040", "rp2350"
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
        web: int = 0,
    ) -> None:
        self.bench = bench
        self._real_pins = real_pins
        self._web = web
        self.watchdog = WatchDogTimer(bench.tell)
        self._machine = machine
        self._port = port
        self._idle = Idle(port, 0 if isinstance(bench.clock, SteppedClock) else REST_MS)
        self._claims = pins.Claims()
        self._flash = flash
        self._processor = Processor(uid, ResetReason.named(reset_reason))
        self._runtime = Runtime(port, RunReason.STARTUP)
        self._data = Serial(port, self._idle)
        self._usb = UsbCdc(self._data, Console(bench))

    def install(self) -> None:
        """Import Blinka, for a board that it knows nothing of or for this computer, and put the shims in place."""
        bench, idle, claims = self.bench, self._idle, self._claims
        key_class = pins.keys_class(bench, idle, claims)
        if self._real_pins:
            key_class = self._pins(key_class)
        else:
            os.environ["BLINKA_OS_AGNOSTIC"] = "1"
            self._strips()
        self._microcontroller()
        pins.Event.clock = self.bench.clock
        _module("keypad", Event=pins.Event, EventQueue=pins.EventQueue, Keys=key_class)
        _module("watchdog", WatchDogMode=WatchDogMode, WatchDogTimer=WatchDogTimer)
        _module("pwmio", PWMOut=pins.pwm_out(bench, claims))
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
        if self._web:
            from cribboard.sim.shims import network

            for name, holds in network.modules(self._web, idle).items():
                _module(name, **holds)

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
        digitalio, neopixel = importlib.import_module("digitalio"), importlib.import_module("neopixel")
        strips = gpio.Strips(self.bench, self._idle, neopixel.neopixel_write)
        vars(neopixel).update(neopixel_write=strips.show)
        plain = digitalio.DigitalInOut
        vars(digitalio).update(DigitalInOut=gpio.digital_in_out(plain, self._claims, strips))
        return gpio.keys_class(key_class, self.bench, digitalio.Pull.UP, plain)

    def _strips(self) -> None:
        """Replace Blinka's lowest layer, which would do nothing, and load the real library on top of it."""
        # Blinka would look for what a computer with pins needs, for which it imports as much as all else here.
        _module("adafruit_blinka.platform_dependencies", install_missing_platform_dependencies=_nothing)
        pins.put_on(importlib.import_module("board"), importlib.import_module(f"{BLINKA}.pin").Pin)
        digitalio = importlib.import_module("digitalio")
        vars(digitalio).update(DigitalInOut=pins.digital_in_out(digitalio.DigitalInOut, self._claims))
        bench, idle = self.bench, self._idle

        def neopixel_write(output: gpio.Output, data: bytes | bytearray) -> None:
            idle.busy()
            bench.show(f"GP{output._pin.id}", bytes(data))

        _module(f"{BLINKA}.neopixel", neopixel_write=neopixel_write)
        importlib.import_module("neopixel")

    def _microcontroller(self) -> None:
        chip, release = (CHIP_WITH_RADIO, "10.2.1") if self._web else (CHIP, "9.2.1")
        uname = os.uname_result((chip, chip, release, release, f"Raspberry Pi Pico with {chip}"))
        vars(os).update(uname=lambda: uname)  # Blinka has looked at this computer's own by now
        interrupts = pins.EventQueue.interrupts = Interrupts()
        vars(importlib.import_module("microcontroller")).update(
            nvm=self._flash,
            watchdog=self.watchdog,
            cpu=self._processor,
            ResetReason=ResetReason,
            reset=self._machine.reset,
            disable_interrupts=interrupts.disable,
            enable_interrupts=interrupts.enable,
        )


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
