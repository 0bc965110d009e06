"""What to buy: the parts list, how much of it, what else would do and about what it costs, and the same as an order.

An order has makers' part numbers, another choice, whole packages, and files for two distributors. Prices are estimates
for one package from makers' and distributors' pages, not offers; nobody has asked a shop.
"""

from __future__ import annotations

import csv
import io
import math
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace

from cribboard.hardware import controllers, feed, ratings
from cribboard.hardware.case import SPACER_MM, Case
from cribboard.hardware.circuit import BLACK, RED, Circuit, Wire, levers
from cribboard.hardware.description import Description
from cribboard.hardware.shape import Layout
from cribboard.hardware.stack import FILM_MM
from cribboard.hardware.wiring import COLOURS

SPARE_PIXELS = 3  # a track, for cuts that go wrong and pixels that are dead
RESERVE = 1.2  # of wire, for cuts that go wrong
USES = {RED: "5 V", BLACK: "ground"}

PRICED = "2026-11"  # when the prices below were last looked through
SHEETS_MM = {"A4": (297.0, 210.0), "A3": (420.0, 297.0), "A2": (594.0, 420.0), "A1": (841.0, 594.0)}  # of paper, lying
ANY = "any maker"  # of parts that a shop cannot read from a form
BUTTON_MM = 16  # the cut-out of the push-button below
SHORT_COILS_M = 20.0  # of wire, in a set
SHEET_MM, SHEET_M2 = 600, 0.24  # a sheet of 600 x 400 mm
CUT_OFF, CUT_OFF_IN_PARTS = 1.2, 1.5  # what is bought for what is cut from it; for plates longer than the sheet
A_PORT_MA = 900  # of a port for an A plug (USB 3); what gives more has a socket for USB-C
FORMS = {  # the columns that each distributor's upload form for lists recognizes
    "digikey": ("Manufacturer Part Number", "Manufacturer Name", "Quantity", "Customer Reference"),
    "mouser": ("Mfr. Part Number", "Manufacturer", "Quantity", "Customer Part Number"),
}

# The step of the build guide that first needs a line of the order; the others are for step 3, the first wiring.
STEPS = (
    (2, r"Raspberry Pi Pico( \d)?|pin strip .*|socket and pin strips.*|USB data cable|jumper wire.*"),
    (4, r"sheet .*|veneer.*|print of .*|polycarbonate.*|tracing paper.*|screw M3 x \d+, countersunk, with nut, for.*"),
    (5, r"spool of filament.*"),
    (6, r"heat-shrink.*"),
    (7, r"push-button.*|passive piezo|screw .* for the corners.*|epoxy.*|double-sided film.*|spray glue.*|pin or .*"),
    (9, r"screw M2\.5 .*|foot, .*|cable tie.*"),
)


# Alpha Wire's numbers, by gauge, and the colours in them.
ALPHA_BY_AWG = {22: 3051, 20: 3053, 18: 3055, 16: 3057}
ALPHA = {
    "black": "BK",
    "blue": "BL",
    "green": "GR",
    "red": "RD",
    "white": "WH",
    "yellow": "YL",
}


# Numbers that nobody has found in a public source yet, or a supply whose mark (LPS, Class 2) none names. Found: 3051 as
# 100 ft of 22 AWG, 7 strands, in a list beside DigiKey's A2016B-100-ND; 222-415, five poles, in several parts lists.
UNSEEN = re.compile(r"305[357] \w\w005.*|3051 (GR|YL)005.*|GMA-500-R|WSU050-4000")


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
    head = [f"# Parts of “{board.name}”", "", "| part | how many | what for | instead |", "|---|---|---|---|"]
    return "\n".join([*head, *rows, ""])


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
    yield Item(
        f"WS2812B strip, 5 V, {strip}",
        metres,
        "m",
        use,
        "SK6812 RGB of the same pitch; not RGBW, which cannot work",
        low,
        high,
    )


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
        other = "" if board.on_usb else "470 to 2200 µF"
        yield Item(name, tracks, "", "across 5 V and GND at each strip's input", other, 0.2, 0.8)


def _power(board: Description, circuit: Circuit) -> Iterator[Item]:
    supply = board.supply
    fuses = Counter(part.title for part in circuit.parts.values() if part.ref.startswith("F"))
    use = "carries data and current" if board.on_usb else "carries the firmware and data"
    yield Item("USB data cable", 1, "", use, "not one that only charges", 2, 8)
    if not board.on_usb:
        name = f"enclosed supply 5 V, {supply.current_a:g} A, marked {ratings.marks(supply.current_a)}"
        yield Item(
            name, 1, "", "feeds the strips; plus is in the middle of its plug", "none without such a mark", 10, 30
        )
    for name, count in fuses.items():
        other = "no resettable (PTC) fuse: it trips at twice its rating"
        use = "close to the source" if board.on_usb else "at the terminal"
        yield Item(f"{name}, with its holder", count, "", use, other, 1, 4)
    if "D1" in circuit.parts:
        use = "lets the Pico run without a computer, and never feeds one"
        yield Item("Schottky diode 1N5817", 1, "", use, "1N5818, SS14", 0.1, 0.5)
    meet = Counter(place for wire in circuit.wires for place in (wire.start, wire.end))
    forks = sum(ref.startswith("F") and ways > 1 for (ref, _), ways in meet.items())
    if forks:
        yield Item("terminal for 3 wires", forks, "", "a fuse and its two wires", "lever connectors", 1, 4)
    for (ref, pin), ways in meet.items():
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
    for wire in (*circuit.wires, *circuit.links()):
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


@dataclass(frozen=True)
class Choice:
    """A maker, and the maker's number of a part."""

    maker: str
    number: str

    def __str__(self) -> str:
        doubt = " (check before you order)" if UNSEEN.fullmatch(self.number) else ""
        return f"{self.maker} {self.number}".strip() + doubt


@dataclass(frozen=True)
class Product:
    """What is sold: its first choice and another one, how much is in a package, and what a package costs."""

    first: Choice
    other: Choice
    package: float
    unit: str
    low: float
    high: float


Need = tuple[str, float, str, Product]  # what, how much of it, its unit, what is bought


@dataclass(frozen=True)
class Bought:
    """A line of the order."""

    what: str
    needed: float
    unit: str
    packages: int
    product: Product

    @property
    def step(self) -> int:
        """Of the build guide, that first needs it."""
        return next((step for step, names in STEPS if re.fullmatch(names, self.what)), 3)


def _product(first: str, other: str, package: float, unit: str, low: float, high: float) -> Product:
    """A product from "Maker | number"; without a number any maker's will do."""
    (maker, number), (other_maker, other_number) = ((each + "|").split("|")[:2] for each in (first, other))
    choices = Choice(maker.strip(), number.strip()), Choice(other_maker.strip(), other_number.strip())
    return Product(*choices, package, unit, low, high)


# By a pattern that the name of a part in the parts list matches; {} is what the pattern found.
PRODUCTS: dict[str, Product] = {
    r"WS2812B strip, 5 V, 144/m": _product(
        "Adafruit | 1506", "BTF-LIGHTING | WS2812B 144/m, IP30, black", 1, "m", 15, 65
    ),
    r"WS2812B strip, 5 V, 60/m": _product(
        "BTF-LIGHTING | WS2812B 60/m, IP30, black", "Adafruit | 1461", 5, "m", 20, 45
    ),
    r"WS2812B strip, 5 V, 30/m": _product(
        "BTF-LIGHTING | WS2812B 30/m, IP30, black", "Adafruit | 1460", 5, "m", 15, 30
    ),
    r"addressable 5 mm LED.*": _product("Adafruit | 1938", "any maker | PL9823 or APA106, 5 mm", 5, "", 4, 6),
    r"Raspberry Pi Pico": _product("Raspberry Pi | SC0915", "Raspberry Pi | SC1631", 1, "", 4, 6),
    r"Raspberry Pi Pico 2": _product("Raspberry Pi | SC1631", "Raspberry Pi | SC0915", 1, "", 5, 7),
    r"74AHCT125.*": _product("Texas Instruments | SN74AHCT125N", "Adafruit | 1787", 1, "", 0.5, 2),
    r"74AHCT1G125.*": _product("Texas Instruments | SN74AHCT1G125DBVR", "Nexperia | 74AHCT1G125GW,125", 1, "", 0.2, 1),
    r"ceramic capacitor 100 nF": _product("KEMET | C315C104M5U5TA", "Vishay | K104K10X7RF53H5", 10, "", 1, 3),
    r"resistor (\d+) Ω": _product("YAGEO | MFR-25FBF52-{}R", "any maker | {} Ω, 0.25 W, 1 %", 10, "", 0.5, 2),
    r"electrolytic capacitor 1000 µF.*": _product(
        "Panasonic | EEU-FR1A102", "Rubycon | 10ZLH1000MEFC10X12.5", 1, "", 0.4, 1.2
    ),
    r"electrolytic capacitor (\d+) µF.*": _product(
        "any maker | {} µF, 10 V, 105 °C", "any maker | 16 V", 1, "", 0.3, 2
    ),
    r"Schottky diode 1N5817": _product("onsemi | 1N5817RLG", "Vishay | 1N5817-E3/54", 1, "", 0.2, 0.6),
    r"USB data cable": _product("Adafruit | 592", "any maker | with data wires, at most 1 m", 1, "", 2, 8),
    r"enclosed supply 5 V, 4 A.*": _product("Mean Well | GST25A05-P1J", "Triad Magnetics | WSU050-4000", 1, "", 13, 25),
    r"enclosed supply 5 V, ([\d.]+) A.*": _product("any maker | 5 V {} A, with these marks", "none", 1, "", 12, 35),
    r"fuse 0\.5 A.*": _product("Littelfuse | 0217.500HXP", "Bussmann | GMA-500-R", 1, "", 0.5, 1.5),
    r"fuse ([123]) A.*": _product("Littelfuse | 028700{}.PXCN", "any maker | blade fuse ATO {} A", 1, "", 0.5, 1.5),
    r"fuse ([\d.]+) A.*": _product("any maker | ATO or glass fuse {} A", "none", 1, "", 0.5, 1.5),
    r"push-button that closes": _product("Adafruit | 1445", "any maker | momentary, its cut-out as drawn", 1, "", 1, 3),
    r"passive piezo": _product("Murata | PKM22EPPH4001-B0", "TDK | PS1240P02BT", 1, "", 0.6, 1.5),
    r"terminal for \d+ wires": _product("WAGO | 221-415", "WAGO | 222-415", 1, "", 0.6, 1.5),
}
HOLDERS = {
    r"fuse 0\.\d+ A.*": _product("any maker | in-line holder, 5 x 20 mm", "Littelfuse | 0150 series", 1, "", 1, 4),
    r"fuse ([\d.]+) A.*": _product(
        "Littelfuse | FHAC0001ZXJ", "any maker | in-line holder for blade fuses ATO", 1, "", 2, 5
    ),
}


def order(board: Description, items: Sequence[Item]) -> list[Bought]:
    """Every line to buy, in whole packages: the electric parts, then what holds and covers them."""
    lines = [line for item in items for line in _lines(item)]
    if board.buttons.diameter_mm != BUTTON_MM:
        wide = f"any maker | momentary, for a cut-out of {board.buttons.diameter_mm:g} mm"
        other = _product(wide, "none", 1, "", 0.5, 3)
        lines = [replace(line, product=other) if line.what.startswith("push-button") else line for line in lines]
    lines = [replace(line, product=_cable(board)) if line.what.startswith("USB data cable") else line for line in lines]
    return [*_together(lines), *_mechanical(board)]


def order_cost(lines: Sequence[Bought]) -> tuple[int, int]:
    """The least and the most that all packages cost."""
    low = sum(line.packages * line.product.low for line in lines)
    return math.floor(low), math.ceil(sum(line.packages * line.product.high for line in lines))


def order_form(lines: Sequence[Bought], distributor: str) -> str:
    """The lines that have a maker's number, as a distributor's upload form takes them."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(FORMS[distributor])
    orders: dict[Choice, tuple[int, list[str]]] = {}
    for line in lines:
        choice = line.product.first
        if choice.maker != ANY and re.fullmatch(r"[\w.,/-]+", choice.number):
            # where we count packages of ten a distributor sells single parts, but Adafruit's packages are its products
            single = not line.product.unit and choice.maker != "Adafruit"
            count, names = orders.setdefault(choice, (0, []))
            orders[choice] = count + (math.ceil(line.needed) if single else line.packages), [*names, line.what]
    for choice, (count, names) in orders.items():
        writer.writerow([choice.number, choice.maker, count, "; ".join(names)])
    return text.getvalue()


def order_csv(lines: Sequence[Bought]) -> str:
    """The list for a spreadsheet."""
    text = io.StringIO()
    columns = ["what", "step", "needed", "unit", "packages", "package", "first", "other", "low", "high", "priced"]
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    for line in lines:
        product = line.product
        size = [line.packages, f"{product.package:g} {product.unit}".strip()]
        cost_of = [f"{product.low:g}", f"{product.high:g}", PRICED]
        writer.writerow(
            [line.what, line.step, f"{line.needed:g}", line.unit, *size, product.first, product.other, *cost_of]
        )
    return text.getvalue()


def order_markdown(board: Description, lines: Sequence[Bought]) -> str:
    """The list to read and to print."""
    head = [f"# Order for “{board.name}”", ""]
    head += ["| what | step | needed | buy | part number | or | each |", "|---|---|---|---|---|---|---|"]
    rows = [
        f"| {line.what} | {line.step} | {line.needed:g} {line.unit}".rstrip()
        + f" | {_packages(line)} | {line.product.first} | "
        f"{line.product.other} | {line.product.low:g} to {line.product.high:g} |"
        for line in lines
    ]
    low, high = order_cost(lines)
    said = (
        f"One board costs about {low} to {high} euro or dollars ({PRICED}): all of these packages, which last for more;"
        " without delivery, wood glue, paint and tools."
    )
    wire = sum(line.needed for line in lines if line.what.startswith("stranded wire"))
    enough = f"Of wire you need {wire:.1f} m in all"
    enough += ": a set of short coils in these colours and gauges is enough." if wire <= SHORT_COILS_M else "."
    return "\n".join([*head, *rows, "", said, "", enough, ""])


def order_json(line: Bought) -> dict[str, object]:
    """A line as one object."""
    product = asdict(line.product)
    return {
        "what": line.what,
        "step": line.step,
        "needed": line.needed,
        "unit": line.unit,
        "packages": line.packages,
        **product,
    }


def _lines(item: Item) -> Iterator[Bought]:
    """What is bought for a line of the parts list: a fuse has its holder, a shifter its socket."""
    yield _bought(item.part.removesuffix(", with its holder"), item, PRODUCTS, item.quantity)
    if item.part.startswith("fuse"):
        yield _bought("holder for a " + item.part.partition(",")[0], item, HOLDERS, item.quantity)


def _bought(what: str, item: Item, products: dict[str, Product], quantity: float) -> Bought:
    for pattern, product in products.items():
        match = re.fullmatch(pattern, item.part)
        if match:
            needed = levers(int(item.part.split()[2])) * quantity if item.part.startswith("terminal") else quantity
            packages = math.ceil(round(needed / product.package, 6))
            name = f"lever connector for 5 wires, for the {item.part}" if item.part.startswith("terminal") else what
            return Bought(name, needed, item.unit, packages, _filled(product, match.groups()))
    wire = re.fullmatch(r"stranded wire ([\d.]+) mm², (\w+)", item.part)
    if wire:
        product = _wire(float(wire[1]), wire[2])
        return Bought(what, quantity, item.unit, math.ceil(round(quantity / product.package, 6)), product)
    any_maker = _product(f"any maker | {item.part}", "none", 1, item.unit, item.low, item.high)
    return Bought(what, quantity, item.unit, math.ceil(quantity), any_maker)


def _wire(mm2: float, colour: str) -> Product:
    """Wire of the thinnest gauge that is no thinner than this."""
    gauge = ratings.awg(mm2)
    number = ALPHA_BY_AWG.get(gauge)
    other = f"Alpha Wire | {number} {ALPHA[colour]}005" if number else "any maker | the next thicker one"
    package, low, high = (10, 2, 7) if gauge >= 20 else (5, 3, 10)
    return _product(f"any maker | AWG {gauge}, stranded, {colour}", other, package, "m", low, high)


def _filled(product: Product, groups: Sequence[str]) -> Product:
    first, other = (Choice(choice.maker, choice.number.format(*groups)) for choice in (product.first, product.other))
    return Product(first, other, product.package, product.unit, product.low, product.high)


def _together(lines: Sequence[Bought]) -> Iterator[Bought]:
    """Lines of one product and name as one, so that packages are shared."""
    alike: dict[tuple[str, str], list[Bought]] = {}
    for line in lines:
        alike.setdefault((line.what, str(line.product.first)), []).append(line)
    for (what, _), same in alike.items():
        needed = round(sum(line.needed for line in same), 2)
        product = same[0].product
        yield Bought(what, needed, same[0].unit, math.ceil(round(needed / product.package, 6)), product)


def _mechanical(board: Description) -> Iterator[Bought]:
    """What holds, joins and covers; the case's own plates are in the case's list."""
    layout = Layout(board)
    case = Case(layout)
    long, short, dots = case.screw_long, case.board_screw_long, len(layout.dots)
    paper = next((name for name, size in SHEETS_MM.items() if _covers(size, layout.size)), "roll")
    clamp, clamps = case.stack.clamp_long, sum(map(len, case.ears)) + len(case.drawer_screws)
    held = "the light guides and the drawer" if case.drawer_box else "the light guides"
    wanted: list[Need] = [
        *_sockets(board),
        (
            "DIP socket, 14 pins",
            1,
            "",
            _product("TE Connectivity | 1-2199298-3", "any maker | DIP-14", 1, "", 0.2, 0.6),
        ),
        (
            "perfboard, 80 x 60 mm",
            1,
            "",
            _product("any maker | 80 x 60 mm, holes 2.54 mm apart", "any maker | larger, cut to size", 1, "", 2, 7),
        ),
        (
            f"screw M2.5 x {short} with nut and spacer {SPACER_MM:g} mm",
            4,
            "",
            _product(f"any maker | nylon, M2.5 x {short}", "any maker | M2", 10, "", 2, 6),
        ),
        ("heat-shrink tube 3 mm", 0.5, "m", _product("any maker | 3:1, 3 mm", "any maker | 2:1, 3 mm", 1, "m", 1, 3)),
        (
            f"foot, self-adhesive, {case.foot} mm high, at most 12 mm wide",
            4,
            "",
            _product("any maker | rubber", "any maker | felt", 4, "", 1, 4),
        ),
        (
            f"screw M3 x {clamp}, countersunk, with nut, for {held}",
            clamps,
            "",
            _product(f"any maker | ISO 7046, M3 x {clamp}", "any maker | ISO 10642", 10, "", 2, 5),
        ),
        (
            f"cable tie 2.5 x {case.tie_long} mm",
            case.fuses + 2,  # that of the plug, and one to spare
            "",
            _product("any maker | nylon", "any maker | hook and loop", 10, "", 1, 3),
        ),
        (
            "jumper wire, for the bring-up before there are buttons",
            2,
            "",
            _product("any maker | to the controller's pins", "any maker | any wire", 10, "", 1, 4),
        ),
    ]
    epoxy = _product("any maker | two parts, 5 minutes", "any maker | superglue, thick", 1, "", 3, 8)
    wanted.append(("epoxy glue, for heads of screws, printed parts and what wood glue does not hold", 1, "", epoxy))
    wanted += _front(board, layout)
    thick = f"{board.shape.thickness_mm:g} mm"
    cut_m2 = case.sheet_m2 if case.screw else layout.size[0] * layout.size[1] / 1e6
    sheet = _product(
        f"any maker | {thick} plywood, 600 x 400 mm", "any maker | acrylic, hardwood", SHEET_M2, "m²", 6, 20
    )
    bought = cut_m2 * (CUT_OFF if max(layout.size) <= SHEET_MM else CUT_OFF_IN_PARTS)
    wanted.append((f"sheet of {thick}, for light sheet and case", round(bought, 2), "m²", sheet))
    filament = _product("any maker | PLA, black or grey, 1 kg", "any maker | PETG", 1, "", 15, 30)
    wanted.append(("spool of filament, for light guides, bars and clips", 1, "", filament))
    if case.screw:
        screw = f"{case.screw} x {long}"
        screws = _product(f"any maker | ISO 7046, {screw}", "any maker | ISO 10642", 10, "", 2, 6)
        wanted.append(
            (
                f"screw {screw}, countersunk, with nut and washer, for the corners: order it after the comb",
                4,
                "",
                screws,
            )
        )
    if board.shape.strip_mm and board.shape.face_mm:
        tracing = _product("any maker | 90 g/m²", "any maker | PET, 0.1 to 0.3 mm, matt", 1, "", 1, 8)
        wanted.append((f"tracing paper, {paper}", 1, "", tracing))
    if not board.on_usb:
        mains = _product(
            "any maker | IEC C13, with your country's plug", "none, if it comes with the supply", 1, "", 3, 8
        )
        wanted.append(("mains lead for the supply", 1, "", mains))
        jack = _product("Adafruit | 368", "any maker | 5.5 x 2.1 mm, 5 A", 1, "", 2, 4)
        wanted.append(("jack 5.5 x 2.1 mm with screw terminals", 1, "", jack))
    if dots:
        size = f"{board.shape.dots_mm:g} mm"
        pins = _product(f"any maker | brass, {size}, round head", "any maker | steel nail", 100, "", 2, 5)
        wanted.append(
            (f"pin or nail {size}, at most {case.stack.pin_long} mm below its head, for the dots", dots, "", pins)
        )
    for what, needed, unit, product in wanted:
        yield Bought(what, needed, unit, math.ceil(needed / product.package), product)


def _sockets(board: Description) -> Iterator[Need]:
    """What the controller stands in: for a Pico known, for others to be measured."""
    if controllers.is_pico(board.controller):
        sockets = _product("Sullins | PPTC201LFBN-RC", "Samtec | SSW-120-01-T-S", 1, "", 1, 3)
        yield "socket strip of 20, for the Pico", 2, "", sockets
        pins = _product("Sullins | PREC020SAAN-RC", "Adafruit | 392", 1, "", 0.5, 1)
        yield "pin strip of 20, for the Pico", 2, "", pins
    else:
        rows = _product(f"{ANY} | not known: measure, or count its rows of pins", "none", 1, "", 2, 8)
        yield f"socket and pin strips, for the {board.controller}", 2, "", rows


def _cable(board: Description) -> Product:
    """The USB cable that fits the controller's socket."""
    socket = feed.usb(board.controller).socket
    if socket == "Micro-USB" and board.on_usb and board.supply.current_ma > A_PORT_MA:
        return _product(f"{ANY} | Micro-USB to USB-C, or to your source's socket, with data wires", "none", 1, "", 2, 8)
    if socket == "Micro-USB":
        return _product("Adafruit | 592", f"{ANY} | with data wires, at most 1 m", 1, "", 2, 8)
    kind = socket if socket.startswith("USB") else "not known: look at its socket"
    return _product(f"{ANY} | {kind}, with data wires, at most 1 m", "none", 1, "", 2, 10)


def _front(board: Description, layout: Layout) -> Iterator[Need]:
    """The face, by its kind, as large as the board, and what fastens it."""
    shape, (width, height) = board.shape, layout.size
    size = f"{width:.0f} x {height:.0f} mm"
    if not shape.face_mm:
        page = _product(
            "any maker | on tracing paper of 90 g/m², at 100 %", "any maker | matt backlit film", 1, "", 5, 25
        )
        yield f"print of face-print.pdf, {size}", 1, "", page  # light comes through it: no card
    elif shape.face_mm < 1:
        veneer = _product(f"any maker | {shape.face_mm:g} mm, that may be lasered", "none", 1, "", 4, 15)
        yield f"veneer, {size}", 1, "", veneer
    else:
        ply = _product(f"any maker | {shape.face_mm:g} mm birch plywood", "any maker | acrylic, matt", 1, "", 4, 15)
        yield f"sheet for the face, {size}", 1, "", ply
    if shape.cover_mm:
        clear = _product(f"any maker | {shape.cover_mm:g} mm, matt", "any maker | PETG", 1, "", 5, 20)
        yield f"polycarbonate, {size}", 1, "", clear
    around = math.ceil(2 * (width + height) / 100) / 10
    film = _product(
        f"any maker | clear transfer tape, {FILM_MM:g} mm, 0.1 mm thick", "any maker | 3M 467MP", 50, "m", 3, 9
    )
    yield f"double-sided film, {FILM_MM:g} mm wide, to stick the face at its edge", around, "m", film
    if 0 < shape.face_mm < 1:
        glue = _product("any maker | spray glue", "any maker | glue stick", 1, "", 3, 9)
        yield "spray glue, for the veneer", 1, "", glue


def _covers(sheet: tuple[float, float], size: tuple[float, float]) -> bool:
    return all(side >= most for side, most in zip(sorted(sheet), sorted(size), strict=True))


def _packages(line: Bought) -> str:
    size = f"{line.product.package:g} {line.product.unit}".strip()
    return f"{line.packages}" if size == "1" else f"{line.packages} of {size}"
