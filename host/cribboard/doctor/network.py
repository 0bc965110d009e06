"""A board's Wi-Fi, tried from this computer: its page, two hundred round trips, and whether it lasts.

It comes as a phone does, with the token of the key on the drive or while the board's set-up is open, and asks for the
state only: the game goes on.
"""

from __future__ import annotations

import base64
import hashlib
import http.client
import os
import socket
import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import closing

from cribboard.amounts import amount
from cribboard.doctor.findings import Finding, known
from cribboard.errors import CribboardError
from cribboard.wifi.page import page
from cribboard_core.wire import PROTOCOL, Lines, encode

ROUND_TRIPS = 200
SLOW_MS = 200  # the median of a network in which a peg still feels at once
PATIENCE_S = 5.0
BINARY = 2
RESTARTED = 4  # the watchdog's flag in a hello
TAKEN = "after a new key unplug the board and plug it in again; of two phones close one's page"
JOIN_S = 120.0
JOIN = "Hold DEAL on the board for three seconds: while its set-up is open, this computer may join. UNDO closes it."
SAME_NETWORK = "is this computer in the board's network?"
ADDRESS = (
    f"{SAME_NETWORK} After --wifi stands the board's address, not the network's name:\n"
    "cribboard.local, or its number, which the board's console says: --wifi 192.168.1.23"
)


class Gone(CribboardError):
    """The board does not answer, or gives no place."""


def _reason(error: Exception) -> str:
    """What a system says of an error, without its number."""
    return str(getattr(error, "strerror", None) or error)


class Closed(Gone):
    """The board's set-up is not open, and the token is not the board's."""


def examine(
    address: str, key: str, minutes: float, tell: Callable[[str], None], pause: Callable[[float], None] = time.sleep
) -> Iterator[Finding]:
    """What there is to say of the page, the round trips, and so many minutes of them.

    Without the key of the drive it asks by `tell` to open the board's set-up, and waits for that.
    """
    host = address.rpartition("//")[2].partition("/")[0]
    if not {".", ":"} & set(host):
        host += ".local"  # its name alone
    token = hashlib.sha256(b"cribboard " + key.encode()).hexdigest()[:20] if key else ""
    try:
        yield _page(host)
        with closing(Phone(host, token) if token else _joined(host, tell, pause)) as phone:
            yield _round_trips(phone)
            token = phone.token
        if minutes:
            yield _soak(host, token, minutes)
    except Gone as error:
        yield Finding.of("wifi", error)


def _joined(host: str, tell: Callable[[str], None], pause: Callable[[float], None]) -> Phone:
    """A place that somebody at the board has let this computer have."""
    for second in range(int(JOIN_S)):
        try:
            return Phone(host, "")
        except Closed:
            if not second:
                tell(JOIN)
            pause(1)
    raise Gone(
        "nobody held DEAL at the board, so this computer may not join", "try again, or connect the board's drive"
    )


def _page(host: str) -> Finding:
    began = time.monotonic()
    try:
        with closing(http.client.HTTPConnection(host, timeout=PATIENCE_S)) as connection:
            connection.request("GET", "/")
            data = connection.getresponse().read()
    except (http.client.InvalidURL, UnicodeError) as error:
        raise Gone(f"{host!r} is not an address", ADDRESS) from error
    except (OSError, http.client.HTTPException) as error:
        raise Gone(f"http://{host} does not answer: {_reason(error)}", ADDRESS) from error
    ms = 1000 * (time.monotonic() - began)
    if data != page():
        return Finding("page", f"the page at http://{host} is not this program's", "cribboard install")
    return known("page", f"the page at http://{host} came in {ms:.0f} ms, {len(data)} bytes")


def _round_trips(phone: Phone) -> Finding:
    times = sorted(phone.round_trip() for _ in range(ROUND_TRIPS))
    median, most = statistics.median(times), times[-1]
    words = f"{ROUND_TRIPS} round trips: {median:.0f} ms in the median, {most:.0f} ms at most"
    if median > SLOW_MS:
        return Finding("slow", words, "put the board nearer to the access point, or on a channel of its own")
    return known("round-trips", words)


def _soak(host: str, token: str, minutes: float) -> Finding:
    """A round trip a second: how often the connection ended, and whether the board restarted meanwhile."""
    ends = time.monotonic() + 60 * minutes
    phone: Phone | None = None
    times, lost, flags, away = [], 0, 0, False
    while time.monotonic() < ends:
        try:
            if phone is None:
                phone = Phone(host, token)
                away = False
                flags |= phone.flags if lost else 0
            times.append(phone.round_trip())
            time.sleep(min(1.0, max(0.0, ends - time.monotonic())))
        except Gone:
            if phone is not None:
                phone.close()
            lost += not away  # it has ended once, however often it does not come back
            phone, away = None, True
            time.sleep(1)
    if phone is not None:
        phone.close()
    words = f"{amount(len(times), 'round trip')} in {minutes:g} min, {max(times, default=0):.0f} ms at most"
    words += f", the connection ended {amount(lost, 'time')}"
    if flags & RESTARTED:
        return Finding("restarts", f"{words}, and the watchdog restarted the board", "send us its console")
    return Finding("lost", words, SAME_NETWORK) if lost else known("lasts", words)


class Phone:
    """A place at the board; raises Gone when there is none, or it ends. `token` is good for coming back."""

    def __init__(self, host: str, token: str) -> None:
        name, _, port = host.partition(":")
        self._rest = b""
        self._lines = Lines()
        self._q = 0
        try:
            self._socket = socket.create_connection((name, int(port or 80)), PATIENCE_S)
        except OSError as error:
            raise Gone(f"http://{host} does not answer: {_reason(error)}", ADDRESS) from error
        try:
            self._join(host, token)
        except Gone:
            self.close()
            raise

    def _join(self, host: str, token: str) -> None:
        fields = {
            "Host": host,
            "Origin": f"http://{host}",
            "Upgrade": "websocket",
            "Connection": "Upgrade",
            "Sec-WebSocket-Key": base64.b64encode(os.urandom(16)).decode(),
            "Sec-WebSocket-Version": "13",
        }
        lines = [f"GET /wire?doctor&{token} HTTP/1.1", *(f"{key}: {value}" for key, value in fields.items()), "", ""]
        self._send("\r\n".join(lines).encode())
        while b"\r\n\r\n" not in self._rest:
            self._rest += self._take()
        status, _, self._rest = self._rest.partition(b"\r\n\r\n")
        if b" 101 " not in status:
            first = status.decode("latin-1").partition("\r\n")[0]
            raise Gone(f"the board does not speak the wire here: {first}", "cribboard update")
        word = self._message()[1].decode("latin-1")
        if word == "join":
            raise Closed("the board gives no place: its key is not the one on this drive", TAKEN)
        if not word.startswith("key "):
            why = {"full": "two phones have the places"}.get(word, word)
            raise Gone(f"the board gives no place: {why}", TAKEN)
        self.token = word.split()[1]
        self.flags = int(str(self._ask("hello", PROTOCOL)[11]))

    def round_trip(self) -> float:
        """Milliseconds until the state is there."""
        began = time.monotonic()
        self._ask("state")
        return 1000 * (time.monotonic() - began)

    def close(self) -> None:
        """Leave the place."""
        self._socket.close()

    def _ask(self, op: str, *args: object) -> list[object]:
        self._q = self._q % 255 + 1
        self._frame(BINARY, encode([op, self._q, *args]))
        while True:
            kind, data = self._message()
            for heard in self._lines.feed(data) if kind == BINARY else []:
                if heard[:2] == [op, self._q]:
                    return heard

    def _message(self) -> tuple[int, bytes]:
        while len(self._rest) < 2 or len(self._rest) < 2 + self._rest[1]:
            self._rest += self._take()
        kind, size = self._rest[0] & 15, self._rest[1]
        data, self._rest = self._rest[2 : 2 + size], self._rest[2 + size :]
        return kind, data

    def _frame(self, kind: int, data: bytes) -> None:
        mask = os.urandom(4)
        self._send(bytes([0x80 | kind, 0x80 | len(data)]) + mask + bytes(b ^ mask[i % 4] for i, b in enumerate(data)))

    def _send(self, data: bytes) -> None:
        try:
            self._socket.sendall(data)
        except OSError as error:
            raise Gone(f"the connection ended: {_reason(error)}", SAME_NETWORK) from error

    def _take(self) -> bytes:
        try:
            data = self._socket.recv(4096)
        except OSError as error:
            raise Gone(f"the board does not answer: {_reason(error)}", SAME_NETWORK) from error
        if not data:
            raise Gone("the board ended the connection", SAME_NETWORK)
        return data
