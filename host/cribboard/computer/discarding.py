"""Which cards to throw for the best chance to win: hand, crib and play together, against what the scores ask for.

Every discard is first valued in points; those near the best are then valued by the tables of the chance to win, through
all that hand and crib may count and what both may peg. The nearer the end, the more of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations
from operator import add
from typing import NamedTuple

from cribboard.analyst.points import KEYS, RANKS, points, rank_points
from cribboard.computer.tables import (
    DEALER,
    MOST_POINTS,
    PONE,
    ROLES,
    Chances,
    convolved,
    hand_keys,
    kept_ranks,
    tables,
    through_deal,
    thrown_ranks,
)
from cribboard_core.cards import JACK, PACK_SIZE, check_cards

PEGS_NINE = 10.0  # nine or more, on average
JACK_IS_RIGHT = 0.245  # a jack in the crib has the starter's suit
CRIB_FLUSH = 0.011  # two thrown cards of one suit become a flush with the others and the starter
CLOSE, FAR = 31, 1.6  # points that a side needs; points below the best
LATE = 4.5
# A throw that is a point worse than the best is made once in ten thousand times, and a worse one never.
LESS, AT_ALL = 1e-4, 1.0

Pairs = list[tuple[int, int, float]]  # two ranks, and how likely


class Choice(NamedTuple):
    """Two cards to throw; the chance to win; points of the hand, of the crib, and the pegs won over the other's."""

    thrown: tuple[int, ...]
    kept: tuple[int, ...]
    win: float
    hand: float
    crib: float
    pegs: float

    def worth(self, role: int) -> float:
        """All points together."""
        return self.hand + self.pegs + (self.crib if role == DEALER else -self.crib)


def discards(dealt: Sequence[int], role: int, needs: tuple[int, int], every: bool = False) -> list[Choice]:
    """The discards of six cards, best first, by what pone and dealer need; those that are far off by points alone."""
    check_cards(list(dealt), "deal", (6,))
    choices = sorted(by_points(dealt, role), key=lambda choice: choice.worth(role), reverse=True)
    least = choices[0].worth(role) - (LATE if min(needs) <= CLOSE else FAR)
    near = [choice for choice in choices if every or choice.worth(role) >= least]
    valued = [choice._replace(win=chance_of(choice, dealt, role, needs)) for choice in near]
    valued.sort(key=lambda choice: (choice.win, choice.worth(role)), reverse=True)
    return valued + [choice._replace(win=valued[-1].win) for choice in choices[len(near) :]]


def crib_chances(thrown: Sequence[int], role: int, seen: Sequence[int], starter: int = -1) -> Chances:
    """What the crib may count with these two cards of a player of this role; `seen` cards are nowhere else."""
    free = unseen(seen)
    pairs = [(low, high, share * _ways(free, low, high)) for low, high, share in tables().throwing(1 - role)]
    return crib_of(thrown, pairs, starter, free)


def crib_of(thrown: Sequence[int], pairs: Pairs, starter: int, free: Sequence[int] = ()) -> Chances:
    """The same when the other throws these ranks; without a starter any of the `free` cards may be it."""
    own = sum([KEYS[card >> 2] for card in thrown])
    by_rank = rank_points()
    chances = [0.0] * (MOST_POINTS + 1)
    starters = [(rank, float(free[rank])) for rank in RANKS] if starter < 0 else [(starter >> 2, 1.0)]
    for low, high, weight in pairs:
        if weight:
            key = own + KEYS[low] + KEYS[high]
            for rank, number in starters:
                chances[by_rank[key + KEYS[rank]]] += weight * number
    total = sum(chances)
    return _by_suits(tuple(share / total for share in chances), thrown, starter)


def thrown_beside(kept: Sequence[int], role: int, free: Sequence[int], flush: int = 0) -> Pairs:
    """What a player who has kept these four ranks may have thrown, of so many free cards of each rank.

    It is as likely as there are cards for it, and the less, the better another throw of the six cards would have been.
    `flush` are the points that all other throws would have lost, since the four are of one suit.
    """
    worth, crib = tables().worths(role)
    own = [KEYS[rank] for rank in kept]
    four = sum(own)
    two = [(four - one - other, crib[one + other]) for one, other in combinations(own, 2)]
    there = [rank for rank in RANKS if free[rank] > 0]
    # of each rank, with each of the four in its place: what the hand is worth then, and the crib when both go there
    instead = {rank: [worth[four - key + KEYS[rank]] for key in own] for rank in there}
    beside = {rank: [crib[key + KEYS[rank]] for key in own] for rank in there}
    pairs = []
    for low in there:
        for high in there:
            ways = _ways(free, low, high) if low <= high else 0
            if not ways:
                continue
            both = KEYS[low] + KEYS[high]
            did = worth[four] + crib[both] + flush
            # Most pairs are out by the throws that keep three of the four; only the others are compared with the rest.
            best = max(max(map(add, instead[high], beside[low])), max(map(add, instead[low], beside[high])))
            if best < did + AT_ALL:
                best = max(best, max([worth[rest + both] + made for rest, made in two]))
                if best < did + AT_ALL:
                    pairs.append((low, high, ways * LESS ** max(0.0, best - did)))
    return pairs


def _ways(free: Sequence[int], low: int, high: int) -> float:
    return free[low] * (free[high] if low != high else (free[low] - 1) / 2)


def forget() -> None:
    """Forget what follows from the tables, since there are others now."""
    pegs_over.cache_clear()
    _usual_crib.cache_clear()


def unseen(seen: Sequence[int]) -> list[int]:
    """How many cards of each rank are not among these."""
    free = [4] * 13
    for card in seen:
        free[card >> 2] -= 1
    return free


def by_points(dealt: Sequence[int], role: int) -> list[Choice]:
    """All fifteen discards by points alone: their chance to win is not looked up."""
    free = unseen(dealt)
    return [_by_points(dealt, thrown, role, free) for thrown in combinations(dealt, 2)]


def is_usual(dealt: Sequence[int], thrown: Sequence[int], role: int) -> bool:
    """Whether a player who goes by points alone throws these two cards of six."""
    free = unseen(dealt)
    least = _by_points(dealt, tuple(thrown), role, free).worth(role)
    return all(_by_points(dealt, other, role, free).worth(role) <= least for other in combinations(dealt, 2))


def _by_points(dealt: Sequence[int], thrown: tuple[int, ...], role: int, free: list[int]) -> Choice:
    kept = tuple([card for card in dealt if card not in thrown])
    key = sum([KEYS[card >> 2] for card in kept])
    pair = sorted([card >> 2 for card in thrown])
    crib = _usual_crib(pair[0], pair[1], thrown[0] & 3 == thrown[1] & 3, role)
    return Choice(thrown, kept, 0.0, _hand_average(kept, key, free, dealt), crib, pegs_over(role, key))


def _hand_average(kept: tuple[int, ...], key: int, free: list[int], dealt: Sequence[int]) -> float:
    by_rank = rank_points()
    total = sum([free[rank] * by_rank[key + KEYS[rank]] for rank in RANKS])
    suits = [card & 3 for card in kept]
    for card in kept:
        if card >> 2 == JACK:
            total += 13 - [each & 3 for each in dealt].count(card & 3)
    number = PACK_SIZE - len(dealt)
    if len(set(suits)) == 1:
        total += 4 * number + 13 - [each & 3 for each in dealt].count(suits[0])
    return total / number


def hand_chances(kept: Sequence[int], dealt: Sequence[int]) -> Chances:
    """What four cards may count with every starter that was not dealt."""
    times = [0] * (MOST_POINTS + 1)
    for starter in range(PACK_SIZE):
        if starter not in dealt:
            times[points(kept, starter)] += 1
    return tuple(number / (PACK_SIZE - len(dealt)) for number in times)


@cache
def pegs_over(role: int, key: int) -> float:
    """How much more a player of this role pegs than the other, on average."""
    own, other = tables().pegging(role, key)
    return _mean(own) - _mean(other)


def worths() -> list[float]:
    """What all kept, then all thrown ranks are worth to pone and to dealer, in suits that make no flush."""
    values = []
    for role in ROLES:
        for ranks, key in zip(kept_ranks(), hand_keys(), strict=True):
            made = sum([(4 - ranks.count(rank)) * rank_points()[key + KEYS[rank]] for rank in RANKS])
            nobs = JACK_IS_RIGHT * ranks.count(JACK)
            values.append(made / (PACK_SIZE - len(ranks)) + nobs + pegs_over(role, key))
    for role in ROLES:
        sign = 1 if role == DEALER else -1
        values += [sign * _usual_crib(low, high, False, role) for low, high in thrown_ranks()]
    return values


@cache
def _usual_crib(low: int, high: int, one_suit: bool, role: int) -> float:
    """The average of the crib with this discard, whatever else was dealt."""
    cards = (low * 4, high * 4 + (not one_suit if low != high else 1))
    return sum([at * share for at, share in enumerate(crib_chances(cards, role, cards))])


def _by_suits(chances: Chances, thrown: Sequence[int], starter: int) -> Chances:
    """With nobs and the flush, as likely as they are on average."""
    jacks = [card for card in thrown if card >> 2 == JACK]
    if jacks and starter < 0:
        chances = _moved(chances, 1, JACK_IS_RIGHT * len(jacks))
    elif any(card & 3 == starter & 3 for card in jacks) and starter >> 2 != JACK:
        chances = _moved(chances, 1, 1.0)
    if thrown[0] & 3 == thrown[1] & 3 and (starter < 0 or starter & 3 == thrown[0] & 3):
        # CRIB_FLUSH allows for the starter, whose suit is the right one once in four times.
        chances = _moved(chances, 5, CRIB_FLUSH if starter < 0 else 4 * CRIB_FLUSH)
    return chances


def _moved(chances: Chances, by: int, share: float) -> Chances:
    up = [0.0] * by + list(chances[: len(chances) - by])
    up[-1] += sum(chances[len(chances) - by :])
    return tuple((1 - share) * here + share * there for here, there in zip(chances, up, strict=True))


def chance_of(choice: Choice, dealt: Sequence[int], role: int, needs: tuple[int, int]) -> float:
    """The chance to win with this discard, by what pone and dealer need."""
    known = tables()
    key = sum([KEYS[card >> 2] for card in choice.kept])
    own, other = known.pegging(role, key)
    hand = hand_chances(choice.kept, dealt)
    crib = crib_chances(choice.thrown, role, dealt)
    if role == DEALER:
        return through_deal(needs, (other, own), known.showing_any(PONE), convolved(hand, crib))
    return 1.0 - through_deal(needs, (own, other), hand, convolved(known.showing_any(DEALER), crib))


def _mean(pegs: Chances) -> float:
    return sum([at * share for at, share in enumerate(pegs[:-1])]) + PEGS_NINE * pegs[-1]
