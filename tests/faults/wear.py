"""How long the flash lives: games played on the real keeper and journal, and the erases that they cost.

    python -m faults.wear --games 400 --seed 1

(in the folder tests).
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass

from faults import evening
from firmware.keeping import finished, tag

from cribboard.sim.flash import Flash
from cribboard_core.journal import Journal
from cribboard_core.match import Match
from cribboard_fw.keeper import Keeper

ERASES = 100_000  # of a sector, at least: the data sheet of the W25Q16JV, the Pico's flash
A_YEAR = 40 * 365  # games of a pub with 40 a night
TABLES = {"two": [(2, 0)], "three": [(3, 0)], "four, as pairs": [(4, 2)], "by turns": [(2, 0), (3, 0), (4, 2)]}


YEARS = {"two": 20, "four, as pairs": 20, "by turns": 20, "three": 13}  # that the flash has to last


@dataclass(frozen=True)
class Wear:
    """What so many games wrote."""

    games: int
    events: int
    erases: int
    in_a_game: int  # erases while pegs were out and nobody had won

    @property
    def life(self) -> int:
        """Games until the sector has been erased as often as it may be."""
        return ERASES * self.games // self.erases

    def __str__(self) -> str:
        return (
            f"{self.games} games of {self.events / self.games:.1f} events: {self.erases} erases ({self.in_a_game} in a "
            f"game), {self.events / self.erases:.0f} events and {self.games / self.erases:.2f} games an erase; "
            f"{self.life} games a life, {self.life / A_YEAR:.1f} years at 40 a night"
        )


def run(players: list[tuple[int, int]], games: int, seed: int, slips: float) -> Wear:
    """Play so many games, the tables taking turns."""
    flash = Flash()
    match = Match()
    journal = Journal(flash)  # type: ignore[arg-type]
    journal.mount(match, 1)
    keeper = Keeper(match, journal)
    events = in_a_game = 0
    tables = [players[number % len(players)] for number in range(games)]
    for op, *args in evening.games(match, tables, seed, slips):
        erases = flash.erases
        pegged = max(match.play.now[:-2]) > 0 and match.winner < 0
        answer = finished(keeper, [op, *tag(events), *args])
        if answer[0] != "ok":
            raise AssertionError(f"{op} {args}: {answer}")
        events += 1
        in_a_game += pegged and flash.erases > erases
    return Wear(games, events, flash.erases, in_a_game)


def main() -> int:
    parser = argparse.ArgumentParser(description="Events and games an erase of the flash.")
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--slips", type=float, default=0.05, help="share of the scores that take two events more")
    asked = parser.parse_args()
    short = False
    for table, players in TABLES.items():
        worn = run(players, asked.games, asked.seed, asked.slips)
        print(f"{table}: {worn}", flush=True)
        short = short or worn.in_a_game > 0 or worn.life < YEARS[table] * A_YEAR
    return 1 if short else 0


if __name__ == "__main__":
    sys.exit(main())
