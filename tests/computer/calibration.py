"""How honest the chance to win is that the expert names when the opponent holds one card: what became of it.

    python -m computer.calibration --games 1000 --seed 1

(in the folder tests) plays the expert against itself, and looks at each choice between cards of two ranks. Ctrl-C ends
it early, with what was played. It fails when the Brier score near the end of a game is above the goal, or when a tenth
of the scale is surely more than three points off, by who won or by the chance to win that was left after the deal. That
chance is the tables', which computer.positions tries; with less luck in it, few games tell as much as many.
"""

from __future__ import annotations

import argparse
import random
import sys
from dataclasses import dataclass, field
from math import sqrt
from statistics import mean, stdev
from typing import NamedTuple

from computer.duel import Tally, Z, play_game
from computer.opponents import OPPONENTS, Opponent

from cribboard.computer.playing import KEPT, Seen, outlooks
from cribboard.computer.tables import DEALER, tables

BRIER = 0.083  # at most, where both need no more than NEAR; 0.25 is a coin's, 0 a prophet's
NEAR = 30
OFF = 0.03  # the most that a tenth may be
TENTHS = 10
ENOUGH = 50  # chances in a tenth; what one deal changes is skewed, so fewer have no interval


class Named(NamedTuple):
    """A chance to win that was named, what both then needed, the chance after the deal, and 1 if it was won, else 0."""

    win: float
    needs: tuple[int, int]
    after: float
    won: int


class Tenth(NamedTuple):
    """How many chances of a tenth of the scale were named, their mean, and what became of them, with its interval."""

    number: int
    said: float
    won: float
    won_spread: float
    after: float
    after_spread: float

    @property
    def surely_off(self) -> bool:
        """Whether it is off by more than it may be, whatever the luck."""
        won = abs(self.said - self.won) - self.won_spread
        return max(won, abs(self.said - self.after) - self.after_spread) > OFF

    def __str__(self) -> str:
        return (
            f"{self.number:5} times, said {100 * self.said:5.1f} %, "
            f"won {100 * self.won:5.1f} % ± {100 * self.won_spread:.1f}, "
            f"after the deal {100 * self.after:5.1f} % ± {100 * self.after_spread:.1f}"
        )


@dataclass
class Said:
    """The chances that were named."""

    wins: list[Named] = field(default_factory=list)
    games: int = 0

    @property
    def brier(self) -> float:
        """The mean square of what the chances were off, near the end."""
        near = [(each.win - each.won) ** 2 for each in self.wins if max(each.needs) <= NEAR]
        return mean(near) if near else 0.0

    def tenths(self) -> list[Tenth]:
        """Each tenth of the scale."""
        rows = []
        for tenth in range(TENTHS):
            here = [each for each in self.wins if min(TENTHS - 1, int(TENTHS * each.win)) == tenth]
            number = len(here)
            said, after, won = (mean([each[at] for each in here] or [0.0]) for at in (0, 2, 3))
            by_luck = sqrt(mean([each.win * (1 - each.win) for each in here] or [1.0]))  # if what is said is true
            spread = stdev([each.after - each.win for each in here]) if number >= ENOUGH else 1.0
            sure = Z / sqrt(max(1, number))
            rows.append(Tenth(number, said, won, sure * by_luck, after, sure * spread))
        return rows

    @property
    def calibrated(self) -> bool:
        """Whether no tenth is surely off by more than it may be."""
        return not any(tenth.surely_off for tenth in self.tenths())

    def __str__(self) -> str:
        near = sum([max(each.needs) <= NEAR for each in self.wins])
        rows = [f"{10 * at:3}-{10 * at + 10} %: {tenth}" for at, tenth in enumerate(self.tenths())]
        return "\n".join(
            [
                f"{self.games} games, one card of the opponent's unknown in {len(self.wins)} choices",
                f"Brier score where both need {NEAR} or fewer: {self.brier:.4f} of {near}",
                *rows,
            ]
        )


class Player:
    """The expert on both seats of a game, which notes the chances that it names."""

    def __init__(self) -> None:
        self._named: list[tuple[int, float, tuple[int, int]]] = []
        self._after: list[float] = []

    def discard(self, dealt: list[int], role: int, needs: tuple[int, int]) -> tuple[int, ...]:
        """Both seats discard before anything is named, seat 0 first: so the deal before is over."""
        win = tables().chances[needs[0]][needs[1]] if role == DEALER else 1 - tables().chances[needs[1]][needs[0]]
        self._over(win)
        return OPPONENTS["expert"].discard(dealt, role, needs)

    def play(self, seen: Seen, pile: list[int]) -> int:
        choices = outlooks(seen)
        if len(seen.shown) == KEPT - 1 and len(choices) > 1:
            self._named.append((seen.seat, choices[0].win, seen.needs))
        return choices[0].card

    def named(self, winner: int) -> list[Named]:
        """All of a game that this seat has won."""
        self._over(float(winner == 0))
        pairs = zip(self._named, self._after, strict=True)
        return [Named(win, needs, after, int(seat == winner)) for (seat, win, needs), after in pairs]

    def _over(self, win: float) -> None:
        """The deal of the newest chances is over: so likely seat 0 wins now."""
        new = self._named[len(self._after) :]
        self._after += [win if seat == 0 else 1 - win for seat, _, _ in new]


def played(games: int, seed: int) -> Said:
    """So many games of the expert against itself."""
    sums = Said()
    try:
        for game in range(games):
            player = Player()
            both = Opponent(player.discard, player.play)
            winner = play_game((both, both), random.Random(f"{seed} {game}"), (0, 1), Tally())
            sums.wins += player.named(winner)
            sums.games += 1
            if sums.games % 100 == 0:
                print(f"{sums.games} of {games} games, Brier {sums.brier:.4f}", file=sys.stderr, flush=True)
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
    return sums


def main() -> None:
    """Play, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    result = played(asked.games, asked.seed)
    print(result)
    sys.exit(0 if result.brier <= BRIER and result.calibrated else 1)


if __name__ == "__main__":
    main()
