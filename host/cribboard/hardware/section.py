"""A section of the closed board, cut from its solids: along a street through two holes, and across it at a screw."""

from __future__ import annotations

import math
from collections.abc import Sequence

from manifold3d import CrossSection, Manifold

from cribboard.hardware.case import Case
from cribboard.hardware.model import parts
from cribboard.hardware.picture import Picture
from cribboard.hardware.shape import Layout, Point
from cribboard.hardware.stack import BAR_MM, GUIDE_MM, NUTS

SCALE = 7.0
BELOW_MM = GUIDE_MM + BAR_MM + NUTS["M3"].high + 6.0  # the light sheet, that the section goes down
ABOVE_MM = 1.5
HIGH = 6.0  # of the words
LEFT, TOP, BETWEEN = 8.0, 14.0, 12.0
FIRST_LED = 11


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
