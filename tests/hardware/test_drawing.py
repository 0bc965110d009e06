"""DXF and SVG: the same pieces in the same layers, at the places of the layout, the same bytes each time."""

from __future__ import annotations

import io
import math
from dataclasses import replace
from itertools import combinations
from xml.etree import ElementTree

import ezdxf
import pytest
import shapely
from ezdxf.document import Drawing
from ezdxf.entitydb import EntityDB
from shapely import LineString, Polygon

from cribboard.hardware import drawing as module
from cribboard.hardware.checks import mistakes
from cribboard.hardware.drawing import AIR_MM, LAYERS, TEXT_MM, Box, Circle, Polyline, drawing, of_layer
from cribboard.hardware.laser import dxf, layers, parts
from cribboard.hardware.letters import strokes, width
from cribboard.hardware.model import CAP_MM
from cribboard.hardware.shape import Layout, Point
from cribboard.hardware.svg import SEEN_MM, STROKE_MM, entry, svg
from hardware.boards import READY, every_board, ready

BOARDS = every_board()
SVG = "{http://www.w3.org/2000/svg}"


def opened(text: str) -> Drawing:
    return ezdxf.read(io.StringIO(text))


def rounded(points: list[Point]) -> set[Point]:
    return {(round(x, 3), round(y, 3)) for x, y in points}


def every_light(board: Layout) -> set[Point]:
    return rounded([point for track in range(board.description.tracks.count) for point in board.holes(track)])


@pytest.mark.parametrize("board", BOARDS)
def test_a_dxf_is_sound_and_has_every_hole_where_the_board_has_it(board: Layout) -> None:
    document = opened(dxf(drawing(board)))
    assert document.audit().errors == []
    assert document.units == ezdxf.units.MM
    assert {*LAYERS} <= {layer.dxf.name for layer in document.layers}
    holes = document.modelspace().query('CIRCLE[layer=="HOLES"]')
    assert {(hole.dxf.center.x, hole.dxf.center.y) for hole in holes} == every_light(board)
    assert {hole.dxf.radius for hole in holes} == {round(board.diameter(led) / 2, 3) for led in (0, board.last)}


def test_the_outline_of_a_dxf_has_round_corners_and_the_boards_size() -> None:
    board = Layout(ready())
    [outline] = opened(dxf(drawing(board))).modelspace().query('LWPOLYLINE[layer=="OUTLINE"]')
    points = list(outline.get_points("xyb"))
    assert outline.closed
    assert len(points) == 8
    assert max(x for x, _, _ in points) == pytest.approx(board.size[0])
    assert max(y for _, y, _ in points) == pytest.approx(board.size[1])
    assert sum(bulge > 0 for _, _, bulge in points) == 4
    [square] = opened(dxf([Box("OUTLINE", 20, 10, 0)])).modelspace().query("LWPOLYLINE")
    assert [point[:2] for point in square.get_points("xy")] == [(0, 0), (20, 0), (20, 10), (0, 10)]


@pytest.mark.parametrize("board", BOARDS[:4])
def test_a_dxf_says_how_large_its_drawing_is(board: Layout) -> None:
    document = opened(dxf(drawing(board)))
    for extents in (document.header, document.modelspace().dxf_layout.dxf):
        low, high = (
            (extents["$EXTMIN"], extents["$EXTMAX"]) if extents is document.header else (extents.extmin, extents.extmax)
        )
        assert tuple(low)[:2] == pytest.approx((0, 0), abs=0.001)
        assert tuple(high)[:2] == pytest.approx(board.size, abs=0.001)


def test_every_kind_of_piece_counts_for_how_large_a_drawing_is() -> None:
    corner = Polyline("OUTLINE", ((0, 0), (5, 9), (-2, 3)))
    for pieces, low, high in (
        ([corner, Circle("HOLES", 10, 4, 6)], (-2, -2), (16, 10)),
        ([corner, Box("OUTLINE", 30, 20, 5, -7, -8)], (-7, -8), (23, 12)),
        ([corner], (-2, 0), (5, 9)),
    ):
        header = opened(dxf(pieces)).header
        assert (header["$EXTMIN"][:2], header["$EXTMAX"][:2]) == (low, high)


@pytest.mark.parametrize("board", BOARDS)
def test_an_svg_has_a_group_a_layer_and_every_hole_where_the_board_has_it(board: Layout) -> None:
    root = ElementTree.fromstring(svg(drawing(board), board.size, "<a board> & more"))
    assert root.attrib["width"] == f"{round(board.size[0], 3):g}mm"
    assert [group.attrib["id"] for group in root.iter(f"{SVG}g")] == list(LAYERS)
    [holes] = [group for group in root.iter(f"{SVG}g") if group.attrib["id"] == "HOLES"]
    places = [(float(hole.attrib["cx"]), board.size[1] - float(hole.attrib["cy"])) for hole in holes]
    wanted = [point for track in range(board.description.tracks.count) for point in board.holes(track)]
    for place, point in zip(places, wanted, strict=True):
        assert place == pytest.approx(point, abs=0.001)


@pytest.mark.parametrize("board", BOARDS)
def test_every_hole_of_a_page_lies_within_one_border(board: Layout) -> None:
    shown = entry(board)
    bands = [Polygon(band) for band in shown["bands"]]
    for x, y, _ in [hole for track in (*shown["tracks"], *shown["starts"]) for hole in track]:
        assert sum(band.contains(shapely.Point(x, y)) for band in bands) == 1, (x, y)


@pytest.mark.parametrize("board", BOARDS)
def test_nothing_is_drawn_outside_of_the_board(board: Layout) -> None:
    wide, high = board.size
    for piece in drawing(board):
        if isinstance(piece, Circle):
            corners = [
                (piece.x - piece.radius, piece.y - piece.radius),
                (piece.x + piece.radius, piece.y + piece.radius),
            ]
        else:
            corners = list(piece.points) if isinstance(piece, Polyline) else []
        for x, y in corners:
            assert 0 < x < wide
            assert 0 < y < high


@pytest.mark.parametrize("board", BOARDS)
def test_what_is_written_touches_neither_holes_nor_what_else_is_written(board: Layout) -> None:
    pieces = drawing(board)
    circles = [piece for piece in pieces if isinstance(piece, Circle)]
    written = [piece for layer in ("TEXT", "START", "GAME", "SKUNK") for piece in of_layer(pieces, layer)]
    strokes_of = [piece for piece in written if isinstance(piece, Polyline) and len(piece.points) > 1]
    for line in strokes_of:
        for circle in circles:
            assert all((x - circle.x) ** 2 + (y - circle.y) ** 2 > circle.radius**2 for x, y in line.points)


def texts(board: Layout, monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, float, float]]:
    """What is written on a board, each with its middle."""
    drawn: list[tuple[str, float, float]] = []

    def write(layer: str, text: str, x: float, y: float, turned: bool = False) -> list[Polyline]:
        drawn.append((text, x, y))
        return []

    with monkeypatch.context() as patched:
        patched.setattr(module, "_text", write)
        drawing(board)
    return drawn


@pytest.mark.parametrize("board", BOARDS)
def test_no_button_hides_what_is_written_from_a_chair(board: Layout) -> None:
    """At 45 degrees a cap, which is 1 mm wider all around than its cut-out, hides as much behind it as it is high."""
    words = shapely.MultiLineString(
        [piece.points for piece in drawing(board) if isinstance(piece, Polyline) and piece.layer == "TEXT"]
    )
    for button in board.buttons:
        behind = button.y + (-CAP_MM if button.far else CAP_MM)
        hidden = LineString([(button.x, button.y), (button.x, behind)])
        reach = board.description.buttons.diameter_mm / 2 + 1
        assert hidden.distance(words) > reach, button


@pytest.mark.parametrize("name", READY)
def test_a_name_is_engraved_where_no_button_pin_or_word_is(name: str) -> None:
    board = ready(name)
    bare, named = (Layout(replace(board, shape=replace(board.shape, plate=plate))) for plate in ("", "Jo"))
    assert not any(finding.wrong for finding in mistakes(named))
    before, after = ([piece for piece in drawing(each) if isinstance(piece, Polyline)] for each in (bare, named))
    others = shapely.union_all([LineString(piece.points) for piece in before])
    buttons = [shapely.Point(each.x, each.y).buffer(board.buttons.diameter_mm / 2 + 1) for each in bare.buttons]
    pins = [shapely.Point(point).buffer(board.shape.dots_mm) for point in bare.dots]
    plate = shapely.union_all([LineString(piece.points) for piece in after if piece not in before])
    assert plate.area == 0 < plate.length
    assert plate.distance(shapely.union_all([others, *buttons, *pins])) > AIR_MM


@pytest.mark.parametrize("board", BOARDS)
def test_start_and_game_are_written_nearest_to_what_they_name(board: Layout, monkeypatch: pytest.MonkeyPatch) -> None:
    tracks = range(board.description.tracks.count)
    holes = {"START": [hole for track in tracks for hole in board.start_holes(track)]}
    holes |= {"GAME": [board.holes(track)[-1] for track in tracks]}
    holes |= {"others": [hole for track in tracks for hole in board.holes(track)[:-1]]}
    places = {text: (x, y) for text, x, y in texts(board, monkeypatch) if text in holes}
    assert {*places} == {"START", "GAME"}
    for text, at in places.items():
        assert min(holes, key=lambda name: min(math.dist(at, hole) for hole in holes[name])) == text


@pytest.mark.parametrize("board", BOARDS)
def test_no_text_reaches_into_the_margin_or_over_another_or_near_a_border(
    board: Layout, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = texts(board, monkeypatch)
    pieces = [
        piece for piece in drawing(board) if isinstance(piece, Polyline) and piece.layer in ("STREETS", "START", "GAME")
    ]
    lines = [LineString(piece.points) for piece in pieces if len(piece.points) > 4]
    borders = [line for line in lines if line.length > 6 * TEXT_MM]  # and no letter
    margin = board.description.shape.margin_mm - 0.001
    assert len(drawn) > board.last // 5
    for number, (text, x, y) in enumerate(drawn):
        half = width(text, TEXT_MM) / 2
        assert margin <= x - half and x + half <= board.size[0] - margin, text
        around = shapely.box(x - half, y - TEXT_MM / 2, x + half, y + TEXT_MM / 2)
        assert min(border.distance(around) for border in borders) > 0.9 * AIR_MM, text
        for other, to_x, to_y in drawn[:number]:
            beside = abs(x - to_x) - half - width(other, TEXT_MM) / 2
            assert beside >= 1 or abs(y - to_y) >= TEXT_MM + 1, (text, other)


def test_an_svg_has_a_white_ground_that_no_machine_works_on_and_can_have_broad_lines() -> None:
    board = Layout(ready())
    for stroke in (STROKE_MM, SEEN_MM):
        root = ElementTree.fromstring(svg(drawing(board), board.size, "x", stroke))
        assert root.attrib["style"] == "background:#fff"
        assert {group.attrib["stroke-width"] for group in root.iter(f"{SVG}g")} == {f"{stroke:g}"}
        assert {group.attrib["fill"] for group in root.iter(f"{SVG}g")} == {"none"}
        assert len(list(root.iter(f"{SVG}rect"))) == 1  # the outline


@pytest.mark.parametrize("of", ["board.toml", "boards/oval.toml"])
def test_wells_for_paint_lie_around_each_tracks_holes_and_within_the_streets(of: str) -> None:
    described = ready(of)
    board = Layout(replace(described, shape=replace(described.shape, paint=True)))
    wells = [Polygon(piece.points) for piece in of_layer(drawing(board), "PAINT") if isinstance(piece, Polyline)]
    assert len(wells) == 2 * len(board.streets) and all(well.is_valid for well in wells)
    for track in range(2):
        for x, y in board.holes(track)[:-1]:
            hole = shapely.Point(x, y).buffer(described.shape.hole_mm / 2)
            assert any(well.contains(hole) for well in wells)
    assert all(one.intersection(other).area < 1e-6 for one, other in combinations(wells, 2))
    assert of_layer(drawing(Layout(described)), "PAINT") == []
    cut = replace(described, shape=replace(described.shape, paint=True, bed_mm=(250.0, 250.0)))
    pieces, joints, _ = layers(Layout(cut))["face"]
    closed = [
        piece for part in parts(pieces, joints) for piece in of_layer(part, "PAINT") if isinstance(piece, Polyline)
    ]
    assert len(closed) > len(wells) and all(piece.points[0] == piece.points[-1] for piece in closed)
    area = sum(Polygon(piece.points).area for piece in closed)
    assert area == pytest.approx(sum(well.area for well in wells), rel=1e-6)
    thin = replace(described, shape=replace(described.shape, paint=True, face_mm=0.6))
    assert any("too thin for wells" in mistake.said for mistake in mistakes(Layout(thin)))


def test_every_layer_has_its_pieces() -> None:
    board = Layout(ready())
    pieces = drawing(board)
    count = {layer: len(of_layer(pieces, layer)) for layer in LAYERS}
    assert count.pop("PAINT") == 0, "only if a board asks for it"
    assert count["OUTLINE"] == 1
    assert count["HOLES"] == 242
    assert count["CUT_OUTS"] == 8, "buttons: no screw is seen"
    assert sum(isinstance(piece, Circle) for piece in of_layer(pieces, "START")) == 4
    assert sum(count.values()) == len(pieces)
    assert min(count.values()) > 0
    ticks = [piece for piece in of_layer(pieces, "STREETS") if isinstance(piece, Polyline) and len(piece.points) == 2]
    assert len(ticks) == 3 * 7  # between the fives of three streets
    assert {round(tick.points[0][0], 3) for tick in ticks} == {
        round((board.spot(hole - 1).x + board.spot(hole).x) / 2, 3) for hole in range(5, 40, 5)
    }


@pytest.mark.parametrize("board", [board for board in BOARDS if board.description.shape.kind != "29"])
def test_numbers_stand_above_the_streets_and_within_an_oval(board: Layout) -> None:
    oval = board.description.shape.kind == "oval"
    written = [piece for piece in of_layer(drawing(board), "TEXT") if isinstance(piece, Polyline)]
    roof = board.size[1] - board.far_panel_mm - board.description.shape.margin_mm / 2
    roof += 0 if board.far_panel_mm else board.description.shape.margin_mm
    numbers = [line.points[0] for line in written if board.panel_mm + 14 < line.points[0][1] < roof]
    for x, y in numbers:
        nearest = min(range(board.last), key=lambda led: math.dist((x, y - 10 * (not oval)), board.spot(led).across(0)))
        spot = board.spot(nearest)
        inner, outer = (math.dist((x, y), spot.across(side * board.half_mm)) for side in (-1, 1))
        assert inner < outer if oval else spot.y + board.half_mm < y < spot.y + board.half_mm + 10
    assert len(numbers) > board.last // 5


def test_a_skunk_line_crosses_its_street_before_hole_91() -> None:
    board = Layout(ready())
    lines = [piece for piece in of_layer(drawing(board), "SKUNK") if isinstance(piece, Polyline)]
    crossing = [line for line in lines if abs(line.points[0][1] - line.points[-1][1]) > 2 * board.half_mm]
    middles = sorted(line.points[0][0] for line in crossing)
    between = [(board.spot(at).x + board.spot(at - 1).x) / 2 for at in (90, 60)]
    assert middles == pytest.approx(sorted(x + side for x in between for side in (-0.4, 0.4)))


@pytest.mark.parametrize("board", BOARDS[:3])
def test_the_same_board_gives_the_same_bytes(board: Layout) -> None:
    assert dxf(drawing(board)) == dxf(drawing(board))
    assert svg(drawing(board), board.size, "x") == svg(drawing(board), board.size, "x")


def test_a_dxf_is_the_same_in_whatever_order_a_set_gives_its_kinds(monkeypatch: pytest.MonkeyPatch) -> None:
    in_use = EntityDB.dxf_types_in_use
    texts = set()
    for backwards in (False, True):
        monkeypatch.setattr(
            EntityDB, "dxf_types_in_use", lambda self, backwards=backwards: sorted(in_use(self), reverse=backwards)
        )
        texts.add(dxf(drawing(BOARDS[0])))
    assert len(texts) == 1


def test_a_text_is_as_wide_and_high_as_it_says_and_in_its_middle() -> None:
    points = [point for stroke in strokes("HH", 10, 20, 6) for point in stroke]
    xs, ys = zip(*points, strict=True)
    assert (min(xs), max(xs), min(ys), max(ys)) == (5, 15, 17, 23)
    assert width("HH", 6) == 10
    assert width("", 6) == 0
    assert strokes("~", 0, 0, 6) == []
