"""WireViz draws the circuit; its bill and the wire list are the circuit's."""

from __future__ import annotations

import csv
import importlib.util
import shutil
import subprocess
import xml.etree.ElementTree as ElementTree

import pytest
from hardware.changed import board, own_supply

from cribboard.hardware.circuit import Circuit, circuit
from cribboard.hardware.controllers import load
from cribboard.hardware.description import Description
from cribboard.hardware.lengths import lengths
from cribboard.hardware.wiring import MADE, WiringError, draw, wire_list

GRAPHVIZ = pytest.mark.skipif(shutil.which("dot") is None, reason="needs Graphviz: apt install graphviz")


def made(description: Description) -> Circuit:
    return circuit(description, load(description.controller))


@GRAPHVIZ
@pytest.mark.parametrize("description", [board(pin_of_piezo='"GP14"'), own_supply(), own_supply(shifter='"none"')])
def test_the_diagram_has_every_part_and_every_cable(description, tmp_path):
    found = made(description)
    files = draw(found, "a board", lengths(description), tmp_path / "new" / "folder")
    assert [file.name for file in files] == [*MADE, "wires.csv"]
    assert all(file.stat().st_size for file in files)
    texts = [text.text for text in ElementTree.parse(files[0]).iter("{http://www.w3.org/2000/svg}text")]
    for ref, part in found.parts.items():
        assert ref in texts and part.title in texts
    assert {name for name, _ in found.cables()} <= set(texts)


@GRAPHVIZ
def test_the_same_board_makes_the_same_files(tmp_path):
    for folder in ("one", "two"):
        draw(made(board()), "a board", lengths(board()), tmp_path / folder)
    for name in (*MADE, "wires.csv"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes(), name


@GRAPHVIZ
def test_the_bill_has_as_much_wire_as_the_circuit(tmp_path):
    description = board()
    found, length = made(description), lengths(description)
    draw(found, "a board", length, tmp_path)
    with (tmp_path / "wiring.bom.tsv").open(encoding="utf-8", newline="") as file:
        bill = {row["Description"]: float(row["Qty"]) for row in csv.DictReader(file, delimiter="\t")}
    for colour in ("RD", "BK"):
        metres = sum(length(wire) for wire in found.wires if wire.colour == colour and wire.mm2 == 0.5)
        assert bill[f"Wire, 0.5 mm², {colour}"] == pytest.approx(metres)


def test_the_wire_list_is_every_wire_with_both_its_ends():
    found = made(own_supply())
    rows = list(csv.reader(wire_list(found, lengths(own_supply())).splitlines()))[1:]
    listed = sorted((row[1], row[2], row[3], row[4]) for row in rows)
    assert listed == sorted((*wire.start, *wire.end) for wire in found.wires)
    assert rows[0][5:] == ["red", "0.75", "1.00"]


def test_what_is_missing_is_said_with_how_to_get_it(monkeypatch, tmp_path):
    found, length = made(board()), lengths(board())
    monkeypatch.setattr(shutil, "which", lambda name: None)
    with pytest.raises(WiringError, match="apt install graphviz"):
        draw(found, "a board", length, tmp_path)
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(WiringError, match=r"pip install 'cribboard\[hardware\]'"):
        draw(found, "a board", length, tmp_path)
    assert not list(tmp_path.iterdir())


def test_a_failure_of_wireviz_is_told_by_its_last_line(monkeypatch, tmp_path):
    monkeypatch.setattr(shutil, "which", lambda name: "/usr/bin/dot")

    def fail(command: list[str], **options: object) -> subprocess.CompletedProcess[str]:
        return subprocess.CompletedProcess(command, 1, "", "a traceback\nException: no such colour")

    monkeypatch.setattr(subprocess, "run", fail)
    with pytest.raises(WiringError, match="WireViz has failed: Exception: no such colour"):
        draw(made(board()), "a board", lengths(board()), tmp_path)
