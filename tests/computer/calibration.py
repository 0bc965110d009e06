"""How honest the chance to win is that the expert names when the opponent holds one card: what became of it.

    python -m computer.calibration --games 1000 --seed 1

(in the folder tests) plays the expert against itself, and looks at each choice between cards of two ranks. Ctrl-C ends
it early, with what was played. It fails when the Brier score near the end of a game is above the goal, or when a tenth
of the scale is surely more than three points off.
"""

from __future__ import annotations

import argparse
import random
import sys
from dataclasses import dataclass, field
from math import sqrt
from statistics import mean

from computer.duel import Tally, Z, play_game
from computer.opponents import OPPONENTS, Opponent

from cribboard.computer.playing import KEPT, Seen, outlooks

BRIER = 0.083  # at most, where both need no more than NEAR; 0.25 is a coin's, 0 a prophet's
NEAR = 30
OFF = 0.03  # the most that a tenth may be
TENTHS = 10


@dataclass
class Said:
    """The chances that were named, with what both then needed and 1 for each that won, else 0."""

    wins: list[tuple[float, tuple[int, int], int]] = field(default_factory=list)
    games: int = 0

    @property
    def brier(self) -> float:
        """The mean square of what the chances were off, near the end."""
        near = [(win - won) ** 2 for win, needs, won in self.wins if max(needs) <= NEAR]
        return mean(near) if near else 0.0

    def tenths(self) -> list[tuple[int, float, float, float]]:
        """For each tenth of the scale how many chances were named, their mean, the share that won, and its interval."""
        found = []
        for tenth in range(TENTHS):
            here = [(win, won) for win, _, won in self.wins if min(TENTHS - 1, int(TENTHS * win)) == tenth]
            said, won = (mean(column) for column in zip(*here, strict=True)) if here else (0.0, 0.0)
            found.append((len(here), said, won, Z * sqrt(max(0.01, won * (1 - won)) / max(1, len(here)))))
        return found

    @property
    def calibrated(self) -> bool:
        """Whether no tenth is surely off by more than it may be."""
        return all(abs(said - won) - spread <= OFF for _, said, won, spread in self.tenths())

    def __str__(self) -> str:
        near = sum([max(needs) <= NEAR for _, needs, _ in self.wins])
        rows = [
            f"{10 * tenth:3}-{10 * tenth + 10} %: {number:5} times, said {100 * said:5.1f} %, won {100 * won:5.1f} % "
            f"± {100 * spread:.1f}, off {100 * (said - won):+5.1f}"
            for tenth, (number, said, won, spread) in enumerate(self.tenths())
        ]
        return "\n".join(
            [
                f"{self.games} games, one card of the opponent's unknown in {len(self.wins)} choices",
                f"Brier score where both need {NEAR} or fewer: {self.brier:.4f} of {near}",
                *rows,
            ]
        )


def played(games: int, seed: int) -> Said:
    """So many games of the expert against itself."""
    found = Said()
    try:
        for game in range(games):
            named: list[tuple[int, float, tuple[int, int]]] = []
            player = Opponent(OPPONENTS["expert"].discard, lambda seen, pile, named=named: _choose(seen, named))
            winner = play_game((player, player), random.Random(f"{seed} {game}"), (0, 1), Tally())
            found.wins += [(win, needs, int(seat == winner)) for seat, win, needs in named]
            found.games += 1
            if found.games % 100 == 0:
                print(f"{found.games} of {games} games, Brier {found.brier:.4f}", file=sys.stderr, flush=True)
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
    return found


def _choose(seen: Seen, named: list[tuple[int, float, tuple[int, int]]]) -> int:
    found = outlooks(seen)
    if len(seen.shown) == KEPT - 1 and len(found) > 1:
        named.append((seen.seat, found[0].win, seen.needs))
    return found[0].card


def main() -> None:
    """Play, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    found = played(asked.games, asked.seed)
    print(found)
    sys.exit(0 if found.brier <= BRIER and found.calibrated else 1)


if __name__ == "__main__":
    main()
