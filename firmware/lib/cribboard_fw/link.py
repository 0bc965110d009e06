"""The link answers what hosts ask and tells them what happens; bytes come in and go out at the app's pace.

It never waits. A step reads or answers one message; while a host does not read, its requests are not read either, and
what the board would have told it is dropped, since the host can ask for it again.
"""

from __future__ import annotations

from cribboard_core.events import COMMANDS, KINDS, REDO, Refused
from cribboard_core.wire import MAX_FRAME, PROTOCOL, Lines, WireError, encode
from cribboard_fw.keeper import is_int, short
from cribboard_fw.nvm import MOST_COMMIT_S, SILENT, STEPS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cribboard_fw.entry import Entry
    from cribboard_fw.keeper import Keeper
    from cribboard_fw.types import About, Choose, Port

MOST_WAITING = 16  # frames queued for a host that does not read
READ_AT_ONCE = 64  # bytes: a step's work is bounded
QUERIES = ("hello", "state", "last", "events", "pend")
CAN, BARE = "choose 3", "3"  # added since the protocol began; without choices


class Link:
    """The board's end of the wire, over `port`: in_waiting, read, write and connected as usb_cdc.data has them."""

    def __init__(self, port: Port, keeper: Keeper, entry: Entry, about: About, take: Choose | None = None) -> None:
        self._port = port
        self._keeper = keeper
        self._entry = entry
        self._take = take
        self._about = about
        self._lines = Lines()
        self._asked: list[list[object]] = []
        self._waiting: list[bytes] = []
        self._rest = b""
        self.fresh = False  # the next step answers

    def step(self) -> bool:
        """Read some or answer one message, write what the host takes; returns whether anything came or went."""
        port = self._port
        if not port.connected and (self._waiting or self._rest or self._asked):
            self._waiting, self._rest, self._asked, self._lines = [], b"", [], Lines()
        if self._keeper.goes_on():
            return True
        if not port.connected:
            self._entry.trim()  # a host that is gone leaves no points waiting
            return False
        self.fresh = False
        busy = bool(self._asked)
        if busy:
            answer = self._answer(self._asked[0])
            self.fresh = not answer  # it goes on
            if answer:
                self._asked.pop(0)
                self._put(answer)
        elif len(self._waiting) < MOST_WAITING and port.in_waiting:
            self._asked = self._lines.feed(port.read(min(port.in_waiting, READ_AT_ONCE)))
            self.fresh = bool(self._asked)
            busy = True
        return self._write() or busy

    def event(self, rev: int, event: tuple[int, ...], session: int, command_id: int) -> None:
        """Tell the host of an event."""
        self._tell(["ev"] + event_row(rev, event, session, command_id, self._keeper.match.game))

    def pending(self, side: int, points: int, owner: int) -> None:
        """Tell the host of pending points."""
        self._tell(["pend", -1, side, points, owner])

    def say(self, text: str) -> None:
        """Tell the host a line of the log."""
        self._tell(["say", short(text, 90)])

    def _answer(self, message: list[object]) -> list[object] | None:
        op = message[0] if message else None
        if isinstance(op, str) and len(message) > 1:
            q = message[1]
            if op in COMMANDS and len(message) > 2:
                return self._keeper.command(message)
            if op in QUERIES or (op == "choose" and self._take):
                if not is_int(q, 1, 255):
                    return ["no", 0, 0, "args", "a query's second item is a number from 1 to 255"]
                answer: list[object] = getattr(self, "_" + op)(q, message[2:])
                return answer
        return ["no", 0, 0, "op", "not a request that protocol %d knows" % PROTOCOL]

    def _hello(self, q: int, args: list[object]) -> list[object]:
        if len(args) != 1 or type(args[0]) is not int or args[0] < PROTOCOL:
            return ["no", 0, q, "version", "this board speaks protocol %d" % PROTOCOL]
        keeper = self._keeper
        version, uid, tracks, leds, buttons, flags = self._about
        log = keeper.journal.log
        flags |= 8 if log.torn else 0
        about = [tracks, leds, buttons, flags, log.missing, CAN if self._take else BARE]
        return ["hello", q, PROTOCOL, version, uid, log.epoch, keeper.session, keeper.last_id] + about

    def _state(self, q: int, _: list[object]) -> list[object]:
        match = self._keeper.match
        game = match.play
        pegs = bytes(game.now[:-2]).hex()
        head = ["state", q, match.rev, game.rev, game.target, game.mask, len(game.sides), match.dealer]
        return head + [game.skunk, game.double, match.winner, pegs, [match.won(side) for side in game.sides]]

    def _last(self, q: int, _: list[object]) -> list[object]:
        match = self._keeper.match
        undo, redo = match.last(), match.next()
        if self._keeper.journal.must_roll(match, REDO):  # which keeps neither a whole game nor what was taken back
            undo, redo = undo if match.play.depth else None, None
        return ["last", q, _named(undo), _named(redo)]

    def _events(self, q: int, args: list[object]) -> list[object]:
        if len(args) != 1 or type(args[0]) is not int or args[0] < -1:
            return ["no", 0, q, "args", "events takes the rev after which to begin"]
        journal = self._keeper.journal
        answer = ["events", q, journal.oldest(), self._keeper.match.rev]
        size = len(str(answer))
        for record in journal.records(args[0]):
            row = event_row(*record)
            size += len(str(row)) - 7  # a comma more and eight blanks less
            if size > MAX_FRAME - 11:
                break
            answer.append(row)
        return answer

    def _pend(self, q: int, args: list[object]) -> list[object]:
        numbers = [arg for arg in args if is_int(arg, 0, 255)]
        if len(args) != 4 or len(numbers) != 4 or not numbers[2] * numbers[3]:
            return ["no", 0, q, "args", "pend takes side points owner seconds"]
        try:
            self._entry.put(*numbers)
        except Refused as error:
            return ["no", 0, q, error.code, short(error.text)]
        return ["pend", q] + args[:3]

    def _choose(self, q: int, args: list[object]) -> list[object]:
        ints = [arg for arg in args if is_int(arg, -1, 100)]
        fit = len(args) == len(ints) == 3 and ints[0] in (-1,) + STEPS
        if not fit or ints[1] > SILENT or ints[2] > MOST_COMMIT_S:
            return ["no", 0, q, "args", "choose takes brightness sound commit, or -1"]
        return ["choose", q] + self._take(*ints)  # type: ignore[misc]  # asked for only where there is one

    def _tell(self, message: list[object]) -> None:
        if self._port.connected and len(self._waiting) < MOST_WAITING:
            self._put(message)

    def _put(self, message: list[object]) -> None:
        try:
            self._waiting.append(encode(message))
        except WireError as error:
            self._waiting.append(encode(["say", str(error)]))

    def _write(self) -> bool:
        wrote = False
        while self._waiting or self._rest:
            if not self._rest:
                self._rest = self._waiting.pop(0)
            sent = self._port.write(self._rest) or 0
            wrote = wrote or sent > 0
            self._rest = self._rest[sent:]
            if self._rest:
                break
        return wrote


def _named(entry: tuple[tuple[int, ...], int] | None) -> list[object]:
    return event_row(entry[1], entry[0], 0, 0, 0)[:6] if entry else []


def event_row(rev: int, event: tuple[int, ...], session: int, command_id: int, game: int) -> list[object]:
    """An event as the wire has it."""
    kind, side, a, b, c = event
    return [rev, KINDS[kind], side, a, b, c, session, command_id, game]
