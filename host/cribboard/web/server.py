"""The server: its socket, its limits on connections, and an end within two seconds even with open streams."""

from __future__ import annotations

import asyncio
import errno
import logging
import signal
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from ipaddress import ip_address
from types import FrameType
from typing import Any

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from cribboard.errors import CribboardError
from cribboard.web.app import build_app
from cribboard.web.kiosk import Kiosk
from cribboard.web.limits import Limits, Place, Places, client_key, is_here
from cribboard.web.stream import Live
from cribboard.web.tables import Finder

# uvicorn's connections, with limits on waiting and on their number, so that nobody can hold them for nothing.


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


# The server's socket, its start, and an end within two seconds even with open streams.

PATIENCE_S = 1  # at the end, for answers that are on their way


def open_socket(host: str, port: int) -> socket.socket:
    """A socket that listens on the port; raises CribboardError if it cannot."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    own = getattr(socket, "SO_EXCLUSIVEADDRUSE", socket.SO_REUSEADDR)  # on Windows the other would share the port
    try:
        listening.setsockopt(socket.SOL_SOCKET, own, 1)
        listening.bind((host, port))
    except (OSError, OverflowError) as error:
        listening.close()
        raise CribboardError(*_refusal(error, host, port)) from error
    return listening


class Server(uvicorn.Server):
    """uvicorn's, that ends the streams first."""

    def __init__(self, app: object, limits: Limits, live: Live) -> None:
        config = uvicorn.Config(
            app,  # type: ignore[arg-type]
            http=ConnectionLimit(limits).protocol(),
            ws="none",
            lifespan="on",
            log_config=None,
            log_level="error",  # what strangers send is not worth a line each
            access_log=False,  # it would tell who looks at what
            proxy_headers=False,
            server_header=False,
            h11_max_incomplete_event_size=limits.head,
            timeout_keep_alive=max(1, int(limits.head_s)),
            timeout_graceful_shutdown=PATIENCE_S,
        )
        super().__init__(config)
        self._live = live

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End the streams, then the server; pages try again until the kiosk is back."""
        self._live.close()
        await super().shutdown(sockets)


def _refusal(error: Exception, host: str, port: int) -> tuple[str, str]:
    number = getattr(error, "errno", None)
    if number == errno.EADDRINUSE:
        return f"port {port} is in use by another program", "close it, or choose another port with --web-port"
    if number == errno.EACCES:
        return f"this user may not use port {port}", "choose one from 1024 up with --web-port"
    if number == errno.EADDRNOTAVAIL or isinstance(error, socket.gaierror):
        return f"{host} is not an address of this computer", "leave --host out, or give one of its addresses"
    return f"port {port} at {host} cannot be used: {error}", "try another --web-port"


# Runs a kiosk from its start to its end: boards, store, server, and the signals that end it.

log = logging.getLogger(__name__)
LOOK_S = 3.0  # how often new boards are looked for
KEEP_AGAIN_S = 5.0  # how often the disk is asked again
BACK_UP_S = 60.0  # how often it is asked whether a backup is due
ENDINGS = ("SIGINT", "SIGTERM", "SIGHUP")


def run(kiosk: Kiosk, listening: socket.socket, finder: Finder | None, on_start: Callable[[], None]) -> None:
    """Serve until a signal ends it; then end the pages' streams, and write everything that boards have done."""
    live = Live(kiosk.boot)
    server = Server(build_app(kiosk, live), kiosk.limits, live)
    with _ending(server):
        try:
            asyncio.run(_serve(kiosk, live, server, listening, finder, on_start))
        finally:
            kiosk.house.stop()
            if kiosk.house.store is not None:
                kiosk.house.store.close()


async def _serve(
    kiosk: Kiosk,
    live: Live,
    server: Server,
    listening: socket.socket,
    finder: Finder | None,
    on_start: Callable[[], None],
) -> None:
    serving = asyncio.create_task(server.serve(sockets=[listening]))
    while not (server.started or serving.done()):
        await asyncio.sleep(0.01)
    if server.started:
        on_start()
    tasks = [asyncio.create_task(_back_up(kiosk)), asyncio.create_task(_keep_again(kiosk))]
    if finder is not None:
        tasks.append(asyncio.create_task(_look(kiosk, live, finder)))
    try:
        await serving
    finally:
        for task in tasks:
            task.cancel()


async def _look(kiosk: Kiosk, live: Live, finder: Finder) -> None:
    """Look for boards that are plugged in later."""
    while True:
        await asyncio.sleep(LOOK_S)
        await asyncio.to_thread(finder.look)
        for number, service in list(kiosk.house.services.items()):
            if number not in live.channels:
                live.join(number, service)


async def _keep_again(kiosk: Kiosk) -> None:
    """Write what the disk has refused, once it takes it."""
    while True:
        await asyncio.sleep(KEEP_AGAIN_S)
        for slots in kiosk.slots:
            await asyncio.to_thread(slots.keep_again)


async def _back_up(kiosk: Kiosk) -> None:
    """Back up the history when it is time for it."""
    while kiosk.backups is not None:
        failed = await asyncio.to_thread(kiosk.backups.run)
        if failed:
            log.warning("the history could not be backed up: %s", failed)
        await asyncio.sleep(BACK_UP_S)


@contextmanager
def _ending(server: Server) -> Iterator[None]:
    """Let signals end the server; uvicorn raises those that it takes again at its end."""

    def end(number: int, frame: FrameType | None) -> None:
        server.should_exit = True

    before = {}
    for name in ENDINGS:
        if hasattr(signal, name):
            number = getattr(signal, name)
            before[number] = signal.signal(number, end)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
