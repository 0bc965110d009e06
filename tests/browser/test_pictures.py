"""The landlord's pictures are made by one command, and what it lacks it says in words."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from browser import chromium, pictures

TESTS = Path(__file__).parents[1]
COMMAND = (sys.executable, "-m", "browser.pictures")
WITHOUT_PLAYWRIGHT = """
import runpy, sys
sys.modules["playwright"] = None
runpy.run_module("browser.pictures", run_name="__main__")
"""


def run(*command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    given = {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE")}
    return subprocess.run(command, cwd=TESTS, env={**given, **environment}, capture_output=True, text=True, timeout=240)


@pytest.mark.usefixtures("a_browser")
@pytest.mark.long
def test_every_page_is_in_a_picture(tmp_path: Path) -> None:
    done = run(*COMMAND, str(tmp_path / "pictures"))
    assert done.returncode == 0, done.stderr
    made = [Path(line) for line in done.stdout.splitlines()]
    assert {"screen", "screen-win", "phone-hand", "history", "staff"} <= {path.stem for path in made}
    assert all(path.read_bytes().startswith(b"\x89PNG") for path in made)


def test_without_playwright_it_says_how_to_install_it(tmp_path: Path) -> None:
    done = run(sys.executable, "-c", WITHOUT_PLAYWRIGHT, str(tmp_path))
    assert (done.returncode, done.stderr) == (
        1,
        "playwright is not installed; in the project's folder: pip install -e '.[test]'\n",
    )


def test_without_a_browser_or_a_folder_it_says_so(tmp_path: Path) -> None:
    assert run(*COMMAND).stderr == "say in which folder: python -m browser.pictures FOLDER\n"
    pytest.importorskip("playwright")
    done = run(*COMMAND, str(tmp_path), PATH=str(tmp_path))
    assert (done.returncode, done.stderr) == (1, "there is no chromium; apt install chromium-headless-shell\n")


@pytest.mark.usefixtures("a_browser")
def test_the_checker_of_accessibility_is_not_wanted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    honest = chromium.shutil.which
    monkeypatch.setattr(chromium, "AXE", tmp_path / "none")
    monkeypatch.setattr(chromium.shutil, "which", lambda name: None if name == "npm" else honest(name))
    assert "there is no npm" in chromium.lacking()
    assert pictures.no_browser() == ""
