"""What takes input from outside, each as a function of bytes that raises when it is not borne as it should be.

Bytes stand for what may come: lines for the wire, a settings.toml, a flash sector, and so on. A line of the wire that
begins with `[` is given its CRC, so that damage is not all that ever arrives.
"""

from __future__ import annotations

import contextlib
import io
import json
import random
import sys
import tempfile
from binascii import crc32
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from unittest import mock

from faults.ends import SCRATCH, UID, Firmware
from firmware.rig import Port

from cribboard.board.client import Board
from cribboard.board.messages import Event, Standing, is_plain
from cribboard.cli.main import cli
from cribboard.errors import ArgumentError, CribboardError, TransportError
from cribboard.sim.flash import Flash
from cribboard.slots import Slots
from cribboard.store import Store, open_store
from cribboard.store.importer import ImportResult
from cribboard.store.report import Report
from cribboard_core.cards import CardError, parse_card, parse_cards
from cribboard_core.events import PEG
from cribboard_core.match import Match
from cribboard_core.records import SLOT, crc, place
from cribboard_core.wire import MAX_FRAME, Lines, decode, encode
from cribboard_fw.lights import Lights
from cribboard_fw.link import MOST_WAITING
from cribboard_fw.scene import GamePicture
from cribboard_fw.settings import MOST_MISTAKES, SettingsError, load

EMPTY: list[bytes] = []
LARGEST = 65536  # bytes of a slot
LONGEST_ERROR = 1000  # characters that a user is told of one mistake
PATIENCE_S = 120.0  # simulated, for one deal; the host gives up an answer after 5, a link that breaks again after 30


class Broken(AssertionError):
    """A promise about what comes from outside was not kept."""


def insist(kept: object, what: str) -> None:
    """Raise Broken unless a promise was kept."""
    if not kept:
        raise Broken(what)


def sealed(line: bytes) -> bytes:
    """The line, with its CRC if it begins as a frame does."""
    return b"\n%s*%08x\n" % (line, crc32(line)) if line[:1] == b"[" else b"\n" + line + b"\n"


def wire(data: bytes) -> None:
    """Any bytes, in any pieces: messages are lists, what is kept is less than a frame, and frames come through."""
    lines, size = Lines(), 1 + len(data) % 97
    for start in range(0, len(data), size):
        for message in lines.feed(data[start : start + size]):
            insist(isinstance(message, list), "a message that is not a list")
        insist(len(lines._rest) <= MAX_FRAME, "more than a frame is kept")
    for line in data.split(b"\n"):
        insist(isinstance(decode(line), (list, type(None))), "decode gave what is no message")
        decode(sealed(line).strip(b"\n"))
    whole = ["state", 1 + len(data) % 255]
    insist(lines.feed(encode(whole))[-1:] == [whole], "a whole frame behind it was lost")


class Chip(Firmware):
    """The firmware's link over its flash, at a port in memory."""

    def __init__(self, flash: Flash | None = None) -> None:
        super().__init__(flash)
        self.port = Port()
        self.boot(self.port)  # type: ignore[arg-type]

    def run(self, data: bytes) -> list[list[object]]:
        """What it says to bytes that come in; raises Broken when it does not come to an end."""
        self.port.inbox += data
        for _ in range(100 + len(data)):
            self.step()
            link = self.link
            insist(len(link._waiting) <= MOST_WAITING + MAX_FRAME // 11, "more waits than may")
            insist(len(link._lines._rest) <= MAX_FRAME, "more than a frame is kept")
            if not (self.port.inbox or link._asked or link._waiting or link._rest):
                break
        else:
            raise Broken("the link does not come to an end")
        said, self.port.outbox = self.port.outbox, b""
        lines = Lines()
        messages = lines.feed(said)
        insist(lines.passed_over == 0, "it said what is no frame")
        insist(all(len(line) + 2 <= MAX_FRAME for line in said.split(b"\n")), "it said too long a frame")
        insist(is_plain(messages), "it said what hosts pass over")
        return messages

    def standing(self) -> Standing:
        """How the match stands."""
        return Standing.of(self.match)


def link(data: bytes) -> None:
    """Bytes to the firmware: nothing changes but by a command answered ok, and a command behind it all is taken."""
    chip = Chip()
    for line in data.split(b"\n"):
        before, events = chip.standing(), len(chip.applied)
        answers = chip.run(sealed(line))
        oks = sum(1 for message in answers if message[0] == "ok")
        insist(len(chip.applied) - events <= oks, "an event without an ok")
        insist(len(chip.applied) > events or chip.standing() == before, "the match changed without an event")
    goes_on(chip)


class HostileBoard:
    """A transport to a board that follows a script, and is an honest one when it has come to its end.

    Each line of the script is what the next request is answered with, the request's second and third item in the place
    of the bytes 1 and 2. An empty line answers honestly; `!` breaks the link; a script that begins with `~` never ends.
    """

    name = "hostile"

    def __init__(self, script: bytes) -> None:
        self.now = self.since = 1000.0
        self.chip = Chip()
        self._forever = script[:1] == b"~"
        self._script = script.removeprefix(b"~").split(b"\n")
        self._at = 0
        self._asked: list[object] = ["", 0, 0]
        self._inbox = b""
        self._out = False

    def reach(self) -> HostileBoard:
        self._out = False
        self._inbox = b""
        return self

    def clock(self) -> float:
        return self.now

    def pause(self, seconds: float) -> None:
        self.now += seconds
        insist(self.now < self.since + PATIENCE_S, "the host hangs")

    def write(self, data: bytes) -> None:
        if self._out:
            raise TransportError("the board on hostile is gone", "plug it in")
        self._asked = [*Lines().feed(data), ["", 0, 0]][0]
        self._answer(data)

    def read(self) -> bytes:
        if self._out:
            raise TransportError("the board on hostile is gone", "plug it in")
        self.pause(0.005 if self._inbox else 0.02)
        if not self._inbox and self._forever:
            self._answer(b"")
        data, self._inbox = self._inbox, b""
        return data

    def close(self) -> None:
        pass

    def _answer(self, data: bytes) -> None:
        if self._forever:
            self._at %= len(self._script)
        line = self._script[self._at] if self._at < len(self._script) else b""
        self._at += 1
        if line == b"!":
            self._out = True
        elif line:
            for mark, item in ((b"\x01", self._asked[1:2]), (b"\x02", self._asked[2:3])):
                line = line.replace(mark, b"%d" % item[0] if item and type(item[0]) is int else b"0")
            self._inbox += sealed(line)
        else:
            self.chip.port.inbox += data
            for _ in range(4):
                self.chip.step()
            said, self.chip.port.outbox = self.chip.port.outbox, b""
            self._inbox += said


def host(data: bytes) -> None:
    """A board that says anything at any time: an error that can be read, soon, and nothing else."""
    board = HostileBoard(data)
    with tempfile.TemporaryDirectory(dir=SCRATCH) as folder:
        deal_with(board, Path(folder))


def ledger(data: bytes) -> None:
    """Any text in the place of the notes: they are set aside or used, and the board can be played with."""
    with tempfile.TemporaryDirectory(dir=SCRATCH) as folder:
        path = Path(folder) / UID / "ledger.json"
        path.parent.mkdir()
        Slots(path, LARGEST).write(data.decode("utf-8", "replace"))  # a slot that is torn is never read
        deal_with(HostileBoard(b""), Path(folder))
        notes: list[str] = []
        board = HostileBoard(b"")
        with client(board, Path(folder), notes) as opened:
            opened.set_score(opened.match.sides[0], 7, 5)
            insist(opened.check(), "the host's copy is wrong")
            insist(board.chip.match.front(opened.match.sides[0]) == 7, "the command did not count")


def client(board: HostileBoard, folder: Path, notes: list[str]) -> Board:
    """A host's program at such a board."""
    chance = random.Random(1)
    return Board(board.reach, folder, clock=board.clock, pause=board.pause, chance=chance, on_notice=notes.append)


def deal_with(board: HostileBoard, folder: Path) -> None:
    """Do all that a host can do with a board, and look at what its user is told."""
    notes: list[str] = []
    opened = client(board, folder, notes)
    deals: list[Callable[[], object]] = [
        lambda: opened.peg(0, 5),
        lambda: opened.poll(0.1),
        opened.sync,
        opened.undo,
        opened.redo,
        lambda: opened.new(121, 3, 2),
        opened.events,
        opened.last,
        lambda: opened.pend(0, 3),
        opened.check,
    ]
    try:
        with opened:
            for deal in deals:
                board.since = board.now
                try:
                    deal()
                except CribboardError as error:
                    notes.append(str(error))
                    if isinstance(error, TransportError):
                        break
                insist(len(opened._follow._news) <= 2000, "news pile up")
                insist(len(opened.waiting) <= 6, "points that wait pile up")
    except CribboardError as error:
        notes.append(str(error))
    for note in notes:
        insist(note.isprintable(), f"a user is told {note!r}")
        insist(len(note) <= LONGEST_ERROR, f"a user is told {len(note)} characters")


def settings(data: bytes) -> None:
    """A settings.toml: settings that the board can run with, or a few plain lines on what is wrong with it."""
    try:
        text = data.decode()  # as the board reads it; what is no text is a ValueError like the others
    except ValueError:
        return
    try:
        loaded = load(text)
    except SettingsError as error:
        said = str(error).split("\n")
        insist(1 <= len(said) <= MOST_MISTAKES, f"{len(said)} mistakes are told")
        insist(all(line.isascii() and line.isprintable() for line in said), f"the console shows {said!r}")
        insist(all(len(line) < LONGEST_ERROR // 4 for line in said), "a mistake is told at length")
        return
    match = Match(loaded.target, (1 << loaded.players) - 1, loaded.sides, 0, (loaded.skunk, loaded.double))
    show(match, Lights(len(loaded.strip_pins), loaded.leds, loaded.brightness, loaded.limit_ma))


def show(match: Match, lights: Lights) -> None:
    """Have a match shown, as the app does; colours are of 24 bits."""
    lights.update(match, GamePicture(match, NOTHING))
    for now in range(0, 60, 5):
        track = lights.step(now)
        if track >= 0:
            insist(all(0 <= colour <= 0xFFFFFF for colour in lights.frame(track)), "a light that is no colour")


class Nothing:
    """Nothing waits in front of the pegs."""

    any = False

    def points(self, side: int) -> int:
        return 0


NOTHING = Nothing()


def journal(data: bytes) -> None:
    """Any flash: what is read from it can be shown, goes on with a command, and is the same when it is read again.

    A chunk of 13 bytes is a record, its CRC put right when the first byte is odd.
    """
    memory = bytearray(b"\xff" * 4096)
    for slot, start in enumerate(range(0, min(len(data), 336 * 13), 13)):
        record = data[start + 1 : start + 13].ljust(SLOT, b"\0")
        if data[start] & 1:
            record = record[:10] + crc(record).to_bytes(2, "little")
        memory[place(slot) : place(slot) + SLOT] = record
    chip = Chip(Flash(memory))
    show(chip.match, Lights(2, 121, 30, 450))
    kept = chip.keeper.journal
    insist(len(list(kept.records(-1))) <= kept.log.slots, "more events than slots")
    kept.oldest()
    chip.run(encode(["events", 1, 0]) + encode(["last", 1]))
    before = chip.standing()
    insist(Standing.read(chip.run(encode(["state", 1]))[0][2:]) == before, "another state is told")
    insist(Chip(Flash(chip.flash.memory)).standing() == before, "read again it is another match")
    goes_on(chip)


def goes_on(chip: Chip) -> None:
    """A command is taken and is in the journal."""
    side = chip.match.sides[0]
    session = chip.keeper.session + 1 & 0xFFFF or 1
    answer = chip.run(encode(["set", session, 1, side, 5, 3]))[-1]
    insist(answer == ["ok", session, 1, chip.match.rev], f"a command behind it all was answered {answer}")
    again = Chip(chip.flash)
    insist(again.standing() == chip.standing(), "the journal holds another match")


def cards(data: bytes) -> None:
    """Card text: cards, or a short error that quotes it; and the program's own words for it."""
    text = data.decode("utf-8", "surrogateescape")
    for parse in (parse_card, parse_cards, lambda text: parse_cards(text, "crib", (4, 5))):
        try:
            parse(text)
        except CardError as error:
            insist(len(str(error)) <= LONGEST_ERROR // 4, "the error is long")
            insist(str(error).isprintable(), f"a user is told {error!s}")
    if "\0" not in text:  # which no argument can hold
        words = text.split(" ")[:40]
        status, _, errors = cli_run(["count", "--starter", words[-1], "--", *words[:-1]], b"")
        insist(status in (0, 2), f"the status is {status}: {errors}")


def batch(data: bytes) -> None:
    """Lines of JSON: one line of JSON for each, and the status says whether one was bad."""
    for command in ("count", "count-play"):
        status, out, errors = cli_run([command, "--batch"], data)
        lines = [json.loads(line) for line in out.splitlines()]
        insist(status == any("error" in line for line in lines), f"the status is {status}: {errors}")
        insist(len(lines) == data.count(b"\n") + (not data.endswith(b"\n")) * (data != b""), "lines are missing")


def bodies(data: bytes) -> None:
    """A body for the kiosk behind a line that says for which address: an answer in words, never a failure inside."""
    from faults.bodies import ADDRESSES, app

    address, _, body = data.partition(b"\n")
    if address == b"o":
        order(body)
        return
    status, reply = app().post(address if address in ADDRESSES else b"p", body)
    insist(status in (200, 400, 403, 404, 413, 429), f"the status is {status}: {reply}")
    if status != 200:
        error = reply["error"]
        insist(set(error) == {"code", "message", "hint"}, f"the error is {error}")
        for text in error.values():
            insist(len(text) <= LONGEST_ERROR, f"a page is told {len(text)} characters")
            insist(text.isprintable(), f"a page is told {text!r}")


def order(body: bytes) -> None:
    """An order as a phone may send it: read, or refused in words."""
    from cribboard.service.orders import OrderError, read_order
    from cribboard.web.json_body import parse_entry
    from cribboard.web.problem import Problem

    try:
        read_order(parse_entry(body))
    except (OrderError, Problem) as error:
        insist(error.status == 400, f"the status is {error.status}")
        insist(len(str(error)) <= LONGEST_ERROR, f"a page is told {len(str(error))} characters")
        insist(str(error).isprintable(), f"a page is told {error!s}")


def cli_run(arguments: list[str], given: bytes) -> tuple[int, str, str]:
    """The exit status of the program and what it says; any exception but its end is its crash."""
    out, errors = (io.TextIOWrapper(io.BytesIO(), "utf-8", "backslashreplace") for _ in range(2))
    stdin = io.TextIOWrapper(io.BytesIO(given), "utf-8")
    status: object = 0
    with mock.patch.multiple(sys, stdin=stdin, stdout=out, stderr=errors), contextlib.suppress(BrokenPipeError):
        try:
            cli(arguments, prog_name="cribboard")
        except SystemExit as end:
            status = end.code
    said = []
    for stream in (out, errors):
        stream.flush()
        said.append(stream.buffer.getvalue().decode())  # type: ignore[attr-defined]
    return int(str(status or 0)), said[0], said[1]


def empty_history(folder: Path) -> Store:
    """A history without a game, a copy of the first one that was made."""
    if not EMPTY:
        open_store(f"sqlite:///{folder}/first.db").close()
        EMPTY.append((folder / "first.db").read_bytes())
    (folder / "kiosk.db").write_bytes(EMPTY[0])
    return open_store(f"sqlite:///{folder}/kiosk.db")


def history(data: bytes) -> None:
    """A file that is brought in: refused with words and nothing changed, or all of it there, shown, and carried on."""
    with tempfile.TemporaryDirectory(dir=SCRATCH) as folder, closing(empty_history(Path(folder))) as store:
        before = store.export_json()
        try:
            store.import_json(data.decode("utf-8", "surrogateescape"))
        except ArgumentError as error:
            insist(len(str(error)) <= LONGEST_ERROR, "the error is long")
            insist(str(error).isprintable(), f"a user is told {error!s}")
            insist(store.export_json() == before, "a refused file has changed something")
            return
        for game in store.games():
            json.dumps([game.entry(), store.game(game.id)], default=lambda shown: shown.entry())
        for player, _ in store.players():
            json.dumps(store.player(player), default=lambda shown: shown.entry())
        store.leaderboard()
        store.export_csv()
        text = store.export_json()
        insist(store.import_json(text) == ImportResult(0, 0, 0), "its own export is news to it")
        chip = Chip()
        chip.keeper.do((PEG, 0, 5, 0, 0))
        store.keep(Report(UID, 7, [Event(1, PEG, 0, 5, 0, 0)], chip.standing(), {0: "Ann"}))
        insist(store.live(UID), "the game does not go on")


TARGETS: dict[str, Callable[[bytes], None]] = {
    "wire": wire,
    "link": link,
    "host": host,
    "ledger": ledger,
    "settings": settings,
    "cards": cards,
    "journal": journal,
    "batch": batch,
    "bodies": bodies,
    "history": history,
}
