"""The drawing as SVG: one unit a millimetre, a group for each layer, as Inkscape and laser programs take it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from html import escape
from typing import TypedDict

from cribboard.hardware.drawing import LAYERS, Box, Circle, Piece, of_layer
from cribboard.hardware.letters import Hole
from cribboard.hardware.shape import FIVE, Layout, Point
from cribboard.hardware.way import STARTS

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
        where = f'x="{_mm(piece.x)}" y="{_mm(height - piece.y - piece.height)}"'
        return f'<rect {where} width="{_mm(piece.width)}" height="{_mm(piece.height)}" rx="{corner}"/>'
    return f'<polyline points="{" ".join(f"{_mm(x)},{_mm(height - y)}" for x, y in piece.points)}"/>'


def _mm(length: float) -> str:
    """A length to the thousandth, without noughts at its end."""
    return f"{round(length, 3) + 0.0:.3f}".rstrip("0").rstrip(".")


class SkunkEntry(TypedDict):
    """A skunk line."""

    score: int
    line: list[Point]


class LabelEntry(TypedDict):
    """The number beside a hole."""

    at: Point
    words: str


class DrawingEntry(TypedDict):
    """A board to draw; `streets` are the top and the bottom of each."""

    size: Point
    tracks: list[list[Hole]]
    starts: list[list[Hole]]
    bands: list[list[Point]]
    streets: list[Point]
    skunk: list[SkunkEntry]
    texts: list[LabelEntry]


@lru_cache(maxsize=8)
def entry(layout: Layout) -> DrawingEntry:
    """Size, holes, start holes, the borders of streets, start and game hole, skunk lines, and every fifth number.

    `streets` has the top and the bottom of each street, so that a page may move them apart; an oval has none.
    """
    tracks, leds = layout.description.tracks.count, layout.description.tracks.leds
    width, height = layout.size
    start_mm = layout.description.shape.hole_mm / 2

    def down(points: Iterable[Point]) -> list[Point]:
        return [(round(x, 2), round(height - y, 2)) for x, y in points]

    def holes(points: Iterable[Point], sizes: Iterable[float]) -> list[Hole]:
        return [(*point, round(size, 2)) for point, size in zip(down(points), sizes, strict=False)]

    diameters = [layout.diameter(led) / 2 for led in range(leds)]
    bands = [layout.band(street.start - 0.5, street.stop - 0.5) for street in layout.streets]
    bands += [layout.band(STARTS[0] - 0.5, STARTS[-1] + 0.5), layout.band(layout.last - 0.5, layout.last + 0.5)]
    return {
        "size": (round(width, 2), round(height, 2)),
        "tracks": [holes(layout.holes(track), diameters) for track in range(tracks)],
        "starts": [holes(layout.start_holes(track), [start_mm] * len(STARTS)) for track in range(tracks)],
        "bands": [down(band) for band in bands],
        "streets": [_heights(down(band)) for band in bands[:-2]] if layout.description.shape.kind == "streets" else [],
        "skunk": [
            {"score": score, "line": down([spot.across(layout.half_mm), spot.across(-layout.half_mm)])}
            for score, spot in layout.skunk_lines.items()
        ],
        "texts": [
            {"at": down([_label(layout, hole - 1)])[0], "words": str(hole)}
            for hole in range(FIVE, layout.last + 1, FIVE)
        ],
    }


def _label(layout: Layout, led: int) -> Point:
    return layout.spot(led).across(layout.label_side(led) * (layout.half_mm + 4))


def _heights(points: list[Point]) -> Point:
    heights = [y for _, y in points]
    return min(heights), max(heights)
