"""uvicorn's connections, with limits on waiting and on their number, so that nobody can hold them for nothing."""

from __future__ import annotations

import asyncio
import socket
import sys
from ipaddress import ip_address
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from cribboard.web.limits import Limits, Place, Places, client_key, is_here


class ConnectionLimit:
    """Knows the open connections, in all and for each client; some places are reserved for this computer."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.places = Places(limits.connections, limits.connections_each, limits.connections_here)

    def protocol(self) -> type[asyncio.Protocol]:
        """The class of the connections that this doorkeeper counts, for uvicorn."""
        return type("Guarded", (_Guarded,), {"door": self})


class _Guarded(H11Protocol):
    """Closes if a request's head does not come, if the client does not read, or if it is not of the house."""

    door: ConnectionLimit

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._entered: Place | None = None
        self._idle: asyncio.TimerHandle | None = None
        self._stalled: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        peer = transport.get_extra_info("peername")
        client = client_key(peer[0]) if peer else ""
        place = Place(client, is_here(peer[0]) if peer else False, end=transport.abort)
        if not is_of_the_house(client) or not self.door.places.enter(place):
            transport.abort()
            return
        self._entered = place
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
        # This takes up a request that has come meanwhile, if there is one: then no head has to be waited for.
        super().on_response_complete()
        if self.cycle is not None and not self.cycle.response_complete:
            self._stop_waiting()

    def connection_lost(self, exc: Exception | None) -> None:
        if not self._entered:
            return
        self._stop_waiting()
        self.resume_writing()
        self.door.places.leave(self._entered)
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
