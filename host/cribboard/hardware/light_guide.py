"""The light guide: a grid below the board that keeps each LED's light to its own hole, in pieces that can be printed.

On a strip a piece has channels below that the strips lie in; single pixels stand in the cells themselves.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from manifold3d import CrossSection, FillRule, JoinType, Manifold
from trimesh import Trimesh
from trimesh.exchange.stl import export_stl

from cribboard.hardware.description import DescriptionError
from cribboard.hardware.shape import Layout, Point, Spot

SLACK_MM = 0.4  # between two pieces, and around a strip or a pixel
WALL_MM = 1.2  # three lines of a printer's nozzle
TOO_SMALL = "not even one cell of the light guide can be printed on this bed"
LEAST = "the bed of a small printer is 120 by 120"


def pieces(layout: Layout) -> list[range]:
    """The LEDs of each piece, from the first to the last; none at all when one cell is too large for the bed."""
    *streets, last = layout.streets
    runs = [*streets, range(last.start, last.stop + 1)]  # the game hole is the last street's
    found = [_split(layout, run) for run in runs]
    return [piece for cuts in found for piece in cuts] if all(found) else []


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


# The light guide: a grid below the board that keeps each LED's light to its own hole, in pieces that can be printed.

HIGH_MM = 8.0
CHANNEL_MM = 2.5  # deep: a strip and its pixels are about 2 mm
FACETS = 32
FINE_MM = 0.01  # corners nearer than this are one: the file's numbers are too short to tell them apart


@dataclass(frozen=True)
class Part:
    """A piece of the grid: the LEDs that it covers, and its solid with its lower left corner at 0, 0, 0."""

    leds: range
    solid: Manifold

    @property
    def size(self) -> tuple[float, float, float]:
        """How long, wide and high it is."""
        left, front, low, right, back, high = self.solid.bounding_box()
        return right - left, back - front, high - low

    def stl(self) -> bytes:
        """The piece as binary STL, in millimetres."""
        mesh = self.solid.to_mesh()
        return export_stl(Trimesh(mesh.vert_properties, mesh.tri_verts, process=False))


def parts(layout: Layout) -> list[Part]:
    """The pieces from the first LED to the last, none larger than the printer's bed."""
    found = pieces(layout)
    if not found:
        width, depth = layout.description.shape.printer_mm
        raise DescriptionError(f"printer_mm = [{width:g}, {depth:g}]: {TOO_SMALL}", LEAST)
    return [_part(layout, leds) for leds in found]


def files(layout: Layout) -> dict[str, bytes]:
    """The STL of each different piece by its file's name, which says what it covers and how often it is wanted."""
    alike: dict[bytes, list[Part]] = {}
    for part in parts(layout):
        alike.setdefault(part.stl(), []).append(part)
    found = {}
    for number, (stl, same) in enumerate(alike.items(), 1):
        found[f"light-guide-{number}-of-{len(same[0].leds)}-holes-print-{len(same)}.stl"] = stl
    return found


def _part(layout: Layout, leds: range) -> Part:
    """Drawn from its own first place, so that pieces that are alike are the same to the last bit."""
    strip, origin = layout.description.shape.strip_mm, layout.spot(leds.start)
    solid = _area(border(layout, leds)).offset(-SLACK_MM / 2, JoinType.Miter).extrude(HIGH_MM)
    for track in range(layout.description.tracks.count):
        places = seen_from(origin, [layout.spot(led).across(layout.offset(track)) for led in leds])
        radii = [(layout.diameter(led) + SLACK_MM) / 2 for led in leds]
        cells = [
            CrossSection.circle(radius, FACETS).translate(place) for radius, place in zip(radii, places, strict=True)
        ]
        solid -= CrossSection.compose(cells).extrude(HIGH_MM)
        if strip:
            channel = layout.band(leds.start - 1, leds.stop, layout.offset(track), (strip + SLACK_MM) / 2)
            solid -= _area(seen_from(origin, channel[:-1])).extrude(CHANNEL_MM)
    solid = solid.simplify(FINE_MM).rotate((180, 0, 0))  # as it is printed, with the channels up
    left, front, low, *_ = solid.bounding_box()
    return Part(leds, solid.translate((-left, -front, -low)))


def _area(around: Sequence[Point]) -> CrossSection:
    return CrossSection([around], FillRule.NonZero)
