"""The board's end of its USB serial channel: the master of a pseudo-terminal, with a Pico's small buffers.

A host is there while it has the other end open. This process keeps that end closed: then the kernel tells by a hang-up,
which poll() reports at once and for as long as nobody has it open, and the EIO that reading gives meanwhile means just
that. Opened and closed once at the start, it reports the hang-up from the beginning.

The firmware polls without end, which costs a Pico nothing and a computer a core. So a loop that has gone round in vain
rests at the port: it has when it polls the same thing a second time while nothing has happened in between. That poll
then waits for the port or a finger, 3 ms at most, so each idle turn of the loop waits exactly once.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import select
import termios
import time
import tty
from collections import deque

FIFO = 256  # TinyUSB's buffers on RP2, each way
SETTLING_S = 0.02  # longer than a busy kernel takes from one end to the other, and 192 KB/s
HOST_BUFFER = 3840  # what a host's kernel takes in for a program that does not read (a Linux tty: 4095)

REST_MS = 3
MANY_READS = 50


class Port:
    """A serial port as usb_cdc sees it. Not to be shared by threads; only `wake` may come from another."""

    def __init__(self, master: int, path: str, *, host_buffer: int = HOST_BUFFER) -> None:
        self.master = master
        self.path = path
        self._host_buffer = host_buffer
        self._arrived = bytearray()
        self._leaving = bytearray()
        self._sent: deque[tuple[float, int]] = deque()
        os.set_blocking(master, False)
        self._awake, self._waker = os.pipe()
        os.set_blocking(self._awake, False)
        os.set_blocking(self._waker, False)
        self._line = select.poll()
        self._line.register(master, select.POLLIN)
        self._inside = select.poll()
        self._inside.register(self._awake, select.POLLIN)
        self._either = select.poll()
        self._either.register(master, select.POLLIN)
        self._either.register(self._awake, select.POLLIN)
        self._up = False
        self.look()

    @classmethod
    def open(cls, *, host_buffer: int = HOST_BUFFER) -> Port:
        """Make a new pseudo-terminal, raw so that it passes every byte on as it is."""
        master, slave = os.openpty()
        tty.setraw(slave)
        path = os.ttyname(slave)
        os.close(slave)
        os.set_inheritable(master, True)
        return cls(master, path, host_buffer=host_buffer)

    @classmethod
    def inherit(cls, master: int, path: str, *, host_buffer: int = HOST_BUFFER) -> Port:
        """Take over the terminal of the life before a reset; what was on its way is lost, as it is on USB."""
        with contextlib.suppress(termios.error):  # nobody has the other end open
            termios.tcflush(master, termios.TCIOFLUSH)
        return cls(master, path, host_buffer=host_buffer)

    def close(self) -> None:
        """Unplug it."""
        for descriptor in (self.master, self._awake, self._waker):
            os.close(descriptor)

    @property
    def connected(self) -> bool:
        """Whether a host has the port open now."""
        return self.look()

    @property
    def waiting_to_leave(self) -> int:
        """Bytes that were written and that the host's side has not taken in."""
        return len(self._leaving)

    def look(self) -> bool:
        """Ask the kernel whether the other end is open."""
        self._up = not any(events & select.POLLHUP for _, events in self._line.poll(0))
        return self._up

    def wake(self) -> None:
        """End a wait at once; from any thread."""
        with contextlib.suppress(BlockingIOError):  # it is awake already
            os.write(self._waker, b"!")

    def wait(self, ms: int) -> None:
        """Sleep until a byte arrives, somebody wakes this, or the time is over."""
        ready = (self._either if self._up else self._inside).poll(ms)
        for descriptor, events in ready:
            if descriptor == self._awake:
                os.read(self._awake, 4096)
            elif events & select.POLLHUP:
                self._up = False
        if not self._up:
            self.look()

    def arrived(self) -> int:
        """How many bytes can be taken now; takes in as many as a Pico's buffer holds."""
        self._pump()
        room = FIFO - len(self._arrived)
        if room:
            try:
                self._arrived += os.read(self.master, room)
            except BlockingIOError:
                self._up = True
            except OSError:
                self._up = False  # EIO: nobody has the other end open
        return len(self._arrived)

    def take(self, most: int) -> bytes:
        """Remove and give up to `most` of the bytes that arrived."""
        self.arrived()
        taken = bytes(self._arrived[:most])
        del self._arrived[:most]
        return taken

    def put(self, data: bytes) -> int:
        """Take as much of `data` as fits and give its length. Without a host all fits: the newest stays, as on USB."""
        if not self.look():
            self._leaving += data
            del self._leaving[:-FIFO]
            return len(data)
        self._pump()
        fits = min(len(data), FIFO - len(self._leaving))
        self._leaving += data[:fits]
        self._pump()
        return fits

    def forget_arrived(self) -> None:
        """Drop what arrived and was not taken."""
        while self.arrived():
            self._arrived.clear()

    def forget_leaving(self) -> None:
        """Drop what was written and has not left."""
        self._leaving.clear()

    def drain(self, seconds: float) -> None:
        """Wait until all has left, or the time is over."""
        end = time.monotonic() + seconds
        while self._leaving and self._up and time.monotonic() < end:
            self.wait(1)
            self._pump()

    def _pump(self) -> None:
        if not self._leaving or not self._up:
            return
        room = self._host_buffer - self._unread() - self._on_its_way()
        if room <= 0:
            return
        try:
            sent = os.write(self.master, self._leaving[:room])
        except BlockingIOError:
            return
        except OSError:
            self._up = False
            return
        del self._leaving[:sent]
        self._sent.append((time.monotonic(), sent))

    def _on_its_way(self) -> int:
        """Bytes that the kernel may not have put into the host's buffer yet; it does so in its own time."""
        settled = time.monotonic() - SETTLING_S
        while self._sent and self._sent[0][0] < settled:
            self._sent.popleft()
        return sum(count for _, count in self._sent)

    def _unread(self) -> int:
        """Bytes that lie in the host's buffer. The kernel would take in 20 KB, and no write would ever be partial."""
        try:
            other = os.open(self.path, os.O_RDONLY | os.O_NOCTTY | os.O_NONBLOCK)
        except OSError:
            return 0  # held exclusively: no telling
        try:
            return int.from_bytes(fcntl.ioctl(other, termios.FIONREAD, b"\0\0\0\0"), "little")
        except OSError:
            return 0
        finally:
            os.close(other)


class Idle:
    """Counts polls that found nothing; `busy` after anything that did happen."""

    def __init__(self, port: Port, rest_ms: int = REST_MS) -> None:
        self._port = port
        self._rest_ms = rest_ms
        self._polled: set[str] = set()
        self._clock_reads = 0

    def busy(self) -> None:
        """Something happened: the loop deserves a whole turn without a rest."""
        self._polled.clear()
        self._clock_reads = 0

    def clock_read(self) -> None:
        """The time was asked for. A loop that does nothing else for long is waiting for it, and may rest."""
        self._clock_reads += 1
        if self._clock_reads > MANY_READS:
            self._clock_reads = 0
            self._port.wait(self._rest_ms)

    def in_vain(self, source: str) -> bool:
        """`source` was polled and had nothing. True when that led to a rest: it may have something now."""
        self._clock_reads = 0
        if source not in self._polled:
            self._polled.add(source)
            return False
        self._polled.clear()
        self._polled.add(source)
        self._port.wait(self._rest_ms)
        return True
