"""Makes the computer's tables: `python -m cribboard.computer.derive --seed 1`; it takes a night.

First two players discard by points, again and again, each against cribs of what the other threw the time before. Then
the hands that they kept are played against each other. Last, whole deals of the real player say what a deal brings,
and backward induction turns that into the chance to win from every score. Near the end a deal brings something else,
because both play for what they need: the same cards are dealt again at late scores, and the difference, smoothed over
neighbouring scores, is added. It needs numpy, the extra `analyst`.

With `--keep FOLDER` the deals are kept there as they come; after Ctrl-C the same command goes on from there.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import nullcontext
from dataclasses import replace
from itertools import chain, islice, product
from math import erf, exp, log, sqrt
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cribboard.analyst.points import KEYS, RANKS, points, rank_points
from cribboard.computer import discarding, tables
from cribboard.computer.playing import Seen, as_played, choose, play_on
from cribboard.computer.tables import (
    DEALER,
    HANDS,
    MOST_PEGS,
    MOST_POINTS,
    NEED,
    PAIRS,
    PONE,
    ROLES,
    SHARE,
    Tables,
    hand_keys,
    kept_ranks,
    pair_keys,
    thrown_ranks,
    ways,
)
from cribboard.files import write_file
from cribboard_core.cards import PACK_SIZE

FILE = Path(tables.__file__).with_name("tables.bin")
ROUNDS = 4
PRIOR = 3.0  # hands in which a class is believed to be as usual as its neighbours' average
NEVER = 999  # a time that does not come
LEAD, SPREAD = 2.2, 5.2  # the dealer's, and of a deal: a first guess, in points and by the root of the deals
LATEST = 60  # a side that needs more does not change how a deal is played
PASSES = 3  # of the induction, each with the differences that the one before gives
# What late scores change in the chance to win, where one point is needed; how much less the more both need; and how
# far needs are alike, by their logarithm. Of those that were tried the deals are most likely with these.
DIFFER, LESS, REACH = 0.04, 0.7, 0.3
FAR = 40  # a smaller need of so much or more: single deals are as noisy as there

Event = tuple[int, int]  # role, points
Say = Callable[[str], None]


def no_word(text: str) -> None:
    """Say nothing."""


class Deal(NamedTuple):
    """What a deal brought: what was pegged in its order, then pone's hand, the dealer's and the crib."""

    pegs: list[Event]
    shows: tuple[int, int, int]


class Late(NamedTuple):
    """The cards of an early deal, dealt again where the dealer and pone need so much, and what both need after it."""

    needs: tuple[int, int]
    early: int
    left: tuple[int, int]


def first_tables() -> Tables:
    """A guess: everything is kept and thrown alike, the play is even, and a lead counts as in a random walk."""
    win = _as_stored(np.array([[_guess(dealer, pone) for pone in range(NEED + 1)] for dealer in range(NEED + 1)]))
    even = [60, 60, 50, 40, 20, 10, 5, 0, 0, 0]
    pegs = array("B", even * 4 * HANDS)
    hands = array("H", ([*[1] * 17, *[0] * (MOST_POINTS - 16)]) * 2 * len(RANKS))
    worth = array("h", [0] * 2 * (HANDS + PAIRS))
    kept, thrown = array("H", [1000] * 2 * HANDS), array("H", [1000] * 2 * PAIRS)
    return Tables(win, kept, thrown, pegs, hands, worth, hands[: MOST_POINTS + 1])


def use(chosen: Tables) -> None:
    """Let the player play by these from now on."""
    tables.use(chosen)
    discarding.forget()


def thrown_and_kept(before: Tables, deals: int, chance: random.Random) -> Tables:
    """Discard by points against these tables, and count what is kept, thrown and shown."""
    kept, thrown = [Counter[int](), Counter[int]()], [Counter[int](), Counter[int]()]
    shown: Counter[tuple[int, int, int]] = Counter()
    for _ in range(deals):
        cards = chance.sample(range(PACK_SIZE), 13)
        for role in ROLES:
            best = max(discarding.by_points(sorted(cards[role * 6 : role * 6 + 6]), role), key=_worth_of(role))
            kept[role][sum([KEYS[card >> 2] for card in best.kept])] += 1
            thrown[role][sum([KEYS[card >> 2] for card in best.thrown])] += 1
            shown[role, cards[12] >> 2, points(best.kept, cards[12])] += 1
    return replace(
        before,
        kept=array("H", chain(*[_ratios(kept[role], hand_keys(), kept_ranks(), deals) for role in ROLES])),
        thrown=array("H", chain(*[_ratios(thrown[role], pair_keys(), thrown_ranks(), deals) for role in ROLES])),
        hands=array("H", chain(*[_stored(shown, role, rank) for role in ROLES for rank in RANKS])),
    )


def pegged(before: Tables, plays: int, chance: random.Random) -> Tables:
    """Play every kept hand of each role against hands that the other keeps."""
    rows: list[int] = []
    at = 0
    for role in ROLES:
        weights = [
            before.keeping[1 - role][key] * ways(ranks) for key, ranks in zip(hand_keys(), kept_ranks(), strict=True)
        ]
        others = chance.choices(kept_ranks(), weights, k=50_000)
        for ranks in kept_ranks():
            count = np.zeros((2, MOST_PEGS + 1))
            tries = 0
            while tries < plays:
                other = others[at := (at + 1) % len(others)]
                if any(ranks.count(one) + other.count(one) > 4 for one in set(ranks)):
                    continue
                tries += 1
                own, his = play_on((list(ranks), list(other)), 0, 0, role, -1, (NEED, NEED))
                count[0, min(own, MOST_PEGS)] += 1
                count[1, min(his, MOST_PEGS)] += 1
            rows += [int(share) for share in np.rint(count / count.sum(axis=1, keepdims=True) * 250).ravel()]
    return replace(before, pegs=array("B", rows))


def valued(before: Tables) -> Tables:
    """These tables, with what hands and cribs are worth by them."""
    use(before)
    return replace(before, worth=array("h", [round(1000 * points) for points in discarding.worths()]))


def deals(number: int, seed: int, file: Path | None = None, say: Say = no_word) -> list[Deal]:
    """Whole deals of the real player against itself, at the start of a game."""
    return list(_kept(number, lambda at: one_deal(_pack(seed, at), (121, 121)), file, say))


def late_deals(number: int, seed: int, early: int, file: Path | None = None, say: Say = no_word) -> list[Late]:
    """The first `early` deals again, as often as it takes, each time at other late scores."""

    def needs(at: int) -> tuple[int, int]:
        chance = random.Random(f"late {seed} {at}")  # noqa: S311 (tables, not a secret)
        return _late_need(chance), _late_need(chance)

    dealt = _kept(number, lambda at: one_deal(_pack(seed, at % early), needs(at)[::-1]), file, say)
    return [Late(needs(at), at % early, _left(deal, needs(at))) for at, deal in enumerate(dealt)]


def _pack(seed: int, at: int) -> list[int]:
    return random.Random(f"deal {seed} {at}").sample(range(PACK_SIZE), 13)  # noqa: S311


def _late_need(chance: random.Random) -> int:
    """From 1 to the latest, the small ones most often."""
    return int(exp(chance.uniform(log(2), log(LATEST + 2))) - 1)


def _kept(number: int, make: Callable[[int], Deal], file: Path | None, say: Say) -> Iterator[Deal]:
    """So many deals; those that an earlier run has put into the file are read there."""
    done = 0
    if file and file.exists():
        with file.open() as lines:
            for pegs, shows in map(json.loads, islice(lines, number)):
                done += 1
                yield Deal([(role, made) for role, made in pegs], tuple(shows))
    with file.open("a", buffering=1) if file else nullcontext() as out:
        for at in range(done, number):
            deal = make(at)
            if out:
                out.write(json.dumps(deal) + "\n")
            if (at + 1) % 1000 == 0:
                say(f"{at + 1} of {number} deals")
            yield deal


def one_deal(cards: list[int], needs: tuple[int, int]) -> Deal:
    """A deal of the real player, from the cards of pone and dealer and the starter; `needs` are pone's, dealer's."""
    starter = cards[12]
    best = [discarding.discards(sorted(cards[role * 6 : role * 6 + 6]), role, needs)[0] for role in ROLES]
    events: list[Event] = [(DEALER, 2)] if starter >> 2 == 10 else []
    events += play([choice.kept for choice in best], [choice.thrown for choice in best], starter, needs)
    crib = best[PONE].thrown + best[DEALER].thrown
    shows = points(best[PONE].kept, starter), points(best[DEALER].kept, starter), points(crib, starter, True)
    return Deal(events, shows)


def play(
    kept: list[tuple[int, ...]], thrown: list[tuple[int, ...]], starter: int, needs: tuple[int, int]
) -> list[Event]:
    """The play of a deal, seats being roles, up to its end or the win."""
    from cribboard_core.play import Play

    game = Play(DEALER, [list(hand) for hand in kept], (starter,))
    target = max(needs)
    pegs = [target - need for need in needs]
    pegs[DEALER] += 2 * (starter >> 2 == 10)
    events: list[Event] = []
    while game.turn >= 0 and max(pegs) < target:
        seat = game.turn
        legal = game.legal(seat)
        card = legal[0]
        if len({each >> 2 for each in legal}) > 1:
            played = as_played(game.rows)
            hand = tuple(game.hands[seat])
            card = choose(Seen(seat, DEALER, hand, thrown[seat], played, starter, (pegs[seat], pegs[1 - seat]), target))
        _, made, bonus, _ = game.play(seat, card)
        if made + bonus:
            events.append((seat, made + bonus))
            pegs[seat] += made + bonus
    return events


def induced(
    early: list[Deal], need: int = NEED, late: list[Late] | None = None, say: Say = no_word
) -> NDArray[np.float64]:
    """The dealer's chance by what dealer and pone need, at most `need`, from deals early and late in a game."""
    win = _induction(early, need, np.zeros((LATEST + 1, LATEST + 1)))
    if late:
        differing = _Differing(early, late)
        for at in range(PASSES):
            say(f"induction, pass {at + 1} of {PASSES}")
            win = _induction(early, need, differing.smoothed(win))
    return win


def _induction(early: list[Deal], need: int, more: NDArray[np.float64]) -> NDArray[np.float64]:
    """From what deals brought early; where few points are needed, with so much more."""
    totals, times = _arrays(early)
    most = totals.max(axis=0) + 1
    joint = np.zeros(most)
    np.add.at(joint, (totals[:, PONE], totals[:, DEALER]), 1 / len(early))
    first = _first(times)
    win = np.zeros((need + 1, need + 1))
    # By what both need together: a deal always brings something, so each cell looks only at those with a smaller sum.
    for left in range(2, 2 * need + 1):
        for dealer in range(max(1, left - need), min(need, left - 1) + 1):
            pone = left - dealer
            rows, columns = min(pone, most[PONE]), min(dealer, most[DEALER])
            # after the deal pone deals: win[pone's need, the old dealer's]
            after = 1 - win[pone - np.arange(rows)[:, None], dealer - np.arange(columns)[None, :]]
            goes_on = (after * joint[:rows, :columns]).sum()  # no deal brings nothing, so none looks at this cell
            chance = goes_on + first[min(dealer, len(first) - 1), min(pone, len(first) - 1)]
            if max(dealer, pone) <= LATEST:
                chance = min(1.0, max(0.0, chance + more[dealer, pone]))
            win[dealer, pone] = chance
    return win


class _Differing:
    """What late scores change: the same cards played there, against played as at the start of a game.

    The mean differences at each pair of needs are noisy, so they are smoothed as a Gaussian process. The noise is that
    of single deals, which is the less the more both need.
    """

    def __init__(self, early: list[Deal], late: list[Late]) -> None:
        self._late = np.array([each.left for each in late])
        self._early = np.array([_left(early[each.early], each.needs) for each in late])
        self._at = np.array([each.needs[0] * (LATEST + 1) + each.needs[1] for each in late])
        self._cells, self._of = np.unique(self._at, return_inverse=True)
        self._times = np.bincount(self._of)
        self._fewer = np.minimum(np.array(np.divmod(self._cells, LATEST + 1)).min(axis=0), FAR)

    def smoothed(self, win: NDArray[np.float64]) -> NDArray[np.float64]:
        """The difference at every pair of needs, when the game goes on with these chances."""
        made = _value(self._late, win) - _value(self._early, win)
        means = np.bincount(self._of, made) / self._times
        alike = _alike(self._cells, self._cells)
        # A mean of so many deals has so many times less noise than one.
        alike[np.diag_indices_from(alike)] += self._noise(made) / self._times
        everywhere = np.arange((LATEST + 1) ** 2)
        difference = _alike(everywhere, self._cells) @ np.linalg.solve(alike, means)
        return np.asarray(difference.reshape(LATEST + 1, LATEST + 1), np.float64)

    def _noise(self, made: NDArray[np.float64]) -> NDArray[np.float64]:
        """The variance of a single deal at each pair of needs, as of those with the same smaller need."""
        fewer = self._fewer[self._of]
        by_fewer = (np.bincount(fewer, made**2) + made.var()) / (np.bincount(fewer) + 1)
        return np.asarray(np.maximum(1e-4, by_fewer[self._fewer]))


def _alike(some: NDArray[np.int64], others: NDArray[np.int64]) -> NDArray[np.float64]:
    """How much the differences at these pairs of needs go together."""
    some_needs, other_needs = [np.array(np.divmod(cells, LATEST + 1)) for cells in (some, others)]
    apart = ((np.log(some_needs + 1)[:, :, None] - np.log(other_needs + 1)[:, None, :]) ** 2).sum(axis=0)
    some_differ, others_differ = [
        DIFFER / np.maximum(1, each.min(axis=0)) ** LESS for each in (some_needs, other_needs)
    ]
    return np.asarray(some_differ[:, None] * others_differ[None, :] * np.exp(-apart / (2 * REACH**2)))


def _left(deal: Deal, needs: tuple[int, int]) -> tuple[int, int]:
    """What the dealer and pone need after a deal, up to the first that needs no more."""
    left = list(needs)
    shows = zip((PONE, DEALER, DEALER), deal.shows, strict=True)
    for role, made in [*deal.pegs, *shows]:
        left[role == PONE] -= made
        if left[role == PONE] <= 0:
            break
    return max(0, left[0]), max(0, left[1])


def _value(left: NDArray[np.int64], win: NDArray[np.float64]) -> NDArray[np.float64]:
    """The chance to win of who dealt, by what both need after the deal; who needs nothing has won."""
    return np.where(left[:, 0] == 0, 1.0, np.where(left[:, 1] == 0, 0.0, 1 - win[left[:, 1], left[:, 0]]))


def _first(times: NDArray[np.int16]) -> NDArray[np.float64]:
    """By the dealer's and pone's need, how often the dealer gets there first within a deal."""
    dealer, pone, needs = times[:, DEALER], times[:, PONE], range(times.shape[2])
    return np.array([[(dealer[:, one] < pone[:, other]).mean() for other in needs] for one in needs])


def _arrays(played: list[Deal]) -> tuple[NDArray[np.int64], NDArray[np.int16]]:
    """The points of each deal by role, and when each role has had so many."""
    totals = np.zeros((len(played), 2), np.int64)
    times = np.full((len(played), 2, 80), NEVER, np.int16)
    for at, deal in enumerate(played):
        so_far = [0, 0]
        shows = zip((PONE, DEALER, DEALER), deal.shows, strict=True)
        for time, (role, made) in enumerate([*deal.pegs, *shows]):
            times[at, role, so_far[role] + 1 : so_far[role] + made + 1] = time
            so_far[role] += made
        times[at, :, 0] = -1
        totals[at] = so_far
    return totals, times


def _guess(dealer: int, pone: int) -> float:
    # Both together make some 26 points a deal.
    deals = max(1.0, (dealer + pone) / 26)
    return 0.5 + 0.5 * erf((pone - dealer + LEAD) / (SPREAD * sqrt(2 * 2 * deals)))


def _ratios(counted: Counter[int], keys: Iterable[int], classes: tuple[tuple[int, ...], ...], deals: int) -> list[int]:
    """A thousand times how much more often each class came than at random; rare ones are drawn to a half."""
    total = sum([ways(ranks) for ranks in classes])
    ratios = []
    for key, ranks in zip(keys, classes, strict=True):
        usual = deals * ways(ranks) / total
        ratios.append(min(65535, round(1000 * (counted[key] + PRIOR * 0.5) / (usual + PRIOR))))
    return ratios


def _stored(shown: Counter[tuple[int, int, int]], role: int, rank: int) -> list[int]:
    made = [shown[role, rank, at] for at in range(MOST_POINTS + 1)]
    return [round(60000 * number / max(1, sum(made))) for number in made]


def crib_counts(made: Tables) -> array[int]:
    """How often a crib counts so much, of all that both usually throw."""
    by_rank, shares = rank_points(), [0.0] * (MOST_POINTS + 1)
    pones, dealers = [
        [(KEYS[low] + KEYS[high], share * ways((low, high))) for low, high, share in made.throwing(role)]
        for role in ROLES
    ]
    for (pair, share), (other, as_often), rank in product(pones, dealers, RANKS):
        shares[by_rank[pair + other + KEYS[rank]]] += share * as_often
    return array("H", [round(SHARE * share / sum(shares)) for share in shares])


def _worth_of(role: int) -> Callable[[discarding.Choice], float]:
    return lambda choice: choice.worth(role)


def _as_stored(win: NDArray[np.float64]) -> array[int]:
    return array("H", np.rint(SHARE * win[1:, 1:]).astype(int).ravel().tolist())


def main() -> None:
    """Derive all tables, and write them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--discards", type=int, default=40_000, help="deals in each round of discards")
    parser.add_argument("--plays", type=int, default=1000, help="plays of each hand")
    parser.add_argument("--deals", type=int, default=400_000, help="deals at the start of a game")
    parser.add_argument("--late", type=int, default=4_000_000, help="deals at late scores")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="where deals are kept, to go on from there")
    parser.add_argument("--out", type=Path, default=FILE)
    asked = parser.parse_args()
    chance = random.Random(asked.seed)  # noqa: S311 (tables, not a secret)

    def say(text: str) -> None:
        print(text, file=sys.stderr, flush=True)

    made = first_tables()
    for round_ in range(ROUNDS):
        use(made)
        say(f"discards, round {round_ + 1} of {ROUNDS}")
        made = thrown_and_kept(made, asked.discards if round_ == ROUNDS - 1 else asked.discards // 4, chance)
        say("plays")
        made = pegged(made, asked.plays if round_ == ROUNDS - 1 else asked.plays // 5, chance)
    if asked.keep:
        asked.keep.mkdir(parents=True, exist_ok=True)
    made = valued(replace(made, crib=crib_counts(made)))
    use(made)
    early = deals(asked.deals, asked.seed, asked.keep and asked.keep / "early.jsonl", say)
    use(replace(made, win=_as_stored(induced(early))))
    late = late_deals(asked.late, asked.seed, len(early), asked.keep and asked.keep / "late.jsonl", say)
    made = replace(made, win=_as_stored(induced(early, NEED, late, say)))
    write_file(asked.out, made.packed())
    say(f"{asked.out}: {len(made.packed())} bytes")


if __name__ == "__main__":
    main()
