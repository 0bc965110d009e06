"""What the guide needs beside wiring and drawings: pictures of its steps, and a form for what you measure at the end.

The pictures are drawn from the board's own measures. Shapes are painted from behind, so what is hidden is covered.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from cribboard.hardware import light, placement, ratings
from cribboard.hardware.budget import budget
from cribboard.hardware.case import OVERHANG_MM, Case
from cribboard.hardware.circuit import BLACK, GREEN, RED, Circuit
from cribboard.hardware.description import Description
from cribboard.hardware.picture import Picture
from cribboard.hardware.shape import Layout, Point
from cribboard.hardware.stack import BAR_MM, GUIDE_MM, Stack, seen
from cribboard_fw.power import CONTROLLER_MA

WOOD, DARK_WOOD, GUIDE, OPAL, COPPER, LIGHT = "#e9d6b0", "#c9ad7c", "#404040", "#f4f4ff", "#d08030", "#ffd040"
WIRES = {"5 V": RED, "data": GREEN, "ground": BLACK}
FACE = 260.0  # how wide the face is drawn
LEAN, RISE = 0.45, 0.42  # how far depth goes to the right and up

Row = tuple[str, str, str]  # what, how, what is expected
HEAD = "| what | how to measure it | expected | measured |\n|---|---|---|---|"


def pictures(layout: Layout, circuit: Circuit) -> dict[str, Picture]:
    """Every picture by its file's name, but those of step 5, which `section.py` cuts from the solids."""
    drawn = {
        "step-1-measures.svg": measures(layout),
        "step-2-start.svg": placement.start(circuit),
        "step-3-placement.svg": placement.placement(layout, circuit),
        "step-3-wires.svg": placement.wires(circuit),
        "step-3-below.svg": placement.below(circuit),
        "step-7-buttons.svg": placement.behind(layout, circuit),
        "step-8-meter.svg": placement.meter(circuit),
        "step-9-box.svg": box(layout),
    }
    if layout.description.shape.strip_mm:
        drawn["step-6-strips.svg"] = strips(layout)
    return dict(sorted(drawn.items()))


def measures(layout: Layout) -> Picture:
    """The face with its measures, each with its letter, and below what they are and where board.toml has them."""
    wide, deep = layout.size
    scale = FACE / wide
    left, top = 22.0, 22.0

    def at(x: float, y: float) -> Point:
        return left + x * scale, top + (deep - y) * scale

    said = list(_measures(layout))
    made = Picture(FACE + 44, top + deep * scale + 14 + 6.2 * len(said), "Step 1: what board.toml describes", "")
    made.write(8, 8, "Step 1: the face, and what board.toml says of it", 4.6)
    made.shape([at(0, 0), at(wide, 0), at(wide, deep), at(0, deep)], WOOD)
    for track in range(layout.description.tracks.count):
        for led, hole in enumerate(layout.holes(track)):
            made.disc(*at(*hole), layout.diameter(led) / 2 * scale, "#604020", "none")
    for button in layout.buttons:
        made.disc(*at(button.x, button.y), layout.description.buttons.diameter_mm / 2 * scale, "#604020", "none")
    for letter, (start, end, _) in zip("ABCDEFGH", said, strict=False):
        (x, y), (to_x, to_y) = at(*start), at(*end)
        for wide_line, colour in ((1.6, "#fff"), (0.8, "#0050b0")):
            made.line((x, y), (to_x, to_y), colour, wide_line)
        middle = (x + to_x) / 2, (y + to_y) / 2
        around = [(math.cos(turn * math.pi / 4), math.sin(turn * math.pi / 4)) for turn in range(8)]
        made.label(letter, [(middle[0] + r * c, middle[1] + r * d) for r in range(4, 60, 2) for c, d in around], 4.2)
    y = top + deep * scale + 12
    for letter, (_, _, words) in zip("ABCDEFGH", said, strict=False):
        made.write(8, y, f"{letter}  {words}", 3.8)
        y += 6.2
    made.description = (
        f"The face of {layout.description.name} with its measures. {'; '.join(words for _, _, words in said)}."
    )
    return made


def _measures(layout: Layout) -> Iterator[tuple[Point, Point, str]]:
    """Where each measure begins and ends on the face, and what it is."""
    shape, (wide, deep), tracks = layout.description.shape, layout.size, layout.description.tracks
    outer = 8.0 * wide / FACE
    yield (0, -outer), (wide, -outer), f"{wide:.1f} mm wide: by pitch_mm, streets and margin_mm = {shape.margin_mm:g}"
    yield (-outer, 0), (-outer, deep), f"{deep:.1f} mm high"
    one, two = layout.holes(0)[8], layout.holes(0)[12]
    yield one, two, f"four times pitch_mm = {shape.pitch_mm:.2f}: strip = {shape.strip}, hole_mm = {shape.hole_mm:g}"
    if tracks.count > 1:
        yield layout.holes(0)[4], layout.holes(1)[4], f"track_mm = {shape.track_mm:g}: {tracks.count} tracks"
    if shape.streets > 1:
        first, second = layout.streets[0], layout.streets[1]
        middle = layout.spot(first.start + len(first) // 2)
        other = min((layout.spot(led) for led in second), key=lambda spot: abs(spot.x - middle.x))
        words = f"[shape] apart_mm = {shape.apart_mm:g}: {shape.streets} streets"
        yield (middle.x, middle.y), (middle.x, other.y), words
    near = [button for button in layout.buttons if not button.far]
    described = layout.description.buttons
    words = f"[buttons] apart_mm = {described.apart_mm:g}, diameter_mm = {described.diameter_mm:g}"
    yield (near[0].x, near[0].y), (near[1].x, near[1].y), words


def strips(layout: Layout) -> Picture:
    """The streets of a track, seen from the front: scissors marks, pads, and the wires from end to end.

    Where the way runs back, the strip is turned round, and so is the order of its pads.
    """
    description = (
        f"The {len(layout.streets)} streets of a track from the front, each a strip with three pads at both ends;"
        " wires for 5 V, data and ground go from the end of each to the start of the next."
    )
    made = Picture(250, 50 + 42 * len(layout.streets), "The strips, cut and joined", description)
    made.write(10, 10, "One track: cut at the marks between the pads, tin the pads, then join.", 5)
    back = layout.description.tracks.serpentine
    for number, street in enumerate(layout.streets):
        y = 26.0 + 42 * number
        count = len(street) + (number == len(layout.streets) - 1)
        made.box(40, y, 170, 12, "#30343c")
        arrow = [(120.0, y + 3), (128.0, y + 6), (120.0, y + 9)]
        made.shape(arrow if not (back and number % 2) else [(248 - x, at) for x, at in arrow], "#ffffff")
        for x in (52.0, 64.0, 184.0, 196.0):
            made.box(x - 3, y + 3, 6, 6, LIGHT)
        for x in (40.0, 210.0):
            made.line((x, y - 5), (x, y + 15), "#888", 0.4)
            made.write(x, y - 8, "cut", 3.2, "middle")
        words = f"street {number + 1}: {count} pixels, holes {street.start + 1} to {street.start + count}"
        made.write(125, y + 18, words, 4.5, "middle")
        _ends(made, y, number, len(layout.streets), back)
    made.key(40, made.height - 16, {code: name for name, code in WIRES.items()})
    return made


def _ends(made: Picture, y: float, number: int, count: int, back: bool) -> None:
    """Pads at both ends of a street, and the wires to the next one."""
    leave_right = not (back and number % 2)
    for index, (name, colour) in enumerate(WIRES.items()):
        at = y + 2.5 + 3.5 * (2 - index if back and number % 2 else index)
        for x in (40.0, 206.0):
            made.box(x, at - 1.2, 4, 2.4, COPPER)
        if number == 0:
            made.wire([(28, at), (40, at)], colour)
            made.write(26, at, name, 3.2, "end")
        if number + 1 < count:
            out = 14.0 - 4 * index if leave_right or not back else 6.0 + 4 * index
            if back:
                x, away = (210.0, 210 + out) if leave_right else (40.0, 40 - out)
                turn = y + 42 + 2.5 + 3.5 * (index if number % 2 else 2 - index)
                points = [(x, at), (away, at), (away, turn), (x, turn)]
            else:
                low, into = y + 30 + index * 2, y + 44.5 + 3.5 * index
                points = [(210.0, at), (210 + out, at), (210 + out, low)]
                points += [(40 - out, low), (40 - out, into), (40.0, into)]
            made.wire(points, colour)


def box(layout: Layout) -> Picture:
    """The parts of the box one above another, as they come together."""
    case = Case(layout)
    width, depth = layout.size
    gap = 0.3 * depth
    step = depth * RISE + gap
    text = max(width / 34, 7.0)
    strip = bool(layout.description.shape.strip_mm)
    rise = 0.62 * step
    high = (2 + 0.62 * (3 if strip else 2)) * step + 0.6 * case.depth + case.thick + depth * RISE + 40
    hung = "guides, strips and bars" if strip else "light guides with pixels"
    description = f"The box, taken apart. From above: face,{' paper,' * strip} light sheet, {hung}, walls, back."
    made = Picture(width + depth * LEAN + 20 + text * 16, high, "The box, taken apart", description)

    def at(x: float, y: float, z: float) -> Point:
        return 10 + x + LEAN * y, made.height - 20 - z - RISE * y

    def slab(x: float, y: float, z: float, size: tuple[float, float, float], fill: str, side: str) -> None:
        wide, deep, high = size
        corners = [(x, y), (x + wide, y), (x + wide, y + deep), (x, y + deep)]
        made.shape([at(x, y, z), at(x + wide, y, z), at(x + wide, y, z + high), at(x, y, z + high)], side)
        right = [(x + wide, y, z), (x + wide, y + deep, z), (x + wide, y + deep, z + high), (x + wide, y, z + high)]
        made.shape([at(*point) for point in right], side)
        made.shape([at(*corner, z + high) for corner in corners], fill)

    def name(words: str, z: float) -> None:
        start = at(width, depth / 2, z)
        made.line((start[0] + 1, start[1]), (start[0] + depth * LEAN / 2 + 8, start[1]))
        made.write(start[0] + depth * LEAN / 2 + 10, start[1], words, text)

    thick, edge = case.thick, OVERHANG_MM
    slab(0, 0, 0, (width, depth, thick), WOOD, DARK_WOOD)
    for left, low, right, top in (*filter(None, [case.jack_box]), *case.clips, *case.fuse_boxes):
        slab(left, low, thick, (right - left, top - low, 8.0), DARK_WOOD, "#8a6a40")
    name(f"back with clips and fuse{'s' * (len(case.fuse_boxes) > 1)}", thick / 2)
    z = step
    slab(edge, depth - edge - thick, z, (width - 2 * edge, thick, case.depth), WOOD, DARK_WOOD)
    for x in (edge, width - edge - thick):
        slab(x, edge, z, (thick, depth - 2 * edge, case.depth), WOOD, DARK_WOOD)
    slab(edge, edge, z, (width - 2 * edge, thick, case.depth), WOOD, DARK_WOOD)
    name("walls and corners", z + case.depth / 2)
    z += step + case.depth * 0.6
    for street in reversed(layout.streets) if layout.description.shape.kind == "streets" else ():
        first, last = sorted((layout.spot(street.start), layout.spot(street.stop - 1)), key=lambda spot: spot.x)
        half = layout.half_mm
        slab(first.x - 4, first.y - half, z, (last.x - first.x + 8, 2 * half, GUIDE_MM + BAR_MM), GUIDE, "#222")
    if layout.description.shape.kind != "streets":
        made.shape([at(x, y, z) for x, y in layout.band(-0.5, layout.last + 0.5)], GUIDE)
    name(hung, z)
    z += rise
    slab(0, 0, z, (width, depth, thick), DARK_WOOD, "#8a6a40")
    for track in range(layout.description.tracks.count):
        for x, y in layout.holes(track):
            _round(made, [at(*point, z + thick) for point in _circle(x, y, layout.light_diameter(0) / 2)])
    name("light sheet", z + thick / 2)
    if strip:
        z += rise
        slab(1, 1, z, (width - 2, depth - 2, 0.4), OPAL, "#d8d8e8")
        name("paper", z)
    z += rise
    front = max(case.stack.front, 0.6)
    slab(0, 0, z, (width, depth, front), WOOD, DARK_WOOD)
    for track in range(layout.description.tracks.count):
        for x, y in layout.holes(track):
            _round(made, [at(*point, z + front) for point in _circle(x, y, layout.description.shape.hole_mm / 2)])
    for button in layout.buttons:
        radius = layout.description.buttons.diameter_mm / 2
        _round(made, [at(*point, z + front) for point in _circle(button.x, button.y, radius)])
    name("face" if layout.description.shape.face_mm else "printed page and cover", z + front / 2)
    return made


def _circle(x: float, y: float, radius: float) -> list[Point]:
    turns = [2 * math.pi * step / 12 for step in range(12)]
    return [(x + radius * math.cos(turn), y + radius * math.sin(turn)) for turn in turns]


def _round(made: Picture, points: Sequence[Point]) -> None:
    made.shape(points, "#604020", "none")


def form(board: Description) -> str:
    """The form as Markdown."""
    parts = [f"# Measured on “{board.name}”", "", "Built by: ______  Date: ______  Strip, maker and reel: ______", ""]
    for title, rows in (
        ("Sheet and print", _workshop(board)),
        ("Resistance, without power", _ohms(board)),
        ("Current", _currents(board)),
        ("Voltage and heat", _volts(board)),
        ("Light", _light(board)),
        ("Sound, start and flash", _rest(board)),
    ):
        parts += [f"## {title}", "", HEAD, *(f"| {what} | {how} | {expected} | |" for what, how, expected in rows), ""]
    return "\n".join(parts)


def _workshop(board: Description) -> Iterator[Row]:
    shape, case = board.shape, Case(Layout(board))
    yield "thickness of the sheet", "calliper, four places", f"{shape.thickness_mm:g} mm"
    yield "kerf", "ten squares of the comb, pushed together", "0.1 to 0.25 mm"
    yield "a light guide on a strip", "push it on along a whole street", "by hand, no pixel under a wall"
    yield "thickness of the face", "calliper, four places", f"{shape.face_mm:g} mm"
    yield "depth inside", "calliper, between light sheet and back", f"{case.depth:g} mm"
    yield "highest part on the back", "calliper", f"less than {case.depth - GUIDE_MM - BAR_MM:g} mm below a light guide"
    yield "gap above a light guide", "feeler or paper, screws tightened", "none; a sheet of paper does not go in"
    yield "corner screws", "what sticks out of the back", f"{max(case.out, 0):.1f} mm, and the feet are {case.foot} mm"
    yield "the stuck face, after a month", "a corner lifted with a nail", "none comes off"
    yield "printing time, filament", "the printer's own figures", "those of `cribboard hardware case`"
    yield "hours of work, each step", "a watch", "an evening, a day, an evening"


def _ohms(board: Description) -> Iterator[Row]:
    ohm = ratings.STRIP_OHM if board.shape.strip_mm else ratings.wire_ohm(board.supply.wire_mm2)
    rail = ohm * board.track_m
    yield "5 V, first to last pixel of track 1", "meter, minus its leads", f"{rail:.2f} Ω, and the joints"
    yield "GND, first to last pixel of track 1", "the same", f"{rail:.2f} Ω, and the joints"
    yield "5 V to GND at the terminals", "after 30 s", "more than 100 Ω"


def _currents(board: Description) -> Iterator[Row]:
    currents = budget(board)
    yield "controller alone", "strips not connected", f"{CONTROLLER_MA} mA"
    yield "all lights dark", "meter in series with the fuse; add the controller's", f"{currents.idle_ma} mA"
    yield "in the middle of a game", "the mean of a minute", f"{currents.game_ma} mA"
    yield "a win", "the highest reading", f"{min(currents.show_ma, currents.worst_ma)} mA"
    yield "the limit", "brightness 100, a win", f"no more than {currents.limit_ma} mA"
    yield "inrush", "scope and 0.1 Ω, or: does a port switch off?", "a port of a computer stays on"


def _volts(board: Description) -> Iterator[Row]:
    drops = budget(board)
    yield "lost in the wires to the strips", "terminal to first pixel, at a win", f"{drops.drop_mv} mV a metre or less"
    yield "lost along a track", "first to last pixel, at a win, 5 V and GND", f"{drops.strip_drop_mv} mV or less"
    yield "data, a one", "scope at DIN", f"more than {ratings.STRIP_HIGH_V:g} V"
    yield "a wire, after an evening", "a finger, or a thermometer", "less than 10 K above the room"
    yield "the fuse, after an evening", "the same", "less than 20 K above the room"


def _light(board: Description) -> Iterator[Row]:
    layout = Layout(board)
    shown, share = light.brightness(layout), seen(Stack(board.shape).above, board.shape.hole_mm, light.CHAIR_DEGREES)
    yield "a photo from a chair, at 45°, under a lamp", "lux beside the board: a phone", "every lit hole is seen"
    yield "the same by day", "the same", f"a back peg 2 : 1 up to {shown.well_seen_lux} lux"
    yield "seen at 45° of what is seen from above", "camera, one exposure, one hole", f"{share:.0%} or more"
    yield "a front peg at 45°", "a luminance meter, or leave it out", f"{shown.front:.0f} cd/m² or more"
    yield "light in a neighbour's hole", "a phone's camera, one pixel lit: brightest point", "less than a tenth"
    yield "light through the sheet", "a dark room, all white", "none beside the holes"
    yield "evenness", "camera, white, every hole of a street", "darkest at least 0.7 of brightest"
    yield "a glow when dark", "a dark room, a new game", "none"
    yield "colours told apart", "somebody with a colour weakness names all pegs", "all of them"


def _rest(board: Description) -> Iterator[Row]:
    if board.piezo:
        yield "loudness of a tick", "phone at 0.5 m", "heard beside talk, 50 to 65 dB"
    yield "from plug to pegs", "film it", "1.6 s"
    yield "bounce of a button", "scope, 50 presses", "less than 10 ms"
    yield "power cut while it pegs", "a relay in the USB cable, 200 times", "the score before or after, never another"
    yield "a night under power", "leave it on", "the game is still there, nothing is warm"
