"""A carrier board for the Pico: every part with its pads, and the nets between them, from the board's own circuit.

It takes the place of perfboard, fuse holder and terminals on a board that is fed by USB. Where a supply feeds the
strips, all fuses stay beside it, and only what comes out of the controller's own one is on the carrier. Each button's
line gets a resistor in series, which keeps a spark from a finger away from the chip. All lengths are millimetres, y up.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from cribboard.hardware.circuit import Circuit, Place
from cribboard.hardware.description import Description
from cribboard.hardware.findings import Finding

WIDE, HIGH = 80.0, 60.0
HOLES = ((4.0, 4.0), (76.0, 4.0), (4.0, 56.0), (76.0, 56.0))
HOLE_MM = 3.2
PICO = (31.11, 58.63)  # pin 1; its USB socket is at the upper edge
PITCH, ROW, DIP_ROW = 2.54, 17.78, 7.62
CONNECTOR_X, COLUMNS = 10.79, (17.14, 22.22)  # of the buttons' connectors; of the resistors, in turns
XH_PITCH, XH_BODY = 2.5, 4.9
SHIFTER, TERMINAL_X, TERMINAL_PITCH = (53.97, 51.01), 69.21, 5.08
FUSE = ((17.14, 4.5), (39.74, 4.5))  # the holder of a 5 x 20 mm fuse
TERMINALS = {2: "1729128", 3: "1729131"}  # by their poles
MOST_TRACKS, MOST_PLAYERS = 3, 3
CAPACITOR_UF = 1000
SERIES_OHM = 1000  # before each button's pin: its pull-up is fifty times as much
Pad = tuple[str, str]  # a part and the name of its pad


@dataclass(frozen=True)
class Spot:
    """A pad: where it is, and the widths of copper and drill."""

    x: float
    y: float
    copper: float
    drill: float


@dataclass(frozen=True)
class Part:
    """A part on the carrier: what it is, the maker's number, its pads by name, and its body's corners."""

    ref: str
    title: str
    number: str
    pads: dict[str, Spot]
    body: tuple[float, float, float, float]
    angle: int = 0
    pieces: int = 1  # of the number that are needed for it


@dataclass(frozen=True)
class Carrier:
    """The parts by their references, and the nets: which pads each joins."""

    parts: dict[str, Part]
    nets: dict[str, list[Pad]]


def carrier_problems(board: Description, circuit: Circuit) -> Iterator[Finding]:
    """Why this board can have no carrier."""
    players = sum(1 for pins in board.buttons.players if pins)
    if not circuit.parts["A1"].numbers:
        yield _no("[controller] board", board.controller, "the carrier has a socket for a Pico", "wire it by hand")
    if board.tracks.count > MOST_TRACKS:
        said = f"the carrier has terminals for {MOST_TRACKS} tracks"
        yield _no("[tracks] count", str(board.tracks.count), said, "wire it by hand")
    if players > MOST_PLAYERS:
        said = f"the carrier has connectors for {MOST_PLAYERS} players' buttons"
        yield _no("[buttons] players", str(players), said, "wire it by hand")
    if board.on_usb and board.interface.capacitor_uf > CAPACITOR_UF:
        said = f"the carrier has room for capacitors of {CAPACITOR_UF} µF and less"
        yield _no("[interface] capacitor_uf", str(board.interface.capacitor_uf), said, "use those, or wire it by hand")
    if not board.interface.shifter.startswith("74AHCT125"):
        said = "the carrier has a socket for a package of four gates"
        yield _no("[interface] shifter", board.interface.shifter, said, "use a 74AHCT125")


def carrier(circuit: Circuit) -> Carrier:
    """The carrier of a circuit that fits."""
    parts = {part.ref: part for part in _parts(circuit)}
    return Carrier(parts, _nets(circuit, parts))


def pad_of(place: Place) -> Pad | None:
    """The pad of a place of the wiring; None for what is within a strip, or a terminal, which is no part here."""
    ref, pin = place
    if ref.startswith("LED"):
        name = pin.removesuffix(" at the end")
        return (f"J{ref[3:]}", name) if name in ("5V", "DIN", "GND") else None
    if ref.startswith("S"):
        return ref, "GND" if pin.endswith(" GND") else pin
    return None if ref.startswith("X") else (ref, pin)


def joined(circuit: Circuit) -> list[set[Place]]:
    """The nets of the wiring: places that wires join."""
    groups: list[set[Place]] = []
    for wire in circuit.wires:
        met = [group for group in groups if wire.start in group or wire.end in group]
        groups = [group for group in groups if group not in met]
        groups.append(set().union({wire.start, wire.end}, *met))
    return groups


def _no(where: str, value: str, said: str, advice: str) -> Finding:
    return Finding(True, f'{where} = "{value}"', said, advice)


def _nets(circuit: Circuit, parts: dict[str, Part]) -> dict[str, list[Pad]]:
    """The wiring's nets on the carrier's pads; a button's line is in two parts, before its resistor and after it."""
    nets: dict[str, list[Pad]] = {}
    for group in joined(circuit):
        every = {pad for pad in map(pad_of, group) if pad}
        pads = sorted(pad for pad in every if pad[0] in parts and pad[1] in parts[pad[0]].pads)
        if len(pads) < 2:
            continue
        for button in [pad for pad in pads if pad[0].startswith("S") and pad[1] != "GND"]:
            resistor = f"RB{_number(parts, button)}"
            nets[f"{button[0]} {button[1]}"] = [button, (resistor, "out")]
            pads = [pad for pad in pads if pad != button] + [(resistor, "in")]
        nets[_name(pads)] = pads
    nets["GND"] += [("A1", f"GND {number}") for number in (8, 13, 18, 23, 28, 33, 38)]
    nets["GND"] += [(ref, "-") for ref in parts if ref.startswith("C")]
    nets["5V"] += [(ref, "+") for ref in parts if ref.startswith("C")]
    if "J0" in parts:
        nets["5V"].append(("J0", "5V"))
        nets["GND"].append(("J0", "GND"))
    return nets


def _name(pads: list[Pad]) -> str:
    """GND and 5V by their places; other nets by their pin of the Pico, or their first pad."""
    for name, pad in (("GND", ("A1", "GND")), ("5V", ("U1", "5 V"))):
        if pad in pads:
            return name
    own = [pin for ref, pin in pads if ref == "A1"]
    return own[0] if own else " ".join(pads[0])


def _number(parts: dict[str, Part], button: Pad) -> int:
    """The number of a button on the carrier, from 1."""
    every = [(ref, pad) for ref in parts if ref.startswith("S") for pad in parts[ref].pads if pad != "GND"]
    return every.index(button) + 1


def _parts(circuit: Circuit) -> Iterator[Part]:
    yield _pico(circuit)
    yield _shifter(circuit)
    x, y = SHIFTER
    pads = _two("+", "-", x + DIP_ROW, y + 3.81, x + DIP_ROW - 5.08, 1.6)
    yield Part("C1", "100 nF", "C315C104M5U5TA", pads, (x, y + 2.5, x + 9, y + 5))
    yield from _buttons(circuit)
    yield from _tracks(circuit)
    if "PS1" in circuit.parts:
        yield from _supply(circuit)
        return
    (from_x, from_y), (to_x, to_y) = FUSE
    clips = {"in": Spot(from_x, from_y, 2.6, 1.4), "out": Spot(to_x, to_y, 2.6, 1.4)}
    body = (from_x - 2, from_y - 3.5, to_x + 2, to_y + 3.5)
    yield Part("F1", circuit.parts["F1"].title + ", 5 x 20 mm, in a holder", "0031.8201", clips, body)


def _supply(circuit: Circuit) -> Iterator[Part]:
    """The terminal behind the controller's fuse at the lower edge, and the diode before the Pico."""
    fuse = [part for ref, part in circuit.parts.items() if ref.startswith("F")][-1]
    x, y = 54.61, 6.0
    pads = {name: Spot(round(x + TERMINAL_PITCH * at, 3), y, 2.4, 1.3) for at, name in enumerate(("5V", "GND"))}
    body = (x - 2.5, y - 4.2, x + TERMINAL_PITCH + 2.5, y + 4.0)
    yield Part("J0", f"5 V from {fuse.ref}, {fuse.title}, and GND, terminal 5.08 mm", TERMINALS[2], pads, body)
    x, y = 53.34, 28.0
    pads = {"cathode": Spot(x, y, 1.9, 1.1), "anode": Spot(x + 10.16, y, 1.9, 1.1)}
    yield Part("D1", circuit.parts["D1"].title, "1N5817RLG", pads, (x - 1.0, y - 1.5, x + 11.16, y + 1.5))


def _pico(circuit: Circuit) -> Part:
    part = circuit.parts["A1"]
    names = {number: pin for pin, number in zip(part.pins, part.numbers, strict=True)}
    names |= {number: f"GND {number}" for number in (8, 13, 18, 23, 28, 33, 38) if number not in names}
    pads = {}
    for number in range(1, 41):
        x = PICO[0] if number <= 20 else PICO[0] + ROW
        y = PICO[1] - PITCH * ((number - 1) if number <= 20 else (40 - number))
        pads[names.get(number, f"pin {number}")] = Spot(round(x, 3), round(y, 3), 1.55, 1.0)
    return Part(
        "A1",
        f"{part.title}, in two sockets of 20",
        "PPTC201LFBN-RC",
        pads,
        (PICO[0] - 1.6, HIGH - 51, PICO[0] + ROW + 1.6, HIGH),
        pieces=2,
    )


def _shifter(circuit: Circuit) -> Part:
    part, (x, y) = circuit.parts["U1"], SHIFTER
    names = {number: pin for pin, number in zip(part.pins, part.numbers, strict=True)}
    pads = {}
    for number in range(1, 15):
        row = (number - 1) if number <= 7 else (14 - number)
        at = Spot(x if number <= 7 else round(x + DIP_ROW, 3), round(y - PITCH * row, 3), 1.55, 0.8)
        pads[names.get(number, f"pin {number}")] = at
    return Part("U1", part.title, "SN74AHCT125N", pads, (x + 0.8, y - 17, x + DIP_ROW - 0.8, y + 1.7))


def _buttons(circuit: Circuit) -> Iterator[Part]:
    """The connectors of the buttons and of a piezo at the left, from the top, and the resistors beside them."""
    y, count = 56.0, 0
    for ref, part in circuit.parts.items():
        if not ref.startswith(("S", "BZ")):
            continue
        names = [pin for pin in part.pins if not pin.endswith(" GND")]
        names += ["GND"] if ref.startswith("S") else []
        pads = {name: Spot(CONNECTOR_X, round(y - XH_PITCH * at, 3), 1.7, 1.0) for at, name in enumerate(names)}
        last = y - XH_PITCH * (len(names) - 1)
        body = (CONNECTOR_X - 3.4, last - 2.45, CONNECTOR_X + 2.35, y + 2.45)
        yield Part(ref, f"{part.title}, JST XH", f"B{len(names)}B-XH-A", pads, body, 90)
        for name in names:
            if ref.startswith("S") and name != "GND":
                count += 1
                yield _upright(f"RB{count}", f"{SERIES_OHM} Ω", "MFR-25FBF52-1K", COLUMNS[count % 2], pads[name].y)
        y = last - XH_BODY
    if "RZ1" in circuit.parts:
        at = max(y + XH_BODY, FUSE[0][1] + 5.7)  # clear of the fuse
        yield _upright("RZ1", circuit.parts["RZ1"].title, _resistor(circuit.parts["RZ1"].title), COLUMNS[0], at)


def _upright(ref: str, title: str, number: str, x: float, y: float) -> Part:
    row = round(PICO[1] - round((PICO[1] - y) / 0.635) * 0.635, 3)
    pads = {"out": Spot(x, row, 1.5, 0.8), "in": Spot(round(x + PITCH, 3), row, 1.5, 0.8)}
    return Part(ref, title, number, pads, (x - 1.2, row - 1.2, x + PITCH + 0.8, row + 1.2))


def _tracks(circuit: Circuit) -> Iterator[Part]:
    """For each track its resistor below the Pico, its terminal at the right and, fed by USB, its capacitor."""
    # a thin ground beside DIN would carry the strip's current when the thick one breaks
    names = ("DIN", "free") if "PS1" in circuit.parts else ("5V", "DIN", "GND")
    tracks = [ref for ref in circuit.parts if ref.startswith("LED")]
    for number, ref in enumerate(tracks, 1):
        top = 51.5 - (number - 1) * 3 * TERMINAL_PITCH
        pads = {name: Spot(TERMINAL_X, round(top - TERMINAL_PITCH * at, 3), 2.4, 1.3) for at, name in enumerate(names)}
        body = (TERMINAL_X - 4.0, min(pad.y for pad in pads.values()) - 2.5, TERMINAL_X + 4.2, top + 2.5)
        title = f"{circuit.parts[ref].title}, terminal 5.08 mm"
        yield Part(f"J{number}", title, TERMINALS[len(pads)], pads, body, 90)
        y = round(PICO[1] - PITCH * (11 + 2 * number), 3)
        if f"R{number}" in circuit.parts:
            pads = {"in": Spot(36.19, y, 1.6, 0.8), "out": Spot(round(36.19 + DIP_ROW, 3), y, 1.6, 0.8)}
            title, body = circuit.parts[f"R{number}"].title, (37.5, y - 1.2, 42.5, y + 1.2)
            yield Part(f"R{number}", title, _resistor(title), pads, body)
        if circuit.parts[ref].fitted and "5V" in names:
            title = circuit.parts[ref].fitted[0].partition(" across")[0]
            at = 27.0 - (number - 1) * 10.4
            pads = _two("+", "-", 54.61, at, 59.61, 2.0)
            known = "EEU-FR1A102" if f" {CAPACITOR_UF} µF" in f" {title}" else ""
            yield Part(f"C{number + 1}", title, known, pads, (52.1, at - 5, 62.1, at + 5))


def _resistor(title: str) -> str:
    """The maker's number of a resistor, like 330 Ω, of 1 % and a quarter of a watt."""
    return f"MFR-25FBF52-{title.partition(' ')[0]}R"


def _two(first: str, second: str, x: float, y: float, to_x: float, copper: float) -> dict[str, Spot]:
    return {first: Spot(round(x, 3), round(y, 3), copper, 0.8), second: Spot(round(to_x, 3), round(y, 3), copper, 0.8)}
