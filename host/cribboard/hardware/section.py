"""Pictures cut from the solids of the board: a section along a street and one across it, and the light guides."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from manifold3d import CrossSection, Manifold
from numpy.typing import NDArray

from cribboard.hardware.case import Case
from cribboard.hardware.light_guide import cell_mm, half_mm, pieces
from cribboard.hardware.model import in_place, parts
from cribboard.hardware.picture import Picture
from cribboard.hardware.printing import bar, guide, where
from cribboard.hardware.shape import Layout, Point
from cribboard.hardware.stack import BAR_MM, GUIDE_MM, NUTS

SCALE = 7.0
BELOW_MM = GUIDE_MM + BAR_MM + NUTS["M3"].high + 6.0  # the light sheet, that the section goes down
ABOVE_MM = 1.5
HIGH = 6.0  # of the words
LEFT, TOP, BETWEEN = 8.0, 14.0, 12.0
FIRST_LED = 11
BEHIND, EDGE = 260.0, 8.0  # how wide the light guides are drawn from behind, and what is around them
SHEET, LEDGE, WALL, CELL = "#c9ad7c", "#808080", "#404040", "#fff"
IN_CHANNEL_MM = 1.0  # above a guide's lower side


def pictures(layout: Layout) -> dict[str, Picture]:
    """All of them by their files' names."""
    return {"step-5-guides.svg": guides(layout), "step-5-section.svg": section(layout)}


def section(layout: Layout) -> Picture:
    """Both sections side by side, the names of the parts on the right, seven times as large."""
    case = Case(layout)
    pitch = layout.description.shape.pitch_mm
    half = max(pitch, 6.0)
    one, ear = layout.spot(FIRST_LED + 0.5), case.ears[0][0]
    along = one.across(layout.offset(0)), one.angle, half
    spot = layout.spot(ear.place)
    across = (ear.x, ear.y), spot.angle + math.pi / 2, 9.0
    sheet = case.thick + case.depth
    low, high = sheet - BELOW_MM, sheet + case.thick + case.stack.front + ABOVE_MM
    middle = LEFT + 2 * half * SCALE + BETWEEN
    edge = middle + 2 * 9.0 * SCALE
    deep = (high - low) * SCALE
    made = Picture(edge + 112, TOP + deep + 6, "A section through two holes, and one through a screw", "")
    made.write(LEFT, 7, "along a street, through two holes", 5)
    made.write(middle, 7, "across it, at a screw", 5)
    named: dict[str, float] = {}
    for name, _, colour, bodies in parts(case):
        fill = "#{:02x}{:02x}{:02x}".format(*colour[:3])
        for left, (origin, angle, reach) in ((LEFT, along), (middle, across)):
            for ring in _cut(bodies, origin, angle, (-reach, low, reach, high)):
                points = [(left + (x + reach) * SCALE, TOP + (high - z) * SCALE) for x, z in ring]
                made.shape(points, fill)
                if left == middle or name not in named:
                    named[name] = sum(y for _, y in points) / len(points)
    y = TOP + HIGH / 2
    for name, at in sorted(named.items(), key=lambda entry: entry[1]):
        y = max(y, at)
        made.line((edge + 1, at), (edge + 8, y))
        made.write(edge + 10, y, _words(layout, name), HIGH)
        y += HIGH * 1.5
    made.height = max(made.height, y)
    made.description = (
        f"From the front to the back, as the solids of {layout.description.name} have it: "
        + ", ".join(_words(layout, name) for name in sorted(named, key=named.__getitem__))
        + ". Heights are computed, not measured."
    )
    return made


def guides(layout: Layout) -> Picture:
    """The light guides from behind, their channels open: which piece lies behind which holes."""
    (wide, deep), lines = layout.size, where(layout)
    scale = BEHIND / wide
    top, below = 18.0, 18.0 + deep * scale
    made = Picture(BEHIND + 2 * EDGE, below + 10 + 6.2 * len(lines), "Step 5: the light guides from behind", "")
    made.write(EDGE, 8, "Step 5: the light guides from behind, on the light sheet; the near edge is below.", 4.6)

    def at(x: float, y: float) -> Point:
        return EDGE + (wide - x) * scale, top + (deep - y) * scale

    def level(solid: Manifold, high: float, fill: str, hollow: str) -> None:
        for ring in sorted(solid.slice(high).to_polygons(), key=_twice_area, reverse=True):
            made.shape([at(float(x), float(y)) for x, y in ring], fill if _twice_area(ring) > 0 else hollow)

    way = [layout.spot(led) for led in range(layout.last + 1)]

    def name(words: str, places: Sequence[float], leds: range, high: float) -> None:
        """Write beside a piece, at the first of these places of the way that is free and nearer to no other piece."""
        away = [half_mm(layout, leds) + (0.85 * high + more) / scale for more in (0, 3, 6, 9, 12)]
        points: list[Point] = []
        for spot, far in ((layout.spot(place), far) for place in places for far in away):
            points += sorted((spot.across(side * far) for side in (1, -1)), key=lambda point: -point[1])
        near = [min(range(len(way)), key=lambda led: math.dist(point, (way[led].x, way[led].y))) for point in points]
        made.label(words, [at(*point) for point, led in zip(points, near, strict=True) if led in leds], high)

    made.shape([at(0, 0), at(wide, 0), at(wide, deep), at(0, deep)], SHEET)
    strip = bool(layout.description.shape.strip_mm)
    for solid in in_place(layout, bar, 0.0):  # of the guide's outline
        level(solid, BAR_MM / 2, LEDGE if strip else WALL, SHEET)
    for solid in in_place(layout, guide, 0.0) if strip else ():
        level(solid, IN_CHANNEL_MM, WALL, LEDGE)
    letters = [f"{chr(65 + number % 26)}{number // 26 or ''}" for number in range(len(lines))]
    named = [*zip(letters, pieces(layout), lines, strict=True)]
    for letter, leds, _ in named:
        middle = (leds.start + leds.stop - 1) / 2
        name(letter, sorted([middle, *leds], key=lambda place: abs(place - middle)), leds, 3.4)
    for _, leds, _ in named:
        for led in {leds.start, leds.stop - 1}:
            name(f"{led + 1}", [led], leds, 3.2)
    for led in range(layout.last + 1):
        for track in range(layout.description.tracks.count):
            made.disc(*at(*layout.holes(track)[led]), cell_mm(layout, led) / 2 * scale, CELL, "none")
    for number, (letter, _, words) in enumerate(named):
        made.write(EDGE, below + 8 + 6.2 * number, f"{letter}  {words}", 4.0)
    said = "; ".join(lines)
    over = ", and the bars over them" if layout.description.shape.strip_mm else ""
    made.description = f"The light guides of {layout.description.name} from behind{over}: {said}."
    return made


def _twice_area(ring: NDArray[np.float64]) -> float:
    """Of a ring; a hole's is negative."""
    x, y = ring.T
    return float(x @ np.roll(y, -1) - y @ np.roll(x, -1))


def _words(layout: Layout, name: str) -> str:
    shape, stack = layout.description.shape, Case(layout).stack
    thick = {
        "cover": shape.cover_mm,
        "face": shape.face_mm,
        "paper": stack.paper,
        "light sheet": shape.thickness_mm,
        "light guides": GUIDE_MM,
        "bars": BAR_MM,
    }
    if name == "light guides' screws":
        return f"screw M3 x {stack.clamp_long}"
    return f"{name}, {thick[name]:g} mm" if name in thick else name.replace("light guides' ", "")


def _cut(
    bodies: Sequence[Manifold], origin: Point, angle: float, window: tuple[float, float, float, float]
) -> list[list[Point]]:
    """The outlines of some bodies in an upright plane through a point, within a window of it: x along, then z."""
    left, low, right, high = window
    reach = max(abs(left), abs(right)) + 1
    rings: list[list[Point]] = []
    frame = CrossSection.square((right - left, high - low)).translate((left, low))
    for body in bodies:
        box = body.bounding_box()
        if not (box[0] - reach < origin[0] < box[3] + reach and box[1] - reach < origin[1] < box[4] + reach):
            continue
        there = body.translate((-origin[0], -origin[1], 0)).rotate((0, 0, -math.degrees(angle))).rotate((-90, 0, 0))
        # x stays along the plane and z becomes y, so that a slice at nought is the upright plane
        flat = there.slice(0.01) ^ frame
        rings += [[(float(x), float(z)) for x, z in ring] for ring in flat.to_polygons()]
    return rings
