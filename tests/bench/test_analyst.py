"""How fast the analyst counts, beside the package cribbage-scorer and a plain loop over the 31 subsets of five cards.

Each group is one job done by all of them in the same run, so that their ratio holds whatever else the machine does:
`python -m pytest tests/bench/test_analyst.py --benchmark-enable --benchmark-only`. A round counts many hands in turn;
`extra_info` and the last lines have what one takes.
"""

from __future__ import annotations

import gc
import random
from collections.abc import Callable, Iterator
from itertools import combinations
from time import process_time

import pytest
from cribbage_scorer.cribbage_scorer import play_score_ongoing, show_calc_score

from cribboard.analyst.discard import discards
from cribboard.analyst.points import play_points, points, points_of_text
from cribboard_core.cards import PIPS, SUITS, card_name, parse_cards
from cribboard_core.play import pile_points
from cribboard_core.show import count

HANDS = 1000
ONE_BY_ONE = 15 * (46 + 46 * 990)  # counts of hands and cribs that the discards of six cards come to
DEALS = 12_994_800
ROUNDS = 30
SUBSETS = [subset for size in range(1, 6) for subset in combinations(range(5), size)]
RUNS = {tuple(range(low, high)) for low in range(13) for high in range(low + 3, 14)}


def loop_points(hand: list[int], starter: int) -> int:
    """The plain loop: every subset of the five cards for fifteens, pairs and runs, then flush and nobs."""
    cards = [*hand, starter]
    found = 0
    longest = 3
    runs = 0
    for subset in SUBSETS:
        ranks = sorted([cards[at] >> 2 for at in subset])
        if sum([PIPS[rank] for rank in ranks]) == 15:
            found += 2
        if len(ranks) == 2 and ranks[0] == ranks[1]:
            found += 2
        if len(ranks) >= longest and tuple(ranks) in RUNS:
            runs = runs * (len(ranks) == longest) + len(ranks)
            longest = len(ranks)
    suits = [card & 3 for card in hand]
    if len(set(suits)) == 1:
        found += 4 + (starter & 3 == suits[0])
    return found + runs + (40 + (starter & 3) in hand)


@pytest.fixture(scope="module")
def deals() -> list[list[int]]:
    rng = random.Random(1)
    return [rng.sample(range(52), 5) for _ in range(HANDS)]


def theirs(card: int) -> tuple[int, str]:
    """A card as cribbage-scorer takes it."""
    return (card >> 2) + 1, SUITS[card & 3]


def each(function: Callable[..., object], jobs: list[tuple[object, ...]]) -> Callable[[], None]:
    """A round: one call after the other."""

    def all_of_them() -> None:
        for first, second in jobs:
            function(first, second)

    return all_of_them


def counters(deals: list[list[int]]) -> Iterator[tuple[str, Callable[[], None]]]:
    hands = [(deal[:4], deal[4]) for deal in deals]
    names = [[card_name(card) for card in deal] for deal in deals]
    yield "points", each(points, hands)
    yield "points, from names", each(points_of_text, [(deal[:4], deal[4]) for deal in names])
    yield "points, from text", each(points_of_text, [(" ".join(deal[:4]), deal[4]) for deal in names])
    yield "core", each(count, hands)
    yield "cribbage-scorer", each(show_calc_score, [(theirs(d[4]), [theirs(c) for c in d[:4]]) for d in deals])
    yield "plain loop", each(loop_points, hands)


COUNTERS = ("points", "points, from names", "points, from text", "core", "cribbage-scorer", "plain loop")


@pytest.mark.benchmark(group="analyst: count 1000 hands")
@pytest.mark.parametrize("name", COUNTERS)
def test_count_hands(benchmark, deals, name):
    benchmark.extra_info["hands"] = HANDS
    benchmark.pedantic(dict(counters(deals))[name], rounds=ROUNDS if name.startswith("points") else 3, warmup_rounds=1)


@pytest.mark.benchmark(group="analyst: count one card of the play")
@pytest.mark.parametrize("name", ["play_points", "core", "cribbage-scorer"])
def test_count_a_card_of_the_play(benchmark, name):
    pile = parse_cards("8H6D4C5S7H")
    function, cards = {
        "play_points": (play_points, pile),
        "core": (pile_points, pile),
        "cribbage-scorer": (play_score_ongoing, [theirs(card) for card in pile]),
    }[name]
    benchmark(function, cards)


@pytest.mark.benchmark(group="analyst: all discards of six cards")
def test_discard_of_six_cards_exactly(benchmark):
    rng = random.Random(1)
    sixes = [rng.sample(range(52), 6) for _ in range(200)]
    at = iter(range(1 << 30))
    benchmark(lambda: discards(sixes[next(at) % len(sixes)]))
    benchmark.extra_info["counts_one_by_one"] = ONE_BY_ONE


@pytest.mark.benchmark(group="analyst: all 12,994,800 deals")
def test_count_all_deals(benchmark):
    from cribboard.analyst.whole import distribution

    assert sum(benchmark.pedantic(distribution, rounds=5, warmup_rounds=1).values()) == DEALS


TURNS = 6
TURN_S = 0.05


def best_times(ways: dict[str, Callable[[], object]]) -> dict[str, float]:
    """The best processor time of each, in turns of one length, so that all meet the same machine.

    By the clock a long round would also pay for others that use the machine, and a short one would escape them.
    """
    times = dict.fromkeys(ways, float("inf"))
    for _ in range(TURNS):
        for name, run in ways.items():
            end = process_time() + TURN_S
            while (start := process_time()) < end:
                run()
                times[name] = min(times[name], process_time() - start)
    return times


@pytest.fixture
def compare(benchmark) -> Iterator[Callable[[dict[str, Callable[[], object]]], dict[str, float]]]:
    """`best_times`, while the collector rests: in a process as large as this it costs those most that make the most
    garbage. Times are taken only when benchmarks are: a run that is traced for coverage is no measure."""

    def measure(ways: dict[str, Callable[[], object]]) -> dict[str, float]:
        if not benchmark.enabled:
            benchmark.pedantic(lambda: [run() for run in ways.values()])
            pytest.skip("times are for --benchmark-enable")
        times: dict[str, float] = benchmark.pedantic(best_times, args=(ways,), rounds=1)
        return times

    gc.collect()
    gc.disable()
    yield measure
    gc.enable()


@pytest.mark.benchmark(group="analyst: ratios")
def test_a_count_takes_a_seventieth_of_cribbage_scorers_time(compare, deals, capsys):
    times = compare(dict(counters(deals)))
    scorer, loop = times["cribbage-scorer"], times["plain loop"]
    with capsys.disabled():
        print("\n\none count of a hand, at best, in turns with the others")
        for name, time in times.items():
            ratios = f"{scorer / time:7.1f} x scorer {loop / time:7.1f} x loop"
            print(f"  {name:20} {1e6 * time / HANDS:8.2f} us {HANDS / time:12,.0f} a second {ratios}")
    assert scorer / times["points"] >= 70
    assert scorer / times["points, from names"] >= 35


@pytest.mark.benchmark(group="analyst: ratios")
def test_exact_discards_and_all_deals_beside_counting_one_by_one(compare, deals, capsys):
    from cribboard.analyst.whole import distribution

    rng = random.Random(1)
    sixes = [rng.sample(range(52), 6) for _ in range(20)]
    known = dict(counters(deals))
    ways = {name: known[name] for name in ("points", "cribbage-scorer", "plain loop")}
    ways["discards"] = lambda: [discards(six) for six in sixes]
    ways["all deals"] = distribution
    times = compare(ways)
    for_discard, for_all = times["discards"] / len(sixes), times["all deals"]
    with capsys.disabled():
        print(f"\n\nexact discard of six cards {1e3 * for_discard:.3f} ms; all 12,994,800 deals {for_all:.3f} s")
        for name in ("points", "cribbage-scorer", "plain loop"):
            one = times[name] / HANDS
            print(f"  one by one with {name:16} {ONE_BY_ONE * one:8.2f} s and {DEALS * one:8.1f} s")
    one = times["cribbage-scorer"] / HANDS
    assert ONE_BY_ONE * one / for_discard > 5_000
    assert DEALS * one / for_all > 300


def test_the_plain_loop_counts_as_the_core_does(deals):
    for *hand, starter in deals:
        assert loop_points(hand, starter) == count(hand, starter).points
