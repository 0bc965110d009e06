"""The keeper applies commands: it checks, journals, folds, and answers a command that comes again as it did before.

What it applies it has journalled first, so a power cut leaves the state before or after. The tag of a host's command
(session and id) is in the record, so that a re-sent command counts once.
"""

from __future__ import annotations

from binascii import unhexlify

from cribboard_core.events import COMMANDS, DEAL, HAND, KINDS, RESTORE, Refused, new_event, seats_of
from cribboard_core.game import MOST_WON, NOBODY, unpack
from cribboard_core.pack import CardError, named
from cribboard_core.show import count_read
from cribboard_core.variants import TARGETS, skunk_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any, TypeGuard

    from cribboard_core.game import Game
    from cribboard_core.journal import Journal
    from cribboard_core.match import Match

_TEXTS = ("cards", "starter", "pegs")


class Keeper:
    """Holds the match and its journal; `on_event(rev, event, session, id)` is told of everything that happens."""

    def __init__(
        self, match: Match, journal: Journal, on_event: Callable[[int, tuple[int, ...], int, int], None] | None = None
    ) -> None:
        self.match = match
        self.journal = journal
        self.session = journal.log.session
        self.last_id = journal.log.last_id
        self._answer: list[object] = ["ok", self.session, self.last_id, journal.log.last_rev]
        self.due: tuple[Callable[..., object], tuple[object, ...]] | None = None  # what goes on, and its arguments
        self.on_event = on_event
        self.own_lines = (0, 0, 0)  # a target, and the skunk lines that the settings give it

    def do(self, event: tuple[int, ...], session: int = 0, command_id: int = 0) -> int:
        """Apply one event and return its rev; raises Refused and changes nothing when it cannot be."""
        self.match.check(event)
        if self.journal.must_roll(self.match, event[0]):
            self.journal.roll(self.match)
            self.match.check(event)  # what undo or redo names may have been let go
        rev = self.journal.append(self.match, event, session, command_id)
        self.match.apply(rev, event)
        self._tell(rev, event, session, command_id)
        return rev

    def command(self, message: list[object]) -> list[object] | None:
        """The answer to a host's command [op, session, id, ...]; applied once, however often it comes.

        None while it `goes_on`; then ask again.
        """
        op, session, command_id = message[0], message[1], message[2]
        if not is_int(session, 1, 65535) or not is_int(command_id, 1, 255):
            return ["no", 0, 0, "args", "a command starts with its op, a session of 1 to 65535 and an id of 1 to 255"]
        newer = (session - self.session) & 0xFFFF
        if newer >= 0x8000 and self.session:
            return ["no", session, command_id, "session", "session %d is over; this is %d" % (session, self.session)]
        if newer == 0 and command_id <= self.last_id:
            if command_id < self.last_id:
                return ["no", session, command_id, "stale", "command %d is older than %d" % (command_id, self.last_id)]
            return None if self.due else self._answer
        self.session, self.last_id = session, command_id
        self.due = (self._carry_out, (op, message[3:]))
        self.goes_on()
        return None if self.due else self._answer

    def goes_on(self) -> bool:
        """Do what is due of a command; returns whether anything was."""
        if not self.due:
            return False
        work, args = self.due
        self.due = None
        try:
            work(*args)
            self._answer = ["ok", self.session, self.last_id, self.match.rev]
        except (Refused, CardError) as error:
            self._answer = ["no", self.session, self.last_id, getattr(error, "code", "args"), short(str(error))]
        return True

    def _carry_out(self, op: str, given: list[object]) -> None:
        args = checked(op, given)
        if op in ("new", "restore") and args[0] != self.match.rev:
            raise Refused("rev", "%s names rev %d, but the board is at %d" % (op, args[0], self.match.rev))
        if op == "restore":
            self._restore(restored(*args[1:]))
            return
        if op == "new":
            event = self.new(args[1:])
        elif op == "deal":
            event = (DEAL, self.match.next_seat() if args[0] == -1 else args[0], 0, 0, 0)
        elif op in ("undo", "redo"):
            event = (KINDS.index(op), 0, 0, args[0] & 0xFFFF, 0)
        elif op == "hand":
            event = (HAND, args[0], self._count(*args), args[3], 0)
        else:
            event = self._score(op, args)
        if op == "hand" or self.journal.must_roll(self.match, event[0]):  # a step each
            self.due = (self.do, (event, self.session, self.last_id))
        else:
            self.do(event, self.session, self.last_id)

    def new(self, args: list[int]) -> tuple[int, ...]:
        """The event of a new game from target, seat mask, number of sides, dealer, skunk and double skunk line.

        A dealer of -1 is who the rules say, lines of -1 are those of the target.
        """
        target, mask, sides, dealer, skunk, double = args
        lines = self.own_lines[1:]
        if target != self.own_lines[0]:
            lines = skunk_lines(target) if target in TARGETS else (0, 0)
        if dealer == -1:
            seats = seats_of(mask & 63)
            dealer = self.match.next_dealer()
            if dealer not in seats and seats:
                dealer = seats[0]
        skunk = lines[0] if skunk < 0 else skunk
        return new_event(target, mask, sides, dealer, skunk, min(lines[1], skunk) if double < 0 else double)

    def _score(self, op: str, args: list[int]) -> tuple[int, ...]:
        kind, side = KINDS.index(op), args[0]
        self.match.index(side)
        if op in ("nibs", "go"):
            return (kind, side, 2 if op == "nibs" else 1, 0, 0)
        for value in args[1:]:
            if not 0 <= value <= 255:
                raise Refused("args", "%s of %d; it lies from 0 to 255" % (op, value))
        return (kind, side, args[1], args[2] if len(args) > 2 else 0, 0)

    def _count(self, side: int, cards: str, turned: str, crib: int, points: int) -> int:
        self.match.index(side)
        hand, starter = named(cards), named(turned)
        if len(starter) != 1 or crib not in (0, 1):
            raise Refused("args", "one starter, and crib is 0 or 1")
        players = len(self.match.seats)
        size = 5 if players == 6 else 4
        if len(hand) != size and (len(hand), players, crib) != (3, 2, 0):
            raise Refused("args", "a hand of %d cards, but %d play with %d" % (len(hand), players, size))
        counted = count_read(hand, starter[0], crib == 1).points
        if counted != points:
            raise Refused("count", "the hand counts %d, not %d" % (counted, points))
        return points

    def _restore(self, game: Game) -> None:
        if self.journal.must_roll(self.match, RESTORE):
            self.journal.roll(self.match)
        rev = self.match.rev + 1
        self._restoring(rev, game, self.journal.append_restore(rev, game.pack(), self.session, self.last_id))

    def _restoring(self, rev: int, game: Game, writing: Iterator[None]) -> None:
        for _ in writing:
            self.due = (self._restoring, (rev, game, writing))
            return
        self.match.restore(rev, game)
        self._tell(rev, (RESTORE, 0, 0, 0, 0), self.session, self.last_id)

    def _tell(self, rev: int, event: tuple[int, ...], session: int, command_id: int) -> None:
        if self.on_event:
            self.on_event(rev, event, session, command_id)


def is_int(value: object, low: int, high: int) -> TypeGuard[int]:
    """Whether it is a whole number in this range."""
    return type(value) is int and low <= value <= high


def short(text: str, most: int = 76) -> str:
    """As much of a text as fits an answer's frame whatever the text quotes."""
    return "".join([char if " " <= char <= "~" and char not in '"\\' else "?" for char in text[:most]])


def checked(op: str, args: list[object]) -> list[Any]:
    """These arguments, of the types that the command takes; raises Refused unless they are, and as many."""
    names = COMMANDS[op].split()
    if len(args) != len(names) or not all(_fits(names[i], args[i]) for i in range(len(names))):
        raise Refused("args", "%s takes %s" % (op, COMMANDS[op]))
    return args


def _fits(name: str, value: object) -> bool:
    if name in _TEXTS:
        return isinstance(value, str)
    if name == "won":
        return isinstance(value, list)
    return is_int(value, -1, 0xFFFFFFFF)


def restored(
    target: int, mask: int, sides: int, dealer: int, skunk: int, double: int, pegs: str, won: list[int]
) -> Game:
    """The game that a restore gives; raises Refused when there can be none."""
    new_event(target, mask, sides, dealer, skunk, double)
    try:
        holes = unhexlify(pegs)
    except ValueError:
        raise Refused("args", "the pegs are pairs of hex digits, not %s" % pegs)
    if len(holes) != 2 * sides or len(won) != sides or not all(is_int(games, 0, MOST_WON) for games in won):
        raise Refused("args", "restore needs two pegs and the games won (0 to %d) of each side" % MOST_WON)
    winner = [i for i in range(sides) if holes[2 * i] == target]
    packed = bytes([target, mask, sides, skunk, double]) + holes + bytes([dealer, winner[0] if winner else NOBODY])
    for i in range(sides):
        games = won[i] - (winner == [i])
        if games < 0:
            raise Refused("args", "a side at %d has won this game, so it has won at least one" % target)
        packed += games.to_bytes(2, "little")
    return unpack(packed)
