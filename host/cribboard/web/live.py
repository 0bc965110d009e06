"""Connects the boards' services, which have their own threads, to the streams in the event loop."""

from __future__ import annotations

import asyncio
import base64
import time
from collections.abc import Callable, Iterable, Mapping

from cribboard.board.messages import Standing, Waiting
from cribboard.service.service import Service
from cribboard.sim.mirror import Mirror
from cribboard.web.stream import Channel

FRAME_S = 1 / 15


class Live:
    """A channel for each table, while the loop runs."""

    def __init__(self, boot: str) -> None:
        self.channels: dict[int, Channel] = {}
        self._boot = boot
        self._leave: list[Callable[[], None]] = []
        self._painters: list[asyncio.Task[None]] = []

    def join(self, number: int, service: Service) -> None:
        """Start a table's channel."""
        channel = Channel(self._boot, lambda: service.view.entry(), asyncio.get_running_loop())
        self.channels[number] = channel
        self._leave.append(service.listen(channel.tell))
        self._painters.append(asyncio.create_task(self._paint(channel, service)))

    def nudge(self, tables: Iterable[int]) -> None:
        """Tell the pages of these tables that their phones or lock have changed."""
        for number in tables:
            if number in self.channels:
                self.channels[number].nudge()

    def close(self) -> None:
        """End all streams."""
        for leave in self._leave:
            leave()
        for painter in self._painters:
            painter.cancel()
        for channel in self.channels.values():
            channel.close()

    async def _paint(self, channel: Channel, service: Service) -> None:
        """Send what the strips show, while somebody watches."""
        mirror: Mirror | None = None
        size = (0, 0)
        while True:
            await asyncio.sleep(FRAME_S)
            view = service.view
            if not channel.watching or view.standing is None:
                mirror = None
                channel.blank()
                continue
            if mirror is None or size != (view.tracks, view.leds):
                size = (view.tracks, view.leds)
                mirror = Mirror(*size)
            tracks = await asyncio.to_thread(_frame, mirror, view.standing, view.waiting)
            if tracks is not None:
                channel.show({"leds": view.leds, "tracks": [base64.b64encode(track).decode() for track in tracks]})


def _frame(mirror: Mirror, standing: Standing, waiting: Mapping[int, Waiting]) -> list[bytes] | None:
    mirror.show(standing, {side: points for side, (points, _) in waiting.items()})
    return mirror.frame(int(time.monotonic() * 1000))
