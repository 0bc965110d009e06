"""Checks that a described board can be made: its face and what is behind it, its light, its case, all in one.

The one list of what is wrong with a board is `everything`; whatever writes files or settings asks it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from cribboard.hardware import electricity, light, light_sheet
from cribboard.hardware.case import Case
from cribboard.hardware.controllers import Controller
from cribboard.hardware.description import Description
from cribboard.hardware.drawing import AIR_MM, PLATE_MM, TENS_MM, TEXT_MM
from cribboard.hardware.findings import Finding
from cribboard.hardware.letters import unknown, width
from cribboard.hardware.light_guide import LEAST, TOO_SMALL, pieces
from cribboard.hardware.seams import seams
from cribboard.hardware.shape import WALL_MM, Layout, Point, every_hole
from cribboard.hardware.stack import Stack

EDGE_MM = 3.0  # the least from a cut to the edge
PAINTED_MM = 1.2  # of a face, at least, that wells of 0.3 mm are engraved in


def everything(board: Description, controller: Controller | None) -> list[Finding]:
    """All that is wrong with a board, then what is worth knowing; without a controller all but its pins."""
    findings = [*mistakes(Layout(board)), *electricity.check(board, controller)]
    return sorted(findings, key=lambda finding: not finding.wrong)


def mistakes(layout: Layout) -> list[Finding]:
    """What is wrong with, or worth knowing of, what is cut and printed, each with the measure, and what to do."""
    findings = [*_tracks(layout), *_bed(layout), *_printer(layout), *_edges(layout), *_walls(layout), *_panel(layout)]
    findings += light.mistakes(layout)
    return findings if any(each.wrong for each in findings) else [*findings, *Case(layout).mistakes()]


def _tracks(layout: Layout) -> Iterator[Finding]:
    shape = layout.description.shape
    if layout.description.tracks.count > 1 and shape.track_mm < shape.strip_mm + WALL_MM:
        said = f"a {shape.strip} strip is {shape.strip_mm:g} mm wide, and the next one needs a wall between"
        yield _wrong(f"track_mm = {shape.track_mm:g}", said, f"make it {shape.strip_mm + WALL_MM:g} or more")
    needed = 2 * layout.half_mm + TEXT_MM + TENS_MM + 3 * AIR_MM
    if shape.streets > 1 and shape.apart_mm < needed:
        said = "between two streets stand the numbers of both"
        yield _wrong(f"apart_mm = {shape.apart_mm:g}", said, f"make it {needed:g} or more")


def _bed(layout: Layout) -> Iterator[Finding]:
    board, bed = sorted(layout.size), sorted(layout.description.shape.bed_mm)
    cuts, behind, where = seams(layout), light_sheet.seams(layout), f"bed_mm = [{bed[1]:g}, {bed[0]:g}]"
    said = f"the board is {board[1]:.1f} mm by {board[0]:.1f} mm"
    if cuts is None or behind is None:
        todo = "use a denser strip, more streets, a smaller margin_mm, or a machine with a bigger bed"
        yield _wrong(where, f"{said}, and cannot be cut in parts that fit", todo)
    elif cuts:
        count = (1 + sum(seam.upright for seam in cuts)) * (1 + sum(not seam.upright for seam in cuts))
        said = f"{said}: it is cut in {count} parts with dovetails"
        yield Finding(False, f"[shape] {where}", said, "glue them on a flat table, with the back behind them")


def _printer(layout: Layout) -> Iterator[Finding]:
    width, depth = layout.description.shape.printer_mm
    if not pieces(layout):
        yield _wrong(f"printer_mm = [{width:g}, {depth:g}]", TOO_SMALL, LEAST)


def _edges(layout: Layout) -> Iterator[Finding]:
    width, height = layout.size
    corner = layout.description.shape.corner_mm
    where = f"corner_mm = {corner:g}"
    if 2 * corner > min(width, height):
        yield _wrong(where, f"the board is only {min(width, height):.1f} mm high", "make it smaller")
        return
    for what, (x, y), diameter in every_hole(layout):
        left = _to_edge(x, y, width, height, corner) - diameter / 2
        if left < EDGE_MM:
            said = f"is {left:.1f} mm from the edge, and {EDGE_MM:g} are needed"
            if left < 0:
                said = f"stands {-left:.1f} mm over the edge, and {EDGE_MM:g} are needed within it"
            yield _wrong(where, f"{what} {said}", "make it smaller, or margin_mm larger")
            return


def _to_edge(x: float, y: float, width: float, height: float, corner: float) -> float:
    """How far inside of the board a point is; negative is outside."""
    across, up = min(x, width - x), min(y, height - y)
    if across < corner and up < corner:
        return corner - math.hypot(corner - across, corner - up)
    return min(across, up)


def _walls(layout: Layout) -> Iterator[Finding]:
    """The thinnest wall of the face and of the light sheet, when it is too thin."""
    for sheet, holes in (("", every_hole(layout)), (" of the light sheet", light_sheet.holes(layout))):
        thinnest = _thinnest(sorted(holes, key=lambda hole: hole[1]))
        if thinnest is None or thinnest[0] >= WALL_MM - 0.001:
            continue
        wall, what, which = thinnest
        said = f"between {which} and {what}{sheet} {wall:.1f} mm are left, and {WALL_MM:g} are needed"
        if wall < 0:
            said = f"{which} and {what}{sheet} overlap by {-wall:.1f} mm, and {WALL_MM:g} are needed between them"
        yield _wrong("holes", said, "make them smaller, or give them more room")
        return


def _thinnest(holes: list[tuple[str, Point, float]]) -> tuple[float, str, str] | None:
    """The least wall between two holes that come near to each other, which are sorted from left to right."""
    widest, least = max(diameter for _, _, diameter in holes), None
    for number, (what, here, one) in enumerate(holes):
        for which, there, other in reversed(holes[:number]):
            if here[0] - there[0] > widest + WALL_MM:
                break
            wall = math.dist(here, there) - (one + other) / 2
            if least is None or wall < least[0]:
                least = wall, what, which
    return least


def _panel(layout: Layout) -> Iterator[Finding]:
    """What the buttons clamp, and what is engraved between them and along the tracks."""
    board, stack = layout.description, Stack(layout.description.shape)
    if stack.panel > board.buttons.panel_mm:
        said = f"the buttons take a panel of {board.buttons.panel_mm:g} mm, and the face is {stack.panel:g} mm thick"
        advice = "use a thinner face_mm, or buttons with a longer thread"
        yield Finding(True, f"[buttons] panel_mm = {board.buttons.panel_mm:g}", said, advice)
    plate = board.shape.plate
    wide, (*_, room) = width(plate, PLATE_MM), layout.plate
    if wide > room and plate:
        said = f"it is {wide:.0f} mm wide, and between the buttons are {max(room, 0):.0f}"
        yield _wrong(f'plate = "{plate}"', said, "write less")
    if board.shape.paint and board.shape.face_mm < PAINTED_MM:
        said = f"a face of {board.shape.face_mm:g} mm is too thin for wells that take paint"
        yield _wrong("paint = true", said, f"use face_mm = {PAINTED_MM:g} or more, or leave it out")
    if unknown(plate):
        yield _wrong(f'plate = "{plate}"', f"nothing engraves {unknown(plate)}", "use A to Z, 0 to 9, +, - and /")


def _wrong(where: str, said: str, advice: str) -> Finding:
    return Finding(True, f"[shape] {where}", said, advice)
