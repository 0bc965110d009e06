"""Sockets in memory that fail as CircuitPython's do, a board that serves phones over them, and a browser's end."""

from __future__ import annotations

import hashlib
from base64 import b64encode
from errno import EAGAIN, EPIPE
from pathlib import Path

from firmware.rig import Rig

from cribboard_core.wire import Lines, encode
from cribboard_fw.clock import WRAP
from cribboard_fw.links import join
from cribboard_fw.net import Server
from cribboard_fw.phones import BINARY, CLOSE, TEXT, PhoneLink, Phones, Place

KEY = "00112233445566778899aabbccddeeff"
TOKEN = hashlib.sha256(b"cribboard " + KEY.encode()).hexdigest()[:20]
HOST = "cribboard.local"
MASK = b"\x11\x22\x33\x44"


class Socket:
    """The board's end; the browser's is `inbox` and `outbox`. It takes `most` bytes at once, `room` in all."""

    def __init__(self, most: int = 200) -> None:
        self.inbox = b""
        self.outbox = b""
        self.most = most
        self.room = 1 << 30
        self.open = True  # to the board
        self.gone = False  # the browser has left
        self.broken = False  # sending fails
        self.in_vain = 0

    def settimeout(self, seconds: float) -> None:
        assert seconds == 0

    def recv_into(self, buffer: bytearray) -> int:
        assert self.open
        data, self.inbox = self.inbox[: len(buffer)], self.inbox[len(buffer) :]
        if not data and not self.gone:
            self.in_vain += 1
            raise OSError(EAGAIN, "again")
        buffer[: len(data)] = data
        return len(data)

    def send(self, data: bytes) -> int:
        assert self.open
        if self.broken:
            raise OSError(EPIPE, "broken pipe")
        sent = min(len(data), self.most, self.room)
        if not sent:
            raise OSError(EAGAIN, "again")
        self.outbox += data[:sent]
        self.room -= sent
        return sent

    def accept(self) -> tuple[Socket, object]:
        raise AssertionError("only a listener accepts")

    def close(self) -> None:
        self.open = False


class Listener(Socket):
    """Those who have come and wait."""

    def __init__(self) -> None:
        super().__init__()
        self.waiting: list[Socket] = []

    def accept(self) -> tuple[Socket, object]:
        if not self.waiting:
            raise OSError(EAGAIN, "again")
        return self.waiting.pop(0), ("192.168.1.9", 50000)


class Board:
    """A board with a page and two places for phones, in a network."""

    def __init__(self, folder: Path | None = None) -> None:
        self.rig = Rig(start=WRAP - 65536)  # as on a chip that was just switched on
        self.answers = f"{folder}/%d.http"
        self._serve()

    def _serve(self) -> None:
        self.places = [Place(), Place()]
        self.phones = Phones(self.places, KEY, hashlib, lambda: self.rig.setup is not None)
        self.listener = Listener()
        names = [HOST.encode(), b"192.168.1.5"]
        self.server = Server(self.listener, names, self.answers, self.phones, hashlib)
        join(self.rig.app, [self.rig.port, *self.places], PhoneLink)

    def reset(self) -> None:
        """Power off and on: what is not in the flash is gone, and so are all connections."""
        for socket in [peer.socket for peer in self.server._peers] + self.listener.waiting:
            socket.close()
        self.rig.boot()
        self._serve()

    def run(self, ms: int) -> None:
        for _ in range(max(1, ms // 5)):
            self.server.step(self.rig.now)
            self.rig.now = (self.rig.now + 5) % WRAP
            self.rig.app.step(self.rig.now)

    def connect(self, data: bytes = b"", ms: int = 200) -> Socket:
        socket = Socket()
        socket.inbox = data
        self.listener.waiting.append(socket)
        self.run(ms)
        return socket

    def get(self, path: str = "/", ms: int = 200, method: str = "GET", **fields: str) -> Socket:
        return self.connect(head(path, method, **fields), ms)

    def phone(self, query: str, **fields: str) -> Phone:
        return Phone(self, self.get(f"/wire?{query}", **{**UPGRADE, **fields}))


def head(path: str, method: str = "GET", **fields: str) -> bytes:
    lines = [f"{method} {path} HTTP/1.1"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in {"Host": HOST, **fields}.items() if value]
    return "\r\n".join([*lines, "", ""]).encode()


UPGRADE = {
    "Origin": f"http://{HOST}",
    "Upgrade": "websocket",
    "Connection": "Upgrade",
    "Sec_WebSocket_Key": b64encode(b"the sample nonce").decode(),
    "Sec_WebSocket_Version": "13",
}


def masked(op: int, data: bytes) -> bytes:
    """A message as a browser sends it."""
    return bytes([op, 0x80 | len(data)]) + MASK + bytes(byte ^ MASK[at % 4] for at, byte in enumerate(data))


class Phone:
    """A browser's end of the wire."""

    def __init__(self, board: Board, socket: Socket) -> None:
        self.board = board
        self.socket = socket
        self.head = b""
        self.texts: list[str] = []
        self.closed = False
        self.lines = Lines()
        self.heard: list[list[object]] = []
        self.session = self.id = 0
        self.hear()

    def hear(self) -> None:
        rest, self.socket.outbox = self.socket.outbox, b""
        if not self.head:
            self.head, _, rest = rest.partition(b"\r\n\r\n")
        while rest:
            op, size, data = rest[0], rest[1], rest[2 : 2 + rest[1]]
            assert size <= 125 and len(data) == size, "a message is whole once the board has had time"
            rest = rest[2 + size :]
            if op == TEXT:
                self.texts.append(data.decode())
            elif op == BINARY:
                self.heard += self.lines.feed(data)
            self.closed = self.closed or op == CLOSE

    def send(self, op: int, data: bytes = b"", ms: int = 100) -> None:
        self.socket.inbox += masked(op, data)
        self.board.run(ms)
        self.hear()

    def ask(self, *message: object) -> list[object]:
        """The answer to a message; what is said unasked is dropped."""
        self.send(BINARY, encode(list(message)))
        answers = [heard for heard in self.heard if heard[0] not in ("ev", "say") and heard[:2] != ["pend", -1]]
        self.heard = []
        [answer] = answers
        return answer

    def greet(self, step: int = 1) -> None:
        session = self.ask("hello", 1, 2)[6]
        assert isinstance(session, int)
        self.session, self.id = (session + step) & 0xFFFF or 1, 0

    def peg(self, points: int = 1) -> list[object]:
        self.id += 1
        return self.ask("peg", self.session, self.id, 0, points)
