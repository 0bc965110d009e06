"""How the tests run: side by side, saying what did not run, with the long searches left to commands that CI types."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from types import SimpleNamespace

import pytest
from readme_commands import commands

ROOT = Path(__file__).parents[1]
CI = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
OURS = ("CIRCUITPYTHON_UF2", "RP2040_BOOTROM", "PYTEST", "COV")  # what another run of pytest is not to hear of


def searches() -> list[str]:
    """The modules that CI runs because this folder's README names them."""
    lines = []
    for command in commands((ROOT / "tests" / "README.md").read_text(encoding="utf-8")):
        named = re.fullmatch(r"python -m (\S+)( --\S+( \w+)?)+ +# \d+", command)
        assert named, command
        lines.append(named[1])
    return lines


@pytest.mark.parametrize(
    ("args", "workers"),
    [
        (["tests"], (os.cpu_count() or 1) + 1),
        (["tests/core", "tests/pico/test_drive.py"], (os.cpu_count() or 1) + 1),
        (["tests/core/test_cards.py"], 0),
        (["tests/core/test_cards.py::test_a_card"], 0),
    ],
)
def test_a_folder_has_a_process_more_than_there_are_cores_and_a_file_none(
    args: list[str], workers: int, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    config = SimpleNamespace(args=args)
    assert request.config.hook.pytest_xdist_auto_num_workers(config=config) == workers


def test_every_folder_is_in_the_readmes_run_or_a_command_of_ci() -> None:
    pyproject = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    paths = {ROOT / path for path in pyproject["tool"]["pytest"]["ini_options"]["testpaths"]}
    folders = {path.parent for path in (ROOT / "tests").glob("*/test_*.py")} | {*(ROOT / "tests").glob("test_*.py")}
    assert folders - paths == {ROOT / "tests" / "browser"}
    assert paths <= folders
    assert "python -m pytest -q tests/browser\n" in CI


@pytest.mark.unmeasured
def test_what_did_not_run_is_listed_with_what_is_missing() -> None:
    environment = {name: value for name, value in os.environ.items() if not name.startswith(OURS)}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "tests/pico/test_erase.py", "tests/pico/test_drive.py"],
        cwd=ROOT,
        env={**environment, "CI": "true"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    _, listed = done.stdout.split(" NOT RUN ")
    assert "\ntests/pico, 5 tests: CIRCUITPYTHON_UF2 is not set: it names " in listed


def test_every_search_is_a_command_that_ci_types() -> None:
    assert "python tests/readme_commands.py tests/README.md all" in CI
    named = searches()
    assert len(named) == len(set(named))
    typed = {name for name in re.findall(r"python -m ([a-z]\w*\.\w+)", CI) if name.startswith("faults.")}
    programs = {
        f"faults.{path.stem}"
        for path in (ROOT / "tests" / "faults").glob("*.py")
        if 'if __name__ == "__main__":' in path.read_text(encoding="utf-8")
    }
    assert {*named} - {
        "browser.evenings",
        "computer.duel",
        "computer.endings",
        "league.plans",
        "referee.oracle",
    } == programs - typed - {
        "faults.away",  # whose tests run all that it measures
        "faults.mutants",  # which takes hours
    }
