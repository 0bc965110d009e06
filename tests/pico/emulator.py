"""An emulated Raspberry Pi Pico that runs the real CircuitPython, driven from Python.

Time is simulated and stands still between calls; `run` and what builds on it let it pass.
"""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

HERE = Path(__file__).parent
INSTALL = f"npm ci --prefix {HERE.relative_to(HERE.parents[1])}"
BOOT_LIMIT_MS = 8_000


class PicoError(RuntimeError):
    """The emulated board did not do what was asked of it."""


@dataclass(frozen=True)
class Frame:
    """What one NeoPixel strip was sent: bytes in wire order, times of its first and last edge in simulated ms."""

    pin: int
    start_ms: float
    end_ms: float
    data: bytes

    def pixels(self, order: str = "GRB") -> list[tuple[int, int, int]]:
        """The pixels as (red, green, blue)."""
        red, green, blue = (order.index(channel) for channel in "RGB")
        size = len(order)
        return [
            (self.data[at + red], self.data[at + green], self.data[at + blue]) for at in range(0, len(self.data), size)
        ]


@dataclass(frozen=True)
class Packet:
    """Bytes that crossed the USB cable at once, at a simulated ms; `way` is "in" (from the board) or "out" (to it)."""

    way: str
    size: int
    ms: float


def why_not() -> str | None:
    """Why no Pico can be emulated here, and what to do about it; None when it can."""
    for variable, hint in (
        ("CIRCUITPYTHON_UF2", "a CircuitPython 9.2 or 10 .uf2 for the Raspberry Pi Pico from circuitpython.org"),
        ("RP2040_BOOTROM", "demo/bootrom.ts of the rp2040js repository, or the boot ROM's bytes"),
    ):
        path = os.environ.get(variable, "")
        if not path:
            return f"{variable} is not set: it names {hint}"
        if not Path(path).is_file():
            return f"{variable} names {path!r}, which is not a file: it names {hint}"
    if shutil.which("node") is None:
        return "Node is not installed: it runs the emulator (version 18 or newer, nodejs.org)"
    if not (HERE / "node_modules" / "rp2040js").is_dir():
        return f"rp2040js is not installed: run `{INSTALL}`"
    return None


class Pico:
    """One board: powered off until `power_on`. `drive` is the image of its CIRCUITPY drive."""

    def __init__(self, drive: bytes) -> None:
        reason = why_not()
        if reason:
            raise PicoError(reason)
        self.now_ms = 0.0
        self.powered = False
        self.cut: str | None = None
        self.usb_ready = False
        self.counts: dict[str, int] = {}
        self.real_seconds = 0.0
        self.log = b""
        self._marks: dict[int, list[tuple[bool, float]]] = {}
        self._lock = threading.Lock()
        self._received = {"console": bytearray(), "data": bytearray()}
        with tempfile.NamedTemporaryFile(suffix=".img", delete=False) as image:
            image.write(drive)
        self._image = Path(image.name)
        command = ["node", str(HERE / "pico.mjs"), os.environ["CIRCUITPYTHON_UF2"], os.environ["RP2040_BOOTROM"]]
        self._node = subprocess.Popen([*command, image.name], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def __enter__(self) -> Pico:
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Ends the emulator's process."""
        assert self._node.stdin and self._node.stdout
        self._node.stdin.close()
        self._node.stdout.close()
        self._node.terminate()
        self._node.wait()
        self._image.unlink(missing_ok=True)

    def ask(self, op: str, **arguments: object) -> dict[str, Any]:
        """One request to the emulator and its answer."""
        with self._lock:
            started = time.perf_counter()
            answer = self._exchange({"op": op, **arguments})
            self.real_seconds += time.perf_counter() - started
            if "error" in answer:
                raise PicoError(answer["error"])
            self._take(answer)
        return answer

    def _exchange(self, request: dict[str, object]) -> dict[str, Any]:
        assert self._node.stdin and self._node.stdout
        self._node.stdin.write(json.dumps(request).encode() + b"\n")
        self._node.stdin.flush()
        line = self._node.stdout.readline()
        if not line:
            raise PicoError(f"the emulator ended with exit code {self._node.wait()} at {request['op']!r}")
        answer: dict[str, Any] = json.loads(line)
        return answer

    def _take(self, answer: dict[str, Any]) -> None:
        """What every answer carries: the clock, the power, and what came over USB."""
        self.now_ms = answer["now_ms"]
        self.powered = answer["powered"]
        self.cut = answer["cut"]
        self.usb_ready = answer["usb_ready"]
        self.counts = answer["counts"]
        for channel, text in answer["received"].items():
            self._received[channel] += base64.b64decode(text)
        self.log += base64.b64decode(answer["received"]["console"])

    # Power and time

    def power_on(self) -> None:
        """Switches the board on, or off and on: the flash is as it was, the RAM is empty."""
        self.ask("power_on")

    reboot = power_on

    def power_off(self) -> None:
        self.ask("power_off")

    def cut_power_at(self, after_bytes: int, *, kind: str | None = None, nvm: bool = True) -> None:
        """Cuts the power inside a flash write as soon as `after_bytes` more bytes have changed (0: before one does).

        `kind` is "erase" or "program" (None: both); `nvm` counts the bytes of microcontroller.nvm only.
        """
        self.ask("cut", after_bytes=after_bytes, kind=kind, nvm=nvm)

    def run(self, ms: float) -> None:
        """Lets `ms` simulated milliseconds pass, fewer when the power is cut."""
        self.ask("run", ms=ms)

    def run_until(self, done: Callable[[], bool], what: str, *, limit_ms: float = 5_000, step_ms: float = 5) -> float:
        """Runs until `done()`, and returns the simulated ms it took; `what` is for the error when it never is."""
        start = self.now_ms
        while not done():
            if self.now_ms - start >= limit_ms or not self.powered:
                state = f"waited {self.now_ms - start:.0f} ms" if self.powered else f"the power is off ({self.cut})"
                raise PicoError(f"no {what}: {state}; the console said {self.console_text()[-2000:]!r}")
            self.run(step_ms)
        return self.now_ms - start

    def boot(self) -> float:
        """Switches on, runs until the serial channels are open, and returns the simulated ms.

        What a program prints before that is lost, as on a real board.
        """
        self.power_on()
        return self.run_until(lambda: self.usb_ready, "USB", limit_ms=BOOT_LIMIT_MS, step_ms=10)

    # Serial channels

    def console_text(self) -> str:
        """All that the console has said since the first power-on."""
        return self.log.decode("utf-8", "replace")

    def read(self, channel: str = "data") -> bytes:
        """What came on a channel ("console" or "data") since the last read."""
        received = bytes(self._received[channel])
        self._received[channel].clear()
        return received

    def peek(self, channel: str = "data") -> bytes:
        return bytes(self._received[channel])

    def write(self, data: bytes, channel: str = "data") -> None:
        self.ask("write", channel=channel, bytes=base64.b64encode(data).decode())

    def set_open(self, open_: bool, channel: str = "data") -> None:
        """Raises or drops DTR, as a program that opens or closes the port does."""
        self.ask("open", channel=channel, open=open_)

    def packets(self, channel: str = "data") -> list[Packet]:
        """What crossed the cable on a channel since the last call, of all channels."""
        number = ("console", "data").index(channel)
        every = self.ask("packets")["packets"]
        return [Packet(packet["way"], packet["size"], packet["ms"]) for packet in every if packet["channel"] == number]

    # Buttons and lights

    def press(self, pin: int, at_ms: float | None = None) -> None:
        """Pulls GP`pin` to ground, now or at a simulated time to come."""
        self.ask("pin", pin=pin, high=False, at_ms=at_ms)

    def release(self, pin: int, at_ms: float | None = None) -> None:
        self.ask("pin", pin=pin, high=True, at_ms=at_ms)

    def frames(self) -> list[Frame]:
        """The NeoPixel frames since the last call, on all pins, in the order in which they ended."""
        frames = []
        for frame in self.ask("frames")["frames"]:
            if frame["loose_bits"]:
                raise PicoError(f"GP{frame['pin']} sent a frame with {frame['loose_bits']} bits too many")
            data = base64.b64decode(frame["bytes"])
            frames.append(Frame(frame["pin"], frame["start_ms"], frame["end_ms"], data))
        return sorted(frames, key=lambda frame: frame.end_ms)

    def watch(self, pin: int) -> None:
        """Notes from now on when the program pulls GP`pin` up or down."""
        self.ask("watch", pin=pin)

    def pulses(self, pin: int) -> list[tuple[float, float]]:
        """(start, length) in ms of each time that a watched pin was high and is low again, since the last call."""
        for mark in self.ask("marks")["marks"]:
            self._marks.setdefault(mark["pin"], []).append((mark["high"], mark["ms"]))
        intervals = []
        since = None
        for high, ms in self._marks.pop(pin, []):
            if high:
                since = ms
            elif since is not None:
                intervals.append((since, ms - since))
                since = None
        if since is not None:
            self._marks[pin] = [(True, since)]
        return intervals

    # Flash

    def nvm(self) -> bytes:
        return base64.b64decode(self.ask("nvm")["bytes"])

    def set_nvm(self, data: bytes) -> None:
        self.ask("set_nvm", bytes=base64.b64encode(data).decode())

    def drive(self) -> bytes:
        """The image of the CIRCUITPY drive as it is now."""
        return base64.b64decode(self.ask("drive")["bytes"])

    def set_drive(self, image: bytes) -> None:
        """Puts another drive in; the board notices at the next power-on."""
        self.ask("set_drive", bytes=base64.b64encode(image).decode())


MakePico = Callable[[Mapping[str, bytes]], Pico]  # what the fixture `pico_with` gives
