"""Where a face that is larger than the machine's bed is cut into parts, and the dovetails that join them again."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from cribboard.hardware.shape import Layout, Point, every_hole

SEAM_WALL_MM = 1.4  # from a seam to a hole; both sides of a seam are glued to each other and to what lies behind
TAIL_MM, NECK_MM, HEAD_MM = 6.0, 5.0, 7.0  # a dovetail: how long it is, how wide at its root and at its end
TAIL_WALL_MM = 2.0  # around a dovetail
TAILS_APART_MM = 15.0
STEP_MM = 0.5
MOST_PARTS = 4  # in each direction

Hole = tuple[Point, float]


@dataclass(frozen=True)
class Seam:
    """A cut right across the face, at x (upright) or at y, and the middles of its dovetails along it."""

    upright: bool
    at: float
    tails: tuple[float, ...]

    def corners(self, tail: float) -> list[Point]:
        """Around a dovetail, which belongs to the part on the left or below."""
        low, high = -0.01, TAIL_MM  # a hair of overlap, so that the tail and its part are one
        around = [(low, -NECK_MM / 2), (high, -HEAD_MM / 2), (high, HEAD_MM / 2), (low, NECK_MM / 2)]
        points = [(self.at + across, tail + along) for across, along in around]
        return points if self.upright else [(y, x) for x, y in points]


def seams(layout: Layout) -> list[Seam] | None:
    """The fewest seams with which every part fits the bed; none when the face fits whole, None when nothing does."""
    holes = [(point, diameter / 2) for _, point, diameter in every_hole(layout)]
    holes += [(point, layout.description.shape.hole_mm / 2) for track in _tracks(layout) for point in track]
    return find(layout.size, holes, layout.description.shape.bed_mm)


def find(
    size: Point, holes: Sequence[Hole], bed: Point, low: float = 0.0, wall: float = SEAM_WALL_MM
) -> list[Seam] | None:
    """The same for any plate with these holes; upright seams have no dovetail below `low`."""
    counts = [(columns, rows) for columns in range(1, MOST_PARTS + 1) for rows in range(1, MOST_PARTS + 1)]
    for columns, rows in sorted(counts, key=lambda count: (count[0] * count[1], count)):
        if not _fits(size[0] / columns, size[1] / rows, columns, rows, bed):
            continue
        xs, ys = _cuts(holes, 0, size[0], columns, wall), _cuts(holes, 1, size[1], rows, wall)
        if xs is None or ys is None or not _parts_fit(size, bed, xs, ys):
            continue
        cuts = [Seam(True, x, _tails(holes, x, 0, size[1], ys, low)) for x in xs]
        cuts += [Seam(False, y, _tails(holes, y, 1, size[0], xs)) for y in ys]
        if all(len(seam.tails) > len(ys if seam.upright else xs) for seam in cuts):
            return cuts
    return None


def _tracks(layout: Layout) -> Iterator[list[Point]]:
    yield from (layout.start_holes(track) for track in range(layout.description.tracks.count))


def _fits(width: float, height: float, columns: int, rows: int, bed: Point) -> bool:
    """Whether a part of this size, with its dovetails, lies on the bed one way or the other."""
    part = sorted((width + TAIL_MM * (columns > 1), height + TAIL_MM * (rows > 1)))
    return all(side <= most for side, most in zip(part, sorted(bed), strict=True))


def _parts_fit(size: Point, bed: Point, xs: Sequence[float], ys: Sequence[float]) -> bool:
    widest, highest = (
        max(to - at for at, to in zip([0, *cuts], [*cuts, side], strict=True))
        for cuts, side in zip((xs, ys), size, strict=True)
    )
    return _fits(widest, highest, len(xs) + 1, len(ys) + 1, bed)


def _cuts(holes: Sequence[Hole], axis: int, long: float, parts: int, wall: float) -> list[float] | None:
    """Where to cut so that no hole is touched, as near to equal parts as can be."""
    cuts = []
    for number in range(1, parts):
        wanted = long * number / parts
        free = [at for at in _free(holes, axis, long, wall) if abs(at - wanted) < long / parts / 2]
        if not free:
            return None
        cuts.append(min(free, key=lambda at: abs(at - wanted)))
    return cuts


def _free(holes: Sequence[Hole], axis: int, long: float, wall: float) -> Iterator[float]:
    """Places for a cut: the middle between two rows of holes, and more of them where it is wider."""
    taken = sorted((point[axis] - radius, point[axis] + radius) for point, radius in holes)
    reach = 0.0
    for low, high in [*taken, (long, long)]:
        first, last = reach + wall, low - wall
        if first <= last:
            steps = max(1, math.floor((last - first) / STEP_MM))
            yield from (first + (last - first) * (step + 0.5) / steps for step in range(steps))
        reach = max(reach, high)


def _tails(
    holes: Sequence[Hole], at: float, axis: int, long: float, crossings: Sequence[float], low: float = 0.0
) -> tuple[float, ...]:
    """As many dovetails as have room, at least a little apart."""
    near = [hole for hole in holes if abs(hole[0][axis] - at) < TAIL_MM + TAIL_WALL_MM + hole[1]]
    tails: list[float] = []
    room = HEAD_MM / 2 + 2 * TAIL_WALL_MM
    for step in range(int((long - low - 2 * room) / STEP_MM) + 1):
        along = low + room + step * STEP_MM
        clear = all(_clear(hole, at, along, axis) for hole in near)
        clear = clear and all(abs(along - crossing) > room + TAIL_MM for crossing in crossings)
        if clear and (not tails or along - tails[-1] >= TAILS_APART_MM):
            tails.append(along)
    return tuple(tails)


def _clear(hole: Hole, at: float, along: float, axis: int) -> bool:
    """Whether a hole is clear of the rectangle around a dovetail."""
    point, radius = hole
    across = max(at - point[axis], 0.0, point[axis] - at - TAIL_MM)
    beside = max(abs(point[1 - axis] - along) - HEAD_MM / 2, 0.0)
    return math.hypot(across, beside) >= radius + TAIL_WALL_MM
