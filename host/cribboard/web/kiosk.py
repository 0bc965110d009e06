"""What all parts of the server share, and their access to the store and to the boards' services."""

from __future__ import annotations

import asyncio
import logging
import secrets
import socket
import time
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import Future
from ipaddress import ip_address
from pathlib import Path
from typing import TypeVar

import anyio
from starlette.requests import Request
from starlette.responses import Response

from cribboard.errors import ArgumentError, CribboardError
from cribboard.hardware.description import Description
from cribboard.json_types import JsonObject
from cribboard.service.reviews import Reviews
from cribboard.service.writer import FORGETS, KEEPS
from cribboard.slots import Slots
from cribboard.store import Backups, Store, StoreError
from cribboard.store.jumps import SteadyTime
from cribboard.web.allowance import Allowance
from cribboard.web.identity import Cookies, Visitor
from cribboard.web.invites import Invites
from cribboard.web.json_body import read_entry
from cribboard.web.limits import Limits, Places
from cribboard.web.phones import Phones
from cribboard.web.problem import Problem
from cribboard.web.pub import Pub, WarningEntry
from cribboard.web.secrets import Keys
from cribboard.web.tables import TableServices

log = logging.getLogger(__name__)

READERS = 4  # threads that read the history at once
Answer = TypeVar("Answer")
Endpoint = Callable[[Request], Awaitable[Response]]


ALONE = "127.0.0.1"  # a computer that is not on a network reaches only itself
ELSEWHERE = "192.0.2.1"  # a network that is only for documents (RFC 5737): asking the way there sends nothing


def lan_address() -> str:
    """This computer's address on its network; ALONE if it is on none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        try:
            asking.connect((ELSEWHERE, 9))
            address = str(asking.getsockname()[0])
        except OSError:
            return ALONE
    return ALONE if ip_address(address).is_unspecified else address


def url(host: str, port: int) -> str:
    """The URL of the kiosk's first page at a host."""
    name = f"[{host}]" if ":" in host else host
    return f"http://{name}" if port == 80 else f"http://{name}:{port}"


class Kiosk:
    """One running kiosk."""

    def __init__(
        self,
        tables: TableServices,
        keys: Keys,
        at: tuple[str, int],
        *,
        address: str = "",
        described: Sequence[Description] = (),
        backups: Backups | None = None,
        limits: Limits | None = None,
        pub: Pub | None = None,
        site: Path | None = None,
    ) -> None:
        self.tables = tables
        self.backups = backups
        self.pub = pub or Pub()
        self.site = site  # the folder of the pages that need no server, if there is one
        self.described = described
        self.keys = keys
        self.limits = limits or Limits()
        self.names = {address} if address else set()
        self._address = address  # where phones find it, when it is not the one that is found
        self._host, self._port = at[:2]
        clock = SteadyTime()
        self.phones = Phones(keys.folder, tables.register.key, clock, time.time)
        tables.called, tables.is_alone = self.phones.called, self.phones.is_alone
        self.cookies = Cookies(keys, self.phones, clock)
        self.allowance = Allowance()
        self.invites = Invites()
        self.streams = Places(self.limits.streams, self.limits.streams_each, self.limits.streams_here)
        self.reviews = Reviews()
        self.boot = secrets.token_hex(4)
        self._readers: anyio.CapacityLimiter | None = None

    def url(self, reached: str = "127.0.0.1") -> str:
        """The URL at which phones find this kiosk; `reached` is the address that the request came to."""
        at = ip_address(self._host)
        if self._address:
            return url(self._address, self._port)
        if not at.is_unspecified:
            return url(self._host, self._port)
        return url(lan_address() if ip_address(reached).is_loopback else reached, self._port)

    def is_alone(self, address: str) -> bool:
        """Whether phones cannot reach a URL, since this computer is not on a network."""
        return ip_address(self._host).is_unspecified and address.startswith(url(ALONE, self._port))

    @property
    def is_closed(self) -> bool:
        """Whether it listens to this computer alone, and no other address leads to it."""
        return ip_address(self._host).is_loopback and not self._address

    @property
    def local(self) -> str:
        """The URL for this computer's own screen."""
        at = ip_address(self._host)
        return url("localhost" if at.is_unspecified or at.is_loopback else self._host, self._port)

    def invitation(self, number: int, reached: str = "127.0.0.1") -> tuple[str, str]:
        """The URL and the code with which a phone joins a table."""
        invite = self.invites.newest(number)
        return f"{self.url(reached)}/score/{number}#t={invite.token}", invite.code

    @property
    def slots(self) -> list[Slots]:
        """What the house keeps beside its tables."""
        return [self.keys.slots, self.phones.slots, self.tables.register.slots]

    def unwritten(self) -> list[tuple[str, CribboardError]]:
        """What a restart would forget since it cannot be written, by its table's name, and why; empty for the house."""
        services = [service for _, service in sorted(self.tables.services.items())]
        tables = [(one.view.entry()["board"]["name"], one.unwritten) for one in services]
        errors = [*(("", slots.unwritten) for slots in self.slots), *tables]
        return [(name, error) for name, error in errors if error is not None]

    def notice(self) -> WarningEntry | None:
        """What the screens say while something cannot be written."""
        troubles = [service.trouble for service in self.tables.services.values()]
        if self.unwritten() or any(trouble.no_file for trouble in troubles if trouble is not None):
            return {"text": FORGETS, "hint": "tell the staff"}
        return {"text": KEEPS, "hint": "tell the staff"} if any(troubles) else None

    def who(self, request: Request) -> Visitor:
        """Who sent a request."""
        return self.cookies.who(request.scope)

    async def entry(self, request: Request) -> JsonObject:
        """The JSON object in a request's body."""
        return await read_entry(request, self.limits.body, self.limits.body_s)

    async def history(self, ask: Callable[[Store], Answer]) -> Answer:
        """Run `ask` with the store, in one of READERS threads; raises Problem if there is no history or it fails."""
        store = self.tables.store
        if store is None:
            raise Problem(503, "history", "this kiosk is keeping no history at the moment", "its terminal says why")
        if self._readers is None:
            self._readers = anyio.CapacityLimiter(READERS)
        try:
            return await anyio.to_thread.run_sync(ask, store, limiter=self._readers)
        except ArgumentError as error:
            raise Problem(400, "history", error.message, error.hint) from error
        except StoreError as error:
            log.error("%s", error)
            said = ("the history cannot be used at the moment", "try again; the kiosk's terminal says more")
            if error.full:
                said = ("the kiosk's disk is full, so nothing was changed", "make room, then do it again")
            raise Problem(503, "history", *said) from error

    async def done(self, pending: Future[Answer], seconds: float | None = None) -> Answer:
        """A service's answer; raises Problem after `seconds`, if not given the limit, and the service goes on."""
        try:
            # Shielded: the board may be carrying it out already, and the page asks again for what came of it.
            return await asyncio.wait_for(asyncio.shield(asyncio.wrap_future(pending)), seconds or self.limits.order_s)
        except TimeoutError:
            raise Problem(
                504, "late", "the board has not answered yet", "ask again with the same key: it counts once"
            ) from None
