"""Checks every request: the host that it names, its origin, the length of its address and its rate.

Browsers on plain HTTP send no Sec-Fetch headers, so only Host and Origin show whether a request is a kiosk page's.
"""

from __future__ import annotations

import re
import socket
from collections.abc import Iterable
from ipaddress import ip_address
from pathlib import Path

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from cribboard.scripts import policy_hash
from cribboard.web.json_body import CLOSE
from cribboard.web.limits import Buckets, Limits, client_key
from cribboard.web.problem import Problem

READS, WRITES = ("GET", "HEAD"), ("POST", "DELETE")
HOST = re.compile(r"(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:\d{1,5})?")
POLICY = (
    "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'; "
    "script-src 'self'"
)
AGAIN = (Path(__file__).parent / "static" / "again.js").read_text("utf-8")  # the one script within the pages
SECURITY = {
    "Content-Security-Policy": f"{POLICY} {policy_hash(AGAIN)}",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}

# The pages of `cribboard site`, which run the firmware: WebAssembly may be compiled there.
SITE = "/site/"
SITE_POLICY = f"{POLICY} 'wasm-unsafe-eval'"


class Guard:
    """Checks each request before the app, and adds the security headers to every answer."""

    def __init__(self, app: ASGIApp, limits: Limits, names: Iterable[str] = ()) -> None:
        self._app = app
        self._limits = limits
        self._names = own_names() | {name.lower().rstrip(".") for name in names}
        self._reads = Buckets(limits.reads, limits.read_burst)
        self._writes = Buckets(limits.writes, limits.write_burst)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def sealed(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in SECURITY.items():
                    headers[name] = value
                if scope["path"].startswith(SITE):
                    headers["Content-Security-Policy"] = SITE_POLICY
                headers.setdefault("Cache-Control", "no-store")
            await send(message)

        try:
            self._check(scope)
        except Problem as problem:
            problem.headers.update(CLOSE)  # a body that nobody has read may still come
            await problem.response(scope)(scope, receive, sealed)
        else:
            await self._app(scope, receive, sealed)

    def _check(self, scope: Scope) -> None:
        method, headers = scope["method"], Headers(scope=scope)
        if method not in READS + WRITES:
            raise Problem(405, "method", f"{method[:20]!a} is not a method of the kiosk", "use its pages")
        if len(scope.get("raw_path") or b"") + len(scope["query_string"]) > self._limits.url:
            raise Problem(414, "url", f"the address has more than {self._limits.url} characters", "use a shorter one")
        if len(scope["headers"]) > self._limits.headers:
            raise Problem(431, "headers", "the request has too many headers", "use a browser as it comes")
        host = self._check_host(scope, headers)
        if method in WRITES or headers.get("sec-fetch-site") == "cross-site":
            _check_origin(headers, host)
        if method != "POST" and (headers.get("content-length", "0") != "0" or "transfer-encoding" in headers):
            raise Problem(400, "body", f"a {method} has no body here", "send none")
        # A proxy in between could take the other one of the two, and the rest of the body for a request of its own.
        if "content-length" in headers and "transfer-encoding" in headers:
            raise Problem(400, "body", "the request says in two ways how long it is", "use a browser as it comes")
        self._check_rate(scope, method)

    def _check_host(self, scope: Scope, headers: Headers) -> str:
        """The request's host; raises Problem unless it names this computer (against DNS rebinding)."""
        given = headers.getlist("host")
        host = given[0].lower() if len(given) == 1 else ""
        parsed = HOST.fullmatch(host)
        if parsed is None or not self._is_ours(parsed[1].strip("[]").rstrip("."), scope):
            raise Problem(
                421,
                "host",
                f"{host[:60]!a} is not an address of this kiosk",
                "use the address that the kiosk has printed",
            )
        return host

    def _is_ours(self, name: str, scope: Scope) -> bool:
        if name in self._names:
            return True
        try:
            address = ip_address(name)
            # A computer has several addresses, which change: what counts is the one that this connection has reached.
            reached = ip_address((scope.get("server") or ("", 0))[0].partition("%")[0])
        except ValueError:
            return False
        return address.is_loopback or client_key(str(address)) == client_key(str(reached))

    def _check_rate(self, scope: Scope, method: str) -> None:
        client = client_key((scope.get("client") or ("", 0))[0])
        wait = (self._writes if method in WRITES else self._reads).take(client)
        if wait:
            raise Problem.later(wait, "often", "this device sends too many requests")


def _check_origin(headers: Headers, host: str) -> None:
    """Raise Problem unless the request's origin is a page of the kiosk; browsers send the origin with every POST."""
    origin = headers.get("origin", "").lower()
    if origin not in (f"http://{host}", f"https://{host}"):
        raise Problem(
            403, "origin", f"the request comes from {origin[:60]!a}, not from {host!a}", "use the kiosk's own pages"
        )


def own_names() -> set[str]:
    """The names of this computer."""
    name = socket.gethostname().lower().rstrip(".")
    return {"localhost", name, f"{name.partition('.')[0]}.local"}
