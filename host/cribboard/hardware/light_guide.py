"""The pieces of the light guide: where it is cut to go on the printer's bed, its screws, and what stops the strips."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from cribboard.hardware.shape import LIGHT_MM, PIXEL_MM, Layout, Point
from cribboard.hardware.way import Spot

SLACK_MM = 0.4  # between two pieces, and around a strip or a pixel
FLANGE_MM = 5.8  # across the flange that a single pixel stands on (data sheets of 5 mm LEDs)
WALL_MM = 1.2  # three lines of a printer's nozzle
MOST_CELL_MM = 6.2  # so that the corners of a pixel, 5 mm square, do not come through: else only tape holds a strip
EAR_AT_MM, EAR_REACH_MM = 3.3, 6.5  # from a piece's border to the middle of a screw beside it, and to its ear's end
EAR_ALONG_MM = 8.0  # how long an ear is along the way
END_MM, POST_MM = 4.0, 1.5  # what an end sticks out beyond its strip, and the posts there that stop it
TOO_SMALL = "not even one cell of the light guide can be printed on this bed"
LEAST = "the bed of a small printer is 120 by 120"


@dataclass(frozen=True)
class Ear:
    """A screw beside a piece: where it is, where the way goes there, at which place of it, on which side."""

    x: float
    y: float
    angle: float
    place: float
    side: int
    leds: range
    slot: bool = False  # its hole is long, so that a print that shrank still fits

    def clear_of(self, other: Ear) -> bool:
        """Whether two ears are clear of each other."""
        return math.dist((self.x, self.y), (other.x, other.y)) >= EAR_ALONG_MM + SLACK_MM


@lru_cache(maxsize=32)
def pieces(layout: Layout) -> list[range]:
    """The LEDs of each piece, from the first to the last; none at all when one cell is too large for the bed."""
    *streets, last = layout.streets
    runs = [*streets, range(last.start, last.stop + 1)]  # the game hole is the last street's
    split = [_split(layout, run) for run in runs]
    return [piece for cuts in split for piece in cuts] if all(split) else []


def border(layout: Layout, leds: range) -> list[Point]:
    """Around the cells of a piece, up to half way to its neighbours, as seen from its first place."""
    half = half_mm(layout, leds)
    return seen_from(layout.spot(leds.start), layout.band(leds.start - 0.5, leds.stop - 0.5, 0, half)[:-1])


def half_mm(layout: Layout, leds: range) -> float:
    """From the middle of the way to the border of a piece."""
    strip = layout.description.shape.strip_mm
    cell = max(strip, *(cell_mm(layout, led) for led in leds)) if strip else FLANGE_MM
    return layout.offset(0) + cell / 2 + SLACK_MM + WALL_MM


def cell_mm(layout: Layout, led: int) -> float:
    """How wide the light's way is: as that of a usual hole of the light sheet; a single pixel goes in to its flange."""
    shape = layout.description.shape
    return min(layout.light_diameter(led), shape.hole_mm + LIGHT_MM, MOST_CELL_MM) if shape.strip_mm else PIXEL_MM


def ends(layout: Layout, leds: range) -> list[tuple[float, int]]:
    """The places where a street's strip begins or ends in this piece, and which way out is: -1 or 1."""
    if not layout.description.shape.strip_mm:
        return []
    starts = [street.start for street in layout.streets]
    places = [(leds.start - 0.5, -1)] if leds.start in starts else []
    return [*places, (leds.stop - 0.5, 1)] if leds.stop in (*starts[1:], layout.last + 1) else places


def stops(layout: Layout, leds: range) -> list[Point]:
    """The corners of the ends that stop a strip."""
    half = half_mm(layout, leds)
    reach = layout.description.shape.pitch_mm / 2 + END_MM
    spots = [layout.spot(round(at - out / 2)).along(out * reach) for at, out in ends(layout, leds)]
    return [spot.across(side * half) for spot in spots for side in (-1, 1)]


def clear(layout: Layout, ears: Sequence[Ear]) -> list[Ear]:
    """Those of the ears that are clear of every piece and its ends but their own border."""
    holes = [hole for track in range(layout.description.tracks.count) for hole in layout.holes(track)]
    corners = [corner for leds in pieces(layout) for corner in stops(layout, leds)]
    around = EAR_REACH_MM - EAR_AT_MM + SLACK_MM + END_MM
    free = []
    for ear in ears:
        needed = half_mm(layout, ear.leds) - layout.offset(0) + EAR_AT_MM - SLACK_MM
        near = any(math.dist((ear.x, ear.y), hole) < needed for hole in holes)
        if not near and all(math.dist((ear.x, ear.y), corner) > around for corner in corners):
            free.append(ear)
    return free


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
    """Whether a piece with its ears and its ends lies on the bed."""
    xs, ys = zip(*border(layout, leds), strict=True)
    wide, high = max(xs) - min(xs) + END_MM * len(ends(layout, leds)), max(ys) - min(ys) + 2 * EAR_REACH_MM
    if layout.description.shape.kind != "streets":
        wide += 2 * EAR_REACH_MM
    sides = sorted((wide - SLACK_MM, high - SLACK_MM))
    return all(side <= most for side, most in zip(sides, bed, strict=True))
