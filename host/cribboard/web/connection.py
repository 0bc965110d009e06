"""uvicorn's connections, with limits on waiting and on their number, so that nobody can hold them for nothing."""

from __future__ import annotations

import asyncio
import socket
import sys
from collections import Counter
from ipaddress import ip_address
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from cribboard.web.limits import Limits, client_key, is_here


class Doorkeeper:
    """Counts the open connections, in all and for each client."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.open: Counter[str] = Counter()

    def protocol(self) -> type[asyncio.Protocol]:
        """The class of the connections that this doorkeeper counts, for uvicorn."""
        return type("Guarded", (_Guarded,), {"door": self})

    def enter(self, client: str, here: bool) -> bool:
        """Count a connection; returns whether it is admitted. Some places are reserved for this computer."""
        most = self.limits.connections - (0 if here else self.limits.connections_here)
        if self.open[client] >= self.limits.connections_each or self.open.total() >= most:
            return False
        self.open[client] += 1
        return True

    def leave(self, client: str) -> None:
        """Uncount a connection."""
        self.open[client] -= 1
        if not self.open[client]:
            del self.open[client]


class _Guarded(H11Protocol):
    """Closes if a request's head does not come, if the client does not read, or if it is not of the house."""

    door: Doorkeeper

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._entered = ""
        self._idle: asyncio.TimerHandle | None = None
        self._stalled: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        peer = transport.get_extra_info("peername")
        client = client_key(peer[0]) if peer else ""
        if not is_of_the_house(client) or not self.door.enter(client, is_here(peer[0])):
            transport.abort()
            return
        self._entered = client
        _notice_the_dead(transport.get_extra_info("socket"), self.door.limits.stalled_s)
        super().connection_made(transport)
        self._await_head()

    def data_received(self, data: bytes) -> None:
        if not self._entered:
            return
        super().data_received(data)
        if self.cycle is not None and not self.cycle.response_complete:
            self._stop_waiting()

    def on_response_complete(self) -> None:
        self._await_head()
        super().on_response_complete()
        if self.cycle is not None and not self.cycle.response_complete:
            self._stop_waiting()

    def connection_lost(self, exc: Exception | None) -> None:
        if not self._entered:
            return
        self._stop_waiting()
        self.resume_writing()
        self.door.leave(self._entered)
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        super().pause_writing()
        if self._stalled is None:
            self._await_reading()

    def resume_writing(self) -> None:
        super().resume_writing()
        if self._stalled is not None:
            self._stalled.cancel()
            self._stalled = None

    def shutdown(self) -> None:
        """Close at the server's end, without waiting for a request whose head is incomplete."""
        if self.conn.our_state is h11.IDLE and self.cycle is None:
            self.transport.abort()
            return
        super().shutdown()

    def _await_reading(self) -> None:
        left = self.transport.get_write_buffer_size()
        self._stalled = self.loop.call_later(self.door.limits.stalled_s, self._look_whether_read, left)

    def _look_whether_read(self, left: int) -> None:
        """Wait on while the client still reads, however slowly; else close."""
        if self.transport.get_write_buffer_size() < left:
            self._await_reading()
        else:
            self.transport.abort()

    def _await_head(self) -> None:
        self._stop_waiting()
        self._idle = self.loop.call_later(self.door.limits.head_s, self._end_unless_reading)

    def _end_unless_reading(self) -> None:
        """Close an idle connection, but wait while the client still reads an answer."""
        if self._stalled is not None:
            self._await_head()
        else:
            self.transport.abort()

    def _stop_waiting(self) -> None:
        if self._idle is not None:
            self._idle.cancel()
            self._idle = None


def is_of_the_house(client: str) -> bool:
    """Whether a client has no Internet address; the kiosk uses plain HTTP, for the house's network only."""
    try:
        return not ip_address(client.partition("/")[0]).is_global
    except ValueError:
        return False


def _notice_the_dead(connection: socket.socket | None, seconds: float) -> None:
    """Let the system drop a phone that has left: after so many seconds without an acknowledgement."""
    if connection is not None and sys.platform == "linux":
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, int(seconds * 1000))
