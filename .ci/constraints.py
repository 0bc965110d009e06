"""Writes host/constraints.txt: the versions of all that cribboard can install, as they are in this environment.

Type `pip install -U -e '.[dev,oracle]'` in a new one before, and run the tests. Only names and versions: of a package
that another system or a later Python needs besides, pip takes the newest.
"""

from __future__ import annotations

import re
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from packaging.requirements import Requirement

OUT = Path(__file__).parents[1] / "host" / "constraints.txt"
HEAD = "# The versions with which `.ci/run` tests; made by `python .ci/constraints.py`.\n"
EVERYTHING = "cribboard[dev,oracle]"


def installed(wanted: str) -> dict[str, str]:
    """The versions by name of what a requirement brings with it, as far as it is installed."""
    versions: dict[str, str] = {}
    waiting, seen = [Requirement(wanted)], set()
    while waiting:
        requirement = waiting.pop()
        name = re.sub(r"[-_.]+", "-", requirement.name).lower()
        for extra in ("", *requirement.extras):
            if (name, extra) in seen:
                continue
            seen.add((name, extra))
            try:
                package = distribution(requirement.name)
            except PackageNotFoundError:
                continue
            versions[name] = package.version
            needs = map(Requirement, package.requires or [])
            waiting += [need for need in needs if need.marker is None or need.marker.evaluate({"extra": extra})]
    versions.pop("cribboard")
    return versions


def text() -> str:
    """The file's."""
    return HEAD + "".join(f"{name}=={version}\n" for name, version in sorted(installed(EVERYTHING).items()))


if __name__ == "__main__":
    OUT.write_text(text(), encoding="utf-8")
