"""The chip itself: who it is, why it started, its watchdog and what the supervisor says."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import ClassVar, Protocol

from cribboard.sim.port import Port

LONGEST_S = 8.388  # the RP2's watchdog counts 24 bits of microseconds


class Machine(Protocol):
    """What can restart the chip."""

    def reset(self) -> None:
        """Reset the chip; does not return."""


class Constant:
    """A named value that is only ever compared by identity, as CircuitPython's enumerations are."""

    def __init__(self, kind: str, name: str) -> None:
        self._text = f"{kind}.{name}"

    def __repr__(self) -> str:
        return self._text


class ResetReason(Constant):
    """Why the chip started."""

    POWER_ON: ClassVar[Constant] = Constant("microcontroller.ResetReason", "POWER_ON")
    BROWNOUT: ClassVar[Constant] = Constant("microcontroller.ResetReason", "BROWNOUT")
    SOFTWARE: ClassVar[Constant] = Constant("microcontroller.ResetReason", "SOFTWARE")
    RESET_PIN: ClassVar[Constant] = Constant("microcontroller.ResetReason", "RESET_PIN")
    WATCHDOG: ClassVar[Constant] = Constant("microcontroller.ResetReason", "WATCHDOG")
    UNKNOWN: ClassVar[Constant] = Constant("microcontroller.ResetReason", "UNKNOWN")

    @classmethod
    def named(cls, name: str) -> Constant:
        """The reason of that name."""
        reason: Constant = getattr(cls, name)
        return reason


class RunReason(Constant):
    """Why code.py started."""

    STARTUP: ClassVar[Constant] = Constant("supervisor.RunReason", "STARTUP")


class WatchDogMode(Constant):
    """What the watchdog does when it runs out."""

    RAISE: ClassVar[Constant] = Constant("watchdog.WatchDogMode", "RAISE")
    RESET: ClassVar[Constant] = Constant("watchdog.WatchDogMode", "RESET")


class Processor:
    """microcontroller.cpu."""

    frequency = 125_000_000
    temperature = 27.0
    voltage = 3.3

    def __init__(self, uid: bytes, reset_reason: Constant) -> None:
        self.uid = bytearray(uid)
        self.reset_reason = reset_reason


class Runtime:
    """supervisor.runtime."""

    usb_connected = True
    serial_connected = False
    serial_bytes_available = 0
    autoreload = True

    def __init__(self, port: Port, run_reason: Constant) -> None:
        self._port = port
        self.run_reason = run_reason


class WatchDogTimer:
    """microcontroller.watchdog: who guards it looks at `ends` (a time.monotonic(), None when it does not run).

    `changed` is called when it starts, so that the guard learns of it; feeding only moves `ends` on.
    """

    def __init__(self, changed: Callable[[], None]) -> None:
        self.ends: float | None = None
        self._changed = changed
        self._timeout: float | None = None
        self._mode: Constant | None = None

    def feed(self) -> None:
        """Put the end off by the timeout; nothing when it does not run."""
        if self._mode is not None and self._timeout is not None:
            self.ends = time.monotonic() + self._timeout

    def disarm(self) -> None:
        """Stop it, as CircuitPython does itself when code.py ends without an exception."""
        self._mode = None
        self.ends = None

    @property
    def timeout(self) -> float | None:
        """Seconds between two feedings at most."""
        return self._timeout

    @timeout.setter
    def timeout(self, seconds: float) -> None:
        if seconds <= 0:
            raise ValueError("WatchDogTimer.timeout must be greater than 0")
        if seconds > LONGEST_S:
            raise ValueError("timeout duration exceeded the maximum supported value")
        self._timeout = seconds
        self.feed()
        self._changed()

    @property
    def mode(self) -> Constant | None:
        """None while it does not run."""
        return self._mode

    @mode.setter
    def mode(self, mode: Constant | None) -> None:
        if mode is WatchDogMode.RAISE:
            raise NotImplementedError
        if mode is None:
            self.disarm()
        elif self._timeout is None:
            raise ValueError("WatchDogTimer.timeout must be greater than 0")
        self._mode = mode
        self.feed()
        self._changed()
