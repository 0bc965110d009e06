"""Two players at duplicate deals: every game is played twice with the same cards, the seats changed.

    python -m computer.duel expert greedy --games 10000 --seed 1

(in the folder tests). Ctrl-C ends it early, with the figures of the pairs that were played. It fails when the first
player surely wins less than half.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from math import sqrt
from statistics import mean, median, stdev

from computer.opponents import OPPONENTS, Opponent
from computer.others import OTHERS

from cribboard.computer.playing import Seen, as_played
from cribboard_core.cards import PACK_SIZE
from cribboard_core.deal import Deal

Z = 1.96  # of 95 %


@dataclass
class Tally:
    """What a duel has come to: for the first player, a result for each pair of games."""

    pairs: list[float] = field(default_factory=list)
    dealer_won: list[int] = field(default_factory=list)
    points: dict[str, list[int]] = field(default_factory=lambda: {"play": [], "hand": [], "crib": []})
    discard_ms: list[float] = field(default_factory=list)
    card_ms: list[float] = field(default_factory=list)

    def __str__(self) -> str:
        return "\n".join(
            [
                f"{2 * len(self.pairs)} games: the first player wins {share(self.pairs)}",
                f"the first dealer wins {share([float(won) for won in self.dealer_won])}",
                *[f"{kind}: {mean(made):+.3f} points a deal" for kind, made in self.points.items() if made],
                f"medians: a discard {median(self.discard_ms):.2f} ms, a card {median(self.card_ms):.2f} ms",
            ]
        )


def duel(players: tuple[Opponent, Opponent], games: int, seed: int, say: Callable[[str], None]) -> Tally:
    """Play so many games, half of them with changed seats."""
    tally = Tally()
    started = time.monotonic()
    try:
        for pair in range(games // 2):
            won = []
            for seats in ((0, 1), (1, 0)):
                winner = play_game(
                    (players[seats[0]], players[seats[1]]), random.Random(f"{seed} {pair}"), seats, tally
                )
                tally.dealer_won.append(winner == 0)
                won.append(seats[winner] == 0)
            tally.pairs.append(sum(won) / 2)
            if (pair + 1) % 100 == 0:
                say(f"{2 * pair + 2} games, {share(tally.pairs)}, {time.monotonic() - started:.0f} s")
    except KeyboardInterrupt:
        say("stopped")
    return tally


def play_game(
    players: tuple[Opponent, Opponent],
    chance: random.Random,
    seats: tuple[int, int],
    tally: Tally,
    scores: tuple[int, int] = (0, 0),
    target: int = 121,
) -> int:
    """A game that seat 0 deals first; returns the seat that wins."""
    now, dealer = list(scores), 0
    while True:
        for made in tally.points.values():
            made.append(0)
        for seat, kind, points in one_deal(players, chance, dealer, now, target, tally, seats):
            now[seat] += points
            tally.points[kind][-1] += points if seats[seat] == 0 else -points
            if now[seat] >= target:
                return seat
        dealer = 1 - dealer


def one_deal(players, chance, dealer, now, target, tally, seats):  # type: ignore[no-untyped-def]
    """The points of a deal, one after the other, each before the next choice."""
    pack = list(range(PACK_SIZE))
    chance.shuffle(pack)
    deal = Deal(2, dealer, pack)
    dealt = [sorted(hand) for hand in deal.hands]
    thrown: list[tuple[int, ...]] = []
    for seat in (0, 1):
        needs = target - now[seat], target - now[1 - seat]
        begun = time.perf_counter()
        thrown.append(players[seat].discard(dealt[seat], int(seat == dealer), needs))
        if seats[seat] == 0:
            tally.discard_ms.append(1000 * (time.perf_counter() - begun))
        deal.discard(seat, list(thrown[seat]))
    for seat, _, points, _ in deal.cut():
        yield seat, "play", points
    while deal.phase == "play":
        game = deal.game
        seat = game.turn
        legal = game.legal(seat)
        card = legal[0]
        if len(legal) > 1:
            seen = Seen(
                seat,
                dealer,
                tuple(sorted(game.hands[seat])),
                thrown[seat],
                as_played(game.rows),
                deal.starter,
                (now[seat], now[1 - seat]),
                target,
            )
            begun = time.perf_counter()
            card = players[seat].play(seen, list(game.pile))
            if seats[seat] == 0:
                tally.card_ms.append(1000 * (time.perf_counter() - begun))
        for scorer, _, points, _ in deal.play(seat, card):
            yield scorer, "play", points
    while deal.phase == "show":
        for seat, kind, points, _ in deal.show():
            yield seat, kind, points


def share(results: list[float]) -> str:
    return f"{100 * mean(results):.2f} % ± {100 * spread(results):.2f}"


def spread(results: list[float]) -> float:
    return Z * stdev(results) / sqrt(len(results)) if len(results) > 1 else 1.0


def main() -> None:
    """Play, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("first", nargs="?", choices=[*OPPONENTS, *OTHERS], default="expert")
    parser.add_argument("second", nargs="?", choices=[*OPPONENTS, *OTHERS], default="greedy")
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    first, second = [OTHERS[name]() if name in OTHERS else OPPONENTS[name] for name in (asked.first, asked.second)]
    tally = duel((first, second), asked.games, asked.seed, lambda text: print(text, file=sys.stderr, flush=True))
    print(tally)
    sys.exit(int(mean(tally.pairs) + spread(tally.pairs) < 0.5))


if __name__ == "__main__":
    main()
