"""Feeds the link what nobody should send, a line at a time, and says when it does not bear it.

Run by MicroPython, whose stack is small. Answers are not printed, since the two interpreters read bad JSON differently
and may refuse it with other words.
"""

# ruff: noqa: PTH123

import sys
from binascii import crc32

from cribboard_core.journal import Journal
from cribboard_core.match import Match
from cribboard_core.wire import MAX_FRAME, Lines, encode
from cribboard_fw.entry import Entry
from cribboard_fw.keeper import Keeper
from cribboard_fw.link import Link


class Port:
    connected = True
    inbox = b""
    outbox = b""

    @property
    def in_waiting(self):
        return len(self.inbox)

    def read(self, n):
        data = self.inbox[:n]
        self.inbox = self.inbox[n:]
        return data

    def write(self, data):
        self.outbox += data
        return len(data)


match = Match()
journal = Journal(bytearray(b"\xff" * 4096))
journal.mount(match, 7)
keeper = Keeper(match, journal)
port = Port()
entry = Entry(match, lambda side, points, owner: link.pending(side, points, owner))
link = Link(port, keeper, entry, ("1.0.0", "e661", 2, 121, 2, 1))
keeper.on_event = link.event


def ask(frame):
    port.inbox += frame
    for _ in range(100):
        link.step()
        if not port.inbox and not link._asked:
            break
    lines = Lines()
    heard = lines.feed(port.outbox)
    port.outbox = b""
    assert not lines.passed_over
    return heard


def bear(line):
    rev = match.rev
    if line[:1] == b"[":
        line = b"\n%s*%08x\n" % (line, crc32(line))
    oks = [answer for answer in ask(line) if answer[0] == "ok"]
    assert match.rev <= rev + len(oks), line
    assert len(line) > MAX_FRAME or len(link._lines._rest) <= MAX_FRAME


count = 0
with open(sys.argv[1] if len(sys.argv) > 1 else "/corpus.txt") as corpus:
    for text in corpus:
        if text.strip():
            bear(bytes([int(text[i : i + 2], 16) for i in range(0, len(text.strip()), 2)]))
            count += 1
answer = ask(encode(["set", keeper.session + 1, 1, match.sides[0], 5, 3]))[-1]
assert answer == ["ok", keeper.session, 1, match.rev], answer
print("bore", count)
