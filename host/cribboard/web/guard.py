"""Checks every request: the host that it names, its origin, its size and its rate; and how often a client may guess.

Browsers on plain HTTP send no Sec-Fetch headers, so only Host and Origin show whether a request is a kiosk page's.
"""

from __future__ import annotations

import re
import socket
import time
from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from cribboard.web.json_body import CLOSE, Problem

# How much one client may do: requests a second, and wrong guesses in a period. The newest clients only are kept.

Clock = Callable[[], float]
MOST_CLIENTS = 4096


@dataclass(frozen=True)
class Limits:
    """The bounds of a server; sizes are bytes, times seconds, rates a second for each client."""

    body: int = 16 * 1024
    import_body: int = 32 * 1024 * 1024
    body_s: float = 10.0
    import_s: float = 120.0
    head: int = 16 * 1024
    head_s: float = 10.0
    headers: int = 60
    url: int = 1024
    stalled_s: float = 20.0  # that a client may leave unread what it was sent
    connections: int = 900
    connections_each: int = 64
    connections_here: int = 64  # of them, kept for the screen at this computer
    streams: int = 400
    streams_each: int = 32
    streams_here: int = 16
    reads: float = 40.0
    read_burst: float = 200.0
    writes: float = 8.0
    write_burst: float = 40.0


def client_key(address: str) -> str:
    """The key under which an address is counted: itself or, for IPv6, its 64-bit network, which is one client's."""
    try:
        ip = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(ip, IPv6Address):
        if ip.ipv4_mapped:
            return str(ip.ipv4_mapped)
        return f"{IPv6Address(int(ip) >> 64 << 64)}/64"
    return str(ip)


def is_here(address: str) -> bool:
    """Whether an address is this computer's own."""
    try:
        return ip_address(address).is_loopback
    except ValueError:
        return False


@dataclass(eq=False)
class Place:
    """A connection or stream of a client; `phone` tells those of one address apart. `end` ends it."""

    client: str
    here: bool
    phone: int = 0
    rank: int = 0  # who goes first among equals, the lowest
    end: Callable[[], object] = lambda: None


class Places:
    """Counts places that many want, at most `most` in all and `each` for a client; `here` are for this computer alone.

    When no place is free, a client that has fewer than another takes its newest one, so that few cannot keep out many;
    when all places of an address are taken, a phone there takes that of another in the same way. Among equals a lower
    rank gives way to a higher one.
    """

    def __init__(self, most: int, each: int, here: int) -> None:
        self.open: Counter[str] = Counter()
        self._most = most
        self._each = each
        self._here = here
        self._taken: dict[Place, None] = {}  # the newest last

    def enter(self, place: Place) -> bool:
        """Count a place; returns whether there is one."""
        most = self._most - (0 if place.here else self._here)
        if self.open[place.client] >= self._each:
            rivals = [one for one in self._taken if one.client == place.client]
            free = self._displace(place, rivals, lambda one: one.phone)
        elif self.open.total() >= most:
            free = self._displace(place, [one for one in self._taken if not one.here], lambda one: one.client)
        else:
            free = True
        if free:
            self.open[place.client] += 1
            self._taken[place] = None
        return free

    def leave(self, place: Place) -> None:
        """Uncount a place, once."""
        if place in self._taken:
            del self._taken[place]
            self.open[place.client] -= 1
            if not self.open[place.client]:
                del self.open[place.client]

    def _displace(self, place: Place, rivals: Sequence[Place], whose: Callable[[Place], object]) -> bool:
        """End the newest place of whoever has most, if that leaves them no worse off than the newcomer."""
        if place.here or not rivals:
            return False
        have = Counter(map(whose, rivals))
        last = max(reversed(rivals), key=lambda one: (have[whose(one)], -one.rank))
        ahead = have[whose(last)] - have[whose(place)]
        if ahead < 1 or (ahead == 1 and last.rank >= place.rank):
            return False
        self.leave(last)
        last.end()
        return True


class Buckets:
    """A token bucket for each client, filled at `rate` up to `burst`."""

    def __init__(self, rate: float, burst: float, clock: Clock = time.monotonic) -> None:
        self._rate = rate
        self._burst = burst
        self._clock = clock
        self._levels: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, client: str) -> float:
        """Take one token; returns 0, or in how many seconds there will be one."""
        now = self._clock()
        level, at = self._levels.pop(client, (self._burst, now))
        level = min(self._burst, level + (now - at) * self._rate)
        wait = 0.0 if level >= 1 else (1 - level) / self._rate
        self._levels[client] = (level if wait else level - 1, now)
        if len(self._levels) > MOST_CLIENTS:
            self._levels.popitem(last=False)
        return wait


class Tries:
    """At most `most` tries in `while_s` for each key. A try counts from its start, so parallel ones count."""

    def __init__(self, most: int, while_s: float, clock: Clock = time.monotonic) -> None:
        self._most = most
        self._while_s = while_s
        self._clock = clock
        self._begun: OrderedDict[str, deque[float]] = OrderedDict()

    def wait(self, key: str) -> float:
        """In how many seconds this key may try again; 0 for now."""
        begun = self._begun.get(key)
        now = self._clock()
        while begun and begun[0] <= now - self._while_s:
            begun.popleft()
        return begun[0] + self._while_s - now if begun and len(begun) >= self._most else 0.0

    def begin(self, key: str) -> None:
        """Count a try."""
        begun = self._begun.pop(key, deque())
        begun.append(self._clock())
        self._begun[key] = begun
        if len(self._begun) > MOST_CLIENTS:
            self._begun.popitem(last=False)

    def forgive(self, key: str) -> None:
        """Forget this key's tries, after a right one."""
        self._begun.pop(key, None)

    def take_back(self, key: str) -> None:
        """Uncount this key's newest try; the others still count."""
        if self._begun.get(key):
            self._begun[key].pop()


# The checks of a request.

READS, WRITES = ("GET", "HEAD"), ("POST", "DELETE")
HOST = re.compile(r"(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:\d{1,5})?")
SECURITY = {
    "Content-Security-Policy": "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; "
    "object-src 'none'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}

# The pages of `cribboard site`, which run the firmware: WebAssembly may be compiled there.
SITE = "/site/"
SITE_POLICY = f"{SECURITY['Content-Security-Policy']}; script-src 'self' 'wasm-unsafe-eval'"


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
