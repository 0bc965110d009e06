"""What the computer knows by heart: the chance to win from every score, what is kept and thrown, and what it pegs.

`tables.bin` has it all; `python -m cribboard.computer.derive` makes it. Only what each side still needs matters, so
games to 61, 91, 121 and 241 have one table. A skunk counts no more than a game.
"""

from __future__ import annotations

import sys
from array import array
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from itertools import combinations_with_replacement, starmap
from math import comb
from operator import add, mul

from cribboard.analyst.points import KEYS, RANKS

PONE, DEALER = 0, 1
ROLES = (PONE, DEALER)
NEED = 241  # the most points that a side can need
MOST_PEGS = 9  # in a play; more count as so many
MOST_POINTS = 29
SHARE = 65535  # a chance of 1, as it is stored
HANDS, PAIRS = comb(16, 4), comb(14, 2)  # all ranks that four cards may have, and two

Chances = tuple[float, ...]  # of 0, 1, 2 … points


@cache
def kept_ranks() -> tuple[tuple[int, ...], ...]:
    """All ranks that four cards may have. A page shows a hand before it has these."""
    return tuple(combinations_with_replacement(RANKS, 4))


@cache
def thrown_ranks() -> tuple[tuple[int, ...], ...]:
    """All ranks that two cards may have."""
    return tuple(combinations_with_replacement(RANKS, 2))


@cache
def hand_keys() -> tuple[int, ...]:
    """The sums of the keys of `kept_ranks`."""
    return tuple([sum([KEYS[rank] for rank in ranks]) for ranks in kept_ranks()])


@cache
def pair_keys() -> tuple[int, ...]:
    """The sums of the keys of `thrown_ranks`."""
    return tuple([KEYS[low] + KEYS[high] for low, high in thrown_ranks()])


@dataclass(frozen=True)
class Tables:
    """As stored: `win` by the dealer's and pone's need, `kept` and `thrown` how much more often than at random, `pegs`
    by role and kept ranks own and other's, `hands` by role and starter, `worth` by role what kept ranks count
    and peg on average, then by role what thrown ranks are worth to who throws them, in thousandths of a point, `crib`
    how often a crib counts so much, of all that both usually throw."""

    win: array[int]
    kept: array[int]
    thrown: array[int]
    pegs: array[int]
    hands: array[int]
    worth: array[int]
    crib: array[int]

    @cached_property
    def chances(self) -> list[list[float]]:
        """The dealer's chance to win before the deal, by what dealer and pone need; from 1 up."""
        rows: list[list[float]] = [[]]
        for need in range(NEED):
            row = self.win[need * NEED : (need + 1) * NEED]
            rows.append([0.0, *[share / SHARE for share in row]])
        return rows

    @cached_property
    def keeping(self) -> tuple[dict[int, float], dict[int, float]]:
        """By role, how much more often these four ranks are kept than held at random; by the sum of their keys."""
        each = [dict(zip(hand_keys(), self.kept[role * HANDS : (role + 1) * HANDS], strict=True)) for role in ROLES]
        return {key: max(value, 1) / 1000 for key, value in each[0].items()}, {
            key: max(value, 1) / 1000 for key, value in each[1].items()
        }

    @cache  # noqa: B019 (there is one)
    def throwing(self, role: int) -> tuple[tuple[int, int, float], ...]:
        """Pairs of ranks and how much more often they are thrown than at random."""
        shares = self.thrown[role * PAIRS : (role + 1) * PAIRS]
        return tuple((low, high, share / 1000) for (low, high), share in zip(thrown_ranks(), shares, strict=True))

    def throws(self, role: int) -> dict[int, float]:
        """The same by the sum of both ranks' keys."""
        return {KEYS[low] + KEYS[high]: share for low, high, share in self.throwing(role)}

    @cache  # noqa: B019
    def pegging(self, role: int, key: int) -> tuple[Chances, Chances]:
        """The chances of what a player with these kept ranks pegs, and of what the other pegs."""
        at = (role * HANDS + _index()[key]) * 2
        first, second = [self.pegs[each * (MOST_PEGS + 1) : (each + 1) * (MOST_PEGS + 1)] for each in (at, at + 1)]
        return _shares(first), _shares(second)

    @cache  # noqa: B019
    def showing(self, role: int, starter: int) -> Chances:
        """The chances of what a hand counts with a starter of this rank."""
        at = (role * len(RANKS) + starter) * (MOST_POINTS + 1)
        return _shares(self.hands[at : at + MOST_POINTS + 1])

    @cache  # noqa: B019
    def showing_any(self, role: int) -> Chances:
        """The same with any starter."""
        rows = [self.showing(role, starter) for starter in RANKS]
        return tuple(sum([row[number] for row in rows]) / len(rows) for number in range(MOST_POINTS + 1))

    @cache  # noqa: B019
    def worths(self, role: int) -> tuple[dict[int, float], dict[int, float]]:
        """By the sum of the ranks' keys, the points that four are worth when they are kept, and two when thrown."""
        kept = self.worth[role * HANDS : (role + 1) * HANDS]
        thrown = self.worth[2 * HANDS + role * PAIRS : 2 * HANDS + (role + 1) * PAIRS]
        return (
            {key: value / 1000 for key, value in zip(hand_keys(), kept, strict=True)},
            {key: value / 1000 for key, value in zip(pair_keys(), thrown, strict=True)},
        )

    @cached_property
    def any_crib(self) -> Chances:
        """The chances of what a crib counts."""
        return _shares(self.crib)

    def __hash__(self) -> int:
        return id(self)

    def packed(self) -> bytes:
        """The bytes of the file."""
        return b"".join(map(_bytes, (self.win, self.kept, self.thrown, self.hands, self.pegs, self.worth, self.crib)))


def unpacked(stored: bytes) -> Tables:
    """The tables of these bytes."""
    columns = []
    for kind, size in _SIZES:
        values = array(kind)
        length = size * values.itemsize
        values.frombytes(stored[:length])
        stored = stored[length:]
        if sys.byteorder == "big":
            values.byteswap()
        columns.append(values)
    return as_stored(columns)


def as_stored(arrays: list[array[int]]) -> Tables:
    """The tables of these arrays, in the order of the file."""
    win, kept, thrown, hands, pegs, worth, crib = arrays
    return Tables(win, kept, thrown, pegs, hands, worth, crib)


def tables() -> Tables:
    """Those that come with the program, or that are being made."""
    if not _in_use:
        _in_use.append(unpacked(files(__package__).joinpath("tables.bin").read_bytes()))
    return _in_use[0]


def use(chosen: Tables) -> None:
    """Play by these from now on."""
    _in_use[:] = [chosen]


def ways(ranks: tuple[int, ...], free: tuple[int, ...] = (4,) * 13) -> int:
    """In how many ways these ranks (in order) can be taken from so many free cards of each."""
    number = 1
    for rank in set(ranks):
        number *= comb(free[rank], ranks.count(rank))
    return number


def convolved(one: Chances, other: Chances) -> Chances:
    """The chances of the sums."""
    sums = [0.0] * (len(one) + len(other) - 1)
    for at, share in enumerate(one):
        if share:
            sums[at : at + len(other)] = starmap(add, zip(sums[at:], [share * each for each in other], strict=False))
    return tuple(sums)


_in_use: list[Tables] = []
_SIZES = (
    ("H", NEED * NEED),
    ("H", 2 * HANDS),
    ("H", 2 * PAIRS),
    ("H", 2 * len(RANKS) * (MOST_POINTS + 1)),
    ("B", 2 * HANDS * 2 * (MOST_PEGS + 1)),
    ("h", 2 * (HANDS + PAIRS)),
    ("H", MOST_POINTS + 1),
)


@cache
def _index() -> dict[int, int]:
    return {key: at for at, key in enumerate(hand_keys())}


def _shares(stored: array[int]) -> Chances:
    total = sum(stored) or 1
    return tuple(each / total for each in stored)


def _bytes(values: array[int]) -> bytes:
    if sys.byteorder == "big":
        values = values[:]
        values.byteswap()
    return values.tobytes()


class ScoreError(ValueError):
    """Scores that no running game can have."""


def chance_to_win(mine: int, theirs: int, dealing: bool, target: int = 121) -> float:
    """My chance with these scores before a deal, mine or theirs; raises ScoreError."""
    for score in (mine, theirs):
        check_score(score, target)
    if dealing:
        return tables().chances[target - mine][target - theirs]
    return 1.0 - tables().chances[target - theirs][target - mine]


def check_score(score: int, target: int) -> None:
    """Refuse a score that ends the game, or a game that is too long."""
    if not 1 <= target <= NEED:
        raise ScoreError(f"a game to {target} is not in the tables; the target is 1 to {NEED}")
    if not 0 <= score < target:
        raise ScoreError(f"a score of {score} is not one of a running game to {target}; it is 0 to {target - 1}")


def percent(chance: float) -> int:
    """A chance of a running game as people read it: 1 to 99."""
    return min(99, max(1, round(100 * chance)))


def after_pone(needs: tuple[int, int], shown: Chances) -> float:
    """The dealer's chance when hand and crib will show so much and pone has counted; `needs` are pone's, dealer's."""
    pone, dealer = needs
    row = tables().chances[pone]
    # Pone deals next, so it is pone's row; it is read backwards, since what the dealer needs falls with what is shown.
    most = min(dealer, len(shown))
    goes_on: float = sum(map(mul, shown[:most], row[dealer : dealer - most : -1]))
    return 1.0 - goes_on


def through_show(needs: tuple[int, int], pones: Chances, dealers: Chances) -> float:
    """The dealer's chance before the show: pone counts first."""
    pone, dealer = needs
    return sum([share * after_pone((pone - at, dealer), dealers) for at, share in enumerate(pones[:pone]) if share])


def while_counting(needs: tuple[int, int], hand_too: bool) -> float:
    """The dealer's chance after pone has counted, whatever the cards: the crib is to come, and perhaps a hand."""
    crib = tables().any_crib
    return after_pone(needs, convolved(tables().showing_any(DEALER), crib) if hand_too else crib)


def through_deal(needs: tuple[int, int], pegs: tuple[Chances, Chances], pones: Chances, dealers: Chances) -> float:
    """The dealer's chance before the play, by what pone and dealer peg, then pone shows, then dealer and crib."""
    pone_out, dealer_out = sum(pegs[PONE][needs[PONE] :]), sum(pegs[DEALER][needs[DEALER] :])
    both = pone_out * dealer_out
    # When both would peg out, either is first half of the time.
    won = dealer_out - both / 2
    rest = (1 - pone_out) * (1 - dealer_out)
    if rest <= 0:
        return won
    mine = _of_rest(pegs[PONE][: needs[PONE]], pone_out)
    his = _of_rest(pegs[DEALER][: needs[DEALER]], dealer_out)
    return won + rest * through_show(needs, convolved(mine, pones), convolved(his, dealers))


def _of_rest(chances: Chances, out: float) -> Chances:
    return tuple(share / (1 - out) for share in chances) if out else chances
