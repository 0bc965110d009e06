"""The points of a client: each starts its command at a board of this process, and makes trouble between the two.

The board is the firmware's own link, keeper and journal over a memory, behind a pseudo-terminal (Linux and macOS). What
the client says became of its commands is held against what the board did.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import subprocess
import sys
import tempfile
import time
import tty
from collections.abc import Callable, Iterator
from itertools import groupby, pairwise
from pathlib import Path

from client import Message, decode, encode
from trial import Wrong

sys.path.insert(0, str(Path(__file__).parents[1] / "lib"))

from cribboard_core.events import KINDS, PEG
from cribboard_core.journal import Journal
from cribboard_core.match import Match
from cribboard_core.records import place
from cribboard_fw.entry import Entry
from cribboard_fw.keeper import Keeper
from cribboard_fw.link import Link

SOON_S = 20.0  # a client that says nothing for so long is stuck; it may give up after five seconds
SHORTEST_S, LONGEST_S = 0.015, 0.3  # between two frames; 20 to 200 ms by the description, and something for the clocks
UID = "e6614c311b4f2a2f"
Frame = bytes


class Port:
    """The board's end: what has come in, and what is to go out."""

    connected = True

    def __init__(self) -> None:
        self.inbox = self.outbox = b""

    @property
    def in_waiting(self) -> int:
        """Bytes to read."""
        return len(self.inbox)

    def read(self, size: int) -> bytes:
        """The next bytes."""
        data, self.inbox = self.inbox[:size], self.inbox[size:]
        return data

    def write(self, data: bytes) -> int:
        """Send bytes."""
        self.outbox += bytes(data)
        return len(data)


class Bench:
    """A board and a client's command. `toward` and `back` make of a message what arrives of it, as frames."""

    def __init__(self, command: list[str], folder: Path) -> None:
        self.command = command
        self.folder = folder
        self.memory = bytearray(b"\xff" * 4096)
        self.epoch = 1000
        self.applied: list[tuple[int, tuple[int, ...]]] = []  # all that ever happened, with its rev
        self.sent: list[tuple[float, Message]] = []  # by the client, with the time
        self.said: list[Message] = []  # by the client, and not looked at yet
        self.toward: Callable[[Message], list[Frame]] = lambda message: [encode(message)]
        self.back: Callable[[Message], list[Frame]] = lambda message: [encode(message)]
        self.process: subprocess.Popen[bytes] | None = None
        self.points = 0
        self.boot()

    def boot(self) -> None:
        """Switch the board on."""
        self.match = Match()
        self.journal = Journal(self.memory)
        self.journal.mount(self.match, self.epoch)
        self.keeper = Keeper(self.match, self.journal)
        self.port = Port()
        entry = Entry(self.match, lambda *change: self.link.pending(*change))
        self.link: Link = Link(self.port, self.keeper, entry, ("1.0.0", UID, 2, 121, 2, 1))
        self.keeper.on_event = self.happened

    def happened(self, rev: int, event: tuple[int, ...], session: int, number: int) -> None:
        """Note an event, and tell the client."""
        self.applied.append((rev, event))
        self.link.event(rev, event, session, number)

    def lose(self, what: str) -> None:
        """The board loses its whole journal, the newest record or its page, and starts again."""
        at = place(self.journal.log.kept[-1])
        if what == "journal":
            self.memory[:] = b"\xff" * 4096
        elif what == "newest event":
            self.memory[at : at + 4] = bytes(4)
        else:  # which reads as if nothing had ever been written there, so that the board has no sign of it
            at -= at % 256
            self.memory[at : at + 256] = b"\xff" * 256
        self.epoch += 1
        self.boot()

    def start(self, *, ready: bool = True) -> None:
        """Start the client; it has met the board when this returns."""
        self.master, slave = os.openpty()
        tty.setraw(slave)
        self.came = self.lines = b""
        words = [*self.command, os.ttyname(slave), str(self.folder)]
        self.process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert self.process.stdout is not None
        self.slave, self.out = slave, self.process.stdout.fileno()
        self.port.inbox = self.port.outbox = b""
        if ready:
            self.until(lambda: bool(self.said) and self.said[-1] == ["ready"], "says that it is ready")
            self.said.pop()

    def stop(self) -> None:
        """Kill the client, and pull the cable."""
        if self.process is not None:
            self.process.kill()
            self.process.communicate()
            for end in (self.master, self.slave):
                os.close(end)
            self.process = None

    def give(self, op: str, *args: object) -> None:
        """Give the client a command."""
        assert self.process is not None and self.process.stdin is not None
        self.process.stdin.write(json.dumps([op, *args]).encode() + b"\n")
        self.process.stdin.flush()

    def peg(self) -> Message:
        """Have the client peg points that nobody else pegs; gives what it says of them."""
        self.give("peg", 0, self.next_points())
        return self.result()

    def next_points(self) -> int:
        """Points of a command of the client; those of others are above ten."""
        self.points += 1
        return self.points

    def result(self) -> Message:
        """What the client says next."""
        self.until(lambda: bool(self.said), "says what became of its command")
        return self.said.pop(0)

    def until(self, done: Callable[[], bool], what: str) -> None:
        """Let both go on until something is done; raises Wrong if it is not done soon, or the client ends before."""
        ends = time.monotonic() + SOON_S
        while not done():
            alive = self.pump()
            if not alive and not done():
                raise Wrong(f"the client ended before it {what}")
            if time.monotonic() > ends:
                raise Wrong(f"the client never {what}")

    def wait(self, seconds: float) -> None:
        """Let both go on for a while."""
        ends = time.monotonic() + seconds
        while time.monotonic() < ends:
            self.pump()

    def pump(self) -> bool:
        """Pass on what there is, and let the board work; gives whether the client is still there."""
        ready, _, _ = select.select([self.master, self.out], [], [], 0.002)
        alive = True
        if self.master in ready:
            *lines, self.came = (self.came + os.read(self.master, 4096)).split(b"\n")
            for message in filter(None, map(decode, lines)):
                self.sent.append((self.sent_s(), message))
                self.port.inbox += b"".join(self.toward(message))
        if self.out in ready:
            data = os.read(self.out, 4096)
            *lines, self.lines = (self.lines + data).split(b"\n")
            self.said += [json.loads(line) for line in lines]
            alive = bool(data)
        while self.link.step() or self.port.inbox:
            pass
        out, self.port.outbox = self.port.outbox, b""
        for message in filter(None, map(decode, out.split(b"\n"))):
            for frame in self.back(message):
                os.write(self.master, frame)
        return alive

    def sent_s(self) -> float:
        """When the client sent the message that is looked at now."""
        return time.monotonic()

    def commands(self) -> list[Message]:
        """The commands that the client has sent, each as often as it was."""
        return [message for _, message in self.sent if message[0] in KINDS]

    def fronts(self) -> list[int]:
        """The front pegs."""
        return [self.match.front(side) for side in self.match.sides]

    def times(self, points: int) -> int:
        """How often the board has pegged points of a command of the client."""
        return sum(1 for _, event in self.applied if event == (PEG, 0, points, 0, 0))

    def other(self, points: int, session: int = 0, number: int = 0) -> None:
        """Somebody else pegs points for side 1: the buttons, or a program with this tag."""
        if session:
            self.keeper.command(["peg", session, number, 1, points])
        else:
            self.keeper.do((PEG, 1, points, 0, 0))


def insist(right: object, wrong: str) -> None:
    """Raise Wrong unless something is right."""
    if not right:
        raise Wrong(wrong)


def lost(times: int, ops: Callable[[str], bool]) -> Callable[[Message], list[Frame]]:
    """Loses so many messages of some kinds."""
    left = [times]

    def pass_on(message: Message) -> list[Frame]:
        if ops(message[0]) and left[0]:
            left[0] -= 1
            return []
        return [encode(message)]

    return pass_on


def is_answer(op: str) -> bool:
    """Whether a message answers a command."""
    return op in ("ok", "no")


def says_hello_first(bench: Bench) -> None:
    """hello comes first, then the state, before any command"""
    bench.start()
    bench.peg()
    ops = [message[0] for _, message in bench.sent]
    insist(ops[0] == "hello" and ops.index("state") < ops.index("peg"), f"it sent {ops}")


def picks_a_session(bench: Bench) -> None:
    """its session is 1 to 500 past the board's, its first id 1"""
    bench.keeper.command(["peg", 65400, 9, 1, 20])
    bench.start()
    said = bench.peg()
    _, session, number, *_ = bench.commands()[0]
    insist(1 <= (session - 65400) % 65536 <= 501 and session, f"session {session} after 65400")
    insist(number == 1 and said == ["ok", 2], f"id {number}, and it says {said}")


def counts_ids(bench: Bench) -> None:
    """each new command has the next id, refused ones too"""
    bench.start()
    bench.peg()
    bench.give("peg", 4, 1)
    insist(bench.result() == ["no", "side"], "a refused command")
    bench.peg()
    ids = [frame[2] for frame, _ in groupby(bench.commands())]  # on a slow computer it may send one again
    insist(ids == [1, 2, 3], f"the ids are {ids}")


def says_every_command(bench: Bench) -> None:
    """every command, and what became of it"""
    bench.start()
    given: list[tuple[Message, Message]] = [
        (["new", 0, 121, 3, 2, 0, -1, -1], ["ok", 1]),
        (["hand", 1, "5H5C5SJD", "5D", 0, 29], ["ok", 2]),
        (["hand", 1, "5H5C5SJD", "5D", 0, 28], ["no", "count"]),
        (["nibs", 0], ["ok", 3]),
        (["go", 1], ["ok", 4]),
        (["penalty", 1, 2, 0], ["ok", 5]),
        (["muggins", 0, 3, 1], ["ok", 6]),
        (["set", 0, 60, 50], ["ok", 7]),
        (["false", 0, 58], ["ok", 8]),
        (["deal", -1], ["ok", 9]),
        (["undo", 9], ["ok", 10]),
        (["redo", 9], ["ok", 11]),
        (["redo", 9], ["no", "nothing"]),
        (["restore", 11, 121, 3, 2, 1, 91, 61, "3c325046", [0, 0]], ["ok", 12]),
    ]
    for command, expected in given:
        bench.give(*command)
        said = bench.result()
        insist(said == expected, f"{command} became {said}, not {expected}")


def sends_again(bench: Bench) -> None:
    """without an answer it sends the same frame again, and more slowly"""
    bench.start()
    bench.back = lost(6, is_answer)
    insist(bench.peg() == ["ok", 1], "the answer was lost six times")
    times = [at for at, message in bench.sent if message[0] == "peg"]
    waits = [after - before for before, after in pairwise(times)]
    insist(len({json.dumps(message) for message in bench.commands()}) == 1, f"it sent {bench.commands()}")
    middle = sorted(waits)[len(waits) // 2]  # single ones look short or long on a computer that is busy
    insist(SHORTEST_S <= middle <= LONGEST_S, f"it sent again after {middle:.3f} s")
    insist(bench.times(1) == 1, "it counted twice")


def sends_again_what_was_lost(bench: Bench) -> None:
    """a command that was lost on its way is sent again"""
    bench.start()
    bench.toward = lost(3, lambda op: op in KINDS)
    insist(bench.peg() == ["ok", 1] and bench.times(1) == 1, "the command was lost three times")


def gives_up(bench: Bench) -> None:
    """after five seconds without an answer it ends, and finds out later"""
    bench.start()
    bench.back = lost(10**9, is_answer)
    bench.give("peg", 0, 1)
    began = time.monotonic()
    insist(bench.result()[0] == "gone", "it does not say that the board is gone")
    insist(4.5 < time.monotonic() - began < 10, f"it gave up after {time.monotonic() - began:.1f} s")
    bench.stop()
    bench.back = lambda message: [encode(message)]
    bench.start()
    insist(bench.result() == ["ok", 1] and bench.times(1) == 1, "it did not find out that its command had counted")


def skips_damage(bench: Bench) -> None:
    """it skips console text, damaged frames and torn ones"""

    def noisy(message: Message) -> list[Frame]:
        frame = encode(message)
        damaged = frame.replace(b"ok", b"no", 1) if b"ok" in frame else frame[:5] + b"9" + frame[6:]
        return [b"Traceback\r\n", b"\xff\xfe[1,2]\n", damaged, frame[: len(frame) // 2], frame]

    bench.back = noisy
    bench.start()
    insist(bench.peg() == ["ok", 1], "there was noise on the line")


def skips_what_it_does_not_know(bench: Bench) -> None:
    """it skips messages and items that it does not know"""

    def later(message: Message) -> list[Frame]:
        known = message[0] not in ("no", "events", "say")
        news: list[Message] = [["tune", 1, 2], ["say", "all well"], ["pend", -1, 0, 3, 0], ["pend", -1, 0, 0, 0]]
        return [*(encode(new) for new in news), encode([*message, "more"] if known else message)]

    bench.back = later
    bench.start()
    insist(bench.peg() == ["ok", 1], "a board of a later version")


def skips_other_answers(bench: Bench) -> None:
    """it takes no answer but its own"""

    def others(message: Message) -> list[Frame]:
        wrong: list[Message] = [["no", 0, 0, "op", "what"]]
        if is_answer(message[0]):
            session, number = message[1:3]
            wrong += [["ok", session % 65535 + 1, number, 99], ["ok", session, number % 255 + 1, 99]]
            wrong += [["no", session, number % 255 + 1, "points", "no"], ["no", 0, number, "args", "no"]]
        elif message[0] == "state":
            wrong += [["state", message[1] % 255 + 1, 7, 7, 121, 3, 2, 0, 91, 61, -1, "07060000", [0, 0]]]
        return [*map(encode, wrong), encode(message)]

    bench.start()
    bench.back = others
    insist(bench.peg() == ["ok", 1], "answers to others came first")


def takes_pieces(bench: Bench) -> None:
    """it puts an answer together that comes byte by byte"""
    bench.back = lambda message: [bytes([byte]) for byte in encode(message)]
    bench.start()
    insist(bench.peg() == ["ok", 1], "the answer came byte by byte")


def takes_the_next_session(bench: Bench) -> None:
    """after id 255 it takes the next session, and after q 255 it goes on with 1"""
    bench.start()
    for _ in range(255):
        bench.give("peg", 4, 1)
    for _ in range(255):
        insist(bench.result() == ["no", "side"], "a refused command")
    insist(bench.peg() == ["ok", 1], "the command after id 255")
    tags = [message[1:3] for message in bench.commands()]
    sessions = list(dict.fromkeys(session for session, _ in tags))
    insist(tags[-1][1] == 1 and len(sessions) == 2, f"its last tag is {tags[-1]}")
    insist(1 <= (sessions[1] - sessions[0]) % 65536 <= 501, f"its sessions are {sessions}")
    asked = [message[1] for _, message in bench.sent if message[0] not in KINDS]
    insist(all(type(q) is int and 1 <= q <= 255 for q in asked), f"its queries have the numbers {sorted(set(asked))}")


def killed_after(bench: Bench) -> None:
    """killed after its command counted, it says so at its next start"""
    bench.start()
    bench.back = lost(10**9, is_answer)
    bench.give("peg", 0, 1)
    bench.until(lambda: bench.times(1) > 0, "sends its command")
    bench.stop()
    bench.back = lambda message: [encode(message)]
    bench.start()
    insist(bench.result() == ["ok", 1] and bench.times(1) == 1, "it did not find out what had become of it")


def killed_before(bench: Bench) -> None:
    """killed before its command arrived, it sends the same frame at its next start"""
    bench.start()
    bench.toward = lost(10**9, lambda op: op in KINDS)
    bench.give("peg", 0, 1)
    bench.until(lambda: bool(bench.commands()), "sends its command")
    bench.stop()
    bench.toward = lambda message: [encode(message)]
    bench.start()
    insist(bench.result() == ["ok", 1] and bench.times(1) == 1, "the noted command was not sent again")
    insist(len({json.dumps(message) for message in bench.commands()}) == 1, f"it sent {bench.commands()}")


def board_restarts(bench: Bench) -> None:
    """a board that restarts, with refused commands before and an answer lost"""
    bench.start()
    bench.peg()
    for _ in range(3):
        bench.give("peg", 4, 1)
        bench.result()
    bench.back = lost(10**9, is_answer)
    points = bench.next_points()
    bench.give("peg", 0, points)
    bench.until(lambda: bench.times(points) > 0, "sends its command")
    bench.stop()
    bench.boot()
    bench.back = lambda message: [encode(message)]
    bench.start()
    insist(bench.result() == ["ok", 2] and bench.times(points) == 1, "the command before the restart")
    bench.said.clear()
    insist(bench.peg() == ["ok", 3], "the command after the restart")


def refused_before_a_restart(bench: Bench) -> None:
    """ten refused commands, a restart of the board, and the next command counts"""
    bench.start()
    bench.peg()
    for _ in range(10):
        bench.give("peg", 4, 1)
        bench.result()
    bench.stop()
    bench.boot()
    bench.start()
    bench.said.clear()
    insist(bench.peg() == ["ok", 2] and bench.times(2) == 1, "the command after the restart")


def old_ok(bench: Bench) -> None:
    """an ok for an older event is not taken: another program has used its next tag"""
    bench.start()
    bench.peg()
    _, session, number, *_ = bench.commands()[-1]
    bench.stop()
    bench.other(11, session, number + 1)
    bench.start()
    bench.said.clear()
    said = bench.peg()
    insist(
        (said[0] == "ok") == (bench.times(2) == 1), f"it says {said}, and the board pegged it {bench.times(2)} times"
    )


def strange_ok(bench: Bench) -> None:
    """an ok for another program's event under its tag is not taken after a break"""
    bench.start()
    bench.toward = lost(10**9, lambda op: op in KINDS)
    bench.give("peg", 0, 1)
    bench.until(lambda: bool(bench.commands()), "sends its command")
    bench.stop()
    _, session, number, *_ = bench.commands()[-1]
    bench.other(11, session, number)
    bench.toward = lambda message: [encode(message)]
    bench.start()
    said = bench.result()
    insist(said[0] in ("ok", "no"), f"it says {said}, but it can find out")
    insist(
        (said[0] == "ok") == (bench.times(1) == 1), f"it says {said}, and the board pegged it {bench.times(1)} times"
    )
    bench.said.clear()
    bench.next_points()
    insist(bench.peg() == ["ok", len(bench.applied)], "the next command")


def taken_over(bench: Bench) -> None:
    """another program takes over while a command is on its way, and it finds out"""
    bench.start()
    bench.toward = lost(10**9, lambda op: op in KINDS)
    bench.give("peg", 0, 1)
    bench.until(lambda: bool(bench.commands()), "sends its command")
    bench.stop()
    bench.other(11, (bench.commands()[-1][1] + 7) & 0xFFFF or 1, 1)
    bench.toward = lambda message: [encode(message)]
    bench.start()
    said = bench.result()
    insist(
        (said[0] == "ok") == (bench.times(1) == 1), f"it says {said}, and the board pegged it {bench.times(1)} times"
    )
    bench.said.clear()
    bench.next_points()
    insist(bench.peg() == ["ok", len(bench.applied)], "the next command")


def gives_back(what: str, left: bool) -> Callable[[Bench], None]:
    """It gives back what the board has lost, with or without a command that was left."""

    def point(bench: Bench) -> None:
        bench.start()
        for _ in range(3):
            bench.peg()
        if left:
            bench.toward = lost(10**9, lambda op: op in KINDS)
            bench.give("peg", 0, bench.next_points())
            bench.until(lambda: len({str(message) for message in bench.commands()}) > 3, "sends its command")
        bench.stop()
        bench.lose(what)
        bench.toward = lambda message: [encode(message)]
        bench.start()
        said = bench.said
        insist(["healed"] in said, f"it says {said}")
        insist(not left or [line[0] for line in said] == ["healed", "ok"], f"it says {said}")
        insist(bench.fronts() == [10 if left else 6, 0], f"the pegs are at {bench.fronts()}")
        bench.said.clear()
        insist(bench.peg()[0] == "ok", "the next command")

    command = " and sends the command that was left once" if left else ""
    point.__doc__ = f"it gives the state back to a board that has lost its {what}{command}"
    return point


def gone_on(bench: Bench) -> None:
    """it leaves a board alone that has lost its journal and gone on, and says so"""
    bench.start()
    for _ in range(3):
        bench.peg()
    bench.stop()
    bench.lose("journal")
    for _ in range(5):
        bench.other(11)
    bench.start()
    insist(["lost"] in bench.said and ["healed"] not in bench.said, f"it says {bench.said}")
    insist(bench.fronts() == [0, 55], f"the pegs are at {bench.fronts()}")
    bench.said.clear()
    insist(bench.peg() == ["ok", 6], "the next command")


def gone_on_a_little(bench: Bench) -> None:
    """so it does when fewer events came since than were lost"""
    bench.start()
    for _ in range(4):
        bench.peg()
    bench.stop()
    bench.lose("journal")
    bench.other(11)
    bench.start()
    insist(["lost"] in bench.said and ["healed"] not in bench.said, f"it says {bench.said}")
    insist(bench.fronts() == [0, 11], f"the pegs are at {bench.fronts()}")


def another_under_its_number(bench: Bench) -> None:
    """so it does when another event has the number of the one that was lost"""
    bench.start()
    for _ in range(3):
        bench.peg()
    bench.stop()
    bench.lose("newest page")
    for _ in range(3):
        bench.other(0)
    insist(bench.match.rev == 3, "the board is at the event that the client knows")
    bench.start()
    insist(["lost"] in bench.said and ["healed"] not in bench.said, f"it says {bench.said}")
    bench.said.clear()
    insist(bench.peg() == ["ok", 4], "the next command")


def by_turns(bench: Bench) -> None:
    """two programs by turns: each command counts, and it can tell"""
    for turn in range(4):
        bench.start()
        said = bench.peg()
        insist(said == ["ok", len(bench.applied)], f"in turn {turn + 1} it says {said}")
        bench.stop()
        bench.other(11, (bench.keeper.session + 3) & 0xFFFF or 1, 1)
        bench.other(12, bench.keeper.session, 2)


def no_old_undo(bench: Bench) -> None:
    """an undo that was left is not sent to a board that has lost its journal"""
    bench.start()
    for _ in range(3):
        bench.peg()
    bench.toward = lost(10**9, lambda op: op in KINDS)
    bench.give("undo", 3)
    bench.until(lambda: bench.commands()[-1][0] == "undo", "sends its undo")
    bench.stop()
    bench.lose("journal")
    bench.toward = lambda message: [encode(message)]
    bench.start()
    insist(sorted(bench.said) == [["healed"], ["no", "lost"]], f"it says {bench.said}")
    insist(bench.fronts() == [6, 0], f"the pegs are at {bench.fronts()}")


def unanswered(bench: Bench) -> int:
    """The points of a command whose answer gets lost; then the program is killed."""
    bench.start()
    bench.peg()
    bench.back = lost(10**9, is_answer)
    points = bench.next_points()
    bench.give("peg", 0, points)
    bench.until(lambda: bench.times(points) > 0, "sends its command")
    bench.stop()
    return points


def given_back_by_another(bench: Bench) -> None:
    """a command that may have come back with another program's restore is not sent again, and nobody can tell"""
    unanswered(bench)
    pegs = bytes(bench.match.play.now[:-2]).hex()
    bench.lose("newest event")
    session = (bench.keeper.session + 7) & 0xFFFF or 1
    setup: Message = [121, 3, 2, bench.match.dealer, 91, 61, pegs, [0, 0]]
    bench.keeper.command(["restore", session, 1, bench.match.rev, *setup])
    while bench.keeper.goes_on():
        pass
    bench.back = lambda message: [encode(message)]
    bench.start()
    insist(["unknown"] in bench.said, f"it says {bench.said}")
    insist(bytes(bench.match.play.now[:-2]).hex() == pegs, f"the pegs are at {bench.fronts()}")
    bench.said.clear()
    insist(bench.peg()[0] == "ok", "the next command")


def ruined(side: int) -> Callable[[Bench], None]:
    """A record cannot be read, and what this side and side 1 score behind it says how the match stood."""

    def point(bench: Bench) -> None:
        points = unanswered(bench)
        at = place(bench.journal.log.kept[-1])
        bench.keeper.do((PEG, side, 11, 0, 0))
        bench.other(12)
        bench.memory[at + 3] ^= 9  # two bits, which are not mended
        bench.epoch += 1
        bench.boot()
        fronts = bench.fronts()
        bench.back = lambda message: [encode(message)]
        bench.start()
        insist(["unknown"] in bench.said, f"it says {bench.said}")
        insist(bench.times(points) == 1 and bench.fronts() == fronts, f"the pegs are at {bench.fronts()}")
        bench.said.clear()
        bench.next_points()
        insist(bench.peg()[0] == "ok", "the next command")

    score = "the score" if side == 0 else "a part of the score"
    point.__doc__ = f"a command whose event cannot be read is not sent again where later ones say {score}"
    return point


def newer_board(bench: Bench) -> None:
    """at a board that speaks a newer protocol it ends, and sends no command"""
    bench.back = lambda message: [encode(["no", 0, message[1], "version", "this board speaks protocol 3"])]
    bench.start(ready=False)
    insist(bench.result()[0] == "gone", "it does not say so")
    insist(not bench.commands(), f"it sent {bench.commands()}")


POINTS: list[Callable[[Bench], None]] = [
    says_hello_first,
    picks_a_session,
    counts_ids,
    says_every_command,
    sends_again,
    sends_again_what_was_lost,
    skips_damage,
    skips_what_it_does_not_know,
    skips_other_answers,
    takes_pieces,
    takes_the_next_session,
    killed_after,
    killed_before,
    board_restarts,
    refused_before_a_restart,
    old_ok,
    strange_ok,
    taken_over,
    *(gives_back(what, left) for what in ("journal", "newest event", "newest page") for left in (False, True)),
    gone_on,
    gone_on_a_little,
    another_under_its_number,
    by_turns,
    no_old_undo,
    given_back_by_another,
    *(ruined(side) for side in (0, 1)),
    newer_board,
    gives_up,
]


def points(command: list[str], only: str) -> Iterator[tuple[str, str]]:
    """The name of each point with this text in it, and what is wrong with it."""
    for point in POINTS:
        name = str(point.__doc__)
        if only not in name:
            continue
        wrong = ""
        with tempfile.TemporaryDirectory() as folder:
            bench = Bench(command, Path(folder))
            try:
                point(bench)
            except (Wrong, OSError, ValueError) as error:
                wrong = str(error)
            finally:
                with contextlib.suppress(OSError):
                    bench.stop()
        yield name, wrong
