"""The phones that keep score over the board's page: their places at the board, their messages, and what they may ask.

A phone says `/wire?id&token&take`. The first text that it hears is `key` with the token and the board's addresses; or
`join`: without the token a phone joins while the set-up is open; or `full`: `take` then takes the place of the phone
that has scored least lately, while the set-up is open. `elsewhere` ends it: the same phone has come again, or another
one has its place. A binary message is a frame of the wire. An empty text comes back.
"""

from __future__ import annotations

from cribboard_core.events import COMMANDS
from cribboard_core.pack import CardError, named
from cribboard_core.show import count_read
from cribboard_fw.keeper import is_int, short
from cribboard_fw.links import PortLink

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from cribboard_fw.app import App
    from cribboard_fw.hosts import Hosts
    from cribboard_fw.net import Peer
    from cribboard_fw.types import Hashes, Port

MOST_MESSAGE = 125  # what a WebSocket's short length can say; a frame has 120
TEXT = 0x81
BINARY = 0x82
CLOSE = 0x88
PING = 0x89
PONG = 0x8A


class Place:
    """A phone's place at the board: the port of a link, as usb_cdc.data is.

    A phone settles once its link has seen that the one before is gone, so that nobody gets another's answers.
    """

    link: PortLink
    peer: Peer  # who has it, or had it
    connected = False  # whether a phone has settled
    in_waiting = 0  # bytes that can be read
    inbox = b""
    scored = 0  # the rev of its phone's last command, or of its hello

    def settled(self) -> bool:
        """Whether a phone that got the place has it, which is not at once."""
        if self.link.closed:
            self.connected = True
            self.link.closed = False
            self.in_waiting = 0
        return self.connected

    def read(self, n: int) -> bytes:
        """Up to n bytes that the phone has sent."""
        data, self.inbox = self.inbox[:n], self.inbox[n:]
        self.in_waiting = len(self.inbox)
        return data

    def write(self, data: bytes) -> int:
        """Send a frame when the one before has left; returns how many bytes were taken: all or none."""
        peer = self.peer
        if peer.out:
            return 0
        peer.out = framed(BINARY, data)
        peer.wait = 0
        return len(data)


class Phones:
    """Who has which place; the token comes from the key, `may_join` says whether the set-up is open."""

    def __init__(self, places: list[Place], key: str, hashes: Hashes, may_join: Callable[[], bool]) -> None:
        self._places = places
        self._token = hashes.new("sha256", b"cribboard " + key.encode()).digest()[:10].hex().encode()
        self._may_join = may_join

    def welcome(self, peer: Peer, peers: list[Peer], query: bytes, names: list[bytes]) -> None:
        """Give a phone a place, or say why not."""
        said = query.split(b"&") + [b"", b""]
        peer.id = said[0][:16]
        may_join = self._may_join()
        if not same(said[1], self._token) and not may_join:
            bye(peer, "join")
            return
        peer.place = place = self._place_for(peer, peers, may_join and said[2] == b"take")
        if place:
            place.peer = peer
            peer.out += framed(TEXT, b" ".join([b"key", self._token] + names))
        else:
            bye(peer, "full")

    def _place_for(self, peer: Peer, peers: list[Peer], take: bool) -> Place | None:
        free = self._places[:]
        leaver = None  # whose place it gets
        for other in peers:
            place = other.place
            if place:
                free.remove(place)
                if other.id == peer.id:  # it has come again
                    leaver, free = other, []
                    break
                if take and (not leaver or place.scored < leaver.place.scored):  # type: ignore[union-attr]
                    leaver = other
        if free:
            return free[0]
        if not leaver:
            return None
        place = leaver.place
        leaver.place = None
        place.connected = False  # type: ignore[union-attr]
        bye(leaver, "elsewhere")
        return place


def message(peer: Peer, place: Place) -> int:
    """Take a message that has come whole; returns 0 while none has, -1 for what no browser would send."""
    rest = peer.rest
    if len(rest) < 2:
        return 0
    op, size = rest[0], rest[1] ^ 0x80  # without the mask's bit it is 128 and more
    if op not in (TEXT, BINARY, CLOSE, PING, PONG) or size > MOST_MESSAGE or (op == TEXT and size):
        return -1
    if len(rest) < 6 + size:
        return 0
    data = b""
    if size:
        # As two large ints: 0.28 ms for 100 bytes on a Pico, where a loop over them takes 1.53.
        mask = (rest[2:6] * (size // 4 + 1))[:size]
        data = (int.from_bytes(rest[6 : 6 + size], "big") ^ int.from_bytes(mask, "big")).to_bytes(size, "big")
    peer.rest = rest[6 + size :]
    if op == BINARY:
        place.inbox = data
        place.in_waiting = size
    elif op == CLOSE:
        peer.out = framed(CLOSE, b"")
        peer.over = True
    elif op != PONG:
        peer.out = framed(TEXT if op == TEXT else PONG, data)
    return 1


def bye(peer: Peer, word: str) -> None:
    """Say the last word to a phone, and end."""
    peer.out += framed(TEXT, word.encode()) + framed(CLOSE, b"")
    peer.over = True
    peer.wait = 0


def framed(op: int, data: bytes) -> bytes:
    """A message to a browser, which takes them unmasked."""
    return bytes([op, len(data)]) + data


def same(one: bytes, other: bytes) -> bool:
    """Whether two secrets are the same; how long it takes says nothing of where they differ."""
    differs = len(one) ^ len(other)
    for at in range(len(other)):
        differs |= other[at] ^ (one[at] if at < len(one) else 256)
    return not differs


class PhoneLink(PortLink):
    """The link of a phone, for which the board counts hands, too."""

    def __init__(self, app: App, port: Port, number: int, hosts: Hosts) -> None:
        super().__init__(app, port, number, hosts)
        port.link = self  # type: ignore[attr-defined]

    def _answer(self, message: list[object]) -> list[object] | None:
        op = message[0] if len(message) > 1 else None
        if op == "count" and is_int(message[1], 1, 255):
            return count(message[1], message[2:])
        if op == "hello" or (isinstance(op, str) and op in COMMANDS):
            self._port.scored = self._keeper.match.rev + (op != "hello")  # type: ignore[attr-defined]
        return super()._answer(message)

    def _hello(self, q: int, args: list[object]) -> list[object]:
        answer = super()._hello(q, args)
        if answer[0] == "hello":
            answer[-1] += " count"  # type: ignore[operator]
        return answer


def count(q: int, args: list[object]) -> list[object]:
    """The answer to a query for what a hand counts: points, fifteens, pairs, runs, flush, nobs."""
    if len(args) == 3 and isinstance(args[0], str) and isinstance(args[1], str) and is_int(args[2], 0, 1):
        try:
            hand, starter = named(args[0]), named(args[1])
            if len(starter) == 1 and 3 <= len(hand) <= 5:
                shown = count_read(hand, starter[0], args[2] == 1)
                return ["count", q, shown.points, shown.fifteens, shown.pairs, shown.runs, shown.flush, shown.nobs]
        except CardError as error:
            return ["no", 0, q, "args", short(str(error))]
    return ["no", 0, q, "args", "count takes 3 to 5 cards, a starter and crib"]
