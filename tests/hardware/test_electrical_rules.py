"""An electrical rule check of the circuits that all drawings, lists and carriers are made from."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

import pytest

from cribboard.hardware.carrier import joined
from cribboard.hardware.circuit import Circuit, Place, Wire, circuit
from cribboard.hardware.controllers import load
from cribboard.hardware.description import Description
from hardware.boards import READY, changed, ready

GIVES, GROUND, DRIVES = "a supply", "ground", "an output"
TAKES, TO_GROUND, LISTENS = "5 V in", "ground in", "an input"
BUTTON, PASSIVE = "a button", "passive"
FOUR = [
    ("count = 2", "count = 4"),
    ('["GP2", "GP3"]', '["GP2", "GP3", "GP4", "GP5"]'),
    ("apart_mm = 45", "apart_mm = 75"),
]
OWN_SUPPLY = [name for name in READY if not ready(name).on_usb]


def of(board: Description) -> Circuit:
    return circuit(board, load(board.controller))


def kind(board: Description, place: Place) -> str:
    """What a pin is to its net."""
    ref, pin = place
    if ref == "PS1":
        return GROUND if pin == "GND" else GIVES
    if ref == "A1":
        if pin == "GND":
            return GROUND if board.on_usb else TO_GROUND
        if pin in (*board.tracks.pins, board.piezo):
            return DRIVES
        buttons = [board.buttons.undo, board.buttons.deal, *(pin for pins in board.buttons.players for pin in pins)]
        return LISTENS if pin in buttons else GIVES if board.on_usb else TAKES
    if ref.startswith(("LED", "U")):
        first = pin.partition(",")[0]
        if first.startswith(("5V", "5 V")):
            return TAKES
        if first.startswith("GND"):
            return TO_GROUND
        return DRIVES if first == "DOUT" or pin.endswith(" out") else LISTENS
    if ref.startswith("S"):
        return TO_GROUND if pin.endswith(" GND") else BUTTON
    return TO_GROUND if place == ("BZ1", "-") else PASSIVE


def networks(board: Description, made: Circuit, through: tuple[str, ...]) -> list[set[Place]]:
    """What is joined by wires, by a strip's own rails, and through fuses, diodes or resistors."""
    groups = joined(made)
    groups += [{place} for ref, part in made.parts.items() for place in [(ref, pin) for pin in part.pins]]
    for ref, part in made.parts.items():
        if ref.rstrip("0123456789") in through:
            groups.append({(ref, pin) for pin in part.pins})
        if ref.startswith("LED"):
            groups += [
                {(ref, pin) for pin in part.pins if kind(board, (ref, pin)) == rail} for rail in (TAKES, TO_GROUND)
            ]
    merged: list[set[Place]] = []
    for group in groups:
        touching = [other for other in merged if other & group]
        merged = [other for other in merged if other not in touching] + [group.union(*touching)]
    return merged


def breaches(board: Description, made: Circuit) -> Iterator[str]:
    """What no designer would sign."""
    wired = set().union(*joined(made))
    for ref, part in made.parts.items():
        for pin in part.pins:
            if (ref, pin) not in wired:
                yield f"{ref} {pin} is not joined to anything"
    for net in networks(board, made, ("F", "D", "R", "RZ")):
        kinds = {place: kind(board, place) for place in net}
        there = set(kinds.values())
        drivers = [place for place, what in kinds.items() if what == DRIVES]
        if {GIVES, GROUND} <= there:
            yield f"the supply is short-circuited: {sorted(net)}"
        if len(drivers) > 1 or (drivers and there & {GIVES, GROUND}):
            yield f"{drivers} drive each other or a rail"
        if TAKES in there and GIVES not in there:
            yield f"{sorted(net)} have no supply"
        if TO_GROUND in there and GROUND not in there:
            yield f"{sorted(net)} have no ground"
        if BUTTON in there and [what for what in kinds.values() if what != BUTTON] != [LISTENS]:
            yield f"{sorted(net)} is no button at one pin"
        if LISTENS in there and not there & {DRIVES, GROUND, BUTTON}:
            yield f"nothing drives {sorted(net)}"
    for ref in made.parts:
        if ref.startswith("F") and not any(
            (ref, "in") in net and GIVES in {kind(board, each) for each in net} for net in networks(board, made, ())
        ):
            yield f"{ref} is not at the supply"
    if "D1" in made.parts:
        [net] = [net for net in networks(board, made, ("F",)) if ("D1", "anode") in net]
        if GIVES not in {kind(board, each) for each in net}:
            yield "D1 is the wrong way round"


def every_board() -> Iterator[tuple[str, Description]]:
    for name in READY:
        yield name, ready(name)
    yield "four tracks", changed(*FOUR)
    yield "a shifter for each track", changed(('"74AHCT125"', '"74AHCT1G125"'))
    yield (
        "no buttons for players",
        changed(('[["GP6", "GP7", "GP8"], ["GP9", "GP10", "GP11"]]', "[[], []]"), ("far_edge = [2]", "far_edge = []")),
    )


@pytest.mark.parametrize(("name", "board"), [*every_board()], ids=[name for name, _ in every_board()])
def test_the_circuit_of_every_board_keeps_the_electrical_rules(name: str, board: Description) -> None:
    assert [*breaches(board, of(board))] == []


@pytest.mark.parametrize("name", READY)
def test_a_wire_that_is_left_out_breaks_a_rule(name: str) -> None:
    board = ready(name)
    made = of(board)
    for number, wire in enumerate(made.wires):
        if (wire.start[0].startswith("LED") and wire.colour != "GN") or wire.end[1].endswith(" at the end"):
            continue  # a rail that is fed from both ends, or along the strip: the volts are another check's
        left = replace(made, wires=made.wires[:number] + made.wires[number + 1 :])
        assert [*breaches(board, left)], wire


@pytest.mark.parametrize("name", READY)
def test_a_wire_to_the_wrong_rail_or_output_breaks_a_rule(name: str) -> None:
    board, chance = ready(name), random.Random(3)
    made = of(board)
    nets = networks(board, made, ("R", "RZ", "F", "D", "BZ"))
    places = [(ref, pin) for ref, part in made.parts.items() for pin in part.pins]
    for _ in range(100):
        one, other = chance.sample(places, 2)
        if any({one, other} <= net for net in nets) or "BZ1" in (one[0], other[0]):
            continue
        added = replace(made, wires=[*made.wires, Wire(one, other, "RD", 0.25)])
        assert [*breaches(board, added)], (one, other)


@pytest.mark.parametrize("name", OWN_SUPPLY)
def test_a_diode_that_is_turned_is_noticed(name: str) -> None:
    board = ready(name)
    made = of(board)
    turned = {("D1", "anode"): ("D1", "cathode"), ("D1", "cathode"): ("D1", "anode")}
    wires = [
        replace(wire, start=turned.get(wire.start, wire.start), end=turned.get(wire.end, wire.end))
        for wire in made.wires
    ]
    assert [*breaches(board, replace(made, wires=wires))] == ["D1 is the wrong way round"]
