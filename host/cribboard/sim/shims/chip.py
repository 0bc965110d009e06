"""The chip itself: who it is, why it started, its watchdog, what the supervisor says, and its two channels over USB.

The second channel is a pseudo-terminal, the first is text for programs that watch the board.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from types import ModuleType
from typing import ClassVar, Protocol

from cribboard.sim.bench import Bench
from cribboard.sim.port import Idle, Port

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


class Interrupts:
    """microcontroller.disable_interrupts and enable_interrupts, as many of the one as of the other."""

    def __init__(self) -> None:
        self.off = 0

    def disable(self) -> None:
        """No interrupt comes, and so no scan of the keys."""
        self.off += 1

    def enable(self) -> None:
        """Interrupts come again. On the chip one too many ends in the safe mode."""
        if not self.off:
            raise RuntimeError("interrupts are on already: enable_interrupts() without disable_interrupts()")
        self.off -= 1


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


class Serial:
    """usb_cdc.Serial. `timeout` and `write_timeout`: None blocks for ever, 0 never, else seconds."""

    def __init__(self, port: Port, idle: Idle) -> None:
        self._port = port
        self._idle = idle
        self.timeout: float | None = None
        self.write_timeout: float | None = None

    @property
    def connected(self) -> bool:
        """Whether a host has the port open."""
        return self._port.connected

    @property
    def in_waiting(self) -> int:
        """Bytes that can be read without waiting, 256 at most."""
        count = self._port.arrived()
        if not count and self._idle.in_vain("in_waiting"):
            count = self._port.arrived()
        if count:
            self._idle.busy()
        return count

    @property
    def out_waiting(self) -> int:
        """Bytes that were written and have not left."""
        return self._port.waiting_to_leave

    def read(self, size: int = 1) -> bytes:
        """Up to `size` bytes, fewer when the timeout comes first."""
        data = self._port.take(size)
        if not data and self.timeout == 0:
            if self._idle.in_vain("read"):
                data = self._port.take(size)
        elif self.timeout != 0:
            data = self._read_on(data, size)
        if data:
            self._idle.busy()
        return data

    def readinto(self, buffer: bytearray | memoryview) -> int:
        """Read into a buffer; how many bytes it got."""
        data = self.read(len(buffer))
        buffer[: len(data)] = data
        return len(data)

    def readline(self, size: int = -1) -> bytes:
        """Bytes to the end of a line, or what came before the timeout."""
        line = bytearray()
        while size < 0 or len(line) < size:
            byte = self.read(1)
            line += byte
            if not byte or byte == b"\n":
                break
        return bytes(line)

    def write(self, data: bytes | bytearray | memoryview) -> int:
        """How many bytes were taken; fewer than all when the host does not read and the timeout comes first."""
        self._idle.busy()
        rest = bytes(data)
        end = None if self.write_timeout is None else time.monotonic() + self.write_timeout
        sent = self._port.put(rest)
        while sent < len(rest) and (end is None or time.monotonic() < end):
            self._port.wait(1)
            sent += self._port.put(rest[sent:])
        return sent

    def flush(self) -> None:
        """Wait until all has left."""
        self._port.drain(1.0)

    def reset_input_buffer(self) -> None:
        """Drop what arrived."""
        self._port.forget_arrived()

    def reset_output_buffer(self) -> None:
        """Drop what has not left."""
        self._port.forget_leaving()

    def _read_on(self, data: bytes, size: int) -> bytes:
        end = None if self.timeout is None else time.monotonic() + self.timeout
        while len(data) < size and (end is None or time.monotonic() < end):
            self._port.wait(3)
            data += self._port.take(size - len(data))
        return data


class Console:
    """usb_cdc.console, into which nobody types: its output goes to the programs that watch."""

    connected = False
    in_waiting = 0
    out_waiting = 0

    def __init__(self, bench: Bench) -> None:
        self._bench = bench
        self.timeout: float | None = None
        self.write_timeout: float | None = None

    def read(self, size: int = 1) -> bytes:
        """Nothing."""
        return b""

    def write(self, data: bytes | str) -> int:
        """Pass it on. Takes text as well, so that `print` can be sent here."""
        text = data if isinstance(data, str) else bytes(data).decode("utf-8", "replace")
        if text:
            self._bench.console(text)
        return len(data)

    def flush(self) -> None:
        """Nothing is held back."""


class UsbCdc(ModuleType):
    """The module usb_cdc: boot.py chooses the channels, after it the choice holds."""

    def __init__(self, data: Serial, console: Console) -> None:
        super().__init__("usb_cdc", "USB serial channels, played by the virtual board.")
        self.Serial = Serial
        self.console: Console | None = console
        self.data: Serial | None = None
        self._second = data
        self._first = console
        self._settled = False

    def enable(self, *, console: bool = True, data: bool = False) -> None:
        """Choose which channels there are; in boot.py only."""
        if self._settled:
            raise RuntimeError("Cannot change USB devices now")
        self.console = self._first if console else None
        self.data = self._second if data else None

    def disable(self) -> None:
        """Choose no channel; in boot.py only."""
        self.enable(console=False, data=False)

    def settle(self) -> None:
        """boot.py is over."""
        self._settled = True
