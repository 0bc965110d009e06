"""The bench that the board lies on: the fingers on its buttons, the strips and the piezo on its pins.

The chip's thread and the thread that talks to the outside both use it. Single values are replaced, never changed in
place, and what has to be told goes through one deque, whose append and popleft are atomic.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

WRAP = 1 << 29
PINS = tuple(f"GP{number}" for number in range(29))
PUSHES = 2000  # what the outside may be behind before the oldest is dropped


class Clock:
    """supervisor.ticks_ms: wraps at 2**29, for the first time 65 s after power-on."""

    def __init__(self, now_ns: Callable[[], int] = time.monotonic_ns) -> None:
        self._now_ns = now_ns
        self._start = now_ns()

    def ticks_ms(self, when: float | None = None) -> int:
        """Milliseconds, 0 to 2**29 - 1: now, or when time.monotonic() was `when`."""
        now_ns = self._now_ns() if when is None else int(when * 1e9)
        return (WRAP - 65536 + (now_ns - self._start) // 1_000_000) % WRAP

    def looked_at(self) -> None:
        """The firmware is about to ask for the time."""


class SteppedClock(Clock):
    """A clock that stands still, or goes on by STEP_MS whenever the firmware looks at it: no computer is too slow."""

    STEP_MS = 10

    def __init__(self) -> None:
        self._ms = self._ends_ms = 0
        super().__init__(lambda: self._ms * 1_000_000)

    def ticks_ms(self, when: float | None = None) -> int:
        """Now; there was no other time."""
        return super().ticks_ms()

    def looked_at(self) -> None:
        """Go on, if there is time left."""
        if self._ms < self._ends_ms:
            self._ms += self.STEP_MS

    def go_on(self, ms: int) -> None:
        """Let this much time pass; may be called from any thread."""
        self._ends_ms += ms


@dataclass(frozen=True)
class Snapshot:
    """What one strip was sent last."""

    data: bytes
    at_ms: int
    count: int


class Scanner(Protocol):
    """What hears of fingers: the keypad."""

    def finger(self, pin: str, down: bool, at_ms: int) -> None:
        """A finger came down on the button at `pin`, or went up from it, at this time of the clock."""


class Bench:
    """Fingers, strips, tones and console of one board."""

    def __init__(self, clock: Clock, down: frozenset[str] = frozenset()) -> None:
        self.clock = clock
        self.down = down
        self.strips: dict[str, Snapshot] = {}
        self.scanners: tuple[Scanner, ...] = ()
        self.watched = False
        self.pushes: deque[dict[str, object]] = deque(maxlen=PUSHES)
        self.tell: Callable[[], None] = lambda: None
        self.wake: Callable[[], None] = lambda: None
        self.move_fingers: Callable[[], None] = lambda: None  # those that are due, however late a thread comes to it

    def finger(self, pin: str, down: bool, when: float | None = None) -> None:
        """Press or let go the button at a pin, now or at a time just past; twice the same is nothing new."""
        if (pin in self.down) == down:
            return
        self.down = self.down | {pin} if down else self.down - {pin}
        for scanner in self.scanners:
            scanner.finger(pin, down, self.clock.ticks_ms(when))
        self.wake()

    def show(self, pin: str, data: bytes) -> None:
        """A strip latches the bytes that it was sent."""
        before = self.strips.get(pin)
        shown = Snapshot(data, self.clock.ticks_ms(), 1 if before is None else before.count + 1)
        self.strips[pin] = shown
        if self.watched:
            self._push(frame_push(pin, shown))

    def tone(self, pin: str, hz: int) -> None:
        """The piezo sounds, or is silent at 0 Hz."""
        if self.watched:
            self._push({"push": "tone", "pin": pin, "hz": hz, "ms": self.clock.ticks_ms()})

    def console(self, text: str) -> None:
        """Text for the first serial channel, where a person would read it."""
        self._push({"push": "console", "text": text})

    def _push(self, push: dict[str, object]) -> None:
        self.pushes.append(push)
        self.tell()


def frame_push(pin: str, shown: Snapshot) -> dict[str, object]:
    """The message that tells what a strip shows."""
    return {"push": "frame", "pin": pin, "hex": shown.data.hex(), "ms": shown.at_ms, "count": shown.count}
