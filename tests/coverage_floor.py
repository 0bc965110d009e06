"""Checks a coverage report: every line and branch of the core, and nine in ten of everything else.

    python tests/coverage_floor.py REPORT [PART]

(core, or rest; without it both).
"""

import json
import sys
from pathlib import Path

FLOORS = {"core": 100.0, "rest": 90.0}  # in per cent


def main(report: str, *parts: str) -> int:
    """Return 1 and say which parts are short when one is."""
    files = json.loads(Path(report).read_text())["files"]
    short = False
    for part in parts or FLOORS:
        summaries = [data["summary"] for name, data in files.items() if ("cribboard_core" in name) == (part == "core")]
        covered = sum(summary["covered_lines"] + summary["covered_branches"] for summary in summaries)
        total = sum(summary["num_statements"] + summary["num_branches"] for summary in summaries)
        percent = 100.0 * covered / max(total, 1)
        print(f"coverage of the {part}: {percent:.2f} % (at least {FLOORS[part]:.0f} %)")
        short = short or percent < FLOORS[part]
    return 1 if short else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
