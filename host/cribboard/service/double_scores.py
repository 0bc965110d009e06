"""One score pegged twice: the same points for the same side from two phones, or two pages of one, within seconds."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from cribboard.amounts import amount
from cribboard.service.orders import Order, OrderError
from cribboard.service.table import Table

WITHIN_S = 4.0
SCORES_KEPT = 64  # scores, and orders that were asked about

Clock = Callable[[], float]


@dataclass(frozen=True)
class Score:
    """Points that somebody pegged: `front` is the peg's new hole, `own` the phone's side, -1 for none."""

    game: int
    side: int
    points: int
    front: int
    by: str
    page: str
    own: int
    at: float


class DuplicateScores:
    """Remembers the newest scores of one table, and asks about one that looks doubled."""

    def __init__(self, table: Table, clock: Clock = time.monotonic) -> None:
        self._table = table
        self._clock = clock
        self._scores: deque[Score] = deque(maxlen=SCORES_KEPT)
        self._asked: dict[str, OrderError] = {}  # by the order's key

    def note(self, order: Order, by: str, side: int, points: int) -> None:
        """Remember the points that this order has pegged."""
        match = self._table.board.match
        self._scores.append(
            Score(match.game, side, points, match.front(side), by, order.page, order.own, self._clock())
        )

    def check(self, order: Order, by: str, side: int, points: int) -> None:
        """Raise OrderError when somebody else has just pegged this; an order that was asked about stays refused."""
        if order.again:
            return
        if order.key in self._asked:
            raise self._asked[order.key]
        last = self._last(side, points)
        if last is None or (last.by, last.page) == (by, order.page) or self._table.restraint.is_fast(last.by):
            return
        error = self._question(last, by)
        self._asked[order.key] = error
        if len(self._asked) > SCORES_KEPT:
            del self._asked[next(iter(self._asked))]
        raise error

    def _last(self, side: int, points: int) -> Score | None:
        """The newest score like this in the last seconds, or None; one that was taken back does not count."""
        match = self._table.board.match
        wanted, since = (match.game, side, points), self._clock() - WITHIN_S
        for score in reversed(self._scores):
            if (score.game, score.side, score.points) == wanted and side in match.sides and score.at >= since:
                return score if match.front(side) >= score.front else None
        return None

    def _question(self, score: Score, by: str) -> OrderError:
        names, points = self._table.names, score.points
        who = f"{names.first(score.own)}'s phone" if score.own in self._table.board.match.sides else "Another phone"
        if score.by == by:
            who = "Another page of this phone"
        seconds = round(self._clock() - score.at)
        ago = f"{amount(seconds, 'second')} ago" if seconds else "just now"
        said = f"{who} pegged {points} for {names.name(score.side)} {ago}"
        return OrderError("doubled", said, f"Peg {points} more?", 409)
