"""What the guide needs beside wiring and drawings: pictures of its steps, and a form for what you measure at the end.

The pictures are drawn from the board's own measures. Shapes are painted from behind, so what is hidden is covered.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from html import escape
from itertools import pairwise

from cribboard.hardware import ratings
from cribboard.hardware.case import GUIDE_MM, OVERHANG_MM, PILLAR_MM, Case
from cribboard.hardware.description import Description
from cribboard.hardware.ratings import budget
from cribboard.hardware.shape import CHANNEL_MM, PIXEL_MM, Layout, Point, pieces
from cribboard_fw.power import CONTROLLER_MA

LETTER = 0.58  # how wide a letter is, in heights
STRIP_MM, PIXEL_HIGH_MM, DIFFUSER_MM = 0.4, 1.6, 0.4
WOOD, DARK_WOOD, BLACK, OPAL, COPPER, LIGHT = "#e9d6b0", "#c9ad7c", "#404040", "#f4f4ff", "#d08030", "#ffd040"
WIRES = {"5 V": "#d02020", "data": "#208030", "ground": "#202020"}
LEAN, RISE = 0.45, 0.42  # how far depth goes to the right and up

Row = tuple[str, str, str]  # what, how, what is expected
HEAD = "| what | how to measure it | expected | measured |\n|---|---|---|---|"


@dataclass
class Picture:
    """An SVG in the making, y down; lines and texts are kept, so that a test sees whether one lies on the other."""

    width: float
    height: float
    title: str
    parts: list[str] = field(default_factory=list)
    lines: list[tuple[Point, Point]] = field(default_factory=list)
    texts: list[tuple[str, float, float, float, float]] = field(default_factory=list)

    def shape(self, points: Sequence[Point], fill: str, stroke: str = "#333") -> None:
        """A closed area."""
        around = " ".join(f"{x:.2f},{y:.2f}" for x, y in points)
        self.parts.append(f'<polygon points="{around}" fill="{fill}" stroke="{stroke}" stroke-width="0.3"/>')
        self.lines += zip(points, [*points[1:], points[0]], strict=True)

    def box(self, x: float, y: float, width: float, height: float, fill: str) -> None:
        """A rectangle by its upper left corner."""
        self.shape([(x, y), (x + width, y), (x + width, y + height), (x, y + height)], fill)

    def line(self, start: Point, end: Point, stroke: str = "#333", wide: float = 0.3) -> None:
        """A straight stroke."""
        where = f'x1="{start[0]:.2f}" y1="{start[1]:.2f}" x2="{end[0]:.2f}" y2="{end[1]:.2f}"'
        self.parts.append(f'<line {where} stroke="{stroke}" stroke-width="{wide}" stroke-linecap="round"/>')
        self.lines.append((start, end))

    def write(self, x: float, y: float, words: str, high: float, anchor: str = "start") -> None:
        """A text, its middle at y."""
        wide = len(words) * high * LETTER
        left = {"start": x, "middle": x - wide / 2, "end": x - wide}[anchor]
        self.texts.append((words, left, y - high / 2, left + wide, y + high / 2))
        at = f'x="{x:.2f}" y="{y + high * 0.36:.2f}" font-size="{high}" text-anchor="{anchor}"'
        self.parts.append(f'<text {at} font-family="sans-serif">{escape(words)}</text>')

    def svg(self) -> str:
        """The file's text."""
        size = f'viewBox="0 0 {self.width:g} {self.height:g}" width="{self.width:g}mm" height="{self.height:g}mm"'
        head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} style="background:#fff">'
        return "\n".join([head, f"<title>{escape(self.title)}</title>", *self.parts, "</svg>", ""])


def pictures(layout: Layout) -> dict[str, Picture]:
    """Every picture by its file's name."""
    found = {"step-5-section.svg": section(layout), "step-9-box.svg": box(layout)}
    if layout.description.shape.strip_mm:
        found["step-6-strips.svg"] = strips(layout)
    return found


def section(layout: Layout) -> Picture:
    """Through two neighbouring holes, ten times as large: face, diffuser, guide, strip or pixel, foam, pillar."""
    shape, scale = layout.description.shape, 10.0
    strip = bool(shape.strip_mm)
    pitch = max(shape.pitch_mm, 6.0) * scale
    wide, hole = 2 * pitch, shape.hole_mm * scale
    made = Picture(wide + 130, (shape.thickness_mm + GUIDE_MM + 10) * scale + 20, "A section through two holes")
    y, high = 10.0, 6.0

    def layer(name: str, thick: float, fill: str, gap: float) -> None:
        nonlocal y
        edges = [10.0, *(10 + pitch * (n + 0.5) + side * gap / 2 for n in (0, 1) for side in (-1, 1)), 10 + wide]
        pairs = zip(edges[::2], edges[1::2], strict=True) if gap else [(10.0, 10.0 + wide)]
        for left, right in pairs:
            made.box(left, y, right - left, thick * scale, fill)
        middle = y + thick * scale / 2
        made.line((wide + 10, middle), (wide + 18, middle))
        made.write(wide + 20, middle, name, high)
        y += thick * scale

    layer(f"face, {shape.thickness_mm:g} mm", shape.thickness_mm, WOOD, hole)
    layer("diffuser", max(DIFFUSER_MM, 1.0), OPAL, 0)
    top = y
    layer(f"light guide, {GUIDE_MM:g} mm", GUIDE_MM - (CHANNEL_MM if strip else 0), BLACK, hole)
    if strip:
        below = y
        layer("pixels in the channel", CHANNEL_MM, "#f8f8f8", 0)
        for number in (0, 1):
            x = 10 + pitch * (number + 0.5)
            high_up = below + (CHANNEL_MM - PIXEL_HIGH_MM) * scale  # it stands on the strip
            made.box(x - PIXEL_MM * scale / 2, high_up, PIXEL_MM * scale, PIXEL_HIGH_MM * scale, LIGHT)
        layer("strip, its pixels up", max(STRIP_MM, 1.0), COPPER, 0)
    else:
        for number in (0, 1):
            x = 10 + pitch * (number + 0.5)
            made.box(x - 24, top + 20, 48, y - top - 20, LIGHT)
            made.box(x - 29, y, 58, 10, LIGHT)
        y += 12
    layer("foam, 3 mm", 3.0, "#b8b8c8", 0)
    layer("pillar", 3.0, DARK_WOOD, 0)
    return made


def strips(layout: Layout) -> Picture:
    """The streets of a track, seen from the front: scissors marks, pads, and the wires from end to end.

    Where the way runs back, the strip is turned round, and so is the order of its pads.
    """
    made = Picture(250, 30 + 42 * len(layout.streets), "The strips, cut and joined")
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
        for x in (58.0, 190.0):
            made.line((x, y - 2), (x, y + 14), "#888", 0.4)
        words = f"street {number + 1}: {count} pixels, holes {street.start + 1} to {street.start + count}"
        made.write(125, y + 18, words, 4.5, "middle")
        _ends(made, y, number, len(layout.streets), back)
    return made


def _ends(made: Picture, y: float, number: int, count: int, back: bool) -> None:
    """Pads at both ends of a street, and the wires to the next one."""
    leave_right = not (back and number % 2)
    for index, (name, colour) in enumerate(WIRES.items()):
        at = y + 2.5 + 3.5 * (2 - index if back and number % 2 else index)
        for x in (40.0, 206.0):
            made.box(x, at - 1.2, 4, 2.4, COPPER)
        if number == 0:
            made.line((28, at), (40, at), colour, 0.9)
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
            for start, end in pairwise(points):
                made.line(start, end, colour, 0.9)


def box(layout: Layout) -> Picture:
    """The parts of the box one above another, as they come together."""
    case = Case(layout)
    width, depth = layout.size
    gap = 0.3 * depth
    step = depth * RISE + gap
    text = max(width / 34, 7.0)
    high = 3.3 * step + 0.6 * case.depth + case.thick + depth * RISE + 30
    made = Picture(width + depth * LEAN + 20 + text * 16, high, "The box, taken apart")

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
    for x, y in _under_the_guide(layout):
        slab(x, y, thick, (*PILLAR_MM, case.pillar_plates * thick), WOOD, DARK_WOOD)
    name("back with pillars", thick / 2)
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
        slab(first.x - 4, first.y - half, z, (last.x - first.x + 8, 2 * half, GUIDE_MM), BLACK, "#222")
    if layout.description.shape.kind != "streets":
        made.shape([at(x, y, z) for x, y in layout.band(-0.5, layout.last + 0.5)], BLACK)
    name("light guides, strips below" if layout.description.shape.strip_mm else "light guides with pixels", z)
    z += step * 0.62
    slab(edge, edge, z, (width - 2 * edge, depth - 2 * edge, 0.6), OPAL, "#d8d8e8")
    name("diffuser", z)
    z += step * 0.62
    slab(0, 0, z, (width, depth, thick), WOOD, DARK_WOOD)
    for track in range(layout.description.tracks.count):
        for x, y in layout.holes(track):
            _round(made, [at(*point, z + thick) for point in _circle(x, y, layout.description.shape.hole_mm / 2)])
    for button in layout.buttons:
        radius = layout.description.buttons.diameter_mm / 2
        _round(made, [at(*point, z + thick) for point in _circle(button.x, button.y, radius)])
    name("face", z + thick / 2)
    return made


def _under_the_guide(layout: Layout) -> list[Point]:
    """Two pillars below each piece of the light guide, those at the far edge first."""
    found = []
    for leds in pieces(layout):
        for led in (leds.start + len(leds) // 4, leds.start + 3 * len(leds) // 4):
            spot = layout.spot(led)
            found.append((spot.x - PILLAR_MM[0] / 2, spot.y - PILLAR_MM[1] / 2))
    return sorted(found, key=lambda point: -point[1])


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
    yield "depth inside", "calliper, between face and back", f"{case.depth:g} mm"
    yield "highest part on the back", "calliper", f"less than {case.depth - 8:g} mm below a light guide"
    yield "printing time, filament", "the printer's own figures", "those of `cribboard hardware case`"
    yield "hours of work, each step", "a watch", "an evening, a day, an evening"


def _ohms(board: Description) -> Iterator[Row]:
    ohm = ratings.STRIP_OHM if board.shape.strip_mm else ratings.wire_ohm(board.supply.wire_mm2)
    rail = ohm * board.track_m
    yield "5 V, first to last pixel of track 1", "meter, minus its leads", f"{rail:.2f} Ω, and the joints"
    yield "GND, first to last pixel of track 1", "the same", f"{rail:.2f} Ω, and the joints"
    yield "5 V to GND at the terminals", "after 30 s", "more than 100 Ω"


def _currents(board: Description) -> Iterator[Row]:
    found = budget(board)
    yield "controller alone", "strips not connected", f"{CONTROLLER_MA} mA"
    yield "all lights dark", "meter in series with the fuse; add the controller's", f"{found.idle_ma} mA"
    yield "in the middle of a game", "the mean of a minute", f"{found.game_ma} mA"
    yield "a win", "the highest reading", f"{min(found.show_ma, found.worst_ma)} mA"
    yield "the limit", "brightness 100, a win", f"no more than {found.limit_ma} mA"
    yield "inrush", "scope and 0.1 Ω, or: does a port switch off?", "a port of a computer stays on"


def _volts(board: Description) -> Iterator[Row]:
    found = budget(board)
    yield "lost in the wires to the strips", "terminal to first pixel, at a win", f"{found.drop_mv} mV a metre or less"
    yield "lost along a track", "first to last pixel, at a win, 5 V and GND", f"{found.strip_drop_mv} mV or less"
    yield "data, a one", "scope at DIN", f"more than {ratings.STRIP_HIGH_V:g} V"
    yield "a wire, after an evening", "a finger, or a thermometer", "less than 10 K above the room"
    yield "the fuse, after an evening", "the same", "less than 20 K above the room"


def _light(board: Description) -> Iterator[Row]:
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
