"""What one phone may do to the others: whose undo needs a Yes, and whose scores hold up nobody's order."""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypedDict

from cribboard.service.orders import OrderError

MOST, WHILE_S = 3, 300.0  # scores of others that a phone takes back without a question
FAST, FAST_S = 10, 30.0  # scores of one phone; hands, crib and play of a quick deal make six
ASKED_S = 120.0  # that a question stays
KEPT = 1024  # phones and addresses

Clock = Callable[[], float]
Alone = Callable[[str, int], bool]  # whether a phone that plays for a side, or -1, has nobody at the table to answer it


class AskedEntry(TypedDict):
    """A phone that wants to take back a score of others, or to give a line these `points`; the others may answer.

    `side` is the one that it plays for.
    """

    phone: str
    name: str
    side: int | None
    rev: int
    text: str
    points: int | None


@dataclass(frozen=True)
class Wish:
    """An undo of the event `rev` that needs a Yes, or its correction to `points`; `own` is the phone's side, or -1."""

    by: str
    own: int
    rev: int
    until: float
    points: int | None = None


class Lately:
    """Whether somebody has done something `most` times in the last `while_s` seconds."""

    def __init__(self, most: int, while_s: float, clock: Clock) -> None:
        self._most = most
        self._while_s = while_s
        self._clock = clock
        self._times: OrderedDict[str, deque[float]] = OrderedDict()

    def note(self, who: Iterable[str]) -> None:
        """Count once more for each of these names of one phone."""
        for one in who:
            times = self._times.pop(one, deque(maxlen=self._most))
            times.append(self._clock())
            self._times[one] = times
        while len(self._times) > KEPT:
            self._times.popitem(last=False)

    def is_full(self, who: Iterable[str]) -> bool:
        """Whether one of these names has done it so often."""
        since = self._clock() - self._while_s
        past = [self._times[one] for one in who if one in self._times]
        return any(len(times) == self._most and times[0] > since for times in past)


class Restraint:
    """Counts at one table by phone and by address, since a phone in a private window looks new; staff have no limit."""

    def __init__(self, clock: Clock, is_alone: Alone = lambda by, own: False) -> None:
        self._clock = clock
        self._is_alone = is_alone
        self._addresses: OrderedDict[str, str] = OrderedDict()
        self._scores = Lately(FAST, FAST_S, clock)
        self._undos = Lately(MOST, WHILE_S, clock)
        self._refused: deque[tuple[str, int, int | None]] = deque(maxlen=KEPT)
        self._wish: Wish | None = None

    @property
    def wish(self) -> Wish | None:
        """The undo or correction that waits for a Yes; None without one."""
        return self._wish if self._wish is not None and self._clock() < self._wish.until else None

    def meet(self, by: str, address: str) -> None:
        """Note the address of a phone; empty when it tells nothing."""
        self._addresses.pop(by, None)
        self._addresses[by] = address
        if len(self._addresses) > KEPT:
            self._addresses.popitem(last=False)

    def scored(self, by: str) -> None:
        """Note that an order of this phone has moved something."""
        self._scores.note(self._names(by))

    def is_fast(self, by: str) -> bool:
        """Whether a phone scores faster than anybody plays, so that nobody has to wait until its score is right."""
        return self._scores.is_full(self._names(by))

    def check_undo(self, rev: int, own: int, by: str, author: str) -> None:
        """Refuse an undo of somebody else's score that needs a Yes, and ask for that."""
        if by == author or is_staff(by) or not self._undos.is_full(self._names(by)):
            return
        self._ask(rev, None, own, by, f"this phone has taken back {MOST} scores of others in five minutes")

    def check_correction(self, rev: int, points: int, own: int, by: str) -> Wish | None:
        """Refuse a correction that needs a Yes, and ask for that; returns the wish of another that it agrees with.

        Staff need none.
        """
        wish = self.wish
        if is_staff(by):
            return None
        if wish is not None and not self._names(by) & self._names(wish.by):
            if (wish.rev, wish.points) == (rev, points):
                return self.answer(rev, True, own, by, points)
            raise OrderError("asked", "another phone waits for an answer", "answer that first", 409)
        self._ask(rev, points, own, by, "a score is corrected by both sides together")
        return None

    def _ask(self, rev: int, points: int | None, own: int, by: str, said: str) -> None:
        if (by, rev, points) in self._refused:
            raise OrderError("no", "the others want to keep that score", "talk to them, or ask the staff", 409)
        self._wish = Wish(by, own, rev, self._clock() + ASKED_S, points)
        if self._is_alone(by, own):
            said = "no phone is here that could say Yes"
            raise OrderError("asked", said, "ask the staff, or somebody at the table to join", 409)
        raise OrderError("asked", said, "the others are asked now: wait until one of them, or the staff, says Yes", 409)

    def forget(self) -> None:
        """Let go of the wish: what it was about has gone, so nobody is shown it or can answer."""
        self._wish = None

    def undone(self, by: str, author: str) -> None:
        """Note that a phone has taken back a score without a Yes."""
        if by != author and not is_staff(by):
            self._undos.note(self._names(by))

    def answer(self, rev: int, yes: bool, own: int, by: str, points: int | None = None) -> Wish:
        """The wish that is granted or refused by this; raises OrderError for somebody who may not answer."""
        wish = self.wish
        if wish is None or (wish.rev, wish.points) != (rev, points):
            what = "take that back" if points is None else "correct that"
            raise OrderError("late", f"nobody wants to {what} any more", "look at the score", 409)
        if not is_staff(by):
            same = self._names(by) & self._names(wish.by)
            if same or own == wish.own >= 0:
                who = "another phone" if same else "the other side"
                raise OrderError("own", f"{who} has to answer this", "ask the other side, or the staff", 409)
        self._wish = None
        if not yes:
            self._refused.append((wish.by, rev, points))
        return wish

    def _names(self, by: str) -> set[str]:
        return {by, self._addresses.get(by, "")} - {""}


def is_staff(by: str) -> bool:
    """Whether this is the staff's device, which needs nobody's Yes."""
    return by.partition(" ")[0] == "staff"
