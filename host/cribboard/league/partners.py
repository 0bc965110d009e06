"""Draws partners for a whole evening: four at a table, nobody with the same partner twice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random

from cribboard.errors import ArgumentError

Four = tuple[tuple[int, int], tuple[int, int]]
TRIES = 40
SWAPS = 400


def partners(
    players: Sequence[int], tables: int, rounds: int, random: Random, past: Sequence[Sequence[Four]] = ()
) -> list[list[Four]]:
    """The rounds to come, each of as many tables of two against two as can be filled.

    Nobody has a partner twice while there are others, opponents change, and those who sit out do so by turns.
    """
    if len(players) < 4:
        raise ArgumentError(f"{len(players)} players make no two pairs", "partners are drawn among four or more")
    best: tuple[int, list[list[Four]]] | None = None
    for _ in range(TRIES):
        night = _Night(players, min(tables, len(players) // 4), random, past)
        drawn = [night.round() for _ in range(rounds)]
        cost = night.cost()
        if best is None or cost < best[0]:
            best = cost, drawn
        if cost == 0:
            break
    return best[1] if best else []


class _Night:
    def __init__(self, players: Sequence[int], count: int, random: Random, past: Sequence[Sequence[Four]]) -> None:
        self.players, self.count, self.random = players, count, random
        self.with_: Counter[frozenset[int]] = Counter()
        self.against: Counter[frozenset[int]] = Counter()
        self.games: Counter[int] = Counter()
        self.rounds = len(past)
        for each in past:
            self._note(each)

    def round(self) -> list[Four]:
        """The next round: whoever has played least, at random, then exchanged until nobody is better off."""
        order = list(self.players)
        self.random.shuffle(order)
        order.sort(key=lambda who: self.games[who])
        seats = order[: 4 * self.count]
        self.random.shuffle(seats)
        tables = [seats[at : at + 4] for at in range(0, len(seats), 4)]
        bench = order[4 * self.count :]
        last = max((self.games[who] for who in seats), default=0)
        spare = [who for who in bench if self.games[who] == last]
        self._improve(tables, spare)
        fours = [((four[0], four[1]), (four[2], four[3])) for four in tables]
        self._note(fours)
        self.rounds += 1
        return fours

    def _improve(self, tables: list[list[int]], spare: list[int]) -> None:
        costs = [self._table(four) for four in tables]
        for _ in range(SWAPS):
            if not any(costs):
                return
            one = self.random.choice([at for at, cost in enumerate(costs) if cost])
            other = self.random.randrange(len(tables) + bool(spare))
            at = self.random.randrange(4)
            if other == len(tables):
                self._bench(tables, costs, spare, one, at)
                continue
            to = self.random.randrange(4)
            four, its = tables[one], tables[other]
            four[at], its[to] = its[to], four[at]
            new = [self._table(four), self._table(its)]
            before = costs[one] + (costs[other] if other != one else 0)
            # An exchange that changes nothing is taken as well: from there another one may help.
            if sum(new[: 1 + (other != one)]) <= before:
                costs[one], costs[other] = new
            else:
                four[at], its[to] = its[to], four[at]

    def _bench(self, tables: list[list[int]], costs: list[int], spare: list[int], one: int, at: int) -> None:
        """Exchange somebody with one who sits out and has played as often."""
        four = tables[one]
        if self.games[four[at]] != self.games[spare[0]]:
            return
        to = self.random.randrange(len(spare))
        four[at], spare[to] = spare[to], four[at]
        new = self._table(four)
        if new <= costs[one]:
            costs[one] = new
        else:
            four[at], spare[to] = spare[to], four[at]

    def _table(self, four: Sequence[int]) -> int:
        """What is wrong with a table: partners again cost most, then opponents for the third time and more."""
        one, two, three, four_ = four
        again = self.with_[frozenset((one, two))] + self.with_[frozenset((three, four_))]
        met = [self.against[frozenset((each, other))] for each in (one, two) for other in (three, four_)]
        return 100 * again + sum(max(0, each - 1) * 3 for each in met)

    def _note(self, fours: Sequence[Four]) -> None:
        for one, two in fours:
            self.with_.update((frozenset(one), frozenset(two)))
            self.against.update(frozenset((each, other)) for each in one for other in two)
            self.games.update(one + two)

    def cost(self) -> int:
        """How much is wrong with the evening."""
        again = sum(each - 1 for each in self.with_.values() if each > 1)
        often = max(self.against.values(), default=0) - 2
        return 1000 * again + max(0, often)
