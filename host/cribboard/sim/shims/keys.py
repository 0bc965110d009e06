"""keypad: fingers become events with times, as the scanner of CircuitPython makes them."""

from __future__ import annotations

import contextlib
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from cribboard.sim.bench import WRAP, Bench, Clock
from cribboard.sim.idle import Idle
from cribboard.sim.shims.pins import Claims


class Event:
    """A key went down or up; without a time, now."""

    clock: ClassVar[Clock] = Clock()

    def __init__(self, key_number: int = 0, pressed: bool = True, timestamp: int | None = None) -> None:
        self.key_number = key_number
        self.pressed = pressed
        self.timestamp = self.clock.ticks_ms() if timestamp is None else timestamp

    @property
    def released(self) -> bool:
        """The opposite of pressed."""
        return not self.pressed

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Event) and self.key_number == other.key_number and self.pressed == other.pressed

    def __hash__(self) -> int:
        return hash((self.key_number, self.pressed))

    def __repr__(self) -> str:
        return f"<Event: key_number {self.key_number} {'pressed' if self.pressed else 'released'}>"


class EventQueue:
    """Events in order; one that finds the queue full is dropped and `overflowed` says so. `scan` fills it."""

    def __init__(self, max_events: int, idle: Idle, name: str, scan: Callable[[], None]) -> None:
        self._events: deque[tuple[int, bool, int]] = deque()
        self._most = max_events
        self._idle = idle
        self._name = name
        self._scan = scan
        self.overflowed = False

    def put(self, number: int, pressed: bool, timestamp: int) -> None:
        """The scanner saw a change; from the thread of the outside."""
        if len(self._events) >= self._most:
            self.overflowed = True
        else:
            self._events.append((number, pressed, timestamp))

    def get(self) -> Event | None:
        """The next event, or None."""
        return Event(*self._events.popleft()) if self._any() else None

    def get_into(self, event: Event) -> bool:
        """Fill in the next event; False when there is none."""
        if not self._any():
            return False
        event.key_number, event.pressed, event.timestamp = self._events.popleft()
        return True

    def clear(self) -> None:
        """Forget all events and that any were dropped."""
        self._events.clear()
        self.overflowed = False

    def __len__(self) -> int:
        return len(self._events)

    def __bool__(self) -> bool:
        return bool(self._events)

    def _any(self) -> bool:
        self._scan()
        if not self._events and self._idle.in_vain(self._name):
            self._scan()
        if not self._events:
            return False
        self._idle.busy()
        return True


def keys_class(bench: Bench, idle: Idle, claims: Claims) -> type:
    """The class Keys of the board on this bench."""

    class Keys:
        """Buttons, each on a pin of its own. A finger is a finger, whichever way the button is wired.

        A change counts once it has lasted from the first to the last of `debounce_threshold` scans. A key that is down
        at the beginning is taken as one that always was: its first event is its release.
        """

        def __init__(
            self,
            pins: Sequence[Any],
            *,
            value_when_pressed: bool,
            pull: bool = True,
            interval: float = 0.020,
            max_events: int = 64,
            debounce_threshold: int = 1,
        ) -> None:
            if not 1 <= debounce_threshold <= 127 or max_events < 1 or interval <= 0:
                raise ValueError("interval, max_events or debounce_threshold out of range")
            for pin in pins:
                claims.claim(pin)
            self._pins = tuple(pins)
            self._numbers = {f"GP{pin.id}": number for number, pin in enumerate(pins)}
            self._lasts_ms = int((debounce_threshold - 1) * interval * 1000)
            self._changing: dict[str, tuple[bool, int]] = {}  # which way, and since when
            self.events = EventQueue(max_events, idle, f"keys {id(self)}", self._scan)
            bench.scanners = (*bench.scanners, self)

        @property
        def key_count(self) -> int:
            """How many buttons are scanned."""
            return len(self._numbers)

        def finger(self, pin: str, down: bool, at_ms: int) -> None:
            """What the scanner sees; from any thread."""
            self._settle(at_ms)  # the firmware may not have looked since the last change
            if pin in self._numbers and self._changing.pop(pin, None) is None:
                self._changing[pin] = (down, at_ms)
                if not self._lasts_ms:
                    self._settle(at_ms)

        def reset(self) -> None:
            """Take all keys for released: those that are held give an event again."""
            for pin in self._numbers:
                if pin in bench.down:
                    self._changing.pop(pin, None)
                    self.finger(pin, True, bench.clock.ticks_ms())

        def _scan(self) -> None:
            bench.move_fingers()
            self._settle(bench.clock.ticks_ms())

        def _settle(self, now_ms: int) -> None:
            """What has changed for long enough is an event."""
            for pin, (down, since) in list(self._changing.items()):
                if (now_ms - since) % WRAP < self._lasts_ms:
                    continue
                with contextlib.suppress(KeyError):  # the other thread was quicker
                    del self._changing[pin]
                    self.events.put(self._numbers[pin], down, (since + self._lasts_ms) % WRAP)

        def deinit(self) -> None:
            """Stop scanning."""
            bench.scanners = tuple(scanner for scanner in bench.scanners if scanner is not self)
            for pin in self._pins:
                claims.give_back(pin)

        def __enter__(self) -> Keys:
            return self

        def __exit__(self, *exc: object) -> None:
            self.deinit()

    return Keys
