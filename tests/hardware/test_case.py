"""The case: its plates fit each other, the face and what is inside, and say what they take to print."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from itertools import combinations, product
from pathlib import Path

import pytest
import shapely
from click.testing import CliRunner
from hardware.test_grid import mesh
from rigs.printed import printed
from shapely import Polygon, affinity, box
from shapely.ops import unary_union

from cribboard.cli.main import cli
from cribboard.hardware import printing
from cribboard.hardware.case import FUSE_MM, OVERHANG_MM, Case, Plate, comb
from cribboard.hardware.circuit import circuit
from cribboard.hardware.controllers import load
from cribboard.hardware.description import DescriptionError
from cribboard.hardware.drawing import Box, Circle, Piece, Polyline, drawing
from cribboard.hardware.laser import beam, cut, size_of
from cribboard.hardware.light_guide import pieces
from cribboard.hardware.light_sheet import light_sheet
from cribboard.hardware.parts import order, parts
from cribboard.hardware.shape import Layout
from cribboard.hardware.stack import HEADS, NUTS, WASHERS
from cribboard.hardware.wire_lengths import lengths
from hardware.boards import HARDWARE, LARGE, READY, changed, ready


def case(of: str = "board.toml", *changes: tuple[str, str]) -> Case:
    return Case(Layout(changed(*changes, of=of)))


def plate(made: Case, name: str) -> Plate:
    [only] = [each for each in made.plates() if each.name == name]
    return only


def area(pieces: tuple[Piece, ...]) -> Polygon:
    """What is left of the sheet."""
    [edge] = [piece for piece in pieces if piece.layer == "OUTLINE"]
    whole = Polygon(edge.points) if isinstance(edge, Polyline) else box(*edge_of(edge))
    for piece in pieces:
        if piece.layer not in ("OUTLINE", "TEXT"):
            hole = shapely.Point(piece.x, piece.y).buffer(piece.radius) if isinstance(piece, Circle) else None
            whole = whole.difference(hole if hole else Polygon(piece.points))  # type: ignore[union-attr]
    assert isinstance(whole, Polygon)
    return whole


def edge_of(edge: Piece) -> tuple[float, float, float, float]:
    assert isinstance(edge, Box)
    return edge.x, edge.y, edge.x + edge.width, edge.y + edge.height


@pytest.mark.parametrize("of", READY)
def test_every_ready_board_has_a_case_whose_plates_are_sound(of: str) -> None:
    made = case(of)
    assert list(made.mistakes()) == []
    for each in cut(made):
        if each.name != "comb":
            assert area(each.pieces).is_valid
            assert size_of(each.pieces) == pytest.approx(each.size)
        assert each.count >= 1


@pytest.mark.parametrize("sheet", ["3", "4.8", "6"])
@pytest.mark.parametrize("of", ["board.toml", "boards/oval.toml"])
def test_seen_from_above_corners_walls_and_slots_fit_at_every_level(of: str, sheet: str) -> None:
    made = case(of, ("thickness_mm = 6", f"thickness_mm = {sheet}"))
    width, height = made.layout.size
    near, side = (area(plate(made, name).pieces) for name in ("wall-near", "wall-side"))
    for level in range(made.levels):
        y = made.thick * (level + 1.5)
        corner = area(plate(made, "corner" if level % 2 else "corner-with-ears").pieces)
        lower = affinity.translate(corner, OVERHANG_MM, OVERHANG_MM)
        right = affinity.scale(lower, xfact=-1, origin=(width / 2, 0))
        corners = [lower, right, *(affinity.scale(each, yfact=-1, origin=(0, height / 2)) for each in (lower, right))]
        walls = []
        for wall, along in ((near, width), (side, height)):
            low, _, high, _ = wall.intersection(box(-1, y - 0.01, 2000, y + 0.01)).bounds
            stretch = box(low + made.corner, OVERHANG_MM, high + made.corner, OVERHANG_MM + made.thick)
            other = affinity.scale(stretch, yfact=-1, origin=(0, (height if along == width else width) / 2))
            walls += [stretch, other] if along == width else [turned(stretch), turned(other)]
        everything = [*corners, *walls]
        ring = unary_union(everything)
        assert sum(each.area for each in everything) == pytest.approx(ring.area, rel=1e-6)  # nothing overlaps
        assert isinstance(ring.buffer(0.001), Polygon)  # and there is no gap: one ring
        assert len(ring.buffer(0.001).interiors) == 1 + 4  # the room, and the screws
        face = made.layout.description.shape.corner_mm
        edge = box(0, 0, width, height).buffer(-face, join_style="mitre").buffer(face - OVERHANG_MM, 32)
        assert edge.buffer(0.1).contains(ring)  # inside of the face everywhere, at its round corners, too


def turned(shape: Polygon) -> Polygon:
    """The same for a side wall: x and y changed places."""
    return Polygon([(y, x) for x, y in shape.exterior.coords])


def test_the_tabs_of_the_walls_are_over_the_slots_of_the_back() -> None:
    made = case()
    cuts = [piece for piece in plate(made, "back").pieces if piece.layer == "CUT_OUTS"]
    slots = [Polygon(piece.points) for piece in cuts if isinstance(piece, Polyline) and sides(piece) == 4]
    slots = [slot for slot in slots if slot.area > 20]  # without those of the cable tie
    tabs = []
    for name in ("wall-near", "wall-side"):
        below = area(plate(made, name).pieces).intersection(box(-1, 0, 2000, made.thick))
        for tab in (part for part in shapely.get_parts(below) if part.area):
            low, _, high, _ = tab.bounds
            stretch = box(low + made.corner, OVERHANG_MM, high + made.corner, OVERHANG_MM + made.thick)
            tabs.append(stretch if name == "wall-near" else turned(stretch))
    assert len(slots) == 2 * len(tabs)
    for tab in tabs:
        assert any(slot.symmetric_difference(tab).area < 0.01 for slot in slots)


def test_the_light_guide_and_the_screws_are_clear_of_walls_and_corners() -> None:
    tight = case("board.toml", ("margin_mm = 16", "margin_mm = 14"), ("thickness_mm = 6", "thickness_mm = 8"))
    [wrong, *_] = tight.mistakes()
    assert "the end of a light guide" in wrong.said and "thinner sheet" in wrong.advice
    crowded = case("board.toml", ("apart_mm = 45", "apart_mm = 32"))
    assert any("no room beside it for its two screws" in mistake.said for mistake in crowded.mistakes())
    [wrong] = case("board.toml", ("screw_mm = 3.2", "screw_mm = 0")).mistakes()
    assert wrong.where == "[shape] screw_mm = 0"


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ((("corner_mm = 12", "corner_mm = 45"), ("margin_mm = 16", "margin_mm = 40")), "a button stands on a corner"),
        ((("screw_mm = 3.2", "screw_mm = 0.5"),), "held by screws"),
    ],
)
def test_what_stands_in_the_way_of_a_case_is_said(changes: tuple[tuple[str, str], ...], says: str) -> None:
    assert any(says in mistake.said for mistake in case("board.toml", *changes).mistakes())


def test_no_button_stands_over_the_supplys_jack_or_it_is_said() -> None:
    oval = ready("boards/oval.toml")
    opposite = Case(Layout(replace(oval, buttons=replace(oval.buttons, far_edge=(1,)))))
    assert [mistake.said for mistake in opposite.mistakes()] == []
    assert all(abs(button.x - opposite.jack_x) > 15 for button in opposite.layout.buttons if button.far)
    small = ready()
    own = replace(small, supply=replace(small.supply, kind="5v"))
    crowded = Case(Layout(replace(own, buttons=replace(own.buttons, far_edge=(0, 1), apart_mm=44))))
    assert any("over the supply's jack" in mistake.said for mistake in crowded.mistakes())


def test_the_opening_for_another_controllers_socket_is_to_be_measured() -> None:
    [note] = Case(Layout(replace(ready(), controller="adafruit_qtpy_rp2040"))).mistakes()
    assert not note.wrong and "not known" in note.said and "measure" in note.advice


def test_a_board_that_is_narrower_than_its_controller_has_no_case() -> None:
    narrow = ready()
    narrow = replace(
        narrow,
        tracks=replace(narrow.tracks, leds=61),
        shape=replace(narrow.shape, streets=10, apart_mm=45),
        buttons=replace(narrow.buttons, players=()),
    )
    made = Case(Layout(narrow))
    assert made.layout.size[0] < 100
    assert any("the controller's board takes" in mistake.said for mistake in made.mistakes())


@pytest.mark.parametrize("kind", ["usb", "5v"])
def test_what_lies_at_the_far_wall_is_clear_of_buttons_and_corners_or_it_is_said(kind: str) -> None:
    small, said = ready(), set()
    for streets, apart, far in product((3, 4, 10), (25, 50), ((), (0,), (0, 1))):
        buttons = replace(small.buttons, far_edge=far, apart_mm=apart)
        shape, supply = replace(small.shape, streets=streets), replace(small.supply, kind=kind)
        made = Case(Layout(replace(small, buttons=buttons, shape=shape, supply=supply)))
        messages = [mistake.said for mistake in made.mistakes()]
        said |= {re.sub("[0-9.]+", "", words) for words in messages}
        if not messages:
            left, _, right, _ = made.board_box
            over = [button.x for button in made.layout.buttons if button.far]
            assert not [x for x in over if left - 8 < x < right + 8]
            if kind == "5v":
                assert not [x for x in over if abs(x - made.jack_x) < 7.5 + 8]
                left, right = min(left, made.jack_x - 7.5), max(right, made.jack_x + 7.5)
            assert made.corner <= left < right <= made.layout.size[0] - made.corner
    assert "wherever the controller's board lies, a button of the far edge stands over it" in said
    assert any("into a corner" in words for words in said) is (kind == "5v")
    assert not any("the controller's board takes" in words for words in said), "there is room for it on each of these"


def test_a_screw_goes_through_holes_of_one_size_in_light_sheet_and_corners_and_its_nut_is_turned_through_the_back() -> (
    None
):
    for of in READY:
        made = case(of)
        at = [(screw, made.layout.description.shape.screw_mm / 2) for screw in made.layout.screws]
        drawn = light_sheet(made.layout)
        holes = [((piece.x, piece.y), piece.radius) for piece in drawn if isinstance(piece, Circle)]
        sinks = [((x, y), radius) for (x, y), radius in holes if ((x, y), 1.6) in at and radius != 1.6]
        assert len(at) == 4 and {*at} <= {*holes}
        assert [where for where, _ in sinks] == [where for where, _ in at]
        assert all(2 * radius > HEADS[made.screw].wide for _, radius in sinks), "its head is sunk"
        face = [piece for piece in drawing(made.layout) if isinstance(piece, Circle)]
        assert not any(math.dist((piece.x, piece.y), where) < 5 for piece in face for where, _ in at), "hidden"
        for name in ("corner", "corner-with-ears"):
            [hole] = [piece for piece in plate(made, name).pieces if isinstance(piece, Circle)]
            assert ((hole.x + OVERHANG_MM, hole.y + OVERHANG_MM), hole.radius) == at[0]
        back = [piece for piece in plate(made, "back").pieces if isinstance(piece, Circle)]
        around = [((piece.x, piece.y), piece.radius) for piece in back if piece.radius > 3]
        assert [where for where, _ in around] == [where for where, _ in at]
        for _, radius in around:
            assert 2 * radius >= max(WASHERS[made.screw].wide, NUTS[made.screw].flats * 2 / math.sqrt(3) + 2)


def sides(piece: Piece) -> int:
    return len(piece.points) - 1 if isinstance(piece, Polyline) and piece.layer == "CUT_OUTS" else 0


def test_there_are_plates_for_four_walls_and_for_every_level_of_four_corners() -> None:
    for of in READY:
        made = case(of)
        counts = {each.name: each.count for each in made.plates()}
        assert counts["corner"] + counts["corner-with-ears"] == 4 * made.levels
        assert counts["corner-with-ears"] - counts["corner"] == 4, "the first level and the last one have ears"
        assert [counts[name] for name in ("back", "wall-near", "wall-far", "wall-side")] == [1, 1, 1, 2]


def test_a_kerf_moves_the_cuts_so_that_the_parts_keep_their_size() -> None:
    wide, none = case("board.toml", ("dots_mm = 1.5", "kerf_mm = 0.2\ndots_mm = 1.5")), case()
    for one, other in zip(cut(wide), cut(none), strict=True):
        if one.name == "comb":
            assert one == other  # it measures the kerf
            continue
        after = area(one.pieces).buffer(-0.1, join_style="mitre")
        assert after.symmetric_difference(area(other.pieces)).area < 0.1
    assert beam(plate(none, "wall-far").pieces, 0) == [*plate(none, "wall-far").pieces]


def test_the_opening_is_at_the_carrier_board_and_neither_at_a_button() -> None:
    for of in READY:
        made = case(of)
        [opening, *_] = [piece for piece in plate(made, "wall-far").pieces if isinstance(piece, Polyline)][1:]
        xs = [x for x, _ in opening.points]
        assert (min(xs) + max(xs)) / 2 + made.corner == pytest.approx(made.board_x)
        assert all(abs(button.x - made.board_x) > 36 + 8 for button in made.layout.buttons if button.far)
    assert len(plate(case(), "wall-far").pieces) == 1 + 1 + 2  # the plug, and the slots of its cable tie
    own = case("boards/oval.toml")
    _, plug, _, _, jack = plate(own, "wall-far").pieces
    left, right = (
        min(x for x, _ in piece.points) + own.corner for piece in (plug, jack) if isinstance(piece, Polyline)
    )
    assert right > own.board_box[2] and left < own.board_x, "the jack lies beside the controller's board"


@pytest.mark.parametrize("of", READY)
@pytest.mark.parametrize("sheet", ["4.0", "5.8"])
def test_what_lies_on_the_back_is_engraved_there_and_clear_of_all_else(of: str, sheet: str) -> None:
    made = case(of, (f"thickness_mm = {case(of).thick:g}", f"thickness_mm = {sheet}"))
    marked = [piece for piece in plate(made, "back").pieces if piece.layer == "TEXT"]
    stand = [Polygon(piece.points) for piece in marked if isinstance(piece, Polyline)]
    drawn = circuit(made.layout.description, load(made.layout.description.controller)).parts
    assert len(made.fuse_boxes) == len([ref for ref in drawn if ref.startswith("F")])
    assert len(stand) == len(made.clips) + len(made.fuse_boxes)
    slots = [piece for piece in plate(made, "back").pieces if piece.layer == "CUT_OUTS" and isinstance(piece, Polyline)]
    ties = [Polygon(piece.points) for piece in slots if Polygon(piece.points).area < 12]
    for fuse in (box(*each) for each in made.fuse_boxes):
        own = [tie for tie in ties if tie.distance(fuse) < 0.001]
        low, high = unary_union(own).bounds[1::2]
        assert len(own) == 2 and high - low == pytest.approx(FUSE_MM[1] + 2 * 2), "slots of its own, on both sides"
        assert made.tie_long >= 2 * (high - low - 2 + FUSE_MM[2] + made.thick) + 30
    assert not any(one.intersects(other) for one, other in combinations(ties, 2))
    board, far = box(*made.board_box), [button for button in made.layout.buttons if button.far]
    for number, one in enumerate(stand):
        assert not one.intersects(board)
        assert not any(one.intersects(other) for other in stand[:number])
        assert not any(one.distance(shapely.Point(button.x, button.y)) < 8 for button in far)


@pytest.mark.parametrize("of", READY)
def test_there_is_a_clip_for_every_lever_connector_that_is_ordered(of: str) -> None:
    board = ready(of)
    items = parts(board, circuit(board, load(board.controller)), lengths(board))
    levers = sum(line.needed for line in order(board, items) if line.what.startswith("lever connector"))
    assert levers <= len(case(of).clips)


@pytest.mark.parametrize(("margin", "fits"), [(19.0, False), (20.0, True)])
def test_every_fuse_and_clip_has_its_place_or_it_is_said(margin: float, fits: bool) -> None:
    board = ready("boards/travel.toml")
    own = replace(board, shape=replace(board.shape, margin_mm=margin), supply=replace(board.supply, kind="5v"))
    made = Case(Layout(own))
    assert (len(made.fuse_boxes), len(made.clips)) == (3, 7 if fits else 6)
    assert (
        any("no room for the lever connectors and the fuses" in mistake.said for mistake in made.mistakes()) is not fits
    )


@pytest.mark.parametrize("of", READY)
def test_each_piece_of_the_light_guide_has_two_screws_that_are_clear_of_everything(of: str) -> None:
    made = case(of)
    ears = [ear for two in made.ears for ear in two]
    assert [len(two) for two in made.ears] == [2] * len(pieces(made.layout))
    assert [[ear.slot for ear in two] for two in made.ears] == [[False, True]] * len(made.ears)
    width, height = made.layout.size
    for ear in ears:
        assert min(ear.x, width - ear.x, ear.y, height - ear.y) > OVERHANG_MM + made.thick + 3.2
        assert not any(math.dist((ear.x, ear.y), (button.x, button.y)) < 12 + 3.2 for button in made.layout.buttons)
        for other in ears:
            assert other is ear or math.dist((ear.x, ear.y), (other.x, other.y)) >= 8


@pytest.mark.parametrize("sheet", [tenths / 10 for tenths in range(25, 81)])
@pytest.mark.parametrize("face", [(1.5, 0), (0.6, 0), (0, 0.5)])
def test_every_sheet_from_two_and_a_half_to_eight_millimetres_has_its_screws_and_feet(
    sheet: float, face: tuple[float, float]
) -> None:
    shape = replace(ready().shape, thickness_mm=sheet, face_mm=face[0], cover_mm=face[1])
    made = Case(Layout(replace(ready(), shape=shape)))
    assert made.depth >= 27.6
    assert 0.5 <= round(made.screw_long - made.seat - 2.4, 6) <= 5.5  # beyond the nut, by steps of five
    assert made.foot >= round(max(made.out, 0) + 2, 6)
    beyond = made.stack.clamp_long - sheet - 4.0 - 2.4 - 2.4
    assert 0.5 <= round(beyond, 6) <= 4.5


def test_a_screw_whose_head_the_light_sheet_cannot_hide_or_that_nobody_sells_is_said() -> None:
    thin = case("board.toml", ("thickness_mm = 6", "thickness_mm = 3"), ("screw_mm = 3.2", "screw_mm = 4.3"))
    [wrong] = [mistake for mistake in thin.mistakes() if mistake.wrong]
    assert "the head of a countersunk M4 is 2.7 mm high" in wrong.said and "3.2" in wrong.advice
    [note] = case(
        "board.toml", ("thickness_mm = 6", "thickness_mm = 8"), ("margin_mm = 16", "margin_mm = 18")
    ).mistakes()
    assert not note.wrong and "M3 x 55, which are hard to buy" in note.said


@pytest.mark.parametrize("sheet", ["1.5", "12", "18"])
def test_sheets_that_no_screws_go_with_are_refused(sheet: str) -> None:
    with pytest.raises(DescriptionError, match=rf"thickness_mm = {sheet}(\.0)?: choose a number from 2.5 to 8"):
        changed(("thickness_mm = 6", f"thickness_mm = {sheet}"))


def test_a_sheet_sold_as_six_millimetres_that_has_less_makes_the_case_no_deeper() -> None:
    for sheet in ("5.52", "5.8", "6.0"):
        made = case("board.toml", ("thickness_mm = 6", f"thickness_mm = {sheet}"))
        assert (made.levels, made.screw_long) == (5, 40)


def test_plates_that_are_too_long_are_cut_in_parts_that_fit() -> None:
    plates = cut(case(LARGE, ("[900, 600]", "[300, 200]")))
    assert len([each for each in plates if each.name.startswith("back-part")]) == 6
    assert len([each for each in plates if each.name.startswith("wall-near-part")]) == 3
    for each in plates:
        assert sorted(each.size)[0] <= 200 and sorted(each.size)[1] <= 300


def test_the_comb_has_slots_around_the_sheets_thickness_and_ten_squares() -> None:
    made = comb(6)
    squares = [piece for piece in made.pieces if isinstance(piece, Polyline) and len(piece.points) == 5]
    assert len([piece for piece in squares if piece.layer == "OUTLINE"]) == 10
    [teeth] = [piece for piece in made.pieces if isinstance(piece, Polyline) and len(piece.points) > 20]
    bottoms = sorted({x for x, y in teeth.points if y == 15.0})
    wide = [round(b - a, 6) for a, b in zip(bottoms[::2], bottoms[1::2], strict=True)]
    assert wide == [5.6, 5.7, 5.8, 5.9, 6.0, 6.1, 6.2, 6.3]


def test_a_printed_plate_of_a_corner_is_as_the_one_that_is_cut() -> None:
    made = case()
    for name in ("corner", "corner-with-ears"):
        count = plate(made, name).count
        solid = mesh(printing.case_files(made)[f"case-{name}-print-{count}.stl"][0])
        assert solid.is_watertight
        assert solid.extents[2] == pytest.approx(made.thick)
        assert solid.volume == pytest.approx(made.thick * area(plate(made, name).pieces).area, rel=0.01)


def test_time_and_filament_are_those_of_the_volume() -> None:
    part = printing.Printed("x", 2, 46.0)
    assert part.hours == pytest.approx(2 * 46_000 / 2.6 / 3600)
    assert part.grams == pytest.approx(2 * 46 * 1.24)
    [*_, last] = printing.table([part, printing.Printed("x", 1, 46.0)])
    assert last.startswith("All printed parts: 14.7 h, 171 g (solid, in PLA, at the 2.6 mm³ a second")
    large = printing.guides(Layout(ready(LARGE)))
    assert sum(each.hours for each in large) > 10


def test_the_command_names_its_files_by_how_many_to_cut(tmp_path: Path) -> None:
    result = CliRunner().invoke(cli, ["hardware", "case", "--into", str(tmp_path), "--json"], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    entries = [printed(line) for line in result.stdout.splitlines()]
    assert {
        "depth_mm": 30.0,
        "screw_mm": 40,
        "clamp_screw_mm": 16,
        "foot_mm": 5,
        "sheet_m2": round(case().sheet_m2, 3),
    } in entries
    said = {Path(entry["file"]).name for entry in entries if "file" in entry}
    assert said == {each.name for each in tmp_path.iterdir()}
    counts = {each.name: each.count for each in case().plates()}
    for path in tmp_path.glob("*.dxf"):
        name, count = re.fullmatch(r"case-(.*)-cut-(\d+)\.dxf", path.name).groups()  # type: ignore[union-attr]
        assert name == "comb" or counts[name] == int(count)


def test_a_board_without_screws_has_no_case_and_says_so(tmp_path: Path) -> None:
    bad = tmp_path / "bad.toml"
    text = (HARDWARE / "board.toml").read_text(encoding="utf-8")
    bad.write_text(text.replace("screw_mm = 3.2", "screw_mm = 0"), encoding="utf-8")
    result = CliRunner().invoke(cli, ["hardware", "case", "--board", str(bad), "--into", str(tmp_path / "out")])
    assert result.exit_code == 1 and "the case is held by screws in the corners" in result.stderr
    assert not (tmp_path / "out").exists()
