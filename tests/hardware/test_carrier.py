"""The carrier's files, read back by another program: their copper joins what the wiring joins, and nothing else."""

from __future__ import annotations

import csv
import io
import math
import re
import zipfile
from dataclasses import replace
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
import shapely
from click.testing import CliRunner
from gerbonara import ExcellonFile, GerberFile
from gerbonara.graphic_objects import Flash, Region
from shapely import LineString, Point
from shapely.ops import polygonize, unary_union

from cribboard.cli.main import cli
from cribboard.hardware import fabrication, routing
from cribboard.hardware.carrier import HIGH, HOLE_MM, HOLES, WIDE, Carrier, carrier, carrier_problems, joined, pad_of
from cribboard.hardware.circuit import circuit
from cribboard.hardware.controllers import load
from cribboard.hardware.description import Description
from cribboard.hardware.fabrication import TEXT_MM, UNSEEN, _labels, files, revision
from cribboard.hardware.fabs import jlcpcb
from cribboard.hardware.letters import width
from cribboard.hardware.pour import POUR_CLEAR_MM, Outline, ground
from cribboard.hardware.routing import CLEAR_MM, VIA_MM, Copper, Track, route
from hardware.boards import HARDWARE, READY, changed, ready

CROWDED = "three players and a piezo"  # the fullest carrier of all
LONG = ("boards/three-tracks.toml", "boards/oval.toml")
ROUTED = ("board.toml", CROWDED, *(pytest.param(name, marks=pytest.mark.long) for name in LONG))
RING_MM = 0.25  # of copper around a hole, at least


def named(name: str) -> Description:
    """A ready board, or the crowded one."""
    return ready(name) if name != CROWDED else changed(('pin = ""', 'pin = "GP14"'), of="boards/three-tracks.toml")


def of(board: Description) -> Carrier:
    return carrier(circuit(board, load(board.controller)))


@cache
def routed(name: str) -> Copper:
    return route(of(named(name)))


@cache
def poured(name: str) -> list[list[Outline]]:
    return ground(of(named(name)), routed(name))


@cache
def made(name: str) -> dict[str, bytes]:
    return files(of(named(name)), routed(name), poured(name), named(name).name)


def filled(outline: list[tuple[float, float]]) -> shapely.Polygon:
    """What an outline encloses that touches itself on the lines to its holes."""
    return max(
        shapely.get_parts(polygonize(shapely.get_parts(unary_union([LineString(outline)])))), key=lambda part: part.area
    )


@cache
def copper(text: bytes) -> list[shapely.Polygon]:
    """The islands of copper on a layer, by the other program's reading."""
    shapes = []
    for each in GerberFile.from_string(text.decode()).objects:
        if isinstance(each, Flash):
            shapes.append(Point(each.x, each.y).buffer(each.aperture.diameter / 2, 16))
        elif isinstance(each, Region):
            shapes.append(filled(each.outline))
        else:
            shapes.append(LineString([(each.x1, each.y1), (each.x2, each.y2)]).buffer(each.aperture.diameter / 2, 16))
    islands = list(shapely.get_parts(unary_union(shapes)))
    shapely.prepare(islands)
    return islands


def drills(text: bytes) -> list[tuple[float, float, float]]:
    return [(each.x, each.y, each.aperture.diameter) for each in ExcellonFile.from_string(text.decode()).objects]


def nets(gerbers: dict[str, bytes], board: Carrier) -> list[set[tuple[str, str]]]:
    """The pads that copper and plated holes join."""
    islands = [copper(gerbers[f"carrier-{side}-copper.gbr"]) for side in ("top", "bottom")]
    groups: list[set[tuple[int, int]]] = []
    for x, y, _ in drills(gerbers["carrier-plated.drl"]):
        hit = {(side, n) for side in (0, 1) for n, part in enumerate(islands[side]) if part.contains(Point(x, y))}
        touching = [group for group in groups if group & hit]
        groups = [group for group in groups if group not in touching]
        groups.append(hit.union(*touching))
    joined_pads: dict[int, set[tuple[str, str]]] = {}
    for ref, part in board.parts.items():
        for pad, spot in part.pads.items():
            [which] = [
                number
                for number, group in enumerate(groups)
                if any(islands[side][n].contains(Point(spot.x, spot.y)) for side, n in group)
            ]
            joined_pads.setdefault(which, set()).add((ref, pad))
    return [pads for pads in joined_pads.values() if len(pads) > 1]


def as_wired(islands: list[set[tuple[str, str]]]) -> set[frozenset[tuple[str, str]]]:
    """Nets without what the wiring does not have; resistors in series count as wire."""
    joined_nets = [set(net) for net in islands]
    for ref in {ref for net in islands for ref, _ in net if ref.startswith("RB")}:
        both = [net for net in joined_nets if any(pad[0] == ref for pad in net)]
        joined_nets = [net for net in joined_nets if net not in both] + [set().union(*both)]
    own = [
        frozenset(
            (ref, pad) for ref, pad in net if not ref.startswith(("RB", "C", "J0")) and not pad.startswith("GND ")
        )
        for net in joined_nets
    ]
    return {net for net in own if len(net) > 1}


def of_the_wiring(board: Description) -> set[frozenset[tuple[str, str]]]:
    groups = joined(circuit(board, load(board.controller)))
    parts = of(board).parts
    pads = [{pad for pad in map(pad_of, group) if pad} for group in groups]
    wired_nets = [frozenset((ref, pad) for ref, pad in net if ref in parts and pad in parts[ref].pads) for net in pads]
    return {net for net in wired_nets if len(net) > 1}


@pytest.mark.unmeasured
@pytest.mark.parametrize("name", ROUTED)
def test_every_net_of_the_gerbers_is_one_of_the_wiring_and_the_other_way_round(name: str) -> None:
    assert as_wired(nets(made(name), of(named(name)))) == of_the_wiring(named(name))


def test_every_track_and_every_via_is_in_the_gerbers_and_nothing_else() -> None:
    tracks = [Track("GND", 0, (10, 20), (30, 20), 1.0), Track("GP6", 1, (10, 20), (10, 40), 0.3)]
    board = of(ready())
    copper = Copper(tracks, [("GND", 30, 20)])
    gerbers = files(board, copper, ground(board, copper), "x")
    for layer, side in enumerate(("top", "bottom")):
        objects = GerberFile.from_string(gerbers[f"carrier-{side}-copper.gbr"].decode()).objects
        runs = [each for each in objects if not isinstance(each, Flash | Region)]
        laid = [((each.x1, each.y1), (each.x2, each.y2), each.aperture.diameter) for each in runs]
        assert laid == [(tracks[layer].start, tracks[layer].end, tracks[layer].width)]
        dots = [(round(each.x, 3), round(each.y, 3)) for each in objects if isinstance(each, Flash)]
        assert dots == [*((spot.x, spot.y) for part in board.parts.values() for spot in part.pads.values()), (30, 20)]


@pytest.mark.parametrize("name", READY)
def test_no_place_is_in_two_nets(name: str) -> None:
    board = ready(name)
    places = [place for group in joined(circuit(board, load(board.controller))) for place in group]
    pads = [pad for net in of(board).nets.values() for pad in net]
    assert len({*places}) == len(places) and len({*pads}) == len(pads)


def test_a_track_too_many_or_too_few_is_noticed() -> None:
    board, routes = of(ready()), routed("board.toml")
    short = Track("GND", 0, (31.11, 58.63), (31.11, 53.55), 0.3)
    for tracks in ([*routes.tracks, short], [track for track in routes.tracks if track.net != "GP6"]):
        changed = Copper(tracks, routes.vias)
        other = files(board, changed, ground(board, changed), "x")
        assert as_wired(nets(other, board)) != of_the_wiring(ready())


@pytest.mark.parametrize("name", ROUTED)
def test_copper_keeps_its_distance_from_other_copper_from_edges_and_screws(name: str) -> None:
    for side in ("top", "bottom"):
        islands = copper(made(name)[f"carrier-{side}-copper.gbr"])
        tree = shapely.STRtree(islands)
        for one, other in tree.query(islands, predicate="dwithin", distance=CLEAR_MM - 0.01).T:
            assert one == other, (islands[one].bounds, islands[other].bounds)
        board = shapely.box(0.5, 0.5, WIDE - 0.5, HIGH - 0.5)
        assert all(board.contains(island) for island in islands)
        assert all(island.distance(Point(hole)) > HOLE_MM / 2 + 0.5 for island in islands for hole in HOLES)


@pytest.mark.parametrize("name", ROUTED)
def test_every_track_joins_two_things_and_ends_at_none(name: str) -> None:
    board, routes = of(named(name)), routed(name)
    places = [
        Point(spot.x, spot.y).buffer(spot.copper / 2) for part in board.parts.values() for spot in part.pads.values()
    ]
    places += [Point(x, y).buffer(VIA_MM / 2) for _, x, y in routes.vias]
    for layer in (0, 1):
        runs = [LineString([track.start, track.end]) for track in routes.tracks if track.layer == layer]
        things = shapely.STRtree([*places, *runs])
        for run in runs:
            assert len(things.query(run, predicate="dwithin", distance=1e-6)) > 2, run  # itself is one
            assert all(len(things.query(Point(end), predicate="dwithin", distance=1e-6)) > 1 for end in run.coords), run


@pytest.mark.parametrize("name", ROUTED)
def test_ground_is_poured_on_both_layers_and_a_solder_joint_stays_warm(name: str) -> None:
    """It keeps its distance from all other copper, and leaves a part of the ring around each pad of its own free."""
    board, routes = of(named(name)), routed(name)
    for layer, outlines in enumerate(poured(name)):
        islands = [filled(outline) for outline in outlines]
        assert 2000 < sum(island.area for island in islands) < WIDE * HIGH
        tracks = [track for track in routes.tracks if track.layer == layer and track.net != "GND"]
        others = [LineString([track.start, track.end]).buffer(track.width / 2, 64) for track in tracks]
        others += [Point(x, y).buffer(VIA_MM / 2, 64) for net, x, y in routes.vias if net != "GND"]
        own = {*board.nets["GND"]}
        spots = [spot for ref, part in board.parts.items() for pad, spot in part.pads.items() if (ref, pad) not in own]
        others += [Point(spot.x, spot.y).buffer(spot.copper / 2, 64) for spot in spots]
        assert unary_union(others).distance(unary_union(islands)) > POUR_CLEAR_MM - 0.001
        for ref, pad in board.nets["GND"]:
            spot = board.parts[ref].pads[pad]
            ring = Point(spot.x, spot.y).buffer(spot.copper / 2 + 0.2).exterior
            covered = sum(ring.intersection(island).length for island in islands)
            assert covered < 0.8 * ring.length, (ref, pad)


def test_the_revision_is_on_the_print_and_changes_with_every_pad_and_net(monkeypatch: Any) -> None:
    board = of(ready())
    for name in ("board.toml", CROWDED, *LONG):
        other = of(named(name))
        assert f"REV {revision(other)}" in [words for words, *_ in written(other, monkeypatch)], name
    [_, *rest] = board.nets
    moved = replace(
        board.parts["C1"], pads={"+": replace(board.parts["C1"].pads["+"], x=60.0), "-": board.parts["C1"].pads["-"]}
    )
    changes = [
        replace(board, nets={net: board.nets[net] for net in rest}),
        replace(board, parts=board.parts | {"C1": moved}),
    ]
    assert len({revision(each) for each in (board, *changes)}) == 3


@pytest.mark.parametrize("name", ROUTED)
def test_every_pad_has_its_hole_a_ring_of_copper_on_both_sides_and_an_opening_of_the_mask(name: str) -> None:
    gerbers, board = made(name), of(named(name))
    holes = drills(gerbers["carrier-plated.drl"])
    openings = [
        {(round(each.x, 3), round(each.y, 3)): each.aperture.diameter for each in GerberFile.from_string(text).objects}
        for text in (gerbers[f"carrier-{side}-mask.gbr"].decode() for side in ("top", "bottom"))
    ]
    for part in board.parts.values():
        for spot in part.pads.values():
            [drill] = [wide for x, y, wide in holes if math.dist((x, y), (spot.x, spot.y)) < 0.01]
            assert drill == pytest.approx(spot.drill)
            assert (spot.copper - drill) / 2 >= RING_MM
            assert all(opening[(spot.x, spot.y)] > spot.copper for opening in openings)
    for (x, y, one), (to_x, to_y, other) in combinations(holes, 2):
        assert math.dist((x, y), (to_x, to_y)) - (one + other) / 2 > 0.4
    assert {(x, y) for x, y, _ in drills(gerbers["carrier-unplated.drl"])} == set(HOLES)


@pytest.mark.parametrize("name", ROUTED)
def test_no_part_stands_on_another_or_on_a_screw(name: str) -> None:
    bodies = {ref: shapely.box(*part.body) for ref, part in of(named(name)).parts.items()}
    for (one, body), (other, other_body) in combinations(bodies.items(), 2):
        below = {one, other} - {"A1"}
        flat = "A1" in (one, other) and all(ref.startswith("R") and ref[1:].isdigit() for ref in below)
        assert flat or body.intersection(other_body).area < 0.01, (one, other)  # resistors lie under the Pico
    assert all(body.distance(Point(hole)) > 3 for body in bodies.values() for hole in HOLES)


@pytest.mark.parametrize("name", ROUTED)
def test_no_text_of_the_silk_lies_on_a_pad(name: str) -> None:
    board = of(named(name))
    spots = unary_union(
        [Point(spot.x, spot.y).buffer(spot.copper / 2) for part in board.parts.values() for spot in part.pads.values()]
    )
    runs = [
        LineString([(each.x1, each.y1), (each.x2, each.y2)])
        for each in GerberFile.from_string(made(name)["carrier-top-silk.gbr"].decode()).objects
    ]
    assert len(runs) > 100
    text = [run for run in runs if run.length < 1.9]  # strokes of letters; the bodies' lines are longer
    assert not [run for run in text if run.intersects(spots)]


@pytest.mark.parametrize("name", ROUTED)
def test_the_name_of_a_pad_can_only_stand_at_it(name: str) -> None:
    for part in of(named(name)).parts.values():
        for words, places in _labels(part):
            for at in places if words in part.pads else ():
                far = {pad: math.dist((spot.x, spot.y), at) for pad, spot in part.pads.items()}
                own = far.pop(words)
                assert not far or own < min(far.values()) - 0.1, (part.ref, words, at)


def written(board: Carrier, monkeypatch: Any) -> list[tuple[str, float, float]]:
    """The texts of the silk, each with its middle."""
    texts: list[tuple[str, float, float]] = []
    strokes = fabrication.strokes

    def noted(words: str, x: float, y: float, size: float) -> Any:
        texts.append((words, x, y))
        return strokes(words, x, y, size)

    monkeypatch.setattr(fabrication, "strokes", noted)
    fabrication._silk(board, "a name")
    return texts


@pytest.mark.parametrize("name", ROUTED)
def test_no_text_of_the_silk_lies_over_another_or_on_the_edge_of_a_part(name: str, monkeypatch: Any) -> None:
    board = of(named(name))
    boxes = []
    for words, x, y in written(board, monkeypatch):
        half = width(words, TEXT_MM) / 2
        boxes.append(shapely.box(x - half, y - TEXT_MM / 2, x + half, y + TEXT_MM / 2))
    edges = unary_union([shapely.box(*part.body).exterior for part in board.parts.values()])
    assert len(boxes) > 30 and not [each for each in boxes if each.intersects(edges)]
    assert not [1 for one, other in combinations(boxes, 2) if one.distance(other) < 0.2]


@pytest.mark.parametrize("name", ROUTED)
def test_every_wire_that_may_not_be_mistaken_has_its_name_on_the_silk(name: str, monkeypatch: Any) -> None:
    board = of(named(name))
    texts = written(board, monkeypatch)
    for part in board.parts.values():
        for words, places in _labels(part):
            if words in part.pads and part.ref.startswith(("J", "C")):
                assert any((words, *at) in texts for at in places), (part.ref, words)


def test_lists_and_archive_have_all_parts_and_layers() -> None:
    fab_files, board = made("board.toml"), of(ready())
    bom = list(csv.DictReader(io.StringIO(fab_files["carrier-bom.csv"].decode())))
    refs = [ref for row in bom for ref in row["designators"].split()]
    assert sorted(refs) == sorted(board.parts)
    pieces = {row["designators"]: int(row["quantity"]) / len(row["designators"].split()) for row in bom}
    assert {refs: each for refs, each in pieces.items() if each != 1} == {"A1": 2}, "a socket for each side of the Pico"
    for row in bom:
        known = {board.parts[ref].number for ref in row["designators"].split()}
        assert known == {row["number"]} if row["number"] else known <= {*UNSEEN, ""}
        assert row["value"] and re.search(r", \d+\.\d\d mm$", row["footprint"])
    places = list(csv.DictReader(io.StringIO(fab_files["carrier-places.csv"].decode())))
    assert [row["reference"] for row in places] == list(board.parts)
    for row in places:
        middle = shapely.box(*board.parts[row["reference"]].body).centroid
        assert (float(row["x_mm"]), float(row["y_mm"])) == pytest.approx((middle.x, middle.y), abs=0.006)
    listed = list(csv.DictReader(io.StringIO(fab_files["carrier-nets.csv"].decode())))
    assert {row["net"] for row in listed} == set(board.nets)
    with zipfile.ZipFile(io.BytesIO(fab_files["carrier.zip"])) as archive:
        assert sorted(archive.namelist()) == sorted(file for file in fab_files if file.endswith((".gbr", ".drl")))
        assert all(archive.read(file) == fab_files[file] for file in archive.namelist())
    edge = GerberFile.from_string(fab_files["carrier-edge.gbr"].decode())
    [outline] = polygonize([(each.x1, each.y1), (each.x2, each.y2)] for each in edge.objects)
    assert outline.equals(shapely.box(0, 0, 80, 60)) and len(edge.objects) == 4


def test_the_archive_for_a_fab_has_boards_parts_and_places_under_the_names_that_it_reads() -> None:
    fab_files, board = made("board.toml"), of(ready())
    with zipfile.ZipFile(io.BytesIO(jlcpcb(fab_files, board))) as archive:
        held = {name: archive.read(name) for name in archive.namelist()}
    assert [*held] == ["1-gerbers.zip", "2-bom.csv", "3-places.csv"]
    with zipfile.ZipFile(io.BytesIO(held["1-gerbers.zip"])) as gerbers:
        assert sorted(map(gerbers.read, gerbers.namelist())) == sorted(
            text for file, text in fab_files.items() if file.endswith((".gbr", ".drl"))
        )
        assert drills(gerbers.read("carrier-NPTH.drl")) == drills(fab_files["carrier-unplated.drl"])
        function = {"GTL": "Copper,L1,Top", "GBL": "Copper,L2,Bot", "GTS": "Soldermask,Top", "GBS": "Soldermask,Bot"}
        for ending, said in (function | {"GTO": "Legend,Top", "GKO": "Profile,NP"}).items():
            assert said in gerbers.read(f"carrier.{ending}").decode(), ending
    bom, places = (list(csv.DictReader(io.StringIO(held[file].decode()))) for file in ("2-bom.csv", "3-places.csv"))
    assert sorted(ref for row in bom for ref in row["Designator"].split(",")) == sorted(board.parts)
    assert [row["Designator"] for row in places] == [*board.parts]
    own = list(csv.DictReader(io.StringIO(fab_files["carrier-places.csv"].decode())))
    assert [(row["Mid X"], row["Mid Y"]) for row in places] == [(f"{x['x_mm']}mm", f"{x['y_mm']}mm") for x in own]


def test_its_page_names_every_file() -> None:
    page = (HARDWARE / "carrier.md").read_text(encoding="utf-8")
    files_made = (*made("board.toml"), "carrier-placement.svg", "carrier-jlcpcb.zip")
    assert all(f"`{file}`" in page for file in files_made)
    assert all(number in page for number in UNSEEN)
    assert f"{WIDE:g} \u00d7 {HIGH:g} mm" in page and f"{CLEAR_MM} mm between copper" in page


def test_the_same_board_gives_the_same_bytes() -> None:
    board, copper = of(ready()), routed("board.toml")
    assert files(board, copper, ground(board, copper), ready().name) == made("board.toml")


def test_boards_that_can_have_no_carrier_say_why() -> None:
    def why(board: Description) -> list[str]:
        return [finding.said for finding in carrier_problems(board, circuit(board, load(board.controller)))]

    for name in READY:
        assert not why(ready(name)), name
    assert why(changed(('"74AHCT125"', '"74AHCT1G125"'))) == ["the carrier has a socket for a package of four gates"]
    assert why(changed(("capacitor_uf = 100", "capacitor_uf = 2200"))) == [
        "the carrier has room for capacitors of 1000 µF and less"
    ]
    large = changed(("capacitor_uf = 100", "capacitor_uf = 1000"))
    assert not why(large)
    numbers = [
        {part.number for part in of(each).parts.values() if part.title.endswith("00 µF")} for each in (ready(), large)
    ]
    assert numbers == [{""}, {"EEU-FR1A102"}]
    players = '["GP9", "GP10", "GP11"]'
    assert not why(changed((players, f'{players}, ["GP16", "GP17", "GP18"]')))
    four = changed((players, f'{players}, ["GP16", "GP17", "GP18"], ["GP19", "GP20", "GP21"]'))
    assert why(four) == ["the carrier has connectors for 3 players' buttons"]
    assert why(changed(("count = 2", "count = 4"), ('"GP3"]', '"GP3", "GP4", "GP5"]'))) == [
        "the carrier has terminals for 3 tracks"
    ]
    other = changed(("raspberry_pi_pico", "adafruit_feather_rp2040"))
    assert "the carrier has a socket for a Pico" in why(other)


def test_check_notes_that_no_way_was_found_for_the_copper(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(routing, "_net", lambda *rest: False)
    said = CliRunner().invoke(cli, ["hardware", "check"]).stdout.splitlines()
    assert any("no way was found for the net" in line and line.startswith("note") for line in said), said
    assert said[-1] == "Three streets: it can be built, but not on a carrier board."


def test_a_command_for_a_board_without_a_carrier_says_why(tmp_path: Path) -> None:
    text = (HARDWARE / "board.toml").read_text("utf-8").replace('"74AHCT125"', '"74AHCT1G125"')
    (tmp_path / "board.toml").write_text(text, "utf-8")
    result = CliRunner().invoke(cli, ["hardware", "carrier", "--board", str(tmp_path / "board.toml")])
    assert result.exit_code == 1 and "the carrier has a socket for a package of four gates" in result.stderr


@pytest.mark.parametrize("name", ["boards/oval.toml", "boards/twenty-nine.toml"])
def test_the_strips_current_of_a_supply_stays_off_the_carrier(name: str) -> None:
    board = of(named(name))
    strips = {pad for ref, part in board.parts.items() if ref[0] == "J" and ref != "J0" for pad in part.pads}
    assert strips == {"DIN", "free"}
    assert not [ref for ref in board.parts if ref.startswith("C") and ref != "C1"]
    assert not [ref for ref in board.parts if ref.startswith("F")], "what comes onto it is fused already"
    assert "fuse 0.5 A" in board.parts["J0"].title
    assert set(board.nets["5V"]) == {("J0", "5V"), ("D1", "anode"), ("U1", "5 V"), ("C1", "+")}
    assert set(board.nets["VSYS"]) == {("D1", "cathode"), ("A1", "VSYS")}
