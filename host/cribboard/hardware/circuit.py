"""The circuit of a board: its electric parts, and every wire between them.

All 5 V come to one terminal and all grounds to another. A fuse stands before the first; with a supply of its own each
strip has another one after it, and the shifter hangs on the first of these.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise

from cribboard.hardware import ratings
from cribboard.hardware.controllers import Controller
from cribboard.hardware.description import Description

RED, BLACK, GREEN, YELLOW, BLUE, WHITE = "RD", "BK", "GN", "YE", "BU", "WH"  # as IEC 60757 shortens them
GATES = {  # output-enable, input and output of each gate, then ground and supply; by the data sheets
    4: (((1, 2, 3), (4, 5, 6), (10, 9, 8), (13, 12, 11)), 7, 14),
    1: (((1, 2, 4),), 3, 5),
}
TITLES = ("+1", "+5", "OK")
Place = tuple[str, str]  # a part and one of its pins


@dataclass(frozen=True)
class Part:
    """A thing that wires go to: what it is, the names of its pins, and what to heed."""

    ref: str
    title: str
    pins: tuple[str, ...]
    numbers: tuple[int, ...]  # of the pins, where a part has them
    fitted: tuple[str, ...]  # what is soldered across it
    joined: tuple[int, ...]  # numbers of the pins that are joined to its ground
    note: str

    def number(self, pin: str) -> int | None:
        """The number of a pin; None when this part's pins have none."""
        return self.numbers[self.pins.index(pin)] if self.numbers else None


@dataclass(frozen=True)
class Wire:
    """One wire."""

    start: Place
    end: Place
    colour: str
    mm2: float


@dataclass
class Circuit:
    """Parts by their references, and the wires in the order in which they are best made."""

    parts: dict[str, Part] = field(default_factory=dict)
    wires: list[Wire] = field(default_factory=list)

    def add(
        self,
        ref: str,
        title: str,
        *pins: str,
        numbers: tuple[int, ...] = (),
        fitted: tuple[str, ...] = (),
        joined: tuple[int, ...] = (),
        note: str = "",
    ) -> str:
        """Put a part in."""
        self.parts[ref] = Part(ref, title, pins, numbers, fitted, joined, note)
        return ref

    def join(self, start: Place, end: Place, colour: str, mm2: float) -> None:
        """Put a wire in."""
        self.wires.append(Wire(start, end, colour, mm2))

    def cables(self) -> Iterator[tuple[str, list[Wire]]]:
        """The wires that run between the same two parts, or within one, with a name."""
        found: dict[tuple[str, str, float], list[Wire]] = {}
        for wire in self.wires:
            found.setdefault((wire.start[0], wire.end[0], wire.mm2), []).append(wire)
        for number, wires in enumerate(found.values(), 1):
            yield f"W{number}", wires


def circuit(board: Description, controller: Controller) -> Circuit:
    """The circuit of a described board."""
    made = Circuit()
    _controller(made, board, controller)
    supply = _power(made, board, controller)
    _ground(made, board)
    _tracks(made, board, supply)
    _buttons(made, board)
    return made


def _controller(made: Circuit, board: Description, controller: Controller) -> None:
    named = [*board.tracks.pins, *(pin for pins in board.buttons.players for pin in pins)]
    named += [board.buttons.undo, board.buttons.deal, board.piezo]
    power = [controller.usb_pin or "5 V"] if board.supply.kind == "usb" else ["VSYS"] if controller.is_pico else []
    pins = [*power, "GND", *filter(None, named)]
    made.add("A1", controller.title, *pins, numbers=controller.numbers(pins))


def _power(made: Circuit, board: Description, controller: Controller) -> list[Place]:
    """The places that each track takes its 5 V from."""
    mm2, main, fuse = board.supply.wire_mm2, board.supply.main_wire_mm2, f"fuse {board.supply.fuse_a:g} A"
    terminal = made.add("X1", "terminal", "5 V")
    if board.supply.kind == "usb":
        made.add("F1", fuse, "in", "out")
        made.join(("A1", controller.usb_pin or "5 V"), ("F1", "in"), RED, mm2)
        made.join(("F1", "out"), (terminal, "5 V"), RED, mm2)
        return [(terminal, "5 V")] * board.tracks.count
    made.add("PS1", f"supply 5 V {board.supply.current_a:g} A", "+5 V", "GND")
    made.add("F0", f"fuse {board.supply.main_fuse_a:g} A", "in", "out", note="at the supply")
    made.join(("PS1", "+5 V"), ("F0", "in"), RED, main)
    made.join(("F0", "out"), (terminal, "5 V"), RED, main)
    found: list[Place] = []
    for number in range(1, board.tracks.count + 1):
        ref = made.add(f"F{number}", fuse, "in", "out")
        made.join((terminal, "5 V"), (ref, "in"), RED, main)
        found.append((ref, "out"))
    if controller.is_pico:
        made.add("D1", "Schottky diode 1 A", "anode", "cathode", note="the ring is the cathode")
        made.join(found[0], ("D1", "anode"), RED, mm2)
        made.join(("D1", "cathode"), ("A1", "VSYS"), RED, mm2)
    return found


def _ground(made: Circuit, board: Description) -> None:
    made.add("X2", "terminal", "GND")
    own, controllers = ("X2", "GND"), ("A1", "GND")
    if board.supply.kind == "usb":
        made.join(controllers, own, BLACK, board.supply.wire_mm2)
    else:
        made.join(("PS1", "GND"), own, BLACK, board.supply.main_wire_mm2)
        made.join(own, controllers, BLACK, board.supply.wire_mm2)


def _tracks(made: Circuit, board: Description, supply: list[Place]) -> None:
    mm2, thin, parts = board.supply.wire_mm2, ratings.SIGNAL_MM2, board.interface
    both = board.supply.kind != "usb"
    gates = _shifters(made, board, supply[0])
    for number, (pin, source) in enumerate(zip(board.tracks.pins, supply, strict=True), 1):
        strip = f"LED{number}"
        fitted = (f"{parts.capacitor_uf} µF across 5V and GND",) if parts.capacitor_uf else ()
        ends = ("5V at the end", "GND at the end") if both else ()
        title = f"track {number}, {board.tracks.leds} WS2812B"
        made.add(strip, title, "5V", "DIN", "GND", *ends, fitted=fitted)
        out: Place = ("A1", pin)
        if gates:
            (ref, enter, leave) = gates[number - 1]
            made.join(out, (ref, enter), GREEN, thin)
            out = (ref, leave)
        if parts.data_ohm:
            made.add(f"R{number}", f"{parts.data_ohm} Ω", "in", "out", note="close to the strip")
            made.join(out, (f"R{number}", "in"), GREEN, thin)
            out = (f"R{number}", "out")
        made.join(out, (strip, "DIN"), GREEN, thin)
        for end in ("", " at the end") if both else ("",):
            made.join(source, (strip, "5V" + end), RED, mm2)
            made.join(("X2", "GND"), (strip, "GND" + end), BLACK, mm2)


def _shifters(made: Circuit, board: Description, source: Place) -> list[tuple[str, str, str]]:
    """The gate of each track: its package, its input and its output."""
    kind = board.interface.shifter
    if kind not in ratings.SHIFTERS:
        return []
    in_one = ratings.SHIFTERS[kind]
    layout, ground, supply = GATES[in_one]
    found: list[tuple[str, str, str]] = []
    for number in range(-(-board.tracks.count // in_one)):
        ref = f"U{number + 1}"
        used = layout[: board.tracks.count - len(found)]
        idle = [gate[1] for gate in layout[len(used) :]]
        gates = [(f"{gate} in", f"{gate} out") for gate in range(1, len(used) + 1)]
        numbers = (supply, ground, *(pin for gate in used for pin in gate[1:]))
        joined = tuple(sorted((*(gate[0] for gate in layout), *idle)))
        names = [pin for gate in gates for pin in gate]
        near = ("100 nF across 5 V and GND",)
        made.add(ref, kind, "5 V", "GND", *names, numbers=numbers, fitted=near, joined=joined)
        made.join(source, (ref, "5 V"), RED, board.supply.wire_mm2)
        made.join(("X2", "GND"), (ref, "GND"), BLACK, board.supply.wire_mm2)
        found += [(ref, enter, leave) for enter, leave in gates]
    return found


def _buttons(made: Circuit, board: Description) -> None:
    thin = ratings.SIGNAL_MM2
    groups: list[tuple[str, tuple[str, ...], tuple[str, ...]]]
    groups = [(f"buttons of player {n}", TITLES, pins) for n, pins in enumerate(board.buttons.players, 1) if pins]
    groups.append(("buttons for all", ("UNDO", "DEAL"), (board.buttons.undo, board.buttons.deal)))
    for number, (title, names, pins) in enumerate(groups, 1):
        grounds = [f"{name} GND" for name in names]
        both = [pin for name, ground in zip(names, grounds, strict=True) for pin in (name, ground)]
        ref = made.add(f"S{number}", title, *both, numbers=tuple(range(1, len(both) + 1)))
        for name, pin, colour in zip(names, pins, (YELLOW, BLUE, WHITE), strict=False):
            made.join((ref, name), ("A1", pin), colour, thin)
        for one, next_one in pairwise(grounds):
            made.join((ref, one), (ref, next_one), BLACK, thin)
        made.join(("X2", "GND"), (ref, grounds[0]), BLACK, thin)
    if board.piezo:
        made.add("BZ1", "passive piezo", "+", "-")
        made.join(("BZ1", "+"), ("A1", board.piezo), YELLOW, thin)
        made.join(("BZ1", "-"), ("X2", "GND"), BLACK, thin)
