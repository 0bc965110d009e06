"""The parts list: what to buy, how much of it, what else would do, and about what it costs."""

from __future__ import annotations

import csv
import io
import math
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass

from cribboard.hardware import ratings
from cribboard.hardware.description import Description
from cribboard.hardware.wiring import BLACK, COLOURS, RED, Circuit, Wire

SPARE_PIXELS = 3  # a track, for cuts that go wrong and pixels that are dead
RESERVE = 1.2  # of wire, for cuts that go wrong
USES = {RED: "5 V", BLACK: "ground"}


@dataclass(frozen=True)
class Item:
    """A line of the list; costs are rough, in euro or dollars, of one `unit`."""

    part: str
    quantity: float
    unit: str
    use: str
    instead: str
    low: float
    high: float


def parts(board: Description, circuit: Circuit, length: Callable[[Wire], float]) -> list[Item]:
    """Everything electric that a board is made from."""
    items = [*_lights(board), *_electronics(board, circuit), *_power(board, circuit), *_by_hand(circuit)]
    return [*items, *_wires(circuit, length)]


def cost(items: list[Item]) -> tuple[int, int]:
    """The least and the most that all of it costs."""
    low = sum(math.ceil(item.quantity) * item.low for item in items)
    return math.floor(low), math.ceil(sum(math.ceil(item.quantity) * item.high for item in items))


def as_csv(items: list[Item]) -> str:
    """The list for a spreadsheet."""
    text = io.StringIO()
    writer = csv.DictWriter(text, list(asdict(items[0])), lineterminator="\n")
    writer.writeheader()
    for item in items:
        writer.writerow({**asdict(item), "quantity": f"{item.quantity:g}"})
    return text.getvalue()


def as_markdown(board: Description, items: list[Item]) -> str:
    """The list to read and to print."""
    rows = [f"| {item.part} | {_amount(item)} | {item.use} | {item.instead} |" for item in items]
    low, high = cost(items)
    head = [f"# Parts of “{board.name}”", "", "| part | how many | what for | instead |", "|---|---|---|---|"]
    return "\n".join(
        [*head, *rows, "", f"All of it costs about {low} to {high} euro or dollars, without the wood.", ""]
    )


def _lights(board: Description) -> Iterator[Item]:
    count, leds, strip = board.tracks.count, board.tracks.leds, board.shape.strip
    if strip == "5mm":
        use = f"{count} times {leds}, one for each hole"
        other = "8 mm ones in larger holes"
        yield Item("addressable 5 mm LED, 5 V, WS2812 protocol", board.pixels + 5, "", use, other, 0.2, 0.6)
        yield Item("ceramic capacitor 100 nF", board.pixels, "", "one at each LED", "", 0.02, 0.1)
        return
    metres = math.ceil(10 * count * (leds + SPARE_PIXELS) * board.shape.pitch_mm / 1000) / 10
    low, high = {"30/m": (3, 8), "60/m": (4, 12), "144/m": (9, 25)}[strip]
    use = f"{count} times {leds} pixels, {board.track_m:.2f} m each"
    yield Item(f"WS2812B strip, 5 V, {strip}", metres, "m", use, "SK6812 RGB of the same pitch, not RGBW", low, high)


def _electronics(board: Description, circuit: Circuit) -> Iterator[Item]:
    tracks, parts = board.tracks.count, board.interface
    yield Item(circuit.parts["A1"].title, 1, "", "runs the firmware", _other_controllers(circuit), 4, 18)
    packages = [part for part in circuit.parts.values() if part.ref.startswith("U")]
    if packages:
        gates = len(packages) * ratings.SHIFTERS[parts.shifter]
        use = f"{tracks} of {gates} gates: raises the controller's 3.3 V to 5 V"
        others = " or ".join(kind for kind in ratings.SHIFTERS if kind != parts.shifter)
        yield Item(f"{parts.shifter}, with a socket or a breakout", len(packages), "", use, others, 0.5, 2)
        yield Item("ceramic capacitor 100 nF", len(packages), "", "at the shifter", "", 0.02, 0.1)
    if parts.data_ohm:
        use = "in each data line, at the strip"
        yield Item(f"resistor {parts.data_ohm} Ω", tracks, "", use, "220 to 470 Ω", 0.02, 0.1)
    if "RZ1" in circuit.parts:
        yield Item(f"resistor {ratings.PIEZO_OHM} Ω", 1, "", "before the piezo", "up to 1000 Ω", 0.02, 0.1)
    if parts.capacitor_uf:
        name = f"electrolytic capacitor {parts.capacitor_uf} µF, 6.3 V or more"
        yield Item(name, tracks, "", "across 5 V and GND at each strip's input", "470 to 2200 µF", 0.2, 0.8)


def _power(board: Description, circuit: Circuit) -> Iterator[Item]:
    supply = board.supply
    fuses = Counter(part.title for part in circuit.parts.values() if part.ref.startswith("F"))
    use = "carries data and current" if board.on_usb else "carries the firmware and data"
    yield Item("USB data cable", 1, "", use, "not one that only charges", 2, 8)
    if not board.on_usb:
        name = f"enclosed supply 5 V, {supply.current_a:g} A, marked {ratings.marks(supply.current_a)}"
        yield Item(name, 1, "", "feeds the strips", "none without such a mark", 10, 30)
    for name, count in fuses.items():
        other = "no resettable (PTC) fuse: it trips at twice its rating"
        use = "close to the source" if board.on_usb else "at the terminal"
        yield Item(f"{name}, with its holder", count, "", use, other, 1, 4)
    if "D1" in circuit.parts:
        use = "lets the Pico run without a computer, and never feeds one"
        yield Item("Schottky diode 1N5817", 1, "", use, "1N5818, SS14", 0.1, 0.5)
    for (ref, pin), ways in Counter(place for wire in circuit.wires for place in (wire.start, wire.end)).items():
        if ref.startswith("X"):
            yield Item(f"terminal for {ways} wires", 1, "", f"all {pin} meet in it", "lever connectors, joined", 1, 4)


def _by_hand(circuit: Circuit) -> Iterator[Item]:
    buttons = sum(len(part.pins) // 2 for part in circuit.parts.values() if part.ref.startswith("S"))
    yield Item("push-button that closes", buttons, "", "each from its pin to GND; no resistors", "", 0.5, 3)
    if "BZ1" in circuit.parts:
        use, other = "ticks and tunes; it measures as an open circuit", "no active buzzer, no coil of some ohms"
        yield Item("passive piezo", 1, "", use, other, 0.5, 2)


def _wires(circuit: Circuit, length: Callable[[Wire], float]) -> Iterator[Item]:
    metres: dict[tuple[float, str], float] = {}
    for wire in circuit.wires:
        key = wire.mm2, wire.colour
        metres[key] = metres.get(key, 0) + wire.count * length(wire)
    for (mm2, colour), total in sorted(metres.items(), key=lambda entry: (-entry[0][0], COLOURS[entry[0][1]])):
        thin = mm2 == ratings.SIGNAL_MM2
        carries = ratings.SIGNAL_A if thin else ratings.ampacity(mm2)
        use = "signals" if thin and colour != RED else f"{USES[colour]}, carries {carries:g} A"
        name = f"stranded wire {mm2:g} mm², {COLOURS[colour]}"
        bought = math.ceil(round(10 * total * RESERVE, 6)) / 10
        yield Item(name, bought, "m", use, f"AWG {ratings.awg(mm2)}", 0.2, 0.8)


def _other_controllers(circuit: Circuit) -> str:
    return "a Pico 2 or a Pico W, wired the same way" if circuit.parts["A1"].title == "Raspberry Pi Pico" else ""


def _amount(item: Item) -> str:
    return f"{item.quantity:g} {item.unit}".strip()
