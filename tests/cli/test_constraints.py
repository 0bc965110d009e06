"""The tested versions of other people's libraries: all that is installed has one, and CI and kiosks take them."""

from __future__ import annotations

import re
import runpy
import tomllib
from itertools import chain
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).parents[2]
LINES = (ROOT / "host" / "constraints.txt").read_text("utf-8").splitlines()
PINNED = {requirement.name: requirement for requirement in map(Requirement, LINES[1:])}


def version(pin: Requirement) -> Version:
    (only,) = pin.specifier
    return Version(only.version)


def test_each_line_is_a_name_and_a_version() -> None:
    assert LINES[0].startswith("# ")
    for line in LINES[1:]:
        assert re.fullmatch(r"[a-z0-9-]+==[0-9][0-9a-z.]*", line), line
    assert [*PINNED] == sorted(PINNED) and len(PINNED) == len(LINES) - 1


def test_what_the_project_asks_for_has_a_version_that_fits() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    asked = [*project["dependencies"], *chain(*project["optional-dependencies"].values())]
    for requirement in map(Requirement, asked):
        name = canonicalize_name(requirement.name)
        if name != "cribboard" and "linux" in str(requirement.marker or "linux"):
            assert requirement.specifier.contains(version(PINNED[name])), f"{requirement}: run .ci/constraints.py again"


def test_what_comes_with_it_has_a_version_too() -> None:
    installed = runpy.run_path(str(ROOT / ".ci" / "constraints.py"))["installed"]
    versions = installed("cribboard[test,render]")
    assert len(versions) > 40
    missing = {name for name in versions if name not in PINNED}
    assert not missing, "run .ci/constraints.py again"


def test_ci_and_kiosks_take_them() -> None:
    assert "PIP_CONSTRAINT=$PWD/host/constraints.txt" in (ROOT / ".ci" / "run").read_text("utf-8")
    assert "pip install -e '.[kiosk]' -c host/constraints.txt" in (ROOT / "host" / "kiosk.md").read_text("utf-8")


def test_the_wheel_has_them() -> None:
    build = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["hatch"]["build"]
    assert build["targets"]["wheel"]["force-include"]["host/constraints.txt"] == "cribboard/constraints.txt"
