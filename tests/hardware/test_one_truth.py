"""One description, one board: settings, terminal, picture, the kiosk's page, drawings and wiring agree with it."""

from __future__ import annotations

import io
import sys
from collections.abc import Sequence
from pathlib import Path
from xml.etree import ElementTree

import ezdxf
import pytest
from rich.console import Console

from cribboard.hardware.circuit import circuit
from cribboard.hardware.controllers import load
from cribboard.hardware.description import Description, read
from cribboard.hardware.drawing import drawing
from cribboard.hardware.laser import dxf
from cribboard.hardware.settings import settings_toml
from cribboard.hardware.shape import Layout, Point
from cribboard.hardware.svg import svg
from cribboard.sim import picture
from cribboard.sim.board import VirtualBoard
from cribboard.sim.described import keep, layout_of
from cribboard.web.api_tables import entry, layout_at
from cribboard_fw.settings import Settings
from hardware.boards import HARDWARE

TRAVEL = (HARDWARE / "boards" / "travel.toml").read_text(encoding="utf-8")
OVAL = (HARDWARE / "boards" / "oval.toml").read_text(encoding="utf-8")
STREETS = (HARDWARE / "board.toml").read_text(encoding="utf-8")
TEXTS = {
    "streets": STREETS,
    "29": (HARDWARE / "boards" / "twenty-nine.toml").read_text(encoding="utf-8"),
    "buttons on both edges": (HARDWARE / "boards" / "three-tracks.toml").read_text(encoding="utf-8"),
    "oval": OVAL,
    "travel": TRAVEL,
    "three tracks of single pixels": STREETS.replace("count = 2", "count = 3")
    .replace('["GP2", "GP3"]', '["GP2", "GP3", "GP4"]')
    .replace('strip = "144/m"', 'strip = "5mm"\npitch_mm = 12')
    .replace("streets = 3", "streets = 4")
    .replace("apart_mm = 45", "apart_mm = 70")
    .replace("limit_ma = 450", "limit_ma = 700")
    .replace("current_a = 0.5", "current_a = 1.5")
    .replace("top left", "bottom right"),
}
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(params=TEXTS)
def text(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("CRIBBOARD_HOME", str(tmp_path))
    return TEXTS[request.param]


@pytest.fixture
def described(text: str) -> Description:
    return read(text)


@pytest.fixture
def settings(described: Description) -> Settings:
    return Settings(settings_toml(described))


@pytest.fixture
def holes(described: Description) -> list[Point]:
    """Where the lights are, track by track, from the description's own layout."""
    layout = Layout(described)
    return [point for track in range(described.tracks.count) for point in layout.holes(track)]


@pytest.fixture
def virtual(text: str, described: Description) -> VirtualBoard:
    keep("mine", text)
    board = VirtualBoard(name="mine")
    (board.folder / "settings.toml").write_text(settings_toml(described), encoding="utf-8")
    return board


def near(there: Sequence[Point], holes: list[Point]) -> None:
    for place, hole in zip(there, holes, strict=True):
        assert place == pytest.approx(hole, abs=0.011)


def test_the_machines_drill_there(described: Description, holes: list[Point]) -> None:
    layout = Layout(described)
    circles = ezdxf.read(io.StringIO(dxf(drawing(layout)))).modelspace().query('CIRCLE[layer=="HOLES"]')
    near([(circle.dxf.center.x, circle.dxf.center.y) for circle in circles], holes)
    root = ElementTree.fromstring(svg(drawing(layout), layout.size, "x"))
    [group] = [group for group in root.iter(f"{SVG}g") if group.attrib["id"] == "HOLES"]
    near([(float(hole.attrib["cx"]), layout.size[1] - float(hole.attrib["cy"])) for hole in group], holes)


def test_the_kiosks_page_shows_them_there(settings: Settings, virtual: VirtualBoard, holes: list[Point]) -> None:
    page = entry(layout_at("sim:mine", (), len(settings.strip_pins), settings.leds))
    near([(x, page["size"][1] - y) for track in page["tracks"] for x, y, _ in track], holes)


def test_a_boards_page_shows_what_the_house_has_described(settings: Settings, text: str, holes: list[Point]) -> None:
    given = [read(other) for other in TEXTS.values() if other != text and read(other).tracks != read(text).tracks]
    page = entry(layout_at("E6614C311B7F6F2E", [read(text), *given], len(settings.strip_pins), settings.leds))
    near([(x, page["size"][1] - y) for track in page["tracks"] for x, y, _ in track], holes)


def test_the_picture_lights_them_there(settings: Settings, virtual: VirtualBoard, holes: list[Point]) -> None:
    layout = layout_of(virtual, settings)
    scale = picture.PITCH / layout.description.shape.pitch_mm
    above = layout.far_panel_mm and layout.far_panel_mm + layout.description.shape.margin_mm / 2  # buttons
    top = layout.size[1] - above
    dark = [[(0, 0, 0)] * settings.leds for _ in settings.strip_pins]
    circles = ElementTree.fromstring(picture.svg(dark, 30, "x", layout)).iter(f"{SVG}circle")
    for circle, (x, y) in zip(circles, holes, strict=True):
        at = float(circle.attrib["cx"]), float(circle.attrib["cy"])
        assert at == pytest.approx((x * scale, (top - y) * scale), abs=0.06)


@pytest.mark.skipif(sys.platform == "win32", reason="a terminal that draws is one of Linux or macOS")
def test_the_terminal_has_its_tracks_and_streets(virtual: VirtualBoard, described: Description) -> None:
    from cribboard.sim.terminal import Terminal

    terminal = Terminal(virtual, lines=lambda _: [], console=Console(color_system="truecolor"))
    try:
        lines = [line.plain for line in terminal.picture(180, 60) if "\u00b7" in line.plain]
    finally:
        terminal.close()
    assert sum(line.count("\u00b7") for line in lines) == described.pixels
    street = len(Layout(described).streets[0])
    if described.shape.kind == "streets":
        assert [int(line.split()[0]) for line in lines[: described.shape.streets]] == list(
            range(1, described.tracks.leds - 1, street)
        )


def test_every_pin_of_the_settings_has_its_wire(settings: Settings, described: Description) -> None:
    wires = circuit(described, load(described.controller)).wires
    wired = [pin for wire in wires for part, pin in (wire.start, wire.end) if part == "A1" and pin.startswith("GP")]
    named = [*settings.strip_pins, *(pin for pins in settings.buttons for pin in pins or ())]
    named += [pin for pin in (settings.undo_pin, settings.deal_pin, settings.piezo_pin) if pin]
    assert sorted(wired) == sorted(named)
