"""The README shows nothing that does not work."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from readme_commands import commands, setup_commands, use_commands

from cribboard.referee.answers import LETTERS
from cribboard.referee.options import table

ROOT = Path(__file__).parents[2]
PAGES = [
    ROOT / "README.md",
    *sorted(path for room in ("firmware", "hardware", "host") for path in ROOT.glob(f"{room}/**/*.md")),
]
WIDTH = 140  # columns of a line of prose; CONTRIBUTING.md says so
MOST_MOVING = 300_000  # bytes of a picture on the first screen
README = (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.unmeasured
def test_every_command_of_the_readme_works(tmp_path):
    script = Path(sys.executable).with_name("cribboard")
    environment = {**os.environ, "PATH": f"{script.parent}:/usr/bin:/bin", "CRIBBOARD_HOME": str(tmp_path / "home")}
    for command in use_commands(README):
        done = subprocess.run(
            command, shell=True, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=60, check=False
        )
        assert done.returncode == 0, f"{command}: {done.stderr}"
        assert done.stdout or (tmp_path / "board.svg").exists(), command
    for name in ("board.svg", "game.svg"):
        assert (tmp_path / name).read_bytes() == (ROOT / "hardware" / name).read_bytes()
    assert (tmp_path / "game.svg").stat().st_size < MOST_MOVING


def test_the_setup_commands_are_those_that_ci_types_into_a_clone():
    assert len(setup_commands(README)) == 2
    assert "readme_commands.py README.md setup" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")


def test_every_command_is_of_a_kind_that_is_tried():
    rest = [line for line in commands(README) if line not in setup_commands(README) + use_commands(README)]
    assert rest == [". .venv/bin/activate"]


def test_every_file_that_the_readmes_link_to_is_there():
    for readme in (ROOT / "README.md", *sorted(ROOT.glob("*ware/*.md")), *sorted(ROOT.glob("host/*.md"))):
        for target in re.findall(r"\]\(([^)#:]+)\)", readme.read_text(encoding="utf-8")):
            assert (readme.parent / target).exists(), f"{readme.name} links to {target}"


def test_the_options_and_letters_of_the_referee_are_all_told():
    text = (ROOT / "host" / "README.md").read_text(encoding="utf-8")
    for name, default, allowed, says in table():
        assert f"| `{name}` | {default} | {allowed} | {says} |" in text
    for letter in LETTERS:
        assert f"| `{letter}` | " in text


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_no_line_of_prose_is_wider_than_the_others(page):
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    prose = [line for line in text.splitlines() if not line.startswith(("|", "    ", "!["))]
    assert [line for line in prose if len(line) > WIDTH] == []
