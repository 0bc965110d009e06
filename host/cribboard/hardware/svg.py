"""The drawing as SVG: one unit a millimetre, a group for each layer, as Inkscape and laser programs take it."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from cribboard.hardware.drawing import LAYERS, Box, Circle, Piece, of_layer

STROKE_MM = 0.1
SEEN_MM = 0.5  # of a picture on a page, where the whole board is a hand wide
WHITE = 'style="background:#fff"'
SPACES = 'xmlns="http://www.w3.org/2000/svg" xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape"'


def svg(pieces: Sequence[Piece], size: tuple[float, float], title: str, stroke_mm: float = STROKE_MM) -> str:
    """The text of the file; the white ground is for who looks at it, and no shape that a machine would work on."""
    width, height = (_mm(side) for side in size)
    lines = [f'<svg {SPACES} width="{width}mm" height="{height}mm" {WHITE} viewBox="0 0 {width} {height}">']
    lines.append(f"<title>{escape(title)}</title>")
    for layer, (_, colour) in LAYERS.items():
        lines.append(
            f'<g id="{layer}" inkscape:groupmode="layer" inkscape:label="{layer}" '
            f'fill="none" stroke="{colour}" stroke-width="{_mm(stroke_mm)}">'
        )
        lines += [_element(piece, size[1]) for piece in of_layer(pieces, layer)]
        lines.append("</g>")
    return "\n".join([*lines, "</svg>", ""])


def _element(piece: Piece, height: float) -> str:
    if isinstance(piece, Circle):
        return f'<circle cx="{_mm(piece.x)}" cy="{_mm(height - piece.y)}" r="{_mm(piece.radius)}"/>'
    if isinstance(piece, Box):
        corner = _mm(piece.corner)
        return f'<rect x="0" y="0" width="{_mm(piece.width)}" height="{_mm(piece.height)}" rx="{corner}"/>'
    return f'<polyline points="{" ".join(f"{_mm(x)},{_mm(height - y)}" for x, y in piece.points)}"/>'


def _mm(length: float) -> str:
    """A length to the thousandth, without noughts at its end."""
    return f"{round(length, 3) + 0.0:.3f}".rstrip("0").rstrip(".")
