"""The wire's commands: as methods, as one would type them, and as the events that they make."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING

from cribboard.board.follow import BoardChange
from cribboard.board.ledger import Names
from cribboard.board.messages import Event, Standing
from cribboard.errors import ArgumentError, CommandError
from cribboard.json_types import Json
from cribboard_core.events import COMMANDS, KINDS, setup_word
from cribboard_core.match import Match

if TYPE_CHECKING:
    from cribboard.board.ledger import Names


ARGUMENTS = {op: tuple(names.split()) for op, names in COMMANDS.items()}
# what side, a and b of an event are called; most events say no more than their command
EVENTS = {**ARGUMENTS, "hand": ("side", "points", "crib"), "nibs": ("side", "points"), "go": ("side", "points")}


class Commands(ABC):
    """The commands to a board; each returns what it did, and raises CommandError if the board refuses."""

    @abstractmethod
    def command(self, op: str, *args: Json, names: Names | None = None, key: str = "") -> BoardChange:
        """Have the board do something, once; `names` are those of a new game.

        A `key` that was answered before is not done again: what it did then is the answer.
        """

    @abstractmethod
    def sync(self) -> Standing:
        """How the board says that its match stands."""

    @abstractmethod
    def at_hand(self) -> tuple[Event | None, Event | None]:
        """The event that undo would take back and the one that redo would bring back, None for nothing."""

    def peg(self, side: int, points: int) -> BoardChange:
        """Peg points in the play."""
        return self.command("peg", side, points)

    def hand(self, side: int, cards: str, starter: str, crib: bool, points: int) -> BoardChange:
        """Peg a hand or the crib; the board counts it too, and refuses points that are not its own count."""
        return self.command("hand", side, cards, starter, int(crib), points)

    def nibs(self, side: int) -> BoardChange:
        """Two for the dealer's jack."""
        return self.command("nibs", side)

    def go(self, side: int) -> BoardChange:
        """One for a go or the last card."""
        return self.command("go", side)

    def penalty(self, side: int, points: int, back: bool = False) -> BoardChange:
        """The offender's opponents peg, or the offender goes back."""
        return self.command("penalty", side, points, int(back))

    def muggins(self, side: int, points: int, missed_by: int) -> BoardChange:
        """Points that another side missed."""
        return self.command("muggins", side, points, missed_by)

    def false_claim(self, side: int, true_score: int) -> BoardChange:
        """A game claimed falsely: the claimant goes back, the others peg the overclaim."""
        return self.command("false", side, true_score)

    def set_score(self, side: int, front: int, back: int) -> BoardChange:
        """Put a side's pegs where they belong."""
        return self.command("set", side, front, back)

    def next_deal(self, dealer: int = -1) -> BoardChange:
        """Pass the deal to a place, by default the next one."""
        return self.command("deal", dealer)

    def undo(self) -> list[int | str]:
        """Take the last event back; gives it as `last` does. Raises CommandError when there is none."""
        return self._walk("undo", 0)

    def redo(self) -> list[int | str]:
        """Bring back what undo took; gives that event as `last` does. Raises CommandError when there is none."""
        return self._walk("redo", 1)

    def new(
        self,
        target: int,
        mask: int,
        sides: int,
        dealer: int = -1,
        skunk: int = -1,
        double: int = -1,
        names: Names | None = None,
    ) -> BoardChange:
        """Begin a game. A dealer of -1 is whom the rules name, lines of -1 are those of the target.

        Without `names` the people of the game before keep theirs.
        """
        return self.command("new", self.sync().rev, target, mask, sides, dealer, skunk, double, names=names)

    def restore(self, standing: Standing) -> BoardChange:
        """Give the board a whole state."""
        return self.command("restore", self.sync().rev, *standing.setup(), standing.pegs(), list(standing.won))

    def send(self, op: str, *args: Json) -> int:
        """Have the board do something, once; gives the rev of the event that it made."""
        return self.command(op, *args).after.rev

    def last(self) -> list[int | str] | None:
        """The event that undo would take back, [rev, "kind", side, a, b, c], or None."""
        event = self.at_hand()[0]
        return None if event is None else event.fields()[:6]

    def _walk(self, op: str, which: int) -> list[int | str]:
        event = self.at_hand()[which]
        if event is None:
            raise CommandError("nothing", f"there is nothing to {op}")
        self.command(op, event.rev)
        return event.fields()[:6]


def said(op: str, args: Sequence[object]) -> str:
    """A command as one would type it: sides count from 1."""
    words = [str(arg) for arg in args]
    if ARGUMENTS[op][0] == "side" and args and type(args[0]) is int:
        words[0] = str(args[0] + 1)
    if op == "hand" and len(words) == 5:
        return f"hand {words[0]} {words[1]} --starter {words[2]}{' --crib' if args[3] else ''}"
    if op == "penalty" and len(words) == 3:
        return f"penalty {words[0]} {words[1]}{' --back' if args[2] else ''}"
    if op == "muggins" and len(words) == 3 and type(args[2]) is int:
        return f"muggins {words[0]} {words[1]} --from {args[2] + 1}"
    if op == "set" and len(words) == 3:
        return f"set-score {words[0]} {words[1]} --back {words[2]}"
    if op == "false":
        return " ".join(["false-claim", *words])
    if op in ("undo", "redo", "new", "restore"):
        return op
    return "next-deal" if op == "deal" else " ".join([op, *words])


def can_have_made(op: str, args: Sequence[object], event: tuple[int, ...]) -> bool:
    """Whether an event may be what a command did; programs that draw the same session have the same tags."""
    kind, side, a, b, _ = event
    if KINDS[kind] != op or len(args) != len(ARGUMENTS[op]):
        return False
    asked = dict(zip(ARGUMENTS[op], args, strict=True))
    made = dict(zip(EVENTS[op], (side, a, b), strict=False))
    if op in ("undo", "redo"):
        rev = args[0]
        asked, made = {"rev": rev & 0xFFFF if isinstance(rev, int) else rev}, {"rev": b}
    elif op == "new":
        made = {**dict(zip(("target", "seats", "sides"), setup_word(b), strict=True)), "dealer": side}
    elif op == "restore":
        made = {}
    return all(asked.get(name, -1) in (-1, value) for name, value in made.items())


def back_peg(match: Match, side: int, front: int, back: int | None = None) -> int:
    """Where a side's back peg stands after its front peg was set: where it is, or just behind.

    Raises ArgumentError for a hole that is not behind the front peg.
    """
    if back is None:
        stays = match.back(side) if side in match.sides else 0
        return stays if stays < front else max(0, front - 1)
    if back >= front > 0:
        raise ArgumentError(f"the back peg cannot be at {back} with the front peg at {front}", "put it behind")
    return back


ANYBODY = 1  # the owner of points when a program does not tell people apart
PEND_S = 20  # seconds
