"""What lies behind the face: the paper that shines, the film around it, and the light sheet behind both.

The light sheet keeps each light to its own hole.
"""

from __future__ import annotations

from collections.abc import Iterator

from cribboard.hardware.case import Case
from cribboard.hardware.drawing import Box, Circle, Piece
from cribboard.hardware.seams import Seam, find
from cribboard.hardware.shape import Layout, Point
from cribboard.hardware.stack import CLAMP_HOLE_MM, FILM_INSIDE_MM, FILM_MM, sink_mm

PAPER_INSIDE_MM = FILM_INSIDE_MM + FILM_MM + 0.5  # so far the paper stays within the edge of the face
PAPER_CLEAR_MM = 1.5  # around what goes through it
SEAM_WALL_MM = 0.9  # from a seam to a hole: the face, whose seams are elsewhere, and the bars lie across it


def holes(layout: Layout) -> Iterator[tuple[str, Point, float]]:
    """Everything cut through the light sheet: its name, centre and diameter; of countersunk screws the heads count."""
    for track in range(layout.description.tracks.count):
        for led, point in enumerate(layout.holes(track)):
            yield f"hole {led + 1} of track {track + 1}", point, layout.light_diameter(led)
    for button in layout.buttons:
        where = "" if button.place is None else f" of place {button.place + 1}"
        yield f"the opening for {button.name}{where}", (button.x, button.y), layout.opening_mm
    for point in layout.dots:
        yield "a dot", point, layout.description.shape.dots_mm
    for number, point in enumerate(layout.screws, 1):
        yield f"screw {number}", point, corner_sink_mm(layout)
    for ears in Case(layout).ears:
        for ear in ears:
            yield (
                f"the light guide's screw near hole {int(ear.place) + 1}",
                (ear.x, ear.y),
                sink_mm("M3", CLAMP_HOLE_MM),
            )


def light_sheet(layout: Layout) -> list[Piece]:
    """The sheet, seen from the front; a ring around a screw's hole is its countersink, which is no cut."""
    pieces: list[Piece] = [Box("OUTLINE", *layout.size, layout.description.shape.corner_mm)]
    for what, (x, y), diameter in holes(layout):
        if what.startswith(("the light guide's screw", "screw")):
            through = layout.description.shape.screw_mm if what.startswith("screw") else CLAMP_HOLE_MM
            pieces += [Circle("CUT_OUTS", x, y, through / 2), Circle("TEXT", x, y, diameter / 2)]
        else:
            layer = "HOLES" if what.startswith("hole") else "DOTS" if what == "a dot" else "CUT_OUTS"
            pieces.append(Circle(layer, x, y, diameter / 2))
    return pieces


def corner_sink_mm(layout: Layout) -> float:
    """Across the countersink of a corner's screw."""
    return sink_mm(Case(layout).screw or "M3", layout.description.shape.screw_mm)


def paper(layout: Layout) -> list[Piece]:
    """The paper within the film, clear of the buttons, or the printed page, up to them; single pixels have none."""
    pieces: list[Piece] = [_within(layout, PAPER_INSIDE_MM)]
    for button in layout.buttons:
        around = layout.opening_mm / 2 + PAPER_CLEAR_MM
        if not layout.description.shape.face_mm:  # it is seen, and clamped with the cover
            around = layout.description.buttons.diameter_mm / 2
        pieces.append(Circle("CUT_OUTS", button.x, button.y, around))
    for x, y in layout.dots:  # the pins go through it
        pieces.append(Circle("DOTS", x, y, layout.description.shape.dots_mm / 2))
    return pieces


def film(layout: Layout) -> tuple[Box, Box]:
    """The outer and the inner border of the film that sticks the face to the light sheet."""
    return _within(layout, FILM_INSIDE_MM), _within(layout, FILM_INSIDE_MM + FILM_MM)


def _within(layout: Layout, inside: float) -> Box:
    """The edge of the board, so far within it."""
    (width, height), corner = layout.size, max(0.0, layout.description.shape.corner_mm - inside)
    return Box("OUTLINE", width - 2 * inside, height - 2 * inside, corner, inside, inside)


def seams(layout: Layout) -> list[Seam] | None:
    """Where a sheet that is larger than the machine's bed is cut, as for the face."""
    round_ones = [(point, diameter / 2) for _, point, diameter in holes(layout)]
    return find(layout.size, round_ones, layout.description.shape.bed_mm, wall=SEAM_WALL_MM)
