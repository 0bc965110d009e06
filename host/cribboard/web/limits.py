"""How much one client may do: requests a second, and wrong guesses in a period. Keeps the newest clients only."""

from __future__ import annotations

import time
from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address

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
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(found, IPv6Address):
        if found.ipv4_mapped:
            return str(found.ipv4_mapped)
        return f"{IPv6Address(int(found) >> 64 << 64)}/64"
    return str(found)


def is_here(address: str) -> bool:
    """Whether an address is this computer's own."""
    try:
        return ip_address(address).is_loopback
    except ValueError:
        return False


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
