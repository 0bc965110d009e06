"""The board's own page and the wire of its phones: a small server over sockets that never wait.

GET / is the page, read from the drive in pieces. GET /wire becomes a WebSocket, which `phones.py` serves. What is not a
short GET for this address, or comes from a page of another, is refused. A step does one piece of work for one
connection.
"""

from __future__ import annotations

from binascii import b2a_base64
from errno import EAGAIN

from cribboard_fw.clock import elapsed
from cribboard_fw.phones import message

TYPE_CHECKING = False
if TYPE_CHECKING:
    from io import BufferedReader

    from cribboard_fw.phones import Phones, Place
    from cribboard_fw.types import Hashes, Socket

MOST_PEERS = 4  # sockets are eight in all, and each may take 23 KB
HEAD_MS, MOST_HEAD, MOST_LINE = 3_000, 4096, 1024
SILENT_MS = 20_000
POLL_MS = 25  # each look in vain leaves 80 bytes of garbage
HOT_MS, HOT_FOR_MS = 5, 250  # for who has just said something
PIECE = 512  # bytes sent at once: CircuitPython's send waits when the network has no room
READ = 128  # read at once
MAGIC = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"  # RFC 6455
FIELDS = (b"host", b"origin", b"upgrade", b"sec-websocket-key", b"sec-websocket-version")
SAFE = b"X-Content-Type-Options: nosniff\r\nX-Frame-Options: DENY\r\nReferrer-Policy: no-referrer\r\n"
PAGE = b"Content-Type: text/html; charset=utf-8\r\nContent-Encoding: gzip\r\nCache-Control: no-cache\r\n"


class Peer:
    """A connection: while its head arrives, `head` counts that; then it has a page to be sent, or a place."""

    def __init__(self, socket: Socket, now: int) -> None:
        self.socket = socket
        self.since = self.heard = self.polled = now
        self.head = 0
        self.rest = b""  # read, and not looked at
        self.out = b""  # to be sent
        self.path = b""
        self.fields: dict[bytes, bytes] = {}
        self.file: BufferedReader | None = None
        self.stuck = False  # the network took nothing when it was tried last
        self.over = False  # it ends when all is sent
        self.id = b""
        self.place: Place | None = None

    def answer(self, status: bytes, fields: bytes, text: bytes = b"") -> None:
        """Send the answer's head and a text, and end."""
        self.out = b"HTTP/1.1 %s\r\n%s%sConnection: close\r\n" % (status, SAFE, fields)
        if text:
            self.out += b"Content-Type: text/plain\r\nContent-Length: %d\r\n" % len(text)
        self.out += b"\r\n" + text
        self.over = True


class Server:
    """Serves the page and the phones; `names` are the board's own addresses, `page` is the page's file."""

    def __init__(self, listener: Socket, names: list[bytes], page: str, phones: Phones, hashes: Hashes) -> None:
        self._listener = listener
        self._names = names
        self._page = page
        self._phones = phones
        self._hashes = hashes
        self._peers: list[Peer] = []
        self._turn = 0
        self._looked = self._idle = -1
        self._buffer = bytearray(READ)

    def step(self, now: int) -> bool:
        """Do one piece of work, for each connection in turn; returns whether anything came or went."""
        if self._idle >= 0 and elapsed(now, self._idle) < HOT_MS:
            return False  # a round in vain takes 0.4 ms
        self._idle = -1
        for _ in range(len(self._peers) + 1):
            self._turn = (self._turn + 1) % (len(self._peers) + 1)
            if self._accept(now) if self._turn == len(self._peers) else self._serve(self._peers[self._turn], now):
                return True
        self._idle = now
        return False

    def close(self) -> None:
        """End all connections, when the network is gone."""
        for peer in list(self._peers):
            self._end(peer)
        self._listener.close()

    def _accept(self, now: int) -> bool:
        if self._looked >= 0 and elapsed(now, self._looked) < POLL_MS:
            return False
        self._looked = now
        if len(self._peers) == MOST_PEERS:
            mute = [peer for peer in self._peers if not peer.place and not peer.path and not peer.rest]
            if not mute:
                return False  # whoever calls now waits in the queue of the network
        try:
            socket, _ = self._listener.accept()
        except OSError:
            return False
        if len(self._peers) == MOST_PEERS:  # browsers open connections in advance, others to no good end
            self._end(mute[0])
        socket.settimeout(0)
        self._peers.append(Peer(socket, now))
        return True

    def _serve(self, peer: Peer, now: int) -> bool:
        if peer.out or peer.file:
            if self._send(peer, now):
                return True
        elif peer.over:
            return self._end(peer)
        heading = peer.head >= 0 and not peer.over
        if elapsed(now, peer.since if heading else peer.heard) > (HEAD_MS if heading else SILENT_MS):
            return self._end(peer)
        if peer.out or peer.over:
            return False
        place = peer.place
        if place:
            if not self._phones.settled(peer, place) or place.inbox:
                return False
            taken = message(peer, place)
            if taken:
                return taken > 0 or self._end(peer)
        return self._read(peer, now)

    def _send(self, peer: Peer, now: int) -> bool:
        if peer.stuck and elapsed(now, peer.polled) < HOT_MS:
            return False
        if not peer.out and peer.file:
            peer.out = peer.file.read(PIECE)
            if not peer.out:
                peer.file.close()
                peer.file = None
                return True
        peer.polled = now
        try:
            sent = peer.socket.send(peer.out[:PIECE])
        except OSError as error:
            peer.stuck = error.errno == EAGAIN
            return not peer.stuck and self._end(peer)
        peer.stuck = not sent
        peer.out = peer.out[sent:]
        if not peer.place:
            peer.heard = now  # it takes the page
        return sent > 0

    def _read(self, peer: Peer, now: int) -> bool:
        if elapsed(now, peer.polled) < (HOT_MS if elapsed(now, peer.heard) < HOT_FOR_MS else POLL_MS):
            return False
        peer.polled = now
        try:
            count = peer.socket.recv_into(self._buffer)
        except OSError as error:
            return error.errno != EAGAIN and self._end(peer)
        if not count:
            return self._end(peer)
        peer.heard = now
        peer.rest += bytes(self._buffer[:count])
        if peer.head >= 0:
            self._line(peer)
        return True

    def _end(self, peer: Peer) -> bool:
        if peer.file:
            peer.file.close()
        if peer.place and peer.place.peer is peer:
            peer.place.peer = None
        try:
            peer.socket.close()
        except OSError:  # it has ended by itself
            pass
        self._peers.remove(peer)
        return True

    def _line(self, peer: Peer) -> None:
        """Take the lines of a head that have come."""
        end = peer.rest.find(b"\n")
        while end >= 0:
            line, peer.rest = peer.rest[:end].strip(), peer.rest[end + 1 :]
            peer.head += end + 1
            if not line:
                self._answer(peer)
                return
            if not peer.path:
                words = line.split()
                if len(words) != 3 or words[0] != b"GET" or words[2][:7] != b"HTTP/1.":
                    peer.answer(b"405 Method Not Allowed", b"Allow: GET\r\n", b"This board answers GET.\n")
                    return
                peer.path = words[1]
            else:
                name, colon, value = line.partition(b":")
                name = name.lower()
                if not colon or (name in FIELDS and name in peer.fields):
                    peer.answer(b"400 Bad Request", b"", b"This head has a field twice, or a line that is not one.\n")
                    return
                if name in FIELDS:
                    peer.fields[name] = value.strip()
            end = peer.rest.find(b"\n")
        if peer.head + len(peer.rest) > MOST_HEAD or len(peer.rest) > MOST_LINE:
            peer.answer(b"431 Request Header Fields Too Large", b"", b"This request is too long for a board.\n")

    def _answer(self, peer: Peer) -> None:
        """Answer a head that is whole."""
        fields = peer.fields
        host = fields.get(b"host", b"").lower()
        origin = fields.get(b"origin", b"").lower()
        path, _, query = peer.path.partition(b"?")
        if host.split(b":")[0] not in self._names or (origin and origin != b"http://" + host):
            peer.answer(b"403 Forbidden", b"", b"This is not an address of the board, or it comes from another page.\n")
        elif path == b"/":
            try:
                peer.file = file = open(self._page, "rb")  # noqa: SIM115 - it is sent in pieces
            except OSError:
                peer.answer(b"404 Not Found", b"", b"The board has no page: run cribboard install again.\n")
                return
            size = file.seek(0, 2)
            file.seek(0)
            peer.answer(b"200 OK", PAGE + b"Content-Length: %d\r\n" % size)
        elif path != b"/wire":
            peer.answer(b"404 Not Found", b"", b"The board has one page: /\n")
        elif not origin or len(fields) < len(FIELDS) or fields[b"upgrade"].lower() != b"websocket":
            peer.answer(b"426 Upgrade Required", b"Upgrade: websocket\r\n", b"This is the wire; the page is at /\n")
        elif fields[b"sec-websocket-version"] != b"13":
            peer.answer(b"426 Upgrade Required", b"Sec-WebSocket-Version: 13\r\n", b"Version 13 is spoken here.\n")
        else:
            proof = b2a_base64(self._hashes.new("sha1", fields[b"sec-websocket-key"] + MAGIC).digest()).strip()
            peer.out = b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            peer.out += b"Sec-WebSocket-Accept: %s\r\n\r\n" % proof
            peer.head = -1
            self._phones.welcome(peer, self._peers, query, self._names)
        peer.fields = {}
