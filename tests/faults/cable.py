"""A cable between a host and a board in one process, with every fault that a serial link has and both ends' own.

Time is fake and moves only while the host waits; the board is stepped meanwhile. The same seed does the same again.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from heapq import heappop, heappush
from typing import Protocol

from faults.pipes import BUFFER, Pipe, Rates

from cribboard.errors import TransportError

STEP_MS = 5  # the board's loop; a step does up to 10 ms of work
READ_WAIT_MS = 20
AWAY_MS = 20  # a pulled cable is back, a restarted board answers, after so long unless a test says otherwise
SOON_MS = 12  # a cable that is being pulled is out by then


class HostDied(BaseException):
    """The host's program was killed. Not an Exception: nothing in it can catch its own end."""


class Board(Protocol):
    """What stands at the board's end. When it `rests`, steps that have nothing to read may be left out."""

    rests: bool

    def boot(self, port: BoardPort) -> None:
        """Power on: all that was not in the flash is gone."""

    def step(self) -> int:
        """One turn of the loop; gives the milliseconds that it took beyond the usual."""


class BoardPort:
    """The board's end, as usb_cdc.data has it."""

    def __init__(self, cable: Cable) -> None:
        self._cable = cable

    @property
    def connected(self) -> bool:
        """Whether a host has the port open."""
        return self._cable.host is not None

    @property
    def in_waiting(self) -> int:
        """Bytes to read."""
        return self._cable.toward.waiting(self._cable.now_ms)

    def read(self, size: int) -> bytes:
        """That many bytes."""
        self._cable.busy = True
        return self._cable.toward.take(size)

    def write(self, data: bytes) -> int:
        """Send a frame."""
        self._cable.busy = True
        self._cable.frame()
        self._cable.back.send(bytes(data), self._cable.now_ms)
        return len(data)


class HostPort:
    """The host's end, a Transport; it is dead for good once the cable was out."""

    def __init__(self, cable: Cable) -> None:
        self.name = cable.name
        self._cable = cable

    def read(self) -> bytes:
        """What has arrived; waits a little for a first byte."""
        cable = self._cable
        ends = cable.now_ms + READ_WAIT_MS
        while True:
            self._alive()
            size = cable.back.waiting(cable.now_ms)
            if size or cable.now_ms >= ends:
                return cable.back.take(size)
            cable.run(ends, until_heard=True)

    def write(self, data: bytes) -> None:
        """Send a frame."""
        self._alive()
        self._cable.sent += 1
        self._cable.frame()
        self._cable.toward.send(data, self._cable.now_ms)
        self._cable.wake()

    def wake(self) -> None:
        """Time is simulated here, and nobody waits."""

    def close(self) -> None:
        """Let go of the port."""
        if self._cable.host is self:
            self._cable.host = None

    def _alive(self) -> None:
        if self._cable.dead:
            self._cable.dead = False
            self._cable.host = None
            raise HostDied("the host's program was killed")
        if self._cable.host is not self:
            raise TransportError(f"the board on {self.name} is gone", "plug it in")


class Cable:
    """Both ends. `reach`, `clock` and `pause` are what a host's link is handed; `arm` is called before each command."""

    def __init__(self, board: Board, rates: Rates, seed: int) -> None:
        self.now_ms = 100_000
        self.rates = rates
        self.chance = random.Random(seed)
        self.toward = Pipe(rates, self.chance, BUFFER)
        self.back = Pipe(rates, self.chance, 16 * BUFFER)
        self.host: HostPort | None = None
        self.name = "wire"  # of the port
        self.away_ms = AWAY_MS
        self.hangs = False  # the board does, while this is set
        self.busy = False  # the board has read or written in this step
        self.dead = False  # the host's program is, and does not know it yet
        self.sent = 0  # frames of the host
        self.on_kill: Callable[[], None] = lambda: None
        self.struck = {"unplug": 0, "restart": 0, "kill": 0}
        self._board = board
        self._armed: dict[str, int] = {}  # the faults that strike within so many frames
        self._soon: list[tuple[int, str]] = []  # and those that strike at a time
        self._back_ms = 0  # when there is a port again
        self._step_ms = self.now_ms
        self._resting = False
        board.boot(BoardPort(self))

    def clock(self) -> float:
        """The time in seconds."""
        return self.now_ms / 1000

    def pause(self, seconds: float) -> None:
        """Let time pass."""
        self.run(self.now_ms + round(seconds * 1000))

    def reach(self) -> HostPort:
        """Open the port; raises TransportError while it is away."""
        if self.now_ms < self._back_ms:
            raise TransportError(f"there is no port {self.name}", "plug it in")
        self.host = HostPort(self)
        return self.host

    def arm(self) -> None:
        """Draw what will strike the next command besides the line's own faults."""
        for fault in self.struck:
            if self.chance.random() < getattr(self.rates, fault):
                self._armed[fault] = self.chance.randrange(5)

    def expect(self, rates: Rates) -> None:
        """From now on other rates, and nothing that was armed before."""
        self.rates = self.toward.rates = self.back.rates = rates
        self._armed.clear()
        self._soon.clear()

    def frame(self) -> None:
        """A frame is on its way, either way: an armed fault may strike it before it is through."""
        for fault in list(self._armed):
            self._armed[fault] -= 1
            if self._armed[fault] < 0:
                del self._armed[fault]
                heappush(self._soon, (self.now_ms + self.chance.randrange(SOON_MS), fault))

    def strike(self, fault: str) -> None:
        """Pull the cable, restart the board or kill the host's program, now."""
        self.struck[fault] += 1
        if fault == "kill":
            self.dead = True
            self.on_kill()
            return
        self.toward.clear()
        self.back.clear()
        self.host = None
        self._back_ms = self.now_ms + self.away_ms
        self.wake()
        if fault == "restart":
            self._board.boot(BoardPort(self))
            self._step_ms = self._back_ms

    def run(self, ends_ms: int, *, until_heard: bool = False) -> None:
        """Let the board run up to a time, or up to when the host hears something or loses its port."""
        host = self.host
        while self.now_ms < ends_ms:
            times = [ends_ms, self._step_ms]
            back = self.back.due_ms()
            if until_heard and back is not None:
                times.append(back)
            if self._soon:
                times.append(self._soon[0][0])
            self.now_ms = max(self.now_ms, min(times))
            if self._soon and self._soon[0][0] <= self.now_ms:
                self.strike(heappop(self._soon)[1])
            if self.now_ms >= self._step_ms:
                self._step()
            if until_heard and (self.host is not host or self.dead or self.back.waiting(self.now_ms)):
                return

    def wake(self) -> None:
        """There is something to read again: the board's next step is not to be left out."""
        if self._resting:
            self._resting = False
            self._step_ms -= max(0, (self._step_ms - self.now_ms) // STEP_MS * STEP_MS)

    def _step(self) -> None:
        self.busy = False
        if self.hangs:
            self._step_ms += STEP_MS
            return
        late = self._board.step()
        self._step_ms += STEP_MS + late
        self._resting = self._board.rests and not self.busy and not late
        if self._resting:
            due = self.toward.due_ms()
            idle = (self._step_ms + 4 * READ_WAIT_MS if due is None else due) - self._step_ms
            self._step_ms += max(0, idle // STEP_MS * STEP_MS)
