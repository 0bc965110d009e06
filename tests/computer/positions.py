"""The chance to win from some positions, as the tables have it and as games of the expert against itself end.

    python -m computer.positions --games 2000 --seed 1
    python -m computer.positions 120-120 105-112 --games 10000

(in the folder tests). Ctrl-C ends a position early, with what was played. It fails when the table is surely more than a
half in a hundred off.
"""

from __future__ import annotations

import argparse
import random
import sys
from math import sqrt

from computer.duel import Tally, Z, play_game
from computer.opponents import OPPONENTS

from cribboard.computer.tables import chance_to_win

OFF = 0.005  # the most that a table may be
POSITIONS = ((120, 120), (118, 119), (116, 113), (111, 111), (105, 112), (100, 95), (85, 91), (60, 60), (0, 0))


def won(scores: tuple[int, int], games: int, seed: int) -> tuple[float, int]:
    """The dealer's share of games from these scores, his and pone's; and how many were played."""
    players, wins, played = (OPPONENTS["expert"], OPPONENTS["expert"]), 0, 0
    try:
        for game in range(games):
            chance = random.Random(f"{seed} {scores} {game}")
            wins += play_game(players, chance, (0, 1), Tally(), scores) == 0
            played += 1
            if played % 1000 == 0:
                print(f"{played} of {games} games, {100 * wins / played:.1f} %", file=sys.stderr, flush=True)
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
    return wins / max(1, played), played


def main() -> None:
    """Play from each position, and print both figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("scores", nargs="*", help="the dealer's and pone's, like 105-112 (default: nine positions)")
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    named = [tuple(map(int, each.split("-"))) for each in asked.scores]
    good = True
    for scores in [(dealer, pone) for dealer, pone in named] or POSITIONS:
        share, played = won(scores, asked.games, asked.seed)
        spread = Z * sqrt(max(0.05, share * (1 - share)) / max(1, played))  # a few games may all be won
        table = chance_to_win(*scores, True)
        figures = f"table {100 * table:5.2f} %, {played} games {100 * share:5.2f} % ± {100 * spread:.2f}"
        print(f"{scores[0]:3} to {scores[1]:3}: {figures}", flush=True)
        good = good and abs(table - share) - spread <= OFF
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
