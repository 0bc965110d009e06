"""The plates on sheets: each as often as it is needed, none over another, and small ones held by bridges."""

from __future__ import annotations

import io
import math
from collections import Counter
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import ezdxf
import pypdf
import pytest
import shapely
from click.testing import CliRunner

from cribboard.cli.hardware_build import SHEETS as OFFERED
from cribboard.cli.main import cli
from cribboard.hardware.case import Case, Plate, comb
from cribboard.hardware.description import DescriptionError
from cribboard.hardware.drawing import Box, Circle, Piece, Polyline
from cribboard.hardware.laser import areas, beam, cut, dxf, layers
from cribboard.hardware.nesting import BRIDGE_MM, GAP_MM, MARGIN_MM, SHEETS, SMALL_MM, PlacedPlate, Sheet, pdf, sheets
from cribboard.hardware.parts import order
from cribboard.hardware.shape import Layout
from hardware.boards import HARDWARE, LARGE, ready

CHOICES = [("board.toml", "400x300"), ("board.toml", "a3"), ("boards/oval.toml", "600x300"), (LARGE, "600x400")]


@pytest.mark.parametrize("of", ["board.toml", LARGE, "boards/oval.toml", "boards/twenty-nine.toml"])
def test_as_many_sheets_are_ordered_as_are_cut(of: str) -> None:
    board = ready(of)
    bought = order(board, [])
    [sheet] = [line for line in bought if line.what.endswith("for light sheet and case")]
    made = sheets(Layout(board), "600x400")
    assert sheet.packages == len(made) and made[0].comb, "with the comb"
    assert "600 x 400 mm" in sheet.product.first.number
    assert "`cribboard hardware sheets --sheet 600x400 " in (HARDWARE / "case.md").read_text("utf-8"), (
        "as it is ordered"
    )


def outline(laid: PlacedPlate) -> shapely.Polygon:
    """What a plate covers on its sheet, without the bridges."""
    plate = laid.plate
    whole = Plate(plate.name, 1, tuple(areas_of(plate)), plate.size)
    [piece] = replace(laid, plate=whole).pieces()
    assert isinstance(piece, Polyline)
    return shapely.Polygon(piece.points)


def areas_of(plate: Plate) -> list[Piece]:
    [area] = areas(plate.pieces, [])
    return [Polyline("TEXT", tuple(area.exterior.coords))]  # a layer that is not bridged


@pytest.mark.parametrize(("of", "name"), CHOICES)
def test_every_plate_is_there_as_often_as_needed_and_none_lies_on_another_or_at_the_edge(of: str, name: str) -> None:
    layout = Layout(ready(of))
    made = sheets(layout, name)
    counts = Counter(laid.plate.name for sheet in made for laid in sheet.laid)
    wanted = {plate.name: plate.count for plate in Case(layout).plates()} | {"light-sheet": 1}
    whole = {plate: number for plate, number in counts.items() if "-part-" not in plate}
    assert all(wanted[plate] == number for plate, number in whole.items())
    parts = Counter(plate.partition("-part-")[0] for plate in counts if "-part-" in plate)
    assert {*whole, *parts} == {*wanted} and "comb" not in counts
    for plate in parts:
        [many] = {name.rpartition("-of-")[2] for name in counts if name.startswith(f"{plate}-part-")}
        assert parts[plate] == int(many)
    tested = comb(layout.description.shape.thickness_mm).size
    assert [sheet.comb for sheet in made] == [name in ("600x300", "600x400"), *[False] * (len(made) - 1)]
    for sheet in made:
        assert sheet.size == SHEETS[name]
        lying = [outline(laid) for laid in sheet.laid]
        lying += [shapely.box(MARGIN_MM, MARGIN_MM, *(MARGIN_MM + side for side in tested))] if sheet.comb else []
        kerf = layout.description.shape.kerf_mm
        inside = shapely.box(0, 0, *sheet.size).buffer(-MARGIN_MM + kerf + 1e-6, join_style="mitre")
        assert all(inside.contains(each) for each in lying)
        for one, other in combinations(lying, 2):
            assert one.distance(other) > GAP_MM - kerf - 1e-6


def test_what_is_cut_is_what_the_plates_files_have_turned_or_not() -> None:
    layout = Layout(ready())
    plates = {plate.name: plate for plate in cut(Case(layout))}
    pieces, _, kerf = layers(layout)["light-sheet"]
    plates["light-sheet"] = Plate("light-sheet", 1, tuple(beam(pieces, kerf)), layout.size)
    laid = [each for sheet in sheets(layout, "400x300") for each in sheet.laid]
    assert {each.turned for each in laid} == {False, True}
    for each in laid:
        of_file, placed = plates[each.plate.name].pieces, list(each.pieces())
        holes = sorted(round(piece.radius, 6) for piece in of_file if isinstance(piece, Circle))
        assert sorted(round(piece.radius, 6) for piece in placed if isinstance(piece, Circle)) == holes
        x, y = each.at
        area = outline(each)
        for piece in placed:
            if isinstance(piece, Circle):
                assert area.contains(shapely.Point(piece.x, piece.y))
        assert area.bounds[:2] == pytest.approx((x, y), abs=0.5)
        assert length(placed) == pytest.approx(length(of_file) - bridges(each), abs=0.02)


def length(pieces: list[Piece] | tuple[Piece, ...]) -> float:
    """Of what the beam runs along at the edge."""
    total = 0.0
    for piece in pieces:
        if isinstance(piece, Box) and piece.layer == "OUTLINE":
            total += areas([piece], [])[0].exterior.length
        elif isinstance(piece, Polyline) and piece.layer == "OUTLINE":
            total += shapely.LineString(piece.points).length
    return total


def bridges(laid: PlacedPlate) -> float:
    return 2 * BRIDGE_MM if max(laid.plate.size) <= SMALL_MM else 0.0


def test_a_small_plate_has_two_bridges_and_a_long_one_none() -> None:
    seen = set()
    for sheet in sheets(Layout(ready()), "600x300"):
        for laid in sheet.laid:
            edges = [piece for piece in laid.pieces() if piece.layer == "OUTLINE"]
            if isinstance(edges[0], Box):
                continue
            lines = [piece.points for piece in edges if isinstance(piece, Polyline)]
            small = max(laid.plate.size) <= SMALL_MM
            seen.add(small)
            assert len(lines) == (2 if small else 1)
            gaps = [math.dist(lines[at - 1][-1], lines[at][0]) for at in range(len(lines))]
            assert gaps == pytest.approx([BRIDGE_MM] * 2 if small else [0.0])
    assert seen == {False, True}


def test_a_sheet_that_takes_no_plate_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(SHEETS, "tiny", (60.0, 40.0))
    with pytest.raises(DescriptionError, match="do not go onto sheets of tiny"):
        sheets(Layout(ready()), "tiny")
    assert not Sheet((100, 100), free=[(5, 5, 93, 93)]).take(Plate("x", 1, (), (95, 20)))


def test_the_files_open_and_are_as_large_as_the_sheet(tmp_path: Path) -> None:
    assert tuple(SHEETS) == OFFERED
    words = ["hardware", "sheets", "--sheet", "a3", "--into", str(tmp_path)]
    said = CliRunner().invoke(cli, words, prog_name="cribboard", catch_exceptions=False).stdout.splitlines()
    made = sheets(Layout(ready()), "a3")
    assert {Path(line).name for line in said[:-1]} == {path.name for path in tmp_path.iterdir()}
    assert said[-1].startswith(f"Sheets of a3: {len(made)}, ")
    drawing = ezdxf.readfile(tmp_path / f"case-sheet-1-of-{len(made)}-a3.dxf")
    assert len(drawing.modelspace()) == len(made[0].pieces())
    pages = pypdf.PdfReader(tmp_path / "case-sheets-a3.pdf").pages
    assert [[round(float(side) / 72 * 25.4) for side in page.mediabox[2:]] for page in pages] == [[420, 297]] * len(
        made
    )
    assert pdf(made, "x") == pdf(made, "x") and dxf(made[0].pieces()) == dxf(made[0].pieces())
    assert io.BytesIO(pdf(made, "x")).read(5) == b"%PDF-"
