"""The drawing of a face in parts that fit the bed, and any drawing as the path of a beam that burns a little away."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from shapely import Geometry, LineString, Point, Polygon, affinity, box
from shapely.ops import unary_union

from cribboard.hardware.drawing import Box, Circle, Line, Piece
from cribboard.hardware.seams import TAIL_MM, Seam

CUT = ("OUTLINE", "HOLES", "CUT_OUTS", "DOTS")
ROUND = 16  # strokes of a quarter circle


def parts(pieces: Sequence[Piece], found: Sequence[Seam]) -> list[list[Piece]]:
    """The drawing of each part, its lower left corner at 0, 0: rows from below, each from the left."""
    return [_part(pieces, area) for area in areas(pieces, found)]


def areas(pieces: Sequence[Piece], found: Sequence[Seam]) -> list[Polygon]:
    """What each part covers within the drawing's outline, with its dovetails."""
    outline = _outline(pieces)
    low_x, low_y, high_x, high_y = outline.bounds
    xs = [low_x, *(seam.at for seam in found if seam.upright), high_x]
    ys = [low_y, *(seam.at for seam in found if not seam.upright), high_y]
    cells = [box(xs[i], ys[j], xs[i + 1], ys[j + 1]) for j in range(len(ys) - 1) for i in range(len(xs) - 1)]
    for seam in found:
        for tail in seam.tails:
            cells = list(_with_tail(cells, seam, tail))
    return [_one(outline.intersection(cell)) for cell in cells]


def _outline(pieces: Sequence[Piece]) -> Polygon:
    [edge] = [piece for piece in pieces if piece.layer == "OUTLINE"]
    if isinstance(edge, Line):
        return Polygon(edge.points)
    if not isinstance(edge, Box):
        raise TypeError("an outline is a box or a line")
    whole = box(edge.x, edge.y, edge.x + edge.width, edge.y + edge.height)
    return whole.buffer(-edge.corner, join_style="mitre").buffer(edge.corner, ROUND) if edge.corner else whole


def beam(pieces: Sequence[Piece], kerf_mm: float) -> list[Piece]:
    """The drawing with its cuts moved by half of the kerf: the edge to the outside, the holes to the inside."""
    return [_moved(piece, kerf_mm / 2) if piece.layer in CUT else piece for piece in pieces] if kerf_mm else [*pieces]


def size_of(pieces: Sequence[Piece]) -> tuple[float, float]:
    """How wide and high a part is."""
    low_x, low_y, high_x, high_y = _outline(pieces).bounds
    return high_x - low_x, high_y - low_y


def _with_tail(cells: Sequence[Polygon], seam: Seam, tail: float) -> Iterator[Polygon]:
    """The cells after one dovetail went from the cell behind the seam to the one before it."""
    shape = Polygon(seam.corners(tail))
    before = Point(seam.at - TAIL_MM, tail) if seam.upright else Point(tail, seam.at - TAIL_MM)
    for cell in cells:
        yield _one(unary_union([cell, shape]) if cell.contains(before) else cell.difference(shape))


def _part(pieces: Sequence[Piece], area: Polygon) -> list[Piece]:
    left, low, *_ = area.bounds
    home = affinity.translate(area, -left, -low)
    found: list[Piece] = [Line("OUTLINE", tuple(home.exterior.coords))]
    for piece in pieces:
        if isinstance(piece, Circle):
            if area.contains(Point(piece.x, piece.y)):
                found.append(replace(piece, x=piece.x - left, y=piece.y - low))
        elif isinstance(piece, Line) and piece.layer != "OUTLINE":
            within = affinity.translate(area.intersection(LineString(piece.points)), -left, -low)
            found += [Line(piece.layer, tuple(line.coords)) for line in _lines(within)]
    return found


def _lines(shape: Geometry) -> Iterator[LineString]:
    for each in getattr(shape, "geoms", [shape]):
        if isinstance(each, LineString) and not each.is_empty:
            yield each


def _one(shape: Geometry) -> Polygon:
    if not isinstance(shape, Polygon):
        raise TypeError(f"a part falls to pieces: {shape.geom_type}")
    return shape


def _moved(piece: Piece, by: float) -> Piece:
    if isinstance(piece, Circle):
        return replace(piece, radius=max(piece.radius - by, 0.05))
    if isinstance(piece, Box):
        corner = piece.corner + by if piece.corner else 0.0
        return Box(piece.layer, piece.width + 2 * by, piece.height + 2 * by, corner, piece.x - by, piece.y - by)
    around = Polygon(piece.points).buffer(by if piece.layer == "OUTLINE" else -by, join_style="mitre")
    return Line(piece.layer, tuple(_one(around).exterior.coords))
