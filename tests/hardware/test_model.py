"""The board as solids: its parts fit into each other, and the file and its page have them all."""

from __future__ import annotations

import io
import re
from html import escape

import pytest
import trimesh
from hardware.held import through
from manifold3d import CrossSection, Manifold

from cribboard.hardware.case import OVERHANG_MM, Case
from cribboard.hardware.drawing import Circle
from cribboard.hardware.light_sheet import light_sheet, paper
from cribboard.hardware.model import Solid, glb, page, solids
from cribboard.hardware.printing import cut_area
from cribboard.hardware.shape import Layout
from hardware.boards import LARGE, ready

CASED = ("board.toml", LARGE, "boards/three-tracks.toml", "boards/twenty-nine.toml")  # a face of each kind


def case(name: str = "board.toml") -> Case:
    return Case(Layout(ready(name)))


@pytest.fixture(scope="module")
def default() -> list[Solid]:
    """The default board's solids, which take seconds."""
    return solids(case())


@pytest.mark.parametrize("name", CASED)
def test_no_part_of_a_board_is_where_another_one_is(name: str) -> None:
    made = case(name)
    parts = solids(made)
    assert through(parts) == []
    width, depth = made.layout.size
    sheet = made.thick + made.depth
    by_name = {part.name: part.shape.bounding_box() for part in parts}
    assert by_name["back"] == pytest.approx((0, 0, 0, width, depth, made.thick))
    assert by_name["light sheet"] == pytest.approx((0, 0, sheet, width, depth, sheet + made.thick))
    top = "face" if made.layout.description.shape.face_mm else "cover"
    assert by_name[top][5] == pytest.approx(sheet + made.thick + made.stack.front)
    within = [OVERHANG_MM, OVERHANG_MM, width - OVERHANG_MM, depth - OVERHANG_MM]
    for part in ("walls", "corners"):
        left, front, _, right, back, _ = by_name[part]
        assert [left, front, right, back] == pytest.approx(within), "inside of the edge, off which drops fall"
    assert by_name["walls"][2::3] == pytest.approx((0, sheet))  # its tabs are in the back
    assert by_name["light guides"][5] == pytest.approx(sheet, abs=0.01), "no gap above the guides"
    assert ("jack" in by_name) is not made.layout.description.on_usb
    if "jack" in by_name:
        *_, opening = next(plate.pieces for plate in made.plates() if plate.name == "wall-far")
        left, _, low, right, far, _ = by_name["jack"]
        assert [left, right] == pytest.approx([opening.points[0][0] + made.corner, opening.points[1][0] + made.corner])
        assert [low, far] == pytest.approx([made.thick, depth - OVERHANG_MM - made.thick]), "on the back, at its wall"


def test_a_printed_page_goes_up_to_the_buttons_and_paper_below_a_face_keeps_clear_of_their_nuts() -> None:
    for name in CASED[:2]:
        layout = Layout(ready(name))
        printed, wide = not layout.description.shape.face_mm, layout.description.buttons.diameter_mm / 2
        sheet = cut_area(paper(layout))
        for button in layout.buttons:
            ring = CrossSection.circle(wide + 3, 48) - CrossSection.circle(wide + 0.5, 48)
            there = ring.translate((button.x, button.y))
            assert (there ^ sheet).area() == pytest.approx(there.area() if printed else 0.0, abs=0.01)


def test_a_part_in_the_way_is_noticed(default: list[Solid]) -> None:
    by_name = {part.name: part for part in default}
    guides = by_name["light guides"]
    high = Solid("light guides", 1, guides.colour, guides.shape.translate((0, 0, 2)))
    assert through([high, by_name["light sheet"]]) == [("light guides", "light sheet")]


def test_every_hole_is_over_its_cell_of_the_light_guide(default: list[Solid]) -> None:
    made = case()
    by_name = {part.name: part.shape for part in default}
    pins = Manifold.compose(
        [
            Manifold.cylinder(60, 0.5, -1, 8).translate((x, y, 0))
            for track in range(2)
            for x, y in made.layout.holes(track)
        ]
    )
    for name in ("face", "light sheet", "light guides", "walls", "corners"):
        assert (by_name[name] ^ pins).volume() < 0.01, name


def test_every_countersink_is_as_wide_as_its_ring_in_the_drawing(default: list[Solid]) -> None:
    [sheet] = [part.shape for part in default if part.name == "light sheet"]
    top = sheet.slice(sheet.bounding_box()[5] - 0.001)
    rings = [piece for piece in light_sheet(case().layout) if isinstance(piece, Circle) and piece.layer == "TEXT"]
    assert len(rings) == 12 + 4
    for ring in rings:
        within, around = (CrossSection.circle(ring.radius + more, 48) for more in (-0.05, 0.05))
        assert (within.translate((ring.x, ring.y)) ^ top).area() == 0
        assert (around.translate((ring.x, ring.y)) ^ top).area() > 0


def test_every_button_covers_its_cut_out_in_the_face(default: list[Solid]) -> None:
    made = case()
    top = 2 * made.thick + made.depth + made.stack.front
    caps = [part.shape for part in default if part.name.startswith("buttons")]
    radius = made.layout.description.buttons.diameter_mm / 2
    for button in made.layout.buttons:
        plug = Manifold.cylinder(1, radius).translate((button.x, button.y, top))
        assert any((cap ^ plug).volume() == pytest.approx(plug.volume()) for cap in caps), button


@pytest.mark.parametrize("name", ["board.toml", "boards/oval.toml"])
def test_the_file_has_every_part_whole_under_its_name_in_metres(name: str) -> None:
    parts = solids(case(name))
    read = trimesh.load_scene(io.BytesIO(glb(parts)), file_type="glb")
    assert {*read.graph.nodes_geometry} == {part.name for part in parts}
    for part in parts:
        mesh = read.geometry[part.name]
        assert mesh.is_watertight, part.name
        assert mesh.volume * 1e9 == pytest.approx(part.shape.volume(), rel=1e-3)
    [shape] = [part.shape for part in parts if part.name == "back"]
    left, front, low, right, back, high = shape.bounding_box()
    assert read.geometry["back"].extents == pytest.approx(
        [(right - left) / 1000, (high - low) / 1000, (back - front) / 1000]
    )


def test_the_page_needs_no_other_file_and_says_what_it_shows(default: list[Solid]) -> None:
    made = case()
    parts = default
    text = page("A <board> & more", made, parts)
    assert "A &lt;board&gt; &amp; more" in text
    assert "{{" not in text
    bounds = {part.name: part.shape.bounding_box() for part in parts}
    wide, deep, high = bounds["face"][3:]  # from the corner of the back, at 0, 0, 0
    assert f"The whole is {wide:.0f} mm wide, {deep:.0f} mm deep and {high:.0f} mm high" in text
    assert not re.search(r'(src|href)="|url\(|https?:|import ', text)
    for part in parts:
        assert f"<li>{escape(part.name.capitalize())}: " in text
