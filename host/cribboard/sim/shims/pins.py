"""What a chip has on its pins: each for one user at a time, buttons that a keypad scans, and pulses for a piezo."""

from __future__ import annotations

import contextlib
from collections import deque
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import ClassVar, Protocol

from cribboard.sim.bench import PINS, WRAP, Bench, Clock
from cribboard.sim.port import Idle
from cribboard.sim.shims.chip import Interrupts


class Pin(Protocol):
    """A pin of Blinka's, or of ours."""

    @property
    def id(self) -> int | str:
        """Its number, or the name of what is no pin."""


class Claims:
    """Which pins are in use."""

    def __init__(self) -> None:
        self._used: set[int | str] = set()

    def claim(self, pin: Pin) -> None:
        """Take a pin, or raise what CircuitPython raises."""
        if pin.id in self._used:
            raise ValueError(f"GP{pin.id} in use")
        self._used.add(pin.id)

    def give_back(self, pin: Pin) -> None:
        """Leave a pin to others; twice does no harm."""
        self._used.discard(pin.id)


def digital_in_out(blinkas: type, claims: Claims) -> type:
    """Blinka's DigitalInOut, with claims."""

    class DigitalInOut(blinkas):  # type: ignore[misc]
        def __init__(self, pin: Pin) -> None:
            claims.claim(pin)
            self._claimed = pin
            super().__init__(pin)

        def deinit(self) -> None:
            claims.give_back(self._claimed)
            super().deinit()

    return DigitalInOut


def put_on(board: ModuleType, pin_class: Callable[[int], Pin]) -> None:
    """Give Blinka's board, which has one pin for a strip, the pins of a Pico."""
    names = {name: pin_class(number) for number, name in enumerate(PINS)}
    vars(board).update(names, LED=names["GP25"], board_id="raspberry_pi_pico")
    vars(board).pop("NEOPIXEL", None)


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
    """Events in order; one that finds the queue full is dropped and `overflowed` says so. `scan` fills it.

    On the chip the scan is an interrupt. If it comes while an event is taken, the queue stays one event behind for good
    (py/ringbuf.c reads and writes its count of bytes in two steps). So here nothing is taken while it may come.
    """

    interrupts: ClassVar[Interrupts] = Interrupts()

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
        return Event(*self._take()) if self._any() else None

    def get_into(self, event: Event) -> bool:
        """Fill in the next event; False when there is none."""
        if not self._any():
            return False
        event.key_number, event.pressed, event.timestamp = self._take()
        return True

    def clear(self) -> None:
        """Forget all events and that any were dropped."""
        self._alone()
        self._events.clear()
        self.overflowed = False

    def __len__(self) -> int:
        return len(self._events)

    def __bool__(self) -> bool:
        return self._any()

    def _take(self) -> tuple[int, bool, int]:
        self._alone()
        return self._events.popleft()

    def _alone(self) -> None:
        if not self.interrupts.off:
            raise RuntimeError("a scan may come while the queue of keys changes: disable interrupts")

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
            pins: Sequence[Pin],
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


def pwm_out(bench: Bench, claims: Claims) -> type:
    """The class PWMOut of the board on this bench."""

    class PWMOut:
        """A pin with pulses; half of the time on is a tone."""

        def __init__(
            self, pin: Pin, *, duty_cycle: int = 0, frequency: int = 500, variable_frequency: bool = False
        ) -> None:
            claims.claim(pin)
            self._claimed = pin
            self._pin = f"GP{pin.id}"
            self._variable = variable_frequency
            self._frequency = _checked_frequency(frequency)
            self._duty = 0
            self._set_duty(duty_cycle)

        @property
        def duty_cycle(self) -> int:
            """0 to 65535."""
            return self._duty

        @duty_cycle.setter
        def duty_cycle(self, duty: int) -> None:
            self._set_duty(duty)

        @property
        def frequency(self) -> int:
            """In hertz."""
            return self._frequency

        @frequency.setter
        def frequency(self, hz: int) -> None:
            if not self._variable:
                raise AttributeError("PWM frequency not writable when variable_frequency is False on construction.")
            self._frequency = _checked_frequency(hz)
            self._sound()

        def deinit(self) -> None:
            """Silence."""
            self._set_duty(0)
            claims.give_back(self._claimed)

        def __enter__(self) -> PWMOut:
            return self

        def __exit__(self, *exc: object) -> None:
            self.deinit()

        def _set_duty(self, duty: int) -> None:
            if not 0 <= duty <= 65535:
                raise ValueError("duty_cycle must be 0-65535")
            self._duty = duty
            self._sound()

        def _sound(self) -> None:
            bench.tone(self._pin, self._frequency if self._duty else 0)

    return PWMOut


def _checked_frequency(hz: int) -> int:
    if not 8 <= hz <= 62_500_000:
        raise ValueError("Invalid PWM frequency")
    return hz
