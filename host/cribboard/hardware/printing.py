"""What a 3D printer makes: the light guide and a case's corners as STL, and what time and filament each part takes.

The light guide is a grid below the board that keeps each LED's light to its own hole, in pieces that can be printed.
On a strip a piece has channels below that the strips lie in; single pixels stand in the cells themselves.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from manifold3d import CrossSection, FillRule, JoinType, Manifold
from trimesh import Trimesh
from trimesh.exchange.stl import export_stl

from cribboard.hardware.case import Case
from cribboard.hardware.description import DescriptionError
from cribboard.hardware.drawing import Circle, Line, Piece
from cribboard.hardware.laser import CUT, areas
from cribboard.hardware.light_guide import CHANNEL_MM, LEAST, PIXEL_MM, SLACK_MM, TOO_SMALL, border, pieces, seen_from
from cribboard.hardware.shape import Layout, Point

HIGH_MM = 8.0
FACETS = 32
FINE_MM = 0.01  # corners nearer than this are one: the file's numbers are too short to tell them apart

# All walls of these parts are thin, so they are printed solid. Millimetres cubed a second: a slicer gave 23 hours for
# the 381 cm³ of the large board's light guides (0.2 mm layers, 0.4 mm nozzle, an ordinary printer).
FLOW_MM3_S = 4.6
PLA_G_CM3 = 1.24
CASE_FACETS = 48


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
        return stl(self.solid)


def stl(solid: Manifold) -> bytes:
    """A solid as binary STL, in millimetres."""
    mesh = solid.to_mesh()
    return export_stl(Trimesh(mesh.vert_properties, mesh.tri_verts, process=False))


def parts(layout: Layout) -> list[Part]:
    """The pieces from the first LED to the last, none larger than the printer's bed."""
    runs = pieces(layout)
    if not runs:
        width, depth = layout.description.shape.printer_mm
        raise DescriptionError(f"printer_mm = [{width:g}, {depth:g}]: {TOO_SMALL}", LEAST)
    return [_part(layout, leds) for leds in runs]


def files(layout: Layout) -> dict[str, bytes]:
    """The STL of each different piece by its file's name, which says what it covers and how often it is wanted."""
    alike: dict[bytes, list[Part]] = {}
    for part in parts(layout):
        alike.setdefault(part.stl(), []).append(part)
    by_name = {}
    for number, (stl, same) in enumerate(alike.items(), 1):
        by_name[f"light-guide-{number}-of-{len(same[0].leds)}-holes-print-{len(same)}.stl"] = stl
    return by_name


def cell_mm(layout: Layout, led: int) -> float:
    """How wide the light's way is: as its hole; for a single pixel as that, whose flange stands on the border."""
    return layout.diameter(led) if layout.description.shape.strip_mm else PIXEL_MM


def guide(layout: Layout, leds: range) -> Manifold:
    """A piece of the light guide as it lies in the board, from its first hole and with the way to the right."""
    strip, origin = layout.description.shape.strip_mm, layout.spot(leds.start)
    solid = _area(border(layout, leds)).offset(-SLACK_MM / 2, JoinType.Miter).extrude(HIGH_MM)
    for track in range(layout.description.tracks.count):
        places = seen_from(origin, [layout.spot(led).across(layout.offset(track)) for led in leds])
        radii = [(cell_mm(layout, led) + SLACK_MM) / 2 for led in leds]
        cells = [
            CrossSection.circle(radius, FACETS).translate(place) for radius, place in zip(radii, places, strict=True)
        ]
        solid -= CrossSection.compose(cells).extrude(HIGH_MM)
        if strip:
            channel = layout.band(leds.start - 1, leds.stop, layout.offset(track), (strip + SLACK_MM) / 2)
            solid -= _area(seen_from(origin, channel[:-1])).extrude(CHANNEL_MM)
    return solid.simplify(FINE_MM)


def _part(layout: Layout, leds: range) -> Part:
    """Drawn from its own first place, so that pieces that are alike are the same to the last bit."""
    solid = guide(layout, leds).rotate((180, 0, 0))  # as it is printed, with the channels up
    left, front, low, *_ = solid.bounding_box()
    return Part(leds, solid.translate((-left, -front, -low)))


def _area(around: Sequence[Point]) -> CrossSection:
    return CrossSection([around], FillRule.NonZero)


@dataclass(frozen=True)
class Printed:
    """A part to print, how many of it, and the volume of one in cm³."""

    name: str
    count: int
    cm3: float

    @property
    def hours(self) -> float:
        """For all of them."""
        return self.count * self.cm3 * 1000 / FLOW_MM3_S / 3600

    @property
    def grams(self) -> float:
        """Of PLA, for all of them."""
        return self.count * self.cm3 * PLA_G_CM3


def corner(case: Case) -> Manifold:
    """A corner of the case in one piece, instead of its stacked plates; all four are alike."""
    plates = {plate.name: plate for plate in case.plates()}
    solid = Manifold()
    for level in range(case.levels):
        plate = plates["corner" if level % 2 else "corner-with-ears"]
        solid += cut_area(plate.pieces).extrude(case.thick).translate((0, 0, level * case.thick))
    return solid


def case_files(case: Case) -> dict[str, tuple[bytes, Printed]]:
    """The STL of each part that may be printed, by its file's name, and what it takes."""
    solid = corner(case)
    return {"case-corner-print-4.stl": (stl(solid), Printed("corner of the case", 4, solid.volume() / 1000))}


def guides(layout: Layout) -> list[Printed]:
    """The pieces of the light guide."""
    return [Printed(f"light guide, {len(part.leds)} holes", 1, part.solid.volume() / 1000) for part in parts(layout)]


def table(printed: Iterable[Printed]) -> list[str]:
    """A line for each kind of part, then one for all."""
    kinds: dict[str, Printed] = {}
    for part in printed:
        before = kinds.get(part.name)
        kinds[part.name] = Printed(part.name, part.count + (before.count if before else 0), part.cm3)
    lines = [f"{each.count} x {each.name}: {_amount([each])}" for each in kinds.values()]
    said = f"assumed: printed solid in PLA at {FLOW_MM3_S:g} mm³ a second, one part after the other"
    return [*lines, f"All printed parts: {_amount(list(kinds.values()))} ({said})."]


def _amount(printed: Sequence[Printed]) -> str:
    hours, grams = sum(each.hours for each in printed), sum(each.grams for each in printed)
    return f"{hours:.1f} h, {grams:.0f} g"


def cut_area(pieces: Sequence[Piece]) -> CrossSection:
    """What a laser leaves of a sheet: the outline without what is cut out of it."""
    [outline] = areas(pieces, [])
    area = _area(list(outline.exterior.coords[:-1]))
    holes = [piece for piece in pieces if piece.layer in CUT and piece.layer not in ("OUTLINE", "DOTS")]
    round_ones = [piece for piece in holes if isinstance(piece, Circle)]
    area -= CrossSection.compose(
        [CrossSection.circle(hole.radius, CASE_FACETS).translate((hole.x, hole.y)) for hole in round_ones]
    )
    for piece in holes:
        if isinstance(piece, Line):
            area -= _area(piece.points[:-1])
    return area
