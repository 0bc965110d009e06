"""News of a board to every page that looks at it, as server-sent events.

A stream has a place in the news and no queue of its own: a slow one falls behind, is given only the newest state when
it reads on, and holds up nobody.
"""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import takewhile
from typing import TYPE_CHECKING, TypedDict

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from cribboard.web.limits import Place, Places
from cribboard.web.problem import Problem

if TYPE_CHECKING:
    from cribboard.service.service import News
    from cribboard.web.identity import Visitor

KEPT = 1000  # news that a page which slept may still catch up on
HEARTBEAT_S = 4.0  # live.js takes a stream that is silent for longer as hung
RETRY_MS = 2000
EVENTS = "text/event-stream; charset=utf-8"
BEAT = b"event: beat\ndata: 0\n\n"
BADGED, SCREEN = 2, 1  # who keeps a place longest when all are taken
HEADERS = [(b"content-type", EVENTS.encode()), (b"x-accel-buffering", b"no")]


@dataclass(frozen=True)
class Item:
    """A piece of news as bytes for the stream."""

    number: int
    data: bytes


class FrameEntry(TypedDict):
    """What the strips show: red, green and blue of each LED, in base64."""

    leds: int
    tracks: list[str]


class Channel:
    """The news of one board. Use it in the event loop only, except `tell` and `nudge`."""

    def __init__(self, boot: str, state: Callable[[], Mapping[str, object]], loop: asyncio.AbstractEventLoop) -> None:
        self.boot = boot
        self.closed = False
        self.watching = 0  # streams that want to see the strips
        self.newest = 0
        self.frames = 0
        self.phones = 0  # how often it has changed who is here
        self._frame = b""
        self._state = state
        self._loop = loop
        self._news: deque[Item] = deque()  # all but the states, of which only the newest matters
        self._dropped = 0
        self._newest_state = Item(0, b"")
        self._heard = loop.create_future()
        self._seen = loop.create_future()

    def tell(self, news: News) -> None:
        """Add news; may be called in any thread."""
        data = _event(news.kind, news.data, f"{self.boot}-{news.id}") if news.kind != "forget" else b""
        with suppress(RuntimeError):  # the loop has ended
            self._loop.call_soon_threadsafe(self._add, Item(news.id, data), news.kind)

    def show(self, frame: FrameEntry) -> None:
        """Set what the strips show now."""
        self.frames += 1
        self._frame = _event("frame", frame)
        self._seen = self._wake(self._seen)

    def nudge(self) -> None:
        """Tell pages to ask again who is at the table; may be called in any thread."""
        with suppress(RuntimeError):  # the loop has ended
            self._loop.call_soon_threadsafe(self._nudge)

    def blank(self) -> None:
        """Forget the strips, since nobody watches them."""
        self._frame = b""

    def close(self) -> None:
        """End all streams."""
        self.closed = True
        self._heard, self._seen = self._wake(self._heard), self._wake(self._seen)

    async def changed(self, gone: asyncio.Future[None], frames: bool) -> bool:
        """Wait until there is news or the client is gone; returns False if there was nothing for a while."""
        waited = {gone, self._heard, self._seen} if frames else {gone, self._heard}
        done, _ = await asyncio.wait(waited, timeout=HEARTBEAT_S, return_when=asyncio.FIRST_COMPLETED)
        return bool(done)

    def first(self, last_id: str) -> tuple[bytes, int]:
        """A stream's first bytes, with the newest state, and the place from which it continues."""
        boot, _, number = last_id.rpartition("-")
        known = boot == self.boot and number.isdecimal() and len(number) < 16
        place = int(number) if known and self._dropped <= int(number) <= self.newest else self.newest
        missed = bool(self._missed(place))
        name = "" if missed else f"{self.boot}-{self.newest}"  # with it, a break now would pass over what was missed
        return b"retry: %d\n\n%s" % (RETRY_MS, _event("state", self._state(), name)), place if missed else self.newest

    def after(self, place: int) -> bytes:
        """The news after a place, of states only the newest."""
        if place >= self.newest:
            return b""
        items = self._missed(place)
        if self._newest_state.number > place:
            items.append(self._newest_state)
        return b"".join([item.data for item in sorted(items, key=lambda item: item.number)])

    def frame_after(self, shown: int) -> bytes:
        """What the strips show, empty if it has not changed."""
        return self._frame if self.frames > shown else b""

    def _missed(self, place: int) -> list[Item]:
        return [*takewhile(lambda item: item.number > place, reversed(self._news))]

    def _add(self, item: Item, kind: str) -> None:
        self.newest = item.number
        if kind == "state":
            self._newest_state = item
        elif kind == "forget":
            self._news.clear()
            self._dropped = item.number
        else:
            self._news.append(item)
            if len(self._news) > KEPT:
                self._dropped = self._news.popleft().number
        self._heard = self._wake(self._heard)

    def _nudge(self) -> None:
        self.phones += 1
        self._heard = self._wake(self._heard)

    def _wake(self, waited: asyncio.Future[None]) -> asyncio.Future[None]:
        waited.set_result(None)
        return self._loop.create_future()


class Stream(Response):
    """One page's stream, as a response."""

    def __init__(
        self,
        channel: Channel,
        streams: Places,
        visitor: Visitor,
        last_id: str,
        frames: bool,
        on_left: Callable[[str], None] = lambda by: None,
    ) -> None:
        super().__init__()
        self._on_left = partial(on_left, visitor.by)
        rank = BADGED if visitor.role in ("player", "staff") else SCREEN if frames else 0
        self._place = Place(visitor.client, visitor.here, visitor.phone, rank)
        # Here and not when the answer begins, which could not be refused any more.
        if not streams.enter(self._place):
            raise Problem(503, "crowded", "too many pages are open", "close some of them", {"Retry-After": "10"})
        self._channel = channel
        self._leave: Callable[[], None] = partial(streams.leave, self._place)
        self._last_id = last_id
        self._frames = frames

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        channel = self._channel
        if scope["method"] == "HEAD":
            self._leave()
            self._on_left()
            await Response(media_type=EVENTS)(scope, receive, send)
            return
        channel.watching += self._frames
        gone = asyncio.ensure_future(_gone(receive))
        self._place.end = gone.cancel

        async def say(data: bytes, more: bool = True) -> None:
            await send({"type": "http.response.body", "body": data, "more_body": more})

        try:
            await send({"type": "http.response.start", "status": 200, "headers": HEADERS})
            data, place = channel.first(self._last_id)
            shown, nudged = 0, channel.phones
            while not (gone.done() or channel.closed):
                data += channel.after(place)
                # Nothing is awaited between the two, so no news comes between them.
                place = channel.newest
                if nudged != channel.phones:
                    nudged = channel.phones
                    data += _event("phones", {})
                if self._frames:
                    data += channel.frame_after(shown)
                    shown = channel.frames
                if data:
                    await say(data)
                data = b"" if data or await channel.changed(gone, self._frames) else BEAT
            await say(b"", False)
        finally:
            gone.cancel()
            channel.watching -= self._frames
            self._leave()
            self._on_left()


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def _event(kind: str, data: Mapping[str, object], name: str = "") -> bytes:
    head = f"id: {name}\n" if name else ""
    return f"{head}event: {kind}\ndata: {json.dumps(data, separators=(',', ':'))}\n\n".encode()
