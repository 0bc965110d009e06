"""The KiCad project has what the Gerbers have, by another program's reading of both, and keeps its own rules."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import combinations
from typing import Any

import pytest
import sexpdata
import shapely
from gerbonara import GerberFile
from gerbonara.graphic_objects import Flash, Region
from hardware.test_carrier import CROWDED, drills, made, named, of, poured, routed

from cribboard.hardware import kicad
from cribboard.hardware.carrier import HIGH, HOLE_MM, HOLES
from cribboard.hardware.fabrication import revision
from cribboard.hardware.routing import CLEAR_MM, POWER, POWER_MM, SIGNAL_MM, VIA_DRILL_MM, VIA_MM

ROUTED = ("board.toml", CROWDED)
Node = list[Any]
SIDES = ("top", "bottom")


@cache
def project(name: str) -> dict[str, bytes]:
    return kicad.files(of(named(name)), routed(name), poured(name), named(name).name)


def read(text: bytes) -> Node:
    """The file as lists: words and texts as they are, the first one of each list what it is."""
    return plain(sexpdata.loads(text.decode(), nil=None, true=None, false=None))


def plain(part: Any) -> Any:
    return [plain(each) for each in part] if isinstance(part, list) else getattr(part, "value", lambda: part)()


@cache
def board(name: str) -> Node:
    return read(project(name)["carrier.kicad_pcb"])


@cache
def schematic(name: str) -> Node:
    return read(project(name)["carrier.kicad_sch"])


def every(node: Node, head: str) -> list[Node]:
    return [part for part in node if isinstance(part, list) and part[0] == head]


def one(node: Node, head: str) -> Node:
    [only] = every(node, head)
    return only


def at(node: Node, head: str = "at") -> tuple[float, float]:
    _, x, y, *_ = one(node, head)
    return float(x), float(y)


def drawn(point: tuple[float, float]) -> tuple[float, float]:
    """A point of KiCad's page as the Gerbers have it."""
    return round(point[0] - kicad.CORNER[0], 3) + 0.0, round(kicad.CORNER[1] + HIGH - point[1], 3) + 0.0


def pads(name: str) -> Iterator[tuple[str, Node, tuple[float, float]]]:
    """Each pad with the reference of its part, and where it is."""
    for footprint in every(board(name), "footprint"):
        x, y = at(footprint)
        [ref] = [text[2] for text in every(footprint, "fp_text") if text[1] == "reference"]
        for pad in every(footprint, "pad"):
            yield ref, pad, drawn((x + at(pad)[0], y + at(pad)[1]))


def gerber(name: str, file: str) -> list[Any]:
    return list(GerberFile.from_string(made(name)[f"carrier-{file}.gbr"].decode()).objects)


def ends(start: tuple[float, float], end: tuple[float, float], wide: float) -> tuple[Any, ...]:
    points = sorted((round(x, 3) + 0.0, round(y, 3) + 0.0) for x, y in (start, end))
    return (*points, round(wide, 3))


@pytest.mark.parametrize("name", ROUTED)
def test_every_pad_of_every_net_is_where_the_carrier_has_it_and_no_other(name: str) -> None:
    carrier, nets = of(named(name)), dict[str, set[tuple[str, str]]]()
    for ref, pad, _ in pads(name):
        for _, number, net in every(pad, "net"):
            [known] = [each for each in every(board(name), "net") if each[2] == net]
            assert known[1] == number
            nets.setdefault(net, set()).add((ref, one(pad, "pinfunction")[1]))
    assert nets == {net: set(joined) for net, joined in carrier.nets.items()}


@pytest.mark.parametrize("name", [ROUTED[0], pytest.param(CROWDED, marks=pytest.mark.long)])
def test_drills_pads_and_vias_are_those_of_the_drill_files_and_the_gerbers(name: str) -> None:
    vias = every(board(name), "via")
    plated = [(*where, one(pad, "drill")[1]) for _, pad, where in pads(name) if pad[2] == "thru_hole"]
    plated += [(*drawn(at(via)), one(via, "drill")[1]) for via in vias]
    assert Counter(plated) == Counter((round(x, 3), round(y, 3), wide) for x, y, wide in holes(name, "plated"))
    unplated = [(*where, one(pad, "drill")[1]) for _, pad, where in pads(name) if pad[2] == "np_thru_hole"]
    assert sorted(unplated) == sorted((*hole, HOLE_MM) for hole in HOLES) == sorted(holes(name, "unplated"))
    copper = [(*where, one(pad, "size")[1]) for _, pad, where in pads(name) if pad[2] == "thru_hole"]
    copper += [(*drawn(at(via)), one(via, "size")[1]) for via in vias]
    for side in SIDES:
        flashed = [each for each in gerber(name, f"{side}-copper") if isinstance(each, Flash)]
        assert Counter(copper) == Counter(
            (round(x.x, 3), round(x.y, 3), round(x.aperture.diameter, 3)) for x in flashed
        )


def holes(name: str, kind: str) -> list[tuple[float, float, float]]:
    return [(round(x, 3), round(y, 3), round(wide, 3)) for x, y, wide in drills(made(name)[f"carrier-{kind}.drl"])]


@pytest.mark.parametrize("name", ROUTED)
def test_tracks_ground_print_and_edge_are_those_of_the_gerbers(name: str) -> None:
    lines = {"top-silk": every(board(name), "gr_line"), "edge": every(board(name), "gr_line")}
    of_file = {"top-silk": "F.SilkS", "edge": "Edge.Cuts", "top-copper": "F.Cu", "bottom-copper": "B.Cu"}
    for file, layer in of_file.items():
        expected = lines.get(file, every(board(name), "segment"))
        ours = [
            ends(drawn(at(line, "start")), drawn(at(line, "end")), one(line, "width")[1])
            for line in expected
            if one(line, "layer")[1] == layer
        ]
        theirs = [each for each in gerber(name, file) if not isinstance(each, Flash | Region)]
        made_of = [ends((x.x1, x.y1), (x.x2, x.y2), x.aperture.diameter) for x in theirs]
        assert len(ours) > 3 and Counter(ours) == Counter(made_of), file
    for side, zone in zip(SIDES, every(board(name), "zone"), strict=True):
        regions = [each for each in gerber(name, f"{side}-copper") if isinstance(each, Region)]
        filled = every(zone, "filled_polygon")
        assert one(zone, "net_name")[1] == "GND"
        for region, each in zip(regions, filled, strict=True):
            points = [drawn((x, y)) for _, x, y in one(each, "pts")[1:]]
            assert [*points, points[0]] == [pytest.approx(point, abs=0.0011) for point in region.outline]


@pytest.mark.parametrize("name", ROUTED)
def test_every_part_has_a_courtyard_that_no_other_reaches_into(name: str) -> None:
    yards = [
        (ref, shapely.box(*yard)) for ref, part in of(named(name)).parts.items() for yard in kicad.courtyards(part)
    ]
    assert not [(one, other) for (one, a), (other, b) in combinations(yards, 2) if a.intersection(b).area > 1e-6]
    for footprint in every(board(name), "footprint"):
        shapes = [*every(footprint, "fp_rect"), *every(footprint, "fp_circle")]
        assert [each for each in shapes if one(each, "layer")[1] == "F.CrtYd"]


@pytest.mark.parametrize("name", ROUTED)
def test_the_schematic_joins_what_the_carrier_joins(name: str) -> None:
    """A label of its net lies at the end of each pin; where it has no net, a mark says so."""
    sheet, nets = schematic(name), dict[str, set[tuple[str, str]]]()
    labels = {at(label): label[1] for label in every(sheet, "global_label")}
    free = {at(mark) for mark in every(sheet, "no_connect")}
    symbols = {symbol[1]: symbol for symbol in every(one(sheet, "lib_symbols"), "symbol")}
    pins_seen = 0
    for instance in every(sheet, "symbol"):
        library = one(instance, "lib_id")[1]
        [ref] = [each[2] for each in every(instance, "property") if each[1] == "Reference"]
        [pins] = [every(unit, "pin") for unit in every(symbols[library], "symbol") if every(unit, "pin")]
        x, y = at(instance)
        for pin in pins:
            end = round(x + at(pin)[0], 4), round(y - at(pin)[1], 4)
            assert (end in labels) != (end in free), (ref, pin)
            pins_seen += 1
            if end in labels:
                nets.setdefault(labels[end], set()).add((ref, one(pin, "name")[1]))
            assert all(each % 1.27 < 1e-6 or each % 1.27 > 1.27 - 1e-6 for each in end), "off the grid"
            assert 0 < end[0] < 420 and 0 < end[1] < 297, "beside the page"
    assert nets == {net: set(joined) for net, joined in of(named(name)).nets.items()}
    assert pins_seen == len(labels) + len(free), "a label lies on another pin's"


def test_pins_and_pads_have_the_same_numbers_and_symbols_are_linked_to_their_footprints() -> None:
    name = ROUTED[0]
    numbers = {(ref, one(pad, "pinfunction")[1]): str(pad[1]) for ref, pad, _ in pads(name) if pad[2] == "thru_hole"}
    for symbol in every(one(schematic(name), "lib_symbols"), "symbol"):
        ref = symbol[1].partition(":")[2]
        for unit in every(symbol, "symbol"):
            for pin in every(unit, "pin"):
                assert str(one(pin, "number")[1]) == numbers.pop((ref, one(pin, "name")[1]))
    assert not numbers
    paths = {one(part, "path")[1] for part in every(board(name), "footprint") if every(part, "path")}
    listed = {path[1] for path in every(one(schematic(name), "symbol_instances"), "path")}
    assert paths == listed == {f"/{one(each, 'uuid')[1]}" for each in every(schematic(name), "symbol")}


def test_the_rules_are_those_of_the_router_and_every_mark_is_its_own() -> None:
    rules = json.loads(project(ROUTED[0])["carrier.kicad_pro"])
    limits = rules["board"]["design_settings"]["rules"]
    assert (limits["min_clearance"], limits["min_track_width"]) == (CLEAR_MM, SIGNAL_MM)
    assert (limits["min_via_diameter"], limits["min_through_hole_diameter"]) == (VIA_MM, VIA_DRILL_MM)
    normal, power = rules["net_settings"]["classes"]
    assert (normal["track_width"], power["track_width"]) == (SIGNAL_MM, POWER_MM)
    assert set(power["nets"]) == {net for net in of(named(ROUTED[0])).nets if net in POWER}
    for text in (board(ROUTED[0]), schematic(ROUTED[0])):
        assert one(one(text, "title_block"), "rev")[1] == revision(of(named(ROUTED[0])))
        marks = [*marked(text)]
        assert len(marks) > 100 and len(marks) == len({*marks})
    assert project(ROUTED[0]) == kicad.files(
        of(named(ROUTED[0])), routed(ROUTED[0]), poured(ROUTED[0]), named(ROUTED[0]).name
    )


def marked(node: Node) -> Iterator[str]:
    for part in node:
        if isinstance(part, list) and part:
            if part[0] in ("uuid", "tstamp"):
                yield part[1]
            yield from marked(part)
