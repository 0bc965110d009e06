"""The show: what a hand or a crib counts with the starter, and which cards make each point.

Cards are sorted and grouped by rank; pairs and runs are read from the groups, fifteens from a list of all subset sums.
"""

from __future__ import annotations

from cribboard_core.pack import JACK, PIPS, CardError, card_name, cards_text, check_cards

HAND_SIZES = (4, 5)  # five with six players

SET_NAMES = ("", "", "pair", "pair royal", "double pair royal")


class Show:
    """A counted hand.

    `points` is the total; `fifteens`, `pairs`, `runs`, `flush` and `nobs` are the points of each sort and add up to it.
    """

    def __init__(
        self,
        hand: tuple[int, ...],
        starter: int,
        crib: bool,
        cards: list[int],
        sorts: list[list[tuple[str, int, tuple[int, ...]]]],
    ) -> None:
        self.hand = hand
        self.starter = starter
        self.crib = crib
        self._cards = cards
        self._left = _left(cards)
        self._others = sorts
        self.fifteens = 2 * self._left.count(15)
        self.pairs, self.runs, self.flush, self.nobs = [_total(parts) if parts else 0 for parts in sorts]
        self.points = self.fifteens + self.pairs + self.runs + self.flush + self.nobs

    @property
    def parts(self) -> list[tuple[str, int, tuple[int, ...]]]:
        """Each (kind, points, cards) in the traditional order: every fifteen (from the highest cards down), every set
        of a rank, every run, the flush, nobs. The cards of a part ascend.
        """
        every = _fifteens(self._cards, self._left)
        for parts in self._others:
            every += parts
        return every

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Show) and self._what() == other._what()

    def __hash__(self) -> int:
        return hash(self._what())

    def _what(self) -> tuple[object, ...]:
        return tuple(self._cards), self.starter, self.crib

    def __repr__(self) -> str:
        kind = "crib" if self.crib else "hand"
        return f"<Show {kind} {cards_text(self.hand)} with {card_name(self.starter)}: {self.points}>"


def count(
    hand: list[int] | tuple[int, ...], starter: int, crib: bool = False, sizes: tuple[int, ...] = HAND_SIZES
) -> Show:
    """Count a hand of one of these sizes with the starter; `crib` asks for the crib's stricter flush."""
    what = "crib" if crib else "hand"
    check_cards(hand, what, sizes)
    check_cards((starter,), "starter")
    return count_read(hand, starter, crib)


def count_read(hand: list[int] | tuple[int, ...], starter: int, crib: bool) -> Show:
    """Count cards that were read, and so are cards and differ."""
    if starter in hand:
        what = "crib" if crib else "hand"
        raise CardError(f"{card_name(starter)} is the starter and in the {what} as well; a pack has each card once")
    cards = sorted(list(hand) + [starter])
    groups = by_rank(cards)
    sorts = [sets(groups), runs(groups), _flush(hand, starter, crib), _nobs(hand, starter)]
    return Show(tuple(hand), starter, crib, cards, sorts)


def _total(parts: list[tuple[str, int, tuple[int, ...]]]) -> int:
    return sum([part[1] for part in parts])


def by_rank(cards: list[int]) -> list[list[int]]:
    """Sorted cards as one list a rank."""
    groups: list[list[int]] = []
    last = -1
    for card in cards:
        if card >> 2 == last:
            groups[-1].append(card)
        else:
            groups.append([card])
            last = card >> 2
    return groups


def _left(cards: list[int]) -> list[int]:
    """What the cards come to without those in the bits of m, for every m; searched upwards, the fifteens with the
    highest cards come first."""
    values = [PIPS[card >> 2] for card in cards]
    left = [sum(values)]
    for value in values:
        left += [total - value for total in left]
    return left


def _fifteens(cards: list[int], left: list[int]) -> list[tuple[str, int, tuple[int, ...]]]:
    parts = []
    out = -1
    for _ in range(left.count(15)):
        out = left.index(15, out + 1)
        parts.append(("fifteen", 2, tuple([card for at, card in enumerate(cards) if not out >> at & 1])))
    return parts


def sets(groups: list[list[int]]) -> list[tuple[str, int, tuple[int, ...]]]:
    """n cards of a rank hold n (n - 1) / 2 pairs of two points."""
    return [(SET_NAMES[len(group)], len(group) * (len(group) - 1), tuple(group)) for group in groups if len(group) > 1]


def runs(groups: list[list[int]]) -> list[tuple[str, int, tuple[int, ...]]]:
    """Each longest row of neighbouring ranks, three or more, once for every choice of a card from each rank."""
    parts = []
    first = 0
    for end in range(1, len(groups) + 1):
        if end < len(groups) and groups[end][0] >> 2 == (groups[end - 1][0] >> 2) + 1:
            continue
        if end - first >= 3:
            chains: list[tuple[int, ...]] = [()]
            for group in groups[first:end]:
                chains = [chain + (card,) for chain in chains for card in group]
            parts += [("run", end - first, chain) for chain in chains]
        first = end
    return parts


def _flush(hand: list[int] | tuple[int, ...], starter: int, crib: bool) -> list[tuple[str, int, tuple[int, ...]]]:
    suit = hand[0] & 3
    for card in hand:
        if card & 3 != suit:
            return []
    cards = list(hand)
    if starter & 3 == suit:
        cards.append(starter)
    elif crib:
        return []
    return [("flush", len(cards), tuple(sorted(cards)))]


def _nobs(hand: list[int] | tuple[int, ...], starter: int) -> list[tuple[str, int, tuple[int, ...]]]:
    jack = JACK * 4 + (starter & 3)
    return [("nobs", 1, (jack,))] if jack in hand else []
