"""Two phones and a program at USB score at a board whose network is cut and whose power goes: nothing lost or doubled.

The real server, hosts, keeper and journal run over sockets in memory on a fake clock. A phone's message is cut
anywhere, or its answer is; it stands still, comes back while its old connection seems alive, and sends its command
again under the same tag until that is answered.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from dataclasses import dataclass, field

from firmware.sockets import TOKEN, UPGRADE, Board, Socket, head, masked

from cribboard_core.wire import Lines, encode
from cribboard_fw.clock import elapsed
from cribboard_fw.phones import BINARY

AGAIN_MS = 1000
AWAY_MS = (500,) * 15 + (7_000,)  # until who was cut off comes back
PATIENCE_MS = 60_000  # of fake time: then a host is stuck
FAULTS = ("none", "none", "none", "cut before", "cut within", "cut behind", "silent", "still", "back", "reset")


@dataclass
class Report:
    """What became of the commands: how often each tag counted, how many were answered, sent again and refused."""

    counted: Counter[tuple[int, int]] = field(default_factory=Counter)
    answered: int = 0
    again: int = 0
    renewed: int = 0
    refused: list[object] = field(default_factory=list)
    faults: Counter[str] = field(default_factory=Counter)

    def lost(self, tags: list[tuple[int, int]]) -> int:
        """Commands that were answered and did not count."""
        return sum(not self.counted[tag] for tag in tags)

    @property
    def doubled(self) -> int:
        """Commands that counted twice."""
        return sum(times > 1 for times in self.counted.values())


class UsbHost:
    """A program at the serial port."""

    def __init__(self, board: Board, name: str) -> None:
        self.board = board
        self.name = name
        self.lines = Lines()
        self.session = self.id = 0

    def connect(self) -> None:
        """Open the port again."""
        self.lines = Lines()
        self.board.rig.port.outbox = b""

    def send(self, data: bytes) -> None:
        self.board.rig.port.inbox += data

    def hear(self) -> list[list[object]]:
        data, self.board.rig.port.outbox = self.board.rig.port.outbox, b""
        return self.lines.feed(data)

    def fail(self, how: str) -> None:
        """A cable has faults of its own; other tests have them."""

    @property
    def alive(self) -> bool:
        return True


class PhoneHost(UsbHost):
    """A browser with the board's page."""

    socket = Socket()

    def connect(self) -> None:
        self.lines = Lines()
        self.rest = b""
        self.head = False
        self.held = b""
        self.still = False
        self.socket = Socket(most=self.board.rig.now % 90 + 10)
        self.socket.inbox = head(f"/wire?{self.name}&{TOKEN}", **UPGRADE)
        self.board.listener.waiting.append(self.socket)

    def send(self, data: bytes) -> None:
        if self.still:
            self.held += masked(BINARY, data)
        else:
            self.socket.inbox += masked(BINARY, data)

    def hear(self) -> list[list[object]]:
        if self.still:
            return []
        data, self.socket.outbox = self.rest + self.socket.outbox, b""
        if not self.head:
            _, end, behind = data.partition(b"\r\n\r\n")
            self.head = bool(end)
            self.rest = data
            if not end:
                return []
            data = behind
        frames = b""
        while len(data) >= 2 and len(data) >= 2 + data[1]:
            frames += data[2 : 2 + data[1]] if data[0] == BINARY else b""
            data = data[2 + data[1] :]
        self.rest = data
        return self.lines.feed(frames)

    def fail(self, how: str) -> None:
        sent = self.socket.inbox
        if how == "cut before":
            self.socket.inbox = b""
        elif how == "cut within":
            self.socket.inbox = sent[: self.board.rig.now % (len(sent) + 1)]
        if how.startswith("cut"):
            self.socket.gone = True
        elif how == "silent":  # the phone left the network: nobody hears of it
            self.socket.inbox, self.gave_up = b"", True
        elif how == "still":
            self.still, self.held, self.socket.inbox = True, sent, b""
        elif how == "back":  # with the old connection alive and the command in it
            self.gave_up = True

    gave_up = False

    @property
    def alive(self) -> bool:
        return self.socket.open and not self.socket.gone and not self.gave_up


def run(pegs: int, seed: int) -> tuple[Report, list[tuple[int, int]]]:
    """Give so many commands; returns what became of them, and the tags of those that were answered."""
    chance = random.Random(seed)
    board = Board()
    report = Report()
    tags: list[tuple[int, int]] = []
    hosts = [UsbHost(board, "usb"), PhoneHost(board, "one"), PhoneHost(board, "two")]
    watch(board, report)
    for at, host in enumerate(hosts):
        host.connect()
        host.session = int(str(ask(board, host, report, ["hello", 1, 2])[6])) + 10 * (at + 1)
    for _ in range(pegs):
        host = chance.choice(hosts)
        host.id += 1
        if host.id > 255:
            renew(board, host, report, chance)
        fault = chance.choice(FAULTS)
        answer = ask(board, host, report, ["peg", host.session, host.id, chance.randrange(2), 0], fault)
        if answer[3:4] == ["session"] and not report.counted[host.session, host.id]:
            # the power went before the first command of this session: it is told, and drawn again
            renew(board, host, report, chance)
            report.renewed += 1
            answer = ask(board, host, report, ["peg", host.session, host.id, 0, 0])
        if answer[0] == "ok":
            tags.append((host.session, host.id))
        else:
            report.refused.append(answer)
        for other in hosts:
            other.hear()
    board.run(2000)
    return report, tags


def renew(board: Board, host: UsbHost, report: Report, chance: random.Random) -> None:
    """Draw a new session, and its first tag."""
    newest = ask(board, host, report, ["hello", 1, 2])[6]
    host.session = (int(str(newest)) + chance.randint(1, 500)) & 0xFFFF or 1
    host.id = 1


def watch(board: Board, report: Report) -> None:
    """Count the tags of what happens, from now until the power goes."""
    happened = board.rig.app.keeper.on_event
    assert happened is not None

    def counted(rev: int, event: tuple[int, ...], session: int, number: int) -> None:
        report.counted[session, number] += 1
        happened(rev, event, session, number)

    board.rig.app.keeper.on_event = counted


def ask(board: Board, host: UsbHost, report: Report, message: list[object], fault: str = "none") -> list[object]:
    """The answer to a message, which is sent again after a second, and after each time that the host has come back."""
    if not host.alive:
        back(host)
    host.send(encode(message))
    board.run(5 * (board.rig.now // 5 % 4))
    report.faults[fault] += 1
    if fault == "reset":
        board.reset()
        watch(board, report)
    host.fail(fault)
    sent = began = board.rig.now
    while elapsed(board.rig.now, began) < PATIENCE_MS:
        board.run(20)
        for heard in host.hear():
            if heard[0] in ("ok", "no", message[0]) and heard[1 : 2 + (heard[0] != "hello")] == (
                message[1:3] if heard[0] in ("ok", "no") else message[1:2]
            ):
                return heard
        if not host.alive:
            board.run(AWAY_MS[report.again % len(AWAY_MS)])
            back(host)
            host.send(encode(message))
            report.again += 1
            sent = board.rig.now
        if isinstance(host, PhoneHost) and host.still and elapsed(board.rig.now, began) > 2000:
            host.still, host.socket.inbox, host.held = False, host.socket.inbox + host.held, b""
        if elapsed(board.rig.now, sent) >= AGAIN_MS:
            host.send(encode(message))
            report.again += 1
            sent = board.rig.now
    raise AssertionError(f"{host.name} got no answer to {message} after {fault}")


def back(host: UsbHost) -> None:
    if isinstance(host, PhoneHost):
        host.gave_up = False
    host.connect()


def main() -> int:
    parser = argparse.ArgumentParser(description="Phones in a network that is cut.")
    parser.add_argument("--pegs", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    report, tags = run(asked.pegs, asked.seed)
    lost, doubled = report.lost(tags), report.doubled
    print(f"{len(tags)} pegs answered, {report.again} sent again, {report.renewed} sessions drawn again")
    print(dict(sorted(report.faults.items())))
    print(f"{lost} lost, {doubled} doubled, {len(report.refused)} refused {report.refused[:3]}")
    return int(bool(lost or doubled or report.refused))


if __name__ == "__main__":
    sys.exit(main())
