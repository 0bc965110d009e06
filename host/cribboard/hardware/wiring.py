"""The circuit of a board, its wiring diagrams and bill of cables, drawn by WireViz, and the list of every wire."""

from __future__ import annotations

import csv
import importlib.util
import io
import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import TypedDict

from cribboard.errors import CribboardError
from cribboard.files import ELSEWHERE, write_errors, write_file
from cribboard.hardware import ratings
from cribboard.hardware.controllers import Controller
from cribboard.hardware.description import Description
from cribboard.hardware.feed import usb
from cribboard.hardware.ratings import both_ends, fuses
from cribboard.installed import how_to_add

# The circuit of a board: its electric parts, and every wire between them.

RED, BLACK, GREEN, YELLOW, BLUE, WHITE = "RD", "BK", "GN", "YE", "BU", "WH"  # as IEC 60757 shortens them
GATES = {  # output-enable, input and output of each gate, then ground and supply; by the data sheets
    4: (((1, 2, 3), (4, 5, 6), (10, 9, 8), (13, 12, 11)), 7, 14),
    1: (((1, 2, 4),), 3, 5),
}
TITLES = ("+1", "+5", "OK")
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

    def cables(self) -> Iterator[tuple[str, list[Wire]]]:
        """The wires that run between the same two parts, or within one, with a name."""
        joined: dict[tuple[str, str, float], list[Wire]] = {}
        for wire in self.wires:
            joined.setdefault((wire.start[0], wire.end[0], wire.mm2), []).append(wire)
        for number, wires in enumerate(joined.values(), 1):
            yield f"W{number}", wires


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
        for pin in sorted(ties):
            made.join((ref, "GND"), (ref, ties[pin]), BLACK, ratings.SIGNAL_MM2)
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


# The wiring diagrams and the bill of their cables, drawn by WireViz, and the list of every wire.

Length = Callable[[Wire], float]  # metres
MADE = ("wiring-power.svg", "wiring-data.svg", "wiring-buttons.svg", "wiring.html", "wiring.bom.tsv")
PAGE_INCH = "10.2,7.4"  # A4 and Letter, lying, without their margins
# Between a part and its cables; the wires within a part need room, too, and beside a piezo's chain there is less of it.
RANKS_INCH, LOOP_INCH, PIEZO_INCH = 0.15, 0.8, 0.5
COLOURS = {"RD": "red", "BK": "black", "GN": "green", "YE": "yellow", "BU": "blue", "WH": "white"}
PATIENCE_S = 60


Values = dict[str, object]
Connection = list[dict[str, list[int | str]] | dict[str, list[int]]]


class Sheet(TypedDict):
    """A drawing as WireViz takes it."""

    metadata: dict[str, str]
    options: dict[str, bool]
    connectors: dict[str, Values]
    cables: dict[str, Values]
    connections: list[Connection]
    tweak: dict[str, str]


class Harness(Sheet):
    """The whole circuit, with a bill of its parts."""

    additional_bom_items: list[Values]


class WiringError(CribboardError):
    """WireViz or Graphviz is missing or has failed."""


def harness(circuit: Circuit, title: str, length: Length) -> Harness:
    """The whole circuit as WireViz takes it."""
    made = _sheet(circuit, title, length, dict(circuit.cables()), fitted=True)
    for part in made["connectors"].values():
        part["ignore_in_bom"] = True  # it would call each of them a connector
    parts: list[Values] = [{"description": part.title, "designators": [ref]} for ref, part in circuit.parts.items()]
    return {**made, "additional_bom_items": [*parts, *_within(circuit, length)]}


def sheets(circuit: Circuit, title: str, length: Length) -> dict[str, Sheet]:
    """The circuit in three parts, each of which can be read on a page, by their names."""
    cables: dict[str, dict[str, list[Wire]]] = {"power": {}, "data": {}, "buttons": {}}
    for name, wires in circuit.cables():
        pressed = any(place[0].startswith(("S", "BZ", "RZ")) for place in (wires[0].start, wires[0].end))
        cables["buttons" if pressed else "data" if wires[0].colour == GREEN else "power"][name] = wires
    return {
        name: _sheet(circuit, f"{title}, {name}", length, part_cables, fitted=name == "power")
        for name, part_cables in cables.items()
    }


def draw(circuit: Circuit, title: str, length: Length, folder: Path) -> list[Path]:
    """Write diagrams, bill and wire list into a folder; raises WiringError."""
    if importlib.util.find_spec("wireviz") is None:
        raise WiringError("WireViz, which draws the wiring, is not installed", how_to_add("hardware"))
    if shutil.which("dot") is None:
        raise WiringError("Graphviz, which WireViz draws with, is not installed", "apt install graphviz, or the like")
    drawn: dict[str, Sheet] = {"wiring": harness(circuit, title, length)}
    drawn |= {f"wiring-{name}": sheet for name, sheet in sheets(circuit, title, length).items()}
    with tempfile.TemporaryDirectory() as work:
        for name, sheet in drawn.items():
            (Path(work) / f"{name}.yml").write_text(json.dumps(sheet), encoding="utf-8")  # JSON is YAML, too
        sources = [f"{work}/{name}.yml" for name in drawn]
        command = [sys.executable, "-m", "wireviz.wv_cli", "-f", "hst", *sources]
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S, check=False)  # noqa: S603
        if done.returncode:
            said = (done.stderr.strip() or done.stdout.strip() or "it said nothing").splitlines()[-1]
            raise WiringError(f"WireViz has failed: {said}", "install the newest: pip install -U wireviz")
        made = {name: _whole((Path(work) / name).read_text("utf-8")).encode() for name in MADE}
    made["wires.csv"] = wire_list(circuit, length).encode()
    for name, contents in made.items():
        with write_errors(folder / name, ELSEWHERE):
            folder.mkdir(parents=True, exist_ok=True)
            write_file(folder / name, contents)
    return [folder / name for name in made]


def wire_list(circuit: Circuit, length: Length) -> str:
    """Every wire as a line of CSV: cable, from, to, colour, mm², metres, and how many there are of it."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["cable", "from", "pin", "to", "pin", "colour", "mm2", "m", "how many"])
    for name, wires in circuit.cables():
        for wire in wires:
            sizes = [COLOURS[wire.colour], f"{wire.mm2:g}", f"{length(wire):.2f}", wire.count]
            writer.writerow([name, *wire.start, *wire.end, *sizes])
    return text.getvalue()


def _sheet(circuit: Circuit, title: str, length: Length, cables: dict[str, list[Wire]], *, fitted: bool) -> Sheet:
    """Some cables and what they go to; what sits across a part, or is joined on it, only when it is `fitted`."""
    between = {name: wires for name, wires in cables.items() if not wires[0].within}
    within = {name: wires for name, wires in cables.items() if name not in between}
    drawn = [*between.values(), *(wires for wires in within.values() if _is_chain(wires))]
    used = {place for wires in drawn for wire in wires for place in (wire.start, wire.end)}
    parts = [part for part in circuit.parts.values() if any(ref == part.ref for ref, _ in used)]
    chained = any(_is_chain(wires) for wires in within.values())
    apart = (PIEZO_INCH if "BZ1" in circuit.parts else LOOP_INCH) if chained else RANKS_INCH
    return {
        "metadata": {"title": title},
        "options": {"mini_bom_mode": False},
        "connectors": {part.ref: _connector(part, used, within, fitted) for part in parts},
        "cables": {name: _cable(wires, length) for name, wires in between.items()},
        "connections": [_connection(circuit, name, wires) for name, wires in between.items()],
        "tweak": {"append": f'graph [ranksep="{apart}" size="{PAGE_INCH}"]'},
    }


def _whole(text: str) -> str:
    """A page of Graphviz whose view is as wide as the drawing, whose scale it rounds: that cut the right edge off."""
    scale, around = re.search(r"scale\(([\d.]+)", text), re.search(r'<polygon[^>]* points="([^"]+)"', text)
    if scale is None or around is None:
        return text
    xs, ys = zip(*((float(x), float(y)) for x, y in re.findall(r"(-?[\d.]+),(-?[\d.]+)", around[1])), strict=True)
    wide, high = ((max(each) - min(each)) * float(scale[1]) for each in (xs, ys))
    return re.sub(r'viewBox="[^"]*"', f'viewBox="0 0 {wide:.2f} {high:.2f}"', text, count=1)


def _connector(part: Part, used: set[Place], within: dict[str, list[Wire]], fitted: bool) -> Values:
    pins = [pin for pin in part.pins if (part.ref, pin) in used]
    values: Values = {"type": part.title, "show_pincount": False}
    if part.numbers:
        values |= {"pins": [part.number(pin) for pin in pins], "pinlabels": pins}
    else:
        values["pins"] = pins
    notes = [part.note] if part.note else []
    for name, wires in within.items():
        if wires[0].start[0] == part.ref:
            notes.append(f"{name}: {_within_note(part, wires)}")
            if _is_chain(wires):
                values["loops"] = [[part.number(wire.start[1]), part.number(wire.end[1])] for wire in wires]
    if notes:
        values["notes"] = "\n".join(notes)
    values["additional_components"] = [{"type": each} for each in part.fitted if fitted]
    return values


def _is_chain(wires: list[Wire]) -> bool:
    """Whether they are the grounds of buttons, which are drawn; other wires within a part are only named."""
    return wires[0].within and wires[0].start[0].startswith("S")


def _within_note(part: Part, wires: list[Wire]) -> str:
    if part.ref.startswith("S"):
        return "ground from button to button"
    if part.ref.startswith("U"):
        return f"join {', '.join(str(part.number(wire.end[1])) for wire in wires)} to GND"
    what = " and ".join(dict.fromkeys(wire.start[1].partition(",")[0] for wire in wires))
    steps = "pixel to pixel" if wires[0].count > 1 else "street to street"
    return f"{what}, {sum(wire.count for wire in wires)} wires\nfrom {steps}, {wires[0].mm2:g} mm²"


def _cable(wires: list[Wire], length: Length) -> Values:
    return {
        "category": "bundle",
        "gauge": wires[0].mm2,
        "length": max(length(wire) for wire in wires),
        "colors": [wire.colour for wire in wires],
        "show_name": True,
    }


def _connection(circuit: Circuit, name: str, wires: list[Wire]) -> Connection:
    def pins(places: list[Place]) -> dict[str, list[int | str]]:
        part = circuit.parts[places[0][0]]
        return {part.ref: [part.number(pin) or pin for _, pin in places]}

    return [
        pins([wire.start for wire in wires]),
        {name: list(range(1, len(wires) + 1))},
        pins([wire.end for wire in wires]),
    ]


def _within(circuit: Circuit, length: Length) -> list[Values]:
    """What WireViz draws as loops, and would leave out of the bill."""
    return [
        {
            "description": f"Wire, {wire.mm2:g} mm², {wire.colour}",
            "qty": round(length(wire) * wire.count, 2),
            "unit": "m",
            "designators": [name],
        }
        for name, wires in circuit.cables()
        for wire in wires
        if wire.within
    ]
