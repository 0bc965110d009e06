"""What lies behind the face: the paper that shines, and the light sheet, which keeps each light to its own hole."""

from __future__ import annotations

from collections.abc import Iterator

from cribboard.hardware.case import Case
from cribboard.hardware.drawing import Box, Circle, Piece
from cribboard.hardware.seams import Seam, find
from cribboard.hardware.shape import Layout, Point
from cribboard.hardware.stack import CLAMP_HEAD_MM, CLAMP_HOLE_MM

PAPER_INSIDE_MM = 1.0  # so far the paper stays within the edge of the face
PAPER_CLEAR_MM = 1.5  # around what goes through it
SINK_MM = CLAMP_HEAD_MM + 0.5  # across a countersink
SEAM_WALL_MM = 0.9  # from a seam to a hole: the face, whose seams are elsewhere, and the bars lie across it


def holes(layout: Layout) -> Iterator[tuple[str, Point, float]]:
    """Everything cut through the light sheet: its name, centre and diameter; of the clamps' screws the heads count."""
    for track in range(layout.description.tracks.count):
        for led, point in enumerate(layout.holes(track)):
            yield f"hole {led + 1} of track {track + 1}", point, layout.light_diameter(led)
    for button in layout.buttons:
        where = "" if button.place is None else f" of place {button.place + 1}"
        yield f"the opening for {button.name}{where}", (button.x, button.y), layout.opening_mm
    for point in layout.dots:
        yield "a dot", point, layout.description.shape.dots_mm
    for number, point in enumerate(layout.screws, 1):
        yield f"screw {number}", point, layout.description.shape.screw_mm
    for ears in Case(layout).ears:
        for ear in ears:
            yield f"the light guide's screw near hole {int(ear.place) + 1}", (ear.x, ear.y), SINK_MM


def light_sheet(layout: Layout) -> list[Piece]:
    """The sheet, seen from the front; a ring around a screw's hole is its countersink, which is no cut."""
    pieces: list[Piece] = [Box("OUTLINE", *layout.size, layout.description.shape.corner_mm)]
    for what, (x, y), diameter in holes(layout):
        if what.startswith("the light guide's screw"):
            pieces += [Circle("CUT_OUTS", x, y, CLAMP_HOLE_MM / 2), Circle("TEXT", x, y, SINK_MM / 2)]
        else:
            layer = "HOLES" if what.startswith("hole") else "DOTS" if what == "a dot" else "CUT_OUTS"
            pieces.append(Circle(layer, x, y, diameter / 2))
    return pieces


def paper(layout: Layout) -> list[Piece]:
    """The paper, clear of screws and buttons; single pixels have none."""
    (width, height), inside = layout.size, PAPER_INSIDE_MM
    corner = max(0.0, layout.description.shape.corner_mm - inside)
    pieces: list[Piece] = [Box("OUTLINE", width - 2 * inside, height - 2 * inside, corner, inside, inside)]
    for button in layout.buttons:
        pieces.append(Circle("CUT_OUTS", button.x, button.y, layout.opening_mm / 2 + PAPER_CLEAR_MM))
    for x, y in layout.dots:  # the pins go through it
        pieces.append(Circle("DOTS", x, y, layout.description.shape.dots_mm / 2))
    for x, y in layout.screws:
        pieces.append(Circle("CUT_OUTS", x, y, layout.description.shape.screw_mm / 2 + PAPER_CLEAR_MM))
    return pieces


def seams(layout: Layout) -> list[Seam] | None:
    """Where a sheet that is larger than the machine's bed is cut, as for the face."""
    round_ones = [(point, diameter / 2) for _, point, diameter in holes(layout)]
    return find(layout.size, round_ones, layout.description.shape.bed_mm, wall=SEAM_WALL_MM)
