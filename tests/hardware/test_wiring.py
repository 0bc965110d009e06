"""WireViz draws the circuit; its bill and the wire list are the circuit's."""

from __future__ import annotations

import csv
import importlib.util
import re
import shutil
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from hardware.changed import board, own_supply

from cribboard.hardware.circuit import Circuit, circuit
from cribboard.hardware.controllers import load
from cribboard.hardware.description import Description
from cribboard.hardware.wire_lengths import lengths
from cribboard.hardware.wiring import MADE, WiringError, draw, sheets, wire_list
from hardware.boards import READY, ready

SVG = "{http://www.w3.org/2000/svg}"
GRAPHVIZ = pytest.mark.skipif(shutil.which("dot") is None, reason="needs Graphviz: apt install graphviz")


def made(description: Description) -> Circuit:
    return circuit(description, load(description.controller))


@GRAPHVIZ
@pytest.mark.parametrize("description", [board(pin_of_piezo='"GP14"'), own_supply(), own_supply(shifter='"none"')])
def test_the_diagram_has_every_part_and_every_cable(description, tmp_path):
    schematic = made(description)
    files = draw(schematic, "a board", lengths(description), tmp_path / "new" / "folder")
    assert [file.name for file in files] == [*MADE, "wires.csv"]
    assert all(file.stat().st_size for file in files)
    texts = [text for file in files[:3] for text in written(file)]
    for ref, part in schematic.parts.items():
        assert ref in texts and part.title in texts
        inner = {
            place
            for wire in schematic.wires
            if wire.within and not ref.startswith("S")
            for place in (wire.end, wire.start)
        }
        drawn = {pin for pin in part.pins if (ref, pin) not in inner or pin == "GND"}
        assert drawn <= {*texts}
    for name, wires in schematic.cables():
        shown = [text for text in texts if text == name or text.startswith(f"{name}: ")]
        assert shown, name
        assert (": " in shown[0]) is wires[0].within


@GRAPHVIZ
@pytest.mark.parametrize("name", READY)
def test_each_sheet_fits_a_page_and_can_be_read_there(name, tmp_path):
    description = ready(name)
    for file in draw(made(description), "a board", lengths(description), tmp_path)[:3]:
        root = ElementTree.parse(file).getroot()
        width, height = (float(root.attrib[side].removesuffix("pt")) for side in ("width", "height"))
        assert width <= 10.2 * 72 + 1 and height <= 7.4 * 72 + 1, file
        (scale,) = {float(each) for each in re.findall(r"scale\(([\d.]+)", file.read_text(encoding="utf-8"))}
        sizes = {float(text.attrib["font-size"]) for text in root.iter(f"{SVG}text")}
        assert min(sizes) * scale >= 6, (file, min(sizes) * scale)
        *_, wide, high = map(float, root.attrib["viewBox"].split())
        sheet = next(root.iter(f"{SVG}polygon")).attrib["points"]
        xs, ys = zip(*(map(float, point.split(",")) for point in sheet.split()), strict=True)
        assert (max(xs) - min(xs)) * scale <= wide + 0.01 and (max(ys) - min(ys)) * scale <= high + 0.01, file


def written(file: Path) -> list[str]:
    return [text.text or "" for text in ElementTree.parse(file).iter(f"{SVG}text")]


@GRAPHVIZ
def test_the_same_board_makes_the_same_files(tmp_path):
    for folder in ("one", "two"):
        draw(made(board()), "a board", lengths(board()), tmp_path / folder)
    for name in (*MADE, "wires.csv"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes(), name


@GRAPHVIZ
def test_the_bill_has_as_much_wire_as_the_circuit(tmp_path):
    description = board()
    schematic, length = made(description), lengths(description)
    draw(schematic, "a board", length, tmp_path)
    with (tmp_path / "wiring.bom.tsv").open(encoding="utf-8", newline="") as file:
        bill = {row["Description"]: float(row["Qty"]) for row in csv.DictReader(file, delimiter="\t")}
    for colour in ("RD", "BK"):
        every = [*schematic.wires, *schematic.links()]
        metres = sum(length(wire) * wire.count for wire in every if wire.colour == colour and wire.mm2 == 0.5)
        assert bill[f"Wire, 0.5 mm², {colour}"] == pytest.approx(metres)
    thin = sum(length(wire) for wire in schematic.wires if wire.colour == "BK" and wire.mm2 == 0.25)
    assert bill["Wire, 0.25 mm², BK"] == pytest.approx(thin)  # those from button to button, too
    assert not [name for name in bill if "onnector" in name]
    assert bill["330 Ω"] == 2 and bill["fuse 1 A"] == 1


def test_the_wire_list_is_every_wire_with_both_its_ends():
    schematic = made(own_supply())
    rows = list(csv.reader(wire_list(schematic, lengths(own_supply())).splitlines()))[1:]
    listed = sorted((row[1], row[2], row[3], row[4]) for row in rows)
    assert listed == sorted((*wire.start, *wire.end) for wire in (*schematic.wires, *schematic.links()))
    assert rows[0][1:] == ["PS1", "+5 V", "X1", "5 V", "red", "1", "0.30", "1"]
    assert rows[1][1:] == ["X1", "5 V", "F1", "in", "red", "1", "0.15", "1"]
    joined = ["X2", "GND", "X2", "GND", "black", "1", "0.15", "1"]
    assert [row[1:] for row in rows if row[1] == row[3] and row[1].startswith("X")] == [joined] * 2, "three connectors"


def test_the_wire_list_has_the_joints_between_streets_and_the_ties_of_the_shifter():
    rows = list(csv.reader(wire_list(made(board()), lengths(board())).splitlines()))[1:]
    joints = [row for row in rows if row[1] == row[3] and row[1].startswith("LED")]
    assert len(joints) == 12  # two tracks with two folds, three wires at each
    assert ["LED2", "DOUT, end of street 2", "LED2", "DIN, start of street 3"] in [row[1:5] for row in joints]
    assert {row[5]: row[6] for row in joints} == {"red": "0.5", "black": "0.5", "green": "0.25"}
    ties = [row[4] for row in rows if row[1] == row[3] == "U1"]
    assert ties == ["2 enable", "1 enable", "3 in", "3 enable", "4 in", "4 enable"]
    sheet = sheets(made(board()), "x", lengths(board()))["power"]
    assert "join 7-4-1 and 7-9-10-12-13" in str(sheet["connectors"]["U1"]["notes"]), "two chains, as they are soldered"


def test_single_pixels_are_joined_one_by_one():
    rows = list(
        csv.reader(wire_list(made(ready("boards/oval.toml")), lengths(ready("boards/oval.toml"))).splitlines())
    )[1:]
    assert [row[-1] for row in rows if "each pixel" in row[2]] == ["120"] * 6
    assert all(row[-1] == "1" for row in rows if "each pixel" not in row[2])


def test_a_track_that_runs_one_way_has_joints_as_long_as_its_streets():
    to_and_fro, one_way = board(), board(serpentine="false")
    joints = [
        [lengths(each)(wire) for wire in made(each).wires if "start of street" in wire.end[1]]
        for each in (to_and_fro, one_way)
    ]
    assert max(joints[0]) <= 0.15 and min(joints[1]) > 0.3


def test_what_is_missing_is_said_with_how_to_get_it(monkeypatch, tmp_path):
    schematic, length = made(board()), lengths(board())
    monkeypatch.setattr(shutil, "which", lambda name: None)
    with pytest.raises(WiringError, match="apt install graphviz"):
        draw(schematic, "a board", length, tmp_path)
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(WiringError, match=r"project's folder: pip install -e '\.\[hardware\]'"):
        draw(schematic, "a board", length, tmp_path)
    assert not list(tmp_path.iterdir())


def test_a_failure_of_wireviz_is_told_by_its_last_line(monkeypatch, tmp_path):
    monkeypatch.setattr(shutil, "which", lambda name: "/usr/bin/dot")
    fails = tmp_path / "wireviz" / "wv_cli.py"
    fails.parent.mkdir()
    (fails.parent / "__init__.py").touch()
    fails.write_text("raise Exception('no such colour')\n", encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with pytest.raises(WiringError, match="WireViz has failed: Exception: no such colour"):
        draw(made(board()), "a board", lengths(board()), tmp_path)
