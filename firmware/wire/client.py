"""A whole client of the board's wire on pyserial alone: python client.py PORT FOLDER

FOLDER keeps its notes. Each line on the standard input is a command without session and id, like ["peg",0,5]; each line
on the standard output says what became of one, like ["ok",7] or ["no","side"]. The README beside it has all of these.
"""

import json
import os
import random
import sys
import time
from pathlib import Path
from typing import Any
from zlib import crc32

import serial

PROTOCOL = 2
PATIENCE_S = 5.0  # without an answer; then the board is not there
Message = list[Any]


def encode(message: Message) -> bytes:
    """The frame of a message."""
    body = json.dumps(message, separators=(",", ":")).encode()
    return b"\n%s*%08x\n" % (body, crc32(body))


def decode(line: bytes) -> Message:
    """The message of a line; an empty one for anything but a whole frame with the right CRC."""
    body, _, digits = line.rpartition(b"*")
    if len(line) > 118 or body[:1] != b"[" or digits != b"%08x" % crc32(body):
        return []
    try:
        return list(json.loads(body))
    except ValueError:
        return []


def has_made(left: dict[str, Any], row: Message) -> bool:
    """Whether an event has the tag of a noted command, and is what that makes; -1 left a choice to the board."""
    op, args = left["op"], left["args"]
    event = [*args, 0, 0, 0][:4]
    if op == "hand":
        event = [args[0], args[4], args[3], 0]
    elif op in ("nibs", "go"):
        event = [args[0], 2 if op == "nibs" else 1, 0, 0]
    elif op in ("undo", "redo", "restore"):
        event = [0, 0, 0 if op == "restore" else args[0] & 0xFFFF, 0]
    elif op == "new":
        event = [args[4], args[5], args[2] | args[3] << 6 | [61, 91, 121, 241].index(args[1]) << 9, args[6]]
    same = all(asked in (-1, sent) for asked, sent in zip(event, row[2:6], strict=True))
    return same and row[1] == op and row[6:8] == [left["session"], left["id"]]


class Client:
    """One program at one board. `meet` it first; `do` sends a command once and says what became of it."""

    def __init__(self, port: str, folder: Path) -> None:
        self.port = serial.Serial(port, timeout=0.01, exclusive=True)
        self.folder = folder
        self.q, self.rest = random.randrange(255), b""

    def ask(self, message: Message, *answers: Message) -> Message:
        """The first message that begins like one of the answers; asks again and again until it comes."""
        ends, wait_s = time.monotonic() + PATIENCE_S, 0.02
        while time.monotonic() < ends:
            self.port.write(encode(message))
            again = time.monotonic() + wait_s
            while time.monotonic() < again:
                *lines, self.rest = (self.rest[-120:] + self.port.read(self.port.in_waiting or 1)).split(b"\n")
                for heard in map(decode, lines):
                    if any(heard[: len(answer)] == answer for answer in answers):
                        return heard
            wait_s = min(0.18, 1.5 * wait_s)
        raise OSError(f"no answer to {message[0]} for {PATIENCE_S:.0f} seconds")

    def query(self, op: str, *args: int) -> Message:
        """What the answer to a query says behind its number."""
        self.q = self.q % 255 + 1
        answer = self.ask([op, self.q, *args], [op, self.q], ["no", 0, self.q])
        if answer[0] == "no" or (op == "hello" and answer[2] != PROTOCOL):
            raise OSError(f"this program speaks protocol {PROTOCOL}, and the board says {answer}")
        return answer[2:]

    def events(self, after: int) -> tuple[list[Message], bool, bool]:
        """The events after a rev; whether some up to the newest are missing; whether a score was restored."""
        rows: list[Message] = []
        newest, page = after + 1, [[after]]
        while page and page[-1][0] < newest:
            _, newest, *page = self.query("events", page[-1][0])
            rows += [row[:9] for row in page]
        gaps = [row[0] for row in rows] != list(range(max(after, 0) + 1, newest + 1))
        return rows, gaps, any(row[1] == "restore" for row in rows)

    def meet(self) -> list[Message]:
        """Say hello, mend what the board has lost, and settle the command that was left; gives what there is to say."""
        _, _, uid, epoch, session, last_id, _, _, _, _, *missing = self.query("hello", PROTOCOL)
        self.path = self.folder / f"{uid}.json"
        new: dict[str, Any] = {"session": 0, "id": 0, "left": None, "next": None, "state": None, "rows": []}
        self.notes = notes = json.loads(self.path.read_text()) if self.path.exists() else new
        ahead = (session - notes["session"]) & 0xFFFF
        if not notes["session"] or (session and (0 < ahead < 0x8000 or (not ahead and last_id > notes["id"]))):
            notes.update(session=session, id=255)
        said = self.mend(epoch) if notes["state"] else []
        notes["epoch"] = epoch
        if notes["left"]:
            _, gaps, restored = self.events(notes["left"]["rev"])
            said.append(self.settle(doubted=restored or (gaps and missing[:1] != [0])))
        self.look()
        if notes["next"]:
            op, (first, *args) = notes["next"]
            said.append(self.do(op, [notes["state"][0] if op in ("new", "restore") else first, *args]))
        return said

    def mend(self, epoch: int) -> list[Message]:
        """If the board has lost events, prepare to give them back, or say so; gives what there is to say."""
        notes, state = self.notes, self.query("state")
        known, left = notes["state"], notes["left"]
        both = min(state[0], known[0])
        there, gaps, restored = self.events(max(-1, both - 1))
        ours, theirs = ([row for row in rows if row[0] == both] for rows in (notes["rows"], there))
        if epoch == notes["epoch"] and state[0] >= known[0] and not (ours and theirs and ours != theirs):
            return []
        notes["epoch"], notes["state"], notes["left"] = epoch, state, None
        made = [row[0] for row in there if left and row not in notes["rows"] and has_made(left, row)]
        gone_on = state[0] > known[0] or (state[0] > 0 and (not ours or ours != theirs))
        if left and not made and not gone_on and left["op"] not in ("undo", "redo"):
            notes["next"] = [left["op"], left["args"]]
            left = None
        if not gone_on and state[1:] != known[1:]:
            self.note("restore", [state[0], *known[2:8], *known[9:11]], healing=True)
        unsure = restored or (gaps and left and state[0] > left["rev"])
        became = ["ok", made[-1]] if made else ["unknown"] if unsure else ["no", "lost"]
        return [["lost"]] * bool(gone_on) + [became] * bool(left)

    def note(self, op: str, args: Message, *, healing: bool = False) -> None:
        """Give a command the next tag, and note it."""
        notes = self.notes
        if notes["id"] == 255:
            notes["session"], notes["id"] = (notes["session"] + random.randint(1, 500)) & 0xFFFF or 1, 0
        notes["id"] += 1
        tag = {"session": notes["session"], "id": notes["id"], "rev": notes["state"][0]}
        notes.update(left={"op": op, "args": args, **tag, "healing": healing}, next=notes["next"] if healing else None)
        self.save()

    def do(self, op: str, args: Message) -> Message:
        """Carry out a command; gives what became of it."""
        self.note(op, args)
        return self.settle()

    def settle(self, *, doubted: bool = False) -> Message:
        """Send the noted command until it is answered; one that is `doubted` may be in the score without its event."""
        left = self.notes["left"]
        op, tag = left["op"], [left["session"], left["id"]]
        answer = ["no", *tag, "stale"] if doubted else self.ask([op, *tag, *left["args"]], ["ok", *tag], ["no", *tag])
        self.notes["left"] = None  # on the disk with what `look` finds
        said = ["no", answer[3]]
        if answer[0] == "ok" or answer[3] in ("stale", "session"):
            rows, gaps, restored = self.events(left["rev"])
            made = [row[0] for row in rows if has_made(left, row)]  # an ok counts only for an event of its own
            said = ["ok", made[-1]] if made else ["no", "stale"] if rows and not (gaps or restored) else ["unknown"]
            if not made:
                self.notes.update(session=self.query("hello", PROTOCOL)[4], id=255)
        self.look()
        return ["healed" if said[0] == "ok" else "lost"] if left["healing"] else said

    def look(self) -> None:
        """Note how the board stands, and its thirty newest events, to see later whether it still has them."""
        known, state = self.notes["state"], self.query("state")
        rows, *_ = self.events(known[0] if known else max(-1, state[0] - 30))
        self.notes["state"], self.notes["rows"] = state, [*self.notes["rows"], *rows][-30:]
        self.save()

    def save(self) -> None:
        """Write the notes, so that neither a kill nor a power cut can tear or lose them."""
        with open(self.path.with_suffix(".new"), "w") as file:
            json.dump(self.notes, file)
            file.flush()
            os.fsync(file.fileno())
        os.replace(self.path.with_suffix(".new"), self.path)


def main(port: str, folder: str) -> int:
    try:
        client = Client(port, Path(folder))
        for said in [*client.meet(), ["ready"]]:
            print(json.dumps(said), flush=True)
        for line in sys.stdin:
            op, *args = json.loads(line)
            print(json.dumps(client.do(op, args)), flush=True)
    except OSError as error:  # pyserial's own error is an OSError
        print(json.dumps(["gone", str(error)]), flush=True)
        return 3
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
