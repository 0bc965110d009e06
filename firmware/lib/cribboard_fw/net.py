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
HOT_MS = 5  # between looks in vain: the first, and so much more between the next
PIECE = 512  # bytes sent at once: CircuitPython's send waits when the network has no room
READ = 128  # read at once
MAGIC = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"  # RFC 6455
FIELDS = b":host:origin:upgrade:sec-websocket-key:sec-websocket-version:"  # one text takes a third of five
SWITCH = (
    b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: %s\r\n\r\n"
)
MISSING = b"HTTP/1.0 500 \r\n\r\nRun cribboard install again.\n"  # the drive is not whole


class Peer:
    """A connection: while its head arrives, `head` counts that; then it has an answer to be sent, or a place.

    It rests for `wait` ms after the last look; what gives it work ends that.
    """

    head = wait = 0
    rest = b""  # read, and not looked at
    out = b""  # to be sent
    path = b""
    file: BufferedReader | None = None  # the rest of the answer
    over = False  # it ends when all is sent
    id = b""
    place: Place | None = None

    def __init__(self, socket: Socket, now: int) -> None:
        self.socket = socket
        self.since = self.polled = now  # when it came, or a phone has last said something; when it was tried
        self.fields = [b""] * 5


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
        self._looked = self._idle = -POLL_MS
        self._buffer = bytearray(READ)

    def step(self, now: int) -> bool:
        """Do one piece of work, for each connection in turn; returns whether anything came or went.

        The waits here end early when the time wraps, which harms nothing; `elapsed` would take twice as long.
        """
        if 0 <= now - self._idle < HOT_MS:
            return False
        peers = self._peers
        for _ in range(len(peers) + 1):
            self._turn = turn = (self._turn + 1) % (len(peers) + 1)
            if turn == len(peers):
                busy = self._accept(now)
            else:
                peer = peers[turn]
                busy = not 0 <= now - peer.polled < peer.wait and self._serve(peer, now)
            if busy:
                return True
        self._idle = now
        return False

    def close(self) -> None:
        """End all connections, when the network is gone."""
        while self._peers:
            self._end(self._peers[0])
        self._listener.close()

    def _accept(self, now: int) -> bool:
        if 0 <= now - self._looked < POLL_MS:
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
        if elapsed(now, peer.since) > (SILENT_MS if peer.head < 0 else HEAD_MS):
            return self._end(peer)
        if peer.out or peer.over:
            return False
        place = peer.place
        if place:
            if not place.settled() or place.in_waiting:
                return False
            taken = message(peer, place)
            if taken:
                return taken > 0 or self._end(peer)
        return self._read(peer, now)

    def _send(self, peer: Peer, now: int) -> bool:
        if not peer.out and peer.file:
            peer.out = peer.file.read(PIECE)
            if not peer.out:
                peer.file.close()
                peer.file = None
                return True
        peer.polled = now
        try:
            sent = peer.socket.send(peer.out)
        except OSError as error:
            peer.wait = HOT_MS
            return error.errno != EAGAIN and self._end(peer)
        peer.wait = 0 if sent else HOT_MS
        peer.out = peer.out[sent:]
        return sent > 0

    def _read(self, peer: Peer, now: int) -> bool:
        peer.polled = now
        try:
            count = peer.socket.recv_into(self._buffer)
        except OSError as error:
            peer.wait = min(peer.wait + HOT_MS, POLL_MS)
            return error.errno != EAGAIN and self._end(peer)
        if not count:
            return self._end(peer)
        peer.wait = 0
        peer.rest += self._buffer[:count]
        if peer.head < 0:
            peer.since = now
            return True
        peer.head += count
        status = self._line(peer)
        if status:
            peer.over = True
            peer.head = -1
            try:
                peer.file = open(self._answers % status, "rb")  # noqa: SIM115 - it is sent in pieces
            except OSError:
                peer.out = MISSING
        return True

    def _end(self, peer: Peer) -> bool:
        if peer.file:
            peer.file.close()
        if peer.place:
            peer.place.connected = False
        try:
            peer.socket.close()
        except OSError:  # it has ended by itself
            pass
        self._peers.remove(peer)
        return True

    def _line(self, peer: Peer) -> int:
        """Take the lines of a head that have come; returns the status to be answered, 0 for none yet."""
        while True:
            line, end, rest = peer.rest.partition(b"\n")
            if not end:
                return 431 if peer.head > MOST_HEAD or len(line) > MOST_LINE else 0
            peer.rest = rest
            line = line.strip()
            if not line:
                return self._whole(peer)
            if not peer.path:
                words = line.split()
                if len(words) != 3 or words[0] != b"GET" or words[2][:7] != b"HTTP/1.":
                    return 405
                peer.path = words[1]
            else:
                name, colon, value = line.partition(b":")
                at = FIELDS.find(colon + name.lower() + colon)
                value = value.strip()
                if not colon:
                    return 400
                if at >= 0:
                    at = FIELDS[:at].count(colon)
                    if peer.fields[at] or not value:
                        return 400
                    peer.fields[at] = value

    def _whole(self, peer: Peer) -> int:
        """The status for a head that is whole, 0 for a phone, which is welcome."""
        host, origin, upgrade, key, version = peer.fields
        host = host.lower()
        path, _, query = peer.path.partition(b"?")
        # The host against DNS rebinding, by which another site's page reaches the board under a name of its own; the
        # origin against that page's requests to the board's name.
        if host.split(b":")[0] not in self._names or origin.lower() not in (b"", b"http://" + host):
            return 403
        if path != b"/wire":
            return 200 if path == b"/" else 404
        if not origin or not key or upgrade.lower() != b"websocket" or version != b"13":
            return 426
        peer.out = SWITCH % b2a_base64(self._hashes.new("sha1", key + MAGIC).digest()).strip()
        peer.head = -1
        peer.fields = []
        self._phones.welcome(peer, self._peers, query, self._names)
        return 0
