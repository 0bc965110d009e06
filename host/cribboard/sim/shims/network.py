"""The modules wifi, socketpool and mdns of a board with a radio, whose port 80 is a port of this computer's loopback.

They fail as CircuitPython's do on the CYW43: nothing waits, a send takes little and now and then nothing, and there are
eight sockets in all.
"""

from __future__ import annotations

import errno
import socket
import time
from types import SimpleNamespace

from cribboard.sim.port import Idle

ADDRESS = "127.0.0.1"
MOST_SOCKETS = 8
MOST_SENT = 300  # bytes at once
FULL_EVERY = 5  # sends find no room
JOINS_S = 0.2  # from the first try to connect


class Radio:
    """wifi.radio: joins any network, in its own time."""

    def __init__(self) -> None:
        self.power_management = "MIN"
        self._joined_at = 0.0

    def connect(self, ssid: str, password: str = "", *, timeout: float = 8) -> None:
        """Begin to join; raises ConnectionError when that takes longer than the timeout."""
        if not self.connected:
            self._joined_at = self._joined_at or time.monotonic() + JOINS_S
            time.sleep(min(timeout, JOINS_S))
        if not self.connected:
            raise ConnectionError("Unknown failure 2")

    @property
    def connected(self) -> bool:
        """Whether it has joined."""
        return 0 < self._joined_at <= time.monotonic()

    @property
    def ipv4_address(self) -> str | None:
        """Its address, once it has joined."""
        return ADDRESS if self.connected else None


class Socket:
    """One of the pool's sockets; at a timeout of 0, the only one that the firmware may use, nothing waits."""

    def __init__(self, pool: Pool, real: socket.socket) -> None:
        self._pool = pool
        self._real = real
        self._sends = 0
        real.setblocking(False)
        pool.open += 1

    def settimeout(self, seconds: float) -> None:
        """Only 0: anything else would stop the board."""
        if seconds != 0:
            raise ValueError("a socket that waits stops the board; use 0")

    def bind(self, address: tuple[str, int]) -> None:
        """Listen at this computer's port instead."""
        self._real.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self._real.bind((ADDRESS, self._pool.port))

    def listen(self, backlog: int) -> None:
        """Let others come."""
        self._real.listen(backlog)

    def accept(self) -> tuple[Socket, tuple[str, int]]:
        """Who has come; raises OSError when nobody has, or no socket is left."""
        if self._pool.open == MOST_SOCKETS:
            raise OSError(errno.ENOMEM, "Out of sockets")
        real, address = self._real.accept()
        self._pool.idle.busy()
        return Socket(self._pool, real), address

    def recv_into(self, buffer: bytearray, size: int = 0) -> int:
        """What has come; 0 when the other end is closed."""
        count = self._real.recv_into(buffer, size)
        self._pool.idle.busy()
        return count

    def send(self, data: bytes) -> int:
        """Send a little of it."""
        self._sends += 1
        if self._sends % FULL_EVERY == 0:
            raise OSError(errno.EAGAIN, "Resource temporarily unavailable")
        self._pool.idle.busy()
        return self._real.send(data[:MOST_SENT])

    def close(self) -> None:
        """Let it go."""
        if self._real.fileno() >= 0:
            self._pool.open -= 1
        self._real.close()


class Pool:
    """socketpool.SocketPool."""

    AF_INET, SOCK_STREAM = socket.AF_INET, socket.SOCK_STREAM

    def __init__(self, port: int, idle: Idle) -> None:
        self.port = port
        self.idle = idle
        self.open = 0

    def socket(self) -> Socket:
        """Another one; raises RuntimeError when all are taken."""
        if self.open == MOST_SOCKETS:
            raise RuntimeError("Out of sockets")
        return Socket(self, socket.socket())


class Names:
    """mdns.Server: there is nobody to tell."""

    hostname = ""

    def __init__(self, radio: Radio) -> None:
        pass

    def advertise_service(self, *, service_type: str, protocol: str, port: int) -> None:
        """Say that there is a page."""


def modules(port: int, idle: Idle) -> dict[str, dict[str, object]]:
    """What these modules hold, by their names."""
    pool = Pool(port, idle)
    power = SimpleNamespace(MIN="MIN", MAX="MAX", NONE="NONE")
    return {
        "wifi": {"radio": Radio(), "PowerManagement": power, "Radio": Radio},
        "socketpool": {"SocketPool": lambda radio: pool},
        "mdns": {"Server": Names},
    }
