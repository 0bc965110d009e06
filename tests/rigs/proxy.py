"""A network between a phone and a board that can stand still, or be cut."""

from __future__ import annotations

import contextlib
import select
import socket
import threading

HOST = "127.0.0.1"
LOOK_S = 0.05


def free_port() -> int:
    """A port of loopback that nobody has."""
    with socket.socket() as one:
        one.bind((HOST, 0))
        return int(one.getsockname()[1])


class Proxy:
    """Passes everything on to a port while `passes`; `cut` ends all connections, and with `up` off takes no others."""

    def __init__(self, to: int) -> None:
        self._to = to
        self._listener = socket.create_server((HOST, 0))
        self.port = int(self._listener.getsockname()[1])
        self.passes = True
        self.up = True
        self._pairs: dict[socket.socket, socket.socket] = {}
        self._over = False
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def cut(self, *, up: bool) -> None:
        """End all connections."""
        self.up = up
        for end in list(self._pairs):
            self._drop(end)

    def close(self) -> None:
        """End."""
        self._over = True
        self._thread.join()
        self.cut(up=False)
        self._listener.close()

    def _drop(self, end: socket.socket) -> None:
        for one in (end, self._pairs.pop(end, None)):
            if one is not None:
                self._pairs.pop(one, None)
                with contextlib.suppress(OSError):
                    one.shutdown(socket.SHUT_RDWR)
                one.close()

    def _run(self) -> None:
        while not self._over:
            ends = list(self._pairs) if self.passes else []
            try:
                ready = select.select([self._listener, *ends], [], [], LOOK_S)[0]
            except (OSError, ValueError):  # one was closed meanwhile
                continue
            for one in ready:
                if one is self._listener:
                    self._take()
                else:
                    self._pass(one)

    def _take(self) -> None:
        came, _ = self._listener.accept()
        try:
            if not self.up:
                raise OSError("cut")
            other = socket.create_connection((HOST, self._to))
        except OSError:
            came.close()
            return
        self._pairs[came], self._pairs[other] = other, came

    def _pass(self, end: socket.socket) -> None:
        other = self._pairs.get(end)
        try:
            data = end.recv(4096)
            if other is not None:
                other.sendall(data)
        except OSError:
            data = b""
        if not data:
            self._drop(end)
