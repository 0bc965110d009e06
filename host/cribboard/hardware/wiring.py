"""The wiring diagram and the bill of its cables, drawn by WireViz, and the list of every wire."""

from __future__ import annotations

import csv
import importlib.util
import io
import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from cribboard.errors import CribboardError
from cribboard.hardware.circuit import Circuit, Part, Place, Wire

Length = Callable[[Wire], float]  # metres
MADE = {"wiring.svg": "s", "wiring.png": "p", "wiring.html": "h", "wiring.bom.tsv": "t"}
COLOURS = {"RD": "red", "BK": "black", "GN": "green", "YE": "yellow", "BU": "blue", "WH": "white"}
PATIENCE_S = 60


class WiringError(CribboardError):
    """WireViz or Graphviz is missing or has failed."""


def harness(circuit: Circuit, title: str, length: Length) -> dict[str, Any]:
    """The circuit as WireViz takes it."""
    cables = dict(circuit.cables())
    return {
        "metadata": {"title": title},
        "options": {"mini_bom_mode": False},
        "connectors": {ref: _connector(part) for ref, part in circuit.parts.items()},
        "cables": {name: _cable(wires, length) for name, wires in cables.items()},
        "connections": [_connection(circuit, name, wires) for name, wires in cables.items()],
    }


def draw(circuit: Circuit, title: str, length: Length, folder: Path) -> list[Path]:
    """Write diagram, bill and wire list into a folder; raises WiringError."""
    if importlib.util.find_spec("wireviz") is None:
        raise WiringError("WireViz, which draws the wiring, is not installed", "pip install 'cribboard[hardware]'")
    if shutil.which("dot") is None:
        raise WiringError("Graphviz, which WireViz draws with, is not installed", "apt install graphviz, or the like")
    with tempfile.TemporaryDirectory() as work:
        source = Path(work) / "wiring.yml"
        source.write_text(json.dumps(harness(circuit, title, length)), encoding="utf-8")  # JSON is YAML, too
        command = [sys.executable, "-m", "wireviz.wv_cli", "-f", "".join(MADE.values()), str(source)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S, check=False)  # noqa: S603
        if done.returncode:
            said = (done.stderr.strip() or done.stdout.strip() or "it said nothing").splitlines()[-1]
            raise WiringError(f"WireViz has failed: {said}", "install the newest: pip install -U wireviz")
        folder.mkdir(parents=True, exist_ok=True)
        for name in MADE:
            shutil.copyfile(Path(work) / name, folder / name)
    wires = folder / "wires.csv"
    wires.write_text(wire_list(circuit, length), encoding="utf-8", newline="")
    return [*(folder / name for name in MADE), wires]


def wire_list(circuit: Circuit, length: Length) -> str:
    """Every wire as a line of CSV: cable, from, to, colour, mm², metres."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["cable", "from", "pin", "to", "pin", "colour", "mm2", "m"])
    for name, wires in circuit.cables():
        for wire in wires:
            writer.writerow(
                [name, *wire.start, *wire.end, COLOURS[wire.colour], f"{wire.mm2:g}", f"{length(wire):.2f}"]
            )
    return text.getvalue()


def _connector(part: Part) -> dict[str, Any]:
    found: dict[str, Any] = {"type": part.title, "show_pincount": False}
    if part.numbers:
        found |= {"pins": list(part.numbers), "pinlabels": list(part.pins)}
    else:
        found["pins"] = [_name(pin) for pin in part.pins]
    notes = [part.note] if part.note else []
    if part.joined:
        notes.append(f"join {', '.join(map(str, part.joined))} to GND")
    if notes:
        found["notes"] = "; ".join(notes)
    found["additional_components"] = [{"type": fitted} for fitted in part.fitted]
    return found


def _cable(wires: list[Wire], length: Length) -> dict[str, Any]:
    return {
        "category": "bundle",
        "gauge": wires[0].mm2,
        "length": max(length(wire) for wire in wires),
        "colors": [wire.colour for wire in wires],
        "show_name": True,
    }


def _connection(circuit: Circuit, name: str, wires: list[Wire]) -> list[dict[str, Any]]:
    def pins(places: list[Place]) -> dict[str, list[int | str]]:
        part = circuit.parts[places[0][0]]
        return {part.ref: [part.number(pin) or _name(pin) for _, pin in places]}

    return [
        pins([wire.start for wire in wires]),
        {name: list(range(1, len(wires) + 1))},
        pins([wire.end for wire in wires]),
    ]


def _name(pin: str) -> str:
    """WireViz takes "+5" for the number 5."""
    return f"{pin} pt" if pin[1:].isdigit() else pin
