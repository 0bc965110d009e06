"""The board's own page and the wire of its phones: a small server over sockets that never wait.

GET / is the page, read from the drive in pieces. GET /wire becomes a WebSocket, which `phones.py` serves. What is not a
short GET for this address, or comes from a page of another, is refused: the drive has the whole answer for each status.
A step does one piece of work for one connection.
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
HEAD_MS = 3_000
MOST_HEAD = 4096
MOST_LINE = 1024
SILENT_MS = 20_000  # of a phone, and for a whole answer to leave
POLL_MS = 25  # each look in vain leaves 80 bytes of garbage
HOT_MS = 5  # for a connection that has just said something
HOT_FOR_MS = 250
PIECE = 512  # bytes sent at once: CircuitPython's send waits when the network has no room
READ = 128  # read at once
MAGIC = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"  # RFC 6455
FIELDS = (b"host", b"origin", b"upgrade", b"sec-websocket-key", b"sec-websocket-version")
SWITCH = (
    b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: %s\r\n\r\n"
)
MISSING = b"HTTP/1.0 500 \r\n\r\nRun cribboard install again.\n"  # the drive is not whole


class Peer:
    """A connection: while its head arrives, `head` counts that; then it has an answer to be sent, or a place."""

    head = 0
    rest = b""  # read, and not looked at
    out = b""  # to be sent
    path = b""
    file: BufferedReader | None = None  # the rest of the answer
    stuck = False  # the network took nothing when it was tried last
    over = False  # it ends when all is sent
    id = b""
    place: Place | None = None

    def __init__(self, socket: Socket, now: int) -> None:
        self.socket = socket
        self.since = self.heard = self.polled = now
        self.fields = [b""] * len(FIELDS)


class Server:
    """Serves the page and the phones; `names` are the board's addresses, `answers` is a path with %d for a status."""

    def __init__(self, listener: Socket, names: list[bytes], answers: str, phones: Phones, hashes: Hashes) -> None:
        self._listener = listener
        self._names = names
        self._answers = answers
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
        mute = None  # browsers open connections in advance, others to no good end
        if len(self._peers) == MOST_PEERS:
            for peer in self._peers:
                if not (peer.place or peer.path or peer.rest):
                    mute = mute or peer  # the oldest
            if not mute:
                return False  # new callers wait in the network's queue
        try:
            socket, _ = self._listener.accept()
        except OSError:
            return False
        if mute:
            self._end(mute)
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
                self._whole(peer)
                return
            if not peer.path:
                words = line.split()
                if len(words) != 3 or words[0] != b"GET" or words[2][:7] != b"HTTP/1.":
                    self._answer(peer, 405)
                    return
                peer.path = words[1]
            else:
                name, _, value = line.partition(b":")
                value = value.strip()
                at = FIELDS.index(name.lower()) if name.lower() in FIELDS else -1
                if name == line or (at >= 0 and (peer.fields[at] or not value)):
                    self._answer(peer, 400)
                    return
                if at >= 0:
                    peer.fields[at] = value
            end = peer.rest.find(b"\n")
        if peer.head + len(peer.rest) > MOST_HEAD or len(peer.rest) > MOST_LINE:
            self._answer(peer, 431)

    def _whole(self, peer: Peer) -> None:
        """Answer a head that is whole."""
        host, origin, upgrade, key, version = peer.fields
        host = host.lower()
        path, _, query = peer.path.partition(b"?")
        if host.split(b":")[0] not in self._names or origin.lower() not in (b"", b"http://" + host):
            self._answer(peer, 403)
        elif path != b"/wire":
            self._answer(peer, 200 if path == b"/" else 404)
        elif not origin or not key or upgrade.lower() != b"websocket" or version != b"13":
            self._answer(peer, 426)
        else:
            peer.out = SWITCH % b2a_base64(self._hashes.new("sha1", key + MAGIC).digest()).strip()
            peer.head = -1
            self._phones.welcome(peer, self._peers, query, self._names)
        peer.fields = []

    def _answer(self, peer: Peer, status: int) -> None:
        """Send the answer that the drive has for this status, and end."""
        peer.over = True
        try:
            peer.file = open(self._answers % status, "rb")  # noqa: SIM115 - it is sent in pieces
        except OSError:
            peer.out = MISSING
