"""Which discard to make, and why: the exact averages of the kept hand and of the crib, and how often each score.

All starters are equally likely, and so is every choice of the crib's other cards among those unseen, unless it is known
how often each two ranks are thrown; then a choice counts as much as that. For choices that are equally likely, what the
ranks count is summed over all of them at once, from sums over the whole pack: for each card that is not in it, the
generating function of the pack's choices is divided by 1 + card. Flush and nobs follow from the numbers of unseen
suits. The ways to each score of a crib are counted by rank, many at once; then those are moved up that have nobs or a
flush.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import combinations, combinations_with_replacement
from math import comb
from typing import NamedTuple

from cribboard.analyst.points import KEYS, RANKS, SUITS, odds, pack_sums, rank_points
from cribboard_core.aloud import sentence
from cribboard_core.cards import JACK, PACK_SIZE, CardError, cards_text, check_cards
from cribboard_core.show import Show, by_rank, runs, sets

KEPT = 4
DEALT = (6, 5)  # to two players, of which two cards go to the crib; to three, four or five, of which one goes

Part = tuple[str, int, tuple[int, ...]]
ANY = "if every choice of its other cards is equally likely"
USUAL = "if your opponent throws as good players do"
Throws = dict[int, float]  # by the sum of two ranks' keys, how much more often than at random they are thrown

NO_STARTER = -1
NONE = 1e-9  # ways; what is less is left of a difference
FEW = 12  # starters that a sentence can name
SHARES = (0.5, 0.25, 0.1)  # of the starters: the advice says how many points that share of them reaches


class Discard(NamedTuple):
    """Cards to throw, cards to keep, and the average of the hand and of the crib then."""

    thrown: tuple[int, ...]
    kept: tuple[int, ...]
    hand: float
    crib: float

    def worth(self, own_crib: bool) -> float:
        """Hand and crib together, the crib as a loss when it is an opponent's."""
        return self.hand + self.crib if own_crib else self.hand - self.crib

    def rounded(self, own_crib: bool) -> tuple[float, float, float]:
        """Hand, crib (as it counts for you) and their sum, to hundredths that add up: one part gives way by one."""
        parts = [self.hand, self.crib if own_crib else -self.crib]
        shown, total = [round(part, 2) for part in parts], round(sum(parts), 2)
        rest = total - sum(shown)
        nearest = max((0, 1), key=lambda at: (parts[at] - shown[at]) * rest)
        shown[nearest] = round(shown[nearest] + rest, 2)
        return shown[0], shown[1], total


def discards(dealt: Sequence[int], throws: Throws | None = None) -> list[Discard]:
    """All discards of six cards (or of five), in the order of the cards; raises CardError for what is no deal.

    `throws` says what the other of two players throws; without it any two cards are equally likely.
    """
    check_cards(list(dealt), "deal", DEALT)
    unseen = _Unseen(dealt)
    crib_average = unseen.crib_average if throws is None else Cribs(dealt, throws).average
    choices = []
    for thrown in combinations(dealt, len(dealt) - KEPT):
        kept = tuple([card for card in dealt if card not in thrown])
        choices.append(Discard(thrown, kept, unseen.hand_average(kept), crib_average(thrown)))
    return choices


def best_first(dealt: Sequence[int], own_crib: bool, throws: Throws | None = None) -> list[Discard]:
    """The discards from the best down."""
    return sorted(discards(dealt, throws), key=lambda discard: discard.worth(own_crib), reverse=True)


class _Unseen:
    """The pack without the cards that were dealt."""

    def __init__(self, dealt: Sequence[int]) -> None:
        self.number = PACK_SIZE - len(dealt)
        self.of_suit = [13 - [card & 3 for card in dealt].count(suit) for suit in SUITS]
        self.jack_suits = [suit for suit in SUITS if JACK * 4 + suit not in dealt]
        keys = [KEYS[card >> 2] for card in dealt]
        most = KEPT + 1 - (len(dealt) - KEPT)  # unseen cards that a crib and its starter have
        # The keys of all multisets of so many of the dealt cards: the terms of 1 / (1 + card), for all of them.
        self.dealt_keys = [list(map(sum, combinations_with_replacement(keys, number))) for number in range(most + 1)]

    def hand_average(self, kept: tuple[int, ...]) -> float:
        """Of four cards with every starter."""
        total = self._rank_points(kept, 1) + sum([self.of_suit[card & 3] for card in kept if card >> 2 == JACK])
        if _one_suit(kept):
            total += 4 * self.number + self.of_suit[kept[0] & 3]
        return total / self.number

    def crib_average(self, thrown: tuple[int, ...]) -> float:
        """Of these cards with every choice of the others and every starter."""
        others = KEPT - len(thrown)
        total = (others + 1) * self._rank_points(thrown, others + 1)  # each of them may be the starter
        starters = sum([self.of_suit[card & 3] for card in thrown if card >> 2 == JACK])
        total += starters * comb(self.number - 1, others)
        with_jack = sum([self.of_suit[suit] - 1 for suit in self.jack_suits])
        total += with_jack * comb(self.number - 2, others - 1)
        if _one_suit(thrown):
            total += 5 * (others + 1) * comb(self.of_suit[thrown[0] & 3], others + 1)
        return total / (self.number * comb(self.number - 1, others))

    def _rank_points(self, cards: tuple[int, ...], more: int) -> int:
        """The points by rank of these and `more` unseen cards, summed over all choices of the unseen."""
        key = _key(cards)
        total = 0
        for out in range(more + 1):
            sums = pack_sums()[more - out]
            # Inclusion and exclusion: sums over a whole pack, of which choices with dealt cards are taken off and put
            # back by turns.
            part = sum(map(sums.__getitem__, [key + dealt_key for dealt_key in self.dealt_keys[out]]))
            total += -part if out % 2 else part
        return total


def _one_suit(cards: Sequence[int]) -> bool:
    return len({card & 3 for card in cards}) == 1


class Cribs:
    """The cribs that a deal of six cards (or of five) may feed; with `throws` a deal has six."""

    def __init__(self, dealt: Sequence[int], throws: Throws | None = None) -> None:
        check_cards(list(dealt), "deal", DEALT if throws is None else DEALT[:1])
        self._dealt = dealt
        self._throws = throws
        self._unseen = [card for card in range(PACK_SIZE) if card not in dealt]
        self._thrown = len(dealt) - KEPT
        self._others = KEPT - self._thrown
        self._ways_without = cache(self._count_ways_without)
        self._pairs_without = cache(self._weigh_pairs_without)

    def average(self, thrown: Sequence[int]) -> float:
        """The points to be expected."""
        ways = self.ways(thrown)
        return sum([points * number for points, number in ways.items()]) / sum(ways.values())

    def ways(self, thrown: Sequence[int]) -> dict[int, float]:
        """By points, from the fewest up, in how many ways the starter and the other cards make them of this discard.

        With `throws` each way counts as often as it is thrown, and all together as without.
        """
        check_cards(list(thrown), "discard", (self._thrown,))
        if not set(thrown) <= set(self._dealt):
            raise CardError(f"the discard {cards_text(list(thrown))} is not among {cards_text(list(self._dealt))}")
        ways = self._alike(thrown) if self._throws is None else self._weighed(thrown, self._throws)
        return {points: ways[points] for points in sorted(ways) if ways[points]}

    def _alike(self, thrown: Sequence[int]) -> Counter[int]:
        key = _key(thrown)
        ways: Counter[int] = Counter()
        for more, number in self._ways_without((), self._others + 1).items():
            ways[rank_points()[key + more]] += number * (self._others + 1)  # any of them may be the starter
        for starter in self._unseen:
            self._move_nobs(ways, thrown, starter)
        if _one_suit(thrown):
            self._move_flushes(ways, thrown)
        return ways

    def _weighed(self, thrown: Sequence[int], throws: Throws) -> dict[int, float]:
        """Each starter with each pair that the other may throw; then what nobs and a flush make of it."""
        key = _key(thrown)
        ways: dict[int, float] = {}

        def add(points: int, number: float) -> None:
            ways[points] = ways.get(points, 0.0) + number

        for starter in self._unseen:
            made = key + KEYS[starter >> 2]
            jack = JACK * 4 + (starter & 3)
            nobs = jack in thrown
            for pair, number in self._pairs_without(starter >> 2).items():
                add(rank_points()[made + pair] + nobs, number)
            if jack not in (*self._dealt, starter):
                for rank_key, number in self._ways_without((starter, jack), 1).items():
                    points, often = rank_points()[made + KEYS[JACK] + rank_key], number * throws[KEYS[JACK] + rank_key]
                    add(points, -often)
                    add(points + 1, often)
            if {card & 3 for card in thrown} == {starter & 3}:
                suited = [card for card in self._unseen if card & 3 == starter & 3 and card != starter]
                for cards in combinations(suited, 2):
                    points = rank_points()[made + _key(cards)] + (nobs or jack in cards)
                    add(points, -throws[_key(cards)])
                    add(points + 5, throws[_key(cards)])
        scale = len(self._unseen) * comb(len(self._unseen) - 1, 2) / sum(ways.values())
        return {points: scale * number for points, number in ways.items() if number > NONE}

    def _weigh_pairs_without(self, starter: int) -> dict[int, float]:
        """By the sum of their keys, the pairs of the unseen cards but one of this rank, as often as they are thrown."""
        assert self._throws is not None  # noqa: S101 (only then is it asked)
        out = next(card for card in self._unseen if card >> 2 == starter)
        return {key: number * self._throws[key] for key, number in self._ways_without((out,), 2).items()}

    def _move_nobs(self, ways: Counter[int], thrown: Sequence[int], starter: int) -> None:
        jack = JACK * 4 + (starter & 3)
        if starter == jack or (jack in self._dealt and jack not in thrown):
            return
        fixed = (starter,) if jack in thrown else (starter, jack)
        key = _key(thrown) + _key(fixed)
        for more, number in self._ways_without(fixed, self._others + 1 - len(fixed)).items():
            points = rank_points()[key + more]
            ways[points] -= number
            ways[points + 1] += number

    def _move_flushes(self, ways: Counter[int], thrown: Sequence[int]) -> None:
        suit = thrown[0] & 3
        jack = JACK * 4 + suit
        for cards in combinations([card for card in self._unseen if card & 3 == suit], self._others + 1):
            points = rank_points()[_key(thrown) + _key(cards)]
            for starter in cards:
                nobs = starter != jack and (jack in thrown or jack in cards)
                ways[points + nobs] -= 1
                ways[points + nobs + 5] += 1

    def _count_ways_without(self, out: tuple[int, ...], number: int) -> dict[int, int]:
        """By the key of their ranks, how many choices there are of so many unseen cards, these left out."""
        held = Counter([card >> 2 for card in self._unseen if card not in out])
        by_number: list[Counter[int]] = [Counter({0: 1})] + [Counter() for _ in range(number)]
        for rank in RANKS:
            for total in range(number, 0, -1):
                for alike in range(1, min(held[rank], total) + 1):
                    for key, ways in by_number[total - alike].items():
                        by_number[total][key + alike * KEYS[rank]] += ways * comb(held[rank], alike)
        return by_number[number]


def _key(cards: Sequence[int]) -> int:
    return sum([KEYS[card >> 2] for card in cards])


def advice(dealt: Sequence[int], own_crib: bool, throws: Throws | None = None) -> list[str]:
    """Sentences: what to throw, what the kept cards count at least and may become, the crib, and the second best.

    For the hand and the crib they give the average, and how likely each score is; and what it supposes of the throws.
    """
    best, second, *_ = best_first(dealt, own_crib, throws)
    starters = odds(best.kept, best.thrown).starters
    return [
        f"Throw {cards_text(best.thrown)} to {'your own' if own_crib else 'their'} crib.",
        _kept(best),
        _starter(best, own_crib),
        likely("hand", {points: len(cards) for points, cards in starters.items()}),
        f"The crib gets {abs(best.rounded(own_crib)[1]):.2f} on average, {'for' if own_crib else 'against'} you, "
        f"{ANY if throws is None else USUAL}.",
        likely("crib", Cribs(dealt, throws).ways(best.thrown)),
        _second(best, second, own_crib),
    ]


def sure(kept: Sequence[int]) -> Show:
    """What the kept cards count with any starter."""
    cards = sorted(kept)
    groups = by_rank(cards)
    flush: list[Part] = [("flush", len(cards), tuple(cards))] if _one_suit(cards) else []
    return Show(tuple(kept), NO_STARTER, False, cards, [sets(groups), runs(groups), flush, []])


def likely(what: str, ways: Mapping[int, float]) -> str:
    """How often it counts how many points; `ways` has the number of cases by points, fewest points first."""
    total, least, most = sum(ways.values()), min(ways), max(ways)
    at_least = {points: sum([number for more, number in ways.items() if more >= points]) / total for points in ways}
    reached = [max([points for points in ways if at_least[points] >= share]) for share in SHARES]
    parts = [
        f"{points}{'' if points == most else ' or more'} in {_percent(at_least[points])}"
        for points in dict.fromkeys(reached)
        if points > least
    ]
    often = max(ways, key=ways.__getitem__)
    first = f"The {what} most often counts {often}, in {_percent(ways[often] / total)} of all cases"
    return f"{first}; it counts {listed(parts)}." if parts else f"{first}."


def listed(parts: Sequence[str]) -> str:
    """Parts of a sentence, like `one, two and three`."""
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if parts[1:] else parts)


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def _kept(best: Discard) -> str:
    show = sure(best.kept)
    if not show.points:
        return f"You keep {cards_text(best.kept)}, which count nothing by themselves."
    return f"You keep {cards_text(best.kept)}, which count at least {show.points}: {sentence(show)}."


def _starter(best: Discard, own_crib: bool) -> str:
    chances = odds(best.kept, best.thrown)
    least, most = min(chances.starters), max(chances.starters)
    starters = chances.starters[most]
    span = f"from {least} to {most}" if least < most else f"always {most}"
    best_cards = f" (with {cards_text(starters)})" if least < most and len(starters) <= FEW else ""
    return f"With the starter the hand averages {best.rounded(own_crib)[0]:.2f}, {span}{best_cards}."


def _second(best: Discard, second: Discard, own_crib: bool) -> str:
    hand, crib, total = (
        there - here for there, here in zip(second.rounded(own_crib), best.rounded(own_crib), strict=True)
    )
    thrown = cards_text(second.thrown)
    if f"{-total:.2f}" in ("0.00", "-0.00"):
        return f"Throwing {thrown} is just as good."
    crib = crib if own_crib else -crib
    return (
        f"Second best is to throw {thrown}, {-total:.2f} worse: "
        f"{_change(hand)} in the hand and {_change(crib)} in the crib."
    )


def _change(points: float) -> str:
    return f"{abs(points):.2f} {'more' if points > 0 else 'less'}"
