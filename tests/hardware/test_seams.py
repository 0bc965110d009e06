"""A face that is larger than the bed comes in parts that fit it, with all of its holes and joints that meet."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest
from shapely import Polygon
from shapely.geometry import Point
from shapely.ops import unary_union

from cribboard.hardware.checks import mistakes
from cribboard.hardware.drawing import Box, Circle, Polyline, drawing, of_layer
from cribboard.hardware.laser import areas, beam, parts, size_of
from cribboard.hardware.seams import SEAM_WALL_MM, TAIL_MM, find, seams
from cribboard.hardware.shape import Layout, every_hole
from hardware.boards import LARGE, READY, changed, ready

SPLIT = [
    ("board.toml", "[400, 400]", "[300, 200]", 2),  # a K40 laser
    (LARGE, "[900, 600]", "[400, 400]", 2),
    (LARGE, "[900, 600]", "[300, 200]", 6),
    ("boards/oval.toml", "[900, 600]", "[400, 400]", 2),
    ("boards/three-tracks.toml", "[400, 400]", "[300, 200]", 3),
]


def board(of: str, old: str, new: str) -> Layout:
    return Layout(changed((old, new), of=of))


@pytest.mark.parametrize("of", READY)
def test_a_ready_board_is_cut_in_one(of: str) -> None:
    assert seams(Layout(ready(of))) == []


@pytest.mark.parametrize(("of", "old", "new", "count"), SPLIT)
def test_the_parts_fit_the_bed_and_make_the_face_again(of: str, old: str, new: str, count: int) -> None:
    layout = board(of, old, new)
    all_seams = seams(layout)
    assert all_seams
    bed = sorted(layout.description.shape.bed_mm)
    shapes = areas(drawing(layout), all_seams)
    assert len(shapes) == count
    for part in parts(drawing(layout), all_seams):
        assert all(side <= most for side, most in zip(sorted(size_of(part)), bed, strict=True))
    whole = unary_union(shapes)
    assert sum(shape.area for shape in shapes) == pytest.approx(whole.area, rel=1e-6)
    width, height = layout.size
    assert whole.buffer(0.1).contains(Point(width / 2, height / 2))
    corners = (4 - math.pi) * layout.description.shape.corner_mm**2
    assert whole.area == pytest.approx(width * height - corners, rel=1e-4)


@pytest.mark.parametrize(("of", "old", "new", "count"), SPLIT)
def test_no_seam_comes_near_a_hole_and_no_hole_is_lost(of: str, old: str, new: str, count: int) -> None:
    layout = board(of, old, new)
    all_seams = seams(layout)
    assert all_seams
    shapes = areas(drawing(layout), all_seams)
    for what, (x, y), diameter in every_hole(layout):
        hole = Point(x, y).buffer(diameter / 2)
        walls = [shape.exterior.distance(hole) for shape in shapes if shape.contains(hole)]
        assert walls and walls[0] >= SEAM_WALL_MM - 0.02, what
    drawn = [piece for part in parts(drawing(layout), all_seams) for piece in part]
    for layer in ("HOLES", "CUT_OUTS", "START"):
        circles = [piece for piece in of_layer(drawing(layout), layer) if isinstance(piece, Circle)]
        assert len([piece for piece in of_layer(drawn, layer) if isinstance(piece, Circle)]) == len(circles)


@pytest.mark.parametrize("at", [(46, 24), (48, 49), (52, 51), (54, 76)])
@pytest.mark.parametrize("bed", [(56, 120), (58, 120), (62, 120), (120, 58), (58, 58)])
def test_a_part_fits_with_its_dovetails_when_a_hole_moves_the_seam(
    at: tuple[float, float], bed: tuple[float, float]
) -> None:
    all_seams = find((100, 100), [(at, 4)], bed)
    assert all_seams
    for seam in all_seams:
        assert math.dist((seam.at,), (at[0] if seam.upright else at[1],)) >= 4 + SEAM_WALL_MM
    parts_of = []
    for upright in (True, False):
        cuts = sorted(seam.at for seam in all_seams if seam.upright is upright)
        parts_of.append(max(to - low + TAIL_MM * (to < 100) for low, to in pairwise([0, *cuts, 100])))
    assert all(side <= most for side, most in zip(sorted(parts_of), sorted(bed), strict=True))


def test_every_seam_has_tails_that_hold() -> None:
    all_seams = seams(board(*SPLIT[0][:3]))
    assert all_seams
    for seam in all_seams:
        assert len(seam.tails) >= 5
        shape = Polygon(seam.corners(seam.tails[0]))
        low, *_ = shape.bounds
        assert shape.bounds[2] - low == pytest.approx(TAIL_MM, abs=0.02)
        assert shape.intersection(Point(seam.at + TAIL_MM, seam.tails[0]).buffer(1)).area > 0


def test_what_cannot_be_cut_in_parts_is_refused_and_what_can_is_noted() -> None:
    [note] = mistakes(board("board.toml", "[400, 400]", "[300, 200]"))
    assert not note.wrong and "cut in 2 parts with dovetails" in note.said
    [wrong] = mistakes(board("board.toml", "[400, 400]", "[60, 60]"))
    assert wrong.wrong and "cannot be cut in parts that fit" in wrong.said


def test_the_beam_runs_outside_of_the_edge_and_inside_of_the_holes() -> None:
    layout = board("board.toml", "screw_mm = 3.2", "screw_mm = 3.2\nkerf_mm = 0.2")
    pieces = drawing(layout)
    assert beam(pieces, 0) == pieces
    moved = beam(pieces, layout.description.shape.kerf_mm)
    [edge] = of_layer(moved, "OUTLINE")
    assert isinstance(edge, Box)
    assert (edge.x, edge.width) == (-0.1, pytest.approx(layout.size[0] + 0.2))
    hole, before = of_layer(moved, "HOLES")[0], of_layer(pieces, "HOLES")[0]
    assert isinstance(hole, Circle) and isinstance(before, Circle)
    assert hole.radius == pytest.approx(before.radius - 0.1)
    assert of_layer(moved, "TEXT") == of_layer(pieces, "TEXT")
    square = Polyline("OUTLINE", ((0, 0), (10, 0), (10, 10), (0, 10), (0, 0)))
    [grown] = beam([square], 0.2)
    assert isinstance(grown, Polyline)
    assert Polygon(grown.points).area == pytest.approx(10.2**2)
