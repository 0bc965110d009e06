"""The thread beside the chip: the control channel, fingers that go up in time, and the watchdog's bite.

One JSON object a line, each way. A request is {"do": name, ...}; its answer repeats the request's "id", if any, as "re"
and has "error" when it was refused. What nobody asked for has "push". Nothing that arrives can end the board, except
"quit" and the end of the channel.
"""

from __future__ import annotations

import contextlib
import heapq
import json
import os
import random
import select
import threading
import time
from collections.abc import Callable
from typing import NoReturn

from cribboard.sim.bench import PINS, Bench, SteppedClock, frame_push
from cribboard.sim.flash import Cut, Flash
from cribboard.sim.shims.chip import WatchDogTimer

LONGEST_LINE = 65536
MOST_UNSENT = 1 << 20
Request = dict[str, object]
Action = Callable[[Request], dict[str, object]]
TAP_MS = 40
GAP_MS = 25  # between two taps; a contact that is open for less is taken to bounce
LONGEST_MS = 60_000


class RefusedError(Exception):
    """A request that cannot be done; the text goes back."""


class Outside(threading.Thread):
    """Serves the control channel on two descriptors (which may be the same) until it ends."""

    def __init__(self, bench: Bench, flash: Flash, reads: int, writes: int, about: dict[str, object]) -> None:
        super().__init__(name="outside", daemon=True)
        self.bench = bench
        self.watchdog: WatchDogTimer | None = None
        self.on_reset: Callable[[str], None] = lambda reason: None
        self.on_interrupt: Callable[[], None] = lambda: None
        self.unread = b""
        self._flash = flash
        self._reads = reads
        self._writes = writes
        self._about = about
        self._unsent = bytearray()
        self._fingers: list[tuple[float, int, str, bool]] = []
        self._hand = threading.RLock()  # moves them
        self._order = 0
        self._free_at = 0.0
        self._leaving = False
        self._reset_asked = ""
        self._woken, self._waker = os.pipe()
        for descriptor in (self._woken, self._waker, writes):
            os.set_blocking(descriptor, False)
        bench.tell = self.tell
        bench.move_fingers = self._move_fingers

    def tell(self) -> None:
        """Wake the thread: there is something to send, or to look at."""
        with contextlib.suppress(BlockingIOError):  # it is awake already
            os.write(self._waker, b"!")

    def leave(self) -> None:
        """End the process soon, in good order; from any thread or a signal's handler."""
        self._leaving = True
        self.tell()

    def reset(self, reason: str) -> None:
        """Have the chip reset soon; from any thread."""
        self._reset_asked = reason
        self.tell()

    def push(self, push: dict[str, object]) -> None:
        """Send a line that nobody asked for."""
        self.bench.pushes.append(push)
        self.tell()

    def run(self) -> None:
        """Serve until the end of the process."""
        self._requests()
        while True:
            self._wait()
            if self._leaving:
                self._end()
            self._move_fingers()
            self._guard()
            self._send()

    def _wait(self) -> None:
        poll = select.poll()
        poll.register(self._woken, select.POLLIN)
        hears = 0 if len(self._unsent) > MOST_UNSENT else select.POLLIN  # who does not read need not ask on
        speaks = select.POLLOUT if self._unsent else 0
        if self._reads == self._writes:
            poll.register(self._reads, hears | speaks)
        else:
            poll.register(self._reads, hears)
            if speaks:
                poll.register(self._writes, speaks)
        for descriptor, events in poll.poll(self._pause_ms()):
            if descriptor == self._woken:
                os.read(self._woken, 4096)
            elif descriptor == self._reads and events & ~select.POLLOUT:
                self._read()

    def _pause_ms(self) -> int | None:
        """Until the next finger moves or the watchdog may bite."""
        with self._hand:
            times = [self._fingers[0][0]] if self._fingers else []
        if self.watchdog is not None and self.watchdog.ends is not None:
            times.append(self.watchdog.ends)
        return max(0, int((min(times) - time.monotonic()) * 1000) + 1) if times else None

    def _read(self) -> None:
        try:
            data = os.read(self._reads, LONGEST_LINE)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            self._end()
        self.unread += data
        self._requests()

    def _requests(self) -> None:
        *lines, self.unread = self.unread.split(b"\n")
        for line in lines:
            if line.strip():
                self._answer(line)
        if len(self.unread) > LONGEST_LINE:
            self.unread = b""
            self._queue({"error": f"a line of more than {LONGEST_LINE} bytes was dropped"})

    def _answer(self, line: bytes) -> None:
        answer: dict[str, object] = {}
        try:
            request = json.loads(line)
            if not isinstance(request, dict):
                raise RefusedError(f"{shortened(line)} is not a JSON object")
            if "id" in request:
                answer["re"] = request["id"]
            answer.update(self._do(request))
        except RefusedError as refusal:
            answer["error"] = str(refusal)
        except (ValueError, RecursionError):
            answer["error"] = f"{shortened(line)} is not JSON"
        self._queue(answer)
        if self._leaving:
            self._send()
            self._end()

    def _do(self, request: Request) -> dict[str, object]:
        name = request.get("do")
        action: Action | None = getattr(self, f"_do_{name}", None) if isinstance(name, str) else None
        if action is None:
            known = ", ".join(sorted(word[4:] for word in dir(self) if word.startswith("_do_")))
            raise RefusedError(f"{shortened(name)} is unknown; there are {known}")
        return action(request)

    def _do_about(self, request: Request) -> dict[str, object]:
        return {**self._about, "ms": self.bench.clock.ticks_ms(), "down": sorted(self.bench.down, key=PINS.index)}

    def _do_pass(self, request: Request) -> dict[str, object]:
        """Let time pass on a board whose clock is stepped."""
        clock = self.bench.clock
        if not isinstance(clock, SteppedClock):
            raise RefusedError("time passes by itself on this board")
        clock.go_on(_whole(request, "ms", 0, 0, LONGEST_MS))
        return {}

    def _do_press(self, request: Request) -> dict[str, object]:
        with self._hand:
            self.bench.finger(_pin(request), True)
        return {}

    def _do_release(self, request: Request) -> dict[str, object]:
        pin = _pin(request)
        with self._hand:
            self._fingers = [finger for finger in self._fingers if finger[2] != pin]
            heapq.heapify(self._fingers)
            self.bench.finger(pin, False)
        return {}

    def _do_tap(self, request: Request) -> dict[str, object]:
        """Press for some time; taps wait for each other, as those of one finger. Says when it will be over."""
        pin = _pin(request)
        ms = _whole(request, "ms", TAP_MS, 1, LONGEST_MS)
        now = time.monotonic()
        begin = max(now, self._free_at)
        end = begin + ms / 1000
        self._free_at = end + GAP_MS / 1000
        with self._hand:
            self._move_at(begin, pin, True)
            self._move_at(end, pin, False)
            self._move_fingers()
        return {"over_ms": int((end - now) * 1000) + 1}

    def _do_strips(self, request: Request) -> dict[str, object]:
        return {"strips": [frame_push(pin, shown) for pin, shown in list(self.bench.strips.items())]}

    def _do_watch(self, request: Request) -> dict[str, object]:
        """Tell of frames and tones from now on, or no more."""
        self.bench.watched = request.get("on", True) is True
        return self._do_strips(request)

    def _do_flash(self, request: Request) -> dict[str, object]:
        flash = self._flash
        return {
            "hex": bytes(flash.memory).hex(),
            "erases": flash.erases,
            "programs": flash.programs,
            "changed": flash.changed,
        }

    def _do_cut(self, request: Request) -> dict[str, object]:
        """The power goes after so many more changed bytes of the flash."""
        after = _whole(request, "after", 0, 0, 1 << 31)
        seed = request.get("seed")
        chance = random.Random(seed) if isinstance(seed, int) else None  # noqa: S311 - no secret
        self._flash.cut = Cut(self._flash.changed + after, chance)
        return {}

    def _do_reset(self, request: Request) -> dict[str, object]:
        self._reset_asked = "RESET_PIN"
        return {}

    def _do_interrupt(self, request: Request) -> dict[str, object]:
        """Ctrl-C on the console."""
        self.on_interrupt()
        return {}

    def _do_quit(self, request: Request) -> dict[str, object]:
        self._leaving = True
        return {}

    def _move_at(self, when: float, pin: str, down: bool) -> None:
        self._order += 1
        heapq.heappush(self._fingers, (when, self._order, pin, down))

    def _move_fingers(self) -> None:
        with self._hand:
            while self._fingers and self._fingers[0][0] <= time.monotonic():
                when, _, pin, down = heapq.heappop(self._fingers)
                self.bench.finger(pin, down, when)

    def _guard(self) -> None:
        ends = None if self.watchdog is None else self.watchdog.ends
        if ends is not None and ends <= time.monotonic():
            self._reset_asked = "WATCHDOG"
        if self._reset_asked:
            self._send()
            self.on_reset(self._reset_asked)

    def _queue(self, line: dict[str, object]) -> None:
        self._unsent += json.dumps(line, separators=(",", ":")).encode() + b"\n"

    def _send(self) -> None:
        pushes = self.bench.pushes
        while pushes and len(self._unsent) < MOST_UNSENT:
            self._queue(pushes.popleft())
        try:
            while self._unsent:
                del self._unsent[: os.write(self._writes, self._unsent)]
        except BlockingIOError:
            pass
        except OSError:
            self._end()

    def _end(self) -> NoReturn:
        """End the process, but let the flash finish a write: to leave is no power cut."""
        self._flash.lock.acquire(timeout=1.0)
        os._exit(0)


def shortened(value: object) -> str:
    """A value as a user should see it quoted."""
    text = repr(value.decode("utf-8", "replace") if isinstance(value, bytes) else value)
    return text if len(text) <= 60 else text[:57] + "..."


def _pin(request: Request) -> str:
    pin = request.get("pin")
    if not isinstance(pin, str) or pin not in PINS:
        raise RefusedError(f"{shortened(pin)} is not a pin; there are {PINS[0]} to {PINS[-1]}")
    return pin


def _whole(request: Request, key: str, default: int, least: int, most: int) -> int:
    value = request.get(key, default)
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise RefusedError(f"{key} is {shortened(value)}; take a whole number from {least} to {most}")
    return value
