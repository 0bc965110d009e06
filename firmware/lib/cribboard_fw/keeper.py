"""The keeper applies commands: it checks, journals, folds, and answers a command that comes again as it did before.

What it applies it has journalled first, so a power cut leaves the state before or after. The tag of a host's command
(session and id) is in the record, so that a re-sent command counts once.
"""

from __future__ import annotations

from binascii import unhexlify

from cribboard_core.cards import CardError, parse_cards
from cribboard_core.events import (
    DEAL,
    FALSE,
    GO,
    HAND,
    MUGGINS,
    NIBS,
    PEG,
    PENALTY,
    REDO,
    RESTORE,
    SET,
    UNDO,
    Refused,
    new_event,
    seats_of,
)
from cribboard_core.game import MOST_WON, NOBODY, unpack
from cribboard_core.journal import Journal
from cribboard_core.match import Match
from cribboard_core.show import count_read
from cribboard_core.variants import TARGETS, skunk_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# op: its arguments by name; those in TEXTS are strings, `won` is a list, all others integers
COMMANDS = {
    "peg": "side points",
    "hand": "side cards starter crib points",
    "nibs": "side",
    "go": "side",
    "penalty": "side points back",
    "muggins": "side points from",
    "false": "side score",
    "set": "side front back",
    "deal": "place",
    "undo": "rev",
    "redo": "rev",
    "new": "rev target seats sides dealer skunk double",
    "restore": "rev target seats sides dealer skunk double pegs won",
}
TEXTS = ("cards", "starter", "pegs")


class Keeper:
    """Holds the match and its journal; `on_event(rev, event, session, id)` is told of everything that happens."""

    def __init__(self, match: Match, journal: Journal, on_event: Any = None) -> None:
        self.match = match
        self.journal = journal
        self.session = journal.session
        self.last_id = journal.last_id
        self._answer: list[Any] = ["ok", self.session, self.last_id, journal.last_rev]
        self.on_event = on_event
        self.own_lines = (0, 0, 0)  # a target, and the skunk lines that the settings give it

    def do(self, event: tuple[int, ...], session: int = 0, command_id: int = 0) -> int:
        """Apply one event and return its rev; raises Refused and changes nothing when it cannot be."""
        self.match.check(event)
        rev = self.match.rev + 1
        if self.journal.must_roll(self.match, event[0]):
            self.journal.roll(self.match)
            self.match.check(event)  # what undo or redo names may have been let go
        self.journal.append(rev, event, session, command_id)
        self.match.apply(rev, event)
        self._tell(rev, event, session, command_id)
        return rev

    def command(self, message: list[Any]) -> list[Any]:
        """The answer to a host's command [op, session, id, ...]; applied once, however often it comes."""
        op, session, command_id = message[0], message[1], message[2]
        if not _is_int(session, 1, 65535) or not _is_int(command_id, 0, 255):
            return ["no", 0, 0, "args", "a command starts with its op, a session of 1 to 65535 and an id of 0 to 255"]
        newer = (session - self.session) & 0xFFFF
        if newer >= 0x8000 and self.session:
            return ["no", session, command_id, "session", "session %d is over; this is %d" % (session, self.session)]
        if newer == 0 and command_id == self.last_id:
            return self._answer
        if newer == 0 and (command_id - self.last_id) & 255 >= 128:
            return ["no", session, command_id, "stale", "command %d is older than %d" % (command_id, self.last_id)]
        try:
            rev = self._carry_out(op, message[3:], session, command_id)
            self._answer = ["ok", session, command_id, rev]
        except Refused as error:
            self._answer = ["no", session, command_id, error.code, short(error.text)]
        except CardError as error:
            self._answer = ["no", session, command_id, "args", short(str(error))]
        self.session, self.last_id = session, command_id
        return self._answer

    def _carry_out(self, op: Any, args: list[Any], session: int, command_id: int) -> int:
        names = COMMANDS[op].split()
        fit = len(args) == len(names)
        for i in range(len(names) if fit else 0):
            fit = fit and _fits(names[i], args[i])
        if not fit:
            raise Refused("args", "%s takes %s" % (op, COMMANDS[op]))
        if op in ("undo", "redo"):
            return self.do((UNDO if op == "undo" else REDO, 0, 0, args[0] & 0xFFFF, 0), session, command_id)
        if op in ("new", "restore"):
            if args[0] != self.match.rev:
                raise Refused("rev", "%s names rev %d, but the board is at %d" % (op, args[0], self.match.rev))
            if op == "restore":
                return self._restore(args[1:], session, command_id)
            return self.do(self.new(args[1:]), session, command_id)
        if op == "deal":
            return self.do((DEAL, self.match.next_seat() if args[0] == -1 else args[0], 0, 0, 0), session, command_id)
        return self.do(self._score(op, args), session, command_id)

    def new(self, args: list[Any]) -> tuple[int, ...]:
        """The event of a new game from target, seat mask, number of sides, dealer, skunk and double skunk line.

        A dealer of -1 is who the rules say, lines of -1 are those of the target.
        """
        target, mask, sides, dealer, skunk, double = args
        if target not in TARGETS:
            raise Refused("args", "a game is to 61, 91, 121 or 241, not %s" % (target,))
        lines = self.own_lines[1:] if target == self.own_lines[0] else skunk_lines(target)
        if dealer == -1:
            seats = seats_of(mask & 63)
            dealer = self.match.next_dealer()
            if dealer not in seats and seats:
                dealer = seats[0]
        skunk = lines[0] if skunk < 0 else skunk
        return new_event(target, mask, sides, dealer, skunk, min(lines[1], skunk) if double < 0 else double)

    def _score(self, op: Any, args: list[Any]) -> tuple[int, ...]:
        side = args[0]
        self.match.index(side)
        if op == "hand":
            points = self._count(args)
            return (HAND, side, points, args[3], 0)
        if op == "nibs":
            return (NIBS, side, 2, 0, 0)
        if op == "go":
            return (GO, side, 1, 0, 0)
        for value in args[1:]:
            if not 0 <= value <= 255:
                raise Refused("args", "%s of %d; it lies from 0 to 255" % (op, value))
        kind = {"peg": PEG, "penalty": PENALTY, "muggins": MUGGINS, "false": FALSE, "set": SET}[op]
        return (kind, side, args[1], args[2] if len(args) > 2 else 0, 0)

    def _count(self, args: list[Any]) -> int:
        hand = parse_cards(args[1])
        starter = parse_cards(args[2])
        if len(starter) != 1 or args[3] not in (0, 1):
            raise Refused("args", "one starter, and crib is 0 or 1")
        size = 5 if len(self.match.seats) == 6 else 4
        if len(hand) != size:
            raise Refused("args", "a hand of %d cards, but %d play with %d" % (len(hand), len(self.match.seats), size))
        points = count_read(hand, starter[0], args[3] == 1).points
        if points != args[4]:
            raise Refused("count", "the hand counts %d, not %d" % (points, args[4]))
        return points

    def _restore(self, args: list[Any], session: int, command_id: int) -> int:
        target, mask, sides, dealer, skunk, double, pegs, won = args
        new_event(target, mask, sides, dealer, skunk, double)
        try:
            holes = unhexlify(pegs)
        except ValueError:
            raise Refused("args", "the pegs are pairs of hex digits, not %s" % pegs)
        if len(holes) != 2 * sides or len(won) != sides or not all(_is_int(games, 0, MOST_WON) for games in won):
            raise Refused("args", "restore needs two pegs and the games won (0 to %d) of each side" % MOST_WON)
        winner = [i for i in range(sides) if holes[2 * i] == target]
        packed = bytes([target, mask, sides, skunk, double]) + holes + bytes([dealer, winner[0] if winner else NOBODY])
        for i in range(sides):
            games = won[i] - (winner == [i])
            if games < 0:
                raise Refused("args", "a side at %d has won this game, so it has won one at least" % target)
            packed += games.to_bytes(2, "little")
        unpack(packed)
        rev = self.match.rev + 1
        if self.journal.must_roll(self.match, RESTORE):
            self.journal.roll(self.match)
        self.journal.append_restore(rev, packed, session, command_id)
        self.match.restore(rev, packed)
        self._tell(rev, (RESTORE, 0, 0, 0, 0), session, command_id)
        return rev

    def _tell(self, rev: int, event: tuple[int, ...], session: int, command_id: int) -> None:
        if self.on_event:
            self.on_event(rev, event, session, command_id)


def _is_int(value: Any, low: int, high: int) -> bool:
    return type(value) is int and low <= value <= high


def short(text: str, most: int = 76) -> str:
    """As much of a text as fits an answer's frame whatever the text quotes."""
    return "".join([char if " " <= char <= "~" and char not in '"\\' else "?" for char in text[:most]])


def _fits(name: str, value: Any) -> bool:
    if name in TEXTS:
        return isinstance(value, str)
    if name == "won":
        return isinstance(value, list)
    return type(value) is int and -1 <= value <= 0xFFFFFFFF
