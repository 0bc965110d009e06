"""The electronics as they lie: parts on the perfboard to tick off, wires from part to part, buttons behind the face.

The perfboard is as large as the carrier board, and its screws are at the same places. Lengths of it are millimetres, y
up; the pictures are twice as large, y down.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from cribboard.hardware.carrier import HIGH, HOLES, PITCH, WIDE, Carrier, Part
from cribboard.hardware.case import BOARD_HOLE_MM
from cribboard.hardware.circuit import BLACK, BLUE, GREEN, RED, WHITE, YELLOW, Circuit, Place, Wire, levers
from cribboard.hardware.controllers import PICO_HEADER
from cribboard.hardware.description import Description
from cribboard.hardware.picture import LETTER, Picture, Router
from cribboard.hardware.shape import Layout, Point
from cribboard.hardware.wiring import COLOURS

Corners = tuple[float, float, float, float]

COLUMNS, ROWS = 30, 22
PICO_COLUMNS, PICO_ROW = (11, 18), 21  # of its pins; the row of pin 1
SCALE = 2.0
BOARD, PLASTIC, PIN, COPPER, STRIP, LIGHT = "#e8ddb8", "#f4f4f4", "#c8c8c8", "#d08030", "#dfe4ee", "#ffd040"
PAPER = (210.0, 297.0)
ON_BOARD = re.compile(r"A1|D1|RZ1|U\d|C\d+")
FIRST = re.compile(r"A1|D1|F\d|X\d|PS1|U\d|R1|LED1")  # what step 3 wires
STEP = PITCH * SCALE / 2  # of the grid that the wires lie on
BESIDE = 200.0  # of fuse, terminals and strip, from the picture's left edge


@dataclass(frozen=True)
class Placed:
    """A part on a board: what it is, where its legs go, its body, and where that is in words."""

    ref: str
    title: str
    pads: dict[str, Point]
    body: Corners
    where: str


def perfboard(circuit: Circuit) -> list[Placed]:
    """The parts that stand on the perfboard, the flat ones first."""
    placed = [*_shifters(circuit), *_small(circuit), _controller(circuit)]
    return sorted(placed, key=lambda part: ("RDUCA".index(part.ref[0]), part.ref))


def hole(column: float, row: float) -> Point:
    """The middle of a hole of the perfboard; both count from 0 at the lower left."""
    edge_x, edge_y = (WIDE - PITCH * (COLUMNS - 1)) / 2, (HIGH - PITCH * (ROWS - 1)) / 2
    return edge_x + PITCH * column, edge_y + PITCH * row


def named(column: int, row: int) -> str:
    """A hole in words: columns have letters from the left, rows numbers from above."""
    letters = chr(65 + column) if column < 26 else "A" + chr(65 + column - 26)
    return f"{letters}{ROWS - row}"


def _controller(circuit: Circuit) -> Placed:
    part = circuit.parts["A1"]
    left, right = PICO_COLUMNS
    if not part.numbers:
        pads = {pin: hole(left, PICO_ROW - number) for number, pin in enumerate(part.pins)}
        (x, y), (_, top) = hole(left - 1, PICO_ROW - len(pads)), hole(left, PICO_ROW + 0.5)
        return Placed("A1", part.title, pads, (x, y, hole(right, 0)[0], top), "its pins as it has them")
    used = dict(zip(part.numbers, part.pins, strict=True))
    pads = {}
    for number in range(1, 41):
        row = PICO_ROW - (number - 1 if number <= 20 else 40 - number)
        pads[used.get(number, f"pin {number}")] = hole(left if number <= 20 else right, row)
    (x, y), (to_x, top) = hole(left - 0.65, PICO_ROW - 19.7), hole(right + 0.65, PICO_ROW + 0.5)
    where = f"pin 1 at {named(left, PICO_ROW)}, pin 40 at {named(right, PICO_ROW)}, in two sockets of 20"
    return Placed("A1", part.title, pads, (x, y, to_x, top), where)


def _shifters(circuit: Circuit) -> Iterator[Placed]:
    """A package of 14 pins, which has gates enough for every board; or single gates, on breakouts, in two columns."""
    for index, part in enumerate(part for ref, part in circuit.parts.items() if ref.startswith("U")):
        single = max(part.numbers) < 14
        half, apart = (3 if single else 7), 3
        column, row = (20 + 5 * (index % 2), 16 - 6 * (index // 2)) if single else (22, 17)
        names = {number: pin for pin, number in zip(part.pins, part.numbers, strict=True)}
        pads = {}
        for number in range(1, (6 if single else 15)):
            left = number <= half
            down = number - 1 if left else (5 if single else 14) - number
            down = 2 if single and number == 4 else down
            pads[names.get(number, f"pin {number}")] = hole(column if left else column + apart, row - down)
        (x, y), (to_x, top) = hole(column + 0.35, row - half + 0.5), hole(column + apart - 0.35, row + 0.5)
        socket = "on a breakout" if single else "in a socket, its notch up"
        where = f"pin 1 at {named(column, row)}, {socket}"
        yield Placed(part.ref, part.title, pads, (x, y, to_x, top), where)
        plus, minus = (column + apart, row + 2), (column + apart - 2, row + 2)
        where = f"{named(*plus)} and {named(*minus)}, from pin {'5' if single else '14'} to GND"
        yield _between(f"C{index + 1}", "100 nF", {"+": plus, "-": minus}, where)


def _small(circuit: Circuit) -> Iterator[Placed]:
    right, row = PICO_COLUMNS[1], PICO_ROW
    if "D1" in circuit.parts:
        vsys = row - 1  # a bridge of solder to VBUS beside it would feed the computer
        ends = {"cathode": (right + 1, vsys), "anode": (right + 4, vsys)}
        where = f"ring at {named(right + 1, vsys)}, other end at {named(right + 4, vsys)}"
        yield _between("D1", circuit.parts["D1"].title, ends, where)
    if "RZ1" in circuit.parts:
        ends = {"in": (9, 3), "out": (6, 3)}
        yield _between("RZ1", circuit.parts["RZ1"].title, ends, f"{named(9, 3)} and {named(6, 3)}")


def _between(ref: str, title: str, ends: dict[str, tuple[int, int]], where: str) -> Placed:
    pads = {name: hole(*at) for name, at in ends.items()}
    xs, y = sorted(x for x, _ in pads.values()), next(iter(pads.values()))[1]
    return Placed(ref, title, pads, (xs[0] + 0.9, y - 1.0, xs[-1] - 0.9, y + 1.0), where)


def page(
    name: str, size: Point, screws: Sequence[Point], parts: Sequence[Placed], grid: bool, beside: Sequence[str] = ()
) -> Picture:
    """A page of A4 with a board twice as large, each part of it to tick off, and what stands beside the board."""
    made = Picture(*PAPER, f"{name}: where each part goes", _described(name, parts))
    made.write(15, 14, made.title, 5)
    words = f"From above, twice as large (from below it is mirrored): this line is {size[0]:g} mm on it."
    made.write(15, 22, f"{words} Orange is pin 1.", 3.4)
    x, y, scale = (PAPER[0] - size[0] * SCALE) / 2, 36.0, SCALE
    made.line((x, 28), (x + size[0] * scale, 28))
    for end in (x, x + size[0] * scale):
        made.line((end, 26.5), (end, 29.5))
    draw_board(made, (x, y), size, screws, grid)
    draw_parts(made, (x, y + size[1] * scale), parts)
    y += size[1] * scale + 12
    made.write(15, y, "Tick each part off when it is soldered in:", 3.8)
    lines = [f"{part.ref}  {part.title}{': ' if part.where else ''}{part.where}" for part in parts]
    columns = 1 if len(lines) + len(beside) <= 24 else 2
    rows = -(-(len(lines) + len(beside)) // columns)
    high = min(3.4, (PAPER[1] - y - 16) / rows / 1.5)
    for number, words in enumerate([*lines, *beside]):
        column, row = divmod(number, rows)
        made.tick(15 + column * 92, y + 8 + row * high * 1.5, words, high)
    return made


def _described(name: str, parts: Sequence[Placed]) -> str:
    where = "; ".join(f"{part.ref}, {part.title}{': ' if part.where else ''}{part.where}" for part in parts)
    return f"The board of {name} from above, its parts to tick off. {where}."


def draw_board(made: Picture, at: Point, size: Point, screws: Sequence[Point], grid: bool, below: bool = False) -> None:
    """A board by its upper left corner, its screws, and a perfboard's holes, whose columns run back `below` it."""
    made.box(*at, size[0] * SCALE, size[1] * SCALE, BOARD)
    for x, y in screws:
        made.disc(at[0] + x * SCALE, at[1] + (size[1] - y) * SCALE, 1.6 * SCALE, "#fff")
    if not grid:
        return
    for column in range(COLUMNS):
        for row in range(ROWS):
            x, y = hole(column, row)
            if all((x - screw[0]) ** 2 + (y - screw[1]) ** 2 > 9 for screw in screws):
                where = f'cx="{at[0] + x * SCALE:.2f}" cy="{at[1] + (size[1] - y) * SCALE:.2f}" r="0.5"'
                made.parts.append(f'<circle {where} fill="#fff" stroke="#b8a878" stroke-width="0.15"/>')
    for column in range((COLUMNS - 1) % 5 if below else 0, COLUMNS, 5):
        x = at[0] + hole(column, 0)[0] * SCALE
        name = named(COLUMNS - 1 - column if below else column, 0)
        made.write(x, at[1] - 2.5, name.rstrip("0123456789"), 2.6, "middle")
    for row in range(ROWS - 1, -1, -5):
        made.write(at[0] - 1.5, at[1] + (size[1] - hole(0, row)[1]) * SCALE, f"{ROWS - row}", 2.6, "end")


def draw_parts(made: Picture, origin: Point, parts: Sequence[Placed], names: bool = True, body: str = PLASTIC) -> None:
    """The bodies and legs of parts, from the lower left corner of their board, and their names."""
    for part in sorted(parts, key=lambda part: part.ref != "A1"):  # what is below the controller lies over it
        left, low, right, top = part.body
        x, y = origin[0] + left * SCALE, origin[1] - top * SCALE
        made.box(x, y, (right - left) * SCALE, (top - low) * SCALE, body)
        for number, (pin_x, pin_y) in enumerate(part.pads.values()):
            first = not number and len(part.pads) > 2
            made.disc(origin[0] + pin_x * SCALE, origin[1] - pin_y * SCALE, 1.5, COPPER if first else PIN)
        if part.ref.startswith("U"):  # its notch
            made.disc(x + (right - left) * SCALE / 2, y + 2, 1.2, "#fff")
        if part.ref == "A1":
            made.box(x + (right - left) * SCALE / 2 - 8, y - 2.4, 16, 11, PIN)
    for part in parts if names else ():
        left, low, right, top = (edge * SCALE for edge in part.body)
        x, y = origin[0] + (left + right) / 2, origin[1] - (low + top) / 2
        wide, high = (right - left) / 2, (top - low) / 2
        for size in (3.6, 2.8, 2.2):
            side = wide + len(part.ref) * size * 0.3 + 0.6
            around = [(x, y), (x, y - high - size), (x, y + high + size), (x + side, y), (x - side, y)]
            reach = [(x + step * 2.0, y + down) for step in (1, -1, 2, -2) for down in (-high - size, high + size, 0)]
            if made.label(part.ref, [*around, *reach, *((x, y + 3 * down) for down in range(-6, 7))], size):
                break


def placement(layout: Layout, circuit: Circuit) -> Picture:
    """The page for the perfboard; what lies beside it is ticked off, too."""
    board = layout.description
    drill = f"perfboard  drill four holes of {BOARD_HOLE_MM:g} mm, {HOLES[0][0]:g} mm from its edges"
    beside = [drill, *(f"{ref}  {title}" for ref, title in _beside(board, circuit))]
    return page(board.name, (WIDE, HIGH), HOLES, perfboard(circuit), True, beside)


def on_carrier(name: str, carrier: Carrier) -> Picture:
    """The page for the carrier board, its parts in the order in which they are soldered, the flat ones first."""
    flat = ("R", "U", "A", "RB", "RZ", "S", "BZ", "J", "F", "C")
    parts = [
        Placed(part.ref, part.title, {pad: (at.x, at.y) for pad, at in part.pads.items()}, part.body, _plus(part))
        for part in carrier.parts.values()
    ]
    kinds = {part.ref: flat.index(kind) if (kind := re.sub(r"\d", "", part.ref)) in flat else 0 for part in parts}
    return page(name, (WIDE, HIGH), HOLES, sorted(parts, key=lambda part: (kinds[part.ref], part.ref)), False)


def _plus(part: Part) -> str:
    """Which leg of a diode goes where, or of an electrolytic capacitor: the wrong way round it can burst."""
    if part.ref == "J0":
        return "5V on the left, GND on the right"
    if "diode" in part.title:
        return f"ring on the {'left' if part.pads['cathode'].x < part.pads['anode'].x else 'right'}"
    if "µF" not in part.title:
        return ""
    return f"plus on the {'left' if part.pads['+'].x < part.pads['-'].x else 'right'}"


def _beside(board: Description, circuit: Circuit) -> Iterator[tuple[str, str]]:
    for ref, part in circuit.parts.items():
        if ON_BOARD.fullmatch(ref) or ref.startswith(("S", "BZ")):
            continue
        if ref.startswith("F"):
            behind = sum(wire.start[0] == ref for wire in circuit.wires)
            fork = f"then a lever connector for its {behind} wires" if behind > 1 else "beside the terminal X1"
            yield ref, f"{part.title}: in its holder, {fork}"
        elif ref.startswith("X"):
            ways = sum(ref in (wire.start[0], wire.end[0]) for wire in circuit.wires)
            joined = f", {count} connectors joined by wires" if (count := levers(ways)) > 1 else ""
            yield ref, f"{part.title} {part.pins[0]}: {ways} wires{joined}, beside the perfboard"
        elif ref.startswith("R"):
            yield ref, f"{part.title}: at the first pixel of track {ref[1:]}, in its wire to DIN"
        elif ref.startswith("LED"):
            for fitted in part.fitted:
                yield f"at {ref}", f"{fitted}, minus to GND, at its first pixel" if "µF" in fitted else fitted
        else:
            yield ref, f"{part.title}: outside; keep its plug, wire its jack"


Spot = tuple[str, str, int]  # a part, a pin, and which of its ways: a terminal has one for each wire


def wires(circuit: Circuit) -> Picture:
    """Step 3's wires as they lie: the perfboard from above, and beside it fuse, terminals and the first strip."""
    drawn = [
        (name, wire)
        for name, cable in circuit.cables()
        for wire in cable
        if all(FIRST.fullmatch(end[0]) for end in (wire.start, wire.end)) and not _of_the_whole_track(wire)
    ]
    ends = _own_ways([wire for _, wire in drawn])
    sentences = "; ".join(f"{name}: {_said(circuit, wire)}" for name, wire in drawn)
    beside = _column(circuit, [end for pair in ends for end in pair])
    tall = max(HIGH * SCALE + 8 * STEP, sum(STEP * (2 * len(pins) + 3) for _, pins in beside) + 5 * STEP)
    lines = -(-len(drawn) // 3)
    made = Picture(
        300, 20 + tall + 22 + 5.4 * lines, "Step 3: the wires as they lie", f"The wires of step 3. {sentences}."
    )
    made.write(8, 8, "Step 3: the wires as they lie, from above. Some run below the controller.", 4.4)
    tracks = sum(ref.startswith("LED") for ref in circuit.parts)
    alike = (
        ""
        if tracks < 2
        else f"Only track 1 is drawn: wire {'track 2' if tracks == 2 else 'the others'} in the same way. "
    )
    made.write(8, 14, f"{alike}Orange is pin 1.", 3.4)
    top = 20.0
    origin, parts = _corner(top), [part for part in perfboard(circuit) if part.ref != "RZ1"]
    draw_board(made, (origin[0], origin[1] - HIGH * SCALE), (WIDE, HIGH), HOLES, False)
    draw_parts(made, origin, parts)
    spots = _on_board(made, origin, parts, {(ref, pin) for pair in ends for ref, pin, _ in pair})
    beside_spots, solid = _pads_beside(made, circuit, beside, top)
    spots |= beside_spots
    router = Router(made, STEP, spots.values(), [solid])
    for (_, wire), (start, end) in sorted(
        zip(drawn, ends, strict=True), key=lambda each: _far(spots[each[1][0]], spots[each[1][1]])
    ):
        router.route(spots[start], spots[end], wire.colour, f"{start}" if wire.within else f"{start}{end}")
    _capacitors(router, circuit, spots)
    y = made.key(8, 24 + tall, {RED: "5 V", BLACK: "ground", GREEN: "data"}) + 2
    for number, (name, wire) in enumerate(drawn):
        column, row = divmod(number, lines)
        made.tick(8 + 97 * column, y + 5.4 * row, f"{name}  {_said(circuit, wire)}", 3)
    return made


def below(circuit: Circuit) -> Picture:
    """Step 3: the perfboard from below, as it is soldered: its wires from leg to leg, and where the others go."""
    parts = [_mirrored(part) for part in perfboard(circuit)]
    joined, leave, used = list[Wire](), dict[Place, str](), set[Place]()
    for wire in circuit.wires:
        on = [end for end in (wire.start, wire.end) if ON_BOARD.fullmatch(end[0])]
        used |= {*on}
        if len(on) == 2:
            joined.append(wire)
        elif on:
            away = wire.end if on[0] == wire.start else wire.start
            leave[on[0]] = f"{leave[on[0]]}, {away[0]}" if on[0] in leave else f"to {away[0]}"
    sentences = "; ".join(_said(circuit, wire) for wire in circuit.wires if used & {wire.start, wire.end})
    made = Picture(174, 186, "Step 3: the perfboard from below", f"The perfboard from below. {sentences}.")
    made.write(8, 8, "Step 3: the perfboard from below, where it is soldered.", 4.4)
    made.write(8, 14, "Mirrored. Orange is pin 1. “to X2”: a wire leaves the board there.", 3.4)
    origin = _corner(22.0)
    draw_board(made, (origin[0], origin[1] - HIGH * SCALE), (WIDE, HIGH), HOLES, True, below=True)
    draw_parts(made, origin, parts, body=BOARD)
    spots = _on_board(made, origin, parts, used)
    for part in parts:
        for pin, (x, _) in part.pads.items():
            if words := leave.get((part.ref, pin)):
                (at, y), half = spots[part.ref, pin, 0], len(words) * 2.4 * LETTER / 2
                outwards = -_inwards(part, x)
                made.label(words, [(at + outwards * (half + off), y) for off in (2.6, 4.4, 6.2)], 2.4)
    router = Router(made, STEP, spots.values())
    for wire in sorted(joined, key=lambda wire: _far(spots[*wire.start, 0], spots[*wire.end, 0])):
        start, end = (*wire.start, 0), (*wire.end, 0)
        router.route(spots[start], spots[end], wire.colour, f"{start}" if wire.within else f"{start}{end}")
    _capacitors(router, circuit, spots)
    uses = {RED: "5 V", BLACK: "ground", GREEN: "data", YELLOW: "the piezo"}
    shown = {*(wire.colour for wire in joined), *((RED, BLACK) if "U1" in circuit.parts else ())}
    made.key(8, 162, {colour: use for colour, use in uses.items() if colour in shown})
    return made


def _mirrored(part: Placed) -> Placed:
    """A part of the perfboard from below."""
    left, low, right, top = part.body
    pads = {pin: (WIDE - x, y) for pin, (x, y) in part.pads.items()}
    return replace(part, pads=pads, body=(WIDE - right, low, WIDE - left, top))


def _corner(top: float) -> Point:
    """The lower left corner of a perfboard below some words, its holes on the grid of the wires."""
    across, up = hole(0, 0)
    return 5 * STEP - SCALE * across, (round((top + SCALE * HIGH) / STEP) + 1) * STEP + SCALE * up


def _capacitors(router: Router, circuit: Circuit, spots: Mapping[Spot, Point]) -> None:
    """The legs of the capacitor at each shifter, to its supply and ground."""
    for ref in (ref for ref in circuit.parts if ref.startswith("U")):
        for leg, pin, colour in (("+", "5 V", RED), ("-", "GND", BLACK)):
            router.route(spots[f"C{ref[1:]}", leg, 0], spots[ref, pin, 0], colour, f"{(ref, pin, 0)}")


def _of_the_whole_track(wire: Wire) -> bool:
    """Whether it waits for step 6: one from street to street or pixel to pixel, or one that feeds the far end."""
    return (wire.within and wire.end[0].startswith("LED")) or wire.end[1].endswith(" at the end")


def _said(circuit: Circuit, wire: Wire) -> str:
    def place(end: Place) -> str:
        number = circuit.parts[end[0]].number(end[1]) if end[0].startswith("U") else None
        return f"{end[0]} {f'pin {number}' if number else end[1]}"

    return f"{place(wire.start)} to {place(wire.end)}, {COLOURS[wire.colour]}"


def _own_ways(drawn: Sequence[Wire]) -> list[tuple[Spot, Spot]]:
    """Both ends of each wire; every wire at a terminal has a way of its own."""
    taken: dict[Place, int] = {}
    pairs = []
    for wire in drawn:
        both = []
        for ref, pin in (wire.start, wire.end):
            number = taken.get((ref, pin), 0)
            if ref.startswith("X"):
                taken[ref, pin] = number + 1
            both.append((ref, pin, number))
        pairs.append((both[0], both[1]))
    return pairs


def _column(circuit: Circuit, ends: Sequence[Spot]) -> list[tuple[str, list[Spot]]]:
    """What lies beside the perfboard, from above, with its ways."""
    parts: dict[str, list[Spot]] = {}
    for end in sorted(set(ends), key=lambda end: (end[0], circuit.parts[end[0]].pins.index(end[1]), end[2])):
        if not ON_BOARD.fullmatch(end[0]):
            parts.setdefault(end[0], []).append(end)
    return sorted(
        parts.items(), key=lambda each: (("PS", "F", "X", "R", "LE").index(re.sub(r"\d|D", "", each[0])), each[0])
    )


def _on_board(made: Picture, origin: Point, parts: Sequence[Placed], used: Collection[Place]) -> dict[Spot, Point]:
    """The places of all legs on the perfboard; write the names of those that are used."""
    spots = {}
    for part in parts:
        for number, (pin, (x, y)) in enumerate(part.pads.items(), 1):
            at = origin[0] + x * SCALE, origin[1] - y * SCALE
            spots[part.ref, pin, 0] = at
            if (part.ref, pin) in used and len(part.pads) > 2:
                words = pin if part.ref == "A1" else f"{number}"
                side = _inwards(part, x)
                made.write(at[0] + 2.6 * side, at[1], words, 2.4, "start" if side > 0 else "end")
    return spots


def _inwards(part: Placed, x: float) -> int:
    """On which side of a leg its part is: 1 is right."""
    return 1 if x < (part.body[0] + part.body[2]) / 2 else -1


def _pads_beside(
    made: Picture, circuit: Circuit, column: Sequence[tuple[str, list[Spot]]], y: float
) -> tuple[dict[Spot, Point], Corners]:
    """Draw what lies beside the perfboard, its ways at the left; and where no wire can be."""
    x, row, spots = round(BESIDE / STEP) * STEP, round(y / STEP) + 1, {}
    for ref, pins in column:
        high = (2 * len(pins) + 1) * STEP
        made.box(x, row * STEP, 30, high, STRIP if ref.startswith("LED") else PLASTIC)
        made.write(x + 33, row * STEP + high / 2, f"{ref}  {circuit.parts[ref].title.partition(', ')[0]}", 3.4)
        for number, end in enumerate(pins):
            at = (x, (row + 1 + 2 * number) * STEP)
            spots[end] = at
            made.disc(*at, 1.3, PIN)
            made.write(x + 3, at[1], end[1], 2.8)
        row += 2 * len(pins) + 3
    return spots, (x - 0.1, 0.0, made.width, made.height)


def _far(one: Point, other: Point) -> float:
    return abs(one[0] - other[0]) + abs(one[1] - other[1])


PIN_APART, PICO_WIDE = 6.0, 54.0
BUTTON_KEY = {YELLOW: "+1 or UNDO, or the piezo", BLUE: "+5 or DEAL", WHITE: "OK", BLACK: "ground"}
BEHIND, LANES = 300.0, 14  # how wide the face is drawn; lanes between it and the controller


def start(circuit: Circuit) -> Picture:
    """Step 2: two wires, each from a button's pin to ground, start the bring-up."""
    pins = [_pin(circuit, "+1"), _pin(circuit, "UNDO")]
    made = Picture(170, 184, "Step 2: two wires start the bring-up", "")
    spots = _header(made, circuit, (58.0, 34.0), every=True)
    grounds = [at for name, at in spots if name == "GND"]
    joints = []
    for number, pin in enumerate(pins):
        (x, y) = next(at for name, at in spots if name == pin)
        same = [at for at in grounds if at[0] == x] or grounds
        ground = min(same, key=lambda at: (abs(at[1] - y), at[1]))
        grounds.remove(ground)
        left = x < 58 + PICO_WIDE / 2
        away = x + (-1 if left else 1) * (10.0 + 8 * number)
        made.wire([(x, y), (away, y), (away, ground[1]), ground], YELLOW)
        name = ("+1", "UNDO")[number]
        made.write(away + (-2 if left else 2), (y + ground[1]) / 2, name, 4, "end" if left else "start")
        joints.append(f"one wire from {pin}, which is {name}, to a GND near it")
    made.write(8, 9, "Step 2: before you plug in, join both pins to ground.", 4.6)
    made.write(8, 16, "Take the wires off after six seconds.", 4.6)
    made.description = f"The {circuit.parts['A1'].title} from above: {'; '.join(joints)}. No other pin is touched."
    return made


def _pin(circuit: Circuit, name: str) -> str:
    """The controller's pin of the first button of this name; of the first pin when no player has one."""
    pins = [wire.end[1] for wire in circuit.wires if wire.start[1] == name and wire.end[0] == "A1"]
    return pins[0] if pins else circuit.parts["A1"].pins[-2]


def _header(made: Picture, circuit: Circuit, at: Point, *, every: bool) -> list[tuple[str, Point]]:
    """The controller from above, the names of its pins in it; a place for each."""
    part, (x, y) = circuit.parts["A1"], at
    if part.numbers:
        sides = [(name, 0, row) for row, name in enumerate(PICO_HEADER[:20])]
        sides += [(name, 1, 19 - row) for row, name in enumerate(PICO_HEADER[20:])]
    else:
        names = [*part.pins, "GND"]
        sides = [(name, 0, row) for row, name in enumerate(names)]
    rows = 20 if part.numbers else len(sides)
    made.box(x - 4, y - 4, PICO_WIDE + 8, rows * PIN_APART + 2, PLASTIC)
    made.box(x + PICO_WIDE / 2 - 10, y - 7, 20, 9, PIN)
    places = []
    for name, side, row in sides:
        place = (x + side * PICO_WIDE, y + row * PIN_APART)
        places.append((name, place))
        made.disc(*place, 1.5, COPPER if name in part.pins else PIN)
        if every or name in part.pins:
            made.write(place[0] + (-3 if side else 3), place[1], name, 3.2, "end" if side else "start")
    made.write(x + PICO_WIDE / 2, y + rows * PIN_APART / 2 + 3, "A1", 5, "middle")
    return places


def behind(layout: Layout, circuit: Circuit) -> Picture:
    """Step 7: the buttons' wires as they lie, the face seen from behind, its near edge below."""
    scale = BEHIND / layout.size[0]
    high = layout.size[1] * scale
    step = PIN_APART / 2
    drawn = [
        wire for wire in circuit.wires if any(end[0].startswith(("S", "BZ", "RZ")) for end in (wire.start, wire.end))
    ]
    top = _up(18.0, step)
    below = _up(top + high + LANES * step, step)
    made = Picture(_up(BEHIND + 48, step), below + 20 * PIN_APART + 36, "Step 7: the buttons from behind", "")
    made.write(8, 9, "Step 7: the buttons' wires as they lie, the face seen from behind.", 4.6)
    made.box(24, top, BEHIND, high, BOARD)
    solid = []
    for street in layout.streets if layout.description.shape.kind == "streets" else ():
        band = [
            (24 + BEHIND - x * scale, top + high - y * scale) for x, y in layout.band(street.start - 1, street.stop)
        ]
        (left, right), (upper, lower) = ((min(axis), max(axis)) for axis in zip(*band, strict=True))
        made.box(left, upper, right - left, lower - upper, STRIP)
        solid.append((left, upper, right, lower))
    spots = _legs(made, layout, circuit, (24 + BEHIND, top + high), scale, step)
    spots |= {
        ("A1", name, 0): at for name, at in reversed(_header(made, circuit, (_up(80.0, step), below + 12), every=False))
    }
    ends = _own_ways(drawn)
    grounds = sorted({end for pair in ends for end in pair if end[0] == "X2"}, key=lambda end: end[2])
    x, y = _up(200.0, step), _up(below + 18, step)
    made.box(x - 4, y - 6, 8 + 2 * PIN_APART * max(1, len(grounds) - 1), 18, PLASTIC)
    made.write(x - 6, y + 4, "X2 GND", 3.4, "end")
    for number, end in enumerate(grounds):
        spots[end] = (x + 2 * PIN_APART * number, y)
        made.disc(*spots[end], 1.5, COPPER)
    _piezo(made, circuit, spots, (_up(200.0, step), _up(below + 66, step)))
    router = Router(made, step, spots.values(), solid)
    for wire, (one, other) in sorted(
        zip(drawn, ends, strict=True), key=lambda each: _far(spots[each[1][0]], spots[each[1][1]])
    ):
        router.route(spots[one], spots[other], wire.colour, f"{one}{other}")
    made.key(
        x + 6, below + 86, {colour: use for colour, use in BUTTON_KEY.items() if any(w.colour == colour for w in drawn)}
    )
    made.description = (
        f"The face from behind, and the controller from above. {'; '.join(_said(circuit, wire) for wire in drawn)}."
    )
    return made


def _up(value: float, step: float) -> float:
    return -(-value // step) * step


def _legs(
    made: Picture, layout: Layout, circuit: Circuit, corner: Point, scale: float, step: float
) -> dict[Spot, Point]:
    """The buttons, each with the leg to its pin and the one to ground beside it."""
    groups: dict[int | None, list[tuple[str, Point, bool]]] = {}
    for button in layout.buttons:
        at = corner[0] - button.x * scale, corner[1] - button.y * scale
        groups.setdefault(button.place, []).append((button.name, at, button.far))
    spots: dict[Spot, Point] = {}
    radius = max(1.5 * step, layout.description.buttons.diameter_mm * scale / 2)
    order = [*sorted(place for place in groups if place is not None), None]
    for number, place in enumerate(order, 1):
        for name, (x, y), far in groups[place]:
            made.disc(x, y, radius, "#fff")
            column, row = round(x / step), round(y / step)
            spots[f"S{number}", name, 0] = (column - 1) * step, row * step
            spots[f"S{number}", f"{name} GND", 0] = (column + 1) * step, row * step
            for side in (-1, 1):
                made.disc((column + side) * step, row * step, 1.2, COPPER)
            beyond = radius + 4
            made.label(name, [(x, y + side * beyond) for side in ((1, -1) if far else (-1, 1))], 3.4)
    return spots


def _piezo(made: Picture, circuit: Circuit, spots: dict[Spot, Point], at: Point) -> None:
    """The piezo and its resistor, when there is one."""
    if "BZ1" not in circuit.parts:
        return
    for ref, left in (("RZ1", at[0]), ("BZ1", at[0] + 5 * PIN_APART)):
        made.box(left - 3, at[1] - 1.8, 6 + 3 * PIN_APART, 10.8, PLASTIC)
        made.write(left + 1.5 * PIN_APART, at[1] + 5.6, ref, 3.2, "middle")
        for number, pin in enumerate(circuit.parts[ref].pins):
            spots[ref, pin, 0] = (left + 3 * PIN_APART * number, at[1])
            made.disc(left + 3 * PIN_APART * number, at[1], 1.5, COPPER)
            made.write(
                left + 3 * PIN_APART * number + (2.6 if not number else -2.6),
                at[1],
                pin,
                2.8,
                "end" if number else "start",
            )


def meter(circuit: Circuit) -> Picture:
    """Step 8: the meter in series with the fuse, or between a supply and its terminal: where a lever opens."""
    own = "PS1" in circuit.parts
    boxes = ("PS1 +5 V" if own else "F1 out", "meter, 10 A", "X1 5 V")
    after = "to the fuses, which stay in" if own else "on to the strips; F1 stays in"
    made = Picture(230, 84, "Step 8: the meter in series", "")
    made.write(8, 9, "Step 8: the current goes through the meter; nothing else changes.", 4.6)
    for number, words in enumerate(boxes):
        x = 10.0 + 76 * number
        made.box(x, 24, 44, 22, LIGHT if number == 1 else PLASTIC)
        made.write(x + 22, 35, words, 4.2, "middle")
        if number:
            made.wire([(x - 32, 35), (x, 35)], RED)
            made.write(x - 16, 29, "red probe" if number == 1 else "black probe", 3.4, "middle")
    made.write(162 + 22, 52, after, 3.2, "middle")
    made.wire([(32, 62), (184, 62)], BLACK)
    made.write(108, 67, "ground as before: the meter is never between red and black", 3.6, "middle")
    made.write(8, 77, "Red lead of the meter in its socket for 10 A, not in the one for volts.", 3.6)
    made.description = (
        f"The red wire from {boxes[0]} is taken out of the lever connector {boxes[2]}, and the meter, in its 10 A"
        f" range, is between both: red probe at the wire, black probe in the lever; {after}. Ground stays as it was."
    )
    return made
