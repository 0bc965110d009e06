"""Plays matches over the wire on a board without lights, and prints every frame, state and byte of the journal.

Run by both interpreters, which must say the same. The commands come from a small generator of its own, since `random`
differs; many of them are refused, and that is meant.
"""

# ruff: noqa: RUF005, UP031

from binascii import crc32, hexlify

from cribboard_core.journal import Journal
from cribboard_core.match import Match
from cribboard_core.wire import Lines, encode
from cribboard_fw.keeper import Keeper
from cribboard_fw.link import Link

HANDS = (
    ("5H5C5SJD", "5D", 29),
    ("7C8D9HTS", "JC", 7),
    ("2C4D6H8S", "TD", 0),
    ("AC2C3C4C", "5C", 12),
    ("6H7H8H9H", "TD", 11),
    ("4H4C5S6D", "6H", 24),
    ("KSKHKDKC", "5S", 20),
)


class Nvm:
    """The RP2040's: bytes onto erased ones are programmed, anything else erases all."""

    def __init__(self):
        self.data = bytearray(b"\xff" * 4096)
        self.erases = 0

    def __len__(self):
        return len(self.data)

    def __getitem__(self, key):
        return self.data[key]

    def __setitem__(self, key, value):
        if bytes(self.data[key]) != b"\xff" * len(value):
            self.erases += 1
        self.data[key] = value


class Port:
    def __init__(self):
        self.connected = True
        self.inbox = b""
        self.outbox = b""

    @property
    def in_waiting(self):
        return len(self.inbox)

    def read(self, n):
        data = self.inbox[:n]
        self.inbox = self.inbox[n:]
        return data

    def write(self, data):
        self.outbox += bytes(data)
        return len(data)


class Entry:
    def put(self, side, points, owner, seconds):
        print("pending", side, points, owner, seconds)


class Dice:
    """A linear congruential generator: the same numbers everywhere."""

    def __init__(self, seed):
        self.state = seed

    def roll(self, sides):
        self.state = (self.state * 1103515245 + 12345) & 0x7FFFFFFF
        return (self.state >> 16) % sides


class Board:
    def __init__(self):
        self.nvm = Nvm()
        self.port = Port()
        self.boot()

    def boot(self):
        self.match = Match(121, 3, 2, 0, ())
        journal = Journal(self.nvm)
        print("found", journal.mount(self.match, 0xC0FFEE), journal.log.session, journal.log.last_id)
        self.keeper = Keeper(self.match, journal)
        self.link = Link(self.port, self.keeper, Entry(), ("1.0.0", "e661", 2, 121, 2, 1))
        self.keeper.on_event = self.link.event
        self.lines = Lines()

    def tell(self, message):
        self.port.inbox += encode(message)
        for _ in range(20):
            self.link.step()
        sent = self.port.outbox
        self.port.outbox = b""
        print(hexlify(sent).decode())
        for frame in self.lines.feed(sent):
            print(frame)

    def state(self):
        match = self.match
        scores = [
            (side, match.front(side), match.back(side), match.won(side), match.skunked(side)) for side in match.sides
        ]
        print("rev", match.rev, "dealer", match.dealer, "winner", match.winner, scores, match.can_undo, match.can_redo)
        print("nvm %08x" % crc32(bytes(self.nvm.data)), self.nvm.erases)


def command(dice, board, session, number):
    """The next command of a table that plays fast and not always well."""
    match = board.match
    side = match.sides[dice.roll(len(match.sides))]
    other = match.sides[dice.roll(len(match.sides))]
    op = dice.roll(100)
    head = [session, number]
    if match.winner >= 0 and op < 60:
        mask, sides = ((3, 2), (7, 3), (15, 2), (63, 3), (63, 6))[dice.roll(5)]
        return ["new"] + head + [match.rev, (61, 91, 121, 241)[dice.roll(4)], mask, sides, -1, -1, -1]
    if op < 40:
        return ["peg"] + head + [side, dice.roll(13) + (40 if dice.roll(15) == 0 else 0)]
    if op < 65:
        hand, starter, points = HANDS[dice.roll(len(HANDS))]
        return ["hand"] + head + [side, hand, starter, 0, points + (dice.roll(10) == 0)]
    if op < 70:
        return ["nibs"] + head + [side]
    if op < 75:
        return ["go"] + head + [side]
    if op < 79:
        return ["penalty"] + head + [side, 1 + dice.roll(3), dice.roll(2)]
    if op < 82:
        return ["muggins"] + head + [side, 1 + dice.roll(4), other]
    if op < 84:
        return ["false"] + head + [side, dice.roll(100)]
    if op < 86:
        front = dice.roll(match.target)
        return ["set"] + head + [side, front, max(0, front - dice.roll(5))]
    if op < 90:
        return ["deal"] + head + [-1]
    if op < 96:
        last = match.last()
        return ["undo"] + head + [last[1] - (dice.roll(4) == 0) if last else 0]
    following = match.next()
    return ["redo"] + head + [following[1] if following else 0]


board = Board()
dice = Dice(31)
board.tell(["hello", 1, 2])
for step in range(700):
    message = command(dice, board, 1 + step // 200, 1 + step % 200)
    print(step, message)
    board.tell(message)
    if step % 7 == 0:
        board.tell(message)
    board.state()
    if step % 50 == 49:
        board.tell(["state", 1 + step % 255])
        board.tell(["events", 1 + step % 255, max(0, board.match.rev - 5)])
        board.boot()
        board.state()
state = ["restore", 9, 1, board.match.rev, 121, 3, 2, 0, 91, 61, "2d2a1e14", [1, 2]]
board.tell(state)
board.tell(["pend", 3, 0, 5, 1, 20])
board.boot()
board.state()
print("passed over", board.lines.passed_over)
