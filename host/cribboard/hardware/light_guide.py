"""Where the light guide is cut, so that each of its pieces goes on the printer's bed."""

from __future__ import annotations

import math
from collections.abc import Sequence

from cribboard.hardware.shape import Layout, Point
from cribboard.hardware.way import Spot

SLACK_MM = 0.4  # between two pieces, and around a strip or a pixel
CHANNEL_MM = 2.5  # deep: a strip and its pixels are about 2 mm
PIXEL_MM, FLANGE_MM = 5.0, 5.8  # a single pixel, and the flange that it stands on (data sheets of 5 mm LEDs)
WALL_MM = 1.2  # three lines of a printer's nozzle
TOO_SMALL = "not even one cell of the light guide can be printed on this bed"
LEAST = "the bed of a small printer is 120 by 120"


def pieces(layout: Layout) -> list[range]:
    """The LEDs of each piece, from the first to the last; none at all when one cell is too large for the bed."""
    *streets, last = layout.streets
    runs = [*streets, range(last.start, last.stop + 1)]  # the game hole is the last street's
    split = [_split(layout, run) for run in runs]
    return [piece for cuts in split for piece in cuts] if all(split) else []


def border(layout: Layout, leds: range) -> list[Point]:
    """Around the cells of a piece, up to half way to its neighbours, as seen from its first place."""
    cell = max(layout.description.shape.strip_mm, *(layout.diameter(led) for led in leds))
    half = layout.offset(0) + cell / 2 + SLACK_MM + WALL_MM
    return seen_from(layout.spot(leds.start), layout.band(leds.start - 0.5, leds.stop - 0.5, 0, half)[:-1])


def seen_from(origin: Spot, points: Sequence[Point]) -> list[Point]:
    """The points as seen from a spot that looks to the right, to the thousandth of a millimetre."""
    cos, sin = math.cos(origin.angle), math.sin(origin.angle)
    apart = [(x - origin.x, y - origin.y) for x, y in points]
    return [(round(x * cos + y * sin, 3) + 0.0, round(y * cos - x * sin, 3) + 0.0) for x, y in apart]


def _split(layout: Layout, run: range) -> list[range]:
    """As few pieces as fit, of about the same length."""
    bed = sorted(layout.description.shape.printer_mm)
    for count in range(1, len(run) + 1):
        longest = -(-len(run) // count)
        cuts = [run[first : first + longest] for first in range(0, len(run), longest)]
        if all(_fits(layout, cut, bed) for cut in cuts):
            return cuts
    return []


def _fits(layout: Layout, leds: range, bed: Sequence[float]) -> bool:
    xs, ys = zip(*border(layout, leds), strict=True)
    sides = sorted((max(xs) - min(xs) - SLACK_MM, max(ys) - min(ys) - SLACK_MM))
    return all(side <= most for side, most in zip(sides, bed, strict=True))
