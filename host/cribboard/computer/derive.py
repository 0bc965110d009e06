"""Makes the computer's tables: `python -m cribboard.computer.derive --seed 1`; it takes half an hour.

First two players discard by points, again and again, each against cribs of what the other threw the time before. Then
the hands that they kept are played against each other. Last, whole deals of the real player say what a deal brings,
and backward induction turns that into the chance to win from every score. It needs numpy, the extra `analyst`.
"""

from __future__ import annotations

import argparse
import random
import sys
from array import array
from collections import Counter
from collections.abc import Callable, Iterable
from itertools import chain
from math import erf, sqrt
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cribboard.analyst.points import points
from cribboard.analyst.table import KEYS, RANKS
from cribboard.computer import discarding, tables
from cribboard.computer.pegging import play_on
from cribboard.computer.playing import Seen, as_played, choose
from cribboard.computer.tables import (
    DEALER,
    HAND_KEYS,
    KEPT,
    MOST_PEGS,
    MOST_POINTS,
    NEED,
    PONE,
    ROLES,
    SHARE,
    THROWN,
    Tables,
    ways,
)
from cribboard_core.cards import PACK_SIZE

FILE = Path(tables.__file__).with_name("tables.bin")
ROUNDS = 4
PRIOR = 3.0  # hands in which a class is believed to be as usual as its neighbours' average
NEVER = 999  # a time that does not come
LEAD, SPREAD = 2.2, 5.2  # the dealer's, and of a deal: a first guess, in points and by the root of the deals

Event = tuple[int, int]  # role, points


class Deal(NamedTuple):
    """What a deal brought: what was pegged in its order, then pone's hand, the dealer's and the crib."""

    pegs: list[Event]
    shows: tuple[int, int, int]


def first_tables() -> Tables:
    """A guess: everything is kept and thrown alike, the play is even, and a lead counts as in a random walk."""
    win = _as_stored(np.array([[_guess(dealer, pone) for pone in range(NEED + 1)] for dealer in range(NEED + 1)]))
    even = [60, 60, 50, 40, 20, 10, 5, 0, 0, 0]
    pegs = array("B", even * 4 * len(KEPT))
    hands = array("H", ([*[1] * 17, *[0] * (MOST_POINTS - 16)]) * 2 * len(RANKS))
    return Tables(win, array("H", [1000] * 2 * len(KEPT)), array("H", [1000] * 2 * len(THROWN)), pegs, hands)


def use(found: Tables) -> None:
    """Let the player play by these from now on."""
    tables.use(found)
    discarding.forget()


def thrown_and_kept(found: Tables, deals: int, chance: random.Random) -> Tables:
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
    pairs = [sum([KEYS[rank] for rank in ranks]) for ranks in THROWN]
    return Tables(
        found.win,
        array("H", chain(*[_ratios(kept[role], HAND_KEYS, KEPT, deals) for role in ROLES])),
        array("H", chain(*[_ratios(thrown[role], pairs, THROWN, deals) for role in ROLES])),
        found.pegs,
        array("H", chain(*[_stored(shown, role, rank) for role in ROLES for rank in RANKS])),
    )


def pegged(found: Tables, plays: int, chance: random.Random) -> Tables:
    """Play every kept hand of each role against hands that the other keeps."""
    rows: list[int] = []
    at = 0
    for role in ROLES:
        weights = [found.keeping[1 - role][key] * ways(ranks) for key, ranks in zip(HAND_KEYS, KEPT, strict=True)]
        others = chance.choices(KEPT, weights, k=50_000)
        for ranks in KEPT:
            count = np.zeros((2, MOST_PEGS + 1))
            found_here = 0
            while found_here < plays:
                other = others[at := (at + 1) % len(others)]
                if any(ranks.count(one) + other.count(one) > 4 for one in set(ranks)):
                    continue
                found_here += 1
                own, his = play_on((list(ranks), list(other)), 0, 0, role, -1, (NEED, NEED))
                count[0, min(own, MOST_PEGS)] += 1
                count[1, min(his, MOST_PEGS)] += 1
            rows += [int(share) for share in np.rint(count / count.sum(axis=1, keepdims=True) * 250).ravel()]
    return Tables(found.win, found.kept, found.thrown, array("B", rows), found.hands)


def deals(number: int, chance: random.Random, say: Callable[[str], None]) -> list[Deal]:
    """Whole deals of the real player against itself, at the start of a game."""
    found = []
    for at in range(number):
        found.append(one_deal(chance))
        if (at + 1) % 1000 == 0:
            say(f"{at + 1} of {number} deals")
    return found


def one_deal(chance: random.Random, scores: tuple[int, int] = (0, 0), target: int = 121) -> Deal:
    """A deal of the real player; `scores` are pone's and the dealer's."""
    cards = chance.sample(range(PACK_SIZE), 13)
    starter = cards.pop()
    needs = target - scores[PONE], target - scores[DEALER]
    best = [discarding.discards(sorted(cards[role * 6 : role * 6 + 6]), role, needs)[0] for role in ROLES]
    events: list[Event] = [(DEALER, 2)] if starter >> 2 == 10 else []
    events += play([choice.kept for choice in best], [choice.thrown for choice in best], starter, scores, target)
    crib = best[PONE].thrown + best[DEALER].thrown
    shows = points(best[PONE].kept, starter), points(best[DEALER].kept, starter), points(crib, starter, True)
    return Deal(events, shows)


def play(
    kept: list[tuple[int, ...]], thrown: list[tuple[int, ...]], starter: int, scores: tuple[int, int], target: int
) -> list[Event]:
    """The play of a deal, seats being roles, up to its end or the win."""
    from cribboard_core.play import Play

    game = Play(DEALER, [list(hand) for hand in kept], (starter,))
    pegs = list(scores)
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


def induced(found: list[Deal], need: int = NEED) -> NDArray[np.float64]:
    """The dealer's chance by what he and pone need, at most this, from what these deals brought."""
    totals, times = _arrays(found)
    most = totals.max(axis=0) + 1
    joint = np.zeros(most)
    np.add.at(joint, (totals[:, PONE], totals[:, DEALER]), 1 / len(found))
    first = _first(times)
    win = np.zeros((need + 1, need + 1))
    for left in range(2, 2 * need + 1):
        for dealer in range(max(1, left - need), min(need, left - 1) + 1):
            pone = left - dealer
            rows, columns = min(pone, most[PONE]), min(dealer, most[DEALER])
            # after the deal pone deals: win[his need, the old dealer's]
            after = 1 - win[pone - np.arange(rows)[:, None], dealer - np.arange(columns)[None, :]]
            goes_on = (after * joint[:rows, :columns]).sum()  # no deal brings nothing, so none looks at this cell
            win[dealer, pone] = goes_on + first[min(dealer, len(first) - 1), min(pone, len(first) - 1)]
    return win


def _first(times: NDArray[np.int16]) -> NDArray[np.float64]:
    """By the dealer's and pone's need, how often the dealer gets there first within a deal."""
    dealer, pone, needs = times[:, DEALER], times[:, PONE], range(times.shape[2])
    return np.array([[(dealer[:, one] < pone[:, other]).mean() for other in needs] for one in needs])


def _arrays(found: list[Deal]) -> tuple[NDArray[np.int64], NDArray[np.int16]]:
    """The points of each deal by role, and when each role has had so many."""
    totals = np.zeros((len(found), 2), np.int64)
    times = np.full((len(found), 2, 80), NEVER, np.int16)
    for at, deal in enumerate(found):
        so_far = [0, 0]
        shows = zip((PONE, DEALER, DEALER), deal.shows, strict=True)
        for time, (role, made) in enumerate([*deal.pegs, *shows]):
            times[at, role, so_far[role] + 1 : so_far[role] + made + 1] = time
            so_far[role] += made
        times[at, :, 0] = -1
        totals[at] = so_far
    return totals, times


def _guess(dealer: int, pone: int) -> float:
    deals = max(1.0, (dealer + pone) / 26)
    return 0.5 + 0.5 * erf((pone - dealer + LEAD) / (SPREAD * sqrt(2 * 2 * deals)))


def _ratios(counted: Counter[int], keys: Iterable[int], classes: tuple[tuple[int, ...], ...], deals: int) -> list[int]:
    """A thousand times how much more often each class came than at random; rare ones are drawn to a half."""
    total = sum([ways(ranks) for ranks in classes])
    found = []
    for key, ranks in zip(keys, classes, strict=True):
        usual = deals * ways(ranks) / total
        found.append(min(65535, round(1000 * (counted[key] + PRIOR * 0.5) / (usual + PRIOR))))
    return found


def _stored(shown: Counter[tuple[int, int, int]], role: int, rank: int) -> list[int]:
    made = [shown[role, rank, at] for at in range(MOST_POINTS + 1)]
    return [round(60000 * number / max(1, sum(made))) for number in made]


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
    parser.add_argument("--deals", type=int, default=10_000, help="whole deals")
    parser.add_argument("--out", type=Path, default=FILE)
    asked = parser.parse_args()
    chance = random.Random(asked.seed)  # noqa: S311 (tables, not a secret)

    def say(text: str) -> None:
        print(text, file=sys.stderr, flush=True)

    found = first_tables()
    for round_ in range(ROUNDS):
        use(found)
        say(f"discards, round {round_ + 1} of {ROUNDS}")
        found = thrown_and_kept(found, asked.discards if round_ == ROUNDS - 1 else asked.discards // 4, chance)
        say("plays")
        found = pegged(found, asked.plays if round_ == ROUNDS - 1 else asked.plays // 5, chance)
    use(found)
    win = _as_stored(induced(deals(asked.deals, chance, say)))
    found = Tables(win, found.kept, found.thrown, found.pegs, found.hands)
    asked.out.write_bytes(found.packed())
    say(f"{asked.out}: {len(found.packed())} bytes")


if __name__ == "__main__":
    main()
