"""The plates of a case as a machine cuts them: the beam's path, and in parts where a plate is larger than the bed."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

from cribboard.hardware.case import TAB_MM, Case, Plate, comb
from cribboard.hardware.description import DescriptionError
from cribboard.hardware.drawing import Circle, Line
from cribboard.hardware.seams import Hole, find
from cribboard.hardware.split import beam, parts, size_of


def cut(case: Case) -> list[Plate]:
    """All plates, and the comb, which is cut as it is: it measures what the beam takes away."""
    shape = case.layout.description.shape
    whole = [part for plate in case.plates() for part in _split(plate, shape.bed_mm)]
    return [comb(case.thick), *(replace(plate, pieces=tuple(beam(plate.pieces, shape.kerf_mm))) for plate in whole)]


def _split(plate: Plate, bed: tuple[float, float]) -> Iterator[Plate]:
    """The plate, or its parts that fit the bed."""
    found = find(plate.size, _holes(plate), bed, plate.low)
    if found is None:
        width, height = plate.size
        said = f"bed_mm: the plate {plate.name} of the case, {width:.0f} mm by {height:.0f} mm, cannot be cut in parts"
        raise DescriptionError(said, "use a machine with a bigger bed")
    if not found:
        yield plate
        return
    pieces = parts(plate.pieces, found)
    for number, part in enumerate(pieces, 1):
        yield Plate(f"{plate.name}-part-{number}-of-{len(pieces)}", plate.count, tuple(part), size_of(part))


def _holes(plate: Plate) -> list[Hole]:
    """What no seam may touch: holes, and circles around slots and tabs."""
    found: list[Hole] = [((at, 0.0), TAB_MM / 2) for at in plate.tabs]
    for piece in plate.pieces:
        if isinstance(piece, Circle):
            found.append(((piece.x, piece.y), piece.radius))
        elif isinstance(piece, Line) and piece.layer != "OUTLINE":
            xs, ys = zip(*piece.points, strict=True)
            middle = (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2
            found.append((middle, math.dist(middle, (min(xs), min(ys)))))
    return found
