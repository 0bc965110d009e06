"""Runs a kiosk from its start to its end: boards, store, server, and the signals that end it."""

from __future__ import annotations

import asyncio
import logging
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

from cribboard.web.app import build_app
from cribboard.web.finder import Finder
from cribboard.web.kiosk import Kiosk
from cribboard.web.live import Live
from cribboard.web.server import Server

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
            kiosk.tables.stop()
            if kiosk.tables.store is not None:
                kiosk.tables.store.close()


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
        for number, service in list(kiosk.tables.services.items()):
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
