"""How much one client may do: connections, requests a second, wrong guesses. The newest clients only are counted."""

from __future__ import annotations

import time
from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Sequence
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
    order_s: float = 15.0  # for a board's answer
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
