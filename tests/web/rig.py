"""A kiosk in the test's own process: its app without a network, or its server on 127.0.0.1, at real virtual boards."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack, contextmanager
from pathlib import Path
from typing import Any

import httpx2
from anyio.from_thread import BlockingPortal

from cribboard.web.app import build_app
from cribboard.web.kiosk import Kiosk
from cribboard.web.limits import Limits
from cribboard.web.live import Live
from cribboard.web.secrets import Keys
from cribboard.web.server import Server, open_socket
from cribboard.web.tables import TableServices

HERE, PHONE, OTHER = "127.0.0.1", "192.168.7.20", "192.168.7.21"
ADDRESS = "192.168.7.2"
PIN = "481516"
PATIENCE_S = 20.0


class Browser:
    """Somebody's browser: it keeps cookies, and says where a request comes from."""

    def __init__(self, portal: BlockingPortal, app: Any, client: str, host: str) -> None:
        self._portal = portal
        self.url = f"http://{host}:8121"
        transport = httpx2.ASGITransport(app, client=(client, 40000), raise_app_exceptions=False)
        self.client = httpx2.AsyncClient(transport=transport, base_url=self.url)

    def ask(self, method: str, path: str, **named: Any) -> httpx2.Response:
        """One request; POST and DELETE with the Origin that a browser sends, unless headers say otherwise."""
        headers = {"Origin": self.url} if method not in ("GET", "HEAD") else {}
        headers.update(named.pop("headers", {}))
        sent = {name: value for name, value in headers.items() if value is not None}
        answer: httpx2.Response = self._portal.call(lambda: self.client.request(method, path, headers=sent, **named))
        return answer

    def get(self, path: str, **named: Any) -> httpx2.Response:
        return self.ask("GET", path, **named)

    def post(self, path: str, body: Any = None, **named: Any) -> httpx2.Response:
        return self.ask("POST", path, json={} if body is None else body, **named)

    def order(self, board: int, **order: Any) -> httpx2.Response:
        """An order with a key of its own, at the newest rev unless it says another."""
        state = self.get(f"/api/boards/{board}").json()
        return self.post(f"/api/boards/{board}/orders", {"key": new_key(), "seen": state["rev"], **order})


class Rig:
    """A kiosk whose app runs in a thread."""

    def __init__(self, portal: BlockingPortal, kiosk: Kiosk, live: Live, app: Any) -> None:
        self.kiosk = kiosk
        self.live = live
        self.app = app
        self._portal = portal

    def browser(self, client: str = PHONE, host: str = ADDRESS) -> Browser:
        return Browser(self._portal, self.app, client, host)

    def screen(self) -> Browser:
        """The kiosk's own."""
        return self.browser(HERE, HERE)

    def player(self, board: int = 1, client: str = PHONE) -> Browser:
        """A phone that has joined."""
        browser = self.browser(client)
        token = self.kiosk.invites.newest(board).token
        assert browser.post("/api/pair", {"token": token}).json() == {"role": "player", "board": board}
        return browser

    def staff(self, client: str = OTHER) -> Browser:
        """A device that has entered the PIN."""
        browser = self.browser(client)
        assert browser.post("/api/staff", {"pin": PIN}).json() == {"role": "staff"}
        return browser


@contextmanager
def running(
    house: TableServices, folder: Path, portal: BlockingPortal, limits: Limits | None = None, site: Path | None = None
) -> Iterator[Rig]:
    """The app in a thread."""
    keys = Keys(folder)
    if not keys.now.pin:
        keys.new_pin(PIN)
    kiosk = Kiosk(house, keys, ("0.0.0.0", 8121), limits=limits, site=site)
    live = Live(kiosk.boot)
    guard = build_app(kiosk, live)
    stack = AsyncExitStack()
    inner = guard._app
    portal.call(stack.enter_async_context, inner.router.lifespan_context(inner))
    try:
        yield Rig(portal, kiosk, live, guard)
    finally:
        portal.call(stack.aclose)


class Served:
    """A kiosk's server on 127.0.0.1; every address of 127.0.0.0/8 is a client of its own there."""

    def __init__(self, house: TableServices, folder: Path, limits: Limits | None = None) -> None:
        self.socket = open_socket(HERE, 0)
        self.port = self.socket.getsockname()[1]
        keys = Keys(folder)
        self.kiosk = Kiosk(house, keys, (HERE, self.port), limits=limits)
        self.live = Live(self.kiosk.boot)
        self.server = Server(build_app(self.kiosk, self.live), self.kiosk.limits, self.live)
        self.url = f"http://{HERE}:{self.port}"
        self._thread = threading.Thread(target=lambda: asyncio.run(self.server.serve(sockets=[self.socket])))

    def __enter__(self) -> Served:
        self._thread.start()
        wait_until(lambda: self.server.started)
        return self

    def __exit__(self, *exc: object) -> None:
        self.server.should_exit = True
        self._thread.join(PATIENCE_S)
        assert not self._thread.is_alive()

    def client(self, address: str = HERE) -> httpx2.Client:
        """A device at an address of its own."""
        transport = httpx2.HTTPTransport(local_address=address)
        return httpx2.Client(transport=transport, base_url=self.url, headers={"Origin": self.url}, timeout=PATIENCE_S)


def new_key() -> str:
    """A key for an order."""
    import secrets

    return secrets.token_urlsafe(18)


def wait_until(holds: Callable[[], object]) -> None:
    """Wait for something of another thread or process."""
    ends = time.monotonic() + PATIENCE_S
    while not holds():
        assert time.monotonic() < ends, "it has not come"
        time.sleep(0.005)
