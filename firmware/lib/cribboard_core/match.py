"""The match: the fold of its events into pegs, dealer, winner and games won, with undo that never folds again.

A new game (or a restored one) keeps the game before it until its own first score, so that it too can be taken back.
"""

from __future__ import annotations

from cribboard_core.events import (
    DEAL,
    FALSE,
    GO,
    KINDS,
    MOST_POINTS,
    MUGGINS,
    NEW,
    NIBS,
    PENALTY,
    REDO,
    RESTORE,
    SET,
    UNDO,
    Refused,
    check_setup,
    setup_word,
)
from cribboard_core.game import NOBODY, Game
from cribboard_core.variants import skunk_lines


class Match:
    """Games one after the other between the same places, as far as a board must know them."""

    def __init__(
        self, target: int = 121, mask: int = 3, sides: int = 2, dealer: int = 0, lines: tuple[int, ...] = ()
    ) -> None:
        skunk, double = lines or skunk_lines(target)
        self.rev = 0
        self.play = Game(0, target, mask, sides, dealer, skunk, double)
        self.earlier: Game | None = None  # the game before, until the first score of this one
        self.undone: Game | None = None  # a new game that was taken back, for redo

    target = property(lambda self: self.play.target)
    skunk = property(lambda self: self.play.skunk)
    double = property(lambda self: self.play.double)
    seats = property(lambda self: self.play.seats)
    sides = property(lambda self: self.play.sides)
    game = property(lambda self: self.play.rev)
    dealer = property(lambda self: self.play.now[-2])
    crib_side = property(lambda self: self.side_of(self.play.now[-2]))

    @property
    def winner(self) -> int:
        """The place of the side that has won, or -1."""
        index = self.play.now[-1]
        return -1 if index == NOBODY else self.play.sides[index]

    def index(self, side: int) -> int:
        """Where a side stands in `sides`; raises Refused when it does not play."""
        if side not in self.play.sides:
            raise Refused("side", "no side %s here; the sides are %s" % (_said(side), _list(self.play.sides)))
        return self.play.sides.index(side)

    def side_of(self, place: int) -> int:
        """The side that a place plays for, or -1."""
        seats = self.play.seats
        return self.play.sides[seats.index(place) % len(self.play.sides)] if place in seats else -1

    def front(self, side: int) -> int:
        """The hole of the front peg, which is the score; 0 is the start."""
        return self.play.now[2 * self.index(side)]

    def back(self, side: int) -> int:
        """The hole of the back peg, which is the score before."""
        return self.play.now[2 * self.index(side) + 1]

    def won(self, side: int) -> int:
        """Games won, this one included."""
        return self.play.games_won(self.index(side))

    def skunked(self, side: int) -> int:
        """How a side has lost: 0 it has not, 1 it has, 2 skunked, 3 double-skunked."""
        if self.winner < 0 or side == self.winner:
            return 0
        front = self.front(side)
        return 3 if front < self.play.double else 2 if front < self.play.skunk else 1

    def next_seat(self) -> int:
        """The place clockwise of the dealer."""
        seats = self.play.seats
        return seats[(seats.index(self.dealer) + 1) % len(seats)]

    def next_dealer(self) -> int:
        """Who deals the next game: the loser (the lowest of several, clockwise if equal), or else the next seat.

        While nobody has scored this game counts as not begun, and its dealer stays.
        """
        if not max(self.play.now[:-2]):
            return self.play.now[-2]
        seats = self.play.seats
        at = seats.index(self.dealer)
        clockwise = [seats[(at + 1 + i) % len(seats)] for i in range(len(seats))]
        if self.winner < 0:
            return clockwise[0]
        losing = [place for place in clockwise if self.side_of(place) != self.winner]
        return min(losing, key=lambda place: self.front(self.side_of(place)) * 8 + losing.index(place))

    @property
    def can_undo(self) -> bool:
        """Whether there is an event to take back."""
        return self.last() is not None

    @property
    def can_redo(self) -> bool:
        """Whether there is an event to bring back."""
        return self.next() is not None

    def last(self) -> tuple[tuple[int, ...], int] | None:
        """The (event, rev) that undo would take back."""
        if self.play.depth:
            return self.play.entry(self.play.depth - 1)
        return ((self.play.kind, self.dealer, 0, 0, 0), self.play.rev) if self.earlier else None

    def next(self) -> tuple[tuple[int, ...], int] | None:
        """The (event, rev) that redo would bring back."""
        if self.play.depth < self.play.top:
            return self.play.entry(self.play.depth)
        return ((self.undone.kind, self.undone.now[-2], 0, 0, 0), self.undone.rev) if self.undone else None

    def undo_event(self) -> tuple[int, ...]:
        """The event that takes the last one back; raises Refused when there is none."""
        return self._name(UNDO, self.last())

    def redo_event(self) -> tuple[int, ...]:
        """The event that brings the one taken back last back; raises Refused when there is none."""
        return self._name(REDO, self.next())

    def check(self, event: tuple[int, ...]) -> None:
        """Raise Refused unless this event can happen now."""
        kind, side, a, b, c = event
        if not 0 < kind < RESTORE or not 0 <= a <= 255 or not 0 <= b <= 0xFFFF or not 0 <= c <= 255:
            raise Refused("args", "event %s has a number out of its range" % (event,))
        if kind == NEW:
            target, mask, sides = setup_word(b)
            check_setup(target, mask, sides, side, a, c)
        elif kind in (UNDO, REDO):
            at_hand = self.undo_event() if kind == UNDO else self.redo_event()
            if at_hand[3] != b:
                raise Refused("rev", "%s names event %d, but the one at hand is %d" % (KINDS[kind], b, at_hand[3]))
        elif kind == DEAL:
            if side not in self.play.seats:
                raise Refused("seats", "%s has no seat; the seats are %s" % (_said(side), _list(self.play.seats)))
            self._not_over()
        else:
            self._check_score(kind, side, a, b)

    def apply(self, rev: int, event: tuple[int, ...]) -> None:
        """Fold an event that `check` has passed; `rev` is its number, higher than all before."""
        kind, side, a, b, c = event
        self.rev = rev
        if kind == UNDO:
            self._undo()
        elif kind == REDO:
            self._redo()
        elif kind == NEW:
            target, mask, sides = setup_word(b)
            old = self._begin(Game(rev, target, mask, sides, side, a, c), NEW)
            if old.mask == mask and len(old.sides) == sides:
                self.play.won = [old.games_won(i) for i in range(sides)]
        else:
            self._happen(rev, event)

    def restore(self, rev: int, game: Game) -> None:
        """Take over a game that was given as a whole; it can be taken back until the next score."""
        game.rev = rev
        self.rev = rev
        self._begin(game, RESTORE)

    def _begin(self, game: Game, kind: int) -> Game:
        game.kind = kind
        if self.earlier is None or self.play.kind == RESTORE or max(self.play.now[:-2]):
            self.earlier = self.play  # else: a game without a score is passed over, undo goes to the one before
            self.play.top = self.play.depth
        self.play = game
        self.undone = None
        return self.earlier

    def _undo(self) -> None:
        if self.play.depth:
            self.play.take_back()
        elif self.earlier:
            self.undone = self.play
            self.play = self.earlier
            self.earlier = None

    def _redo(self) -> None:
        if self.play.depth < self.play.top:
            event, rev = self.play.entry(self.play.depth)
            top, undone = self.play.top, self.undone
            self._happen(rev, event)
            self.play.top, self.undone = top, undone
        elif self.undone:
            self.earlier = self.play
            self.play = self.undone
            self.undone = None

    def _happen(self, rev: int, event: tuple[int, ...]) -> None:
        game = self.play
        game.remember(rev, event)
        game.top = game.depth
        self.undone = None
        kind, side, a, b, _ = event
        if kind not in (DEAL, SET):  # a handicap is set, and is no score
            self.earlier = None
        now = game.now
        if kind == DEAL:
            now[-2] = side
            return
        i = game.sides.index(side)
        if kind == SET:
            now[2 * i] = a
            now[2 * i + 1] = b
            if now[-1] == i:
                now[-1] = NOBODY
            if a == game.target:
                now[-1] = i
        elif kind == PENALTY and not b:
            self._others_peg(i, a)
        elif kind == PENALTY:
            self._go_back(i, max(0, now[2 * i] - a))
        elif kind == FALSE:
            if now[-1] == i:
                now[-1] = NOBODY
            over = now[2 * i] - a
            self._go_back(i, a)
            self._others_peg(i, over)
        else:
            self._forward(i, a)

    def _forward(self, i: int, points: int) -> None:
        now = self.play.now
        if points and now[-1] == NOBODY:
            now[2 * i + 1] = now[2 * i]
            now[2 * i] = min(now[2 * i] + points, self.play.target)
            if now[2 * i] == self.play.target:
                now[-1] = i

    def _others_peg(self, i: int, points: int) -> None:
        count = len(self.play.sides)
        for step in range(1, count):
            self._forward((i + step) % count, points)

    def _go_back(self, i: int, score: int) -> None:
        now = self.play.now
        now[2 * i] = score
        if now[2 * i + 1] >= score:
            now[2 * i + 1] = max(0, score - 1)

    def _check_score(self, kind: int, side: int, a: int, b: int) -> None:
        i = self.index(side)
        front = self.play.now[2 * i]
        if kind == SET:
            if not 0 <= b <= a <= self.play.target:
                raise Refused(
                    "args", "pegs at %d and %d; they lie from 0 to %d, the back one behind" % (a, b, self.target)
                )
            if self.winner >= 0 and self.winner != side and a == self.play.target:
                self._not_over()
        elif kind == FALSE:
            if a >= front:
                raise Refused("points", "the true score %d is not below %d, so nothing was claimed" % (a, front))
            if self.winner != side:
                self._not_over()
        else:
            self._not_over()
            if a > MOST_POINTS or (kind == NIBS and a != 2) or (kind == GO and a != 1):
                raise Refused(
                    "points", "%d points for %s cannot be; one score is 0 to %d" % (a, KINDS[kind], MOST_POINTS)
                )
            if kind == PENALTY and b > 1:
                raise Refused("args", "penalty way %d; 0 the others peg it, 1 the offender goes back" % b)
            if kind == MUGGINS:
                self.index(b)
                if b == side:
                    raise Refused("side", "a side cannot call muggins on itself")

    def _not_over(self) -> None:
        if self.winner >= 0:
            raise Refused("over", "the game is won; undo, a new game, set score or a false claim are left")

    def _name(self, kind: int, entry: tuple[tuple[int, ...], int] | None) -> tuple[int, ...]:
        if entry is None:
            older = "; older events were dropped when the memory filled" if kind == UNDO and self.play.trimmed else ""
            raise Refused("nothing", "there is nothing to %s%s" % (KINDS[kind], older))
        return (kind, 0, 0, entry[1] & 0xFFFF, 0)


def _said(place: object) -> str:
    return str(place + 1) if isinstance(place, int) else str(place)


def _list(places: tuple[int, ...]) -> str:
    return ", ".join([str(place + 1) for place in places])
