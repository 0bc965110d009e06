"""Try a board or a client of the wire point by point; the README beside this file says how.

python conform.py board PORT [PORT] [--only TEXT]
python conform.py client [--only TEXT] COMMAND...
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Protocol

import serial
from client import Message, decode, encode
from trial import Wrong

VECTORS = Path(__file__).parent / "vectors"
ANSWER_S = 2.0  # a board that needs longer has not answered
QUIET_S = 0.06  # in which nothing may come any more
PIECE_S = 0.02  # between two pieces of a frame
UNASKED = ("ev", "say")


class Port(Protocol):
    """A serial port, as pyserial has it."""

    def read(self, size: int) -> bytes:
        """Up to so many bytes, after a short wait at the most."""

    def write(self, data: bytes) -> object:
        """Send bytes."""


def vectors(name: str) -> Any:
    """A file of vectors."""
    return json.loads((VECTORS / name).read_text("utf-8"))


def fill(item: Any, values: dict[str, int]) -> Any:
    """An item of a vector with numbers in the place of `$name` and `$name+1`; `$any`, `$text` and `$number` stay."""
    if isinstance(item, list):
        return [fill(part, values) for part in item]
    if not isinstance(item, str) or item[:1] != "$" or item[1:] in ("any", "text", "number"):
        return item
    name, *steps = re.split(r"(?=[+-])", item[1:])
    number = values[name] + sum(map(int, steps))
    return number & 0xFFFF if name == "session" and steps else number


def fits(expected: object, heard: object, *, exact: bool = False) -> bool:
    """Whether what came is what a vector says; there may be more items at the end of a list unless it is `exact`."""
    if isinstance(expected, list):
        if not isinstance(heard, list) or len(heard) < len(expected) or (exact and len(heard) > len(expected)):
            return False
        return all(fits(one, other) for one, other in zip(expected, heard, strict=False))
    if expected in ("$any", "$text", "$number"):
        return expected == "$any" or type(heard) is {"$text": str, "$number": int}[str(expected)]
    return type(heard) is type(expected) and bool(heard == expected)


class BoardTrial:
    """Sends the vectors to a board and compares what it says. Its running game ends; the games won are forgotten."""

    def __init__(self, port: Port, clock: Callable[[], float] = time.monotonic) -> None:
        self.port = port
        self.clock = clock
        self.rest = b""
        self.came: list[Message] = []
        self.values = {"session": 0, "id": 0, "rev": 0, "game": 0, "q": random.randrange(200)}
        self.frame = b""

    def points(self) -> Iterator[tuple[str, str]]:
        """The name of each point and what is wrong with it, nothing if it is right."""
        self.hear(QUIET_S)
        self.begin()
        yield from self.of_frames()
        for section in vectors("requests.json")["sections"]:
            yield from self.of_section(section)

    def of_frames(self) -> Iterator[tuple[str, str]]:
        """The points of bytes and pieces."""
        for stream in vectors("frames.json")["streams"]:
            yield (
                f"frames: {stream['name']}",
                self.tried(self.stream, [bytes.fromhex(stream["hex"])], stream["messages"]),
            )
        whole = encode(["state", 99])
        for name, pieces in (("in two pieces", [whole[:9], whole[9:]]), ("byte by byte", [bytes([b]) for b in whole])):
            yield f"frames: a frame {name}", self.tried(self.stream, pieces, [["state", 99]])

    def of_section(self, section: dict[str, Any]) -> Iterator[tuple[str, str]]:
        """The points of a section of requests."""
        self.look()
        for step in section["steps"]:
            wrong = self.tried(self.step, step)
            if wrong:
                self.hear(QUIET_S)
                self.look()
            yield f"{section['name']}: {step['name']}", wrong

    def tried(self, trial: Callable[..., None], *args: object) -> str:
        """What is wrong with a point."""
        try:
            trial(*args)
        except Wrong as wrong:
            return str(wrong)
        return ""

    def begin(self) -> None:
        """A session of our own, such that none of the vectors' is 0."""
        answer: Message = []
        for _ in range(3):  # a board that has just been plugged in needs some seconds
            answer = answer or self.ask(["hello", self.q(), 2])
        if answer[:1] != ["hello"] or len(answer) < 8:
            raise Wrong(f"the answer to hello is {answer}")
        reached = {step.get("session", 0) for part in vectors("requests.json")["sections"] for step in part["steps"]}
        offsets = [0, 1, 501, *reached, 501 + max(reached), 32768]
        while True:
            session = (answer[6] + random.randint(1, 500)) & 0xFFFF
            if all((session + offset - behind) & 0xFFFF for offset in offsets for behind in (0, 1)):
                break
        self.values["session"], self.values["id"] = session, 0

    def look(self) -> None:
        """Ask for the newest event and the game."""
        answer = self.ask(["state", self.q()])
        if not fits(["state", "$number", "$number", "$number"], answer):
            raise Wrong(f"the answer to state is {answer}")
        self.values["rev"], self.values["game"] = answer[2:4]

    def next_peg(self, points: int) -> bytes:
        """The frame of a new command that pegs points for place 1."""
        self.values["id"] += 1
        return encode(["peg", self.values["session"], self.values["id"], 0, points])

    def new_game(self) -> None:
        """A game of two, which any peg fits into."""
        self.begin()
        self.look()
        self.values["id"] += 1
        self.ask(["new", self.values["session"], self.values["id"], self.values["rev"], 121, 3, 2, 0, -1, -1])

    def peg(self, points: int) -> Message:
        """The answer to a new command that pegs points for place 1."""
        self.port.write(self.next_peg(points))
        return self.answer()[0]

    def q(self) -> int:
        """The number of the next query."""
        self.values["q"] = self.values["q"] % 255 + 1
        return self.values["q"]

    def step(self, step: dict[str, Any]) -> None:
        """Send a vector's request and compare."""
        values = self.values
        if "session" in step or (values["id"] == 255 and "$next" in step.get("send", [])):
            values["session"] = (values["session"] + step.get("session", 1)) & 0xFFFF
            values["id"] = 0
        values["id"] = step.get("id", values["id"])
        if not step.get("same"):
            asked = step["send"]
            values["id"] += "$next" in asked
            if "$q" in asked:
                self.q()
            self.frame = encode(fill(asked, {**values, "next": values["id"]}))
        expected = fill(step["expect"], values)
        events = [fill(step["event"], values)] if "event" in step else []
        self.port.write(self.frame)
        answer, unasked = self.answer()
        kind = events[0][0] if events else "ev"
        news = [message for message in unasked if message[0] == kind]
        if not answer or not fits(expected, answer, exact=step.get("exact", False)):
            raise Wrong(f"{self.frame.decode().strip()} is answered by {answer}, not {expected}")
        if answer[0] == "no" and (len(answer) < 5 or not isinstance(answer[4], str)):
            raise Wrong(f"{answer} has no text")
        if kind == "pend":
            news = news[-1:]  # that others go may be said before
        if len(news) != len(events) or not all(map(fits, events, news)):
            raise Wrong(f"{self.frame.decode().strip()} makes the board say {news}, not {events}")
        if answer[0] == "ok" and not step.get("same"):
            values["rev"] = answer[3]
            values["game"] = events[0][9] if type(events[0][9]) is int else news[0][9]

    def stream(self, pieces: list[bytes], messages: list[Message]) -> None:
        """Send bytes, and compare which of the queries in them are answered."""
        for piece in pieces:
            self.port.write(piece)
            if len(pieces) > 1:
                time.sleep(PIECE_S)
        answers: list[Message] = []
        while len(answers) < len(messages):
            answer, _ = self.answer()
            if not answer:
                break
            answers.append(answer)
        answers += [message for message in self.hear(QUIET_S) if not self.is_unasked(message)]
        if [answer[:2] for answer in answers] != messages:
            raise Wrong(f"to {b''.join(pieces)!r} the board says {answers}")

    def ask(self, message: Message) -> Message:
        """The answer to a query."""
        self.port.write(encode(message))
        return self.answer()[0]

    def answer(self) -> tuple[Message, list[Message]]:
        """The next answer, an empty one if none comes, and what the board says unasked before it."""
        unasked: list[Message] = []
        ends = self.clock() + ANSWER_S
        while self.clock() < ends:
            while self.came:
                message = self.came.pop(0)
                if not self.is_unasked(message):
                    return message, unasked
                unasked.append(message)
            self.came = self.heard()
        return [], unasked

    def hear(self, seconds: float) -> list[Message]:
        """All that the board says in a time."""
        ends = self.clock() + seconds
        news, self.came = self.came, []
        while self.clock() < ends:
            news += self.heard()
        return news

    def heard(self) -> list[Message]:
        """What the board has said."""
        *lines, self.rest = (self.rest + self.port.read(256)).split(b"\n")
        return [message for message in map(decode, lines) if message]

    @staticmethod
    def is_unasked(message: Message) -> bool:
        """Whether a message answers nothing."""
        return message[0] in UNASKED or message[:2] == ["pend", -1]


def at_two_ports(one: BoardTrial, other: BoardTrial) -> Iterator[tuple[str, str]]:
    """The points of a board with two ports, at which two hosts ask by turns and at once."""
    both = (one, other)
    for trial in both:
        trial.hear(QUIET_S)
        trial.begin()
    for at, section in enumerate(vectors("requests.json")["sections"]):
        asks, hears = both if at % 2 else both[::-1]
        hears.hear(QUIET_S)
        for name, wrong in asks.of_section(section):
            heard = hears.hear(QUIET_S)
            astray = [message for message in heard if not hears.is_unasked(message)]
            yield f"two ports: {name}", wrong or (f"the other port is told {astray}" if astray else "")
    for name, point in (
        ("each has a session of its own", by_turns),
        ("both at once are answered, each its own", at_once),
        ("an event is told at both", told_at_both),
        ("a session that both have drawn ends at both", drawn_twice),
        ("owners of waiting points are each port's own", own_owners),
    ):
        one.new_game()
        for trial in both:
            trial.hear(QUIET_S)
            trial.begin()
        while other.values["session"] == one.values["session"]:  # drawn before either was used
            other.begin()
        yield f"two ports: {name}", one.tried(point, one, other)


def insist(right: bool, wrong: str) -> None:
    """A point fails unless it is right."""
    if not right:
        raise Wrong(wrong)


def by_turns(one: BoardTrial, other: BoardTrial) -> None:
    for turn in range(8):
        answer = (one, other)[turn // 2 % 2].peg(0)
        insist(answer[:1] == ["ok"], f"turn {turn + 1} is answered by {answer}")


def at_once(one: BoardTrial, other: BoardTrial) -> None:
    frames = [trial.next_peg(0) for trial in (one, other)]
    for trial, frame in zip((one, other), frames, strict=True):
        trial.port.write(frame)
    answers = [trial.answer()[0] for trial in (one, other)]
    tags = [["ok", trial.values["session"], trial.values["id"]] for trial in (one, other)]
    insist([answer[:3] for answer in answers] == tags, f"they are answered by {answers}")
    insist(len({answer[3] for answer in answers}) == 2, f"both commands are the same event: {answers}")


def told_at_both(one: BoardTrial, other: BoardTrial) -> None:
    one.port.write(one.next_peg(3))
    answer, unasked = one.answer()
    events = [message for message in unasked if message[0] == "ev"]
    heard = [message for message in other.hear(ANSWER_S / 4) if message[0] == "ev"]
    insist(answer[:1] == ["ok"] and len(events) == 1 and heard == events, f"one is told {events}, the other {heard}")


def drawn_twice(one: BoardTrial, other: BoardTrial) -> None:
    insist(one.peg(0)[:1] == ["ok"], "the first command is refused")
    other.values["session"] = one.values["session"]
    for trial in (other, one):
        answer = trial.peg(0)
        insist(answer[:1] + answer[3:4] == ["no", "session"], f"it is answered by {answer}")


def own_owners(one: BoardTrial, other: BoardTrial) -> None:
    answer = one.ask(["pend", one.q(), 0, 2, 1, 60])
    insist(answer[:1] == ["pend"], f"points are answered by {answer}")
    heard = [message[2:] for message in other.hear(ANSWER_S / 4) if message[:2] == ["pend", -1]]
    insist(bool(heard) and heard[-1][:2] == [0, 2] and heard[-1][2] > 1, f"the other port is told {heard}")
    answer = other.ask(["pend", other.q(), 0, 3, 1, 60])
    insist(answer[:1] + answer[3:4] == ["no", "waiting"], f"another's number 1 is answered by {answer}")
    answer = one.ask(["pend", one.q(), 0, 0, 1, 60])
    insist(answer[:1] == ["pend"], f"taking them away is answered by {answer}")


def say(points: Iterator[tuple[str, str]], only: str) -> int:
    """Print each point; gives the exit status."""
    passed = failed = 0
    for name, wrong in points:
        if only not in name and not wrong:
            continue
        failed += bool(wrong)
        passed += not wrong
        print(f"FAIL  {name}\n      {wrong}" if wrong else f"ok    {name}", flush=True)
    print(f"{passed} of {passed + failed} points passed")
    return 1 if failed or not passed else 0


def main() -> int:
    parser = argparse.ArgumentParser(description="Try a board or a client of the wire point by point.")
    kinds = parser.add_subparsers(dest="kind", required=True)
    board = kinds.add_parser("board", help="a board at a serial port; ends its running game, forgets the games won")
    board.add_argument("port")
    board.add_argument("second", nargs="?", metavar="port", help="of a board with two ports: both are tried at once")
    client = kinds.add_parser("client", help="a client's command; it is given a port and a folder as last arguments")
    client.add_argument("command", nargs="+")
    for part in (board, client):
        part.add_argument("--only", default="", metavar="TEXT", help="points with this text in their names")
    asked = parser.parse_args()
    try:
        if asked.kind == "board":
            with serial.Serial(asked.port, timeout=0.01, exclusive=True) as port:
                if not asked.second:
                    return say(BoardTrial(port).points(), asked.only)
                with serial.Serial(asked.second, timeout=0.01, exclusive=True) as second:
                    return say(at_two_ports(BoardTrial(port), BoardTrial(second)), asked.only)
        from client_points import points

        return say(points(asked.command, asked.only), asked.only)
    except (Wrong, OSError) as error:
        print(f"the trial cannot go on: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
