"""The computer among three, four (partners) or six against the greedy player at the other seats, at duplicate deals.

    python -m computer.many 4 --games 400 --seed 1

(in the folder tests). Each set of cards is played once for each side as the computer's, the others are greedy;
so a side as good as the others wins its share. The interval is 95 %. Ctrl-C ends it early, with its figures.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from statistics import mean, median

from computer.duel import share, spread

from cribboard.computer import levels
from cribboard.computer.many import Many
from cribboard.players import best_hand
from cribboard_core.cards import PACK_SIZE, PIPS
from cribboard_core.deal import Deal
from cribboard_core.pile import pile_points

TARGET = 121
TEAMS = {3: 0, 4: 2, 6: 2}


@dataclass
class Tally:
    """What it has come to, for the computer: for each set of cards its share of the games, and points a deal more than
    an average other side."""

    won: list[float] = field(default_factory=list)
    points: list[float] = field(default_factory=list)
    card_ms: list[float] = field(default_factory=list)

    def __str__(self) -> str:
        return (
            f"wins {share(self.won)}; points a deal {mean(self.points):+.2f} ± {spread(self.points):.2f}; "
            f"a card {median(self.card_ms):.1f} ms at the median"
        )


def most_points(seen: Many) -> int:
    """Most points, then no fifteen or 31 for a ten-card, then the highest: the greedy player."""
    total = sum([PIPS[card >> 2] for card in seen.pile])

    def worth(card: int) -> tuple[int, bool, int, int]:
        pips = PIPS[card >> 2]
        return pile_points([*seen.pile, card])[0], total + pips not in (5, 21), pips, card

    return max(seen.legal, key=worth)


def expert(seen: Many) -> int:
    """The computer today."""
    return levels.card_among_many(levels.EXPERT, seen)


def duel(players: int, sets: int, seed: int, say: Callable[[str], None]) -> Tally:
    """Play so many sets of cards, each once for each side."""
    tally, started = Tally(), time.monotonic()
    sides = TEAMS[players] or players
    try:
        for number in range(sets):
            results = [play_game(players, side, random.Random(f"{seed} {number}"), tally) for side in range(sides)]
            tally.won.append(mean([won for won, _ in results]))
            tally.points.append(mean([more for _, more in results]))
            if (number + 1) % 20 == 0:
                say(f"{sides * (number + 1)} games, {tally}, {time.monotonic() - started:.0f} s")
    except KeyboardInterrupt:
        say("stopped")
    return tally


def play_game(players: int, mine: int, chance: random.Random, tally: Tally) -> tuple[bool, float]:
    """A game that seat 0 deals first; whether the side `mine` won, and its points a deal more than the others'."""
    sides = TEAMS[players] or players
    scores, dealer, deals = [0] * sides, 0, 0
    while max(scores) < TARGET:
        deals += 1
        for seat, points in one_deal(players, dealer, mine, chance, tally):
            scores[seat % sides] += points
            if scores[seat % sides] >= TARGET:
                break
        dealer = (dealer + 1) % players
    others = (sum(scores) - scores[mine]) / (sides - 1)
    return scores[mine] >= TARGET, (scores[mine] - others) / deals


def one_deal(players: int, dealer: int, mine: int, chance: random.Random, tally: Tally) -> Iterator[tuple[int, int]]:
    """The points of a deal, one after the other."""
    pack = list(range(PACK_SIZE))
    chance.shuffle(pack)
    deal = Deal(players, dealer, pack, TEAMS[players])
    thrown = [discard(deal, seat) for seat in range(players)]
    for seat, _, points, _ in deal.cut():
        yield seat, points
    while deal.phase == "play":
        seat = deal.turn
        own = deal.side(seat) == mine
        begun = time.perf_counter()
        card = (expert if own else most_points)(seen_by(deal, seat, thrown[seat]))
        if own:
            tally.card_ms.append(1000 * (time.perf_counter() - begun))
        for scorer, _, points, _ in deal.play(seat, card):
            yield scorer, points
    while deal.phase == "show":
        for seat, _, points, _ in deal.show():
            yield seat, points


def discard(deal: Deal, seat: int) -> tuple[int, ...]:
    """Throw what both versions throw."""
    dealt, number = sorted(deal.hands[seat]), deal.to_discard(seat)
    if not number:
        return ()
    own_crib = deal.side(seat) == deal.side(deal.dealer)
    keeps_four = len(dealt) - number == 4
    thrown = levels.discard_one(levels.EXPERT, dealt, own_crib) if keeps_four else best_hand(dealt, number)
    deal.discard(seat, list(thrown))
    return tuple(thrown)


def seen_by(deal: Deal, seat: int, thrown: tuple[int, ...]) -> Many:
    """What a seat knows in the play."""
    game = deal.game
    assert game is not None
    out = (deal.starter, *thrown, *[row[1] for row in game.rows])
    left = tuple(len(hand) for hand in game.hands)
    return Many(seat, tuple(sorted(game.hands[seat])), out, left, tuple(game.pile), deal.sides)


def main() -> None:
    """Play, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("players", type=int, choices=TEAMS)
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    sides = TEAMS[asked.players] or asked.players
    tally = duel(asked.players, asked.games // sides, asked.seed, lambda text: print(text, file=sys.stderr, flush=True))
    print(f"{asked.players} players, {sides} sides, {sides * len(tally.won)} games: the computer {tally}")
    sys.exit(int(mean(tally.points) + spread(tally.points) < 0))


if __name__ == "__main__":
    main()
