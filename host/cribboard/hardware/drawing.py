"""The drawing of a board in layers, for saw, laser and paper: what is cut, and what is engraved."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from cribboard.hardware.letters import strokes, width
from cribboard.hardware.shape import FIVE, Layout, Point, place_name
from cribboard.hardware.way import STARTS, Spot

# Each layer's colour by its number in DXF and by its code in SVG; black and greys are left for what is no work.
LAYERS = {
    "OUTLINE": (1, "#ff0000"),
    "HOLES": (5, "#0000ff"),
    "CUT_OUTS": (6, "#ff00ff"),
    "DOTS": (1, "#c00060"),
    "PAINT": (6, "#8040ff"),
    "STREETS": (3, "#00a000"),
    "START": (30, "#ff7f00"),
    "SKUNK": (4, "#00a0a0"),
    "GAME": (34, "#a06000"),
    "TEXT": (8, "#606060"),
}
TEXT_MM, TENS_MM, PLATE_MM = 3.5, 4.5, 6.0  # high; every ten's number is larger, what one has engraved still more
AIR_MM = 2.0  # between what is written and what it belongs to
SKUNK_GAP_MM = 0.8  # between the two strokes of the line
FOLD_MM = 5.0  # how far the way sticks out where it folds back, in an arc
ARC_STEPS = 6
WELL_MM = 2.0  # from a hole to the border of a well for paint
BEHIND_MM = 4.5  # so far behind a button its cap hides the face from a chair


@dataclass(frozen=True)
class Circle:
    """A hole, or a ring that is engraved."""

    layer: str
    x: float
    y: float
    radius: float


@dataclass(frozen=True)
class Polyline:
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


Piece = Circle | Polyline | Box


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
    yield from _wells(layout) if described.shape.paint else ()
    yield from _streets(layout)
    yield from _lines(layout)
    yield from _ends(layout)
    yield from _numbers(layout)
    yield from _button_names(layout)
    x, y, _ = layout.plate
    yield from _text("TEXT", described.shape.plate, x, y, PLATE_MM)


def _wells(layout: Layout) -> Iterator[Piece]:
    """Around the holes of each track in each street: what is engraved as an area, and takes its colour."""
    half = layout.description.shape.hole_mm / 2 + WELL_MM
    for street in layout.streets:
        for track in range(layout.description.tracks.count):
            around = layout.band(street.start - 0.5, street.stop - 0.5, layout.offset(track), half)
            yield Polyline("PAINT", tuple(around))


def _streets(layout: Layout) -> Iterator[Piece]:
    """The borders of the streets, a tick after every fifth hole, and where the way folds back."""
    for street in layout.streets:
        yield Polyline("STREETS", tuple(layout.band(street.start - 0.5, street.stop - 0.5)))
        for place in street[FIVE::FIVE]:
            yield _across(layout, "STREETS", layout.spot(place - 0.5), 0)
    for street in layout.streets[1:] if layout.description.tracks.serpentine else ():
        out = layout.description.shape.pitch_mm / 2 + FOLD_MM
        before, after = layout.spot(street.start - 1).along(out), layout.spot(street.start).along(-out)
        tip, barb = after.along(FOLD_MM), after.along(FOLD_MM - AIR_MM)
        corners = [(spot.x, spot.y) for spot in (before.along(-FOLD_MM), before, after, tip)]
        yield Polyline("STREETS", (*_arc(*corners[:3]), *_arc(*corners[1:])))
        yield Polyline("STREETS", (barb.across(AIR_MM / 2), (tip.x, tip.y), barb.across(-AIR_MM / 2)))


def _arc(before: Point, corner: Point, after: Point) -> Iterator[Point]:
    """A corner of the way, rounded."""
    sides = [math.dist(corner, end) for end in (before, after)]
    for step in range(ARC_STEPS + 1):
        turn = step / ARC_STEPS * math.pi / 2
        shares = [
            (1 - share) * FOLD_MM / side for share, side in zip((math.sin(turn), math.cos(turn)), sides, strict=True)
        ]
        x, y = (
            here + shares[0] * (one - here) + shares[1] * (other - here)
            for here, one, other in zip(corner, before, after, strict=True)
        )
        yield x, y


def _lines(layout: Layout) -> Iterator[Piece]:
    """The skunk lines: two strokes across the street and a little beyond, with the first score that is safe."""
    for (line, spot), name in zip(layout.skunk_lines.items(), ("SKUNK", "DOUBLE"), strict=False):
        for side in (-SKUNK_GAP_MM / 2, SKUNK_GAP_MM / 2):
            yield _across(layout, "SKUNK", spot.along(side), AIR_MM / 2)
        yield from _beside(layout, "SKUNK", (line - 1) % layout.last - 0.5, f"{name} {line}", other=True)


def _ends(layout: Layout) -> Iterator[Piece]:
    """Borders of the start and of the game hole, which has a ring too."""
    yield Polyline("START", tuple(layout.band(STARTS[0] - 0.5, STARTS[-1] + 0.5)))
    yield from _beside(layout, "START", sum(STARTS) / len(STARTS), "START")
    yield Polyline("GAME", tuple(layout.band(layout.last - 0.5, layout.last + 0.5)))
    yield from _beside(layout, "GAME", layout.last, "GAME", other=True)


def _numbers(layout: Layout) -> Iterator[Piece]:
    """Every fifth hole's number; on a track that is gone round more than once, those of all rounds."""
    for hole in range(FIVE, layout.last + 1, FIVE):
        rounds = range(hole, max(layout.description.game.target, layout.last + 1), layout.last)
        high = TEXT_MM if hole % (2 * FIVE) else TENS_MM
        yield from _beside(layout, "TEXT", hole - 1, "/".join(map(str, rounds)), high=high)


def _button_names(layout: Layout) -> Iterator[Piece]:
    """What a button does stands before it, where its cap hides nothing from a chair; whose it is, farther behind it."""
    radius = layout.description.buttons.diameter_mm / 2
    for button in layout.buttons:
        inwards = -1 if button.far else 1
        before, behind = (inwards * (radius + air + TEXT_MM / 2) for air in (AIR_MM, BEHIND_MM))
        yield from _text("TEXT", button.name, button.x, button.y - before, turned=button.far)
        if button.place is not None and button.name == "+5":
            yield from _text("TEXT", place_name(button.place), button.x, button.y + behind, turned=button.far)


def _across(layout: Layout, layer: str, spot: Spot, beyond: float) -> Polyline:
    reach = layout.half_mm + beyond
    return Polyline(layer, (spot.across(reach), spot.across(-reach)))


def _beside(
    layout: Layout, layer: str, place: float, text: str, *, other: bool = False, high: float = TEXT_MM
) -> Iterator[Piece]:
    """A text beside a place of the way, where the numbers are or on the other side."""
    spot = layout.spot(place)
    away = layout.half_mm + AIR_MM + _reach(spot, text, high)
    side = -layout.label_side(place) if other else layout.label_side(place)
    x, y = spot.across(side * away)
    inset = layout.description.shape.margin_mm + width(text, high) / 2
    yield from _text(layer, text, min(max(x, inset), layout.size[0] - inset), y, high)


def _reach(spot: Spot, text: str, high: float) -> float:
    """From a text's middle to its edge, in the direction across the way."""
    x, y = Spot(0, 0, spot.angle).across(1)
    return abs(x) * width(text, high) / 2 + abs(y) * high / 2


def _text(layer: str, text: str, x: float, y: float, high: float = TEXT_MM, *, turned: bool = False) -> Iterator[Piece]:
    """A text around this point, to be read from below or, turned, from above."""
    for points in strokes(text, x, y, high):
        yield Polyline(layer, tuple((2 * x - to_x, 2 * y - to_y) if turned else (to_x, to_y) for to_x, to_y in points))


def of_layer(pieces: Sequence[Piece], layer: str) -> list[Piece]:
    """The pieces of one layer."""
    return [piece for piece in pieces if piece.layer == layer]
