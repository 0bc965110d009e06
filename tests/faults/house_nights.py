"""League nights in the whole house: two people whose games on the board, reports and quarrels make an evening.

Phones send an order again under its key when its answer was lost, or the disk was full, or the kiosk was killed. What
counts is held against the history's games and against the acts alone.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime

from cribboard.errors import ArgumentError
from cribboard.league.state import AGREED, fold
from cribboard.service import night_orders, night_wish, nights
from cribboard.service.night_plan import Actor
from cribboard.service.orders import OrderError
from cribboard.store import Store

TABLE = 1
OFTEN = 0.1  # something happens on the night, in a moment of the house
QUIET = 0.85  # nobody has anything to say
LOST = 0.3  # answers that do not come
STAFF = Actor("staff", True)
WISH = {"names": ["Ann", "Bob"], "preset": "house", "boards": [TABLE], "rounds": 3}
TARGET = 61  # that of most games of the house


class Nights:
    """Nights, one after the other. `wrong` says what is wrong, empty if nothing."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(f"nights {seed}")  # its own, so that the house is what it was without nights
        self.number = 0
        self.waiting: list[tuple[Actor, dict[str, object]]] = []
        self.counts: Counter[str] = Counter()
        self.orders = 0

    def draw(self) -> random.Random:
        """The chance by which a night is planned."""
        return random.Random(self.chance.random())

    def act(self, store: Store, uid: str, full: bool) -> str:
        """Something happens on the night, or nothing; what is wrong."""
        if self.chance.random() > OFTEN:
            return ""
        self.give()
        if full:
            return ""  # phones keep what they have to say
        if not self.number:
            self.begin(store)
        nights.tick(store, self.number, {TABLE: uid})
        for order in self.waiting[:3]:
            self.send(store, *order)
        night = nights.tick(store, self.number, {TABLE: uid})
        if all(match.over(night.rules) for match in night.state.live()):
            night_orders.do(store, self.number, STAFF, {"do": "close", "key": self.key()})
            wrong, self.number, self.waiting = self.judge(store), 0, []
            return wrong
        return ""

    def begin(self, store: Store) -> None:
        """A night of two, each with a phone."""
        on = store.running_contest()  # begun before the kiosk was killed
        wish = night_wish.read_wish(WISH, [TABLE])
        wish = replace(wish, rules={**wish.rules, "target": TARGET})
        self.number = on or nights.begin(store, wish, STAFF, datetime(2026, 1, 1, tzinfo=UTC)).contest.id
        self.counts["nights"] += 1
        for entrant in (1, 2):
            phone = Actor(f"phone {entrant}", False)
            self.waiting.append((phone, {"do": "claim", "entrant": entrant, "key": self.key()}))

    def key(self) -> str:
        """A key for an order."""
        self.orders += 1
        return f"night-order-{self.orders:08}"

    def give(self) -> None:
        """Somebody has something to say about a match: who won, right, not right, or the director's word."""
        if not self.number or self.chance.random() < QUIET:
            return
        do = self.chance.choice(("report", "report", "agree", "wrong", "settle"))
        who = STAFF if do == "settle" else Actor(f"phone {self.chance.randint(1, 2)}", False)
        scores = [TARGET, self.chance.randrange(TARGET)]
        if self.chance.random() < 0.5:
            scores.reverse()
        self.waiting.append((who, {"do": do, "match": 0, "scores": scores, "key": self.key()}))

    def send(self, store: Store, who: Actor, order: dict[str, object]) -> None:
        """Send an order; its answer may be lost, then it comes again."""
        live = store.contest(self.number).state.live()
        if order.get("match") == 0:
            order["match"] = self.chance.choice(live).number
        try:
            night_orders.do(store, self.number, who, order)
        except (OrderError, ArgumentError):
            self.counts["refused"] += 1
        else:
            self.counts[str(order["do"])] += 1
            if self.chance.random() < LOST:
                self.counts["answers lost"] += 1
                return
        self.waiting.remove((who, order))

    def judge(self, store: Store) -> str:
        """Hold the night against its acts and the history's games; what is wrong."""
        if not self.number:
            return ""
        known = store.contest(self.number)
        store._night = None
        night = store.contest(self.number)
        numbers = [act.number for act in night.acts]
        keys = Counter((act.who, act.key) for act in night.acts if act.key)
        legs = [leg for match in night.state.matches.values() for leg in match.legs.values()]
        games = Counter(leg.board[0] for leg in legs if leg.board)
        self.counts["games on the board"] += len(games)
        if known != night or known.state != fold(night.acts, night.games):
            return f"night {self.number} as it is known differs from its acts"
        if numbers != list(range(1, len(numbers) + 1)):
            return f"night {self.number} has acts {numbers}"
        for counted, what in ((keys, "an order"), (games, "a game")):
            if counted and max(counted.values()) > 1:
                return f"on night {self.number} {what} counts twice: {counted.most_common(1)}"
        for leg in legs:
            if leg.board and leg.state == AGREED and leg.settled is None:
                replay = store.game(leg.board[0])
                fronts = [side.front for side in replay.game.sides] if replay else []
                if set(fronts) != set(leg.scores or ()):
                    return f"game {leg.board[0]} ended {fronts}, and the night has {leg.scores}"
        if sum(row.spread for row in night.standings):
            return f"the spreads of night {self.number} are not 0 together"
        return ""
