"""Commands over a wire with every fault: how many were lost, doubled or out of order, and how long each took.

    python -m faults.exactly_once --commands 1000000 --seed 1

(in the folder tests). Every command says which one it is by where it puts a peg, and the board's side notes what it
applies, in its own order, through all restarts of either end. The exit status is 1 when a command was lost, doubled,
out of order or of unknown fate, or when at 1 % of each fault the p99 is over its bound.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from array import array
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from faults.ends import SCRATCH, Told, seated
from faults.pipes import Rates

from cribboard_core.events import NEW, SET

PLACES = [(side, front, back) for front in range(121) for back in range(front + 1) for side in (0, 1)]
MOST_P99_MS = 100  # when no fault strikes more than one frame in a hundred
GAME = 90  # commands; about as many as a game of two has events


@dataclass
class Figures:
    """What came of it."""

    rate: float
    commands: int
    lost: int
    doubled: int
    out_of_order: int
    resent: int
    times: array[float]
    struck: dict[str, int]
    unknown: int  # commands of which the host could not say afterwards whether they counted
    erases: int
    cpu_s: float

    @property
    def clean(self) -> bool:
        return not (self.lost or self.doubled or self.out_of_order or self.unknown)

    @property
    def soon(self) -> bool:
        return self.rate > 0.01 or self.p99_ms <= MOST_P99_MS

    @property
    def median_ms(self) -> float:
        return median(self.times)

    @property
    def p99_ms(self) -> float:
        return sorted(self.times)[len(self.times) * 99 // 100]

    def __str__(self) -> str:
        struck = ", ".join(f"{fault} {count}" for fault, count in self.struck.items())
        return (
            f"{self.rate:.0%} of each fault: {self.commands} commands, {self.lost} lost, {self.doubled} doubled, "
            f"{self.out_of_order} out of order, {self.unknown} unknown; {self.resent} frames sent again; acknowledged "
            f"after {self.median_ms:.0f} ms (median), {self.p99_ms:.0f} ms (p99), {max(self.times):.0f} ms (worst) of "
            f"simulated time\n    struck: {struck}; {self.erases} erases; {self.cpu_s:.0f} s of CPU"
        )


class Judge:
    """Hears what the board applies and says what is wrong with it."""

    def __init__(self) -> None:
        self.next = 0  # the command that is due
        self.doubled = self.out_of_order = self.games = 0
        self.rev = 0

    def hear(self, event: Told) -> None:
        rev, (kind, side, front, back, _), _, _ = event
        if rev != self.rev + 1:
            self.out_of_order += 1
        self.rev = rev
        if kind == NEW:
            self.games += 1
        elif kind == SET and (side, front, back) == PLACES[self.next % len(PLACES)]:
            self.next += 1
        elif kind == SET and (self.next - PLACES.index((side, front, back))) % len(PLACES) < len(PLACES) // 2:
            self.doubled += 1
        else:
            self.out_of_order += 1


def run(commands: int, rate: float, seed: int, say: bool = False) -> Figures:
    """Send so many commands, each fault striking at this rate."""
    began = time.process_time()
    times = array("d")
    lost = unknown = games = 0
    with tempfile.TemporaryDirectory(dir=SCRATCH) as folder:
        cable, firmware, host = seated(Rates.each(rate), seed, Path(folder))
        judge = Judge()
        firmware.on_applied = judge.hear
        for number in range(commands):
            if number % GAME == 0:
                games += 1
                host.do("new", host.board.standing.rev, 121, 3, 2, number // GAME % 2, -1, -1)
                judge.doubled += judge.games > games
                lost += judge.games < games
                judge.games = games
            times.append(host.do("set", *PLACES[number % len(PLACES)]))
            if judge.next < number + 1:
                lost += 1
                judge.next = number + 1
            if len(host.notes) > 1000 or number == commands - 1:
                unknown += sum("may have been" in note or "repeat it" in note for note in host.notes)
                host.notes.clear()
            host.board.ack_ms.clear()
            host.board.notes.clear()
            if say and (number + 1) % 10000 == 0:
                print(f"{number + 1} commands, {time.process_time() - began:.0f} s", file=sys.stderr, flush=True)
        struck = {fault: cable.toward.struck[fault] + cable.back.struck[fault] for fault in cable.back.struck}
        resent = cable.toward.resent
        cable.expect(Rates())
        host.board.sync()
        assert host.board.check()
        host.board.close()
    cpu = time.process_time() - began
    erases = firmware.flash.erases
    ways = (commands, lost, judge.doubled, judge.out_of_order, resent)
    return Figures(rate, *ways, times, struck | cable.struck, unknown, erases, cpu)


def main() -> int:
    parser = argparse.ArgumentParser(description="Commands over a wire with every fault.")
    parser.add_argument("--commands", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--percent", type=float, nargs="*", default=[10, 1], help="of each fault; one run for each")
    parser.add_argument("--quiet", action="store_true", help="no progress")
    asked = parser.parse_args()
    well = True
    for percent in asked.percent:
        figures = run(asked.commands, percent / 100, asked.seed, not asked.quiet)
        print(figures, flush=True)
        well = well and figures.clean and figures.soon
    return 0 if well else 1


if __name__ == "__main__":
    sys.exit(main())
