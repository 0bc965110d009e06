"""The circuit of a board: its electric parts, and every wire between them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise

from cribboard.hardware import ratings
from cribboard.hardware.budget import both_ends, fuses
from cribboard.hardware.controllers import Controller
from cribboard.hardware.description import Description
from cribboard.hardware.feed import usb

RED, BLACK, GREEN, YELLOW, BLUE, WHITE = "RD", "BK", "GN", "YE", "BU", "WH"  # as IEC 60757 shortens them
GATES = {  # output-enable, input and output of each gate, then ground and supply; by the data sheets
    4: (((1, 2, 3), (4, 5, 6), (10, 9, 8), (13, 12, 11)), 7, 14),
    1: (((1, 2, 4),), 3, 5),
}
TITLES = ("+1", "+5", "OK")
CONTACTS_OF_A_LEVER = 5  # of the largest lever connector; one of them goes to the next connector
Place = tuple[str, str]  # a part and one of its pins


@dataclass(frozen=True)
class Part:
    """A part that wires go to: what it is, the names of its pins, and notes."""

    ref: str
    title: str
    pins: tuple[str, ...]
    numbers: tuple[int, ...]  # of the pins, where a part has them
    fitted: tuple[str, ...]  # what is soldered across it
    note: str

    def number(self, pin: str) -> int | None:
        """The number of a pin; None when this part's pins have none."""
        return self.numbers[self.pins.index(pin)] if self.numbers else None


@dataclass(frozen=True)
class Wire:
    """One wire, or `count` that are alike: those from each pixel to the next."""

    start: Place
    end: Place
    colour: str
    mm2: float
    count: int = 1

    @property
    def within(self) -> bool:
        """Whether it goes from one pin of a part to another."""
        return self.start[0] == self.end[0]


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
        note: str = "",
    ) -> str:
        """Put a part in."""
        self.parts[ref] = Part(ref, title, pins, numbers, fitted, note)
        return ref

    def join(self, start: Place, end: Place, colour: str, mm2: float, count: int = 1) -> None:
        """Put a wire in."""
        self.wires.append(Wire(start, end, colour, mm2, count))

    def links(self) -> Iterator[Wire]:
        """What joins the lever connectors of a terminal: short wires, as thick as its thickest one."""
        for ref, part in self.parts.items():
            there = [wire for wire in self.wires if ref in (wire.start[0], wire.end[0])]
            if ref.startswith("X"):
                end: Place = (ref, part.pins[0])
                link = Wire(end, end, there[0].colour, max(wire.mm2 for wire in there))
                yield from [link] * (levers(len(there)) - 1)

    def cables(self) -> Iterator[tuple[str, list[Wire]]]:
        """The wires that run between the same two parts, or within one, with a name; a terminal's links come last."""
        joined: dict[tuple[str, str, float], list[Wire]] = {}
        for wire in (*self.wires, *self.links()):
            joined.setdefault((wire.start[0], wire.end[0], wire.mm2), []).append(wire)
        for number, wires in enumerate(joined.values(), 1):
            yield f"W{number}", wires


def levers(ways: int) -> int:
    """How many connectors, joined by short wires, have as many free places."""
    count = 1
    while count * CONTACTS_OF_A_LEVER - 2 * (count - 1) < ways:
        count += 1
    return count


def circuit(board: Description, controller: Controller) -> Circuit:
    """The circuit of a described board."""
    made = Circuit()
    _controller(made, board, controller)
    supply, small = _power(made, board, controller)
    _ground(made, board)
    _tracks(made, board, supply, _shifters(made, board, small))
    _buttons(made, board)
    return made


def _controller(made: Circuit, board: Description, controller: Controller) -> None:
    named = [*board.tracks.pins, *(pin for pins in board.buttons.players for pin in pins)]
    named += [board.buttons.undo, board.buttons.deal, board.piezo]
    power = [_usb_pin(controller)] if board.on_usb else ["VSYS"] if controller.is_pico else []
    pins = [*power, "GND", *filter(None, named)]
    made.add("A1", controller.title, *pins, numbers=controller.numbers(pins))


def _usb_pin(controller: Controller) -> str:
    return usb(controller.name).pin or "5 V"


def _power(made: Circuit, board: Description, controller: Controller) -> tuple[list[Place], Place]:
    """The places that each track takes its 5 V from, and the one of the shifter."""
    mm2, main, fuse = board.supply.wire_mm2, board.supply.main_wire_mm2, f"fuse {board.supply.fuse_a:g} A"
    terminal: Place = (made.add("X1", "terminal", "5 V"), "5 V")
    if board.on_usb:
        made.add("F1", fuse, "in", "out")
        made.join(("A1", _usb_pin(controller)), ("F1", "in"), RED, ratings.PIN_MM2)
        made.join(("F1", "out"), terminal, RED, mm2)
        return [terminal] * board.tracks.count, terminal
    made.add("PS1", f"supply 5 V {board.supply.current_a:g} A", "+5 V", "GND", note="at its jack")
    made.join(("PS1", "+5 V"), terminal, RED, main)
    refs = [made.add(f"F{number}", fuse, "in", "out") for number in range(1, fuses(board) + 1)]
    title = f"fuse {ratings.CONTROLLER_FUSE_A:g} A"
    refs.append(made.add(f"F{len(refs) + 1}", title, "in", "out", note="controller and shifter"))
    for ref in refs:
        made.join(terminal, (ref, "in"), RED, main)
    *tracks, small = [(ref, "out") for ref in refs]
    if controller.is_pico:
        made.add("D1", "Schottky diode 1 A", "anode", "cathode", note="the ring is the cathode")
        made.join(small, ("D1", "anode"), RED, ratings.SIGNAL_MM2)
        made.join(("D1", "cathode"), ("A1", "VSYS"), RED, ratings.SIGNAL_MM2)
    return tracks, small


def _ground(made: Circuit, board: Description) -> None:
    made.add("X2", "terminal", "GND")
    own, controllers = ("X2", "GND"), ("A1", "GND")
    if board.on_usb:
        made.join(controllers, own, BLACK, ratings.PIN_MM2)
    else:
        made.join(("PS1", "GND"), own, BLACK, board.supply.main_wire_mm2)
        made.join(own, controllers, BLACK, ratings.SIGNAL_MM2)


def _tracks(made: Circuit, board: Description, supply: list[Place], gates: list[tuple[str, str, str]]) -> None:
    mm2, thin, parts = board.supply.wire_mm2, ratings.SIGNAL_MM2, board.interface
    ends = ("", " at the end") if both_ends(board) else ("",)
    for number, (pin, source) in enumerate(zip(board.tracks.pins, supply, strict=True), 1):
        strip = f"LED{number}"
        fitted = [f"{parts.capacitor_uf} µF across 5V and GND"] if parts.capacitor_uf else []
        if not board.shape.strip_mm:
            fitted.append(f"100 nF at each of {board.tracks.leds} pixels")
        joints = [*_joints(board)]
        rails = [rail + end for end in ends[1:] for rail in ("5V", "GND")]
        inner = [joint for start, end, _ in joints for joint in (start, end)]
        title = f"track {number}, {board.tracks.leds} WS2812B"
        made.add(strip, title, "5V", "DIN", "GND", *rails, *inner, fitted=tuple(fitted))
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
        for end in ends:
            made.join(source, (strip, "5V" + end), RED, mm2)
            made.join(("X2", "GND"), (strip, "GND" + end), BLACK, mm2)
        for start, next_one, colour in joints:
            count = 1 if board.shape.strip_mm else board.tracks.leds - 1
            made.join((strip, start), (strip, next_one), colour, thin if colour == GREEN else mm2, count)


def _joints(board: Description) -> Iterator[tuple[str, str, str]]:
    """The wires from street to street, or from pixel to pixel: where each begins, where it ends, its colour."""
    rails = (("5V", "5V", RED), ("GND", "GND", BLACK), ("DOUT", "DIN", GREEN))
    if not board.shape.strip_mm:
        yield from ((f"{out}, each pixel", f"{enter}, the next pixel", colour) for out, enter, colour in rails)
    for street in range(1, board.shape.streets if board.shape.strip_mm else 0):
        for out, enter, colour in rails:
            yield f"{out}, end of street {street}", f"{enter}, start of street {street + 1}", colour


def _shifters(made: Circuit, board: Description, source: Place) -> list[tuple[str, str, str]]:
    """The gate of each track: its package, its input and its output."""
    kind = board.interface.shifter
    if kind not in ratings.SHIFTERS:
        return []
    in_one = ratings.SHIFTERS[kind]
    layout, ground, supply = GATES[in_one]
    gates_made: list[tuple[str, str, str]] = []
    for number in range(-(-board.tracks.count // in_one)):
        ref = f"U{number + 1}"
        used = layout[: board.tracks.count - len(gates_made)]
        ties = {pins[0]: f"{gate} enable" for gate, pins in enumerate(layout, 1)}
        ties |= {pins[1]: f"{gate} in" for gate, pins in enumerate(layout, 1) if gate > len(used)}
        gates = [(f"{gate} in", f"{gate} out") for gate in range(1, len(used) + 1)]
        numbers = (supply, ground, *(pin for gate in used for pin in gate[1:]), *sorted(ties))
        names = [*(pin for gate in gates for pin in gate), *(ties[pin] for pin in sorted(ties))]
        made.add(ref, kind, "5 V", "GND", *names, numbers=numbers, fitted=("100 nF across 5 V and GND",))
        made.join(source, (ref, "5 V"), RED, ratings.SIGNAL_MM2)
        made.join(("X2", "GND"), (ref, "GND"), BLACK, ratings.SIGNAL_MM2)
        low, high = [pin for pin in ties if pin < ground], [pin for pin in ties if pin > ground]
        for run in (sorted(low, reverse=True), sorted(high)):  # from its ground along both ways, pin to pin
            for one, next_one in pairwise(["GND", *(ties[pin] for pin in run)]):
                made.join((ref, one), (ref, next_one), BLACK, ratings.SIGNAL_MM2)
        gates_made += [(ref, enter, leave) for enter, leave in gates]
    return gates_made


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
        made.add("RZ1", f"{ratings.PIEZO_OHM} Ω", "in", "out", note="close to the controller")
        made.join(("BZ1", "+"), ("RZ1", "out"), YELLOW, thin)
        made.join(("RZ1", "in"), ("A1", board.piezo), YELLOW, thin)
        made.join(("X2", "GND"), ("BZ1", "-"), BLACK, thin)
