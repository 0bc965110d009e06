"""The circuit is followed along its wires: data through gate and resistor, current through a fuse, grounds to one."""

from __future__ import annotations

import pytest
from hardware.changed import board, own_supply

from cribboard.hardware import ratings
from cribboard.hardware.circuit import GATES, Circuit, circuit
from cribboard.hardware.controllers import load
from cribboard.hardware.description import Description, folder
from cribboard.hardware.description import load as described
from cribboard.hardware.shape import Layout
from cribboard.hardware.wire_lengths import SUPPLY_M, lengths

THROUGH = {"in": "out", "anode": "cathode"}  # a fuse, a resistor, a diode


def made(description: Description) -> Circuit:
    return circuit(description, load(description.controller))


def paths(schematic: Circuit, start: tuple[str, str]) -> list[list[str]]:
    """The parts along each way from a pin to where it ends."""
    ref, pin = start
    inside = THROUGH.get(pin, pin.replace(" in", " out") if ref.startswith("U") else pin)
    ends = [wire.end for wire in schematic.wires if wire.start == (ref, inside)]
    return [[ref, *rest] for end in ends for rest in paths(schematic, end)] if ends else [[f"{ref} {pin}"]]


def four_tracks() -> Description:
    return own_supply(count="4", pins='["GP2", "GP3", "GP4", "GP5"]')


BOARDS = [
    board(),
    own_supply(),
    four_tracks(),
    own_supply(shifter='"74AHCT1G125"'),
    described(folder() / "boards" / "oval.toml"),
    described(folder() / "boards" / "travel.toml"),
]


@pytest.mark.parametrize("description", BOARDS)
def test_every_data_pin_goes_through_a_gate_and_a_resistor_to_its_own_strip(description):
    schematic = made(description)
    gates = set()
    for number, pin in enumerate(description.tracks.pins, 1):
        (way,) = paths(schematic, ("A1", pin))
        assert way[0] == "A1" and way[1].startswith("U")
        assert way[2:] == [f"R{number}", f"LED{number} DIN"]
        gates.add(next(wire.end for wire in schematic.wires if wire.start == ("A1", pin)))
    assert len(gates) == description.tracks.count


@pytest.mark.parametrize("description", BOARDS)
def test_every_strip_and_the_shifter_get_their_current_through_one_fuse(description):
    schematic = made(description)
    usb = description.supply.kind == "usb"
    source = ("A1", "VBUS") if usb else ("PS1", "+5 V")
    ways = paths(schematic, source)
    fed = [way[-1] for way in ways]
    assert all(len([part for part in way if part.startswith("F")]) == 1 for way in ways)  # none stands behind another
    for number in range(1, description.tracks.count + 1):
        assert f"LED{number} 5V" in fed
        assert (f"LED{number} 5V at the end" in fed) is not usb
    assert {f"{ref} 5 V" for ref in schematic.parts if ref.startswith("U")} <= set(fed)
    behind: dict[str, set[str]] = {}
    for way in ways:
        (fuse,) = [part for part in way if part.startswith("F")]
        behind.setdefault(fuse, set()).add(way[-1].split()[0])
    strips = [{f"LED{number}"} for number in range(1, description.tracks.count + 1)]
    small = {ref for ref in schematic.parts if ref.startswith("U")} | {"A1"}
    assert list(behind.values()) == ([set().union(*strips, small - {"A1"})] if usb else [*strips, small])


def test_a_supply_reaches_the_controller_through_a_diode_and_never_its_usb():
    schematic = made(own_supply())
    ways = [way for way in paths(schematic, ("PS1", "+5 V")) if "A1" in way[-1]]
    assert ways == [["PS1", "X1", "F3", "D1", "A1 VSYS"]]
    assert schematic.parts["F3"].title == "fuse 0.5 A"
    assert "VBUS" not in schematic.parts["A1"].pins
    qt_py = circuit(own_supply(), load("adafruit_qtpy_rp2040"))
    assert not [way for way in paths(qt_py, ("PS1", "+5 V")) if "A1" in way[-1]]


def copper(schematic: Circuit, rail: str) -> list[set[tuple[str, str]]]:
    """The pins of strips that their own copper joins: from the beginning of each street to its end."""
    joined = []
    for ref, part in schematic.parts.items():
        if ref.startswith("LED"):
            far = f"{rail} at the end"
            pins = [pin for pin in part.pins if pin.startswith(rail) and pin != far] + [far] * (far in part.pins)
            joined += [{(ref, one), (ref, other)} for one, other in zip(pins[::2], pins[1::2], strict=False)]
    return joined


@pytest.mark.parametrize("description", BOARDS)
def test_every_ground_meets_the_others(description):
    schematic = made(description)
    links = [{wire.start, wire.end} for wire in schematic.wires] + copper(schematic, "GND")
    joined = {("X2", "GND")}
    for _ in links:  # a chain of buttons has its links, and so has a strip
        joined |= {place for link in links if link & joined for place in link}
    grounds = {(ref, pin) for ref, part in schematic.parts.items() for pin in part.pins if "GND" in pin}
    tied = {wire.end for wire in schematic.wires if wire.start[0].startswith("U") and wire.within}
    assert grounds | tied == joined - {("BZ1", "-")}


@pytest.mark.parametrize("description", BOARDS)
def test_every_pin_of_every_part_has_a_wire_and_every_wire_two_pins(description):
    schematic = made(description)
    ends = {place for wire in schematic.wires for place in (wire.start, wire.end)}
    assert ends == {(ref, pin) for ref, part in schematic.parts.items() for pin in part.pins}


def tied(schematic: Circuit, ref: str) -> list[int | None]:
    """The pins of a part that are joined to its ground, in the order of the wires from pin to pin."""
    return [
        schematic.parts[ref].number(wire.end[1]) for wire in schematic.wires if wire.within and wire.start[0] == ref
    ]


def test_gates_have_their_data_sheets_pins_and_what_is_not_used_is_grounded():
    (shifter,) = [part for part in made(board()).parts.values() if part.ref == "U1"]
    assert dict(zip(shifter.pins, shifter.numbers, strict=True)) == {
        "5 V": 14, "GND": 7, "1 in": 2, "1 out": 3, "2 in": 5, "2 out": 6,
        "1 enable": 1, "2 enable": 4, "3 in": 9, "3 enable": 10, "4 in": 12, "4 enable": 13,
    }  # fmt: skip
    assert tied(made(board()), "U1") == [4, 1, 9, 10, 12, 13]
    four = made(four_tracks())
    assert tied(four, "U1") == [4, 1, 10, 13] and four.parts["U1"].number("4 out") == 11
    single = made(own_supply(shifter='"74AHCT1G125"'))
    assert single.parts["U2"].numbers == (5, 3, 2, 4, 1) and tied(single, "U2") == [1]
    for gates, ground, supply in GATES.values():
        pins = [pin for gate in gates for pin in gate] + [ground, supply]
        assert len(pins) == len(set(pins)) == (14 if len(gates) == 4 else 5)


def test_capacitors_sit_at_every_strip_and_shifter():
    parts = made(board()).parts
    assert parts["LED1"].fitted == parts["LED2"].fitted == ("100 µF across 5V and GND",)
    assert parts["U1"].fitted == ("100 nF across 5 V and GND",)


def test_what_is_left_out_is_not_drawn():
    bare = made(board(shifter='"none"', data_ohm="0", capacitor_uf="0"))
    assert paths(bare, ("A1", "GP2")) == [["A1", "LED1 DIN"]]
    assert bare.parts["LED1"].fitted == ()
    alone = made(board(players_of_buttons="[[], []]", far_edge="[]"))
    assert [part.title for ref, part in alone.parts.items() if ref.startswith("S")] == ["buttons for all"]


@pytest.mark.parametrize("description", BOARDS)
def test_every_wire_carries_what_its_fuse_lets_through_or_else_its_source_gives(description):
    schematic, usb = made(description), description.on_usb
    unfused = 3.0 if usb else ratings.in_a_fault(description.supply.current_a)
    for wire in schematic.wires:
        ends = (wire.start[0], wire.end[0])
        if wire.colour not in ("RD", "BK") or any(ref.startswith(("S", "BZ")) for ref in ends):
            continue
        small = any(ref.startswith(("U", "D", "A")) for ref in ends)
        if "PS1" in ends or wire.end[1] == "in" or ends == ("A1", "X2"):
            most = unfused
        elif small and not usb:
            most = ratings.CONTROLLER_FUSE_A
        else:
            most = description.supply.fuse_a
        assert (ratings.ampacity(wire.mm2) or ratings.SIGNAL_A) >= most, wire


@pytest.mark.parametrize("description", BOARDS)
def test_what_goes_into_a_hole_can_be_soldered_there(description):
    for wire in made(description).wires:
        for ref, _ in (wire.start, wire.end):
            assert wire.mm2 <= (0.5 if ref == "A1" else 0.25 if ref[0] in "URDS" else 1.5), wire


def test_a_piezo_has_a_resistor_that_guards_the_pin_from_a_coil():
    schematic = made(board(pin_of_piezo='"GP14"'))
    chain = [(wire.start, wire.end) for wire in schematic.wires if "RZ1" in (wire.start[0], wire.end[0])]
    assert chain == [(("BZ1", "+"), ("RZ1", "out")), (("RZ1", "in"), ("A1", "GP14"))]
    assert schematic.parts["RZ1"].title == "330 Ω"
    assert ratings.PIN_V / (ratings.PIEZO_OHM + 16) <= 0.012  # amperes of an RP2040's pin


def test_the_buttons_of_a_player_are_chained_to_one_ground_wire():
    schematic = made(board())
    links = [(wire.start, wire.end) for wire in schematic.wires if wire.end[0] == "S1"]
    assert links == [
        (("S1", "+1 GND"), ("S1", "+5 GND")),
        (("S1", "+5 GND"), ("S1", "OK GND")),
        (("X2", "GND"), ("S1", "+1 GND")),
    ]
    length = lengths(board())
    assert [length(wire) for wire in schematic.wires if wire.start == ("S1", "+1 GND")] == [
        0.15
    ]  # 30 mm, and to solder


def test_the_supplys_wires_can_be_thicker_than_the_strips():
    strong = made(own_supply(current_a="8", main_wire_mm2="1.5"))
    thick = [(wire.start[0], wire.end[0]) for wire in strong.wires if wire.mm2 == 1.5]
    assert thick == [("PS1", "X1"), ("X1", "F1"), ("X1", "F2"), ("X1", "F3"), ("PS1", "X2")]


def test_wires_are_as_long_as_the_board_needs():
    description = own_supply()
    schematic, length = made(description), lengths(description)
    by_end = {wire.end: length(wire) for wire in schematic.wires}
    assert by_end["X1", "5 V"] == SUPPLY_M
    assert by_end["U1", "1 in"] == pytest.approx(0.15)
    travel = described(folder() / "boards" / "travel.toml")
    shorter = {wire.end: lengths(travel)(wire) for wire in made(travel).wires}
    assert shorter["LED1", "5V"] < by_end["LED1", "5V"] < 1
    assert all(round(length(wire) * 20, 6) % 1 == 0 for wire in schematic.wires)


def test_the_far_end_of_a_strip_has_a_wire_of_its_own_length():
    description = described(folder() / "boards" / "oval.toml")
    length = {wire.end: lengths(description)(wire) for wire in made(description).wires}
    layout = Layout(description)
    width, height = layout.size
    for pin, led in (("5V", 0), ("5V at the end", -1)):
        x, y = layout.holes(0)[led]
        spare = length["LED1", pin] - (abs(x - width / 2) + abs(y - height / 2)) / 1000
        assert 0.0999 <= spare < 0.15, pin
    assert length["LED1", "5V"] != length["LED1", "5V at the end"]
