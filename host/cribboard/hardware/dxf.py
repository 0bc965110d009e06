"""The drawing as DXF in the format of R2010, in millimetres, with its layers; the same board gives the same bytes."""

from __future__ import annotations

import io
import math
from collections.abc import Sequence

import ezdxf
from ezdxf import bbox
from ezdxf.document import Drawing
from ezdxf.layouts.layout import Modelspace

from cribboard.hardware.drawing import LAYERS, Box, Circle, Piece

QUARTER = math.tan(math.pi / 8)  # the bulge of a quarter circle


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
        _extents(document)
        return _text(document)
    finally:
        ezdxf.options.write_fixed_meta_data_for_testing = dated


def _extents(document: Drawing) -> None:
    """Say how large the drawing is, so that programs show all of it at once."""
    box = bbox.extents(document.modelspace())
    for name, corner in (("$EXTMIN", box.extmin), ("$EXTMAX", box.extmax)):
        document.header[name] = corner
    document.modelspace().reset_extents(box.extmin, box.extmax)


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
