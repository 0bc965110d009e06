"""What a 3D printer makes of the case, and how long and how much filament every printed part takes, by its volume."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from manifold3d import CrossSection, FillRule, Manifold

from cribboard.hardware.case import Case
from cribboard.hardware.drawing import Circle, Line, Piece
from cribboard.hardware.grid import parts, stl
from cribboard.hardware.shape import Layout

# All walls of these parts are thin, so they are printed solid. Millimetres cubed a second: a slicer gave 23 hours for
# the 381 cm³ of the large board's light guides (0.2 mm layers, 0.4 mm nozzle, an ordinary printer).
FLOW_MM3_S = 4.6
PLA_G_CM3 = 1.24
FACETS = 48


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
        solid += _area(plate.pieces).extrude(case.thick).translate((0, 0, level * case.thick))
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


def _area(pieces: Sequence[Piece]) -> CrossSection:
    area = CrossSection()
    for piece in pieces:
        if isinstance(piece, Line):
            area += CrossSection([list(piece.points[:-1])], FillRule.NonZero)
    for piece in pieces:
        if isinstance(piece, Circle):
            area -= CrossSection.circle(piece.radius, FACETS).translate((piece.x, piece.y))
    return area
