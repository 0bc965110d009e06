"""The STEP files, read back by another program: whole, named, and as large as the drawing."""

from __future__ import annotations

import io
import math
import re
from functools import cache
from types import SimpleNamespace
from typing import Any, cast

import cascadio
import numpy as np
import pytest
import trimesh
from manifold3d import CrossSection, Manifold, Mesh

from cribboard.hardware.brep import breps, cross
from cribboard.hardware.case import OVERHANG_MM, ROUND, Case, Plate
from cribboard.hardware.drawing import Box, Circle, drawing
from cribboard.hardware.model import Solid, solids
from cribboard.hardware.printing import cut_area
from cribboard.hardware.shape import Layout
from cribboard.hardware.step import files, step
from hardware.boards import ready

COLOUR = (200, 100, 50, 255)
SMALL = "boards/travel.toml"


def read(contents: bytes, turn: float = 0.15) -> dict[str, Any]:
    """The parts by their names, each as a mesh in millimetres whose facets turn by so much where the file is round."""
    glb = cascadio.load(contents, file_type="step", tol_linear=0.05, tol_angular=turn, use_parallel=False)
    scene = trimesh.load_scene(io.BytesIO(glb), file_type="glb")
    parts = {}
    for name in scene.graph.nodes_geometry:
        where, geometry = scene.graph[name]
        mesh = scene.geometry[geometry].copy()
        mesh.apply_transform(where)
        mesh.apply_scale(1000)
        mesh.merge_vertices()
        parts[name] = mesh
    return parts


def one(shape: Manifold) -> Any:
    [mesh] = read(step("part", [Solid("part", 0, COLOUR, shape)])).values()
    assert mesh.is_watertight
    return mesh


def area(plate: Plate) -> float:
    """What is left of the sheet, by the drawing's true circles."""
    facets = cut_area([piece for piece in plate.pieces if isinstance(piece, Box) or piece.layer == "OUTLINE"]).area()
    for piece in plate.pieces:
        if isinstance(piece, Box):  # its rounded corners
            facets = piece.width * piece.height - (4 - math.pi) * piece.corner**2
    cuts = [piece for piece in plate.pieces if piece.layer not in ("OUTLINE", "TEXT")]
    round_ones = [math.pi * piece.radius**2 for piece in cuts if isinstance(piece, Circle)]
    others = [abs(CrossSection([piece.points[:-1]]).area()) for piece in cuts if not isinstance(piece, Circle)]
    if plate.name.startswith("corner"):  # its outline has a quarter circle in strokes
        radius = max(0.0, case().layout.description.shape.corner_mm - OVERHANG_MM)
        facets += radius**2 * (math.pi / 4 - ROUND / 2 * math.sin(math.pi / 2 / ROUND))
    return facets - sum(round_ones) - sum(others)


@cache
def case() -> Case:
    return Case(Layout(ready(SMALL)))


@cache
def made() -> dict[str, bytes]:
    return files("A <board>, 'small' ü", case())


def test_the_plates_are_as_large_as_the_drawing() -> None:
    for plate in case().plates():
        [mesh] = read(made()[f"case-{plate.name}-cut-{plate.count}.step"]).values()
        assert mesh.is_watertight, plate.name
        assert mesh.volume == pytest.approx(area(plate) * case().thick, rel=1e-3), plate.name
        assert mesh.extents == pytest.approx([*plate.size, case().thick], abs=1e-3)


def test_the_whole_has_every_part_under_its_name_where_it_belongs() -> None:
    meshes, wanted = read(made()["board.step"], 0.3), solids(case())
    assert {*meshes} == {part.name for part in wanted}
    for part in wanted:
        mesh, box = meshes[part.name], part.shape.bounding_box()
        assert mesh.is_watertight, part.name
        assert mesh.bounds.ravel() == pytest.approx(box, abs=0.05), part.name  # circles are a little larger than facets
        assert mesh.volume == pytest.approx(part.shape.volume(), rel=0.015), part.name
        corners, triangles = mesh.vertices.astype("float32"), mesh.faces.astype("uint32")
        bodies = Manifold(Mesh(corners, triangles)).decompose()
        assert len(bodies) == len(part.shape.decompose()), part.name


def test_every_round_hole_is_one_cylinder_of_its_radius() -> None:
    layout = case().layout
    solid = cut_area(drawing(layout)).extrude(3)
    [face] = breps(solid)
    holes = [round(each.radius, 4) for each in face.faces if each.hollow]
    drawn = [piece.radius for piece in drawing(layout) if isinstance(piece, Circle) and piece.layer != "START"]
    assert sorted(holes) == pytest.approx(sorted(drawn), abs=1e-3)
    text = step("face", [Solid("face", 0, COLOUR, solid)]).decode()
    assert len(re.findall(r"=ADVANCED_FACE\(.*,\.F\.\);", text)) == len(holes), "the solid is around a hole"
    corners = [each.radius for each in face.faces if each.radius and not each.hollow]
    assert corners == pytest.approx([layout.description.shape.corner_mm] * 4, abs=1e-3)


def test_solids_that_are_no_plates_are_whole_too() -> None:
    cube, rod = Manifold.cube((20, 20, 10)), Manifold.cylinder(30, 4, circular_segments=32)
    half = rod.translate((20, 10, -5))
    for shape, volume in (
        (rod, math.pi * 16 * 30),
        (cube - half, 4000 - math.pi * 16 * 10 / 2),  # a round notch in a side
        (cube + half, 4000 + math.pi * 16 * (30 - 10 / 2)),
        ((cube - half).rotate((20, 30, 40)).translate((5, 6, 7)), 4000 - math.pi * 16 * 10 / 2),
        (cube - Manifold.cylinder(4, 3, circular_segments=48).translate((10, 10, 8)), 4000 - math.pi * 9 * 2),
        (Manifold.cylinder(5, 6, 3, 24), Manifold.cylinder(5, 6, 3, 24).volume()),  # a cone keeps its facets
        (Manifold.cylinder(5, 6, circular_segments=6), Manifold.cylinder(5, 6, circular_segments=6).volume()),
    ):
        assert one(shape).volume == pytest.approx(volume, rel=2e-3)


def test_facets_that_are_no_rectangles_are_no_cylinders() -> None:
    rod = Manifold.cylinder(30, 4, circular_segments=32)
    leaning = rod.transform([[1, 0, 0.3, 0], [0, 1, 0, 0], [0, 0, 1, 0]])
    for shape in (rod.trim_by_plane((1, 0, 4), 5), leaning):  # they have right angles; they have parallel sides
        [body] = breps(shape)
        assert not any(face.radius for face in body.faces)


class Split:
    """A cube whose mesh has a triangle that is only a line, as unions leave them."""

    def decompose(self) -> list[Split]:
        return [self]

    def to_mesh64(self) -> Any:
        mesh = Manifold.cube((4, 4, 4)).to_mesh64()
        corners, [(a, b, c), *others] = [*map(list, mesh.vert_properties)], [*map(list, mesh.tri_verts)]
        middle = [(corners[a][axis] + corners[b][axis]) / 2 for axis in range(3)]
        split = [(a, len(corners), c), (len(corners), b, c), (a, b, len(corners)), *others]
        return SimpleNamespace(vert_properties=[*corners, middle], tri_verts=split)


def test_a_triangle_that_is_a_line_is_no_face() -> None:
    [cube] = breps(cast(Manifold, Split()))
    assert [len(face.loops[0]) for face in cube.faces] == [4] * 6
    assert all(math.hypot(*face.axis) == pytest.approx(1) for face in cube.faces)


def test_a_file_names_each_product_and_has_nothing_but_ascii_that_a_reader_takes() -> None:
    text = made()["board.step"].decode("ascii")
    assert text.startswith("ISO-10303-21;") and text.endswith("END-ISO-10303-21;\n")
    assert "PRODUCT('A <board>, ''small'' '" in text
    numbers = re.findall(r"^#(\d+)=", text, re.MULTILINE)
    assert [*map(int, numbers)] == [*range(1, len(numbers) + 1)]
    assert all(int(used) <= len(numbers) for used in re.findall(r"#(\d+)", text))
    [part] = [part for part in solids(case()) if part.name == "walls"]
    assert step("walls", [part]) == step("walls", [part])


def test_every_direction_is_one_long_and_every_plane_has_two_at_right_angles() -> None:
    notched = Manifold.cube((20, 20, 10)) - Manifold.cylinder(30, 4).translate((20, 10, -5))
    text = step("part", [Solid("part", 0, COLOUR, notched.rotate((20, 30, 40)))]).decode("ascii")
    directions = {
        number: [*map(float, at.split(","))] for number, at in re.findall(r"(#\d+)=DIRECTION\('',\((.*)\)\)", text)
    }
    assert {round(math.hypot(*each), 5) for each in directions.values()} == {1}
    places = dict(re.findall(r"(#\d+)=AXIS2_PLACEMENT_3D\('',#\d+,(#\d+,#\d+)\)", text))
    planes = [places[place].split(",") for place in re.findall(r"=PLANE\('',(#\d+)\)", text)]
    assert planes and max(abs(np.dot(directions[one], directions[other])) for one, other in planes) < 1e-5


def test_a_cross_product_is_numpys() -> None:
    one, other = np.array([1.5, -2, 3]), np.array([-4, 5, 0.25])
    assert cross(one, other) == pytest.approx(np.cross(one, other))


def test_a_faces_outer_border_is_its_first() -> None:
    holes = [Manifold.cube((2, 2, 9)).translate(at) for at in ((3, 3, -1), (8, 8, -1), (14, 3, -1))]
    for turned in range(4):
        [plate] = breps((Manifold.cube((20, 20, 4)) - Manifold.compose(holes)).rotate((0, 0, 90 * turned)))
        around = [[np.ptp(plate.corners[[edge.start for edge in loop]]) for loop in face.loops] for face in plate.faces]
        assert sorted(map(len, around)) == [1] * 16 + [4] * 2
        assert all(sides[0] == max(sides) for sides in around)
