"""What CircuitPython alone has, as plain Python for the module `hardware`: a chip that tests switch on and off."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from firmware.rig import Port, Strip

from cribboard.sim.flash import Flash
from cribboard.sim.shims.chip import Interrupts

FIRMWARE = Path(__file__).parents[2] / "firmware"
STEP_MS = 5
FIRST_KEY = 6  # the pin of the first key in the shipped settings


class PowerOff(BaseException):
    """The end of a life; no firmware can catch it."""


class Watchdog:
    """A watchdog that notes what is done to it."""

    def __init__(self) -> None:
        self.mode: object = None
        self.timeout = 0.0
        self.fed = 0

    def feed(self) -> None:
        self.fed += 1


class Chip:
    """A chip whose flash outlasts its lives. Each look at the clock takes STEP_MS of the time that a life is given.

    `red` is what code.py wrote to each pin with what is built in; `resets` how often it reset the chip.
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch, flash: Flash | None = None) -> None:
        self.flash = flash or Flash()
        self.now = 0
        self.ends = 0
        self.edges: list[tuple[int, bool, int]] = []  # in the order of their times
        self.down: list[int] = []  # the keys that are held at power-on
        self.port = Port()
        self.sysname, self.board_id = "RP2040", "raspberry_pi_pico"
        self._monkeypatch = monkeypatch
        self.resets = 0
        monkeypatch.chdir(FIRMWARE)
        monkeypatch.setattr(time, "sleep", self.sleep)

    def life(self, ms: int, reason: str = "POWER_ON") -> None:
        """Switch on, run the real code.py for so long, and switch off; what escapes from it escapes."""
        self.ends = self.now + ms
        self.watchdog = Watchdog()
        self.strips: list[Strip] = []
        self.red: dict[int, bytes] = {}
        self.runtime = SimpleNamespace(autoreload=True)
        for module in self._modules(reason):
            self._monkeypatch.setitem(sys.modules, module.__name__, module)
        self._monkeypatch.delitem(sys.modules, "cribboard_fw.hardware", raising=False)
        try:
            exec(compile((FIRMWARE / "code.py").read_bytes(), "code.py", "exec"), {"__name__": "__main__"})
        except PowerOff:
            return

    def sleep(self, seconds: float) -> None:
        self.now += int(1000 * seconds)
        if self.now >= self.ends:
            raise PowerOff

    def reset(self) -> None:
        self.resets += 1
        raise PowerOff

    def ticks_ms(self) -> int:
        self.now += STEP_MS
        if self.now >= self.ends:
            raise PowerOff
        return self.now

    def _modules(self, reason: str) -> list[ModuleType]:
        chip = self

        class Keys:
            """Keys in the order of their pins, GP6 for key number 0."""

            overflowed = False

            def __init__(self, pins: list[int], **options: object) -> None:
                self.events = self
                self._numbers = [pin - FIRST_KEY for pin in pins]

            def reset(self) -> None:
                chip.edges[:0] = [(number, True, 0) for number in chip.down if number in self._numbers]

            def clear(self) -> None:
                self.overflowed = False

            def get_into(self, event: Any) -> bool:
                for edge in chip.edges:
                    if edge[0] in self._numbers and edge[2] <= chip.now:
                        event.key_number = self._numbers.index(edge[0])
                        event.pressed, event.timestamp = edge[1:]
                        chip.edges.remove(edge)
                        return True
                return False

        def show_red(pin: Any, data: bytes) -> None:
            chip.red[pin.number] = bytes(data)

        def neopixel(pin: object, leds: int, **options: object) -> Strip:
            chip.strips.append(Strip(leds))
            return chip.strips[-1]

        self._monkeypatch.setattr(os, "uname", lambda: SimpleNamespace(sysname=self.sysname), raising=False)
        reasons = SimpleNamespace(POWER_ON="POWER_ON", WATCHDOG="WATCHDOG", BROWNOUT="BROWNOUT")
        cpu = SimpleNamespace(uid=b"\xe6\x61", reset_reason=reason)
        interrupts = Interrupts()
        pins = {f"GP{number}": number for number in range(29)}
        return [
            module("board", **({"board_id": self.board_id} if self.board_id else {}), **pins),
            module("digitalio", DigitalInOut=lambda number: SimpleNamespace(number=number, switch_to_output=bool)),
            module("keypad", Keys=Keys, Event=SimpleNamespace),
            module(
                "microcontroller",
                nvm=self.flash,
                cpu=cpu,
                ResetReason=reasons,
                watchdog=self.watchdog,
                reset=self.reset,
                disable_interrupts=interrupts.disable,
                enable_interrupts=interrupts.enable,
            ),
            module("neopixel_write", neopixel_write=show_red),
            module("neopixel", NeoPixel=neopixel),
            trouble(),
            module("supervisor", ticks_ms=self.ticks_ms, runtime=self.runtime),
            module("usb_cdc", data=self.port),
            module("watchdog", WatchDogMode=SimpleNamespace(RESET="RESET")),
        ]


def trouble() -> ModuleType:
    """What code.py has beside it; its folder cannot be on the path, since there is a code.py in it."""
    made = ModuleType("trouble")
    exec((FIRMWARE / "trouble.py").read_bytes(), vars(made))
    return made


def module(name: str, **contents: object) -> ModuleType:
    """A module with these names in it."""
    made = ModuleType(name)
    vars(made).update(contents)
    return made
