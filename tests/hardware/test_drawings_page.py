"""hardware/drawings.md shows nothing that does not work, and the guide has the true sizes."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner
from readme_commands import commands, use_commands

from cribboard.cli.main import cli
from cribboard.hardware.drawing import LAYERS
from cribboard.hardware.light import brightness
from cribboard.hardware.shape import Layout
from hardware.boards import HARDWARE, READY, ready

PAGE = (HARDWARE / "drawings.md").read_text(encoding="utf-8")
DAYLIGHT_LUX = 10_000
GUIDE = (HARDWARE / "README.md").read_text(encoding="utf-8")


def test_every_command_of_the_page_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for folder in ("hardware", "firmware"):
        (tmp_path / folder).symlink_to(HARDWARE.parent / folder)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CRIBBOARD_HOME", str(tmp_path / "home"))
    for command in use_commands(PAGE):
        result = CliRunner().invoke(cli, shlex.split(command)[1:], prog_name="cribboard", catch_exceptions=False)
        assert result.exit_code == 0, f"{command}: {result.output}"
    made = {path.name for path in (tmp_path / "made").iterdir()}
    assert {"face.dxf", "light-sheet.svg", "template-a4.pdf", "card-a4.pdf", "oval.svg"} < made
    assert [line for line in commands(PAGE) if line not in use_commands(PAGE)] == ["pip install -e '.[hardware]'"]


@pytest.mark.parametrize("name", READY)
def test_the_sizes_and_layers_are_as_told(name: str) -> None:
    [width, height] = re.findall(rf"\({name}\).*?\| (\d+) \u00d7 (\d+) mm", GUIDE)[0]
    assert (round(Layout(ready(name)).size[0]), round(Layout(ready(name)).size[1])) == (int(width), int(height))
    assert all(f"| `{layer}` |" in PAGE for layer in LAYERS)


@pytest.mark.parametrize("name", READY)
def test_the_room_in_which_each_board_is_seen_is_as_told(name: str) -> None:
    [row] = [line for line in GUIDE.splitlines() if line.startswith("|") and f"({name})" in line]
    lux = brightness(Layout(ready(name))).well_seen_lux
    assert f"| {lux} lux |" in row if lux < DAYLIGHT_LUX else "| daylight |" in row
    assert "(computed, not measured) a back peg is twice as bright as a dark hole" in " ".join(GUIDE.split())


def test_every_file_that_it_links_to_is_there() -> None:
    for target in re.findall(r"\]\(([^)#:]+)\)", PAGE):
        assert (HARDWARE / target).exists(), target
