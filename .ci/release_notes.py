"""Prints what the change log says of the version of a tag; fails when the program has another one.

`python .ci/release_notes.py v1.2.0`
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def notes(tag: str) -> str:
    """The section of a version; raises SystemExit when the tag and the program differ, or nothing is said."""
    match = re.search(r'__version__ = "(.+)"', (ROOT / "host/cribboard/__init__.py").read_text(encoding="utf-8"))
    if not match or tag != f"v{match[1]}":
        raise SystemExit(f"the tag is {tag}, but the program's version is {match and match[1]}: change one of them")
    changes = (ROOT / ".github" / "CHANGELOG.md").read_text(encoding="utf-8")
    section = re.search(rf"^## {re.escape(match[1])}\n(.*?)(?=^## |\Z)", changes, re.DOTALL | re.MULTILINE)
    if not section or not section[1].strip():
        raise SystemExit(f"the change log says nothing of {match[1]}: add `## {match[1]}` with what has changed")
    return section[1].strip() + "\n"


if __name__ == "__main__":
    sys.stdout.write(notes(sys.argv[1]))
