"""The wiring diagrams of a board and the bill of their cables, drawn by WireViz, and the list of every wire."""

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
from collections.abc import Callable
from pathlib import Path
from typing import TypedDict

from cribboard.amounts import amount
from cribboard.errors import CribboardError
from cribboard.files import ELSEWHERE, write_errors, write_file
from cribboard.hardware.circuit import GREEN, Circuit, Part, Place, Wire
from cribboard.installed import how_to_add

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
    if part.ref.startswith("X"):
        return f"{len(wires)} to join its connectors"
    if part.ref.startswith("U"):
        ground = part.number("GND")
        tied = [(part.number(wire.start[1]), part.number(wire.end[1])) for wire in wires]
        runs = "".join(f" and {one}-{to}" if one == ground else f"-{to}" for one, to in tied)
        return f"join {runs.removeprefix(' and ')}"
    what = " and ".join(dict.fromkeys(wire.start[1].partition(",")[0] for wire in wires))
    steps = "pixel to pixel" if wires[0].count > 1 else "street to street"
    return f"{what}, {amount(sum(wire.count for wire in wires), 'wire')}\nfrom {steps}, {wires[0].mm2:g} mm²"


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
