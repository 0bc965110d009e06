"""The 3MF of parts to print, read back by the library of those who made the format."""

from __future__ import annotations

import io
from typing import Any

import pytest
import trimesh

from cribboard.hardware import printing
from cribboard.hardware.case import Case
from cribboard.hardware.shape import Layout
from cribboard.hardware.three_mf import beside, three_mf
from hardware.boards import READY, ready

lib3mf = pytest.importorskip("lib3mf")  # which has no wheel for every machine


def read(contents: bytes) -> Any:
    """Its model, which the strict reader takes without a warning."""
    model = lib3mf.get_wrapper().CreateModel()
    reader = model.QueryReader("3mf")
    reader.SetStrictModeActive(True)
    reader.ReadFromBuffer(contents)
    assert reader.GetWarningCount() == 0
    assert model.GetUnit() == lib3mf.ModelUnit.MilliMeter
    return model


def volume(model: Any) -> float:
    """Of its one object, which is manifold."""
    objects = model.GetMeshObjects()
    assert objects.Count() == model.GetBuildItems().Count() == 1
    objects.MoveNext()
    mesh = objects.GetCurrentMeshObject()
    assert mesh.IsManifoldAndOriented()
    corners = [list(each.Coordinates) for each in mesh.GetVertices()]
    faces = [list(each.Indices) for each in mesh.GetTriangleIndices()]
    return float(trimesh.Trimesh(corners, faces, process=False).volume)


@pytest.mark.parametrize("of", READY)
def test_every_part_to_print_is_the_same_solid_as_its_stl_and_manifold(of: str) -> None:
    layout = Layout(ready(of))
    corners = {file: contents for file, (contents, _) in printing.case_files(Case(layout)).items()}
    parts = beside(printing.files(layout) | corners)
    stls = [name for name in parts if name.endswith(".stl")]
    assert list(parts) == [name for stl in stls for name in (stl, stl[:-3] + "3mf")]
    for stl in stls:
        model = read(parts[stl[:-3] + "3mf"])
        assert volume(model) == pytest.approx(trimesh.load_mesh(io.BytesIO(parts[stl]), file_type="stl").volume, 1e-4)
        assert model.GetMetaDataGroup().GetMetaData(0).GetValue() == stl[:-4]


def test_a_hole_in_the_mesh_is_noticed_and_a_name_may_have_any_sign() -> None:
    box = trimesh.creation.box((1, 2, 3))
    assert volume(read(three_mf('a <part> "&" more', box))) == pytest.approx(6)
    box.update_faces([*[True] * 11, False])
    with pytest.raises(AssertionError, match="IsManifold"):
        volume(read(three_mf("open", box)))


def test_other_files_stay_as_they_are() -> None:
    assert beside({"a.dxf": b"x", "b": b"y"}) == {"a.dxf": b"x", "b": b"y"}
