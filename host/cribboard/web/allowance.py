"""How many games one phone may start, so that a joker cannot fill the history with games and invented names."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from cribboard.amounts import amount
from cribboard.service.orders import OrderError
from cribboard.web.identity import Visitor
from cribboard.web.limits import MOST_CLIENTS, Clock, Tries
from cribboard.web.problem import Problem

# Two players need ten minutes for the shortest game, to 61, so three games in half an hour; as many again may be begun
# by mistake. Names are given once a game, so as many times.
MOST, WHILE_S = 6, 1800.0
SAME_S = 20.0  # an order sent again after a lost answer; a board's ledger knows its key for longer
WORDS = {"new": "started {} games", "names": "changed the names {} times"}


class Allowance:
    """Counts new games and changes of names, for each phone, and for each address at a table.

    A phone in a private window looks new, but its address is the same. Staff and the kiosk's computer have no limit.
    """

    def __init__(self, clock: Clock = time.monotonic) -> None:
        self._clock = clock
        self._tries = {do: Tries(MOST, WHILE_S, clock) for do in WORDS}
        self._newest: dict[int, tuple[object, float]] = {}  # the newest game's order of each phone, and when it came

    @contextmanager
    def taken(self, order: Mapping[str, object], visitor: Visitor) -> Iterator[None]:
        """Count the order that the block carries out, unless it is refused there; raises Problem above the limit."""
        do, key = str(order.get("do")), order.get("key")
        free = do not in self._tries or visitor.role != "player" or visitor.here
        if free or (do == "new" and self._is_same(key, visitor)):
            yield
            return
        tries, counted = self._tries[do], (f"phone {visitor.phone}", f"{visitor.client} at {visitor.board}")
        wait = max(tries.wait(one) for one in counted)
        if wait:
            minutes = -(-int(wait + 1) // 60)
            raise Problem(
                409,
                "games",
                f"this phone has {WORDS[do].format(MOST)} in half an hour",
                f"wait {amount(minutes, 'minute')}, or ask the staff, who may start more",
            )
        for one in counted:
            tries.begin(one)
        if do == "new":
            self._note(key, visitor)
        try:
            yield
        except OrderError:
            self._newest.pop(visitor.phone, None)
            for one in counted:
                tries.take_back(one)
            raise

    def _is_same(self, key: object, visitor: Visitor) -> bool:
        before, at = self._newest.get(visitor.phone, ("", 0.0))
        return before == key and self._clock() - at < SAME_S

    def _note(self, key: object, visitor: Visitor) -> None:
        self._newest.pop(visitor.phone, None)
        self._newest[visitor.phone] = key, self._clock()
        if len(self._newest) > MOST_CLIENTS:
            del self._newest[next(iter(self._newest))]
