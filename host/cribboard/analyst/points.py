"""The points of one hand, or of one card of the play: the core's count at a fraction of its time, and a hand's chances.

A rank has a key, and the sum of five keys tells the five ranks, in whatever order: so a count is an addition and a look
into a table, which the core's count fills. There are 6188 multisets of five ranks; five alike cannot be held, and count
0 to keep sums simple. What the tables do not know they leave to the core: hands of five, other notations, and whatever
is no hand, so that its errors are the core's own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, combinations_with_replacement, product

from cribboard_core.cards import (
    JACK,
    PACK_SIZE,
    PIPS,
    CardError,
    card_name,
    check_cards,
    parse_card,
    parse_cards,
    pips,
    rank_of,
    suit_of,
)
from cribboard_core.pile import LIMIT, pile_points
from cribboard_core.show import HAND_SIZES, count

RANKS = range(13)
SUITS = range(4)

# Each is the smallest number that leaves all sums of up to five keys, with repetition, apart from each other.
KEYS = (0, 1, 6, 31, 108, 366, 926, 2286, 5733, 12905, 27316, 44676, 94545)
HIGHEST_KEY = 5 * KEYS[-1]

_PACK = range(PACK_SIZE)
_NAMED = {card_name(card): card for card in _PACK}

# Added up, the numbers of four cards and a starter have, from the lowest bit on: the key of their ranks (19 bits), the
# hand's suits (5 bits, four of one suit told from all else), its jacks (4 bits), the starter's suit (2 bits). That is
# 30 bits in all, which Python adds quickest.
_KEY_BITS = 19
_KEY_MASK = (1 << _KEY_BITS) - 1
_SUIT_CODES = (0, 1, 5, 6)

# Empty until the first hand is counted.
_in_hand: list[int] = []  # by card
_as_starter: list[int] = []  # by card
_rank_points: list[int] = []  # by the key of five ranks, ~points if two are alike
_suit_points: list[int] = []  # by the bits above the key
_crib_suit_points: list[int] = []

# Added up, the numbers of cards of the play have their pips (8 bits) and, in base 4, how many there are of each rank:
# four of a rank are carried over, but their pips tell them from one of the next.
_PIPS_BITS = 8
_PIPS_MASK = (1 << _PIPS_BITS) - 1
_in_play: list[int] = []  # by card
_made_at_end: dict[int, int] = {}  # the points of runs and sets; of a longer and a shorter at an end the longer counts


@cache
def rank_points() -> dict[int, int]:
    """By the key of five ranks, the points of their fifteens, sets and runs: one call of the core's count for each."""
    return {sum([KEYS[rank] for rank in ranks]): _by_ranks(ranks) for ranks in combinations_with_replacement(RANKS, 5)}


@cache
def pack_sums() -> list[dict[int, int]]:
    """pack_sums()[n] has, by the key of 5 - n ranks, the points that these make with n cards, added up over all choices
    of n different cards of a whole pack.

    These are the elementary symmetric functions of the 52 cards; Newton's identities give each from those before.
    """
    sums = [rank_points()]
    for number in range(1, 5):
        keys = [sum([KEYS[rank] for rank in ranks]) for ranks in combinations_with_replacement(RANKS, 5 - number)]
        sums.append({key: _newton(sums, number, key) // number for key in keys})
    return sums


def _newton(sums: list[dict[int, int]], number: int, key: int) -> int:
    total = 0
    for alike in range(1, number + 1):
        fewer = sums[number - alike]
        total -= (-1) ** alike * len(SUITS) * sum([fewer[key + alike * rank_key] for rank_key in KEYS])
    return total


def _by_ranks(ranks: tuple[int, ...]) -> int:
    """The count of five cards of these ranks, in suits that make neither a flush nor nobs."""
    if ranks[0] == ranks[4]:
        return 0
    # Equal ranks are neighbours, so their suits differ; the starter is alone in its suit, and the hand has three suits.
    cards = [rank * 4 + at % 4 for at, rank in enumerate(ranks)]
    starter = cards.pop(1)
    return count(cards, starter).points


def points(hand: Sequence[int], starter: int, crib: bool = False) -> int:
    """What a hand or crib of four cards, or of five, counts with the starter; raises the core's CardError.

    That each card is one and all are different is checked as the core does, except that True passes for 1.
    """
    try:
        a, b, c, d = hand
        cards = _in_hand[a] + _in_hand[b] + _in_hand[c] + _in_hand[d] + _as_starter[starter]
    except (IndexError, TypeError, ValueError):
        return _count(hand, starter, crib)
    rank_total = _rank_points[cards & _KEY_MASK]
    if rank_total < 0:
        if (
            (a == b or a == c or a == d or b == c or b == d or c == d)  # noqa: SIM109 (quicker than tuples)
            or (starter == a or starter == b or starter == c or starter == d)  # noqa: SIM109
        ):
            return _count(hand, starter, crib)
        rank_total = ~rank_total
    return rank_total + (_crib_suit_points if crib else _suit_points)[cards >> _KEY_BITS]


def points_of_text(hand: str | Sequence[str], starter: str, crib: bool = False) -> int:
    """The same from names, as one text or one by one; canonical ones, like `5H TS`, are read quickest."""
    try:
        if isinstance(hand, str):
            a, b, c, d = hand.split() if " " in hand else (hand[:2], hand[2:4], hand[4:6], hand[6:])
        else:
            a, b, c, d = hand
        cards, turned = (_NAMED[a], _NAMED[b], _NAMED[c], _NAMED[d]), _NAMED[starter]
    except (KeyError, TypeError, ValueError):
        return _count_text(hand, starter, crib)
    return points(cards, turned, crib)


def play_points(pile: Sequence[int]) -> int:
    """What the last of these cards makes in the play, go and the last card apart; raises the core's errors."""
    made = laid = 0
    try:
        for card in reversed(pile):
            laid += _in_play[card]
            if laid in _made_at_end:
                made = _made_at_end[laid]
    except (IndexError, TypeError):
        return _count_play(pile)
    total = laid & _PIPS_MASK
    if total > LIMIT or len(set(pile)) < len(pile) or not total:
        return _count_play(pile)
    return made + 2 if total == 15 or total == LIMIT else made


def _count(hand: Sequence[int], starter: int, crib: bool) -> int:
    if not _in_hand:
        _fill()
        return points(hand, starter, crib)
    return count(list(hand), starter, crib).points


def _count_text(hand: str | Sequence[str], starter: str, crib: bool) -> int:
    what = "crib" if crib else "hand"
    cards = parse_cards(hand, what, HAND_SIZES) if isinstance(hand, str) else [parse_card(name) for name in hand]
    return points(cards, parse_card(starter), crib)


def _count_play(pile: Sequence[int]) -> int:
    if not _in_play:
        _fill_play()
        return play_points(pile)
    return pile_points(list(pile))[0]


def _fill() -> None:
    """Fill the tables, the cards last: until these are there the core counts for other threads."""
    _rank_points.extend([0] * (HIGHEST_KEY + 1))
    for ranks in combinations_with_replacement(RANKS, 5):
        key = sum([KEYS[rank] for rank in ranks])
        made = rank_points()[key]
        _rank_points[key] = made if len(set(ranks)) == 5 else ~made
    for starter_suit, jacks, suits in product(SUITS, range(16), range(32)):
        nobs = jacks >> starter_suit & 1
        one_suit = suits in [4 * code for code in _SUIT_CODES]
        starter_too = suits == 4 * _SUIT_CODES[starter_suit]
        _suit_points.append(nobs + 4 * one_suit + starter_too)
        _crib_suit_points.append(nobs + 5 * starter_too)
    starters, cards = [], []
    for card in _PACK:
        rank, suit = rank_of(card), suit_of(card)
        jack = (rank == JACK) << suit
        starters.append(KEYS[rank] | suit << _KEY_BITS + 9)
        cards.append(KEYS[rank] | _SUIT_CODES[suit] << _KEY_BITS | jack << _KEY_BITS + 5)
    _as_starter.extend(starters + _no_cards())
    _in_hand.extend(cards + _no_cards())


def _fill_play() -> None:
    runs = [[rank * 4 for rank in range(low, high)] for low, high in combinations(range(14), 2)]
    sets = [[rank * 4 + suit for suit in range(number)] for rank in RANKS for number in (2, 3, 4)]
    numbers = [PIPS[rank] + (1 << _PIPS_BITS + 2 * rank) for rank in RANKS]
    for cards in runs + sets:
        if sum(map(pips, cards)) <= LIMIT:
            for kind, made, _ in pile_points(cards)[1]:
                if kind not in ("fifteen", "thirty-one"):
                    _made_at_end[sum([numbers[rank_of(card)] for card in cards])] = made
    _in_play.extend([numbers[rank_of(card)] for card in _PACK] + _no_cards())


def _no_cards() -> list[int]:
    """What follows the cards in a list: a number below zero looks from the end, and finds what cannot be added.

    Only beyond -65536 the cards come round again. A dict would be free of that, and a fifth slower.
    """
    return [None] * (1 << 16)  # type: ignore[list-item]


@dataclass(frozen=True)
class Odds:
    """What each starter makes of a hand: `starters` has, by points from the fewest up, the cards that make them."""

    hand: tuple[int, ...]
    crib: bool
    starters: dict[int, tuple[int, ...]]

    @property
    def unseen(self) -> int:
        """How many starters there may be."""
        return sum(map(len, self.starters.values()))

    @property
    def average(self) -> float:
        """The points to be expected."""
        return sum([number * len(cards) for number, cards in self.starters.items()]) / self.unseen

    def ways(self, least: int) -> int:
        """How many starters make at least so many points."""
        return sum([len(cards) for number, cards in self.starters.items() if number >= least])


def odds(hand: Sequence[int], seen: Sequence[int] = (), crib: bool = False) -> Odds:
    """The chances of four or five cards; `seen` are other cards that cannot be turned up. Raises CardError."""
    what = "crib" if crib else "hand"
    check_cards(list(hand), what, HAND_SIZES)
    check_cards(list(seen), "seen cards")
    for card in seen:
        if card in hand:
            raise CardError(f"{card_name(card)} is in the {what} and among the seen cards; a pack has each card once")
    starters: dict[int, list[int]] = {}
    for card in range(PACK_SIZE):
        if card not in hand and card not in seen:
            starters.setdefault(points(hand, card, crib), []).append(card)
    if not starters:
        raise CardError("no card is left to be the starter; give fewer seen cards")
    return Odds(tuple(hand), crib, {number: tuple(starters[number]) for number in sorted(starters)})
