"""One game: who plays, for how much, where the pegs are, and what each event replaced.

Every event stores the pegs, dealer and winner as they were before it, so taking it back is copying them.
"""

from __future__ import annotations

import struct

from cribboard_core.events import NEW, PLACES, Refused, check_setup, seats_of

NOBODY = 255  # the winner's byte while there is none
EVENT = "<BBBHBI"  # kind, side, a, b, c, rev
EVENT_BYTES = 10
MOST_WON = 999  # three digits, so that the games won by six sides fit a frame


class Game:
    """The state of one game and the history that undo and redo walk."""

    def __init__(self, rev: int, target: int, mask: int, sides: int, dealer: int, skunk: int, double: int) -> None:
        check_setup(target, mask, sides, dealer, skunk, double)
        self.rev = rev
        self.kind = NEW
        self.target = target
        self.mask = mask
        self.seats = seats_of(mask)
        self.sides = self.seats[:sides]
        self.skunk = skunk
        self.double = double
        self.won = [0] * sides  # before this game
        self.now = bytearray(2 * sides + 2)  # front and back of each side, dealer, winner
        self.now[-2] = dealer
        self.now[-1] = NOBODY
        self.history = bytearray()
        self.depth = 0  # events that undo can take back
        self.top = 0  # and above them, up to here, those that redo can bring back
        self.trimmed = False  # the oldest events were let go, so undo ends before the start

    def games_won(self, i: int) -> int:
        """Games won by the i-th side, this one included; the counter stops at MOST_WON."""
        return min(self.won[i] + (1 if self.now[-1] == i else 0), MOST_WON)

    def entry(self, index: int) -> tuple[tuple[int, ...], int]:
        """The (event, rev) at this depth of the history."""
        size = len(self.now)
        entry = struct.unpack_from(EVENT, self.history, index * (size + EVENT_BYTES) + size)
        return entry[:5], entry[5]

    def remember(self, rev: int, event: tuple[int, ...]) -> None:
        """Put the state as it is now, and the event that will change it, on top of the history."""
        size = len(self.now)
        stride = size + EVENT_BYTES
        p = self.depth * stride
        if p == len(self.history):
            self.history.extend(bytes(16 * stride))
        h = self.history
        h[p : p + size] = self.now
        kind, side, a, b, c = event
        struct.pack_into(EVENT, h, p + size, kind, side, a, b, c, rev)
        self.depth += 1

    def take_back(self) -> None:
        """Set the state to what the topmost event replaced."""
        self.depth -= 1
        self.now[:] = self.before(self.depth)

    def before(self, index: int) -> bytes:
        """The state (pegs, dealer, winner) that the event at this depth replaced."""
        size = len(self.now)
        p = index * (size + EVENT_BYTES)
        return bytes(self.history[p : p + size])

    def trim(self, keep: int) -> None:
        """Let go of all but the newest `keep` events, and of what redo could bring back."""
        stride = len(self.now) + EVENT_BYTES
        if keep < self.depth:
            self.trimmed = True
        self.history = bytearray(self.history[(self.depth - keep) * stride : self.depth * stride])
        self.depth = self.top = keep

    def pack(self, index: int = -1) -> bytes:
        """The game as bytes, as it is or as it was before the event at this depth of the history."""
        now = bytes(self.now) if index < 0 else self.before(index)
        won = b"".join([games.to_bytes(2, "little") for games in self.won])
        return bytes([self.target, self.mask, len(self.sides), self.skunk, self.double]) + now + won


def unpack(packed: bytes) -> Game:
    """A game from what `Game.pack` made; raises Refused for bytes that are no game."""
    if len(packed) < 5 or not 2 <= packed[2] <= PLACES or len(packed) != 7 + 4 * packed[2]:
        raise Refused("args", "%d bytes are no packed game" % len(packed))
    target, mask, sides, skunk, double = packed[:5]
    dealer, winner = packed[5 + 2 * sides], packed[6 + 2 * sides]
    game = Game(0, target, mask, sides, dealer, skunk, double)
    game.now[:] = packed[5 : 7 + 2 * sides]
    for i in range(sides):
        front, back = game.now[2 * i], game.now[2 * i + 1]
        if back > front or front > target or (front == target) != (winner == i):
            raise Refused("args", "pegs at %d and %d do not fit a game to %d" % (front, back, target))
        p = 7 + 2 * sides + 2 * i
        game.won[i] = packed[p] | packed[p + 1] << 8
    if winner != NOBODY and winner >= sides:
        raise Refused("args", "winner %d of %d sides" % (winner, sides))
    return game
