"""Serves the board's page and a phone over sockets in memory, and prints every byte that goes out.

Run by both interpreters, which must say the same; its argument is the answers' path. The hashes are a stand-in, since
this MicroPython has not all of them.
"""

# ruff: noqa: PTH123

import sys
from binascii import crc32
from errno import EAGAIN

from cribboard_core.journal import Journal
from cribboard_core.match import Match
from cribboard_core.wire import encode
from cribboard_fw.entry import Entry
from cribboard_fw.keeper import Keeper
from cribboard_fw.link import Link
from cribboard_fw.links import join
from cribboard_fw.net import Server
from cribboard_fw.phones import BINARY, CLOSE, PING, TEXT, PhoneLink, Phones, Place

ANSWERS = sys.argv[1]
for status, body in ((200, bytes(range(256)) * 9), (404, b"Nothing here.\n")):
    with open(ANSWERS % status, "wb") as file:
        file.write(b"HTTP/1.1 %d Said\r\n\r\n" % status + body)


class Digest:
    def __init__(self, data):
        self.data = data

    def digest(self):
        return b"%08x" % crc32(self.data) * 4


class Hashes:
    def new(self, name, data):
        return Digest(name.encode() + data)


class Socket:
    def __init__(self):
        self.inbox = b""
        self.waiting = []
        self.sends = 0
        self.open = True

    def settimeout(self, seconds):
        pass

    def accept(self):
        if not self.waiting:
            raise OSError(EAGAIN, "again")
        return self.waiting.pop(0), None

    def recv_into(self, buffer):
        data = self.inbox[: len(buffer)]
        if not data:
            raise OSError(EAGAIN, "again")
        self.inbox = self.inbox[len(buffer) :]
        buffer[: len(data)] = data
        return len(data)

    def send(self, data):
        self.sends += 1
        if self.sends % 4 == 0:
            raise OSError(EAGAIN, "again")
        data = data[:100]
        print("sent", data)
        return len(data)

    def close(self):
        self.open = False


class Port:
    connected = False
    in_waiting = 0


class Parts:
    port = Port()


class App:
    def choose(self, *what):
        return list(what)


match = Match()
journal = Journal(bytearray(b"\xff" * 4096))
journal.mount(match, 7)
app = App()
app.parts = Parts()
app.keeper = Keeper(match, journal)
app.entry = Entry(match, lambda side, points, owner: app.link.pending(side, points, owner))
app.link = Link(app.parts.port, app.keeper, app.entry, ("1.0.0", "e661", 2, 121, 2, 1), app.choose)
places = [Place(), Place()]
join(app, [app.parts.port] + places, PhoneLink)  # noqa: RUF005
app.keeper.on_event = app.link.event
phones = Phones(places, "00112233445566778899aabbccddeeff", Hashes(), lambda: True)
listener = Socket()
server = Server(listener, [b"cribboard.local"], ANSWERS, phones, Hashes())
now = (1 << 29) - 300  # the ticks wrap on the way


def run(ms):
    global now
    for _ in range(ms // 5):
        now = (now + 5) % (1 << 29)
        server.step(now)
        app.link.step()


def connect(path, more=b""):
    socket = Socket()
    socket.inbox = b"GET %s HTTP/1.1\r\nHost: cribboard.local\r\n%s\r\n" % (path, more)
    listener.waiting.append(socket)
    run(400)
    return socket


def masked(op, data):
    mask = b"\x01\x82\x03\xf4"
    return bytes([op, 0x80 | len(data)]) + mask + bytes([data[at] ^ mask[at % 4] for at in range(len(data))])


print(connect(b"/").open, connect(b"/none").open)
UPGRADE = (
    b"Origin: http://cribboard.local\r\nUpgrade: websocket\r\nSec-WebSocket-Key: x\r\nSec-WebSocket-Version: 13\r\n"
)
phone = connect(b"/wire?one", UPGRADE)
for message in (
    ["hello", 1, 2],
    ["peg", 5, 1, 0, 12],
    ["hand", 5, 2, 1, "5H5C5SJD", "5D", 0, 29],
    ["count", 2, "5H5C5SJD", "5D", 0],
    ["count", 3, "5H5H", "5D", 0],
    ["state", 4],
    ["undo", 5, 3, 2],
):
    phone.inbox += masked(BINARY, encode(message))
    run(300)
for op, data in ((TEXT, b""), (PING, b"ping"), (BINARY, b"\xff" * 125), (BINARY, b"[" * 60)):
    phone.inbox += masked(op, data)
    run(100)
second = connect(b"/wire?two", UPGRADE)
third = connect(b"/wire?three&x&take", UPGRADE)
run(400)
print(phone.open, second.open, third.open, len(app.link.hosts._all))
third.inbox += b"\x82\x05hello"
second.inbox += masked(CLOSE, b"")
run(400)
print(phone.open, second.open, third.open, match.rev, [match.front(side) for side in match.sides])
