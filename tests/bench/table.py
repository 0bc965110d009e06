"""The table of what things take on this machine, beside others and beside what physics allows: `python -m bench.table`.

pytest-benchmark measures; the tests of this folder hand in what it found, and all of a table comes from one run.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

OURS = "cribboard"
HEAD = ("what", "takes", "beside it", "takes", "ratio")
UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns"))
FOOT = """
Of what waits the median, of what only computes the quickest round. The ratio is how many times as long as ours the
other takes; a limit is not measured, it is the data sheet's.
The board has a table of its own, from the emulated Pico: cd tests && python -m pico.figures"""

ROUND_S = 0.002  # to read the processor's time takes 0.7 µs, which must not count

Works = dict[Any, tuple[Callable[..., Any], float]]  # what is timed, and how many of them a call does


class Table:
    """Seconds by what is done and who does it, in the order in which they came in."""

    def __init__(self) -> None:
        self.rows: dict[str, dict[str, float]] = {}

    def add(self, what: str, who: str, seconds: float) -> None:
        """One figure."""
        self.rows.setdefault(what, {})[who] = seconds

    def ratio(self, what: str, who: str) -> float | None:
        """How many times as long as ours another takes; None when the two were not both measured."""
        row = self.rows.get(what, {})
        return row[who] / row[OURS] if who in row and OURS in row else None

    def lines(self) -> list[str]:
        """The table as text; whatever has not been measured is left out."""
        lines = [_line(HEAD)]
        for what, row in self.rows.items():
            cells = [what, _time(row[OURS]) if OURS in row else ""]
            others = [who for who in row if who != OURS]
            for who in others:
                ratio = self.ratio(what, who)
                lines.append(_line((*cells, who, _time(row[who]), f"{ratio:.3g}" if ratio else "")))
                cells = ["", ""]
            if not others:
                lines.append(_line((*cells,)))
        return lines


def quickest_by_turns(works: Works, seconds: float = 10.0) -> dict[str, float]:
    """The processor's seconds of the quickest round of many of each; by turns, so that what slows one slows all."""
    times = {who: max(1, round(ROUND_S / max(_processor_s(work, 1), 1e-6))) for who, (work, _) in works.items()}
    rounds: dict[str, list[float]] = {who: [] for who in works}
    ends = perf_counter() + seconds
    while perf_counter() < ends:
        for who, (work, each) in works.items():
            rounds[who].append(_processor_s(work, times[who]) / each)
    return {who: min(measured) for who, measured in rounds.items()}


def _processor_s(work: Callable[..., Any], times: int) -> float:
    """The processor's and not the clock's: no round of a tenth of a second has the processor to itself for long."""
    begun = process_time()
    for _ in range(times):
        work()
    return (process_time() - begun) / times


def _time(seconds: float) -> str:
    size, unit = next((unit for unit in UNITS if seconds >= unit[0]), UNITS[-1])
    return f"{seconds / size:.3g} {unit}"


def _line(cells: tuple[str, ...]) -> str:
    what, takes, beside, its, ratio = [*cells, "", "", ""][:5]
    return f"{what:42} {takes:>8}   {beside:54} {its:>8} {ratio:>8}".rstrip()


def main() -> int:
    import pytest

    options = [
        "-q",
        "-n",
        "0",
        "--benchmark-enable",
        "--benchmark-only",
        "--benchmark-quiet",
        "--benchmark-max-time=0.5",
    ]
    return pytest.main([str(Path(__file__).parent), *options, *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
