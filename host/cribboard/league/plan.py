"""Plans an evening: who plays whom in which round, at which table, and who deals first.

It is planned as a whole, since pairing one round after the other gets stuck before everybody has met.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from random import Random

from cribboard.errors import ArgumentError

Pair = tuple[int, int]
TRIES = 60  # of an evening, until one is as good as it can be
STEPS = 3000  # of a search within a round
EXCHANGES = 4000  # of pairs at boards
MOST_PLAYERS, MOST_TABLES = 200, 100
MANY = 40  # players: of more a search takes too long


@dataclass(frozen=True)
class Pairing:
    """Two who play each other at a table; `pair[0]` deals first."""

    pair: Pair
    table: int


@dataclass(frozen=True)
class Past:
    """What has been played: the pairs of each round, whoever dealt first in front, and who played on a board."""

    rounds: tuple[tuple[Pair, ...], ...] = ()
    on_boards: Mapping[int, int] = field(default_factory=dict)


NOTHING = Past()


def plan(
    players: Sequence[int],
    tables: Sequence[int],
    rounds: int,
    random: Random,
    *,
    boards: Sequence[int] = (),
    past: Past = NOTHING,
    pins: Mapping[int, int] | None = None,
    drawn: Sequence[Sequence[Pair]] = (),
) -> list[list[Pairing]]:
    """The rounds to come, of those who are here; whoever is in no pair of a round sits it out.

    Nobody meets anybody again before they have met all others, games and byes differ by at most one, and everybody is
    about as often at one of the `boards` among the tables. Who came late plays on until the others have sat out as
    often. `pins` are players with the table at which they always play. What was `drawn` before somebody came or left
    stays as far as all this allows: it is on paper.
    """
    check(players, tables, rounds)
    count = min(len(tables), len(players) // 2)
    paired = _deal(_pairs(list(players), count, rounds, random, past, drawn), past, drawn)
    return _seat(paired, tables, boards, random, past, pins or {})


def check(players: Sequence[int], tables: Sequence[int], rounds: int) -> None:
    """Raise ArgumentError for what cannot be planned."""
    if not 2 <= len(players) <= MOST_PLAYERS:
        if len(players) == 1:
            raise ArgumentError("one player cannot play alone", "one more name makes a game")
        raise ArgumentError(f"{len(players)} players cannot play each other", "tick who is here")
    if not 1 <= len(tables) <= MOST_TABLES:
        raise ArgumentError(f"{len(tables)} tables", f"use 1 to {MOST_TABLES}")
    if not 1 <= rounds <= 60:
        raise ArgumentError(f"{rounds} rounds cannot be planned", "use 1 to 60")


def makeup(games: Mapping[int, int], random: Random) -> list[Pair]:
    """Pairs for one more round of those who have played the fewest games, of all if they are equal."""
    least, most = min(games.values()), max(games.values())
    missing = [who for who, played in games.items() if played < most or least == most]
    random.shuffle(missing)
    return list(zip(missing[::2], missing[1::2], strict=False))


def _pairs(
    players: list[int], count: int, rounds: int, random: Random, past: Past, drawn: Sequence[Sequence[Pair]]
) -> list[list[Pair]]:
    """Pairs of each round: as drawn before, or by the circle where that is enough, else the best of many searches."""
    met = Counter(frozenset(pair) for each in past.rounds for pair in each)
    games = Counter(who for each in past.rounds for pair in each for who in pair)

    def night() -> _Search:
        return _Search(players, count, random, Counter(met), Counter(games))

    mended = [night().mended(drawn[:rounds]) for _ in range(TRIES if drawn and len(players) <= MANY else 0)]
    begin = max(mended, key=lambda each: (len(each), -_changes(_deal(each, past, drawn), drawn)), default=[])
    if len(begin) == rounds:
        return begin
    if count == len(players) // 2 and not past.rounds:
        return circle(players, rounds, random)
    if len(players) > MANY:  # the circle's rounds one after the other, by tables
        return _cut(circle(players, len(players), random), count, rounds)
    best: tuple[tuple[int, int], list[list[Pair]]] | None = None
    for first in [begin] * TRIES + [[]] * (TRIES if begin else 0):
        search = night()
        for pairs in first:
            search.note(pairs)
        found = first + [search.round() for _ in range(rounds - len(first))]
        cost = search.cost()
        if best is None or cost < best[0]:
            best = cost, found
        if cost == (0, 0):
            break
    return best[1] if best else []


def _changes(rounds: Sequence[Sequence[Pair]], drawn: Sequence[Sequence[Pair]]) -> int:
    """How many games of these rounds were not drawn before, or with the other to deal first."""
    return sum(len({*pairs} - {*before}) for pairs, before in zip(rounds, drawn, strict=False))


def circle(players: Sequence[int], rounds: int, random: Random) -> list[list[Pair]]:
    """Everybody against everybody by the circle method, and again from its first round after the last."""
    seats: list[int | None] = [*players]
    random.shuffle(seats)
    if len(seats) % 2:
        seats.append(None)
    last, ring = seats[-1], seats[:-1]
    drawn = []
    for number in range(rounds):
        # One stays and all others move on by a seat: so nobody meets anybody twice in a whole turn of the ring.
        turned = ring[number % len(ring) :] + ring[: number % len(ring)]
        table = [*turned, last]
        half = len(table) // 2
        both = zip(table[:half], reversed(table[half:]), strict=True)
        drawn.append([(one, other) for one, other in both if one is not None and other is not None])
    return drawn


def _cut(rounds: list[list[Pair]], count: int, most: int) -> list[list[Pair]]:
    """The games of full rounds dealt out to as many tables as there are, nobody twice at a time."""
    games = [pair for each in rounds for pair in each]
    drawn = []
    for _ in range(most):
        here: list[Pair] = []
        busy: set[int] = set()
        for pair in games:
            if len(here) < count and busy.isdisjoint(pair):
                here.append(pair)
                busy.update(pair)
        games = [pair for pair in games if pair not in here] or [pair for each in rounds for pair in each]
        drawn.append(here)
    return drawn


class _Search:
    """An evening, round by round, with chance where there is a choice."""

    def __init__(
        self, players: list[int], count: int, random: Random, met: Counter[frozenset[int]], games: Counter[int]
    ) -> None:
        self.players, self.count, self.random, self.met, self.games = players, count, random, met, games

    def round(self) -> list[Pair]:
        """The pairs of the next round: whoever has played least plays, with those whom they have met least."""
        order = [*self.players]
        self.random.shuffle(order)
        order.sort(key=lambda who: self.games[who])
        # Whoever has played less than the last one who gets a place must play; of those who have as many, some may.
        cut = self.games[order[2 * self.count - 1]]
        must = [who for who in order if self.games[who] < cut]
        may = [who for who in order if self.games[who] == cut]
        spare = len(must) + len(may) - 2 * self.count
        least = min(self.met[frozenset(pair)] for pair in combinations(self.players, 2))
        pairs: list[Pair] | None = None
        for again in range(self.count + 1):  # how many meet again
            self._steps = STEPS
            pairs = self._match(must, may, spare, least, again)
            if pairs is not None:
                break
        if pairs is None:
            left = order[: 2 * self.count]
            pairs = list(zip(left[::2], left[1::2], strict=True))
        self.note(pairs)
        return pairs

    def note(self, pairs: Iterable[Pair]) -> None:
        """Count the pairs of a round."""
        for pair in pairs:
            self.met[frozenset(pair)] += 1
            self.games.update(pair)

    def mended(self, drawn: Sequence[Sequence[Pair]]) -> list[list[Pair]]:
        """Rounds drawn for others than are here, until one in which two would have to meet again."""
        left = []
        for pairs in drawn:
            here = [pair for pair in pairs if {*pair} <= {*self.players}]
            if any(self.met[frozenset(pair)] for pair in here):
                break
            self.met.update(map(frozenset, here))  # so that those who will meet do not meet before
            left.append(here)
        rounds: list[list[Pair]] = []
        for here in left:
            again = self._mend(here)
            if not again:
                break
            self.met.subtract(map(frozenset, here))
            self.note(again)
            rounds.append(again)
        return rounds

    def _mend(self, drawn: list[Pair]) -> list[Pair] | None:
        """The drawn pairs of a round but for two at most, and those of all others who have played too little."""
        cut = sorted(self.games[who] for who in self.players)[2 * self.count - 1]
        idle = [who for who in self.players if not any(who in pair for pair in drawn)]
        for several in range(3):
            ways = list(combinations(drawn, several))
            self.random.shuffle(ways)
            for apart in ways:
                kept = [pair for pair in drawn if pair not in apart]
                pool = idle + [who for pair in apart for who in pair]
                must = [who for who in pool if self.games[who] < cut]
                may = [who for who in pool if self.games[who] == cut]
                spare = len(must) + len(may) - 2 * (self.count - len(kept))
                if len(kept) > self.count or spare < 0 or any(self.games[who] > cut for each in kept for who in each):
                    continue
                self._steps = STEPS
                pairs = self._match(must, may, spare, 0, 0)
                if pairs is not None:
                    return kept + pairs
        return None

    def _match(self, must: list[int], may: list[int], spare: int, least: int, again: int) -> list[Pair] | None:
        """Pairs of all who must play and of those who may but for `spare`; None if there are none."""
        if len(must) + len(may) <= spare:
            return None if must else []
        self._steps -= 1
        if self._steps < 0:
            return None
        pool = must + may
        # First whoever has fewest left to meet: paired late they find nobody, and all before them is to be tried again.
        who = self._narrowest(must or may, pool, least)
        others = [other for other in pool if other != who]
        others.sort(key=lambda other: (self.met[frozenset((who, other))], self.random.random()))
        for other in others:
            more = self.met[frozenset((who, other))] > least
            if more and not again:
                break
            rest = [[each for each in group if each not in (who, other)] for group in (must, may)]
            pairs = self._match(rest[0], rest[1], spare, least, again - more)
            if pairs is not None:
                return [(who, other), *pairs]
        if who in may and spare:
            return self._match(must, [each for each in may if each != who], spare - 1, least, again)
        return None

    def _narrowest(self, whom: list[int], pool: list[int], least: int) -> int:
        """Who has fewest left to meet."""
        return min(whom, key=lambda who: sum(self.met[frozenset((who, each))] <= least for each in pool))

    def cost(self) -> tuple[int, int]:
        """How often two have met too often, and by how much more than one games differ."""
        meetings = [self.met[frozenset(pair)] for pair in combinations(self.players, 2)]
        # Meetings that cannot be fewer cost nothing: so often two meet when all are spread evenly.
        fair = -(-sum(meetings) // len(meetings))
        games = [self.games[who] for who in self.players]
        return sum(max(0, each - max(fair, 1)) for each in meetings), max(0, max(games) - min(games) - 1)


def _seat(
    paired: list[list[Pair]],
    tables: Sequence[int],
    boards: Sequence[int],
    random: Random,
    past: Past,
    pins: Mapping[int, int],
) -> list[list[Pairing]]:
    """Give every pair a table: pins first, then boards to those who have been at one least."""
    free = [[table for table in tables if table not in _pinned(pairs, tables, pins).values()] for pairs in paired]
    loose = [[pair for pair in pairs if pair not in _pinned(pairs, tables, pins)] for pairs in paired]
    pinned = [_pinned(pairs, tables, pins) for pairs in paired]
    had: Counter[int] = Counter(past.on_boards)
    for places in pinned:
        had.update(who for pair, table in places.items() if table in boards for who in pair)
    room = [min(len(pairs), sum(table in boards for table in left)) for pairs, left in zip(loose, free, strict=True)]
    chosen = _balance(loose, room, had, random)
    seated = []
    for pairs, left, places, on in zip(loose, free, pinned, chosen, strict=True):
        on_board = [table for table in left if table in boards]
        off_board = [table for table in left if table not in boards]
        seats = dict(places)
        seats.update(zip([pair for pair in pairs if pair in on], on_board, strict=False))
        seats.update(zip([pair for pair in pairs if pair not in on], off_board + on_board, strict=False))
        seated.append(sorted((Pairing(pair, table) for pair, table in seats.items()), key=lambda each: each.table))
    return seated


def _pinned(pairs: Iterable[Pair], tables: Sequence[int], pins: Mapping[int, int]) -> dict[Pair, int]:
    """The pairs with a table of their own; where two want the same, the first has it."""
    pinned: dict[Pair, int] = {}
    for pair in pairs:
        for who in pair:
            table = pins.get(who, 0)
            if table in tables and pair not in pinned and table not in pinned.values():
                pinned[pair] = table
    return pinned


def _balance(paired: list[list[Pair]], room: list[int], had: Counter[int], random: Random) -> list[set[Pair]]:
    """Which pairs of each round are at boards, so that everybody is there about as often."""
    count = Counter(had)
    chosen: list[set[Pair]] = []
    for pairs, most in zip(paired, room, strict=True):
        order = sorted(pairs, key=lambda pair: (count[pair[0]] + count[pair[1]], random.random()))
        chosen.append(set(order[:most]))
        count.update(who for pair in order[:most] for who in pair)
    _exchange(paired, chosen, count, random)
    return chosen


def _exchange(paired: list[list[Pair]], chosen: list[set[Pair]], count: Counter[int], random: Random) -> None:
    """Exchange pairs of a round, now and then for the worse, until everybody is at boards as often as the others.

    For a few players no choice may do: of four at two tables, one of them with a board, three rounds leave a gap of 2.
    """
    people = sorted({who for pairs in paired for pair in pairs for who in pair})
    open_rounds = [at for at, pairs in enumerate(paired) if 0 < len(chosen[at]) < len(pairs)]
    best: tuple[int, list[set[Pair]]] = (MOST_PLAYERS, chosen[:])
    for _ in range(EXCHANGES if open_rounds else 0):
        gap = max(count[who] for who in people) - min(count[who] for who in people)
        if gap < best[0]:
            best = gap, chosen[:]
        if gap < 2:
            break
        number = random.choice(open_rounds)
        on = random.choice(sorted(chosen[number]))
        off = random.choice([pair for pair in paired[number] if pair not in chosen[number]])
        # Simulated annealing on the sum of squares: a worse exchange is taken with a chance that falls tenfold for
        # each step, which leads out of a state that no single exchange makes better.
        worse = sum(count[who] for who in off) - sum(count[who] for who in on) + 2  # by so many squares, halved
        if worse <= 0 or random.random() < 0.1**worse:
            chosen[number] = (chosen[number] - {on}) | {off}
            count.subtract(on)
            count.update(off)
    chosen[:] = best[1]


def _deal(rounds: list[list[Pair]], past: Past, drawn: Sequence[Sequence[Pair]]) -> list[list[Pair]]:
    """Put whoever deals first in front, so that everybody does so in half of their games, or one more or less.

    Games that were drawn before stay as they are as far as that is so.
    """
    lead = Counter(who for each in past.rounds for who, _ in each)
    lead.subtract(other for each in past.rounds for _, other in each)
    known = {pair for pairs in drawn for pair in pairs}
    games = [[*pair] for pairs in rounds for pair in pairs]
    for pair in sorted(games, key=lambda pair: (pair[0], pair[1]) not in known):
        if (pair[0], pair[1]) not in known and lead[pair[0]] > lead[pair[1]]:
            pair.reverse()
        lead[pair[0]] += 1
        lead[pair[1]] -= 1
    # Turning all games of a path round takes a first deal from one end to the other, and leaves those between with
    # as many as they had.
    while path := next((path for who in lead if abs(lead[who]) > 1 and (path := _way(games, lead, who))), []):
        for at in path:
            games[at].reverse()
            lead[games[at][0]] += 2
            lead[games[at][1]] -= 2
    turned = iter(games)
    return [[(one, other) for _, (one, other) in zip(pairs, turned, strict=False)] for pairs in rounds]


def _way(games: Sequence[Sequence[int]], lead: Counter[int], who: int) -> list[int]:
    """Games to turn round, from somebody with too many first deals (or too few) to one for whom one more is better."""
    front = 0 if lead[who] > 0 else 1
    came: dict[int, tuple[int, int]] = {}
    reach, seen = [who], {who}
    while reach:
        here = reach.pop(0)
        for at, pair in enumerate(games):
            other = pair[1 - front]
            if pair[front] != here or other in seen:
                continue
            came[other] = at, here
            if lead[other] < lead[who] - 2 if front == 0 else lead[other] > lead[who] + 2:
                return list(_back(came, other, who))
            seen.add(other)
            reach.append(other)
    return []


def _back(came: Mapping[int, tuple[int, int]], end: int, begin: int) -> Iterator[int]:
    while end != begin:
        at, end = came[end]
        yield at
