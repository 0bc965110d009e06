"""What a laser cuts: a face or a case's plates in parts that fit the bed, the path of the beam, and any drawing as DXF.

The DXF is of R2010, in millimetres, with the drawing's layers; the same board gives the same bytes.
"""

from __future__ import annotations

import io
import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

import ezdxf
import shapely
from ezdxf.document import Drawing
from ezdxf.layouts.layout import Modelspace
from shapely import Geometry, LineString, Point, Polygon, affinity, box
from shapely.ops import unary_union

from cribboard.hardware.case import TAB_MM, Case, Plate, comb
from cribboard.hardware.description import DescriptionError
from cribboard.hardware.drawing import LAYERS, Box, Circle, Piece, Polyline, drawing
from cribboard.hardware.light_sheet import light_sheet, paper
from cribboard.hardware.light_sheet import seams as behind
from cribboard.hardware.seams import TAIL_MM, Hole, Seam, find, seams
from cribboard.hardware.shape import Layout

CUT = ("OUTLINE", "HOLES", "CUT_OUTS", "DOTS")
ROUND = 16  # strokes of a quarter circle

QUARTER = math.tan(math.pi / 8)  # the bulge of a quarter circle


Layer = tuple[list[Piece], list[Seam], float]  # what is drawn, where it is cut in parts, the beam's width


def layers(layout: Layout) -> dict[str, Layer]:
    """What lies on the case, by the names of the files: cover, face, paper and light sheet."""
    shape, outer = layout.description.shape, drawing(layout)
    joints, kerf = seams(layout) or [], shape.face_kerf_mm
    made: dict[str, Layer] = {}
    if shape.cover_mm:
        made["cover"] = [piece for piece in outer if piece.layer in CUT and piece.layer != "HOLES"], joints, kerf
    if shape.face_mm:
        made["face"] = outer, joints, kerf
    if shape.strip_mm:
        made["paper"] = paper(layout), [], 0.0
    made["light-sheet"] = light_sheet(layout), behind(layout) or [], shape.kerf_mm
    return made


def parts(pieces: Sequence[Piece], seams: Sequence[Seam]) -> list[list[Piece]]:
    """The drawing of each part, its lower left corner at 0, 0: rows from below, each from the left."""
    return [_part(pieces, area) for area in areas(pieces, seams)]


def areas(pieces: Sequence[Piece], seams: Sequence[Seam]) -> list[Polygon]:
    """What each part covers within the drawing's outline, with its dovetails."""
    outline = _outline(pieces)
    low_x, low_y, high_x, high_y = outline.bounds
    xs = [low_x, *(seam.at for seam in seams if seam.upright), high_x]
    ys = [low_y, *(seam.at for seam in seams if not seam.upright), high_y]
    cells = [box(xs[i], ys[j], xs[i + 1], ys[j + 1]) for j in range(len(ys) - 1) for i in range(len(xs) - 1)]
    for seam in seams:
        for tail in seam.tails:
            cells = list(_with_tail(cells, seam, tail))
    return [_one(outline.intersection(cell)) for cell in cells]


def _outline(pieces: Sequence[Piece]) -> Polygon:
    [edge] = [piece for piece in pieces if piece.layer == "OUTLINE"]
    if isinstance(edge, Polyline):
        return Polygon(edge.points)
    if not isinstance(edge, Box):
        raise TypeError("an outline is a box or a line")
    whole = box(edge.x, edge.y, edge.x + edge.width, edge.y + edge.height)
    # Shrunk with sharp corners and grown with round ones.
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
    drawn: list[Piece] = [Polyline("OUTLINE", tuple(home.exterior.coords))]
    for piece in pieces:
        if isinstance(piece, Circle):
            if area.contains(Point(piece.x, piece.y)):
                drawn.append(replace(piece, x=piece.x - left, y=piece.y - low))
        elif isinstance(piece, Polyline) and piece.layer == "PAINT":  # an area, which stays closed
            for each in shapely.get_parts(affinity.translate(area.intersection(Polygon(piece.points)), -left, -low)):
                drawn += [Polyline(piece.layer, tuple(each.exterior.coords))] if isinstance(each, Polygon) else []
        elif isinstance(piece, Polyline) and piece.layer != "OUTLINE":
            within = affinity.translate(area.intersection(LineString(piece.points)), -left, -low)
            drawn += [Polyline(piece.layer, tuple(line.coords)) for line in _lines(within)]
    return drawn


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
    return Polyline(piece.layer, tuple(_one(around).exterior.coords))


def cut(case: Case) -> list[Plate]:
    """All plates, and the comb, which is cut as it is: it measures what the beam takes away."""
    shape = case.layout.description.shape
    whole = [part for plate in case.plates() for part in _split(plate, shape.bed_mm)]
    return [comb(case.thick), *(replace(plate, pieces=tuple(beam(plate.pieces, shape.kerf_mm))) for plate in whole)]


def _split(plate: Plate, bed: tuple[float, float]) -> Iterator[Plate]:
    """The plate, or its parts that fit the bed."""
    seams = find(plate.size, _holes(plate), bed, plate.low)
    if seams is None:
        width, height = plate.size
        said = f"bed_mm: the plate {plate.name} of the case, {width:.0f} mm by {height:.0f} mm, cannot be cut in parts"
        raise DescriptionError(said, "use a machine with a bigger bed")
    if not seams:
        yield plate
        return
    pieces = parts(plate.pieces, seams)
    for number, part in enumerate(pieces, 1):
        yield Plate(f"{plate.name}-part-{number}-of-{len(pieces)}", plate.count, tuple(part), size_of(part))


def _holes(plate: Plate) -> list[Hole]:
    """What no seam may touch: holes, and circles around slots and tabs."""
    holes: list[Hole] = [((at, 0.0), TAB_MM / 2) for at in plate.tabs]
    for piece in plate.pieces:
        if isinstance(piece, Circle):
            holes.append(((piece.x, piece.y), piece.radius))
        elif isinstance(piece, Polyline) and piece.layer != "OUTLINE":
            xs, ys = zip(*piece.points, strict=True)
            middle = (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2
            holes.append((middle, math.dist(middle, (min(xs), min(ys)))))
    return holes


def dxf(pieces: Sequence[Piece]) -> str:
    """The text of the file."""
    dated = ezdxf.options.write_fixed_meta_data_for_testing
    ezdxf.options.write_fixed_meta_data_for_testing = True  # no dates, no random marks
    try:
        document = ezdxf.new("R2010", units=ezdxf.units.MM)
        for layer, (colour, _) in LAYERS.items():
            document.layers.add(layer, color=colour)
        for piece in pieces:
            _add(document.modelspace(), piece)
        _extents(document, pieces)
        return _text(document)
    finally:
        ezdxf.options.write_fixed_meta_data_for_testing = dated


def _extents(document: Drawing, pieces: Sequence[Piece]) -> None:
    """Say how large the drawing is, so that programs show all of it at once."""
    xs, ys = zip(*(corner for piece in pieces for corner in _corners(piece)), strict=True)
    least, most = (_mm(min(xs)), _mm(min(ys)), 0.0), (_mm(max(xs)), _mm(max(ys)), 0.0)
    document.header["$EXTMIN"], document.header["$EXTMAX"] = least, most
    document.modelspace().reset_extents(least, most)


def _corners(piece: Piece) -> Sequence[tuple[float, float]]:
    """Points of a piece between which all of it lies."""
    if isinstance(piece, Polyline):
        return piece.points
    if isinstance(piece, Circle):
        return (piece.x - piece.radius, piece.y - piece.radius), (piece.x + piece.radius, piece.y + piece.radius)
    return (piece.x, piece.y), (piece.x + piece.width, piece.y + piece.height)


def _text(document: Drawing) -> str:
    for kind in sorted(document.entitydb.dxf_types_in_use()):  # else they stand in the order of a set
        document.classes.add_class(kind)
    stream = io.StringIO()
    document.write(stream)
    return stream.getvalue()


def _add(space: Modelspace, piece: Piece) -> None:
    layer = {"layer": piece.layer}
    if isinstance(piece, Circle):
        space.add_circle((_mm(piece.x), _mm(piece.y)), _mm(piece.radius), dxfattribs=layer)
    elif isinstance(piece, Box):
        space.add_lwpolyline(_rounded(piece), format="xyb", close=True, dxfattribs=layer)
    else:
        points = [(_mm(x), _mm(y)) for x, y in piece.points]
        closed = len(points) > 2 and points[0] == points[-1]
        space.add_lwpolyline(points[:-1] if closed else points, close=closed, dxfattribs=layer)


def _rounded(box: Box) -> list[tuple[float, float, float]]:
    """The corners of a box, each an arc of a quarter circle."""
    left, low, right, high = box.x, box.y, box.x + box.width, box.y + box.height
    corner, bulge = box.corner, QUARTER
    if not corner:
        corners = [(left, low, 0.0), (right, low, 0.0), (right, high, 0.0), (left, high, 0.0)]
    else:
        corners = [
            (left + corner, low, 0.0),
            (right - corner, low, bulge),
            (right, low + corner, 0.0),
            (right, high - corner, bulge),
            (right - corner, high, 0.0),
            (left + corner, high, bulge),
            (left, high - corner, 0.0),
            (left, low + corner, bulge),
        ]
    return [(_mm(x), _mm(y), bulge) for x, y, bulge in corners]


def _mm(length: float) -> float:
    return round(length, 3) + 0.0
