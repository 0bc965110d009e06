"""Checks a coverage report: every line and branch of the core, and nine in ten of everything else."""

import json
import sys
from pathlib import Path

CORE, REST = 100.0, 90.0


def main(report: str) -> int:
    """Return 1 and say which files are short when one is."""
    files = json.loads(Path(report).read_text())["files"]
    totals = {"core": [0, 0], "the rest": [0, 0]}
    for name, data in files.items():
        summary = data["summary"]
        part = totals["core" if "cribboard_core" in name else "the rest"]
        part[0] += summary["covered_lines"] + summary["covered_branches"]
        part[1] += summary["num_statements"] + summary["num_branches"]
    short = False
    for (part, (covered, total)), floor in zip(totals.items(), (CORE, REST), strict=True):
        percent = 100.0 * covered / max(total, 1)
        print(f"coverage of {part}: {percent:.2f} % (at least {floor:.0f} %)")
        short = short or not total or percent < floor
    return 1 if short else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
