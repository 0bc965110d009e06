"""The kiosk's app without a network or a board, for bodies that anybody may send it."""

from __future__ import annotations

import asyncio
import atexit
import json
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

from faults.ends import SCRATCH

from cribboard.store import open_store
from cribboard.web.app import build_app
from cribboard.web.identity import STAFF
from cribboard.web.kiosk import Kiosk
from cribboard.web.limits import Limits
from cribboard.web.live import Live
from cribboard.web.secrets import Keys
from cribboard.web.tables import Tables, TableServices

HOST = "127.0.0.1:8121"
MANY = 1e9
ADDRESSES = {
    b"p": ("/api/pair", False),
    b"s": ("/api/staff", False),
    b"c": ("/api/count", False),
    b"i": ("/api/import", True),
    b"n": ("/api/players/1", True),
    b"m": ("/api/players", True),
    b"g": ("/api/games/1", True),
    b"w": ("/api/pin", True),
}


class App:
    """One app with an empty history, for a process."""

    def __init__(self) -> None:
        folder = tempfile.TemporaryDirectory(dir=SCRATCH)
        store = open_store(f"sqlite:///{folder.name}/kiosk.db")
        atexit.register(folder.cleanup)
        atexit.register(store.close)
        keys = Keys(Path(folder.name))
        limits = Limits(writes=MANY, write_burst=MANY)
        kiosk = Kiosk(TableServices(Tables(Path(folder.name)), store), keys, ("127.0.0.1", 8121), limits=limits)
        cookie = kiosk.cookies._staff().dumps("session")
        self._cookie = f"{STAFF}={cookie if isinstance(cookie, str) else cookie.decode()}"
        self._app = build_app(kiosk, Live(kiosk.boot))

    def post(self, address: bytes, body: bytes) -> tuple[int, Any]:
        """Send a body, in two parts; the answer's status and JSON."""
        path, as_staff = ADDRESSES[address]
        return asyncio.run(self._post(path, as_staff, body))

    async def _post(self, path: str, as_staff: bool, body: bytes) -> tuple[int, Any]:
        headers = {"host": HOST, "origin": f"http://{HOST}", "content-type": "application/json"}
        if as_staff:
            headers["cookie"] = self._cookie
        scope = {
            "type": "http",
            "method": "POST",
            "path": path,
            "raw_path": path.encode(),
            "query_string": b"",
            "root_path": "",
            "scheme": "http",
            "http_version": "1.1",
            "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
            "client": ("192.168.1.9", 5000),
            "server": ("127.0.0.1", 8121),
        }
        half = len(body) // 2
        parts = [(body[:half], True), (body[half:], False)]
        messages: list[dict[str, Any]] = []

        async def receive() -> dict[str, Any]:
            part, more = parts.pop(0)
            return {"type": "http.request", "body": part, "more_body": more}

        async def send(message: Any) -> None:
            messages.append(message)

        await self._app(scope, receive, send)
        said = b"".join(message.get("body", b"") for message in messages[1:])
        return messages[0]["status"], json.loads(said)


@cache
def app() -> App:
    """The app of this process."""
    return App()
