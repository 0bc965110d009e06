"""The drawing of a board in layers, for saw, laser and paper, as SVG, and for a page with y from the top down."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from typing import TypedDict

from cribboard.hardware.shape import FIVE, STARTS, Layout, Point, Spot, place_name

# Letters as single strokes, for engraving: machines know no fonts, and every program draws these alike.

WIDE, HIGH, GAP = 4, 6, 2

_STROKES = {
    "0": "10 01 05 16 36 45 41 30 10",
    "1": "14 26 20|10 30",
    "2": "05 16 36 45 44 00 40",
    "3": "05 16 36 45 44 33 13|33 42 41 30 10 01",
    "4": "30 36 02 42",
    "5": "46 06 03 33 42 41 30 10 01",
    "6": "45 36 16 05 01 10 30 41 42 33 03",
    "7": "06 46 10",
    "8": "13 04 05 16 36 45 44 33 13 02 01 10 30 41 42 33",
    "9": "01 10 30 41 45 36 16 05 04 13 43",
    "+": "03 43|25 21",
    "-": "03 43",
    "/": "00 46",
    "A": "00 26 40|12 32",
    "B": "00 06 36 45 44 33 03|33 42 41 30 00",
    "C": "45 36 16 05 01 10 30 41",
    "D": "00 06 26 44 42 20 00",
    "E": "40 00 06 46|03 33",
    "F": "00 06 46|03 33",
    "G": "45 36 16 05 01 10 30 41 43 23",
    "H": "00 06|40 46|03 43",
    "I": "10 30|16 36|20 26",
    "J": "01 10 20 31 36",
    "K": "00 06|46 03 40",
    "L": "06 00 40",
    "M": "00 06 23 46 40",
    "N": "00 06 40 46",
    "O": "10 01 05 16 36 45 41 30 10",
    "P": "00 06 36 45 44 33 03",
    "Q": "10 01 05 16 36 45 41 30 10|22 40",
    "R": "00 06 36 45 44 33 03|23 40",
    "S": "45 36 16 05 04 13 33 42 41 30 10 01",
    "T": "20 26|06 46",
    "U": "06 01 10 30 41 46",
    "V": "06 20 46",
    "W": "06 10 23 30 46",
    "X": "00 46|06 40",
    "Y": "06 23 46|23 20",
    "Z": "06 46 00 40",
}

Hole = tuple[float, float, float]  # with its radius


def width(text: str, high: float) -> float:
    """How wide a text of this height is."""
    return (len(text) * (WIDE + GAP) - GAP) * high / HIGH if text else 0.0


def strokes(text: str, x: float, y: float, high: float) -> list[list[Point]]:
    """The strokes of a text whose middle is at x, y; a letter that machines have not is left out as a blank is."""
    scale = high / HIGH
    left, bottom = x - width(text, high) / 2, y - high / 2
    drawn = []
    for letter in text.upper():
        for stroke in _STROKES.get(letter, "").split("|"):
            points = [(left + int(point[0]) * scale, bottom + int(point[1]) * scale) for point in stroke.split()]
            if points:
                drawn.append(points)
        left += (WIDE + GAP) * scale
    return drawn


# The drawing of a board in layers, for saw, laser and paper: what is cut, and what is engraved.

# Each layer's colour by its number in DXF and by its code in SVG; black and greys are left for what is no work.
LAYERS = {
    "OUTLINE": (1, "#ff0000"),
    "HOLES": (5, "#0000ff"),
    "CUT_OUTS": (6, "#ff00ff"),
    "DOTS": (1, "#c00060"),
    "STREETS": (3, "#00a000"),
    "START": (30, "#ff7f00"),
    "SKUNK": (4, "#00a0a0"),
    "GAME": (34, "#a06000"),
    "TEXT": (8, "#606060"),
}
TEXT_MM = 3.5
AIR_MM = 2.0  # between what is written and what it belongs to
SKUNK_GAP_MM = 0.8  # between the two strokes of the line
FOLD_MM = 5.0  # how far the way sticks out where it folds back


@dataclass(frozen=True)
class Circle:
    """A hole, or a ring that is engraved."""

    layer: str
    x: float
    y: float
    radius: float


@dataclass(frozen=True)
class Line:
    """A run of straight strokes."""

    layer: str
    points: tuple[Point, ...]


@dataclass(frozen=True)
class Box:
    """A rectangle with rounded corners, and where its lower left corner is."""

    layer: str
    width: float
    height: float
    corner: float
    x: float = 0.0
    y: float = 0.0


Piece = Circle | Line | Box


def drawing(layout: Layout) -> list[Piece]:
    """All pieces, layer by layer."""
    pieces = list(_pieces(layout))
    return sorted(pieces, key=lambda piece: list(LAYERS).index(piece.layer))


def _pieces(layout: Layout) -> Iterator[Piece]:
    described = layout.description
    yield Box("OUTLINE", *layout.size, described.shape.corner_mm)
    for track in range(described.tracks.count):
        for led, (x, y) in enumerate(layout.holes(track)):
            yield Circle("HOLES", x, y, layout.diameter(led) / 2)
        for x, y in layout.start_holes(track):
            yield Circle("START", x, y, described.shape.hole_mm / 2)
    for button in layout.buttons:
        yield Circle("CUT_OUTS", button.x, button.y, described.buttons.diameter_mm / 2)
    for x, y in layout.dots:
        yield Circle("DOTS", x, y, described.shape.dots_mm / 2)
    for x, y in layout.screws:
        yield Circle("CUT_OUTS", x, y, described.shape.screw_mm / 2)
    yield from _streets(layout)
    yield from _lines(layout)
    yield from _ends(layout)
    yield from _numbers(layout)
    yield from _button_names(layout)


def _streets(layout: Layout) -> Iterator[Piece]:
    """The borders of the streets, a tick after every fifth hole, and where the way folds back."""
    for street in layout.streets:
        yield Line("STREETS", tuple(layout.band(street.start - 0.5, street.stop - 0.5)))
        for place in street[FIVE::FIVE]:
            yield _across(layout, "STREETS", layout.spot(place - 0.5), 0)
    for street in layout.streets[1:] if layout.description.tracks.serpentine else ():
        out = layout.description.shape.pitch_mm / 2 + FOLD_MM
        before, after = layout.spot(street.start - 1).along(out), layout.spot(street.start).along(-out)
        tip, barb = after.along(FOLD_MM), after.along(FOLD_MM - AIR_MM)
        way = [(before.along(-FOLD_MM)), before, after, tip]
        yield Line("STREETS", tuple((spot.x, spot.y) for spot in way))
        yield Line("STREETS", (barb.across(AIR_MM / 2), (tip.x, tip.y), barb.across(-AIR_MM / 2)))


def _lines(layout: Layout) -> Iterator[Piece]:
    """The skunk lines: two strokes across the street and a little beyond, with the first score that is safe."""
    for (line, spot), name in zip(layout.skunk_lines.items(), ("SKUNK", "DOUBLE"), strict=False):
        for side in (-SKUNK_GAP_MM / 2, SKUNK_GAP_MM / 2):
            yield _across(layout, "SKUNK", spot.along(side), AIR_MM / 2)
        yield from _beside(layout, "SKUNK", (line - 1) % layout.last - 0.5, f"{name} {line}", other=True)


def _ends(layout: Layout) -> Iterator[Piece]:
    """Borders of the start and of the game hole, which has a ring too."""
    yield Line("START", tuple(layout.band(STARTS[0] - 0.5, STARTS[-1] + 0.5)))
    yield from _beside(layout, "START", sum(STARTS) / len(STARTS), "START")
    yield Line("GAME", tuple(layout.band(layout.last - 0.5, layout.last + 0.5)))
    yield from _beside(layout, "GAME", layout.last, "GAME", other=True)


def _numbers(layout: Layout) -> Iterator[Piece]:
    """Every fifth hole's number; on a track that is gone round more than once, those of all rounds."""
    for hole in range(FIVE, layout.last + 1, FIVE):
        rounds = range(hole, max(layout.description.game.target, layout.last + 1), layout.last)
        yield from _beside(layout, "TEXT", hole - 1, "/".join(map(str, rounds)))


def _button_names(layout: Layout) -> Iterator[Piece]:
    away = layout.description.buttons.diameter_mm / 2 + AIR_MM + TEXT_MM / 2
    for button in layout.buttons:
        inwards = -away if button.far else away
        yield from _text("TEXT", button.name, button.x, button.y + inwards, button.far)
        if button.place is not None and button.name == "+5":
            yield from _text("TEXT", place_name(button.place), button.x, button.y - inwards, button.far)


def _across(layout: Layout, layer: str, spot: Spot, beyond: float) -> Line:
    reach = layout.half_mm + beyond
    return Line(layer, (spot.across(reach), spot.across(-reach)))


def _beside(layout: Layout, layer: str, place: float, text: str, other: bool = False) -> Iterator[Piece]:
    """A text beside a place of the way, where the numbers are or on the other side."""
    spot = layout.spot(place)
    away = layout.half_mm + AIR_MM + _reach(spot, text)
    side = -layout.label_side(place) if other else layout.label_side(place)
    x, y = spot.across(side * away)
    inset = layout.description.shape.margin_mm + width(text, TEXT_MM) / 2
    yield from _text(layer, text, min(max(x, inset), layout.size[0] - inset), y)


def _reach(spot: Spot, text: str) -> float:
    """From a text's middle to its edge, in the direction across the way."""
    x, y = Spot(0, 0, spot.angle).across(1)
    return abs(x) * width(text, TEXT_MM) / 2 + abs(y) * TEXT_MM / 2


def _text(layer: str, text: str, x: float, y: float, turned: bool = False) -> Iterator[Piece]:
    """A text around this point, to be read from below or, turned, from above."""
    for points in strokes(text, x, y, TEXT_MM):
        yield Line(layer, tuple((2 * x - to_x, 2 * y - to_y) if turned else (to_x, to_y) for to_x, to_y in points))


def of_layer(pieces: Sequence[Piece], layer: str) -> list[Piece]:
    """The pieces of one layer."""
    return [piece for piece in pieces if piece.layer == layer]


# The drawing as SVG: one unit a millimetre, a group for each layer, as Inkscape and laser programs take it.

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
