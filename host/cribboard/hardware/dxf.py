"""The drawing as DXF in the format of R2010, in millimetres, with its layers; the same board gives the same bytes."""

from __future__ import annotations

import io
import math
from collections.abc import Sequence

import ezdxf
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
        return _dxf_text(document)
    finally:
        ezdxf.options.write_fixed_meta_data_for_testing = dated


def _dxf_text(document: Drawing) -> str:
    for kind in sorted(document.entitydb.dxf_types_in_use()):  # else they stand in the order of a set
        document.classes.add_class(kind)
    stream = io.StringIO()
    document.write(stream)
    return stream.getvalue()


def _add(space: Modelspace, piece: Piece) -> None:
    layer = {"layer": piece.layer}
    if isinstance(piece, Circle):
        space.add_circle((_dxf_mm(piece.x), _dxf_mm(piece.y)), _dxf_mm(piece.radius), dxfattribs=layer)
    elif isinstance(piece, Box):
        space.add_lwpolyline(_rounded(piece), format="xyb", close=True, dxfattribs=layer)
    else:
        points = [(_dxf_mm(x), _dxf_mm(y)) for x, y in piece.points]
        closed = len(points) > 2 and points[0] == points[-1]
        space.add_lwpolyline(points[:-1] if closed else points, close=closed, dxfattribs=layer)


def _rounded(box: Box) -> list[tuple[float, float, float]]:
    """The corners of a box, each an arc of a quarter circle."""
    width, height, corner = _dxf_mm(box.width), _dxf_mm(box.height), _dxf_mm(box.corner)
    if not corner:
        return [(0, 0, 0), (width, 0, 0), (width, height, 0), (0, height, 0)]
    return [
        (corner, 0, 0),
        (width - corner, 0, QUARTER),
        (width, corner, 0),
        (width, height - corner, QUARTER),
        (width - corner, height, 0),
        (corner, height, QUARTER),
        (0, height - corner, 0),
        (0, corner, QUARTER),
    ]


def _dxf_mm(length: float) -> float:
    return round(length, 3) + 0.0
