"""The parts list is counted from the board, not written by hand."""

from __future__ import annotations

import csv
import io
from collections import Counter

import pytest
from hardware.changed import board, own_supply

from cribboard.hardware.circuit import circuit
from cribboard.hardware.controllers import load
from cribboard.hardware.description import Description, folder
from cribboard.hardware.description import load as described
from cribboard.hardware.parts import Item, as_csv, as_markdown, parts
from cribboard.hardware.wire_lengths import lengths
from cribboard.hardware.wiring import wire_list
from hardware.boards import READY, ready


def items(description: Description) -> list[Item]:
    return parts(description, circuit(description, load(description.controller)), lengths(description))


def quantities(description: Description) -> dict[str, float]:
    amounts: Counter[str] = Counter()
    for item in items(description):
        amounts[item.part] += item.quantity  # type: ignore[assignment]
    return amounts


def test_the_default_board_needs_what_it_is_wired_with():
    needed = quantities(board())
    assert needed["WS2812B strip, 5 V, 144/m"] == 1.8  # 242 pixels and six to spare
    assert needed["74AHCT125, with a socket or a breakout"] == 1
    assert needed["resistor 330 Ω"] == 2
    assert needed["electrolytic capacitor 100 µF, 6.3 V or more"] == 2
    assert needed["push-button that closes"] == 8
    assert needed["fuse 1 A, with its holder"] == 1
    assert "passive piezo" not in needed and "Schottky diode 1N5817" not in needed


def test_more_tracks_players_and_a_supply_need_more():
    description = own_supply(
        count="4",
        pins='["GP2", "GP3", "GP4", "GP5"]',
        players_of_buttons='[["GP6", "GP7", "GP8"], ["GP9", "GP10", "GP11"], ["GP16", "GP17", "GP18"]]',
        pin_of_piezo='"GP14"',
    )
    needed = quantities(description)
    assert needed["fuse 2 A, with its holder"] == 4 and needed["fuse 0.5 A, with its holder"] == 1
    assert needed["resistor 330 Ω"] == 5  # four in the data lines, one before the piezo
    assert needed["74AHCT125, with a socket or a breakout"] == 1  # it has four gates
    assert needed["push-button that closes"] == 11
    assert needed["passive piezo"] == needed["Schottky diode 1N5817"] == 1
    assert needed["USB data cable"] == 1  # the firmware comes over it


@pytest.mark.parametrize(("kind", "packages"), [("74AHCT125", 1), ("74AHCT1G125", 2)])
def test_shifters_are_counted_by_their_gates(kind, packages):
    assert quantities(board(shifter=f'"{kind}"'))[f"{kind}, with a socket or a breakout"] == packages


def test_what_a_board_leaves_out_is_not_bought():
    needed = quantities(board(shifter='"none"', data_ohm="0", capacitor_uf="0"))
    assert not [part for part in needed if "125" in part or "resistor" in part or "capacitor" in part]


def test_single_pixels_are_counted_and_wired_one_by_one():
    needed = quantities(described(folder() / "boards" / "oval.toml"))
    assert needed["addressable 5 mm LED, 5 V, WS2812 protocol"] == 247
    assert needed["ceramic capacitor 100 nF"] == 243
    assert needed["stranded wire 0.5 mm², red"] == needed["stranded wire 0.5 mm², black"] >= 2 * 1.2
    assert needed["stranded wire 0.25 mm², green"] >= 2 * 1.2 + 1
    assert not [part for part in needed if "strip" in part]


@pytest.mark.parametrize("name", READY)
def test_wire_is_all_that_the_wire_list_has_and_a_fifth_more(name):
    description = ready(name)
    made, length = circuit(description, load(description.controller)), lengths(description)
    cut: Counter[str] = Counter()
    for row in csv.DictReader(io.StringIO(wire_list(made, length))):
        cut[f"stranded wire {row['mm2']} mm², {row['colour']}"] += float(row["m"]) * int(row["how many"])  # type: ignore[assignment]
    bought = {part: metres for part, metres in quantities(description).items() if part.startswith("stranded wire")}
    assert bought.keys() == cut.keys()
    for part, metres in cut.items():
        assert 1.2 * metres <= bought[part] + 1e-6 <= 1.2 * metres + 0.1 + 1e-6, part


def test_what_is_no_equal_is_not_offered_as_one():
    def instead(description: Description, part: str) -> str:
        (replacement,) = [item.instead for item in items(description) if item.part.startswith(part)]
        return replacement

    assert instead(board(), "74AHCT125") == "74AHCT1G125"
    assert instead(board(), "fuse 1 A") == "no resettable (PTC) fuse: it trips at twice its rating"
    assert "no coil" in instead(own_supply(pin_of_piezo='"GP14"'), "passive piezo")


def test_a_supply_is_bought_with_the_marks_of_one_that_is_limited():
    assert quantities(own_supply())["enclosed supply 5 V, 4 A, marked “LPS” or “Class 2”"] == 1
    strong = own_supply(current_a="8", main_wire_mm2="1.5")
    assert quantities(strong)["enclosed supply 5 V, 8 A, marked “SELV”, or “ES1” and “PS2”"] == 1


def test_the_list_is_the_same_as_csv_and_as_markdown():
    bill = items(board())
    rows = list(csv.DictReader(io.StringIO(as_csv(bill))))
    assert [row["part"] for row in rows] == [item.part for item in bill]
    assert [float(row["quantity"]) for row in rows] == [item.quantity for item in bill]
    text = as_markdown(board(), bill)
    lines = [line for line in text.splitlines() if line.startswith("|")][2:]
    assert [line.split("|")[1].strip() for line in lines] == [item.part for item in bill]
    assert all(line.count("|") == 5 for line in lines)
    assert "euro" not in text, "what a board costs stands in the order alone"


def test_every_part_costs_something_and_is_for_something():
    for description in (board(), own_supply(), described(folder() / "boards" / "oval.toml")):
        for item in items(description):
            assert 0 < item.low <= item.high and item.quantity > 0 and item.use
