"""The virtual board is drawn as its description has it."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner
from rich.console import Console

from cribboard.cli.main import cli
from cribboard.hardware.shape import Layout
from cribboard.sim.board import VirtualBoard
from cribboard.sim.described import alike, keep, layout_of
from cribboard.sim.draw import DrawOptions
from cribboard.sim.picture import PITCH, svg
from cribboard.sim.terminal import Terminal
from cribboard_fw.settings import Settings
from hardware.boards import HARDWARE, ready

SHIPPED = (HARDWARE.parent / "firmware" / "settings.toml").read_text(encoding="utf-8")
OVAL = (HARDWARE / "boards" / "oval.toml").read_text(encoding="utf-8")


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CRIBBOARD_HOME", str(tmp_path))


def test_without_a_description_it_is_the_ready_one_with_as_many_leds() -> None:
    assert layout_of(VirtualBoard(), Settings(SHIPPED)) == Layout(ready())
    small = Settings(SHIPPED.replace("LEDS_PER_TRACK = 121", "LEDS_PER_TRACK = 61"))
    assert layout_of(VirtualBoard(), small) == Layout(ready("boards/travel.toml"))


def test_its_own_description_is_kept_beside_its_settings() -> None:
    keep("mine", OVAL)
    assert layout_of(VirtualBoard(name="mine"), Settings(SHIPPED)) == Layout(ready("boards/oval.toml"))


@pytest.mark.parametrize(
    "text", [OVAL.replace('["GP2", "GP3"]', '["GP2"]').replace("count = 2", "count = 1"), "bad = "]
)
def test_a_description_that_does_not_fit_the_settings_is_passed_over(text: str) -> None:
    keep("mine", text)
    assert layout_of(VirtualBoard(name="mine"), Settings(SHIPPED)) == Layout(ready())


@pytest.mark.parametrize("tracks", [1, 2, 3, 4])
@pytest.mark.parametrize("leds", [61, 121])
def test_any_number_of_tracks_has_room(tracks: int, leds: int) -> None:
    layout = Layout(alike(tracks, leds))
    assert layout.description.pixels == tracks * leds
    assert layout.description.shape.apart_mm > 2 * layout.half_mm


def test_the_lights_of_the_picture_are_where_the_drill_goes() -> None:
    layout = Layout(ready("boards/oval.toml"))
    text = svg([[(0, 0, 0)] * 121] * 2, 30, "an oval", layout)
    circles = list(ElementTree.fromstring(text).iter("{http://www.w3.org/2000/svg}circle"))
    wanted = [point for track in (0, 1) for point in layout.holes(track)]
    for circle, (x, y) in zip(circles, wanted, strict=True):
        at = float(circle.attrib["cx"]), float(circle.attrib["cy"])
        assert at == pytest.approx((x * PITCH / 10, (layout.size[1] - y) * PITCH / 10), abs=0.06)


def test_a_described_board_can_be_run_and_pictured(tmp_path: Path) -> None:
    words = ["--board", str(HARDWARE / "boards" / "oval.toml"), "--picture", str(tmp_path / "oval.svg")]
    result = CliRunner().invoke(cli, ["sim", "--name", "oval", *words], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    root = ElementTree.fromstring((tmp_path / "oval.svg").read_text(encoding="utf-8"))
    wide = Layout(ready("boards/oval.toml")).size[0] * PITCH / 10
    assert float(root.attrib["viewBox"].split()[2]) == pytest.approx(wide, abs=0.1)
    settings = (tmp_path / "sim" / "oval" / "settings.toml").read_text(encoding="utf-8")
    assert 'PIEZO_PIN = "GP14"\n' in settings


def test_the_terminal_draws_the_streets_of_the_board(tmp_path: Path) -> None:
    board = VirtualBoard(tmp_path / "drive")
    (board.folder / "settings.toml").write_text(SHIPPED, encoding="utf-8")
    terminal = Terminal(board, lines=lambda _: [], console=Console(color_system="truecolor"))
    try:
        labels = [line.plain.split()[0] for line in terminal.picture(120, 40) if "\u00b7" in line.plain]
    finally:
        terminal.close()
    assert labels == 2 * ["1", "41", "81"]


@pytest.mark.parametrize(("width", "height"), [(40, 18), (80, 10), (30, 12)])
def test_a_small_terminal_says_in_full_how_many_lines_it_lacks(tmp_path: Path, width: int, height: int) -> None:
    board = VirtualBoard(tmp_path / "drive")
    (board.folder / "settings.toml").write_text(SHIPPED, encoding="utf-8")
    terminal = Terminal(board, lines=lambda _: [], console=Console(color_system="truecolor"))
    try:
        lines = [line.plain.strip() for line in terminal.picture(width, height)]
        match = re.search("make the window ([0-9]+) lines? taller to see all lights", " ".join(lines))
        assert match
        assert max(len(line) for line in lines) < width
        assert len(lines) == height
        tall = [line.plain for line in terminal.picture(width, height + int(match[1]))]
        assert not any("taller" in line for line in tall)
        assert any("taller" in line.plain for line in terminal.picture(width, height + int(match[1]) - 1))
    finally:
        terminal.close()


def test_a_wide_terminal_has_the_streets_of_the_board() -> None:
    assert DrawOptions(False, 30, 120, 30, street=40).shape(2, 121) == (40, 2)
    assert DrawOptions(False, 30, 80, 30, street=40).shape(2, 121) == (30, 2)
    assert DrawOptions(False, 30, 120, 30, street=120).shape(2, 121) == (30, 2)
